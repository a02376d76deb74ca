import NIOCore

/// Writes at once what is flushed at once, behind TLS: otherwise the head and the content of a frame are a record each.
///
/// Apache 2.4 does not look for a second record that has arrived with the first one, so the client and the server would wait for
/// each other.
final class WriteJoiner: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var pending: ByteBuffer?
    private var written: EventLoopPromise<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = Self.unwrapOutboundIn(data)
        if pending == nil { pending = bytes } else { pending?.writeBuffer(&bytes) }
        guard let promise else { return }
        let written = written ?? context.eventLoop.makePromise(of: Void.self)
        self.written = written
        written.futureResult.cascade(to: promise)
    }

    func flush(context: ChannelHandlerContext) {
        pass(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        pass(context)
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        pending = nil
        written.take()?.fail(ChannelError.ioOnClosedChannel)
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard let bytes = pending.take() else { return }
        context.write(Self.wrapOutboundOut(bytes), promise: written.take())
    }
}
