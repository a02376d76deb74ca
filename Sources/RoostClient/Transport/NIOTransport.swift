import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import RoostWire
import Synchronization

#if canImport(Network)
    import NIOTransportServices
    import Network
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One WebSocket to a server, made by NIO. Everything happens on its event loop.
final class NIOTransport: Sendable {
    private struct State {
        var channel: (any NIOCore.Channel)?
        /// The channel before it is a WebSocket.
        var socket: (any NIOCore.Channel)?
        var isClosed = false
        var masks: RandomSource
    }

    private let state: Mutex<State>
    private let seed: UInt64
    private let received: @Sendable ([ServerFrame]) -> Void
    private let lost: @Sendable (LossReason) -> Void

    init(
        seed: UInt64, received: @escaping @Sendable ([ServerFrame]) -> Void,
        lost: @escaping @Sendable (LossReason) -> Void
    ) {
        state = Mutex(State(masks: RandomSource(seed: seed)))
        self.seed = ~seed
        self.received = received
        self.lost = lost
    }

    /// Connects, upgrades, and calls `opened`; every failure calls `lost`.
    func open(_ address: ServerAddress, on loop: any EventLoop, opened: @escaping @Sendable () -> Void) {
        let lost = lost
        let connected = bootstrap(address, on: loop, opened: opened).connect(host: address.host, port: address.port)
        connected.whenFailure { error in
            lost(.unreachable(Self.unreachable(address, error)))
        }
    }

    /// Adds a text frame to the socket's buffer; `flush` sends the buffer.
    func write(_ bytes: [UInt8]) {
        let frame = state.withLock { state -> (any NIOCore.Channel, WebSocketMaskingKey)? in
            state.channel.map { ($0, .random(from: &state.masks)) }
        }
        guard let (channel, mask) = frame else { return }
        let data = channel.allocator.buffer(bytes: bytes)
        channel.write(WebSocketFrame(fin: true, opcode: .text, maskKey: mask, data: data), promise: nil)
    }

    func flush() { state.withLock { $0.channel }?.flush() }

    /// Closes it, or prevents it from opening; with a code it sends a close frame first.
    func close(_ code: CloseCode?) {
        // A connection attempt that is not closed would wait forever.
        state.withLock { $0.socket.take() }?.close(promise: nil)
        let taken = state.withLock { state -> (any NIOCore.Channel, WebSocketMaskingKey)? in
            state.isClosed = true
            return state.channel.take().map { ($0, .random(from: &state.masks)) }
        }
        guard let (channel, mask) = taken else { return }
        if let code {
            let data = channel.allocator.buffer(integer: code.rawValue)
            channel.writeAndFlush(
                WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: mask, data: data), promise: nil)
        }
        channel.close(promise: nil)
    }

    private func bootstrap(
        _ address: ServerAddress, on loop: any EventLoop, opened: @escaping @Sendable () -> Void
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
                channel.eventLoop.makeCompletedFuture { try self.setUp(channel, address, opened: opened) }
            }
    }

    private func setUp(_ channel: any NIOCore.Channel, _ address: ServerAddress, opened: @escaping @Sendable () -> Void)
        throws
    {
        let isWanted = state.withLock { state in
            if !state.isClosed { state.socket = channel }
            return !state.isClosed
        }
        guard isWanted else { throw ChannelError.alreadyClosed }
        let pipeline = channel.pipeline.syncOperations
        #if !canImport(Network)
            if address.usesTLS { try pipeline.addHandler(ClientTLS.handler(address.host)) }
        #endif
        if address.usesTLS { try pipeline.addHandler(WriteJoiner()) }
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: address.authority)
        let upgrader = NIOTypedWebSocketClientUpgrader<Bool>(maxFrameSize: SocketHandler.maxBytes) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    SocketHandler(seed: self.seed, received: self.received, lost: self.lost))
                return true
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Bool>(
            upgradeRequestHead: HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path, headers: headers),
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RefusalHandler(lost: self.lost))
                    return false
                }
            })
        let upgraded = try pipeline.configureUpgradableHTTPClientPipeline(
            configuration: NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration))
        upgraded.whenComplete { result in
            switch result {
            case .success(true): self.upgraded(channel, opened: opened)
            case .success(false): break
            case .failure(let error):
                if Self.describeTLS(error) != nil {
                    self.lost(.unreachable(Self.unreachable(address, error)))
                } else {
                    self.lost(.interrupted("The server did not open a WebSocket: \(Self.describe(error))."))
                }
                channel.close(promise: nil)
            }
        }
        // The typed upgrader does not report that the peer closed before its response.
        channel.closeFuture.whenComplete { _ in self.lost(.interrupted("The connection broke off.")) }
    }

    private func upgraded(_ channel: any NIOCore.Channel, opened: @Sendable () -> Void) {
        let isWanted = state.withLock { state in
            if !state.isClosed { state.channel = channel }
            state.socket = nil
            return !state.isClosed
        }
        if isWanted { opened() } else { channel.close(promise: nil) }
    }

    /// What to tell people if a connection cannot be made.
    static func unreachable(_ address: ServerAddress, _ error: any Error) -> String {
        let fault = describeTLS(error).map { "\($0)." } ?? "\(describe(error)). Is the server running?"
        return "Cannot connect to \(address.authority): \(fault)"
    }

    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            if let failure = error.connectionErrors.first { return describe(failure.error) }
            return "the host is not known"
        case let error as IOError: return error.errnoCode == ECONNREFUSED ? "connection refused" : "\(error)"
        case ChannelError.connectTimeout: return "no answer"
        default: return describeTLS(error) ?? "\(error)"
        }
    }

    /// Why TLS failed, for people; nil if it is another error.
    static func describeTLS(_ error: any Error) -> String? {
        switch error {
        case let error as NIOSSLExtraError
        where [.failedToValidateHostname, .serverHostnameImpossibleToMatch].contains(error):
            return "the certificate of the server is for another host. Check the address"
        case NIOSSLError.failedToLoadCertificate:
            return "the file that SSL_CERT_FILE names has no certificates"
        case NIOSSLError.handshakeFailed(let reason):
            // The reason has no cases; its text names the file and line of the library, too.
            let text = "\(reason)"
            if text.contains("CERTIFICATE_VERIFY_FAILED") {
                return "the certificate of the server has expired, or this system does not trust its issuer"
            }
            if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
                return "the server does not speak TLS there. Try http:// instead of https://"
            }
            return "the server and this client cannot agree on TLS"
        default: return nil
        }
    }
}

#if !canImport(Network)
    /// TLS with the certificates of this system, or with those of the file that `SSL_CERT_FILE` names.
    enum ClientTLS {
        private static let context = Mutex<NIOSSLContext?>(nil)

        static func handler(_ host: String) throws -> NIOSSLClientHandler {
            let context = try context.withLock { kept in
                if let kept { return kept }
                var configuration = TLSConfiguration.makeClientConfiguration()
                if let path = getenv("SSL_CERT_FILE"), path.pointee != 0 {
                    let certificates = try? NIOSSLCertificate.fromPEMFile(String(cString: path))
                    guard let certificates, !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
                    configuration.trustRoots = .certificates(certificates)
                }
                let made = try NIOSSLContext(configuration: configuration)
                kept = made
                return made
            }
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        }
    }
#endif

/// The threads for the connections of this process.
enum EventLoops {
    private static let groups = Mutex<[Int: MultiThreadedEventLoopGroup]>([:])

    static func next(threads: Int?) -> any EventLoop {
        #if canImport(Network)
            return NIOTSEventLoopGroup.singleton.next()
        #else
            guard let threads, threads > 0 else { return MultiThreadedEventLoopGroup.singleton.next() }
            let group = groups.withLock { groups in
                if let group = groups[threads] { return group }
                let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
                groups[threads] = group
                return group
            }
            return group.next()
        #endif
    }
}
