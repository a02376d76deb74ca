import NIOCore

/// Keeps TLS from holding more than it has to. It is placed above the handler for TLS.
///
/// That handler encrypts all that is flushed at once into one buffer, which stays as large as it has ever been, and nobody measures
/// it. So it gets only a little at once. And when the server closes a connection, it waits for the time limit although the client has
/// closed its side, too, if halves of connections may be closed.
final class TLSLimits: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many bytes are encrypted at once: two records of TLS.
    static let part = 32 * 1_024

    /// How many bytes were written since the last flush.
    private var written = 0
    private var isClosing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = Self.unwrapOutboundIn(data)
        while written + bytes.readableBytes > Self.part, let slice = bytes.readSlice(length: Self.part - written) {
            context.writeAndFlush(Self.wrapOutboundOut(slice), promise: nil)
            written = 0
        }
        written += bytes.readableBytes
        context.write(Self.wrapOutboundOut(bytes), promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        written = 0
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all { isClosing = true }
        context.close(mode: mode, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if isClosing, event as? ChannelEvent == .inputClosed { context.channel.cut() }
    }
}
