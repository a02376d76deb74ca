import Foundation
import RoostClient
import RoostWire
import Synchronization

/// How many schedules due within one minute affect the latency of ordinary sends.
extension BenchCommand {
    /// The time span within which the schedules are due, in ms.
    private static let span: Int64 = 60_000

    func schedules(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let total = max(pairs, count ?? 100_000)
        let each = total / pairs
        let people = try await clients(pairs * 2, bench)
        let channels = try await self.channels(of: people, bench)
        let writers = try await clients(2, bench, prefix: "writer")
        let room = writers[0].channel(try await writers[0].startMessaging(with: bench.user("writer-1")).channel)

        let idle = Latencies()
        try await write(into: room, idle, for: .seconds(5))
        let first = try await make(people, channels, each: each)

        let lateness = Latencies()
        let owners = channels.indices.map { pair in
            let events = people[pair * 2].events()
            return Task { await lateness.countSent(events, until: each) }
        }
        let busy = Latencies()
        progress("waiting for the first to be due")
        while millisecondsNow() < first { try await Task.sleep(for: .milliseconds(10)) }
        try await measure(bench, &result) {
            let writing = Task { try await write(into: room, busy, for: .seconds(3_600)) }
            for owner in owners { await owner.value }
            writing.cancel()
            _ = await writing.result
        }
        progress(nil)
        result.finish(messages: each * pairs, delivered: each * pairs, busy)
        result.settings = ["pairs": pairs, "scheduled": each * pairs, "spanSeconds": Int(Self.span / 1_000)]
        result.idleP50Milliseconds = idle.percentile(0.5)
        result.idleP99Milliseconds = idle.percentile(0.99)
        result.lateP50Milliseconds = lateness.percentile(0.5)
        result.lateP99Milliseconds = lateness.percentile(0.99)
        result.lateMostMilliseconds = lateness.percentile(1)
        for client in people + writers { await client.disconnect() }
    }

    /// Creates the same number of schedules for each pair, due evenly over the span.
    /// - Returns: when the first one is due, in ms since 1970.
    private func make(_ people: [ChatClient], _ channels: [ChannelHandle], each: Int) async throws -> Int64 {
        // Measure how fast schedules can be created, with some that are cancelled afterwards.
        let start = ContinuousClock.now
        var trials: [(Int, ScheduleID)] = []
        for pair in channels.indices {
            let far = Date(timeIntervalSinceNow: 86_400)
            let trial = try await people[pair * 2].schedule([.text("trial")], to: [channels[pair].id], at: far)
            trials.append((pair, trial.scheduleID))
        }
        let perSchedule = (ContinuousClock.now - start) / .milliseconds(1) / Double(max(1, trials.count))
        for (pair, id) in trials { try await people[pair * 2].cancelSchedule(id) }
        let total = each * channels.count
        // Sequential creation is slower than creation by all pairs at once, so this is an upper bound.
        let first = millisecondsNow() + 5_000 + Int64(perSchedule * Double(total))
        let made = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (pair, channel) in channels.enumerated() {
                let owner = people[pair * 2]
                group.addTask {
                    for number in 0..<each {
                        let due = first + Int64(number) * Self.span / Int64(each)
                        let date = Date(milliseconds: due)
                        try await owner.schedule([.text(Latencies.stamp())], to: [channel.id], at: date)
                        let now = made.next()
                        if now % 1_000 == 0 { progress("\(now) of \(total) scheduled") }
                    }
                }
            }
            try await group.waitForAll()
        }
        return first
    }

    /// Sends an ordinary message every 10 ms, each after the acknowledgement of the one before.
    func write(into channel: ChannelHandle, _ latencies: Latencies, for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end, !Task.isCancelled {
            let start = ContinuousClock.now
            try await channel.send(Latencies.stamp())
            latencies.add(ContinuousClock.now - start)
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension Latencies {
    /// Records the lateness of each schedule of a client, up to the wanted number.
    func countSent(_ events: some AsyncSequence<ClientEvent, Never> & Sendable, until wanted: Int) async {
        var seen = 0
        for await event in events {
            guard case .event(let event, _) = event, case .user(.scheduleSent(let sent)) = event.body else { continue }
            let (late, overflow) = (event.$sentAt ?? 0).subtractingReportingOverflow(sent.$sendAt)
            if !overflow { add(.milliseconds(late)) }
            seen += 1
            if seen >= wanted { return }
        }
    }
}
