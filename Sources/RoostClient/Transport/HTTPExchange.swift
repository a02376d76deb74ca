import NIOCore
import NIOHTTP1
import NIOPosix
import RoostWire
import Synchronization

/// One HTTP request and its response, on a connection of its own; bytes are streamed in both directions.
struct HTTPExchange: Sendable {
    var method: HTTPMethod
    /// The path and query, below the path of the server's address.
    var path: String
    var headers: [(name: String, value: String)] = []
    /// The part of a local file that is the body.
    var body: LocalFilePart?

    /// The head of a response, and its body unless it was passed on.
    struct Response: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
    }

    /// The largest body that is not passed on, such as an error.
    private static let mostBytes = 64 * 1_024

    private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Sends the request and waits for the response; the connection is closed at the end, also by a cancellation.
    /// - Parameters:
    ///   - sent: called with the number of bytes of each part of the body that was written.
    ///   - receive: receives the body of a successful response; the next part follows when it returns.
    /// - Throws: `RoostError` `.unreachable`, which is retryable, or `.cancelled`; what `receive` or the body throws.
    func run(
        _ address: ServerAddress, on loop: any EventLoop, sent: @Sendable (Int) -> Void = { _ in },
        receive: (@Sendable (ByteBuffer) async throws -> Void)? = nil
    ) async throws -> Response {
        let channel = try await connect(address, on: loop)
        do {
            return try await channel.executeThenClose { inbound, outbound in
                try await withTaskCancellationHandler {
                    // The server may respond before it has read the whole body.
                    let failure: (any Error)?
                    do {
                        try await write(to: outbound, address, sent: sent)
                        failure = nil
                    } catch let error as RoostError {
                        throw error
                    } catch {
                        failure = error
                    }
                    guard let response = try await read(inbound, receive: receive) else {
                        throw failure ?? ChannelError.eof
                    }
                    return response
                } onCancel: {
                    channel.channel.close(promise: nil)
                }
            }
        } catch let error as RoostError {
            throw error
        } catch {
            throw Self.failure(error, address)
        }
    }

    private func connect(_ address: ServerAddress, on loop: any EventLoop) async throws -> Channel {
        let made = Mutex<Channel?>(nil)
        let connected = Connections.bootstrap(address, on: loop) { channel in
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(IdleLimit())
            let wrapped = try Channel(wrappingChannelSynchronously: channel)
            made.withLock { $0 = wrapped }
        }.connectTimeout(.seconds(10)).connect(host: address.host, port: address.port)
        do {
            _ = try await connected.get()
        } catch {
            throw Self.failure(error, address)
        }
        guard let channel = made.withLock({ $0 }) else { throw Self.failure(ChannelError.eof, address) }
        return channel
    }

    private static func failure(_ error: any Error, _ address: ServerAddress) -> RoostError {
        if Task.isCancelled || error is CancellationError {
            return RoostError(.cancelled, "The transfer was cancelled.")
        }
        return RoostError(
            .unreachable, "The connection to \(address.authority) failed: \(Connections.describe(error)).",
            isRetryable: true)
    }

    private func write(
        to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>, _ address: ServerAddress,
        sent: @Sendable (Int) -> Void
    ) async throws {
        var fields = HTTPHeaders(headers.map { ($0.name, $0.value) })
        fields.add(name: "Host", value: address.authority)
        fields.add(name: "Connection", value: "close")
        if let body { fields.add(name: "Content-Length", value: "\(body.range.count)") }
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: address.prefix + path, headers: fields)
        try await outbound.write(.head(head))
        if let body {
            try await body.read { chunk in
                let count = chunk.readableBytes
                try await outbound.write(.body(.byteBuffer(chunk)))
                sent(count)
            }
        }
        try await outbound.write(.end(nil))
    }

    /// - Returns: nil if the connection ended before a complete response.
    private func read(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        receive: (@Sendable (ByteBuffer) async throws -> Void)?
    ) async throws -> Response? {
        var response: Response?
        for try await part in inbound {
            switch part {
            case .head(let head):
                response = Response(status: Int(head.status.code), headers: head.headers, body: [])
            case .body(let chunk):
                guard let status = response?.status else { return nil }
                if let receive, (200..<300).contains(status) {
                    try await receive(chunk)
                } else if (response?.body.count ?? 0) + chunk.readableBytes <= Self.mostBytes {
                    response?.body.append(contentsOf: chunk.readableBytesView)
                }
            case .end: return response
            }
        }
        return nil
    }
}

/// A part of a local file, to be read in chunks.
struct LocalFilePart: Sendable {
    var path: String
    var range: Range<Int64>

    private static let chunk = 128 * 1_024

    /// Reads the part.
    /// - Throws: `RoostError` `.fileUnreadable` if the file is missing or shorter; what `body` throws.
    func read(_ body: (ByteBuffer) async throws -> Void) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            try Task.checkCancellation()
            let (start, count) = (offset, Int(min(Int64(Self.chunk), range.upperBound - offset)))
            let bytes = try await NIOThreadPool.singleton.runIfActive { [path] in
                try LocalFiles.read(path, at: start, count: count)
            }
            guard !bytes.isEmpty else { throw LocalFiles.changed }
            offset += Int64(bytes.count)
            try await body(ByteBuffer(bytes: bytes))
        }
    }
}

/// Closes a connection on which nothing has happened for 60 s.
private final class IdleLimit: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny

    private var timer: Scheduled<Void>?

    private func restart(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: .seconds(60)) { channel.close(promise: nil) }
    }

    func handlerAdded(context: ChannelHandlerContext) { restart(context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        restart(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        restart(context)
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }
}
