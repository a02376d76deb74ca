import ArgumentParser
import Foundation
import Logging

/// The options of `roost serve` about its log and its metrics.
struct WatchOptions: ParsableArguments {
    enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(
        help: ArgumentHelp(
            "A port on 127.0.0.1 with metrics for Prometheus at /metrics, and /readyz; 0 picks a free one, none if omitted.",
            discussion: "There is no login: whoever may use this machine can read them. See docs/metrics.md.",
            valueName: "port"))
    var adminPort: Int?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel = "info"

    @Option(help: "How the log is written to standard error: text, or json for one object per line.")
    var logFormat = LogFormat.text

    func validate() throws {
        guard (0...65_535).contains(adminPort ?? 0) else {
            throw ValidationError("--admin-port must be 0 to 65535.")
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("--log-level must be trace, debug, info, notice, warning, error or critical.")
        }
    }

    var level: Logger.Level { Logger.Level(rawValue: logLevel) ?? .info }

    /// - Parameter shared: the level, which may change.
    func logger(_ shared: SharedLogLevel) -> Logger {
        Logger(label: "roost") { label in
            switch logFormat {
            case .text: LeveledLogHandler(StreamLogHandler.standardError(label: label), shared)
            case .json: LeveledLogHandler(JSONLogHandler(), shared)
            }
        }
    }

    /// The logger of a server of several, by the name of its data folder.
    func logger(_ logger: Logger, ofNode id: String?) -> Logger {
        guard logFormat == .json, let id else { return logger }
        var logger = logger
        logger[metadataKey: "node"] = "\(id)"
        return logger
    }
}
