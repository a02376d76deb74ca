import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import RoostCore
import RoostSQLite
import RoostServer
import RoostTesting
import RoostWire
import Synchronization

/// A server in this process, over a database in memory.
struct LiveServer {
    let port: Int
    /// The port for those who run it, which has no TLS; 0 if there is none.
    let adminPort: Int
    let roost: RoostServer
    /// Stops the server with a graceful shutdown.
    let stop: @Sendable () -> Void

    static let secret = [UInt8](repeating: 7, count: 32)
    /// The certificate of all servers if `ROOST_TEST_TLS` is set; otherwise nil, and there is no TLS.
    static let certificate = ProcessInfo.processInfo.environment["ROOST_TEST_TLS"].map { _ in
        Result { try TestCertificate() }
    }
    /// The server's clock.
    static let now: Int64 = 1_767_225_600_000

    /// The scheme of the pages of a server.
    static let scheme = certificate == nil ? "http" : "https"

    /// The certificate for a server of a test; nil without TLS.
    static func serverCertificate() throws -> ServerCertificate? {
        try certificate.map {
            let files = try $0.get()
            return try ServerCertificate(certificate: files.certificate, key: files.key)
        }
    }

    /// Runs a server during `body`. Only the test advances its clock, so that nothing depends on the date.
    static func run(
        heartbeat: Int = 25_000, limits: Limits = .withoutRates, database: (any SQLDatabase)? = nil,
        clock: TestClock = TestClock(now: now),
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        provider: IdentityProvider? = nil, audit: AuditLog? = nil, metrics: MetricsRegistry? = nil,
        _ adjust: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        let numbers = Mutex<UInt64>(0)
        var coreConfiguration = CoreConfiguration(limits: limits, isDevelopment: true, heartbeat: heartbeat)
        if let metrics { coreConfiguration.metrics = metrics }
        let core = try Core(
            database: try database ?? SQLiteDatabase(), configuration: coreConfiguration,
            effects: Effects(
                now: { clock.now },
                random: {
                    numbers.withLock { number in
                        number &+= 0x9E37_79B9_7F4A_7C15
                        return number
                    }
                }), logger: logger)
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        configuration.isDevelopment = true
        configuration.hasCheapPasswords = true
        configuration.closeGrace = 200
        configuration.certificate = try serverCertificate()
        configuration.metrics = metrics
        adjust(&configuration)
        let adminPort = Atomic(0)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let files = try TestFiles(secret: secret)
        let server = try await buildServer(
            core: core, configuration: configuration, keys: TokenKeys(secrets: [secret]), provider: provider,
            files: files.storage, audit: audit, logger: logger,
            onAdminReady: { adminPort.store($0, ordering: .relaxed) }, onReady: { _, number in port.yield(number) })
        let running = Task {
            defer { port.finish() }
            try await server.run()
            withExtendedLifetime(files) {}
        }
        defer { running.cancel() }
        for await number in ports {
            let admin = adminPort.load(ordering: .relaxed)
            try await body(
                LiveServer(port: number, adminPort: admin, roost: server, stop: { running.cancel() }))
            break
        }
        running.cancel()
        try await running.value
    }
}

/// A connection that writes and reads bytes and does not enforce the protocol.
final class RawClient {
    /// A frame from the server.
    struct Frame {
        var opcode: UInt8
        var payload: [UInt8]

        /// The close code; nil if it is another frame, or has none.
        var closeCode: UInt16? {
            opcode == 8 && payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        }

        /// The reason of a close; empty when it has none.
        var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    let channel: any NIOCore.Channel
    private var chunks: AsyncStream<[UInt8]>.AsyncIterator
    private var buffer: [UInt8] = []
    private var start = 0

    private init(channel: any NIOCore.Channel, chunks: AsyncStream<[UInt8]>) {
        self.channel = channel
        self.chunks = chunks.makeAsyncIterator()
    }

    deinit { channel.close(promise: nil) }

    static func connect(_ port: Int, reads: Bool = true, hasTLS: Bool = true) async throws -> RawClient {
        let (chunks, chunk) = AsyncStream.makeStream(of: [UInt8].self)
        let certificate = hasTLS ? try LiveServer.certificate?.get().certificate : nil
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let isOpen = loop.makePromise(of: Void.self)
        let bootstrap = ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: reads || certificate != nil)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: 64 * 1024)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let certificate {
                        var tls = TLSConfiguration.makeClientConfiguration()
                        tls.trustRoots = .file(certificate)
                        // Whoever closes does not want to know what the server still says.
                        tls.shutdownTimeout = .milliseconds(20)
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: "localhost")
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        Collector(chunk: chunk, isOpen: certificate == nil ? nil : isOpen))
                }
            }
        if certificate == nil { isOpen.succeed() }
        let channel: any NIOCore.Channel
        do {
            channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        } catch {
            isOpen.fail(error)
            throw error
        }
        // A server may close a connection that it has just taken: that is for the test to see.
        try? await isOpen.futureResult.get()
        // TLS has to read before it can write.
        if !reads, certificate != nil { try? await channel.setOption(.autoRead, value: false).get() }
        return RawClient(channel: channel, chunks: chunks)
    }

    /// Connects and upgrades; throws the answer if the upgrade is refused.
    static func webSocket(_ port: Int, headers: String = "") async throws -> RawClient {
        let client = try await connect(port)
        try await client.write(upgrade(port, headers: headers))
        let head = try await client.head()
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw Refused(head: head) }
        return client
    }

    struct Refused: Error {
        var head: String
    }

    static func upgrade(_ port: Int, headers: String = "") -> String {
        "GET /v1/connect HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\(headers)\r\n"
    }

    func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func close() async { try? await channel.close() }

    /// The encoding of a masked frame.
    static func frame(_ payload: [UInt8], opcode: UInt8 = 1) -> [UInt8] {
        var bytes: [UInt8] = [0x80 | opcode]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        let key: [UInt8] = [1, 2, 3, 4]
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
        return bytes
    }

    static func command(_ id: String, _ name: String, _ body: String) -> [UInt8] {
        frame(Array(#"{"id":"\#(id)","cmd":"\#(name)","body":\#(body)}"#.utf8))
    }

    /// Sends `hello` as a guest and returns the welcome.
    @discardableResult
    func hello(_ user: String) async throws -> String {
        try await write(
            Self.command("h", "hello", #"{"version":1,"guest":{"userID":"\#(user)"},"deviceID":"d"}"#))
        return try await answer("h")
    }

    /// Sends `hello` with a token and returns the welcome, or the refusal.
    @discardableResult
    func hello(token: String) async throws -> String {
        try await write(Self.command("h", "hello", #"{"version":1,"token":"\#(token)","deviceID":"d"}"#))
        return try await answer("h")
    }

    /// The next answer with this id; skips events and other answers.
    func answer(_ id: String) async throws -> String {
        while let frame = try await frame() {
            if frame.opcode == 1, frame.text.contains(#""id":"\#(id)""#) { return frame.text }
        }
        throw Refused(head: "the connection ended before the answer to \(id)")
    }

    /// The code with which the server closes; nil if it closes without one.
    func closeCode() async throws -> UInt16? {
        while let frame = try await frame() {
            if frame.opcode == 8 { return frame.closeCode }
        }
        return nil
    }

    /// The next frame; nil at the end.
    func frame() async throws -> Frame? {
        guard await fill(2) else { return nil }
        var size = Int(buffer[start + 1])
        var header = 2
        if size == 126 {
            guard await fill(4) else { return nil }
            size = Int(buffer[start + 2]) << 8 | Int(buffer[start + 3])
            header = 4
        } else if size == 127 {
            guard await fill(10) else { return nil }
            size = buffer[(start + 2)..<(start + 10)].reduce(0) { $0 << 8 | Int($1) }
            header = 10
        }
        guard await fill(header + size) else { return nil }
        let opcode = buffer[start] & 0x0F
        let payload = Array(buffer[(start + header)..<(start + header + size)])
        start += header + size
        return Frame(opcode: opcode, payload: payload)
    }

    /// The head of an HTTP answer; empty if the connection ends without one.
    func head() async throws -> String {
        let end: [UInt8] = [13, 10, 13, 10]
        var wanted = 4
        while await fill(wanted) {
            let at = start + wanted
            if Array(buffer[(at - 4)..<at]) == end {
                let head = String(decoding: buffer[start..<at], as: UTF8.self)
                start = at
                return head
            }
            wanted += 1
        }
        return ""
    }

    /// All bytes until the server closes.
    func rest() async -> String { String(decoding: await restOfBytes(), as: UTF8.self) }

    /// All bytes until the server closes.
    func restOfBytes() async -> [UInt8] {
        while await fill(buffer.count - start + 1) {}
        return Array(buffer[start...])
    }

    private func fill(_ count: Int) async -> Bool {
        while buffer.count - start < count {
            guard let chunk = await chunks.next(isolation: #isolation) else { return false }
            if start > 1 << 16 {
                buffer.removeFirst(start)
                start = 0
            }
            buffer += chunk
        }
        return true
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let chunk: AsyncStream<[UInt8]>.Continuation
    /// Done when TLS is set up.
    private let isOpen: EventLoopPromise<Void>?

    init(chunk: AsyncStream<[UInt8]>.Continuation, isOpen: EventLoopPromise<Void>?) {
        self.chunk = chunk
        self.isOpen = isOpen
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        chunk.yield(Array(Self.unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen?.fail(ChannelError.eof)
        chunk.finish()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { chunk.finish() }
        if case TLSUserEvent.handshakeCompleted = event { isOpen?.succeed() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
