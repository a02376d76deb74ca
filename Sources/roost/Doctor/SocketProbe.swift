import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// One exchange over a socket, to see who answers.
enum SocketProbe {
    struct Answer: Sendable {
        var text: String
        /// The certificate of the other side is valid from and until, in ms since 1970; nil without TLS.
        var certificate: ClosedRange<Int64>?
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// Whether nothing listens there.
        var isRefused = false
    }

    /// Connects, sends something, and reads.
    /// - Parameters:
    ///   - checksName: whether the certificate has to be valid for the host.
    ///   - until: what ends the answer; nil for the end of the connection.
    ///   - most: the most bytes that are read; the rest is left.
    /// - Throws: ``Failure``, also after five seconds.
    static func exchange(
        _ host: String, _ port: Int, isTLS: Bool = false, checksName: Bool = true, sending: String = "", until: String?,
        atMost most: Int = 64 << 10
    ) async throws(Failure) -> Answer {
        // URLs have brackets around an address of IPv6.
        let host = host.trimmingCharacters(in: ["[", "]"])
        let group = MultiThreadedEventLoopGroup.singleton
        let promise = group.next().makePromise(of: Answer.self)
        do {
            let tls = isTLS ? try context(checksName) : nil
            let channel = try await ClientBootstrap(group: group).connectTimeout(.seconds(5)).channelInitializer {
                channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let name = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } ? nil : host
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        Reader(sending: sending, until: until, most: most, promise: promise))
                }
            }.connect(host: host, port: port).get()
            let deadline = channel.eventLoop.scheduleTask(in: .seconds(5)) {
                promise.fail(Failure(description: "no answer within five seconds"))
            }
            defer {
                deadline.cancel()
                channel.close(promise: nil)
            }
            return try await promise.futureResult.get()
        } catch {
            let failure = Self.failure(error)
            // Of several failures only the first one counts.
            promise.fail(failure)
            throw failure
        }
    }

    private static func context(_ checksName: Bool) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if !checksName { configuration.certificateVerification = .none }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func failure(_ error: any Error) -> Failure {
        switch error {
        case let error as Failure: return error
        case let error as NIOConnectionError:
            if let dns = error.dnsAError, error.connectionErrors.isEmpty {
                return Failure(description: "no such host (\(dns))")
            }
            let isRefused =
                !error.connectionErrors.isEmpty
                && error.connectionErrors.allSatisfy { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }
            return Failure(description: isRefused ? "nothing listens there" : "no connection", isRefused: isRefused)
        case is ChannelError: return Failure(description: "no connection within five seconds")
        case is NIOSSLExtraError: return Failure(description: "its certificate is for another name")
        case let error as NIOSSLError: return Failure(description: "TLS fails: \(error)")
        case let error as IOError where error.errnoCode == ECONNREFUSED:
            return Failure(description: "nothing listens there", isRefused: true)
        default: return Failure(description: "\(error)")
        }
    }

    /// Collects the answer. Confined to its event loop.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sending: String
        private let until: String?
        private let most: Int
        private let promise: EventLoopPromise<Answer>
        private var bytes: [UInt8] = []

        init(sending: String, until: String?, most: Int, promise: EventLoopPromise<Answer>) {
            self.sending = sending
            self.until = until
            self.most = most
            self.promise = promise
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(context.channel.allocator.buffer(string: sending)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes += unwrapInboundIn(data).readableBytesView
            guard until != nil || bytes.count > most else { return }
            let text = String(decoding: bytes, as: UTF8.self)
            if until.map({ text.contains($0) }) ?? true || bytes.count > most { end(context, text) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            if bytes.isEmpty {
                promise.fail(Failure(description: "the connection was closed without an answer"))
            } else {
                end(context, String(decoding: bytes, as: UTF8.self))
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // Whoever answers has not always said goodbye to TLS.
            if case .uncleanShutdown? = error as? NIOSSLError, !bytes.isEmpty { return }
            promise.fail(error)
            context.close(promise: nil)
        }

        private func end(_ context: ChannelHandlerContext, _ text: String) {
            let tls = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            let certificate = tls?.peerCertificate.map { certificate in
                let (begin, end) = (Int64(certificate.notValidBefore) * 1_000, Int64(certificate.notValidAfter) * 1_000)
                return min(begin, end)...end
            }
            promise.succeed(Answer(text: text, certificate: certificate))
        }
    }
}
