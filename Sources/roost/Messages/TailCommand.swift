import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// Prints events as they happen.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print events in a channel, or in all of mine, as they happen.",
        discussion: """
            Continues across lost connections and server restarts without missing or \
            repeating an event.

              roost tail --as bob --channel lobby --after 0 --limit 10 --json
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "The channel.")
    var channel: String?

    @Option(help: "The other user of a 1-on-1.")
    var to: String?

    @Flag(help: "All of my channels.")
    var all = false

    @Option(help: "Start with the rows after this seq; only with a single channel.")
    var after: Int64?

    @Option(help: "Exit after this many messages; never if omitted.")
    var limit: Int?

    @Option(help: "Exit after this many seconds, never if omitted; the exit code is 4 if --limit was not reached.")
    var timeout: Double?

    @Flag(help: "With --json, also print the full content of each event.")
    var body = false

    func validate() throws {
        if [channel != nil, to != nil, all].filter({ $0 }).count != 1 {
            throw ValidationError("Give exactly one of --channel C, --to USER and --all.")
        }
        if all, after != nil {
            throw ValidationError("--after requires a single channel and cannot be used with --all.")
        }
        if let after, after < 0 { throw ValidationError("--after cannot be negative.") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if let timeout, !(timeout > 0 && timeout <= 31_536_000) {
            throw ValidationError("--timeout must be more than 0 and at most 31536000 seconds (a year).")
        }
        if !all { try target.validate() }
    }

    private var target: Target {
        var target = Target()
        target.channel = channel
        target.to = to
        return target
    }

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            let isDone = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { try await follow(client) }
                if let timeout {
                    group.addTask {
                        try await Task.sleep(for: .seconds(timeout))
                        return false
                    }
                }
                let isDone = try await group.next() ?? true
                group.cancelAll()
                return isDone
            }
            await client.disconnect()
            if !isDone, limit != nil { throw ExitCode(ExitStatus.timedOut) }
        }
    }

    private func follow(_ client: ChatClient) async throws -> Bool {
        var left = limit
        if all {
            for await event in client.events() {
                if case .event(let event, _) = event, try show(event, &left) { return true }
            }
            return true
        }
        for try await event in try await target.open(client).events(after: after) {
            if case .event(let event, _) = event, try show(event, &left) { return true }
        }
        return true
    }

    /// - Returns: whether the limit has been reached.
    private func show(_ event: Event, _ left: inout Int?) throws -> Bool {
        if options.json || event.isShown {
            let place = all ? (event.channel.map { "[\($0)] " } ?? "") : ""
            try options.show(event, withBody: body, before: place)
        }
        if event.isMessage, let count = left {
            left = count - 1
            return count <= 1
        }
        return false
    }
}

/// Prints a page of a channel's log.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Print rows of a channel's log, oldest first.")

    @OptionGroup var options: ClientOptions
    @OptionGroup var target: Target

    @Option(help: "Only the rows immediately before this seq.")
    var before: Int64?

    @Option(help: "Only the rows immediately after this seq.")
    var after: Int64?

    @Option(help: "The maximum number of rows; 50 if omitted.")
    var limit = 50

    @Flag(help: "With --json, also print the full content of each row.")
    var body = false

    func validate() throws {
        if before != nil, after != nil { throw ValidationError("Give either --before or --after, not both.") }
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if (before ?? 0) < 0 || (after ?? 0) < 0 { throw ValidationError("A seq cannot be negative.") }
    }

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            let channel = try await target.open(client)
            for event in try await channel.rows(before: before, after: after, limit: limit) {
                try options.show(event, withBody: body)
            }
            await client.disconnect()
        }
    }
}

extension ChannelHandle {
    /// Reads up to `limit` rows of the log, page by page.
    func rows(before: Int64?, after: Int64?, limit: Int) async throws(RoostError) -> [Event] {
        var rows: [Event] = []
        while rows.count < limit {
            let size = min(100, limit - rows.count)
            let page: HistoryPage
            if let after {
                page = try await log(after: rows.last?.seq ?? after, limit: size)
                rows += page.events
                if !page.hasAfter { break }
            } else {
                page = try await log(before: rows.first?.seq ?? before, limit: size)
                rows = page.events + rows
                if !page.hasBefore { break }
            }
            if page.events.isEmpty { break }
        }
        return rows
    }
}
