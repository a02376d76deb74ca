import NIOCore
import RoostWire
import Synchronization

/// The bytes that all connections together may hold, and who pays if they hold too much.
///
/// Above a half, strangers that hold something are closed, the oldest first, and downloads wait for their turn. Above three
/// quarters, those with the most bytes are closed; sessions get 4008 and some time to read it. Above seven eighths, those that
/// still have not read it are cut off, and bodies are refused until then. Shortly before all of it is used, those with the most
/// bytes are cut off.
final class ConnectionMemory: Sendable {
    /// What was done since the last report.
    struct Report: Sendable {
        var strangers = 0
        var slow = 0
        var refused = 0
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var shares: [ObjectIdentifier: Share] = [:]
        var report = Report()
        var reported: ContinuousClock.Instant?
        var onRoom: (@Sendable () -> Void)?
    }

    /// Connections are charged in whole steps, so that those that hold little never touch what all share.
    static let step = 4 * 1_024

    let most: Int
    /// How much more must be used before the connections are looked at again.
    private let stride: Int
    private let total = Atomic(0)
    /// How much was used at the last look, or the least since then.
    private let seen = Atomic(0)
    private let isLooking = Atomic(false)
    /// Whether a download waits for room.
    private let isWanted = Atomic(false)
    private let state = Mutex(State())
    private let report: @Sendable (Report, _ used: Int) -> Void

    /// - Parameters:
    ///   - most: how many bytes all connections together may hold.
    ///   - report: called at most once a minute, when connections were closed or bodies refused.
    init(most: Int, report: @escaping @Sendable (Report, _ used: Int) -> Void = { _, _ in }) {
        self.most = most
        self.report = report
        stride = most / 32
    }

    /// How many bytes are used.
    var used: Int { total.load(ordering: .sequentiallyConsistent) }

    /// What an operator is told while downloads wait; nil if there is enough.
    var strain: String? {
        let used = used
        return used > most / 2 ? "Connections hold \(used) of \(most) bytes." : nil
    }

    /// Begins to count a connection, until it is closed.
    func open(_ channel: any NIOCore.Channel) -> Share {
        let id = ObjectIdentifier(channel)
        let share = state.withLock { state in
            state.lastNumber += 1
            let share = Share(self, channel, number: state.lastNumber)
            state.shares[id] = share
            return share
        }
        channel.closeFuture.whenComplete { _ in
            share.close()
            self.state.withLock { if $0.shares[id] === share { $0.shares[id] = nil } }
        }
        return share
    }

    /// What an open connection holds.
    func share(of channel: any NIOCore.Channel) -> Share? { state.withLock { $0.shares[ObjectIdentifier(channel)] } }

    /// Sets what is done when there is room for downloads again.
    func onRoom(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onRoom = body } }

    /// Whether a download that holds this many bytes may begin.
    fileprivate func hasRoom(for bytes: Int) -> Bool {
        if used + bytes <= max(most / 2, bytes) { return true }
        isWanted.store(true, ordering: .sequentiallyConsistent)
        // Memory that was freed before the mark was set has told nobody.
        return used + bytes <= max(most / 2, bytes)
    }

    /// Takes a body over HTTP, if there is memory for it.
    /// - Throws: `WireError` 1004.
    func admitBody() throws(WireError) {
        guard used > most / 8 * 7 else { return }
        note(Report(refused: 1))
        throw WireError(
            .tooManyRequests, "The server is waiting for clients that read slowly. Try again.", retryAfterMs: 2_000)
    }

    fileprivate func add(_ bytes: Int) {
        let now = total.add(bytes, ordering: .sequentiallyConsistent).newValue
        if bytes > 0 { return look(now) }
        if now < seen.load(ordering: .relaxed) { seen.store(now, ordering: .relaxed) }
        guard now + min(Downloads.maxBytes, most / 4) <= most / 2,
            isWanted.load(ordering: .sequentiallyConsistent),
            isWanted.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        state.withLock { $0.onRoom }?()
    }

    /// Frees memory if too much is used, and more than at the last look.
    private func look(_ now: Int) {
        var now = now
        while now > most / 2, now - seen.load(ordering: .relaxed) >= stride,
            isLooking.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        {
            seen.store(now, ordering: .relaxed)
            relieve()
            isLooking.store(false, ordering: .releasing)
            now = used
        }
    }

    private func relieve() {
        let claims = state.withLock { Array($0.shares.values) }.compactMap(\.claim)
        var left = claims.reduce(0) { $0 + $1.bytes }
        var done = Report()
        for claim in claims.filter(\.isStranger).sorted(by: { $0.share.number < $1.share.number })
        where left > most / 2 {
            claim.share.cut()
            left -= claim.bytes
            done.strangers += 1
        }
        let known = claims.filter { !$0.isStranger }.sorted { $0.bytes > $1.bytes }
        if left > most / 4 * 3 {
            var growing = left - known.reduce(0) { $0 + ($1.isEnding ? $1.bytes : 0) }
            // A transfer holds so much however fast its client is.
            for claim in known where growing > most / 8 * 5 && !claim.isEnding && !claim.isTransfer {
                if claim.share.end() { left -= claim.bytes }
                growing -= claim.bytes
                done.slow += 1
            }
        }
        if left > most / 8 * 7 {
            for claim in known where left > most / 4 * 3 && claim.isEnding {
                claim.share.cut()
                left -= claim.bytes
            }
        }
        if left > most - stride {
            for claim in known where left > most / 8 * 7 && !claim.isEnding && claim.share.cut() {
                left -= claim.bytes
                done.slow += 1
            }
        }
        note(done)
    }

    private func note(_ done: Report) {
        guard done.strangers + done.slow + done.refused > 0 else { return }
        let now = ContinuousClock.now
        let report = state.withLock { state -> Report? in
            state.report.strangers += done.strangers
            state.report.slow += done.slow
            state.report.refused += done.refused
            if let last = state.reported, last.duration(to: now) < .seconds(60) { return nil }
            state.reported = now
            defer { state.report = Report() }
            return state.report
        }
        if let report { self.report(report, used) }
    }
}

extension ConnectionMemory {
    /// What one connection holds.
    final class Share: Sendable {
        /// Whether a connection may be closed for the others.
        fileprivate struct Claim {
            var share: Share
            var bytes: Int
            var isStranger: Bool
            var isTransfer: Bool
            var isEnding: Bool
        }

        private struct Parts {
            /// What the client has not read yet.
            var output = 0
            /// The incomplete frame, and the fragments and commands that are not answered.
            var frame = 0
            var commands = 0
            /// The incomplete head, and the requests that are not answered, in their order.
            var head = 0
            /// What waits until the request before it is answered.
            var held = 0
            var requests = CircularBuffer<Int>()
            var requested = 0
            /// An answer that is handed over to the connection.
            var answer = 0
            /// What a download may hold.
            var reserved = 0

            var isUpload = false
            /// Whether the rest of the body is read and forgotten.
            var isDropping = false
            var isStranger = true
            var isEnding = false
            var isCut = false
            var isClosed = false
            var end: (@Sendable () -> Void)?
            var charged = 0

            var charge: Int {
                let held = max(reserved, output + frame + commands + head + held + requested + answer)
                return isClosed ? 0 : held / step * step
            }
        }

        fileprivate let number: UInt64
        private let memory: ConnectionMemory
        private let channel: any NIOCore.Channel
        private let parts = Mutex(Parts())

        fileprivate init(_ memory: ConnectionMemory, _ channel: any NIOCore.Channel, number: UInt64) {
            self.memory = memory
            self.channel = channel
            self.number = number
        }

        private func change(_ body: (inout Parts) -> Void) {
            let bytes = parts.withLock { parts in
                body(&parts)
                let charge = parts.charge
                defer { parts.charged = charge }
                return charge - parts.charged
            }
            if bytes != 0 { memory.add(bytes) }
        }

        // MARK: What it holds

        /// Notes how many bytes wait to be written.
        func set(output bytes: Int) { change { $0.output = bytes } }

        /// Notes how many bytes of an incomplete frame wait for the rest.
        func set(frame bytes: Int) { change { $0.frame = bytes } }

        /// Notes how many bytes the fragments and the commands have that are not answered.
        func set(commands bytes: Int) { change { $0.commands = bytes } }

        /// Notes how many bytes of an incomplete head have arrived.
        func set(head bytes: Int) { change { $0.head = bytes } }

        /// Notes how many bytes wait until the request before them is answered.
        func set(held bytes: Int) { change { $0.held = bytes } }

        /// Notes that a head is complete.
        func beginRequest(head bytes: Int, isUpload: Bool) {
            change { parts in
                parts.head = 0
                parts.isUpload = isUpload
                parts.isDropping = false
                parts.requests.append(bytes)
                parts.requested += bytes
            }
        }

        /// Notes a part of the body of the newest request.
        func received(_ bytes: Int) {
            change { parts in
                guard !parts.isDropping, let last = parts.requests.indices.last else { return }
                parts.requests[last] += bytes
                parts.requested += bytes
            }
        }

        /// Notes that the rest of the body of the newest request will be forgotten.
        func dropBody() {
            change { parts in
                guard let last = parts.requests.indices.last else { return }
                parts.isDropping = true
                parts.requested -= parts.requests[last]
                parts.requests[last] = 0
            }
        }

        /// Notes that a part of the body of the oldest request is stored.
        func stored(_ bytes: Int) {
            change { parts in
                guard let first = parts.requests.indices.first else { return }
                let stored = min(bytes, parts.requests[first])
                parts.requests[first] -= stored
                parts.requested -= stored
            }
        }

        /// Notes that the oldest request is answered.
        func endRequest() {
            change { parts in
                parts.requested -= parts.requests.popFirst() ?? 0
                if parts.requests.isEmpty { parts.isUpload = false }
            }
        }

        /// Notes that an answer is being handed over to the connection.
        func beginAnswer(_ bytes: Int) { change { $0.answer += bytes } }

        /// Notes that the connection has the answer.
        func endAnswer(_ bytes: Int) { change { $0.answer -= bytes } }

        /// Reserves what a download holds, if there is room.
        func beginDownload(_ bytes: Int) -> Bool {
            guard memory.hasRoom(for: bytes) else { return false }
            change { $0.reserved += bytes }
            return true
        }

        /// Waits until the connection has what was written to it. Until then a writer does not know that the socket is
        /// full, and would run ahead of it.
        func settle() async { try? await channel.eventLoop.submit {}.get() }

        /// Gives back what a download has reserved.
        func endDownload(_ bytes: Int) { change { $0.reserved -= bytes } }

        // MARK: Its end

        /// Notes that somebody has logged in on the connection.
        func noteLogin() { parts.withLock { $0.isStranger = false } }

        /// Notes that the connection is closing.
        func noteEnding() { parts.withLock { $0.isEnding = true } }

        /// Sets how the connection is closed with a reason.
        func onEnd(_ body: @escaping @Sendable () -> Void) { parts.withLock { $0.end = body } }

        /// What it holds, if that is something and it is not being cut.
        fileprivate var claim: Claim? {
            parts.withLock { parts in
                guard parts.charged > 0, !parts.isCut else { return nil }
                return Claim(
                    share: self, bytes: parts.charged, isStranger: parts.isStranger,
                    isTransfer: parts.isUpload || parts.reserved > 0, isEnding: parts.isEnding)
            }
        }

        /// Closes the connection with a reason, or at once if it cannot have one.
        /// - Returns: whether it is closed at once.
        fileprivate func end() -> Bool {
            let end = parts.withLock { parts in
                parts.isEnding = true
                return parts.end
            }
            guard let end else { return cut() }
            end()
            return false
        }

        /// Closes the connection at once.
        /// - Returns: whether this was not done before.
        @discardableResult
        fileprivate func cut() -> Bool {
            let isFirst = parts.withLock { parts in
                defer { parts.isCut = true }
                return !parts.isCut
            }
            // Whoever is writing at the moment must not lose the connection meanwhile.
            if isFirst { channel.eventLoop.execute { [channel] in channel.cut() } }
            return isFirst
        }

        fileprivate func close() {
            change { parts in
                parts.isClosed = true
                parts.end = nil
            }
        }
    }

    /// Measures how much of a connection's output waits to be read. It is next to the socket.
    final class OutputMeter: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private let share: Share
        private var context: ChannelHandlerContext?
        /// How much was written since the last look, and how much waited then.
        private var written = 0
        private var waiting = 0
        /// Whether a promise tells when all that waited is read.
        private var isWaiting = false

        init(_ share: Share) { self.share = share }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            written += Self.unwrapOutboundIn(data).readableBytes
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            context.flush()
            // Asking the socket each time would cost more.
            if written >= step { look() }
        }

        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            guard event is Cut else { return context.triggerUserOutboundEvent(event, promise: promise) }
            promise?.succeed()
            context.close(promise: nil)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            look()
            context.fireChannelWritabilityChanged()
        }

        private func look() {
            guard let context else { return }
            let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            written = 0
            if waiting != self.waiting {
                self.waiting = waiting
                share.set(output: waiting)
            }
            guard waiting > 0, !isWaiting else { return }
            isWaiting = true
            let read = context.eventLoop.makePromise(of: Void.self)
            read.futureResult.assumeIsolated().whenSuccess { [weak self] in
                self?.isWaiting = false
                self?.look()
            }
            // If it fails, nothing more can be written: what waits is counted until the connection is closed.
            context.writeAndFlush(Self.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: read)
        }
    }
}

/// Asks the handler next to the socket to close it.
private struct Cut: Sendable {}

extension NIOCore.Channel {
    /// Closes the connection at once, without the goodbye of TLS, for which it would have to wait.
    func cut() {
        let promise = eventLoop.makePromise(of: Void.self)
        // Without that handler nothing stands before the socket.
        promise.futureResult.whenFailure { _ in self.close(promise: nil) }
        triggerUserOutboundEvent(Cut(), promise: promise)
    }
}
