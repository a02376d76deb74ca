import NIOCore
import NIOWebSocket

/// NIO's decoder with a check from RFC 6455, 5.2 that it omits: a length must use the shortest encoding, and the top
/// bit of a 64-bit length must be 0.
final class CheckedFrameDecoder: ByteToMessageDecoder {
    typealias InboundOut = WebSocketFrame

    /// A length that violates RFC 6455.
    struct BadLength: Error {}

    private let decoder: WebSocketFrameDecoder
    /// Whether NIO's decoder has read the length of a frame and is waiting for the rest.
    private var isInFrame = false

    init(frameBytes: Int) { decoder = WebSocketFrameDecoder(maxFrameSize: frameBytes) }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        if !isInFrame {
            guard try Self.hasLength(buffer) else { return .needMoreData }
            isInFrame = true
        }
        let state = try decoder.decode(context: context, buffer: &buffer)
        if state == .continue { isInFrame = false }
        return state
    }

    /// Whether the whole length of a frame has arrived.
    /// - Throws: `BadLength`.
    private static func hasLength(_ buffer: ByteBuffer) throws(BadLength) -> Bool {
        let start = buffer.readerIndex
        guard let second = buffer.getInteger(at: start + 1, as: UInt8.self) else { return false }
        switch second & 0x7F {
        case 126:
            guard let length = buffer.getInteger(at: start + 2, as: UInt16.self) else { return false }
            guard length > 125 else { throw BadLength() }
        case 127:
            guard let length = buffer.getInteger(at: start + 2, as: UInt64.self) else { return false }
            guard length > 0xFFFF, length <= UInt64(Int64.max) else { throw BadLength() }
        default: break
        }
        return true
    }
}
