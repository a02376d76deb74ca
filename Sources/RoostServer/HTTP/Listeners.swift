import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The port of the server, and those beside it: the one that leads to it, and the one for those who run it.
final class Listeners: Sendable {
    /// A port beside that of the server.
    private struct Other: Sendable {
        let port: Int
        /// The option that sets it.
        let option: String
        let run: @Sendable () async throws -> Void
        let shutDown: @Sendable () async throws -> Void
    }

    private let server: Server<UpgradingChannel>
    private let others: [Other]
    /// Ends when the others listen. The server is the last one, so that nobody is connected if one of them cannot.
    private let othersListen: AsyncStream<Never>

    /// - Parameters:
    ///   - onAdminReady: called with the port for those who run the server, if there is one, before `onReady`.
    ///   - onReady: called with the host and the port of the server when it accepts connections on all ports.
    init(
        _ channel: UpgradingChannel, _ admin: AdminResponder, _ configuration: ServerConfiguration,
        _ group: MultiThreadedEventLoopGroup, _ logger: Logger, onAdminReady: @escaping @Sendable (Int) -> Void,
        onReady: @escaping @Sendable (String, Int) -> Void
    ) {
        let (othersListen, allListen) = AsyncStream.makeStream(of: Never.self)
        self.othersListen = othersListen
        let host = configuration.host
        let port = Mutex(configuration.port)
        let adminPort = Mutex<Int?>(nil)
        let left = Atomic((configuration.redirectPort == nil ? 0 : 1) + (configuration.adminPort == nil ? 0 : 1))
        @Sendable func noteListening() {
            if left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { allListen.finish() }
        }
        @Sendable func noteReady() {
            let (port, adminPort) = (port.withLock(\.self), adminPort.withLock(\.self))
            var metadata: Logger.Metadata = ["host": "\(host)", "port": "\(port)"]
            if let adminPort { metadata["adminPort"] = "\(adminPort)" }
            logger.info("server is ready", metadata: metadata)
            if let adminPort { onAdminReady(adminPort) }
            onReady(host, port)
        }
        server = Self.makeServer(channel, configuration, host, configuration.port, group, logger) { listener in
            if let actual = listener.localAddress?.port { port.withLock { $0 = actual } }
            noteReady()
        }
        var others: [Other] = []
        if let redirectPort = configuration.redirectPort {
            var channel = channel
            channel.isRedirect = true
            channel.responder = { request, writer, _ in
                let redirect = HTTPSRedirect(configuration, port: port.withLock(\.self))
                let response = redirect.response(to: request.head)
                try await writer.write(response: response.head, body: response.body)
            }
            let server = Self.makeServer(channel, configuration, host, redirectPort, group, logger) { _ in
                noteListening()
            }
            others.append(Self.other(server, redirectPort, "--redirect-port"))
        }
        if let port = configuration.adminPort {
            let channel = HTTP1Channel(
                responder: { request, writer, _ in
                    let response = try await admin.response(to: request.head)
                    try await writer.write(response: response.head, body: response.body)
                }, configuration: .init(idleTimeout: .seconds(60)))
            let server = Self.makeServer(channel, configuration, "127.0.0.1", port, group, logger) { listener in
                adminPort.withLock { $0 = listener.localAddress?.port ?? port }
                noteListening()
            }
            others.append(Self.other(server, port, "--admin-port"))
        }
        self.others = others
    }

    private static func makeServer<Setup: ServerChildChannel>(
        _ channel: Setup, _ configuration: ServerConfiguration, _ host: String, _ port: Int,
        _ group: MultiThreadedEventLoopGroup, _ logger: Logger,
        _ onRunning: @escaping @Sendable (any NIOCore.Channel) -> Void
    ) -> Server<Setup> {
        var quiet = logger
        quiet.logLevel = max(.warning, logger.logLevel)
        return Server(
            childChannelSetup: channel,
            configuration: HummingbirdCore.ServerConfiguration(
                address: .hostname(host, port: port), backlog: configuration.backlog),
            onServerRunning: { onRunning($0) }, eventLoopGroup: group, logger: quiet)
    }

    private static func other(_ server: Server<some ServerChildChannel>, _ port: Int, _ option: String) -> Other {
        Other(
            port: port, option: option, run: { try await server.run() },
            shutDown: { try await server.shutdownGracefully() })
    }

    /// Serves until it is stopped.
    /// - Throws: an error if it cannot listen, a `PortFailure` if it is about another port than that of the server.
    func run() async throws {
        guard !others.isEmpty else { return try await server.run() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for other in others {
                group.addTask {
                    do {
                        try await other.run()
                    } catch {
                        throw PortFailure(port: other.port, option: other.option, reason: error)
                    }
                }
            }
            group.addTask {
                for await _ in self.othersListen {}
                try Task.checkCancellation()
                try await self.server.run()
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
        for other in others { try? await other.shutDown() }
        try? await server.shutdownGracefully()
    }
}

/// The server cannot listen on a port beside its own.
package struct PortFailure: Error {
    package let port: Int
    /// The option that sets it.
    package let option: String
    package let reason: any Error
}
