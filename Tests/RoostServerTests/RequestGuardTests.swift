import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import RoostServer

/// The time limits of a request, on a clock that the test moves.
@Suite struct RequestGuardTests {
    /// A socket stays open for reading when its output is closed; an embedded channel does not.
    private final class HalfClosing: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
        }
    }

    /// A socket that counts how often it is read, and while it is full tells nobody that something is written.
    private final class Socket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        var isFull = false
        private(set) var reads = 0
        private var waiting: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            context.write(data, promise: isFull ? nil : promise)
            if isFull, let promise { waiting.append(promise) }
        }

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        /// The peer reads all.
        func empty() {
            isFull = false
            let written = waiting
            waiting = []
            for promise in written { promise.succeed() }
        }
    }

    /// The handlers of a new connection, which see only bytes.
    private struct Connection {
        let channel = EmbeddedChannel()
        let socket = Socket()
        let memory = ConnectionMemory(most: 1 << 20)

        init(_ configuration: ServerConfiguration = ServerConfiguration()) throws {
            let share = memory.open(channel)
            let requestGuard = RequestGuard(configuration: configuration, share: share)
            let gate = UpgradeGate(
                configuration: configuration, draining: Draining(), requestGuard: requestGuard,
                notices: Notices(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })),
                upgradeLimit: UpgradeLimit(burst: 100), share: share)
            try channel.pipeline.syncOperations.addHandlers([
                HalfClosing(), socket, requestGuard, HTTPResponseEncoder(),
                ByteToMessageHandler(HTTPRequestDecoder()), gate,
            ])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        }

        /// The paths of the requests that were let through since the last look.
        func paths() throws -> [String] {
            var paths: [String] = []
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                if case .head(let head) = part { paths.append(head.uri) }
            }
            return paths
        }

        /// Writes a response without a body.
        func respond(_ status: HTTPResponseStatus) {
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["content-length": "0"])
            // Nothing is waited for: the socket may be full.
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }

        func write(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

        func wait(_ ms: Int64) { channel.embeddedEventLoop.advanceTime(by: .milliseconds(ms)) }

        /// The bytes written to the peer.
        func written() throws -> String {
            var text = ""
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
            return text
        }
    }

    private let limits = ServerConfiguration()
    private let get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test func `a head has until its deadline, and a drip does not extend it`() throws {
        let connection = try Connection()
        // Everything except the empty line.
        for sign in get.dropLast(2) {
            connection.wait(limits.headerDeadline / Int64(get.count))
            try connection.write(String(sign))
        }
        #expect(connection.channel.isActive)
        connection.wait(limits.headerDeadline / 2)
        #expect(!connection.channel.isActive)
    }

    @Test func `a silent client is disconnected at the head deadline, not before`() throws {
        let connection = try Connection()
        connection.wait(limits.headerDeadline - 1)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }

    @Test func `a body has a deadline of its own`() throws {
        let connection = try Connection()
        try connection.write("POST /v1/unread.get HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
        connection.wait(limits.bodyDeadline - 1)
        try connection.write("{")
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }

    @Test func `between two requests a connection may rest, and the next head has its deadline again`() throws {
        let connection = try Connection()
        try connection.write(get)
        connection.wait(limits.keepAlive - 1)
        try connection.write(get)
        connection.wait(limits.keepAlive - 1)
        #expect(connection.channel.isActive)
        try connection.write("GET /he")
        connection.wait(limits.headerDeadline - 1)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)

        let idle = try Connection()
        try idle.write(get)
        idle.wait(limits.keepAlive)
        #expect(!idle.channel.isActive)
    }

    @Test func `a head with a byte too many is refused, and one with as many as it may have is not`() throws {
        let head = "GET /healthz HTTP/1.1\r\nX-Big: "
        let connection = try Connection()
        try connection.write(head + String(repeating: "a", count: limits.maxHeaderBytes - head.utf8.count))
        #expect(connection.channel.isActive)
        try connection.write("a")
        #expect(try connection.written().hasPrefix("HTTP/1.1 431 "))
        #expect(!connection.channel.isActive)
    }

    @Test func `a watchdog is answered by the event loop, as often as it asks`() throws {
        let connection = try Connection()
        for _ in 0..<3 {
            try connection.write(get)
            let answer = try connection.written()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n{\"alive\":true}"))
        }
        try connection.write(get.replacing("GET", with: "HEAD"))
        #expect(try connection.written().hasSuffix("content-length: 14\r\n\r\n"))
        // Nothing of it goes further, so the connection can still become something else.
        #expect(try connection.channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        #expect(connection.channel.isActive)
        try connection.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try connection.written().contains("connection: close"))
        #expect(!connection.channel.isActive)
    }

    @Test func `a watchdog behind another request gets its answer after that of the other`() throws {
        let connection = try Connection()
        try connection.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n" + get + get)
        #expect(try connection.written().isEmpty)
        #expect(try connection.paths() == ["/readyz"])
        connection.respond(.ok)
        let answers = try connection.written()
        #expect(answers.ranges(of: "HTTP/1.1 200").count == 3 && answers.hasSuffix("{\"alive\":true}"))
        #expect(try connection.paths().isEmpty)
        try connection.write(get)
        #expect(try connection.written().hasSuffix("{\"alive\":true}"))
    }

    @Test func `the next request waits until the socket has the response before it, and nothing more is read`() throws {
        let connection = try Connection()
        let (channel, socket) = (connection.channel, connection.socket)
        let request = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try connection.write(String(repeating: request, count: 1_000))
        // What waits is counted, as bytes.
        #expect(connection.memory.used >= 32 * 1_024 && connection.memory.used <= 48 * 1_024)
        for _ in 0..<999 {
            #expect(try connection.paths() == ["/readyz"])
            let reads = socket.reads
            channel.read()
            #expect(socket.reads == reads)
            socket.isFull = true
            connection.respond(.ok)
            #expect(try connection.paths().isEmpty)
            socket.empty()
        }
        #expect(try connection.paths() == ["/readyz"])
        let reads = socket.reads
        channel.read()
        connection.respond(.ok)
        // Now there is nothing to answer, so the read that was wanted is made.
        #expect(socket.reads == reads + 1 && connection.memory.used < ConnectionMemory.step)
        try connection.write("GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try connection.paths() == ["/next"])
        _ = try connection.written()
    }

    @Test func `a body behind another request has its time when it is its turn`() throws {
        let connection = try Connection()
        try connection.write(
            "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "POST /v1/unread.get HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbo")
        connection.wait(limits.bodyDeadline + 1)
        #expect(try connection.channel.isActive && connection.paths() == ["/readyz"])
        connection.respond(.ok)
        #expect(try connection.paths() == ["/v1/unread.get"])
        connection.wait(limits.bodyDeadline - 1)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }

    @Test func `a body that arrives with heads behind it is passed on whole, and they wait`() throws {
        let connection = try Connection()
        let body = String(repeating: "x", count: 50_000)
        let rest = String(repeating: "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 2)
        try connection.write(
            "POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body + rest)
        var (bytes, ends) = (0, 0)
        while let part = try connection.channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head): #expect(head.uri == "/v1/x")
            case .body(let part): bytes += part.readableBytes
            case .end: ends += 1
            }
        }
        #expect(bytes == body.utf8.count && ends == 1)
        for _ in 0..<2 {
            connection.respond(.ok)
            #expect(try connection.paths() == ["/readyz"])
        }
        _ = try connection.written()
    }

    @Test func `a connection of a watchdog does not delay the shutdown`() throws {
        let connection = try Connection()
        try connection.write(get)
        #expect(connection.channel.isActive)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.wait(0)
        #expect(!connection.channel.isActive)
    }

    @Test(arguments: [
        HTTPResponseStatus.unauthorized, .forbidden, .notFound, .conflict, .preconditionFailed, .payloadTooLarge,
        .tooManyRequests, .serviceUnavailable,
        // It has not waited for a body that is larger than that of any command.
        .ok,
    ])
    func `whoever is refused gets the answer, and nothing more of the body is taken`(
        status: HTTPResponseStatus
    ) throws {
        let connection = try Connection()
        try connection.write("PATCH /v1/files/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nbody")
        while try connection.channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        connection.respond(status)
        #expect(try connection.written().contains("connection: close"))
        try connection.write("more of it")
        #expect(try connection.channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        connection.wait(limits.closeGrace - 1)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }

    @Test(arguments: [HTTPResponseStatus.ok, .noContent])
    func `after another answer the rest of a short body is taken, and the connection is used again`(
        status: HTTPResponseStatus
    ) throws {
        let connection = try Connection()
        try connection.write("PATCH /v1/files/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nbody")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["content-length": "0"])
        try connection.channel.writeOutbound(HTTPServerResponsePart.head(head))
        try connection.channel.writeOutbound(HTTPServerResponsePart.end(nil))
        #expect(try !connection.written().contains("connection: close"))
        try connection.write("body" + get)
        #expect(try connection.written().hasSuffix("{\"alive\":true}"))
    }
}
