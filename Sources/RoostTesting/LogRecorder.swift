package import Logging
import Synchronization

/// Keeps the lines of a log: level, message and metadata.
package final class LogRecorder: Sendable {
    private let taken = Mutex<[String]>([])

    package init() {}

    /// The lines so far.
    package var lines: [String] { taken.withLock { $0 } }

    /// A logger whose lines are kept here.
    package var logger: Logger { Logger(label: "test", factory: { _ in Handler(recorder: self) }) }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let line = (["\(event.level)", "\(event.message)"] + pairs).joined(separator: " ")
            recorder.taken.withLock { $0.append(line) }
        }
    }
}
