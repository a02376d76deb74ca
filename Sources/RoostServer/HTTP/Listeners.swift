import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The port of the server, and the one that leads to it, if there is one.
final class Listeners: Sendable {
    private let server: Server<UpgradingChannel>
    private let redirect: Server<UpgradingChannel>?
    private let redirectPort: Int
    /// Ends when the server listens.
    private let listening: AsyncStream<Never>

    /// - Parameter onReady: called with the host and the port of the server when it accepts connections on both.
    init(
        _ channel: UpgradingChannel, _ configuration: ServerConfiguration, _ group: MultiThreadedEventLoopGroup,
        _ logger: Logger, _ onReady: @escaping @Sendable (String, Int) -> Void
    ) {
        let (listening, isListening) = AsyncStream.makeStream(of: Never.self)
        self.listening = listening
        let host = configuration.host
        let port = Mutex(configuration.port)
        @Sendable func noteReady() {
            let port = port.withLock(\.self)
            logger.info("server is ready", metadata: ["host": "\(host)", "port": "\(port)"])
            onReady(host, port)
        }
        let hasRedirect = configuration.redirectPort != nil
        server = Self.makeServer(channel, configuration, configuration.port, group, logger) { listener in
            if let actual = listener.localAddress?.port { port.withLock { $0 = actual } }
            if !hasRedirect { noteReady() }
            isListening.finish()
        }
        redirectPort = configuration.redirectPort ?? 0
        redirect = configuration.redirectPort.map { redirectPort in
            var channel = channel
            channel.isRedirect = true
            channel.responder = { request, writer, _ in
                let redirect = HTTPSRedirect(configuration, port: port.withLock(\.self))
                let response = redirect.response(to: request.head)
                try await writer.write(response: response.head, body: response.body)
            }
            return Self.makeServer(channel, configuration, redirectPort, group, logger) { _ in noteReady() }
        }
    }

    private static func makeServer(
        _ channel: UpgradingChannel, _ configuration: ServerConfiguration, _ port: Int,
        _ group: MultiThreadedEventLoopGroup, _ logger: Logger,
        _ onRunning: @escaping @Sendable (any NIOCore.Channel) -> Void
    ) -> Server<UpgradingChannel> {
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        return Server(
            childChannelSetup: channel,
            configuration: HummingbirdCore.ServerConfiguration(
                address: .hostname(configuration.host, port: port), backlog: configuration.backlog),
            onServerRunning: { onRunning($0) }, eventLoopGroup: group, logger: quiet)
    }

    /// Serves until it is stopped.
    /// - Throws: an error if it cannot listen, a `RedirectFailure` if it is about the other port.
    func run() async throws {
        guard let redirect else { return try await server.run() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.server.run() }
            group.addTask {
                for await _ in self.listening {}
                try Task.checkCancellation()
                do {
                    try await redirect.run()
                } catch {
                    throw RedirectFailure(port: self.redirectPort, reason: error)
                }
            }
            do {
                for try await _ in group {}
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    /// Accepts no more connections, and waits until those that are open are closed.
    func shutDown() async {
        try? await redirect?.shutdownGracefully()
        try? await server.shutdownGracefully()
    }
}

/// The server cannot listen on the port that leads to it.
package struct RedirectFailure: Error {
    package let port: Int
    package let reason: any Error
}
