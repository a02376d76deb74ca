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

    /// The handlers of a new connection, which see only bytes.
    private struct Connection {
        let channel = EmbeddedChannel()

        init(_ configuration: ServerConfiguration = ServerConfiguration()) throws {
            let requestGuard = RequestGuard(configuration: configuration)
            let gate = UpgradeGate(
                configuration: configuration, draining: Draining(), requestGuard: requestGuard,
                notices: Notices(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })))
            try channel.pipeline.syncOperations.addHandlers([
                HalfClosing(), requestGuard, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), gate,
            ])
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
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

    @Test func `a watchdog behind another request gets its answer in order, from the router`() throws {
        let connection = try Connection()
        try connection.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n" + get)
        #expect(try connection.written().isEmpty)
        var heads: [String] = []
        while let part = try connection.channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { heads.append(head.uri) }
        }
        #expect(heads == ["/readyz", "/healthz"])
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
        for _ in 0..<2 {
            try connection.channel.writeOutbound(HTTPServerResponsePart.head(head))
            try connection.channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }
        _ = try connection.written()
        // When both are answered, the event loop answers again.
        try connection.write(get)
        #expect(try connection.written().hasSuffix("{\"alive\":true}"))
    }

    @Test func `a connection of a watchdog does not delay the shutdown`() throws {
        let connection = try Connection()
        try connection.write(get)
        #expect(connection.channel.isActive)
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.wait(0)
        #expect(!connection.channel.isActive)
    }

    @Test func `whoever may not upload gets the answer, and nothing more of the body is taken`() throws {
        let connection = try Connection()
        try connection.write("PATCH /v1/files/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nbody")
        while try connection.channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        let head = HTTPResponseHead(version: .http1_1, status: .unauthorized, headers: ["content-length": "0"])
        try connection.channel.writeOutbound(HTTPServerResponsePart.head(head))
        try connection.channel.writeOutbound(HTTPServerResponsePart.end(nil))
        #expect(try connection.written().contains("connection: close"))
        try connection.write("more of it")
        #expect(try connection.channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        connection.wait(limits.closeGrace - 1)
        #expect(connection.channel.isActive)
        connection.wait(1)
        #expect(!connection.channel.isActive)
    }

    @Test(arguments: [HTTPResponseStatus.notFound, .noContent, .serviceUnavailable])
    func `after another answer the rest of the body is taken, and the connection is used again`(
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
