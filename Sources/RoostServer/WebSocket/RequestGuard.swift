import NIOCore
import NIOHTTP1

/// Limits an incomplete HTTP request: the bytes of the head, and the time for head, body and idling.
///
/// It is placed before the decoder and sees bytes; the gate behind the decoder reports where a request begins and
/// ends. The deadlines are absolute, so sending slowly does not extend them.
///
/// While the gate answers a request, what is behind it waits here: as bytes, since heads that are read need many times as much
/// memory as those that are not. For the same reason the decoder gets only a little at once.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase: Equatable {
        case head
        case body
        case rest
    }

    /// How many bytes may have heads in them and are decoded at once.
    private static let slice = 2_048

    /// Whether what arrives waits here. It goes on with `goOn`.
    var isHolding = false

    private let configuration: ServerConfiguration
    private let share: ConnectionMemory.Share?
    private var phase = Phase.head
    private var headBytes = 0
    /// What waits, and whether the client has closed its side after it.
    private var held = ByteBuffer()
    private var noted = 0
    private var isInputClosed = false
    private var isPassing = false
    /// How many bytes of the body are still to come, as far as its head says it.
    private var bodyLeft = 0
    private var isEndless = false
    /// Whether the request uploads a file, and how many bytes of it have arrived since the deadline was set.
    private var isUpload = false
    private var uploadedBytes = 0
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(configuration: ServerConfiguration, share: ConnectionMemory.Share? = nil) {
        self.configuration = configuration
        self.share = share
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        setDeadline(configuration.headerDeadline)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // What is behind an upgrade belongs to the next protocol.
        let isForNext = self.context != nil && held.readableBytes > 0
        forget()
        guard isForNext else { return }
        let rest = held
        held.clear()
        noteHeld()
        context.fireChannelRead(Self.wrapInboundOut(rest))
    }

    func channelInactive(context: ChannelHandlerContext) {
        forget()
        context.fireChannelInactive()
    }

    private func forget() {
        deadline?.cancel()
        deadline = nil
        context = nil
    }

    private func setDeadline(_ ms: Int64) {
        deadline?.cancel()
        guard let context else { return }
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: .milliseconds(ms)) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.context != nil else { return }
        var bytes = Self.unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        goOn()
    }

    /// Passes on what waits here, until the gate answers a request.
    func goOn() {
        guard !isPassing else { return }
        isPassing = true
        while !isHolding, let context, held.readableBytes > 0 {
            let most = phase == .body ? max(bodyLeft, Self.slice) : Self.slice
            guard let bytes = held.readSlice(length: min(most, held.readableBytes)) else { break }
            pass(bytes, context)
        }
        isPassing = false
        // Its memory is the decoder's now.
        if held.readableBytes == 0 { held = ByteBuffer() }
        noteHeld()
        guard isInputClosed, held.readableBytes == 0, let context else { return }
        isInputClosed = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    private func noteHeld() {
        guard held.readableBytes != noted else { return }
        noted = held.readableBytes
        share?.set(held: noted)
    }

    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        if phase == .rest {
            phase = .head
            headBytes = 0
            setDeadline(configuration.headerDeadline)
        }
        switch phase {
        case .head: headBytes += bytes.readableBytes
        case .body: uploadedBytes += bytes.readableBytes
        case .rest: break
        }
        context.fireChannelRead(Self.wrapInboundOut(bytes))
        guard phase == .head, self.context != nil else { return }
        share?.set(head: headBytes)
        if headBytes > configuration.maxHeaderBytes { refuse(context) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        forget()
        var buffer = context.channel.allocator.buffer(capacity: 128)
        buffer.writeString(
            "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(buffer), promise: written)
    }

    /// Notes that the head of a request is complete.
    func headIsComplete(_ head: HTTPRequestHead, isUpload: Bool) {
        phase = .body
        self.isUpload = isUpload
        isEndless = head.headers.contains(name: "transfer-encoding")
        bodyLeft = head.headers.first(name: "content-length").flatMap { Int($0) }.map { max(0, $0) } ?? 0
        // What was read with the end of the head may be a part of the body.
        share?.beginRequest(head: min(headBytes, configuration.maxHeaderBytes), isUpload: isUpload)
        if isUpload { awaitUpload() } else { setDeadline(configuration.bodyDeadline) }
    }

    /// Notes that a part of the body has arrived.
    func bodyHasAdvanced(_ bytes: Int) { bodyLeft = max(0, bodyLeft - bytes) }

    /// Whether more of the body may come than is taken of a request that is answered already.
    var hasLongRest: Bool { isEndless || bodyLeft > configuration.maxBodyBytes }

    /// An upload may take any time, but it must make progress.
    private func awaitUpload() {
        deadline?.cancel()
        uploadedBytes = 0
        guard let context else { return }
        let channel = context.channel
        let most = configuration.bodyDeadline
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(most)) { [weak self] in
            guard let self, self.phase == .body else { return }
            // 1 KiB/s.
            if Int64(self.uploadedBytes) * 1_000 >= most * 1_024 {
                self.awaitUpload()
            } else {
                channel.close(promise: nil)
            }
        }
    }

    /// Notes that a request is complete.
    func requestIsComplete() {
        phase = .rest
        // Storing a file in a remote storage takes time.
        setDeadline(isUpload ? configuration.storeDeadline : configuration.keepAlive)
    }

    /// Notes that a part of a response was written: the next one, or the next request, may take as long as between two
    /// requests.
    func responseHasAdvanced() {
        if phase == .rest { setDeadline(configuration.keepAlive) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, phase == .head {
            // A connection without a request would otherwise delay the shutdown until its deadline.
            context.close(promise: nil)
        } else if event as? ChannelEvent == .inputClosed, held.readableBytes > 0 {
            isInputClosed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
