import NIOCore
import NIOWebSocket

/// Encodes and decodes frames, bypassing parts of NIO's codec.
///
/// A server does not mask its frames, so all receivers of an event can share one buffer, which NIO's encoder does not
/// allow.
enum WebSocketFrames {
    /// A text frame.
    static func text(_ payload: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
        frame(0x81, payload, allocator)
    }

    /// An empty ping.
    static let ping = frame(0x89, [], ByteBufferAllocator())

    /// A pong.
    static func pong(_ payload: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
        frame(0x8A, payload, allocator)
    }

    /// A close frame with its code, or without a code if the client's close frame had none.
    static func close(_ code: UInt16?, _ reason: String, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        guard let code else { return frame(0x88, [], allocator) }
        let bytes = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        return frame(0x88, bytes + Array(reason.utf8.prefix(123)), allocator)
    }

    private static func frame(_ first: UInt8, _ payload: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: payload.count + 10)
        buffer.writeInteger(first)
        switch payload.count {
        case ...125: buffer.writeInteger(UInt8(truncatingIfNeeded: payload.count))
        case ...0xFFFF:
            buffer.writeInteger(126 as UInt8)
            buffer.writeInteger(UInt16(truncatingIfNeeded: payload.count))
        default:
            buffer.writeInteger(127 as UInt8)
            buffer.writeInteger(UInt64(payload.count))
        }
        buffer.writeBytes(payload)
        return buffer
    }

    /// Copies and unmasks a frame of NIO's decoder in one pass.
    static func read(_ frame: WebSocketFrame) -> WebSocketSession.Frame {
        WebSocketSession.Frame(
            isFinal: frame.fin, hasReservedBits: frame.rsv1 || frame.rsv2 || frame.rsv3,
            opcode: UInt8(webSocketOpcode: frame.opcode), isMasked: frame.maskKey != nil,
            payload: unmask(frame.data, frame.maskKey))
    }

    private static func unmask(_ data: ByteBuffer, _ mask: WebSocketMaskingKey?) -> [UInt8] {
        guard let mask else { return Array(data.readableBytesView) }
        let key = (mask[0], mask[1], mask[2], mask[3])
        var word: UInt64 = 0
        withUnsafeMutableBytes(of: &word) { bytes in
            for index in 0..<8 { bytes[index] = mask[index & 3] }
        }
        // All empty arrays share one storage, into which the initializer would write a count of 0.
        guard data.readableBytes > 0 else { return [] }
        return data.withUnsafeReadableBytes { source in
            [UInt8](unsafeUninitializedCapacity: source.count) { target, count in
                let raw = UnsafeMutableRawBufferPointer(target)
                var at = 0
                while at + 8 <= source.count {
                    let clear = source.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ word
                    raw.storeBytes(of: clear, toByteOffset: at, as: UInt64.self)
                    at += 8
                }
                while at < source.count {
                    let byte =
                        switch at & 3 {
                        case 0: key.0
                        case 1: key.1
                        case 2: key.2
                        default: key.3
                        }
                    raw[at] = source[at] ^ byte
                    at += 1
                }
                count = source.count
            }
        }
    }
}
