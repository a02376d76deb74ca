import NIOCore
import NIOHTTP1
import NIOWebSocket
import RoostWire

/// Converts the frames of one WebSocket into frames of the protocol: several reads cause one call.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Larger than any page of a server.
    static let maxBytes = 16 * 1024 * 1024

    private let received: ([ServerFrame]) -> Void
    private let lost: (LossReason) -> Void
    private var frames: [ServerFrame] = []
    private var fragments: ByteBuffer?
    private var closeCode: UInt16?
    private var masks: RandomSource
    private var wrote = false

    init(
        seed: UInt64, received: @escaping ([ServerFrame]) -> Void, lost: @escaping (LossReason) -> Void
    ) {
        masks = RandomSource(seed: seed)
        self.received = received
        self.lost = lost
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .continuation: receive(frame.unmaskedData, isLast: frame.fin, context: context)
        case .ping: reply(.pong, frame.unmaskedData, context: context)
        case .connectionClose:
            closeCode = frame.data.readInteger(as: UInt16.self) ?? 1_005
            var answer = context.channel.allocator.buffer(capacity: 2)
            answer.writeInteger(closeCode == 1_005 ? 1_000 : closeCode ?? 1_000)
            reply(.connectionClose, answer, context: context)
            handOver()
            context.flush()
            context.close(promise: nil)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        handOver()
        if wrote {
            wrote = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        handOver()
        lost(.closed(closeCode))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func receive(_ data: ByteBuffer, isLast: Bool, context: ChannelHandlerContext) {
        var whole = data
        if var earlier = fragments {
            earlier.writeImmutableBuffer(data)
            whole = earlier
        }
        guard whole.readableBytes <= Self.maxBytes else {
            context.close(promise: nil)
            return
        }
        guard isLast else {
            fragments = whole
            return
        }
        fragments = nil
        // An unreadable frame of a newer protocol is ignored; a row that is missed that way causes a gap.
        if let frame = try? WireCodec.decodeServerFrame(Array(whole.readableBytesView)) { frames.append(frame) }
    }

    private func handOver() {
        let burst = frames
        frames.removeAll(keepingCapacity: burst.count <= 64)
        received(burst)
    }

    private func reply(_ opcode: WebSocketOpcode, _ data: ByteBuffer, context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(from: &masks), data: data)
        context.write(wrapOutboundOut(frame), promise: nil)
        wrote = true
    }
}

extension WebSocketMaskingKey {
    /// A mask from a seeded generator: it only has to be unpredictable for proxies between client and server.
    static func random(from source: inout RandomSource) -> WebSocketMaskingKey {
        let bits = source.next()
        return [
            UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
            UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 24),
        ]
    }
}

/// Reads the status of a server that does not upgrade.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let lost: (LossReason) -> Void

    init(lost: @escaping (LossReason) -> Void) { self.lost = lost }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let seconds = head.headers.first(name: "Retry-After").flatMap { Int64($0) } ?? 0
        lost(
            .upgradeRefused(
                status: Int(head.status.code), retryAfterMs: seconds > 0 ? min(seconds, 3_600) * 1_000 : nil))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(.interrupted("The server closed the connection instead of opening a WebSocket."))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
