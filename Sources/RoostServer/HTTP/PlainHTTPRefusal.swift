import NIOCore
import RoostWire

/// Answers a client that speaks plain HTTP to the port of HTTPS; to others TLS would say nothing that a person sees.
///
/// It is placed before TLS and leaves with the first bytes.
final class PlainHTTPRefusal: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of a TLS connection: that of a handshake.
    private static let handshake: UInt8 = 22

    /// How much of a request is read and forgotten, for those who send everything first.
    private static let maxDiscarded = 1 << 20

    private let closeGrace: Int64
    private var isRefused = false
    private var discarded = 0

    /// - Parameter closeGrace: how long the client gets to read the answer, in ms.
    init(closeGrace: Int64) { self.closeGrace = closeGrace }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        discarded += bytes.readableBytes
        guard !isRefused else { return }
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        if first == Self.handshake || !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        isRefused = true
        let body = HTTPAnswer.json(WireError(.dataFormat, "This port is for HTTPS: begin the address with https://."))
        var answer = context.channel.allocator.buffer(capacity: 512)
        answer.writeString(
            """
            HTTP/1.1 400 Bad Request\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r\n
            """)
        answer.writeBytes(body)
        let written = context.eventLoop.makePromise(of: Void.self)
        // TLS has nothing to say to this client, so its way of closing is passed by.
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(closeGrace)) { context.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(answer), promise: written)
    }

    func read(context: ChannelHandlerContext) {
        if !isRefused || discarded < Self.maxDiscarded { context.read() }
    }
}
