import Logging
import NIOCore
import NIOWebSocket
import RoostCore
import RoostWire

/// One connection of a device: performs the actions of its state machine.
///
/// It runs on its event loop and is fully synchronous: replies to frames that arrived in one read are flushed once,
/// and so are the writes of one round of the lane.
final class WebSocketSession: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let number: UInt64
    /// Whether the hub will flush this session.
    var isTouched = false
    let hub: LaneHub
    private(set) var state: StateMachine
    private var context: ChannelHandlerContext?
    /// The connected user, once attached to the core.
    var actor: RoostCore.Actor?
    /// The user of a session that was detached before the connection has ended.
    private var formerActor: RoostCore.Actor?
    private var contact = LastContact()
    private var helloID = ""
    /// The lifetime of the token; nil for a guest.
    var tokenLifetime: TokenLifetime?
    /// The key that has signed the token; nil for a guest.
    var keyID: String?
    /// A close that was decided while the lane was being written.
    private var closeFrame: CloseFrame?
    private var hasSentClose = false
    private(set) var needsFlush = false
    private var backpressure: Backpressure
    private var needsRead = false
    private var hasHeard = true
    private var isRetiring = false

    // The ticks at which each timer is due.
    private var scheduledTick = Int64.max
    private var authDue = Int64.max
    private var pingDue = Int64.max
    private var silenceDue = Int64.max
    private var expiryDue = Int64.max
    private var endDue = Int64.max
    private var retireDue = Int64.max

    /// The address of the client that a proxy has named; nil without one.
    private let forwardedAddress: String?
    private let origin: String?
    private let frameLimit: FrameLimit
    private let share: ConnectionMemory.Share?
    /// How many steps of memory the fragments and commands have that are not answered.
    private var heldSteps = 0

    init(
        number: UInt64, hub: LaneHub, address: String?, origin: String?, frameLimit: FrameLimit,
        share: ConnectionMemory.Share?
    ) {
        (self.number, self.frameLimit, self.share) = (number, frameLimit, share)
        (forwardedAddress, self.origin) = (address, origin)
        self.hub = hub
        let configuration = hub.configuration
        state = StateMachine(
            limits: StateMachine.Limits(
                preAuthFrameBytes: configuration.preAuthFrameBytes,
                frameBytes: hub.core.configuration.limits.frameBytes, fragments: configuration.maxFragments,
                pingsPerSecond: configuration.maxPingsPerSecond, commands: configuration.inboundCommands))
        backpressure = Backpressure(
            limits: Backpressure.Limits(
                eventBytes: configuration.outboundBytes, allBytes: configuration.allOutboundBytes,
                ownBytes: configuration.ownOutboundBytes))
    }

    var sessionID: SessionID { SessionID(lane: hub.lane, number: number) }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        authDue = hub.tick(after: hub.configuration.authDeadline)
        reschedule()
        hub.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { connectionClosed() }

    func channelInactive(context: ChannelHandlerContext) {
        connectionClosed()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasHeard = true
        let frame = WebSocketFrames.read(Self.unwrapInboundIn(data))
        contact.heard(frame)
        perform(state.receive(frame, now: Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000)))
        noteHeld()
    }

    private func noteHeld() {
        let steps = state.heldBytes / ConnectionMemory.step
        guard steps != heldSteps else { return }
        heldSteps = steps
        share?.set(commands: state.heldBytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isCongested = !context.channel.isWritable
        backpressure.setCongested(isCongested)
        // Output that left the buffer counts as a sign of life.
        if !isCongested { hasHeard = true }
        resumeCommands()
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if state.isPaused || (isRetiring && state.phase != .closing) {
            needsRead = true
        } else {
            context.read()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            if hasSentClose { contact.followed() }
            endInput()
        case is ChannelShouldQuiesceEvent: retire()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard state.phase != .closing else { return }
        switch error {
        case NIOWebSocketError.invalidFrameLength:
            end(CloseFrame(.tooLarge, "at most \(frameLimit.bytes) bytes"))
        case is NIOWebSocketError, is CheckedFrameDecoder.BadLength:
            end(CloseFrame(.protocolError, "not a frame of RFC 6455"))
        default: context.close(promise: nil)
        }
    }

    /// Answers pending commands after the client closed its side, then closes the connection.
    private func endInput() {
        perform(state.endInput())
        guard state.isInputOver, state.phase != .closing else { return }
        endDue = min(endDue, hub.tick(after: hub.configuration.pingGrace))
        reschedule()
    }

    private func connectionClosed() {
        guard context != nil else { return }
        context = nil
        if actor == nil, let formerActor, let silentMs = contact.silentMs {
            hub.core.noteUnreached(formerActor.deviceID, user: formerActor.user.userID, silentMs: silentMs)
        }
        detach(silentMs: contact.silentMs)
        state.close()
        hub.remove(self)
    }

    /// Detaches the session from the core and the lane.
    private func detach(silentMs: Int64?) {
        guard let actor else { return }
        self.actor = nil
        formerActor = actor
        hub.detach(number)
        hub.core.detach(sessionID, user: actor.user.userID, silentMs: silentMs)
        hub.logger.debug("session ended", metadata: ["user": "\(actor.user.userID)", "session": "\(number)"])
    }

    // MARK: What the state machine decides

    private func perform(_ action: StateMachine.Action) {
        switch action {
        case .none: break
        case .pong(let payload): write { WebSocketFrames.pong(payload, $0) }
        case .authenticate(let hello, let id): authenticate(hello, id: id)
        case .submit(let frame): submit(frame)
        case .answer(let answer):
            // It is no command.
            hub.core.meters.add(to: .commands, Metric.unknownCommand, String(answer.error.code))
            write(answer)
        case .close(let closeFrame): end(closeFrame)
        case .end: context?.close(promise: nil)
        }
    }

    /// Holds back the client's commands, or starts those that may run now.
    private func resumeCommands() {
        state.hold(backpressure.isHeld)
        while let frame = state.next() { submit(frame) }
        guard needsRead, !state.isPaused, !isRetiring else { return }
        needsRead = false
        context?.read()
    }

    private func submit(_ frame: ClientFrame) {
        guard let actor else { return }
        if case .renew(let renewal) = frame.command { return renew(renewal, id: frame.id, as: actor) }
        if let relay = hub.relay, case .write(.sendMessage(let send)) = frame.command {
            return hub.deliver((try? relay.deliveries(of: send, id: frame.id, from: actor)) ?? [])
        }
        hub.core.submit(frame.command, id: frame.id, from: actor)
    }

    private func write(_ answer: FrameAnswer) {
        write { WebSocketFrames.text(WireCodec.encodeFailure(id: answer.id, error: answer.error), $0) }
        state.hold(backpressure.isHeld)
    }

    private func write(isOwn: Bool = true, _ make: (ByteBufferAllocator) -> ByteBuffer) {
        guard let context else { return }
        write(make(context.channel.allocator), isOwn: isOwn)
    }

    /// Writes an encoded frame without flushing it.
    func write(event frame: ByteBuffer) { write(frame, isOwn: state.isChanging) }

    private func write(_ frame: ByteBuffer, isOwn: Bool) {
        guard let context, !hasSentClose else { return }
        needsFlush = true
        backpressure.wrote(frame.readableBytes, isOwn: isOwn)
        context.write(Self.wrapOutboundOut(frame), promise: nil)
    }

    private func flush() {
        guard needsFlush, let context else { return }
        needsFlush = false
        context.flush()
        backpressure.flushed()
        checkReader()
    }

    /// The number of bytes buffered for the socket.
    private var waitingBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Disconnects a client that reads too slowly; it loses nothing, because it resumes from its positions.
    private func checkReader() {
        // Querying the socket after every flush would cost more.
        guard backpressure.isCongested, state.phase != .closing else { return }
        let waiting = waitingBytes
        guard backpressure.isTooSlow(waiting: waiting) else { return }
        hub.logger.info("slow reader disconnected", metadata: ["session": "\(number)", "bytes": "\(waiting)"])
        end(CloseFrame(.slowReader, "too slow"))
    }

    /// Disconnects a client because all connections together hold too much.
    func endSlowly() { end(CloseFrame(.slowReader, "too slow")) }

    // MARK: Logging in

    private func authenticate(_ hello: Hello, id: String) {
        helloID = id
        if let token = hello.token, !token.isEmpty {
            verify(token) { $0.authenticated($1, deviceID: hello.deviceID) }
            return
        }
        guard let guest = hello.guest else {
            refuse(WireError(.notAuthenticated, "hello requires a token, or a guest if the server runs with --dev."))
            return
        }
        do throws(WireError) {
            attach(try Guests.user(guest, hub.configuration), deviceID: hello.deviceID, isOperator: false)
        } catch {
            refuse(error.field == nil ? error : error.inside("guest"))
        }
    }

    /// Verifies a token off the event loop, and continues on it if the connection is still open.
    func verify(
        _ token: String, check: @escaping @Sendable (Identity) async throws(WireError) -> Void = { _ in },
        then finish: @escaping @Sendable (WebSocketSession, Result<Identity, WireError>) -> Void
    ) {
        let hub = hub
        let number = number
        Task {
            let now = hub.core.effects.now()
            let result: Result<Identity, WireError>
            do throws(WireError) {
                let identity = try await hub.verifier.verify(token, now: now)
                try await check(identity)
                result = .success(identity)
            } catch {
                result = .failure(error)
            }
            hub.eventLoop.execute {
                if let session = hub.session(number) { finish(session, result) }
            }
        }
    }

    private func authenticated(_ result: Result<Identity, WireError>, deviceID: DeviceID) {
        guard state.phase == .authenticating, actor == nil else { return }
        switch result {
        case .success(let identity):
            tokenLifetime = TokenLifetime(expiresAt: identity.access.expiresAt, now: hub.core.effects.now())
            setExpiry()
            keyID = identity.keyID
            attach(identity.user, deviceID: deviceID, isOperator: identity.isOperator, identity.access)
        case .failure(let error): refuse(error)
        }
    }

    private func attach(_ user: User, deviceID: DeviceID, isOperator: Bool, _ access: Access? = nil) {
        actor = RoostCore.Actor(
            user: user, deviceID: deviceID, isOperator: isOperator, session: sessionID, access: access)
        actor?.address = address
        actor?.origin = origin
        hub.core.attach(sessionID, id: helloID, user: user, deviceID: deviceID, isOperator: isOperator, access: access)
    }

    /// The IP address of the client, as far as it is known.
    private var address: String? { forwardedAddress ?? context?.channel.remoteAddress?.ipAddress }

    private func refuse(_ error: WireError) {
        hub.core.meters.add(to: .logins, "refused")
        hub.logRefusal(of: number, error, from: address, origin: origin)
        // An identity provider that is down says nothing about the token.
        let code: CloseCode = error.retryable ? .restart : .notAuthenticated
        end(CloseFrame(code, "not authenticated", error: FrameAnswer(id: helloID, error: error)))
    }

    // MARK: What the lane brings

    /// Handles a reply. It is called while the lane is being written, so it may write but not close the connection.
    func handle(_ reply: Reply, id: String) {
        switch state.phase {
        case .authenticating: handleWelcome(reply, id: id)
        case .live:
            switch reply {
            case .accepted(let json): write { WebSocketFrames.text(WireCodec.encodeResult(id: id, body: json), $0) }
            case .refused(let error): write(FrameAnswer(id: id, error: error))
            }
            state.answered()
            noteHeld()
            state.hold(backpressure.isHeld)
            while let frame = state.next() { submit(frame) }
        case .awaitingHello, .closing: break
        }
    }

    private func handleWelcome(_ reply: Reply, id: String) {
        switch reply {
        case .accepted(let json):
            state.welcome()
            hub.core.meters.add(to: .logins, "accepted")
            authDue = .max
            frameLimit.bytes = hub.core.configuration.limits.frameBytes
            if let context { hub.connections.noteLogin(on: context.channel) }
            hub.upgradeLimit.takeBack(address, now: UpgradeLimit.now)
            share?.noteLogin()
            let heartbeat = Int64(hub.core.configuration.heartbeat)
            pingDue = hub.tick(after: hub.random(below: heartbeat))
            write { WebSocketFrames.text(WireCodec.encodeResult(id: id, body: json), $0) }
            hub.logger.debug(
                "session began", metadata: ["user": "\(actor?.user.userID.rawValue ?? "")", "session": "\(number)"])
            reschedule()
        case .refused(let error):
            hub.core.meters.add(to: .logins, "refused")
            let code: CloseCode
            switch error {
            case .tooManyConnections: code = .tooManyConnections
            case .userBanned, .userDeleted: code = .banned
            case _ where error.retryable: code = .restart
            default: code = .notAuthenticated
            }
            closeFrame = CloseFrame(code, error.name, error: FrameAnswer(id: id, error: error))
            if !error.retryable {
                hub.logRefusal(of: number, error, user: actor?.user.userID, from: address, origin: origin)
            }
        }
    }

    /// Ends the connection because the user or the token is not accepted any more. It is called while the lane is being
    /// written.
    func endAccess(_ error: WireError) {
        let isForGood = ErrorCode.userBanned ~= error || ErrorCode.userDeleted ~= error
        closeFrame = CloseFrame(
            isForGood ? .banned : .notAuthenticated, error.name, error: FrameAnswer(id: nil, error: error))
    }

    /// Flushes the output of the round and performs deferred actions.
    func finishRound() {
        if let closeFrame {
            self.closeFrame = nil
            end(closeFrame)
            return
        }
        flush()
        if isRetiring, state.load == 0 {
            end(CloseFrame(.restart, "the server stops"))
        } else if state.isFinished {
            end(CloseFrame(replyingTo: nil))
        } else if needsRead, !state.isPaused, !isRetiring {
            needsRead = false
            context?.read()
        }
    }

    // MARK: The end

    /// Sends a close frame and makes sure that the connection ends.
    private func end(_ closeFrame: CloseFrame) {
        guard let context, state.phase != .closing else { return }
        // Whether the client answers the close frame is not known yet.
        detach(silentMs: nil)
        state.close()
        noteHeld()
        share?.noteEnding()
        if let error = closeFrame.error { write(error) }
        write { WebSocketFrames.close(closeFrame.code, closeFrame.reason, $0) }
        hasSentClose = true
        needsFlush = false
        (authDue, pingDue, silenceDue, expiryDue, retireDue) = (.max, .max, .max, .max, .max)
        // A slow reader receives the close code only after its unread data, so it gets as much time as a silent one.
        let isSlow = closeFrame.code == CloseCode.slowReader.rawValue
        endDue = hub.tick(after: isSlow ? hub.configuration.pingGrace : hub.configuration.closeGrace)
        reschedule()
        if let code = closeFrame.code, !closeFrame.isReply {
            hub.logClose(of: number, code, formerActor, from: address, origin: origin)
        }
        let channel = context.channel
        let isReply = closeFrame.isReply
        // Closing both directions with unread bytes would reset the connection and lose the close frame.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(mode: isReply ? .all : .output, promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer()), promise: written)
        if needsRead {
            needsRead = false
            context.read()
        }
    }

    /// Tells the client that the server is shutting down, and closes the connection at a random time within `window`
    /// ms.
    func sendGoAway(window: Int64) {
        guard state.phase == .live else {
            retire()
            return
        }
        let event = Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: Int(hub.random(below: window / 2 + 1))))))
        if let json = try? WireCodec.encode(event) { write { WebSocketFrames.text(json, $0) } }
        flush()
        retireDue = hub.tick(after: hub.random(below: window))
        reschedule()
    }

    /// Accepts no more commands, and closes once the pending ones are answered.
    func retire() {
        guard !isRetiring, state.phase != .closing else { return }
        isRetiring = true
        retireDue = .max
        if state.load == 0 || state.phase != .live {
            end(CloseFrame(.restart, "the server stops"))
        } else {
            endDue = hub.tick(after: hub.configuration.closeGrace)
            reschedule()
        }
    }

    /// Ends the connection if the key that has signed its token is not valid any more.
    func end(ifGone isGone: (_ keyID: String) -> Bool) {
        guard let keyID, isGone(keyID), state.phase != .closing else { return }
        endAccess(WireError(.tokenExpired, "The key of this token is no longer valid. Get a new token."))
        finishRound()
    }

    /// Ends the connection at once: the client connects again and reads what it lacks.
    func restart() {
        end(CloseFrame(.restart, "connect again"))
        finishRound()
    }

    // MARK: Time

    func reschedule() {
        let due = min(authDue, pingDue, silenceDue, expiryDue, endDue, retireDue)
        guard due < scheduledTick else { return }
        scheduledTick = hub.schedule(number, at: due)
    }

    /// Runs the timer that is due.
    func runTimers() {
        let now = hub.now
        // This entry was superseded by an earlier one; continuing from it would duplicate the timers.
        guard scheduledTick == now else { return }
        scheduledTick = .max
        if endDue <= now {
            if isRetiring, !hasSentClose {
                end(CloseFrame(.restart, "the server stops"))
            } else {
                context?.close(promise: nil)
            }
        } else if retireDue <= now {
            retire()
        } else if authDue <= now {
            authDue = .max
            refuseLate()
        } else if silenceDue <= now {
            endSilence()
        } else if pingDue <= now {
            ping()
        } else if expiryDue <= now {
            // Checked last, because it is due in every tick within the last millisecond.
            checkToken()
        }
        if context != nil { reschedule() }
    }

    /// Schedules the next token check. Each heartbeat reschedules it.
    func setExpiry() {
        switch tokenLifetime?.step(now: hub.core.effects.now()) {
        case .wait(let ms): expiryDue = hub.tick(after: ms)
        case .notify, .end: expiryDue = hub.tick(after: 0)
        case nil: expiryDue = .max
        }
    }

    private func checkToken() {
        let step = tokenLifetime?.step(now: hub.core.effects.now())
        if step == .end {
            let error = WireError(.tokenExpired, "The token has expired. Get a new token.")
            return end(CloseFrame(.notAuthenticated, "token expired", error: FrameAnswer(id: nil, error: error)))
        }
        // No event may precede the welcome.
        let isDue = step == .notify && state.phase == .live
        if isDue { tokenLifetime?.markNotified() }
        setExpiry()
        guard isDue, let tokenLifetime else { return }
        let event = Event(
            body: .ephemeral(.sessionExpiring(SessionExpiring(expiresAt: .init(milliseconds: tokenLifetime.expiresAt))))
        )
        if let json = try? WireCodec.encode(event) { write { WebSocketFrames.text(json, $0) } }
        flush()
    }

    /// Disconnects a client that has been silent since the ping, unless it is still reading or its commands are still
    /// running.
    private func endSilence() {
        silenceDue = .max
        guard !hasHeard, state.isHeld || !state.isFull else { return }
        if backpressure.isRead(waiting: waitingBytes) {
            silenceDue = hub.tick(after: hub.configuration.pingGrace)
        } else {
            hub.logger.debug("session is silent", metadata: ["session": "\(number)"])
            context?.close(promise: nil)
        }
    }

    private func refuseLate() {
        let error = WireError(.notAuthenticated, "The login timed out. Send hello first.")
        end(CloseFrame(.notAuthenticated, "not authenticated in time", error: FrameAnswer(id: nil, error: error)))
    }

    private func ping() {
        let heartbeat = Int64(hub.core.configuration.heartbeat)
        pingDue = hub.tick(after: heartbeat * 9 / 10 + hub.random(below: heartbeat / 5))
        guard state.phase == .live else { return }
        setExpiry()
        if silenceDue == .max {
            hasHeard = false
            backpressure.watch(waiting: backpressure.isCongested ? waitingBytes : 0)
            silenceDue = hub.tick(after: hub.configuration.pingGrace)
        }
        write(event: WebSocketFrames.ping)
        if let positions = hub.positions(of: number),
            let json = try? WireCodec.encode(Event(body: .ephemeral(.positions(positions))))
        {
            write(isOwn: false) { WebSocketFrames.text(json, $0) }
        }
        flush()
    }
}
