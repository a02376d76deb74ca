import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import RoostServer

/// The time limits of a request, on a clock that the test moves.
@Suite struct RequestGuardTests {
    /// The handlers of a new connection, which see only bytes.
    private struct Connection {
        let channel = EmbeddedChannel()

        init(_ configuration: ServerConfiguration = ServerConfiguration()) throws {
            let requestGuard = RequestGuard(configuration: configuration)
            let gate = UpgradeGate(
                configuration: configuration, draining: Draining(), requestGuard: requestGuard,
                notices: Notices(logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })))
            try channel.pipeline.syncOperations.addHandlers([
                requestGuard, HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()), gate,
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
}
