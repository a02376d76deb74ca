import NIOCore
import NIOWebSocket

/// The largest frame that a connection takes now, in bytes; it grows with the login. For one event loop.
final class FrameLimit {
    var bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }
}

/// NIO's decoder with a check from RFC 6455, 5.2 that it omits: a length must use the shortest encoding, and the top
/// bit of a 64-bit length must be 0. A frame that is too large is an error at its head, and nothing of it is kept.
final class CheckedFrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = WebSocketFrame

    /// A length that violates RFC 6455.
    struct BadLength: Error {}

    private let decoder: WebSocketFrameDecoder
    private let limit: FrameLimit
    private let share: ConnectionMemory.Share?
    /// The bytes of the buffer in which an incomplete frame waits.
    private var held = 0
    /// Whether NIO's decoder has read the length of a frame and is waiting for the rest.
    private var isInFrame = false

    /// - Parameter frameBytes: the largest frame that `limit` ever allows.
    init(frameBytes: Int, limit: FrameLimit, share: ConnectionMemory.Share? = nil) {
        decoder = WebSocketFrameDecoder(maxFrameSize: frameBytes)
        self.limit = limit
        self.share = share
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let state = try decodeNext(context, &buffer)
        let waiting = state == .needMoreData && buffer.readableBytes > 0 ? buffer.storageCapacity : 0
        if waiting != held {
            held = waiting
            share?.set(frame: waiting)
        }
        return state
    }

    private func decodeNext(_ context: ChannelHandlerContext, _ buffer: inout ByteBuffer) throws -> DecodingState {
        if !isInFrame {
            guard try hasLength(buffer) else { return .needMoreData }
            isInFrame = true
        }
        let state = try decoder.decode(context: context, buffer: &buffer)
        if state == .continue { isInFrame = false }
        return state
    }

    /// Whether the whole length of a frame has arrived.
    /// - Throws: `BadLength`, or `NIOWebSocketError.invalidFrameLength` if it is above the limit.
    private func hasLength(_ buffer: ByteBuffer) throws -> Bool {
        let start = buffer.readerIndex
        guard let second = buffer.getInteger(at: start + 1, as: UInt8.self) else { return false }
        let length: UInt64
        switch second & 0x7F {
        case 126:
            guard let short = buffer.getInteger(at: start + 2, as: UInt16.self) else { return false }
            guard short > 125 else { throw BadLength() }
            length = UInt64(short)
        case 127:
            guard let long = buffer.getInteger(at: start + 2, as: UInt64.self) else { return false }
            guard long > 0xFFFF, long <= UInt64(Int64.max) else { throw BadLength() }
            length = long
        default: return true
        }
        guard length <= UInt64(limit.bytes) else { throw NIOWebSocketError.invalidFrameLength }
        return true
    }
}
