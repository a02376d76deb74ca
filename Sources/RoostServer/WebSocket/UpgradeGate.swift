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
///
/// It lets one request through at a time: the next one when the socket has the whole response before it. Until then nothing more
/// is read, so whoever does not read responses cannot pile them up.
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
    private let connections: Connections?
    private let upgradeLimit: UpgradeLimit
    /// Whether no request becomes a WebSocket.
    private let isForHTTPOnly: Bool
    private var context: ChannelHandlerContext?
    private var isFirst = true
    private var isRefused = false
    private var isUpgrading = false
    /// Whether a request was let through and the socket does not have all of its response yet.
    private var isTaken = false
    /// Done when the socket has all of the last response.
    private var written: EventLoopFuture<Void>?
    /// What came behind that request, with the next head first.
    private var held = CircularBuffer<Held>()
    private var isGoingOn = false
    private var isReadWanted = false
    /// Whether something was passed on since the last time that this was said.
    private var hasNews = false
    /// The request to answer here when it is complete.
    private var check: HTTPRequestHead?
    /// Whether the end of a request is still to come.
    private var isReceiving = false
    /// Whether the response that is being written refuses a request whose body is still to come.
    private var endsConnection = false
    private var isEnding = false
    /// How many bytes have come after the end of the response, and how many of them are read.
    private var superfluous = 0
    private static let maxDiscarded = 1 << 20

    private enum Held {
        case part(HTTPServerRequestPart)
        case inputClosed
        case error(any Error)

        var isHead: Bool { if case .part(.head) = self { true } else { false } }
    }

    init(
        configuration: ServerConfiguration, draining: Draining, requestGuard: RequestGuard, notices: Notices,
        upgradeLimit: UpgradeLimit, share: ConnectionMemory.Share? = nil, connections: Connections? = nil,
        isForHTTPOnly: Bool = false
    ) {
        self.isForHTTPOnly = isForHTTPOnly
        self.upgradeLimit = upgradeLimit
        self.share = share
        self.connections = connections
        self.configuration = configuration
        self.draining = draining
        self.requestGuard = requestGuard
        self.notices = notices
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        let part = Self.unwrapInboundIn(data)
        if isEnding {
            if case .body(let bytes) = part { superfluous += bytes.readableBytes }
        } else if !held.isEmpty || isTaken && Held.part(part).isHead {
            held.append(.part(part))
        } else {
            take(part, context)
        }
        requestGuard.isHolding = isHolding
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        hasNews = true
        switch part {
        case .head(let head):
            isTaken = true
            isReceiving = true
            connections?.noteRequest(on: context.channel)
            requestGuard.headIsComplete(head, isUpload: Self.isUpload(head))
            receive(head, context)
        case .body(let bytes):
            requestGuard.bodyHasAdvanced(bytes.readableBytes)
            guard check == nil else { return }
            share?.received(bytes.readableBytes)
            context.fireChannelRead(Self.wrapInboundOut(part))
        case .end:
            isReceiving = false
            requestGuard.requestIsComplete()
            if let check = check.take() {
                answerHealth(check, context)
            } else {
                context.fireChannelRead(Self.wrapInboundOut(part))
            }
            noteRest(context)
        }
    }

    /// Whether the next request waits for the response before it.
    private var isHolding: Bool {
        !isEnding && !isRefused && !isUpgrading && (!held.isEmpty || isTaken && !isReceiving)
    }

    private func noteRest(_ context: ChannelHandlerContext) {
        if !isTaken, !isReceiving, !isEnding { connections?.noteRest(on: context.channel) }
    }

    /// Lets the next request through, as the socket has the response before it.
    private func goOn() {
        isTaken = false
        guard let context, !isGoingOn else { return }
        isGoingOn = true
        while !isEnding, !isRefused, let next = held.first, !isTaken || !next.isHead {
            held.removeFirst()
            switch next {
            case .part(let part): take(part, context)
            case .inputClosed: pass(ChannelEvent.inputClosed, context)
            case .error(let error): catchError(error, context)
            }
        }
        isGoingOn = false
        requestGuard.isHolding = isHolding
        requestGuard.goOn()
        guard self.context != nil else { return }
        noteRest(context)
        if hasNews {
            hasNews = false
            context.fireChannelReadComplete()
        }
        guard isReadWanted, !isHolding else { return }
        isReadWanted = false
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        hasNews = false
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isHolding {
            isReadWanted = true
        } else if !isEnding || superfluous < Self.maxDiscarded {
            context.read()
        }
    }

    private func receive(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        let isUpgrade = isFirst && !isForHTTPOnly && Self.isUpgrade(head)
        let refusal = Origins.refusal(
            of: head, isConnecting: isUpgrade || Self.isConnect(head.uri) || head.method == .POST, configuration)
        let client = configuration.forwardedAddress(in: head.headers) ?? context.remoteAddress?.ipAddress
        if let refusal { notices.warn(of: refusal, from: client) }
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
            if let error = upgradeLimit.count(client, now: UpgradeLimit.now) {
                notices.warn(ofUpgrades: error, from: client, head.headers.first(name: "origin"))
                refuse(.tooManyRequests, error, context)
                return
            }
        } else {
            head.headers.remove(name: "upgrade")
            let name = HTTPField.Name.roostRefused.rawName
            head.headers.remove(name: name)
            if let refusal { head.headers.add(name: name, value: refusal.sentence) }
        }
        if refusal == nil, Self.isHealth(head) {
            check = head
            return
        }
        isFirst = false
        isUpgrading = isUpgrade
        if isUpgrade, isReadWanted {
            isReadWanted = false
            context.read()
        }
        context.fireChannelRead(Self.wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        requestGuard.responseHasAdvanced()
        share?.note(Self.unwrapOutboundIn(data), isBeforeEnd: isReceiving)
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where isReceiving && isFinal(head.status):
            endsConnection = true
            head.headers.replaceOrAdd(name: "connection", value: "close")
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
            return
        case .head, .body: break
        case .end:
            guard !endsConnection else { return end(context, data, promise) }
            let written = makePromise(context)
            written.futureResult.cascade(to: promise)
            context.write(data, promise: written)
            return
        }
        context.write(data, promise: promise)
    }

    /// A promise that the socket has a whole response.
    private func makePromise(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.goOn() }
        self.written = written.futureResult
        return written
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, let written else { return context.close(mode: mode, promise: promise) }
        // If the client has closed its side, NIO closes both at once, and drops what the socket does not have yet.
        written.assumeIsolated().whenComplete { [weak self] _ in
            guard let context = self?.context else {
                promise?.fail(ChannelError.alreadyClosed)
                return
            }
            context.close(mode: mode, promise: promise)
        }
    }

    /// Whether a response makes the rest of the request useless: a refusal, or one that has not waited for a long body.
    private func isFinal(_ status: HTTPResponseStatus) -> Bool {
        status.code >= 400 || status.code >= 200 && requestGuard.hasLongRest
    }

    /// Ends a response and the connection: its sender gets some time to read the response, and of what it still sends only a
    /// little is read, for those who send everything first.
    private func end(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        isEnding = true
        held.removeAll()
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        written.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
        context.eventLoop.scheduleTask(in: .milliseconds(configuration.closeGrace)) { channel.close(promise: nil) }
        context.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, !isEnding, !held.isEmpty || isFirst && isTaken {
            held.append(.inputClosed)
        } else {
            pass(event, context)
        }
    }

    private func pass(_ event: Any, _ context: ChannelHandlerContext) {
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
            && !head.headers.contains(name: "origin") && !head.headers.contains(name: "transfer-encoding")
            && head.headers["content-length"].allSatisfy { $0 == "0" }
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
        let written = makePromise(context)
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
        if held.isEmpty { catchError(error, context) } else { held.append(.error(error)) }
    }

    private func catchError(_ error: any Error, _ context: ChannelHandlerContext) {
        if isFirst, error is HTTPParserError, !isRefused {
            refuse(.badRequest, WireError(.dataFormat, "This is not an HTTP request."), context)
        } else {
            context.fireErrorCaught(error)
        }
    }
}
