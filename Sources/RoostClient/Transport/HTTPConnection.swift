import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Network)
    import NIOTransportServices
    import Network
#endif

/// Why a request has no response.
enum HTTPFault: Error {
    /// The connection could not be made, or was lost.
    case lost(String)
    /// The response cannot be read.
    case invalid(String)
}

/// HTTP/1.1 requests to a server, with bodies that are streamed both ways.
struct HTTPClient: Sendable {
    fileprivate typealias AsyncChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    let address: ServerAddress
    let loop: any EventLoop
    /// How long a connection may be without any byte in either direction before it counts as lost.
    var silence: TimeAmount = .seconds(60)

    /// Makes a connection for the requests in `body`, and closes it when `body` ends or the task is cancelled.
    /// - Throws: `HTTPFault`, `CancellationError`, and what `body` throws.
    func connected<T: Sendable>(_ body: (HTTPConnection) async throws -> T) async throws -> T {
        let channel: AsyncChannel
        do {
            channel = try await connect()
        } catch {
            try Task.checkCancellation()
            throw HTTPFault.lost(NIOTransport.unreachable(address, error))
        }
        var result: T?
        do {
            try await channel.executeThenClose { inbound, outbound in
                result = try await body(
                    HTTPConnection(channel.channel, inbound.makeAsyncIterator(), outbound, address))
            }
        } catch {
            // A server that closes without the end of TLS changes nothing about what it has answered.
            if let result { return result }
            switch error {
            case is HTTPFault, is HTTPConnection.BodyFault, is RoostError, is CancellationError: throw error
            default:
                try Task.checkCancellation()
                throw HTTPFault.lost("The connection was lost: \(NIOTransport.describe(error)).")
            }
        }
        guard let result else { throw HTTPFault.lost("The connection was lost.") }
        return result
    }

    private func connect() async throws -> AsyncChannel {
        let (address, silence) = (address, silence)
        #if canImport(Network)
            var bootstrap = NIOTSConnectionBootstrap(group: loop)
            if address.usesTLS { bootstrap = bootstrap.tlsOptions(NWProtocolTLS.Options()) }
        #else
            let bootstrap = ClientBootstrap(group: loop)
        #endif
        return
            try await bootstrap
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(10))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    #if !canImport(Network)
                        if address.usesTLS { try pipeline.addHandler(ClientTLS.handler(address.host)) }
                    #endif
                    try pipeline.addHandler(IdleStateHandler(allTimeout: silence))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(SilenceHandler())
                    return try AsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }
}

/// Closes a connection on which nothing has moved for too long.
private final class SilenceHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// The head of a response, and its body if it is small.
struct HTTPResponse: Sendable {
    var status: Int
    var headers: HTTPHeaders
    /// At most 64 KiB; empty if the body was handed over in chunks.
    var body: [UInt8] = []

    /// A header whose value is a number.
    func number(_ name: String) -> Int64? { headers.first(name: name).flatMap { Int64($0) } }
}

/// One connection; it carries one request after the other. Not for several tasks at a time.
final class HTTPConnection {
    /// Writes the body of a request.
    struct Writer: Sendable {
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

        /// Returns when there is room for more.
        func write(_ bytes: ByteBuffer) async throws { try await outbound.write(.body(.byteBuffer(bytes))) }
    }

    /// The body of a request.
    struct Body: Sendable {
        /// Nil if it is not known before the end.
        var size: Int64?
        /// A `RoostError` or a `BodyFault` ends the request.
        var write: @Sendable (Writer) async throws -> Void

        fileprivate static func isEnded(by error: any Error) -> Bool {
            if let error = error as? RoostError { return error.code != .cancelled }
            return error is BodyFault
        }
    }

    /// Why a body has no end that comes from elsewhere.
    struct BodyFault: Error {
        var cause: any Error
    }

    private let channel: any NIOCore.Channel
    private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    private let address: ServerAddress
    /// Whether another request can be made. If not, make a new connection.
    private(set) var isUsable = true

    fileprivate init(
        _ channel: any NIOCore.Channel, _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>, _ address: ServerAddress
    ) {
        self.channel = channel
        self.inbound = inbound
        self.outbound = outbound
        self.address = address
    }

    private static let maxBody = 65_536

    /// Makes a request.
    /// - Parameter path: the path on the server, below the path of its address.
    /// - Throws: `HTTPFault`, `CancellationError`, and what `body` throws.
    func request(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, body: Body? = nil
    ) async throws -> HTTPResponse {
        try await exchange(method, path, headers, body, isStreamed: false) { _, _ in }
    }

    /// Makes a request. The body of a response of the class 200 is handed over in chunks, with its head.
    /// - Throws: `HTTPFault`, `CancellationError`, and what `receive` throws.
    func request(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders,
        receive: (HTTPResponse, ByteBuffer) async throws -> Void
    ) async throws -> HTTPResponse {
        try await exchange(method, path, headers, nil, isStreamed: true, receive)
    }

    private func exchange(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, _ body: Body?, isStreamed: Bool,
        _ receive: (HTTPResponse, ByteBuffer) async throws -> Void
    ) async throws -> HTTPResponse {
        guard isUsable else { throw HTTPFault.lost("The connection cannot be used again.") }
        isUsable = false
        var headers = headers
        headers.replaceOrAdd(name: "Host", value: address.authority)
        if let body {
            let (name, value) = body.size.map { ("Content-Length", "\($0)") } ?? ("Transfer-Encoding", "chunked")
            headers.replaceOrAdd(name: name, value: value)
        }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: address.prefix + path, headers: headers)
        let (channel, outbound) = (channel, outbound)
        // A server may answer, and close, before it has read the body: both directions run at the same time.
        let writing = Task {
            do {
                try await outbound.write(.head(head))
                try await body?.write(Writer(outbound: outbound))
                try await outbound.write(.end(nil))
                return nil as (any Error)?
            } catch {
                // The reader sees what became of the connection. A body that is cancelled is not the reason: it is
                // cancelled when the connection is lost, too.
                guard !Task.isCancelled, Body.isEnded(by: error) else { return nil }
                // The body cannot be read to its end, so the server would wait for the rest.
                channel.close(promise: nil)
                return error
            }
        }
        do {
            let (response, keepsAlive) = try await withTaskCancellationHandler {
                try await read(method, isStreamed: isStreamed, receive)
            } onCancel: {
                writing.cancel()
                channel.close(promise: nil)
            }
            if response.status < 300, let fault = await writing.value { throw fault }
            writing.cancel()
            // Nothing reads the body after that.
            _ = await writing.value
            isUsable = keepsAlive && response.status < 300
            return response
        } catch {
            channel.close(promise: nil)
            writing.cancel()
            if let fault = await writing.value { throw fault }
            try Task.checkCancellation()
            throw error
        }
    }

    private func read(
        _ method: HTTPMethod, isStreamed: Bool, _ receive: (HTTPResponse, ByteBuffer) async throws -> Void
    ) async throws -> (HTTPResponse, keepsAlive: Bool) {
        var response: HTTPResponse?
        var keepsAlive = false
        while let part = try await next() {
            switch part {
            case .head(let head):
                if head.status.code < 200 { continue }
                response = HTTPResponse(status: Int(head.status.code), headers: head.headers)
                // NIO 2.101 expects a body up to the end of the connection if no length is given, of HEAD as well.
                keepsAlive = method == .HEAD ? !head.headers.closesConnection : head.isKeepAlive
            case .body(let bytes):
                guard var known = response else { throw HTTPFault.invalid("A body came before its head.") }
                if isStreamed, (200..<300).contains(known.status) {
                    try await receive(known, bytes)
                } else {
                    guard known.body.count + bytes.readableBytes <= Self.maxBody else {
                        throw HTTPFault.invalid("The response is too large.")
                    }
                    known.body += bytes.readableBytesView
                    response = known
                }
            case .end:
                guard let response else { throw HTTPFault.invalid("There is no head.") }
                return (response, keepsAlive)
            }
        }
        throw HTTPFault.lost("The connection was lost before the response was complete.")
    }

    private func next() async throws -> HTTPClientResponsePart? {
        do {
            return try await inbound.next(isolation: #isolation)
        } catch {
            try Task.checkCancellation()
            throw HTTPFault.lost("The connection was lost: \(NIOTransport.describe(error)).")
        }
    }
}

extension HTTPHeaders {
    fileprivate var closesConnection: Bool { self[canonicalForm: "connection"].contains { $0.lowercased() == "close" } }
}
