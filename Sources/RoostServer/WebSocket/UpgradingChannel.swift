import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
import NIOWebSocket
import RoostCore
import RoostWire

/// Serves both protocols on one port: a connection becomes a WebSocket at `/v1/connect`, or is served as HTTP.
struct UpgradingChannel: ServerChildChannel, HTTPChannelHandler {
    /// The protocol of a connection.
    enum Outcome: Sendable {
        case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case webSocket
    }

    struct Value: ServerChildChannelValue {
        let channel: any NIOCore.Channel
        let outcome: EventLoopFuture<Outcome>
    }

    var responder: HTTPChannelHandler.Responder
    let configuration: ServerConfiguration
    let draining: Draining
    let hubs: [ObjectIdentifier: LaneHub]
    let connections: Connections
    let memory: ConnectionMemory
    let notices: Notices
    let upgradeLimit: UpgradeLimit
    /// Whether this is the port that only leads to the other one: without TLS and WebSockets.
    var isRedirect = false

    func setup(channel: any NIOCore.Channel, logger: Logger) -> EventLoopFuture<Value> {
        // Behind a proxy all sockets have its address.
        let address = configuration.isBehindProxy ? nil : channel.remoteAddress?.ipAddress
        guard connections.admit(channel, from: address) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        let share = memory.open(channel)
        Self.limitUnsent(channel, Self.maxUnsent)
        return channel.eventLoop.makeCompletedFuture {
            let requestGuard = RequestGuard(configuration: configuration, share: share)
            let gate = UpgradeGate(
                configuration: configuration, draining: draining, requestGuard: requestGuard, notices: notices,
                upgradeLimit: upgradeLimit, share: share, connections: connections,
                isForHTTPOnly: isRedirect)
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = configuration.maxHeaderBytes
            limits.maxHeaderListSize = configuration.maxHeaderBytes
            limits.maxHeaderFieldCount = 100
            let encoder = HTTPResponseEncoder()
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
            let upgrader = NIOTypedHTTPServerUpgradeHandler(
                httpEncoder: encoder, extraHTTPHandlers: [requestGuard, decoder, gate],
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration<Outcome>(
                    upgraders: [WebSocketUpgrader(hubs: hubs, frameBytes: frameBytes)],
                    notUpgradingCompletionHandler: { channel in Self.setUpHTTP(channel, logger) }))
            // Next to the socket: it measures what the socket has not taken.
            try channel.pipeline.syncOperations.addHandler(ConnectionMemory.OutputMeter(share))
            if let certificate = configuration.certificate, !isRedirect {
                try channel.pipeline.syncOperations.addHandler(
                    PlainHTTPRefusal(closeGrace: configuration.closeGrace))
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
                try channel.pipeline.syncOperations.addHandler(TLSLimits())
            }
            try channel.pipeline.syncOperations.addHandlers([requestGuard, encoder, decoder, gate, upgrader])
            return Value(channel: channel, outcome: upgrader.upgradeResultFuture)
        }
    }

    /// How much of its responses the system keeps for a client that does not read them. Without this it would be some MiB, and all
    /// of them together may use up the memory that it has for connections.
    private static let maxUnsent = 128 * 1_024

    /// Limits what the system keeps of the output of a connection; 0 for its own limit.
    fileprivate static func limitUnsent(_ channel: any NIOCore.Channel, _ bytes: Int) {
        #if os(Linux)
            // TCP_NOTSENT_LOWAT, which Glibc does not export to Swift on all systems.
            try? channel.syncOptions?.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: 25)), value: bytes)
        #endif
    }

    private var frameBytes: Int { hubs.values.first?.core.configuration.limits.frameBytes ?? 0 }

    private static func setUpHTTP(_ channel: any NIOCore.Channel, _ logger: Logger) -> EventLoopFuture<Outcome> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                HTTP1ToHTTPServerCodec(secure: false), HTTPConnectionStateHandler(logger: logger),
            ])
            return .http(
                try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.outcome.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .webSocket: break
            }
        } catch {
            // The connection was closed before its first request was complete, or the upgrade failed.
            value.channel.close(promise: nil)
        }
    }
}

/// NIO's handshake with a custom pipeline: the decoder, and a session that writes its frames itself.
private struct WebSocketUpgrader: NIOTypedHTTPServerProtocolUpgrader {
    typealias UpgradeResult = UpgradingChannel.Outcome

    let hubs: [ObjectIdentifier: LaneHub]
    let frameBytes: Int
    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []
    private let handshake = NIOTypedWebSocketServerUpgrader<UpgradingChannel.Outcome>(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededFuture(.webSocket) })

    init(hubs: [ObjectIdentifier: LaneHub], frameBytes: Int) {
        self.hubs = hubs
        self.frameBytes = frameBytes
    }

    func buildUpgradeResponse(
        channel: any NIOCore.Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        handshake.buildUpgradeResponse(
            channel: channel, upgradeRequest: upgradeRequest, initialResponseHeaders: initialResponseHeaders)
    }

    func upgrade(
        channel: any NIOCore.Channel, upgradeRequest: HTTPRequestHead
    ) -> EventLoopFuture<UpgradingChannel.Outcome> {
        channel.eventLoop.makeCompletedFuture {
            guard let hub = hubs[ObjectIdentifier(channel.eventLoop)] else {
                throw ChannelError.inappropriateOperationForState
            }
            let limit = FrameLimit(hub.configuration.preAuthFrameBytes)
            let share = hub.memory.share(of: channel)
            // Sessions have limits of their own for those who read slowly.
            UpgradingChannel.limitUnsent(channel, 0)
            // Its response was written without the gate.
            share?.endRequest()
            try channel.pipeline.syncOperations.addHandlers([
                ByteToMessageHandler(CheckedFrameDecoder(frameBytes: frameBytes, limit: limit, share: share)),
                hub.makeSession(
                    from: hub.configuration.forwardedAddress(in: upgradeRequest.headers),
                    origin: upgradeRequest.headers.first(name: "origin"), frameLimit: limit, share: share),
            ])
            return .webSocket
        }
    }
}
