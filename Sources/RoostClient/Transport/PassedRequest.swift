package import NIOCore
package import NIOHTTP1
import NIOPosix

/// A request that a server passes on to another one, on a connection of its own.
package struct PassedRequest: Sendable {
    package var method: HTTPMethod
    /// The path on the other server.
    package var path: String
    package var headers: HTTPHeaders
    /// The size of the body in bytes; nil if it is not known, or if there is none.
    package var size: Int64?

    package init(_ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, size: Int64? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.size = size
    }

    /// The response of the other server, with at most 64 KiB of its body.
    package struct Response: Sendable {
        package var status: Int
        package var headers: HTTPHeaders
        package var body: [UInt8]
    }

    /// The other server could not be reached, or did not answer to the end.
    package struct Failure: Error {
        package var reason: String
    }

    /// Sends the request, and the parts of its body as they come.
    ///
    /// When it returns or throws, nothing reads the body any more. The response may come before the end of the body, which
    /// is then not read to its end.
    /// - Parameters:
    ///   - url: `http://HOST:PORT` or `https://HOST:PORT`.
    ///   - body: the body; nil if there is none.
    ///   - silence: how long nothing may move on the connection, in seconds.
    /// - Throws: `Failure`, what `body` throws, `CancellationError`.
    package func send<Body: AsyncSequence & Sendable>(
        to url: String, _ body: Body?, silence: Int64
    ) async throws -> Response where Body.Element == ByteBuffer {
        guard let address = ServerAddress(url) else { throw Failure(reason: "\(url) is no address of a server.") }
        let client = HTTPClient(
            address: address, loop: MultiThreadedEventLoopGroup.singleton.any(), silence: .seconds(silence))
        let content = body.map { body in
            HTTPConnection.Body(size: size) { writer in
                do {
                    for try await part in body {
                        do { try await writer.write(part) } catch { throw ConnectionClosed() }
                    }
                } catch let error as ConnectionClosed {
                    throw error
                } catch {
                    throw HTTPConnection.BodyFault(cause: error)
                }
            }
        }
        do {
            let response = try await client.connected { connection in
                try await connection.request(method, path, headers, body: content)
            }
            return Response(status: response.status, headers: response.headers, body: response.body)
        } catch let fault as HTTPConnection.BodyFault {
            throw fault.cause
        } catch HTTPFault.lost(let reason), HTTPFault.invalid(let reason) {
            throw Failure(reason: reason)
        }
    }

    /// The other server takes no more of the body. Its answer says why, or that there is none.
    private struct ConnectionClosed: Error {}
}
