import Foundation

/// What `files` has measured.
struct FilesResult: Encodable {
    var scenario = "files"
    var settings: [String: Int] = [:]
    var rates: [FileRates] = []
    /// The resident memory of the server before the first upload, and the most of it up to the end of each round.
    var rssIdleBytes = 0
    var rssPeakBytes: [Int] = []
    var sends: FileSendsOfRounds?
    var sendsBesideUploads: FileSendsOfRounds?
    /// The same sends to Roost, while the files go to nginx: what the machine itself costs.
    var sendsBesideNginx: FileSendsOfRounds?
    /// Why nginx was not measured.
    var nginx: String?
    var machine: String?
    var date: String?
    var command: String?

    init() {
        var result = BenchResult(scenario: scenario)
        result.noteCircumstances()
        (machine, date, command) = (result.machine, result.date, result.command)
    }

    func show() {
        let text = settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("files (\(text))")
        for rate in rates { rate.show() }
        let peaks = rssPeakBytes.map { mebibytes($0) }.joined(separator: ", ")
        print("  memory           idle \(mebibytes(rssIdleBytes)) MiB, peak up to each round \(peaks) MiB")
        sends?.show("sends, idle")
        sendsBesideUploads?.show("with uploads")
        sendsBesideNginx?.show("to nginx")
        if let nginx { print("  nginx            \(nginx)") }
        if let machine, let date, let command {
            print("  machine          \(machine)")
            print("  date             \(date)")
            print("  command          \(command)")
        }
    }

    private func mebibytes(_ bytes: Int) -> String { digits(Double(bytes) / 1_048_576, 1) }
}

/// The rates of both servers, one value for each round.
struct FileRates: Encodable {
    let direction: String
    let connections: Int
    var bytesPerSecond: [Double] = []
    var cpuSecondsPerGB: [Double] = []
    var nginxBytesPerSecond: [Double] = []
    /// Until the files of nginx were durable, too.
    var nginxDurableBytesPerSecond: [Double] = []
    var nginxCPUSecondsPerGB: [Double] = []

    init(_ direction: String, _ connections: Int) {
        self.direction = direction
        self.connections = connections
    }

    mutating func add(_ target: FileTarget, bytes: Int, _ duration: Duration, cpu: Double) {
        let rate = Double(bytes) / (duration / .seconds(1))
        let cost = cpu / (Double(bytes) / 1_000_000_000)
        if target.isNginx {
            nginxBytesPerSecond.append(rate)
            nginxCPUSecondsPerGB.append(cost)
        } else {
            bytesPerSecond.append(rate)
            cpuSecondsPerGB.append(cost)
        }
    }

    mutating func addDurable(bytes: Int, _ duration: Duration) {
        nginxDurableBytesPerSecond.append(Double(bytes) / (duration / .seconds(1)))
    }

    func show() {
        func line(_ name: String, _ rates: [Double], _ cost: [Double]) -> String {
            let cost = cost.isEmpty ? "" : ", CPU \(digits(median(cost), 2)) s/GB"
            return "\(name) \(digits(median(rates) / 1_000_000, 0)) MB/s\(cost)"
        }
        let what = "\(direction), \(connections)".padding(toLength: 16, withPad: " ", startingAt: 0)
        print("  \(what) \(line("Roost", bytesPerSecond, cpuSecondsPerGB))")
        guard !nginxBytesPerSecond.isEmpty else { return }
        let indent = String(repeating: " ", count: 19)
        print(indent + line("nginx", nginxBytesPerSecond, nginxCPUSecondsPerGB))
        print("\(indent)Roost : nginx \(ratios(bytesPerSecond, nginxBytesPerSecond))", terminator: "")
        print(", CPU \(ratios(cpuSecondsPerGB, nginxCPUSecondsPerGB))")
        if !nginxDurableBytesPerSecond.isEmpty {
            print(indent + line("nginx and fsync", nginxDurableBytesPerSecond, []), terminator: "")
            print(", Roost : this \(ratios(bytesPerSecond, nginxDurableBytesPerSecond))")
        }
    }
}

/// The latency of sends in one round.
struct FileSends: Encodable {
    var p50Milliseconds: Double
    var p99Milliseconds: Double
    var maxMilliseconds: Double
    var sends: Int
    /// How fast the uploads were that went on at the same time.
    var uploadBytesPerSecond: Double?

    init(_ latencies: Latencies, bytesPerSecond: Double? = nil) {
        p50Milliseconds = latencies.percentile(0.5) ?? 0
        p99Milliseconds = latencies.percentile(0.99) ?? 0
        maxMilliseconds = latencies.percentile(1) ?? 0
        sends = latencies.number
        uploadBytesPerSecond = bytesPerSecond
    }
}

/// The latency of sends in all rounds, and the ratios of their p99 to those of the idle server.
struct FileSendsOfRounds: Encodable {
    var rounds: [FileSends]
    var p99ToIdle: [Double]

    init(_ rounds: [FileSends], against idle: [FileSends]) {
        self.rounds = rounds
        p99ToIdle = zip(rounds, idle).map { $0.p99Milliseconds / max(0.001, $1.p99Milliseconds) }
    }

    func show(_ name: String) {
        let name = name.padding(toLength: 16, withPad: " ", startingAt: 0)
        let times = [\FileSends.p50Milliseconds, \.p99Milliseconds, \.maxMilliseconds].map { path in
            digits(median(rounds.map { $0[keyPath: path] }), 2)
        }
        print("  \(name) p50 \(times[0]), p99 \(times[1]), most \(times[2]) ms", terminator: "")
        let uploads = rounds.compactMap(\.uploadBytesPerSecond)
        if uploads.isEmpty { return print("") }
        print("; p99 : idle \(spread(p99ToIdle)); \(digits(median(uploads) / 1_000_000, 0)) MB/s meanwhile")
    }
}

private func digits(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}

/// The ratios of each round: median (least to largest).
private func ratios(_ values: [Double], _ others: [Double]) -> String {
    spread(zip(values, others).map { $0 / max(0.001, $1) })
}

private func spread(_ values: [Double]) -> String {
    "\(digits(median(values), 2)) (\(digits(values.min() ?? 0, 2)) to \(digits(values.max() ?? 0, 2)))"
}
