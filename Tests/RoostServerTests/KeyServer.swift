import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that answers every request for a path with the same bytes, and leaves the connection open.
final class KeyServer: Sendable {
    private let channel: any Channel
    private let state: State

    fileprivate final class State: Sendable {
        let answer: Mutex<String>
        let answersOfPaths = Mutex<[String: String]>([:])
        let requests = Mutex<[String]>([])

        init(_ answer: String) { self.answer = Mutex(answer) }

        func answer(to request: String) -> String {
            requests.withLock { $0.append(request) }
            let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            return answersOfPaths.withLock { $0[path] } ?? answer.withLock { $0 }
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let state: State
        private var text = ""

        init(_ state: State) { self.state = state }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: Self.unwrapInboundIn(data))
            guard let end = text.range(of: "\r\n\r\n") else { return }
            let length = text[..<end.lowerBound].split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last.flatMap { Int($0) }
            guard text[end.upperBound...].utf8.count >= length ?? 0 else { return }
            let bytes = ByteBuffer(string: state.answer(to: text))
            text = ""
            context.writeAndFlush(Self.wrapOutboundOut(bytes), promise: nil)
        }
    }

    /// The number of requests.
    var requests: Int { texts.count }

    /// The requests as they came.
    var texts: [String] { state.requests.withLock { $0 } }

    var port: Int { channel.localAddress?.port ?? 0 }

    var url: String { "http://127.0.0.1:\(port)/keys" }

    private init(_ channel: any Channel, _ state: State) {
        self.channel = channel
        self.state = state
    }

    static func run<T>(_ answer: String, _ body: (KeyServer) async throws -> T) async throws -> T {
        let state = State(answer)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(Handler(state))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = KeyServer(channel, state)
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }

    func answer(with text: String) { state.answer.withLock { $0 = text } }

    /// Answers the requests for one path.
    func answer(_ path: String, with text: String) { state.answersOfPaths.withLock { $0[path] = text } }

    /// A whole answer.
    static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The head of an answer, and the beginning of its body.
    static let stalling = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"

    static func redirect(to url: String) -> String {
        "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n"
    }
}
