import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import RoostServer

@Suite struct CheckedFrameDecoderTests {
    /// A way to write the length of a frame.
    enum Form: Sendable {
        case short
        case word
        case quadword
    }

    /// The start of a masked text frame with this length.
    private static func header(_ length: UInt64, _ form: Form) -> [UInt8] {
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
        let start: [UInt8] =
            switch form {
            case .short: [0x80 | (bytes.last ?? 0)]
            case .word: [0x80 | 126] + bytes.suffix(2)
            case .quadword: [0x80 | 127] + bytes
            }
        return [0x81] + start
    }

    private static func channel(_ limit: FrameLimit = FrameLimit(70_000)) -> EmbeddedChannel {
        EmbeddedChannel(handler: ByteToMessageHandler(CheckedFrameDecoder(frameBytes: 70_000, limit: limit)))
    }

    @Test(arguments: [(8_193, .word), (65_535, .word), (65_536, .quadword), (70_000, .quadword)] as [(UInt64, Form)])
    func `a frame above the limit of now is an error at its head, and fits when the limit has grown`(
        length: UInt64, form: Form
    ) throws {
        let limit = FrameLimit(8_192)
        let early = Self.channel(limit)
        defer { _ = try? early.finish(acceptAlreadyClosed: true) }
        #expect(throws: NIOWebSocketError.invalidFrameLength) {
            try early.writeInbound(ByteBuffer(bytes: Self.header(length, form)))
        }
        let later = Self.channel(limit)
        defer { _ = try? later.finish(acceptAlreadyClosed: true) }
        let frame = Self.header(8_192, .word) + [1, 2, 3, 4] + [UInt8](repeating: 0x78, count: 8_192)
        try later.writeInbound(ByteBuffer(bytes: frame))
        #expect(try later.readInbound(as: WebSocketFrame.self)?.length == 8_192)
        limit.bytes = 70_000
        try later.writeInbound(
            ByteBuffer(
                bytes: Self.header(length, form) + [1, 2, 3, 4] + [UInt8](repeating: 0x78, count: Int(length))))
        #expect(try later.readInbound(as: WebSocketFrame.self)?.length == Int(length))
    }

    @Test(
        arguments: [
            (0, .short), (1, .short), (125, .short), (126, .word), (300, .word), (65_535, .word), (65_536, .quadword),
        ] as [(Int, Form)])
    func `a length in its shortest form is read, however the bytes come`(length: Int, form: Form) throws {
        let frame = Self.header(UInt64(length), form) + [1, 2, 3, 4] + [UInt8](repeating: 0x78, count: length)
        // The header in single bytes, and two frames at once.
        for pieces in [frame.prefix(20).map { [$0] } + [Array(frame.dropFirst(20))], [frame + frame]] {
            let channel = Self.channel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            for piece in pieces { try channel.writeInbound(ByteBuffer(bytes: piece)) }
            var lengths: [Int] = []
            while let frame = try channel.readInbound(as: WebSocketFrame.self) { lengths.append(frame.length) }
            #expect(lengths == Array(repeating: length, count: pieces.count == 1 ? 2 : 1))
        }
    }

    @Test(
        arguments: [
            (0, .word), (125, .word), (0, .quadword), (125, .quadword), (126, .quadword), (65_535, .quadword),
            (1 << 63, .quadword), (.max, .quadword),
        ] as [(UInt64, Form)])
    func `a length in a longer form, or with its highest bit set, is an error`(length: UInt64, form: Form) throws {
        let header = Self.header(length, form)
        for pieces in [[header], header.map { [$0] }] {
            let channel = Self.channel()
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            #expect(throws: CheckedFrameDecoder.BadLength.self) {
                for piece in pieces { try channel.writeInbound(ByteBuffer(bytes: piece)) }
            }
        }
    }
}
