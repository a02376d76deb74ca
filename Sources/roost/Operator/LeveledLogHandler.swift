import Logging
import Synchronization

/// The least level of what is logged, which may be changed while the server runs.
final class SharedLogLevel: Sendable {
    private let state: Mutex<Logger.Level>

    init(_ level: Logger.Level) { state = Mutex(level) }

    var level: Logger.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Passes on what is at least of a shared level, and of the level of this logger if that is higher.
struct LeveledLogHandler<Inner: LogHandler>: LogHandler {
    private var inner: Inner
    private let shared: SharedLogLevel
    private var own: Logger.Level?

    init(_ inner: Inner, _ shared: SharedLogLevel) {
        self.inner = inner
        self.inner.logLevel = .trace
        self.shared = shared
    }

    var logLevel: Logger.Level {
        get { own.map { max($0, shared.level) } ?? shared.level }
        set { own = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { inner.log(event: event) }
}
