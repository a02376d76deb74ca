import ArgumentParser
import CoreFoundation  // which defines `timespec` where it is imported first
import Foundation
import Logging
import RoostClient
import RoostCore
import RoostPostgres
import RoostSQLite
import RoostWire
import Synchronization
import UnixSignals

/// The server under measurement.
final class BenchServer: Sendable {
    let url: String
    private let pid: Int32?
    private let process: Mutex<(process: Process, output: FileHandle)?>
    let folder: String?
    private let isFolderKept: Bool
    private let database: String?
    private let endings = Mutex<[@Sendable () -> Void]>([])

    init(
        url: String, pid: Int32?, process: (Process, FileHandle)? = nil, folder: String? = nil,
        isFolderKept: Bool = false, database: String? = nil
    ) {
        self.url = url
        self.pid = pid
        self.folder = folder
        self.isFolderKept = isFolderKept
        self.database = database
        self.process = Mutex(process)
    }

    /// Starts a server with the given `roost` binary, or the one next to this program, on a fresh database or on the
    /// data of a folder, which is then kept.
    ///
    /// `prepare` fills the database before the server opens it.
    static func start(
        _ roost: String?, loops: Int, isFloor: Bool, database: String?, data: String? = nil, limits: [String] = [],
        prepare: ((any SQLDatabase) throws -> Void)? = nil
    ) async throws -> BenchServer {
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let program = roost ?? beside.path + "/roost"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchFailure(description: "There is no program \(program). Build it, or name one with --roost.")
        }
        let folder = data ?? FileManager.default.temporaryDirectory.path + "/roost-bench-\(UUID().uuidString)"
        let schema = try database.map(Self.schema)
        if let prepare {
            let store: any SQLDatabase =
                if let schema {
                    try PostgresDatabase(url: schema, random: randomBits(), logger: Logger(label: "bench"))
                } else {
                    try SQLiteDatabase(directory: folder)
                }
            try prepare(store)
            try store.close()
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments =
            [
                "serve", "--dev", "--port", "0", "--data", folder, "--loops", "\(loops)", "--log-level", "error",
                "--limit", "connectionsPerUser=1000", "--limit", "sendsPerSecond=0", "--limit",
                "channelSendsPerSecond=0", "--limit", "commandsPerSecond=0", "--report",
            ] + limits.flatMap { ["--limit", $0] } + (isFloor ? ["--relay"] : [])
            + (schema.map { ["--database", $0] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        var line: [UInt8] = []
        while let byte = try handle.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard let url = String(decoding: line, as: UTF8.self).split(separator: " ").last.map(String.init) else {
            throw ExitCode.failure
        }
        let server = BenchServer(
            url: url, pid: process.processIdentifier, process: (process, handle), folder: folder,
            isFolderKept: data != nil,
            database: schema)
        server.stopAtSignals()
        return server
    }

    /// Stops the server when this process receives a signal. The server has its own process group, so Ctrl-C does not
    /// reach it.
    private func stopAtSignals() {
        Task { [weak self] in
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                self?.stop()
                exit(128 + signal.rawValue)
            }
        }
    }

    /// Creates a new schema and returns the URL for it.
    private static func schema(in url: String) throws -> String {
        let name = "bench_" + String(randomBits(), radix: 36)
        let database = try PostgresDatabase(
            url: url, random: randomBits(), logger: Logger(label: "bench"))
        let statement = Query(stringLiteral: "CREATE SCHEMA \(name)")
        try database.write { try $0.execute(statement) }
        try database.close()
        return url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
    }

    func user(_ name: String) throws -> UserID {
        guard let user = UserID(rawValue: name) else { throw ExitCode.failure }
        return user
    }

    func client(_ name: String, device: DeviceID = "bench", store: LocalStore? = nil) throws -> ChatClient {
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(try user(name), name: name), deviceID: device)
        configuration.store = store
        return ChatClient(configuration: configuration)
    }

    /// The user and system time of the server so far.
    func cpuSeconds() -> Double? { pid.flatMap(Self.cpuSeconds) }

    /// The user and system time of a process so far, with a finer resolution than /proc.
    static func cpuSeconds(of pid: Int32) -> Double? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The user and system time of each process with this name.
    static func cpuSeconds(ofAll name: String) -> [String: Double] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.reduce(into: [:]) { times, pid in
            if let process = cpuSeconds(of: pid), process.name == name { times[pid] = process.seconds }
        }
    }

    private static func cpuSeconds(of pid: String) -> (name: String, seconds: Double)? {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
        return (String(stat[stat.index(after: start)..<end]), (user + system) / 100)
    }

    /// The resident memory of the server in bytes.
    func rss() -> Int { pid.map { residentBytes(of: "\($0)") } ?? 0 }

    /// The most resident memory that the server has had, in bytes.
    func peakRSS() -> Int { pid.map { residentBytes(of: "\($0)", "VmHWM") } ?? 0 }

    /// The size of the tables and indexes of the server's database in bytes.
    func databaseBytes() async throws -> Int64? {
        if let database {
            let database = try PostgresDatabase(
                url: database, random: randomBits(), logger: Logger(label: "bench"))
            let sizes = try await database.read { connection in
                try connection.rows(
                    """
                    SELECT CAST(SUM(pg_total_relation_size(c.oid)) AS BIGINT) FROM pg_class c
                    JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = current_schema() AND c.relkind = 'r'
                    """
                ) { try $0.int(0) }
            }
            try database.close()
            return sizes.first
        }
        return try folder.map { try SQLiteDatabase.bytes(inDirectory: $0) }
    }

    /// Adds what else is to be done when the server is stopped, also by a signal.
    func whenStopped(_ ending: @escaping @Sendable () -> Void) { endings.withLock { $0.append(ending) } }

    /// Stops the server.
    /// - Returns: the number of round trips to its database, if that is a server.
    @discardableResult
    func stop() -> Int? {
        for ending in endings.withLock({ $0 }) { ending() }
        let report = process.withLock { running in
            running?.process.terminate()
            let rest = try? running?.output.readToEnd()
            running?.process.waitUntilExit()
            running = nil
            return rest
        }
        if let folder, !isFolderKept { try? FileManager.default.removeItem(atPath: folder) }
        let words = String(decoding: report ?? Data(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.firstIndex(of: "roundTrips").flatMap { Int(words[words.index(after: $0)]) }
    }
}

/// 64 random bits, in the form that the stores require.
@Sendable func randomBits() -> UInt64 { .random(in: .min ... .max) }

/// The resident memory of a process ("self" for this one) in bytes, now or (`VmHWM`) at most so far; 0 if it cannot be
/// read.
func residentBytes(of process: String, _ field: String = "VmRSS") -> Int {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
}
