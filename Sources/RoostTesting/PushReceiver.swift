import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// A push service for tests, or the endpoint of a webhook: it keeps what it gets, and misbehaves as it is told. With a
/// certificate it speaks TLS, and HTTP/2 with clients that can.
package final class PushReceiver: Sendable {
    /// A request that was received whole.
    package struct Received: Sendable {
        package var path: String
        /// Whether it came over HTTP/2.
        package var isHTTP2: Bool
        /// The fields of the head, by their names in lower case.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    /// What becomes of a request.
    package enum Answer: Sendable {
        case status(Int, retryAfter: Int? = nil, body: String = "")
        /// The connection is closed; with HTTP/2, only the stream is.
        case reset
        /// With HTTP/2, the connection ends without an answer.
        case goAway
        /// There is no answer until `release()`.
        case held
    }

    private struct State {
        var received: [Received] = []
        var answer: @Sendable (Received, Int) -> Answer = { _, _ in .status(200) }
        var held: [@Sendable () -> Void] = []
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let channel: any Channel

    /// The port that it listens on.
    package var port: Int { channel.localAddress?.port ?? 0 }

    /// The address to post to: with TLS, of `localhost`.
    package var url: String { isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)/push" }

    private let isSecure: Bool

    /// Starts to listen on a free port.
    /// - Parameter client: the certificate that clients have to have; nil if they need none.
    package static func start(
        _ certificate: TestCertificate? = nil, client: TestCertificate? = nil
    ) async throws -> PushReceiver {
        let box = Box()
        let tls = try certificate.map { try $0.server(for: client) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { child in
                @Sendable func speakHTTP1(_ channel: any Channel) -> EventLoopFuture<Void> {
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(Handler(box, isHTTP2: false))
                    }
                }
                guard let tls else { return speakHTTP1(child) }
                return child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                }.flatMap {
                    child.configureHTTP2SecureUpgrade(
                        h2ChannelConfigurator: { channel in
                            channel.configureHTTP2Pipeline(mode: .server) { stream in
                                stream.eventLoop.makeCompletedFuture {
                                    try stream.pipeline.syncOperations.addHandlers(
                                        HTTP2FramePayloadToHTTP1ServerCodec(), Handler(box, isHTTP2: true))
                                }
                            }.map { _ in () }
                        }, http1ChannelConfigurator: { speakHTTP1($0) })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let receiver = PushReceiver(channel, isSecure: tls != nil)
        box.receiver.withLock { $0 = receiver }
        return receiver
    }

    private init(_ channel: any Channel, isSecure: Bool) {
        self.channel = channel
        self.isSecure = isSecure
        state = Mutex(State())
    }

    deinit { channel.close(promise: nil) }

    /// Stops to listen.
    package func close() { channel.close(promise: nil) }

    /// Says how requests are answered from now on; it gets the request and how many came before it.
    package func answer(_ answer: @escaping @Sendable (Received, Int) -> Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Everything that was received so far.
    package var received: [Received] { state.withLock { $0.received } }

    /// The requests with different ids: a notification that was sent again counts once.
    package var distinct: [Received] {
        var ids: Set<String> = []
        return received.filter { ids.insert($0.headers["roost-push-id"] ?? "").inserted }
    }

    /// Waits until this many requests were received.
    package func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.received.count < count { state.waiting.append((count, continuation)) }
                return state.received.count >= count
            }
            if isReady { continuation.resume() }
        }
    }

    /// Answers the requests that were held with 200.
    package func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for answer in held { answer() }
    }

    private func receive(_ request: Received, _ reply: @escaping @Sendable (Answer) -> Void) {
        let (answer, ready) = state.withLock { state in
            let answer = state.answer(request, state.received.count)
            state.received.append(request)
            if case .held = answer { state.held.append { reply(.status(200)) } }
            let count = state.received.count
            let ready = state.waiting.filter { $0.count <= count }.map(\.continuation)
            state.waiting.removeAll { $0.count <= count }
            return (answer, ready)
        }
        for continuation in ready { continuation.resume() }
        if case .held = answer { return }
        reply(answer)
    }

    private final class Box: Sendable {
        let receiver = Mutex<PushReceiver?>(nil)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let box: Box
        private let isHTTP2: Bool
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ box: Box, isHTTP2: Bool) {
            self.box = box
            self.isHTTP2 = isHTTP2
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, [])
            case .body(let bytes): body += Array(bytes.readableBytesView)
            case .end:
                guard let head, let receiver = box.receiver.withLock({ $0 }) else { return }
                let fields = Dictionary(
                    head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
                let channel = context.channel
                let request = Received(path: head.uri, isHTTP2: isHTTP2, headers: fields, body: body)
                receiver.receive(request) { Self.reply($0, channel) }
            }
        }

        private static func reply(_ answer: Answer, _ channel: any Channel) {
            guard case .status(let status, let retryAfter, let body) = answer else {
                if case .goAway = answer, let connection = channel.parent {
                    let frame = HTTP2Frame(
                        streamID: .rootStream,
                        payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
                    connection.writeAndFlush(frame).whenComplete { _ in connection.close(promise: nil) }
                } else {
                    channel.close(promise: nil)
                }
                return
            }
            var headers: HTTPHeaders = ["content-length": "\(body.utf8.count)"]
            if let retryAfter { headers.add(name: "retry-after", value: "\(retryAfter)") }
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
            channel.write(HTTPServerResponsePart.head(head), promise: nil)
            if !body.isEmpty {
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
            }
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
    }
}
