import Hummingbird
import Logging
import NIOCore

/// The context of a request, with the address of its connection.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The IP address of the client, as far as it is known: see `ServerConfiguration.isBehindProxy`.
    var address: String?
    /// The web origin of the client, if it names one.
    var origin: String?
    /// What the connection holds.
    var share: ConnectionMemory.Share?
    /// Notes that the sender of a request on this connection is known.
    var noteLogin: @Sendable () -> Void = {}

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress
    }
}
