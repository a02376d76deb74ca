import NIOCore

/// What an operator can set about the transport; the defaults are safe.
package struct ServerConfiguration: Sendable {
    /// The address to listen on.
    package var host: String
    /// The port to listen on; 0 picks a free one.
    package var port: Int
    /// Whether guests may log in without a token.
    package var isDevelopment = false
    /// Web origins that may connect besides the server's own, as `https://chat.example.com`; compared as a whole.
    package var allowedOrigins: [String] = []
    /// The most bytes of the head of a request.
    package var maxHeaderBytes = 16 * 1024
    /// The most bytes of the body of a request.
    package var maxBodyBytes = 64 * 1024
    /// How long the head of a request may take from its first byte, or from the accept, in ms.
    package var headerDeadline: Int64 = 5_000
    /// How long the body of a request may take, in ms.
    package var bodyDeadline: Int64 = 10_000
    /// How long an HTTP connection may rest between two requests, in ms.
    package var keepAlive: Int64 = 60_000
    /// How long a connection may take to say a good `hello`, in ms.
    package var authDeadline: Int64 = 10_000
    /// The most bytes of a frame before `welcome`; after it, `Limits.frameBytes`.
    package var preAuthFrameBytes = 8 * 1024
    /// The most bytes of events caused by others that wait for a slow reader before it is cut with 4008.
    package var outboundBytes = 1024 * 1024
    /// How many bytes caused by a client itself may wait for it before its next commands do.
    package var ownOutboundBytes = 128 * 1024
    /// The most bytes of any kind that wait for a reader before it is cut with 4008; more than the largest answer has.
    package var allOutboundBytes = 8 * 1024 * 1024
    /// With how many commands waiting or running a connection is not read any more; it goes on at half of it.
    package var inboundCommands = 32
    /// Over how many seconds a stop spreads the closing of many connections; the whole stop takes at most 30.
    package var drainSeconds = 10
    /// How long a stop waits for the database to finish what was taken, in ms.
    package var finishLimit: Int64 = 10_000
    /// How long after a ping a connection may stay silent, in ms.
    package var pingGrace: Int64 = 8_000
    /// How long the answer to a close may take, in ms.
    package var closeGrace: Int64 = 2_000
    /// The most fragments of a message.
    package var maxFragments = 16
    /// The most pings of a client within a second.
    package var maxPingsPerSecond = 10
    /// The most connections that wait to be accepted.
    package var backlog = 1024
    /// How many event loops serve the sockets.
    package var eventLoops = System.coreCount <= 2 ? 1 : System.coreCount / 2

    /// Whether messages are only passed on, not stored: the floor that benchmarks compare with, never for use.
    package var isRelay = false

    /// Whether the address to listen on is one that only this machine reaches.
    package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    /// Makes a configuration with defaults for everything but the address.
    package init(host: String = "127.0.0.1", port: Int = 7878) {
        self.host = host
        self.port = port
    }
}
