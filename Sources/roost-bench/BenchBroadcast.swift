import ArgumentParser
import Foundation
import RoostClient
import RoostCore
import RoostServer
import RoostWire

/// How a broadcast to all users affects the latency of ordinary sends.
extension BenchCommand {
    /// Creates users directly in the database, without logging them in.
    static func makeUsers(_ count: Int, in database: any SQLDatabase) throws {
        _ = try Migrator.run(on: database, random: randomBits)
        let users = Upsert("users", ["id", "name", "image_url", "seq", "last_sent_at"])
        let names = ["support"] + (0..<count).map { "reader-\($0)" }
        for start in stride(from: 0, to: names.count, by: 1_000) {
            let rows = names[start..<min(start + 1_000, names.count)].map { name -> [SQLValue] in
                [.text(name), .text(name), .null, .int(0), .int(0)]
            }
            try database.write { try $0.write(rows, users) }
        }
    }

    func broadcast(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let readers = count ?? 100_000
        let writers = try await clients(2, bench, prefix: "writer")
        let room = writers[0].channel(try await writers[0].startMessaging(with: bench.user("writer-1")).channel)
        let boss = try await bench.operatorClient()
        try await boss.connect()

        let idle = Latencies()
        try await write(into: room, idle, for: .seconds(5))
        let busy = Latencies()
        var now: Broadcast?
        try await measure(bench, &result) {
            let writing = Task { try await write(into: room, busy, for: .seconds(36_000)) }
            let made = try await boss.broadcast(
                [.text(Latencies.stamp())], from: bench.user("support"), to: .everybody)
            now = made
            while now?.state.isFinished == false {
                try await Task.sleep(for: .milliseconds(100))
                now = try await boss.broadcast(made.broadcastID)
                if let now { progress("\(now.done) of \(now.users) users") }
            }
            writing.cancel()
            _ = await writing.result
        }
        progress(nil)
        result.finish(messages: now?.sent ?? 0, delivered: now?.sent ?? 0, busy)
        result.settings = ["users": readers, "refused": (now?.refusals ?? []).reduce(0) { $0 + $1.count }]
        result.idleP50Milliseconds = idle.percentile(0.5)
        result.idleP99Milliseconds = idle.percentile(0.99)
        result.noteCircumstances()
        for client in writers + [boss] { await client.disconnect() }
    }
}

extension BenchServer {
    /// A client of an operator, with a token signed with the server's secret.
    func operatorClient() async throws -> ChatClient {
        guard let folder, let device = DeviceID(rawValue: "bench") else { throw ExitCode.failure }
        let issuer = try await TokenIssuer(secret: Secret.load(fromDirectory: folder))
        let token = try await issuer.issue(
            userID: user("boss"), name: nil, imageURL: nil, isOperator: true, ttl: 86_400, now: millisecondsNow())
        return ChatClient(
            configuration: ClientConfiguration(server: url, credentials: .token { token }, deviceID: device))
    }
}

extension BenchResult {
    /// Records the machine, the date and the command of this result.
    mutating func noteCircumstances() {
        func value(_ key: String, in file: String) -> String? {
            let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n") ?? []
            return lines.first { $0.hasPrefix(key) }?.split(separator: ":").last.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        let processor = value("model name", in: "/proc/cpuinfo") ?? "unknown processor"
        let memory = value("MemTotal", in: "/proc/meminfo") ?? "unknown memory"
        machine = "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores, \(memory)"
        date = Date().ISO8601Format()
        command = (["roost-bench"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
    }
}
