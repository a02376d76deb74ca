import Foundation
import NIOHTTP1
import Testing

@testable import RoostClient

@Suite(.timeLimit(.minutes(1))) struct HTTPConnectionTests {
    /// Accepts one connection on a port of its own, reads something and closes it.
    private func startClosingServer() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        try #require(isBound)
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 1_024)
            _ = read(connection, &buffer, buffer.count)
            close(connection)
            close(listener)
        }
        return UInt16(bigEndian: address.sin_port)
    }

    @Test func `a connection that is lost while the body is read is lost, not cancelled`() async throws {
        let address = try #require(ServerAddress("http://127.0.0.1:\(try startClosingServer())"))
        let client = HTTPClient(address: address, loop: EventLoops.next(threads: nil))
        // As the read of a file: it ends with this error when its task is cancelled.
        let body = HTTPConnection.Body(size: 10) { _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw RoostError(.cancelled, "The task was cancelled.")
        }
        do {
            _ = try await client.connected { try await $0.request(.PATCH, "/", HTTPHeaders(), body: body) }
            Issue.record("the request has a response")
        } catch HTTPFault.lost {
        }
    }
}
