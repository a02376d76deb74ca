import HTTPTypes
import NIOCore
import NIOHTTP1
import RoostWire
import Synchronization

/// Whether the server is shutting down.
final class Draining: Sendable {
    private let flag = Atomic(false)

    var isOn: Bool { flag.load(ordering: .relaxed) }

    func begin() { flag.store(true, ordering: .relaxed) }
}

/// Limits an incomplete HTTP request: the bytes of the head, and the time for head, body and idling.
///
/// It is placed before the decoder and sees bytes; the gate behind the decoder reports where a request begins and
/// ends. The deadlines are absolute, so sending slowly does not extend them.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase: Equatable {
        case head
        case body
        case rest
    }

    private let configuration: ServerConfiguration
    private let share: ConnectionMemory.Share?
    private var phase = Phase.head
    private var headBytes = 0
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

    func handlerRemoved(context: ChannelHandlerContext) { forget() }

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
        if phase == .rest {
            phase = .head
            headBytes = 0
            setDeadline(configuration.headerDeadline)
        }
        switch phase {
        case .head: headBytes += Self.unwrapInboundIn(data).readableBytes
        case .body: uploadedBytes += Self.unwrapInboundIn(data).readableBytes
        case .rest: break
        }
        context.fireChannelRead(data)
        guard phase == .head else { return }
        share?.set(head: headBytes)
        if headBytes > configuration.maxHeaderBytes { refuse(context) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        guard self.context != nil else { return }
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
    func headIsComplete(isUpload: Bool) {
        phase = .body
        self.isUpload = isUpload
        // What was read with the end of the head may be a part of the body.
        share?.beginRequest(head: min(headBytes, configuration.maxHeaderBytes), isUpload: isUpload)
        if isUpload { awaitUpload() } else { setDeadline(configuration.bodyDeadline) }
    }

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
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

extension ConnectionMemory.Share {
    /// Notes a part of a response, which may begin before the end of its request.
    fileprivate func note(_ part: HTTPServerResponsePart, isBeforeEnd: Bool) {
        switch part {
        case .head(let head): if isBeforeEnd, head.status.code >= 200 { dropBody() }
        case .body: break
        case .end: endRequest()
        }
    }
}

/// Decides which requests may become WebSockets, before NIO's upgrader sees them.
///
/// The upgrader of NIO 2.101 drops the head of a request that it does not upgrade, so the client would get no
/// response. Therefore it sees only upgrades that will succeed: a refused one is answered here, and any other request
/// loses its `Upgrade` header and continues as plain HTTP.
///
/// It also answers `/healthz`, on the event loop: a watchdog gets its answer while all threads of the tasks are busy.
final class UpgradeGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    static let path = "/v1/connect"
    static let healthPath = "/healthz"
    static let health = Array(#"{"alive":true}"#.utf8)

    private let configuration: ServerConfiguration
    private let draining: Draining
    private let requestGuard: RequestGuard
    private let notices: Notices
    private let share: ConnectionMemory.Share?
    private var isFirst = true
    private var isRefused = false
    /// The requests that were passed on and have no complete response yet: only after those a response from here is in order.
    private var unanswered = 0
    /// The request to answer here when it is complete.
    private var check: HTTPRequestHead?
    /// Whether the end of a request is still to come.
    private var isReceiving = false
    /// Whether the response that is being written refuses a request whose body is still to come.
    private var endsConnection = false
    private var isEnding = false
    /// How many bytes have come after the end of the response, and how many of them are read.
    private var superfluous = 0
    private static let mostSuperfluous = 1 << 20

    init(
        configuration: ServerConfiguration, draining: Draining, requestGuard: RequestGuard, notices: Notices,
        share: ConnectionMemory.Share? = nil
    ) {
        self.share = share
        self.configuration = configuration
        self.draining = draining
        self.requestGuard = requestGuard
        self.notices = notices
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if isEnding {
            if case .body(let bytes) = Self.unwrapInboundIn(data) { superfluous += bytes.readableBytes }
            return
        }
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            isReceiving = true
            requestGuard.headIsComplete(isUpload: Self.isUpload(head))
            receive(head, context)
        case .body(let bytes):
            guard check == nil else { return }
            share?.received(bytes.readableBytes)
            context.fireChannelRead(data)
        case .end:
            isReceiving = false
            requestGuard.requestIsComplete()
            if let check = check.take() { answerHealth(check, context) } else { context.fireChannelRead(data) }
        }
    }

    func read(context: ChannelHandlerContext) {
        if !isEnding || superfluous < Self.mostSuperfluous { context.read() }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        let isUpgrade = isFirst && Self.isUpgrade(head)
        let refusal = Origins.refusal(
            of: head, isConnecting: isUpgrade || Self.isConnect(head.uri) || head.method == .POST, configuration)
        if let refusal {
            let address = configuration.forwardedAddress(in: head.headers) ?? context.remoteAddress?.ipAddress
            notices.warn(of: refusal, from: address)
        }
        if configuration.hasUnreadableAddress(head.headers) { notices.warnOfForwardedAddress() }
        if let address = context.channel.remoteAddress?.ipAddress,
            configuration.hasUnknownProxy(head.headers, from: address)
        {
            notices.warnOfProxy(address)
        }
        if isUpgrade {
            if draining.isOn {
                refuse(.serviceUnavailable, WireError(.draining, retryAfterMs: 2_000), context)
                return
            }
            if let refusal {
                refuse(.forbidden, WireError(.noPrivilege, refusal.sentence), context)
                return
            }
        } else {
            head.headers.remove(name: "upgrade")
            let name = HTTPField.Name.roostRefused.rawName
            head.headers.remove(name: name)
            // The router responds in the order of the requests; a response from here could overtake one of them.
            if let refusal { head.headers.add(name: name, value: refusal.sentence) }
        }
        if unanswered == 0, refusal == nil, Self.isHealth(head) {
            check = head
            return
        }
        isFirst = false
        unanswered += 1
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        requestGuard.responseHasAdvanced()
        share?.note(Self.unwrapOutboundIn(data), isBeforeEnd: isReceiving && unanswered == 1)
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where isReceiving && unanswered == 1 && Self.isFinal(head.status):
            endsConnection = true
            head.headers.replaceOrAdd(name: "connection", value: "close")
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
            return
        case .head, .body: break
        case .end:
            unanswered -= 1
            guard endsConnection else { break }
            end(context, data, promise)
            return
        }
        context.write(data, promise: promise)
    }

    /// Whether a refusal makes the rest of the request useless, because its sender may not send it.
    private static func isFinal(_ status: HTTPResponseStatus) -> Bool {
        status == .unauthorized || status == .forbidden
    }

    /// Ends a response and the connection: its sender gets some time to read the response, and of what it still sends only a
    /// little is read, for those who send everything first.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        isEnding = true
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        written.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
        context.eventLoop.scheduleTask(in: .milliseconds(configuration.closeGrace)) { channel.close(promise: nil) }
        context.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Without another request, nothing behind this gate closes the connection.
        let isOver = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
        if isOver, isFirst, check == nil {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Whether a request of no page asks if the server is alive.
    private static func isHealth(_ head: HTTPRequestHead) -> Bool {
        head.uri == healthPath && (head.method == .GET || head.method == .HEAD)
            && !head.headers.contains(name: "origin")
    }

    private func answerHealth(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        share?.endRequest()
        var headers: HTTPHeaders = [
            "content-type": "application/json", "cache-control": "no-store", "content-length": "\(Self.health.count)",
        ]
        let isLast = !request.isKeepAlive || draining.isOn
        if isLast { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        if request.method == .GET {
            let body = context.channel.allocator.buffer(bytes: Self.health)
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        if isLast { written.futureResult.whenComplete { _ in channel.close(promise: nil) } }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: written)
    }

    /// Whether the body of this request is a file.
    private static func isUpload(_ head: HTTPRequestHead) -> Bool {
        (head.method == .PATCH || head.method == .POST)
            && (head.uri.hasPrefix(FilesController.path + "/") || head.uri == FilesController.path
                || head.uri.hasPrefix(FilesController.path + "?"))
    }

    /// Whether a request is for the endpoint of the WebSockets.
    private static func isConnect(_ target: String) -> Bool { target == path || target.hasPrefix(path + "?") }

    /// Whether the upgrader will accept this request.
    static func isUpgrade(_ head: HTTPRequestHead) -> Bool {
        let headers = head.headers
        guard head.method == .GET, head.version == .http1_1,
            isConnect(head.uri),
            headers[canonicalForm: "upgrade"].map({ $0.lowercased() }) == ["websocket"],
            headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }),
            headers["sec-websocket-version"] == ["13"],
            headers["transfer-encoding"].isEmpty,
            headers["content-length"].allSatisfy({ $0 == "0" })
        else { return false }
        let keys = headers["sec-websocket-key"]
        return keys.count == 1 && keys.allSatisfy(isKey)
    }

    /// Whether this is the base64 form of 16 bytes.
    private static func isKey(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        guard bytes.count == 24, bytes[22...] == [UInt8(ascii: "="), UInt8(ascii: "=")] else { return false }
        return bytes[..<22].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    private func refuse(_ status: HTTPResponseStatus, _ error: WireError, _ context: ChannelHandlerContext) {
        isRefused = true
        let json = HTTPAnswer.json(error)
        var headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": "\(json.count)", "connection": "close",
        ]
        if let wait = HTTPAnswer.retryAfter(error) { headers.add(name: "retry-after", value: "\(wait)") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        let body = context.channel.allocator.buffer(bytes: json)
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: written)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isFirst, error is HTTPParserError, !isRefused {
            refuse(.badRequest, WireError(.dataFormat, "This is not an HTTP request."), context)
        } else {
            context.fireErrorCaught(error)
        }
    }
}
