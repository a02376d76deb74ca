import Foundation
import Logging
import RoostWire

/// Writes each entry of the log as a line with a JSON object to standard error.
///
/// It has `time` (ISO 8601, UTC, with ms), `level` and `message`, and beside them what the entry is about. A key that is one
/// of these gets a `_` behind it.
struct JSONLogHandler: LogHandler {
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes a line with its end.
    init(write: @escaping @Sendable ([UInt8]) -> Void = JSONLogHandler.writeToStandardError) { self.write = write }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let more = event.metadata { all.merge(more) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        write(Self.line(Date(), event.level, "\(event.message)", all))
    }

    static func line(
        _ time: Date, _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("time")
        writer.string(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        writer.key("level")
        writer.string(level.rawValue)
        writer.key("message")
        writer.string(message)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            writer.key(escaping: ["time", "level", "message"].contains(key) ? key + "_" : key)
            append(value, to: &writer)
        }
        writer.close("}")
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func append(_ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
        switch value {
        case .string(let text): writer.string(text)
        case .stringConvertible(let value): writer.string(value.description)
        case .array(let values):
            writer.open("[")
            for value in values { append(value, to: &writer) }
            writer.close("]")
        case .dictionary(let values):
            writer.open("{")
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.key(escaping: key)
                append(value, to: &writer)
            }
            writer.close("}")
        }
    }

    private static let writeToStandardError: @Sendable ([UInt8]) -> Void = { bytes in
        // One call for each line, so that lines do not mix.
        try? FileHandle.standardError.write(contentsOf: bytes)
    }
}
