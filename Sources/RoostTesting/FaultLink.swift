import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The state of a ``FaultProxy`` that is confined to its event loop.
final class FaultRelay {
    let loop: any EventLoop
    let targets: [Int]
    let book: FaultRecorder
    private(set) var profile: FaultProfile
    private var generator: SeededNumbers
    private var links: [ObjectIdentifier: FaultLink] = [:]
    private var count = 0
    private let listener: FaultProxy.Listener?

    init(
        loop: any EventLoop, targets: [Int], seed: UInt64, profile: FaultProfile, book: FaultRecorder,
        listener: FaultProxy.Listener?
    ) {
        self.loop = loop
        self.targets = targets
        self.book = book
        self.profile = profile
        generator = SeededNumbers(seed: seed)
        self.listener = listener
        book.becomes(passable: profile.admission == .relay)
    }

    func use(_ profile: FaultProfile) {
        self.profile = profile
        book.becomes(passable: profile.admission == .relay)
        for link in links.values { link.setLife() }
    }

    func cutAll() { for link in links.values { link.end(.reset) } }

    func admit(_ channel: any Channel, endpoint: Int) throws {
        let link = FaultLink(self, front: channel, endpoint: endpoint, number: book.attempted(endpoint))
        links[ObjectIdentifier(link)] = link
        try channel.pipeline.syncOperations.addHandler(FaultSide(link, .front))
    }

    /// Creates an observer for the bytes of one connection.
    func newListener() -> ((FaultLink.End, ByteBuffer) -> Void)? {
        guard let listener else { return nil }
        count += 1
        return { [count] end, bytes in listener(count, end == .back, Array(bytes.readableBytesView)) }
    }

    func forget(_ link: FaultLink) { links[ObjectIdentifier(link)] = nil }

    /// Returns a random number in a range.
    func random(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }
}

/// One connection through the proxy: the client's side, the server's side, and the bytes in flight.
final class FaultLink {
    enum End { case front, back }

    /// The bytes in flight in one direction.
    private final class Lane {
        var waiting: CircularBuffer<(due: NIODeadline, bytes: ByteBuffer)> = []
        var bytes = 0
        var lastDue = NIODeadline.uptimeNanoseconds(0)
        var timer: Scheduled<Void>?
        var isDead = false
        /// Whether the source has closed.
        var isOver = false
        /// Whether reading from the source is paused.
        var isPaused = false
    }

    /// The maximum number of bytes in flight per direction; more is left in the source's socket.
    private static let maxWaiting = 256 * 1_024

    private let relay: FaultRelay
    private let front: any Channel
    private var back: (any Channel)?
    private let endpoint: Int
    /// The number of this connection at its endpoint.
    private let number: Int
    private let admission: FaultProfile.Admission
    private let listener: ((End, ByteBuffer) -> Void)?
    private let up = Lane()
    private let down = Lane()
    private var life: Scheduled<Void>?
    private var isDead = false
    private var isOver = false

    init(_ relay: FaultRelay, front: any Channel, endpoint: Int, number: Int) {
        self.relay = relay
        self.front = front
        self.endpoint = endpoint
        self.number = number
        admission = relay.profile.admission
        listener = admission == .relay ? relay.newListener() : nil
    }

    // MARK: Beginning and end

    /// Handles a new connection from a client.
    func opened() {
        switch admission {
        case .refuse: front.close(promise: nil)
        case .swallow: die(up: true, down: true)
        case .captivePage, .brokenPage: break
        case .relay:
            setLife()
            let link = NIOLoopBound(self, eventLoop: relay.loop)
            ClientBootstrap(group: relay.loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FaultSide(link.value, .back))
                    }
                }
                .connect(host: "127.0.0.1", port: relay.targets[number % relay.targets.count])
                .assumeIsolated()
                .whenComplete { result in
                    switch result {
                    case .success(let channel): self.connected(channel)
                    case .failure: self.end(.close)
                    }
                }
        }
    }

    private func connected(_ channel: any Channel) {
        guard !isOver else { return channel.close(promise: nil) }
        back = channel
        pump(up)
    }

    /// Applies the lifetime of the current profile.
    func setLife() {
        life?.cancel()
        life = nil
        guard admission == .relay, !isDead, !isOver, let range = relay.profile.life else { return }
        let fault = relay.profile.fault
        let length = relay.random(in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds)
        life = relay.loop.assumeIsolated().scheduleTask(in: .nanoseconds(length)) {
            self.relay.book.ended(fault)
            self.end(fault)
        }
    }

    func end(_ fault: ConnectionFault) {
        switch fault {
        case .close: finish(resets: false)
        case .reset: finish(resets: true)
        case .blackHole: die(up: true, down: true)
        case .halfOpen:
            let isUp = relay.random(in: 0...1) == 0
            die(up: isUp, down: !isUp)
        }
    }

    private func die(up isUp: Bool, down isDown: Bool) {
        isDead = true
        relay.book.note(endpoint, number, isDead: true)
        if isUp { kill(up) }
        if isDown { kill(down) }
    }

    private func kill(_ lane: Lane) {
        lane.timer?.cancel()
        lane.waiting.removeAll()
        lane.bytes = 0
        lane.isDead = true
        // Received bytes are discarded, as in a broken network.
        resume(lane)
    }

    private func finish(resets: Bool) {
        guard !isOver else { return }
        isOver = true
        if isDead { relay.book.note(endpoint, number, isDead: false) }
        life?.cancel()
        up.timer?.cancel()
        down.timer?.cancel()
        relay.forget(self)
        for channel in [front, back] {
            if resets, let socket = channel as? any SocketOptionProvider {
                socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel?.close(promise: nil) }
            } else {
                channel?.close(promise: nil)
            }
        }
    }

    // MARK: Bytes

    func received(_ bytes: ByteBuffer, from end: End) {
        switch admission {
        case .refuse, .swallow: return
        case .captivePage, .brokenPage:
            // Sent once; the connection is useless afterwards.
            guard !isOver else { return }
            isOver = true
            relay.forget(self)
            let page =
                admission == .captivePage
                ? Self.page("200 OK", "<h1>Welcome to our hotel</h1><a href=\"/accept\">Accept</a>")
                : Self.page("500 Internal Server Error", "<h1>Internal Server Error</h1>")
            front.writeAndFlush(front.allocator.buffer(string: page)).assumeIsolated().whenComplete { _ in
                self.front.close(promise: nil)
            }
        case .relay:
            listener?(end, bytes)
            enqueue(bytes, end == .front ? up : down)
        }
    }

    private static func page(_ status: String, _ text: String) -> String {
        let body = "<html><body>\(text)</body></html>"
        return "HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    private func enqueue(_ bytes: ByteBuffer, _ lane: Lane) {
        guard !lane.isDead, !isOver else { return }
        let profile = relay.profile
        let jitter = profile.jitter.nanoseconds
        let delay = max(0, profile.latency.nanoseconds + (jitter > 0 ? relay.random(in: -jitter...jitter) : 0))
        let earliest = NIODeadline.now() + .nanoseconds(delay)
        var rest = bytes
        while rest.readableBytes > 0 {
            let most = profile.chunkBytes.map { Int(relay.random(in: 1...Int64(max(1, $0)))) } ?? rest.readableBytes
            guard let piece = rest.readSlice(length: min(most, rest.readableBytes)) else { break }
            let cost = profile.bytesPerSecond.map { Int64(piece.readableBytes) * 1_000_000_000 / Int64(max(1, $0)) }
            lane.lastDue = max(lane.lastDue, earliest) + .nanoseconds(cost ?? 0)
            lane.bytes += piece.readableBytes
            lane.waiting.append((lane.lastDue, piece))
        }
        if lane.bytes > Self.maxWaiting, !lane.isPaused {
            lane.isPaused = true
            _ = source(of: lane)?.setOption(.autoRead, value: false)
        }
        pump(lane)
    }

    private func pump(_ lane: Lane) {
        guard !isOver, !lane.isDead, let target = lane === up ? back : front else { return }
        let now = NIODeadline.now()
        while let next = lane.waiting.first, next.due <= now {
            lane.waiting.removeFirst()
            lane.bytes -= next.bytes.readableBytes
            target.writeAndFlush(next.bytes, promise: nil)
        }
        if lane.bytes <= Self.maxWaiting { resume(lane) }
        if let next = lane.waiting.first {
            lane.timer?.cancel()
            lane.timer = relay.loop.assumeIsolated().scheduleTask(deadline: next.due) { self.pump(lane) }
        } else if lane.isOver {
            finish(resets: false)
        }
    }

    private func resume(_ lane: Lane) {
        guard lane.isPaused else { return }
        lane.isPaused = false
        _ = source(of: lane)?.setOption(.autoRead, value: true)
    }

    /// Handles that one side has closed: its bytes in flight still arrive, unless the direction is dead.
    func closed(_ end: End) {
        guard !isOver else { return }
        let lane = end == .front ? up : down
        if admission == .relay, back != nil, !lane.isDead {
            lane.isOver = true
            pump(lane)
        } else if end == .front {
            finish(resets: false)
        }
    }

    private func source(of lane: Lane) -> (any Channel)? { lane === up ? front : back }
}

/// One end of a connection through the proxy.
private final class FaultSide: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: FaultLink
    private let end: FaultLink.End

    init(_ link: FaultLink, _ end: FaultLink.End) {
        self.link = link
        self.end = end
    }

    func channelActive(context: ChannelHandlerContext) { if end == .front { link.opened() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.received(unwrapInboundIn(data), from: end) }

    func channelInactive(context: ChannelHandlerContext) { link.closed(end) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
