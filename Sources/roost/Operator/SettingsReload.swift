import Logging
import RoostCore
import RoostServer
import UnixSignals

/// Reads the settings again when the server gets SIGHUP, and takes those that a running server can take.
struct SettingsReload: Sendable {
    /// The options that are taken.
    static let taken: Set = ["allow-origin", "limit", "log-level", "public-url", "retain"]

    let core: Core
    let configuration: ServerConfiguration
    let level: SharedLogLevel
    let logger: Logger

    /// Reads them at each signal, until the task is cancelled.
    /// - Parameter first: those of the start.
    func run(_ first: ServeSettings) async {
        var current = first
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            if let new = reload(current) { current = new }
        }
    }

    /// What is wrong, in one line and without how the command is used.
    private static func problem(_ error: any Error) -> String {
        switch error {
        case let error as SettingsError: error.problems.joined(separator: " ")
        case let error as CommandExit:
            error.errors.split(separator: "\n").filter { line in
                !["Usage:", "  See "].contains { line.hasPrefix($0) }
            }.joined(separator: " ")
        default: "\(error)"
        }
    }

    /// - Returns: the new settings; nil if they cannot be used, and the old ones stay.
    private func reload(_ current: ServeSettings) -> ServeSettings? {
        let (settings, command): (ServeSettings, ServeCommand)
        do {
            settings = try ServeSettings(current.given)
            command = try Roost.serve(settings)
        } catch {
            logger.error(
                "the settings cannot be used, and the old ones stay", metadata: ["error": "\(Self.problem(error))"])
            return nil
        }
        let changed = settings.changes(since: current)
        let refused = core.hasOthers ? changed.intersection(["limit", "retain"]) : []
        let done = changed.intersection(Self.taken).subtracting(refused)
        do {
            if !done.isDisjoint(with: ["limit", "retain"]) {
                try core.replace(limits: try command.limits.limits(), retention: try command.limits.retention())
            }
        } catch {
            logger.error("the limits cannot be used, and the old ones stay", metadata: ["error": "\(error)"])
            return nil
        }
        configuration.allowedOrigins = command.publicURLs + command.allowedOrigins
        configuration.publicOrigins = command.publicURLs
        level.level = command.watching.level
        let list = done.sorted().joined(separator: " ")
        logger.notice("the settings were read again", metadata: ["changed": "\(list)"])
        let left = changed.subtracting(done)
        if !left.isEmpty {
            logger.warning(
                "some settings that have changed need a restart",
                metadata: ["settings": "\(left.sorted().joined(separator: " "))"])
        }
        core.audit(
            AuditEntry(
                time: core.effects.now(), event: "settings.reload", sender: .server, changes: done.sorted()))
        return settings.keeping(left, of: current)
    }
}
