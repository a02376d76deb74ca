import Foundation
import RoostWire

/// What `roost top` shows of the change between two samples.
struct TopScreen: Encodable {
    struct Command: Encodable {
        var name: String
        var perSecond: Double
        var errorsPerSecond: Double
        /// What half of the answers took at most; nil if nothing is known of their times.
        var half: MetricsBound?
        /// What 99 of 100 took at most.
        var most: MetricsBound?
    }

    struct Failure: Encodable {
        var code: Int
        var name: String
        var perSecond: Double
    }

    var version: String
    var commit: String
    var schema: String
    var isReady: Bool
    var uptime: Double?
    /// Gauges, by the names of docs/metrics.md.
    var gauges: [String: Double] = [:]
    /// Counts per second, by the names of docs/metrics.md; `refusedLogins`, `refusedCommands` and `failedPushes` are parts of them.
    var rates: [String: Double] = [:]
    /// What half took at most, and 99 of 100.
    var times: [String: [MetricsBound]] = [:]
    var commands: [Command]
    var errors: [Failure]

    private static let gaugeNames = [
        "roost_sessions", "roost_sockets", "roost_connection_bytes", "roost_connection_max_bytes",
        "roost_queue_commands",
        "roost_bus_up", "roost_bus_lag_seconds", "roost_nodes", "roost_database_up", "roost_database_damaged",
        "roost_database_bytes", "roost_disk_free_bytes", "roost_uploads", "roost_certificate_end_timestamp_seconds",
        "roost_backup_newest_timestamp_seconds", "roost_push_outbox_age_seconds", "process_resident_memory_bytes",
        "process_open_fds", "process_max_fds",
    ]
    private static let counterNames = [
        "roost_logins_total", "roost_deliveries_total", "roost_slow_readers_total", "roost_commands_total",
        "roost_commit_seconds_count", "roost_batch_commands_sum", "roost_pushes_total", "process_cpu_seconds_total",
    ]

    /// - Parameter now: in s since 1970.
    init(_ change: MetricsChange, now: Double) {
        let after = change.after
        let build = after.build
        version = build["version"] ?? "?"
        commit = build["commit"] ?? ""
        schema = build["schema"] ?? "?"
        isReady = after.value("roost_ready") == 1
        uptime = after.value("process_start_time_seconds").map { max(0, now - $0) }
        for name in Self.gaugeNames { gauges[name] = after.value(name) }
        for name in Self.counterNames { rates[name] = change.rate(name) }
        rates["refusedLogins"] = change.rate("roost_logins_total") { $0["result"] != "accepted" }
        rates["refusedCommands"] = change.rate("roost_commands_total") { $0["code"] != "0" }
        rates["failedPushes"] = change.rate("roost_pushes_total") { $0["result"] != "sent" }
        for name in ["roost_command_seconds", "roost_commit_seconds"] {
            times[name] = [0.5, 0.99].compactMap { change.quantile($0, of: name) }
        }
        commands = Self.commands(change)
        errors = Self.errors(change)
    }

    /// The commands that were answered, the most frequent ones first.
    private static func commands(_ change: MetricsChange) -> [Command] {
        let found = change.after.labels("name", of: "roost_commands_total").map { name in
            let (half, most) = (
                change.quantile(0.5, of: "roost_command_seconds", command: name),
                change.quantile(0.99, of: "roost_command_seconds", command: name)
            )
            return Command(
                name: name, perSecond: change.rate("roost_commands_total") { $0["name"] == name },
                errorsPerSecond: change.rate("roost_commands_total") { $0["name"] == name && $0["code"] != "0" },
                half: half, most: most)
        }
        return found.filter { $0.perSecond > 0 }.sorted { one, other in
            one.perSecond == other.perSecond ? one.name < other.name : one.perSecond > other.perSecond
        }
    }

    /// The errors with which commands were refused, the most frequent ones first.
    private static func errors(_ change: MetricsChange) -> [Failure] {
        let codes = change.after.labels("code", of: "roost_commands_total").compactMap { Int($0) }
        let found = codes.filter { $0 != 0 }.map { code in
            Failure(
                code: code, name: ErrorCode.find(code)?.name ?? "",
                perSecond: change.rate("roost_commands_total") { $0["code"] == String(code) })
        }
        return found.filter { $0.perSecond > 0 }.sorted { (one: Failure, other: Failure) -> Bool in
            one.perSecond == other.perSecond ? one.code < other.code : one.perSecond > other.perSecond
        }
    }

    // MARK: Lines

    /// The lines for people.
    /// - Parameters:
    ///   - rows: how many lines there is room for.
    ///   - clock: the time of the day.
    func lines(rows: Int, clock: String, now: Double) -> [String] {
        let up = uptime.map { ", up \(Self.duration($0))" } ?? ""
        let head = "roost \(version)\(commit.isEmpty ? "" : " (\(commit.prefix(8)))"), schema \(schema)\(up)"
        let clients = [
            "\(number("roost_sessions")) sessions", "\(number("roost_sockets")) sockets",
            "\(rate("roost_logins_total")) logins/s", "\(rate("refusedLogins")) refused/s",
        ]
        let answers = [
            "\(rate("roost_commands_total"))/s", "\(rate("refusedCommands")) refused/s", time("roost_command_seconds"),
        ]
        let commits = [
            "\(rate("roost_commit_seconds_count"))/s", "\(perCommit) commands each", time("roost_commit_seconds"),
            "\(number("roost_queue_commands")) waiting",
        ]
        let events = ["\(rate("roost_deliveries_total"))/s", "\(rate("roost_slow_readers_total")) slow readers/s"]
        var lines = ["\(head), \(isReady ? "ready" : "NOT READY")   \(clock)", ""]
        lines += [row("clients", clients), row("commands", answers), row("commits", commits), row("events", events)]
        lines += [
            row("storage", storage(now)), row("pushes", pushes), row("servers", servers), row("process", process), "",
        ]
        lines += table(rows: max(3, rows - lines.count))
        return lines
    }

    private func row(_ name: String, _ parts: [String]) -> String {
        name.padding(toLength: 10, withPad: " ", startingAt: 0) + parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var perCommit: String {
        let (commands, commits) = (rates["roost_batch_commands_sum"] ?? 0, rates["roost_commit_seconds_count"] ?? 0)
        return commits > 0 ? String(format: "%.1f", commands / commits) : "0"
    }

    private func storage(_ now: Double) -> [String] {
        let newest = gauges["roost_backup_newest_timestamp_seconds"]
        return [
            gauges["roost_database_up"] == 0 ? "DATABASE DOES NOT ANSWER" : "",
            gauges["roost_database_damaged"] == 1 ? "DAMAGED: run roost check" : "",
            "\(bytes("roost_database_bytes")) in the database", "\(bytes("roost_disk_free_bytes")) free on the disk",
            "\(number("roost_uploads")) uploads",
            newest.map { $0 == 0 ? "NO BACKUP" : "backup \(Self.duration(max(0, now - $0))) old" } ?? "",
        ]
    }

    private var pushes: [String] {
        [
            "\(rate("roost_pushes_total"))/s", "\(rate("failedPushes")) not taken/s",
            gauges["roost_push_outbox_age_seconds"].map { "oldest waits \(Self.duration($0))" } ?? "",
        ]
    }

    private var servers: [String] {
        [
            "\(number("roost_nodes"))",
            gauges["roost_bus_up"].map { $0 == 1 ? "bus up" : "BUS DOWN" } ?? "no bus",
            gauges["roost_bus_lag_seconds"].map { "behind others by \(String(format: "%.0f", $0 * 1_000)) ms" } ?? "",
        ]
    }

    private var process: [String] {
        [
            String(format: "%.0f %% of a core", (rates["process_cpu_seconds_total"] ?? 0) * 100),
            "\(bytes("process_resident_memory_bytes")) of memory",
            "connections hold \(bytes("roost_connection_bytes")) of \(bytes("roost_connection_max_bytes"))",
            "\(number("process_open_fds")) of \(number("process_max_fds")) files",
        ]
    }

    private func table(rows: Int) -> [String] {
        func cells(_ name: String, _ others: [String]) -> String {
            name.padding(toLength: max(26, name.count), withPad: " ", startingAt: 0)
                + others.map { String(repeating: " ", count: max(0, 11 - $0.count)) + $0 }.joined()
        }
        guard !commands.isEmpty else { return ["no commands"] }
        var lines = [cells("command", ["/s", "refused/s", "half ≤", "99 % ≤"])]
        let most = max(1, rows - 1 - (errors.isEmpty ? 0 : min(errors.count, 5) + 1))
        lines += commands.prefix(most).map { command in
            cells(
                command.name,
                [
                    Self.text(command.perSecond), Self.text(command.errorsPerSecond), Self.milliseconds(command.half),
                    Self.milliseconds(command.most),
                ])
        }
        guard !errors.isEmpty else { return lines }
        return lines + [""]
            + errors.prefix(5).map { cells("refused: \($0.code) \($0.name)", [Self.text($0.perSecond)]) }
    }

    // MARK: Numbers

    private func number(_ name: String) -> String { gauges[name].map { Self.grouped($0) } ?? "–" }
    private func rate(_ name: String) -> String { Self.text(rates[name] ?? 0) }
    private func bytes(_ name: String) -> String {
        gauges[name].map { Doctor.bytes(Int64(exactly: $0.rounded()) ?? .max) } ?? "–"
    }

    private func time(_ name: String) -> String {
        guard let times = times[name], times.count == 2 else { return "" }
        return "half within \(Self.milliseconds(times[0])), 99 % within \(Self.milliseconds(times[1]))"
    }

    private static func grouped(_ value: Double) -> String {
        var text = String(format: "%.0f", value)
        var place = text.count - 3
        while place > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
            place -= 3
        }
        return text
    }

    private static func text(_ rate: Double) -> String { rate >= 1_000 ? grouped(rate) : String(format: "%.1f", rate) }

    private static func milliseconds(_ bound: MetricsBound?) -> String {
        guard let bound else { return "–" }
        let ms = bound.seconds * 1_000
        return (bound.isMore ? "> " : "") + (ms >= 100 ? grouped(ms) : String(format: "%.1f", ms)) + " ms"
    }

    /// A time in its two largest units.
    static func duration(_ seconds: Double) -> String {
        let all = Int(min(seconds, 1e9))
        switch all {
        case ..<60: return "\(all) s"
        case ..<3_600: return "\(all / 60) min"
        case ..<86_400: return "\(all / 3_600) h \(all / 60 % 60) min"
        default: return "\(all / 86_400) d \(all / 3_600 % 24) h"
        }
    }
}
