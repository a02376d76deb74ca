import ArgumentParser
import Foundation
import Logging
import RoostCore
import RoostPostgres
import RoostSQLite
import RoostServer
import RoostWire
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Keeps everything in one folder, or in PostgreSQL with --database; prints "ready http://HOST:PORT" on standard output when
            it accepts connections, also when nobody reads that, and stops cleanly on SIGTERM or Ctrl-C within 30 seconds.

            With --dev guests may log in by name and open channels are made on first use; it then
            listens on this machine only. Without it, users log in with tokens: roost token --help.
            """)

    @Option(help: "The folder that holds the secret and, without --database, the database.")
    var data = "./roost-data"

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database: postgres://user@host:5432/name?sslmode=verify-full.",
            discussion: """
                Instead of on the command line, where others on the machine can read it, the URL may stand in \
                ROOST_DATABASE or in the file that ROOST_DATABASE_FILE names. The password may also come from PGPASSWORD, \
                PGPASSFILE or ~/.pgpass. The URL takes all parameters of libpq.
                """, valueName: "url"))
    var database: String?

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port = 7878

    @Flag(help: "For development: guests without tokens, open channels on first use.")
    var dev = false

    @Flag(help: "Allow --dev on an address that other machines reach. Anybody who reaches it can be anybody.")
    var insecureDev = false

    @Option(
        name: .customLong("allow-origin"),
        help: "A web origin that may connect, besides the server's own; repeatable.")
    var allowedOrigins: [String] = []

    @Option(help: "How many event loops serve sockets; half of the cores when left out, at least one.")
    var loops: Int?

    @Option(
        name: .customLong("limit"),
        help: "Set a limit of Protocol/catalogue.md, as NAME=VALUE; repeatable.")
    var limits: [String] = []

    @Option(
        name: .customLong("retain"),
        help: ArgumentHelp(
            "What to keep of a kind of channels, as group=90d or open=30d,1000; repeatable. Everything when left out.",
            discussion: """
                KIND is single, group, open, self, publicNews or corporateNews. A duration keeps what is younger, at least 1d; a number keeps so \
                many of the newest messages. With both, a row goes when neither keeps it. What goes is gone for everybody.
                """, valueName: "kind=policy"))
    var retained: [String] = []

    @Flag(help: ArgumentHelp("Pass messages on without storing them, for benchmarks.", visibility: .hidden))
    var relay = false

    @Flag(help: ArgumentHelp("Print at the end what the database connection has done.", visibility: .hidden))
    var report = false

    @Option(name: .customLong("log-level"), help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel = "info"

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("The port must be 0 to 65535.") }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("--log-level must be trace, debug, info, notice, warning, error or critical.")
        }
        _ = try parsedLimits()
        _ = try parsedRetention()
        if dev, !insecureDev, !ServerConfiguration(host: host).isLoopback {
            throw ValidationError(
                "--dev lets anybody log in as anybody, so it refuses to listen on \(host). "
                    + "Use tokens instead (roost token --help), or add --insecure-dev if you mean it.")
        }
    }

    func run() async throws {
        var logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
        do {
            try await serve(logger)
        } catch let error as DatabaseFailure {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as SecretError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        }
    }

    private func serve(_ logger: Logger) async throws {
        let database = try openDatabase(logger)
        let secret = try Secret.loadOrMake(inDirectory: data)
        let effects = Effects(now: Clock.now, random: FastRandom.shared.next)
        let core = try Core(
            database: database,
            configuration: CoreConfiguration(
                limits: try parsedLimits(), isDevelopment: dev, retention: try parsedRetention()),
            effects: effects, logger: logger)
        var configuration = ServerConfiguration(host: host, port: port)
        configuration.isDevelopment = dev
        configuration.allowedOrigins = allowedOrigins
        configuration.isRelay = relay
        if let loops { configuration.eventLoops = loops }
        let server = try await buildServer(
            core: core, configuration: configuration, verifier: TokenVerifier(secret: secret), logger: logger,
            onReady: { host, port in
                // Who started it may have gone; those whom it serves have not.
                if !Terminal.tryPrintLine("ready http://\(host):\(port)") {
                    logger.warning("nobody reads the standard output; the server goes on")
                }
            })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
        do {
            try await group.run()
        } catch {
            if core.isReady { await core.stop() }
            if core.hasEnded { try? database.close() }
            if let error = error as? DatabaseFailure { throw error }
            Terminal.printError(
                "The server cannot run on \(host):\(port): \(error). Is the port in use? Try another --port.")
            throw ExitCode(ExitStatus.refused)
        }
        guard core.hasEnded else {
            Terminal.printError(
                "The database did not finish in time. What it was given last may be stored; nobody was told that it is."
            )
            throw ExitCode(ExitStatus.timedOut)
        }
        if report, let statistics = (database as? PostgresDatabase)?.statistics {
            _ = Terminal.tryPrintLine("transactions \(statistics.transactions) roundTrips \(statistics.roundTrips)")
        }
        try database.close()
    }

    private func openDatabase(_ logger: Logger) throws -> any SQLDatabase {
        let environment = ProcessInfo.processInfo.environment
        var url = database ?? environment["ROOST_DATABASE"]
        if url == nil, let path = environment["ROOST_DATABASE_FILE"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw DatabaseFailure(.unavailable, "ROOST_DATABASE_FILE names \(path), which cannot be read.")
            }
            url = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard let url else { return try SQLiteDatabase(directory: data) }
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try PostgresDatabase(url: url, random: FastRandom.shared.next(), logger: logger)
    }

    /// The limits for which 0 means that there is none.
    private static let limitsThatMayBeOff: Set = [
        "sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond", "recallWindowMs",
    ]

    private func parsedRetention() throws -> [ChannelKind: RetentionPolicy] {
        let kinds = ChannelKind.allCases.map(\.rawValue).joined(separator: ", ")
        var policies: [ChannelKind: RetentionPolicy] = [:]
        for text in retained {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = ChannelKind(rawValue: parts[0]), let policy = Self.policy(parts[1])
            else {
                throw ValidationError(
                    "--retain \(text): write KIND=90d, KIND=1000 or KIND=90d,1000 with one of \(kinds); "
                        + "the time is at least 1d, the number at least 1.")
            }
            guard policies.updateValue(policy, forKey: kind) == nil else {
                throw ValidationError("--retain names \(kind.rawValue) twice. Write both parts as one: KIND=90d,1000.")
            }
        }
        return policies
    }

    /// A time, a number of messages, or both in any order; nothing for anything else.
    private static func policy(_ text: String) -> RetentionPolicy? {
        var policy = RetentionPolicy()
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if policy.keepLast == nil, let count = Int64(part), count > 0 {
                policy.keepLast = count
            } else if policy.keepFor == nil, let seconds = TokenCommand.seconds(part), seconds >= 86_400 {
                let (ms, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000)
                if isTooMuch { return nil }
                policy.keepFor = ms
            } else {
                return nil
            }
        }
        return policy
    }

    private func parsedLimits() throws -> Limits {
        var values = try JSONSerialization.jsonObject(with: Data(WireCodec.encode(Limits()))) as? [String: Any] ?? [:]
        for limit in limits {
            let parts = limit.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = Int(parts[1]), values[parts[0]] != nil,
                value > 0 || value == 0 && Self.limitsThatMayBeOff.contains(parts[0])
            else {
                let names = values.keys.sorted().joined(separator: ", ")
                throw ValidationError("--limit \(limit): write NAME=VALUE with one of \(names).")
            }
            values[parts[0]] = value
        }
        return try WireCodec.decode(Limits.self, from: Array(JSONSerialization.data(withJSONObject: values)))
    }
}

/// Random bits without a system call for each word: seeded once from the system.
final class FastRandom: Sendable {
    static let shared = FastRandom()
    private let state: Mutex<UInt64>

    private init() {
        var system = SystemRandomNumberGenerator()
        state = Mutex(system.next())
    }

    /// 64 bits, by SplitMix64.
    @Sendable func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
