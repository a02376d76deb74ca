import Foundation
import RoostClient
import RoostWire

/// Uploads and downloads beside nginx, and what many uploads at once cost: memory, and the latency of ordinary sends.
extension BenchCommand {
    static let filesLimits = [
        "fileBytes=1000000000000", "fileBytesPerUser=1000000000000", "uploads=1000000", "commandsPerSecond=0",
    ]

    func files(_ bench: BenchServer) async throws {
        guard let port = URL(string: bench.url)?.port.flatMap({ UInt16(exactly: $0) }) else { throw BenchFiles.noPort }
        let nginx = try await Nginx.start()
        bench.whenStopped { nginx?.stop() }
        if nginx == nil {
            progress(Nginx.hint)
            progress(nil)
        }
        let people = try await clients(2, bench, prefix: "files")
        let room = people[0].channel(try await people[0].startMessaging(with: bench.user("files-1")).channel)
        let run = BenchFiles(
            command: self, bench: bench, reader: people[0], room: room, roost: .roost(port: port, user: "files-0"),
            nginx: nginx, rest: FileBody.rest(size: size))
        var result = FilesResult()
        result.settings = [
            "bytes": size, "files": count ?? 24, "uploads": uploads, "rounds": rounds, "seconds": seconds,
        ]
        try await run.measureUploadsAtOnce(&result)
        try await run.measureRates(&result)
        progress(nil)
        result.nginx = nginx == nil ? Nginx.hint : nil
        for client in people { await client.disconnect() }
        if json { try printJSON(result) } else { result.show() }
    }
}

/// A run of `files`.
struct BenchFiles {
    let command: BenchCommand
    let bench: BenchServer
    /// The user whose files they are.
    let reader: ChatClient
    /// Where the ordinary sends go.
    let room: ChannelHandle
    let roost: FileTarget
    let nginx: Nginx?
    let rest: [UInt8]

    static let noPort = BenchFailure(description: "The server has printed no address.")
    /// How much lower the priority of the threads is that upload while the latency of sends is measured: on a machine
    /// of their own they would not take the server's CPU.
    private static let niceness: Int32 = 10

    // MARK: Many uploads at once

    /// In each round: sends alone, then with uploads to nginx, then with uploads to Roost.
    func measureUploadsAtOnce(_ result: inout FilesResult) async throws {
        var (idle, busy, besideNginx) = ([FileSends](), [FileSends](), [FileSends]())
        try await command.write(into: room, Latencies(), for: .seconds(1))
        result.rssIdleBytes = bench.rss()
        for round in 1...command.rounds {
            progress("round \(round) of \(command.rounds): sends")
            sync()
            let latencies = Latencies()
            try await command.write(into: room, latencies, for: .seconds(command.seconds))
            idle.append(FileSends(latencies))
            if let nginx {
                progress("round \(round) of \(command.rounds): sends beside \(command.uploads) uploads to nginx")
                besideNginx.append(try await sends(beside: .nginx(nginx)))
            }
            progress("round \(round) of \(command.rounds): sends beside \(command.uploads) uploads")
            busy.append(try await sends(beside: roost))
            result.rssPeakBytes.append(bench.peakRSS())
        }
        result.sends = FileSendsOfRounds(idle, against: idle)
        result.sendsBesideUploads = FileSendsOfRounds(busy, against: idle)
        if nginx != nil { result.sendsBesideNginx = FileSendsOfRounds(besideNginx, against: idle) }
    }

    /// Sends while each of the connections uploads, one file after the other until the time is over.
    private func sends(beside target: FileTarget) async throws -> FileSends {
        let (rest, end) = (rest, ContinuousClock.now + .seconds(command.seconds))
        let latencies = Latencies()
        sync()
        let start = ContinuousClock.now
        let writing = Task { try await command.write(into: room, latencies, for: .seconds(36_000)) }
        let names: [String] = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<command.uploads {
                group.addTask {
                    try await onThread(niceness: Self.niceness) {
                        var connection = try FileConnection(port: target.port)
                        var names: [String] = []
                        repeat {
                            names.append(try target.upload(FileBody(rest: rest), over: &connection))
                        } while ContinuousClock.now < end
                        return names
                    }
                }
            }
            return try await group.reduce([], +)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        writing.cancel()
        _ = await writing.result
        try await delete(names, at: target)
        return FileSends(latencies, bytesPerSecond: Double(names.count) * Double(command.size) / seconds)
    }

    // MARK: Throughput

    /// Measures both servers in turn.
    func measureRates(_ result: inout FilesResult) async throws {
        let targets = [roost] + (nginx.map { [FileTarget.nginx($0)] } ?? [])
        for connections in command.connections {
            var (uploads, downloads) = (FileRates("upload", connections), FileRates("download", connections))
            for round in 1...command.rounds {
                for target in round % 2 == 1 ? targets : targets.reversed() {
                    let name = target.isNginx ? "nginx" : "Roost"
                    let what = "round \(round) of \(command.rounds), \(connections) connections, \(name)"
                    progress("\(what): uploads")
                    let names = try await upload(to: target, connections, &uploads)
                    progress("\(what): downloads")
                    try await download(names, from: target, connections, &downloads)
                    try await delete(names, at: target)
                }
            }
            result.rates += [uploads, downloads]
        }
    }

    private func upload(
        to target: FileTarget, _ connections: Int, _ rates: inout FileRates
    ) async throws -> [String] {
        let (rest, files) = (rest, command.count ?? 24)
        sync()
        let (start, cpu) = (ContinuousClock.now, cpuSeconds(of: target))
        let names = try await onThreads(connections) { number in
            var connection = try FileConnection(port: target.port)
            return try stride(from: number, to: files, by: connections).map { _ in
                try target.upload(FileBody(rest: rest), over: &connection)
            }
        }
        let elapsed = ContinuousClock.now - start
        rates.add(target, bytes: files * command.size, elapsed, cpu: cpuSeconds(of: target) - cpu)
        if case .nginx(let nginx) = target {
            nginx.sync(names)
            rates.addDurable(bytes: files * command.size, ContinuousClock.now - start)
        }
        return names
    }

    private func download(
        _ names: [String], from target: FileTarget, _ connections: Int, _ rates: inout FileRates
    ) async throws {
        let (paths, size) = (try await paths(of: names, at: target), command.size)
        let (start, cpu) = (ContinuousClock.now, cpuSeconds(of: target))
        _ = try await onThreads(connections) { number in
            var connection = try FileConnection(port: target.port)
            for index in stride(from: number, to: paths.count, by: connections) {
                try target.download(paths[index], size: size, over: &connection)
            }
            return []
        }
        rates.add(
            target, bytes: names.count * size, ContinuousClock.now - start, cpu: cpuSeconds(of: target) - cpu)
    }

    private func onThreads(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> [String]
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<count { group.addTask { try await onThread { try body(number) } } }
            return try await group.reduce([], +)
        }
    }

    private func cpuSeconds(of target: FileTarget) -> Double {
        guard target.isNginx else { return bench.cpuSeconds() ?? 0 }
        let pids = BenchServer.cpuSeconds(ofAll: "nginx").keys.compactMap { Int32($0) }
        return pids.compactMap { BenchServer.cpuSeconds(of: $0) }.reduce(0, +)
    }

    /// The paths to download files from: at Roost, signed links.
    private func paths(of names: [String], at target: FileTarget) async throws -> [String] {
        guard !target.isNginx else { return names.map { "/" + $0 } }
        var paths: [String] = []
        for ids in batches(names) { paths += try await reader.perform(GetFiles(fileIDs: ids)).files.map(\.link) }
        return paths
    }

    private func delete(_ names: [String], at target: FileTarget) async throws {
        if case .nginx(let nginx) = target { return nginx.delete(names) }
        for id in batches(names).joined() { _ = try await reader.perform(DeleteFile(fileID: id)) }
    }

    private func batches(_ names: [String]) -> [[FileID]] {
        let ids = names.compactMap { FileID(rawValue: $0) }
        return stride(from: 0, to: ids.count, by: 100).map { Array(ids[$0..<min($0 + 100, ids.count)]) }
    }
}
