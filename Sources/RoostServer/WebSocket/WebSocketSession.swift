import Logging
import NIOCore
import NIOWebSocket
import RoostCore
import RoostWire

/// One connection of a device: carries out what its state machine decides.
///
/// It lives on its event loop and is synchronous all through: frames that came in
/// one read are answered with one flush, and so is what one round of the lane writes.
final class WebSocketSession: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    let number: UInt64
    /// Whether the hub has it on the list of this round.
    var isTouched = false
    private let hub: LaneHub
    private var state: StateMachine
    private var context: ChannelHandlerContext?
    /// Who is connected, from the moment in which the core was told.
    private var actor: RoostCore.Actor?
    private var helloID = ""
    /// The life of the token; nil for a guest.
    private var tokenLifetime: TokenLifetime?
    /// An end that was decided while the lane was being written.
    private var closeFrame: CloseFrame?
    private var hasSentClose = false
    private var needsFlush = false
    private var backpressure: Backpressure
    private var needsRead = false
    private var hasHeard = true
    private var isRetiring = false

    // Ticks at which something is due.
    private var scheduledTick = Int64.max
    private var authDue = Int64.max
    private var pingDue = Int64.max
    private var silenceDue = Int64.max
    private var expiryDue = Int64.max
    private var endDue = Int64.max
    private var retireDue = Int64.max

    init(number: UInt64, hub: LaneHub) {
        self.number = number
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

    private var sessionID: SessionID { SessionID(lane: hub.lane, number: number) }

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
        perform(state.receive(frame, now: Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isCongested = !context.channel.isWritable
        backpressure.setCongested(isCongested)
        // What has gone out, the client has read.
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
        case ChannelEvent.inputClosed: endInput()
        case is ChannelShouldQuiesceEvent: retire()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard state.phase != .closing else { return }
        switch error {
        case NIOWebSocketError.invalidFrameLength:
            let limits = hub.core.configuration.limits
            end(CloseFrame(.tooLarge, "at most \(limits.frameBytes) bytes"))
        case is NIOWebSocketError, is CheckedFrameDecoder.BadLength:
            end(CloseFrame(.protocolError, "not a frame of RFC 6455"))
        default: context.close(promise: nil)
        }
    }

    /// Answers what came before the client closed its side, then ends the connection.
    private func endInput() {
        perform(state.endInput())
        guard state.isInputOver, state.phase != .closing else { return }
        endDue = min(endDue, hub.tick(after: hub.configuration.pingGrace))
        reschedule()
    }

    private func connectionClosed() {
        guard context != nil else { return }
        context = nil
        detach()
        state.close()
        hub.remove(self)
    }

    /// Tells the core and the lane that nobody is there any more.
    private func detach() {
        guard let actor else { return }
        self.actor = nil
        hub.detach(number)
        hub.core.detach(sessionID, user: actor.user.userID)
        hub.logger.debug("session ended", metadata: ["user": "\(actor.user.userID)", "session": "\(number)"])
    }

    // MARK: What the state machine decides

    private func perform(_ action: StateMachine.Action) {
        switch action {
        case .none: break
        case .pong(let payload): write { WebSocketFrames.pong(payload, $0) }
        case .authenticate(let hello, let id): authenticate(hello, id: id)
        case .submit(let frame): submit(frame)
        case .answer(let answer): write(answer)
        case .close(let closeFrame): end(closeFrame)
        case .end: context?.close(promise: nil)
        }
    }

    /// Holds the client's commands back, or starts those that may begin now.
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
        if hub.configuration.isRelay, case .write(.sendMessage(let send)) = frame.command {
            return hub.relay(send, id: frame.id, from: actor)
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

    /// Writes a frame that is encoded already, without flushing it.
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

    /// How many bytes the socket has not taken.
    private var waitingBytes: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Cuts a reader who is too slow: it loses nothing, because it resumes from its positions.
    private func checkReader() {
        // To ask the socket after every flush costs more.
        guard backpressure.isCongested, state.phase != .closing else { return }
        let waiting = waitingBytes
        guard backpressure.isTooSlow(waiting: waiting) else { return }
        hub.logger.info("slow reader cut", metadata: ["session": "\(number)", "bytes": "\(waiting)"])
        end(CloseFrame(.slowReader, "too slow"))
    }

    // MARK: Who is there

    private func authenticate(_ hello: Hello, id: String) {
        helloID = id
        if let token = hello.token, !token.isEmpty {
            verify(token) { $0.authenticated($1, deviceID: hello.deviceID) }
            return
        }
        guard let guest = hello.guest else {
            refuse(WireError(.notAuthenticated, "hello needs a token, or a guest where the server runs with --dev."))
            return
        }
        do throws(WireError) {
            attach(try Guests.user(guest, hub.configuration), deviceID: hello.deviceID, isOperator: false)
        } catch {
            refuse(error.field == nil ? error : error.inside("guest"))
        }
    }

    /// Verifies a token beside the event loop, and goes on there if the connection is still there.
    private func verify(
        _ token: String, then finish: @escaping @Sendable (WebSocketSession, Result<Identity, WireError>) -> Void
    ) {
        let hub = hub
        let number = number
        Task {
            let now = hub.core.effects.now()
            let result: Result<Identity, WireError>
            do throws(WireError) {
                result = .success(try await hub.verifier.verify(token, now: now))
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
            tokenLifetime = TokenLifetime(expiresAt: identity.expiresAt, now: hub.core.effects.now())
            setExpiry()
            attach(identity.user, deviceID: deviceID, isOperator: identity.isOperator)
        case .failure(let error): refuse(error)
        }
    }

    private func attach(_ user: User, deviceID: DeviceID, isOperator: Bool) {
        actor = RoostCore.Actor(user: user, deviceID: deviceID, isOperator: isOperator, session: sessionID)
        hub.core.attach(
            sessionID, id: helloID, user: user, deviceID: deviceID, isOperator: isOperator,
            expiresAt: tokenLifetime?.expiresAt)
    }

    private func refuse(_ error: WireError) {
        hub.logRefusal(of: number, error, from: context?.channel.remoteAddress?.ipAddress)
        end(CloseFrame(.notAuthenticated, "not authenticated", error: FrameAnswer(id: helloID, error: error)))
    }

    // MARK: A new token

    private func renew(_ renewal: RenewSession, id: String, as actor: RoostCore.Actor) {
        var refusal = hub.core.admit(.renew(renewal), from: actor)
        if refusal == nil, tokenLifetime == nil {
            refusal = WireError(.functionUnavailable, "A guest has no token that could be renewed.")
        }
        guard let refusal else { return verify(renewal.token) { $0.renewed($1, id: id) } }
        // Not at once: answers to earlier commands may be being taken.
        let hub = hub
        let number = number
        hub.eventLoop.execute { hub.session(number)?.renewed(.failure(refusal), id: id) }
    }

    private func renewed(_ result: Result<Identity, WireError>, id: String) {
        guard state.phase == .live, let actor else { return }
        do {
            let identity = try result.get()
            guard identity.userID == actor.user.userID else {
                throw WireError(.notCurrentUser, "The token is for another user. Connect anew to change the user.")
            }
            let answer = try WireCodec.encode(RenewSession.Answer(expiresAt: identity.expiresAt))
            self.actor?.isOperator = identity.isOperator
            tokenLifetime?.renew(expiresAt: identity.expiresAt, now: hub.core.effects.now())
            setExpiry()
            reschedule()
            handle(.accepted(answer), id: id)
        } catch {
            handle(.refused(error as? WireError ?? WireError(.internalFault)), id: id)
        }
        finishRound()
    }

    // MARK: What the lane brings

    /// Takes an answer. It is called while the lane is written: it may write, but not end the connection.
    func handle(_ reply: Reply, id: String) {
        switch state.phase {
        case .authenticating: handleWelcome(reply, id: id)
        case .live:
            switch reply {
            case .accepted(let json): write { WebSocketFrames.text(WireCodec.encodeResult(id: id, body: json), $0) }
            case .refused(let error): write(FrameAnswer(id: id, error: error))
            }
            state.answered()
            state.hold(backpressure.isHeld)
            while let frame = state.next() { submit(frame) }
        case .awaitingHello, .closing: break
        }
    }

    private func handleWelcome(_ reply: Reply, id: String) {
        switch reply {
        case .accepted(let json):
            state.welcome()
            authDue = .max
            let heartbeat = Int64(hub.core.configuration.heartbeat)
            pingDue = hub.tick(after: hub.random(below: heartbeat))
            write { WebSocketFrames.text(WireCodec.encodeResult(id: id, body: json), $0) }
            hub.logger.debug(
                "session began", metadata: ["user": "\(actor?.user.userID.rawValue ?? "")", "session": "\(number)"])
            reschedule()
        case .refused(let error):
            let code: CloseCode
            switch error {
            case .tooManyConnections: code = .tooManyConnections
            case _ where error.retryable: code = .restart
            default: code = .notAuthenticated
            }
            closeFrame = CloseFrame(code, error.name, error: FrameAnswer(id: id, error: error))
        }
    }

    /// Flushes what the round wrote, and does what had to wait for its end.
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

    /// Says goodbye and sees to it that the connection ends.
    private func end(_ closeFrame: CloseFrame) {
        guard let context, state.phase != .closing else { return }
        detach()
        state.close()
        if let error = closeFrame.error { write(error) }
        write { WebSocketFrames.close(closeFrame.code, closeFrame.reason, $0) }
        hasSentClose = true
        needsFlush = false
        (authDue, pingDue, silenceDue, expiryDue, retireDue) = (.max, .max, .max, .max, .max)
        // A slow reader finds its code behind what it has not read yet, so it gets as long as a silent one.
        let isSlow = closeFrame.code == CloseCode.slowReader.rawValue
        endDue = hub.tick(after: isSlow ? hub.configuration.pingGrace : hub.configuration.closeGrace)
        reschedule()
        if let code = closeFrame.code, !closeFrame.isReply {
            hub.logger.debug("session closed", metadata: ["session": "\(number)", "code": "\(code)"])
        }
        let channel = context.channel
        let isReply = closeFrame.isReply
        // Closing both ways at once with bytes unread would reset the connection, and the close frame with it.
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(mode: isReply ? .all : .output, promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer()), promise: written)
        if needsRead {
            needsRead = false
            context.read()
        }
    }

    /// Tells the client that the server stops, and ends the connection at a random moment within `window` ms.
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

    /// Takes no more commands, and ends when those that were taken are answered.
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

    // MARK: Time

    private func reschedule() {
        let due = min(authDue, pingDue, silenceDue, expiryDue, endDue, retireDue)
        guard due < scheduledTick else { return }
        scheduledTick = hub.schedule(number, at: due)
    }

    /// Does what is due.
    func runTimers() {
        let now = hub.now
        // An entry that an earlier one has overtaken: going on from it as well would double them.
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
            // The last, because within the last millisecond it is due in each tick.
            checkToken()
        }
        if context != nil { reschedule() }
    }

    /// Says when the token is looked at next. Each heartbeat asks again.
    private func setExpiry() {
        switch tokenLifetime?.step(now: hub.core.effects.now()) {
        case .wait(let ms): expiryDue = hub.tick(after: ms)
        case .notify, .end: expiryDue = hub.tick(after: 0)
        case nil: expiryDue = .max
        }
    }

    private func checkToken() {
        let step = tokenLifetime?.step(now: hub.core.effects.now())
        if step == .end { return end(CloseFrame(.notAuthenticated, "token expired")) }
        // Nothing comes before the welcome.
        let isDue = step == .notify && state.phase == .live
        if isDue { tokenLifetime?.markNotified() }
        setExpiry()
        guard isDue, let tokenLifetime else { return }
        let event = Event(body: .ephemeral(.sessionExpiring(SessionExpiring(expiresAt: tokenLifetime.expiresAt))))
        if let json = try? WireCodec.encode(event) { write { WebSocketFrames.text(json, $0) } }
        flush()
    }

    /// Cuts a client that has been silent since the ping, unless it is still reading or its commands are still running.
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
        let error = WireError(.notAuthenticated, "Nobody logged in in time. Send hello first.")
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
