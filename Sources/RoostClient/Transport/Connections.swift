import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

#if canImport(Network)
    import NIOTransportServices
    import Network
#endif

/// Makes TCP connections, with TLS if the address says so.
enum Connections {
    /// Returns a bootstrap whose channels are set up by `setUp`, behind TLS.
    static func bootstrap(
        _ address: ServerAddress, on loop: any EventLoop,
        _ setUp: @escaping @Sendable (any NIOCore.Channel) throws -> Void
    ) -> any NIOClientTCPBootstrapProtocol {
        #if canImport(Network)
            var base = NIOTSConnectionBootstrap(group: loop)
            if address.usesTLS { base = base.tlsOptions(NWProtocolTLS.Options()) }
        #else
            let base = ClientBootstrap(group: loop)
        #endif
        return
            base
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    #if !canImport(Network)
                        if address.usesTLS { try channel.pipeline.syncOperations.addHandler(tls(address.host)) }
                    #endif
                    try setUp(channel)
                }
            }
    }

    #if !canImport(Network)
        private static let tlsContext = Mutex<NIOSSLContext?>(nil)

        private static func tls(_ host: String) throws -> NIOSSLClientHandler {
            let context = try tlsContext.withLock { kept in
                if let kept { return kept }
                let made = try NIOSSLContext(configuration: .makeClientConfiguration())
                kept = made
                return made
            }
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        }
    #endif

    /// Why a connection failed, in a few words.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let failure = error.connectionErrors.first { return describe(failure.error) }
            return "the host is not known"
        case let error as IOError: return error.errnoCode == ECONNREFUSED ? "connection refused" : "\(error)"
        case ChannelError.connectTimeout: return "no answer"
        default: return "\(error)"
        }
    }
}
