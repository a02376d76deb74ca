import Foundation
import RoostTesting
import Synchronization

/// The figures of a server over time, sampled while it is under load and when it is idle.
final class SoakFigures: Sendable {
    /// The figures at one moment, and the sends since the moment before.
    struct Sample: Sendable {
        let title: String
        /// Seconds since the start.
        let at: Double
        let figures: ProcessFigures
        let walBytes: Int
        let databaseBytes: Int
        let sends: Int
        let p50: Double?
        let p99: Double?
    }

    private struct State {
        var samples: [Sample] = []
        var rows: [Sample] = []
        var maxWAL = 0
        var sends: [Double] = []
    }

    private let server: ServerProcess
    private let record: SoakRecord
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(_ server: ServerProcess, _ record: SoakRecord) {
        self.server = server
        self.record = record
    }

    var maxWAL: Int { state.withLock { $0.maxWAL } }

    /// Samples every two seconds, and adds a row to the table after each `step`, until the task is cancelled.
    func watch(every step: Duration, title: String) async {
        let began = ContinuousClock.now
        var rows = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(2))
            if Task.isCancelled { return }
            sample(title)
            if ContinuousClock.now - began >= step * (rows + 1) {
                rows += 1
                addRow(title)
            }
        }
    }

    /// Samples without the table.
    private func sample(_ title: String) {
        let sample = read(title, sends: record.takeRecent())
        state.withLock { state in
            state.samples.append(sample.sample)
            state.sends += sample.sends
            state.maxWAL = max(state.maxWAL, sample.sample.walBytes)
        }
    }

    /// Adds a row to the table, with all sends since the row before.
    @discardableResult
    func addRow(_ title: String) -> Sample {
        sample(title)
        let sends = state.withLock { state in
            defer { state.sends = [] }
            return state.sends
        }
        let row = read(title, sends: sends).sample
        state.withLock { $0.rows.append(row) }
        return row
    }

    private func read(_ title: String, sends: [Double]) -> (sample: Sample, sends: [Double]) {
        let path = server.data + "/roost.sqlite"
        let sample = Sample(
            title: title, at: (ContinuousClock.now - start) / .seconds(1), figures: server.figures,
            walBytes: fileBytes(path + "-wal"), databaseBytes: fileBytes(path), sends: sends.count,
            p50: sends.percentile(0.5), p99: sends.percentile(0.99))
        return (sample, sends)
    }

    /// The table for a report.
    var table: [String] {
        let head =
            "| min | when | memory, MiB | descriptors | threads | WAL, MiB | database, MiB | sends | p50 / p99, ms |"
        return [head, "|---|---|---|---|---|---|---|---|---|"]
            + state.withLock { $0.rows }.map { row in
                let times = row.p50.map { "\(shortNumber($0)) / \(shortNumber(row.p99 ?? 0))" } ?? ""
                return """
                    | \(shortNumber(row.at / 60)) | \(row.title) | \(mebibytes(row.figures.memory)) \
                    | \(row.figures.descriptors) | \(row.figures.threads) | \(mebibytes(row.walBytes)) \
                    | \(mebibytes(row.databaseBytes)) | \(row.sends) | \(times) |
                    """
            }
    }

    /// How fast memory grows under load after the warm-up, in MiB an hour, by least squares; nil if it was too short.
    func slope(afterSeconds warmUp: Double, idleTitle: String) -> Double? {
        let points = state.withLock { $0.samples }.filter { $0.at > warmUp && $0.title != idleTitle }
            .map { (x: $0.at / 3_600, y: Double($0.figures.memory) / 1_048_576) }
        guard points.count > 10 else { return nil }
        let (x, y) = points.reduce((0.0, 0.0)) { ($0.0 + $1.x, $0.1 + $1.y) }
        let (meanX, meanY) = (x / Double(points.count), y / Double(points.count))
        let (above, below) = points.reduce((0.0, 0.0)) { sums, point in
            (sums.0 + (point.x - meanX) * (point.y - meanY), sums.1 + (point.x - meanX) * (point.x - meanX))
        }
        return below > 0 ? above / below : nil
    }
}
