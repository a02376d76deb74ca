import ArgumentParser
import CoreFoundation  // which defines `timespec` where it is imported first
import Foundation
import RoostClient
import RoostModels
import RoostWire

// The cost of the SDK on the device that it runs on.
extension BenchCommand {
    /// Measures catching up with missed messages, opening a cached conversation, the memory of a long conversation
    /// and the wake-ups of an idle connection.
    func sdk(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let missed = count ?? 10_000
        let folder = FileManager.default.temporaryDirectory.path + "/roost-bench-sdk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sender = try bench.client("bench-0")
        try await sender.connect()
        let registered = try bench.client("bench-1")
        try await registered.connect()
        await registered.disconnect()
        let ids = try await makeGroups(10, by: sender, with: try bench.user("bench-1"))

        let file = folder + "/store.sqlite"
        let store = try await LocalStore.open(file)
        var client = try bench.client("bench-1", store: store)
        try await client.connect()
        for id in ids {
            _ = try await client.channel(id).get()
            _ = try await client.channel(id).history(limit: 50)
        }
        await client.disconnect()
        let pending = (0..<missed).map { sender.channel(ids[$0 % ids.count]).enqueue(Latencies.stamp()) }
        for send in pending { _ = try await send.sent }

        let cpu = ownCPUSeconds()
        let start = ContinuousClock.now
        try await client.connect()
        result.applySeconds = (ContinuousClock.now - start) / .seconds(1)
        result.applyCPUSeconds = ownCPUSeconds() - cpu
        let known = try await store.totalUnread()
        guard known >= missed else {
            throw BenchFailure(description: "Only \(known) of \(missed) messages are in the store.")
        }
        await client.disconnect()
        try store.close()

        client = try await openRepeatedly(bench, file, ids, &result)

        try await client.connect()
        let long = try await measureModel(of: ids[0], client, filledBy: sender, with: missed)
        result.modelRows = long.rows
        result.modelBytes = Double(long.bytes)
        await sender.disconnect()
        // Wait until the work caused by connecting is done.
        try await Task.sleep(for: .seconds(5))
        let switches = ownContextSwitches()
        let seconds = 120
        try await Task.sleep(for: .seconds(seconds))
        // The end of the measurement also wakes the process.
        result.wakeUpsPerMinute = Double(ownContextSwitches() - switches) / Double(seconds) * 60
        await client.disconnect()
        result.settings = ["missed": missed, "channels": ids.count, "idleSeconds": seconds]
    }

    private func makeGroups(
        _ count: Int, by sender: ChatClient, with member: UserID
    ) async throws -> [ChannelID] {
        var ids: [ChannelID] = []
        for number in 0..<count {
            let group = CreateChannel(kind: .group, title: "Group \(number)", members: [NewMember(member)])
            guard let id = try await sender.perform(group).channel else { throw ExitCode.failure }
            ids.append(id)
        }
        return ids
    }

    /// Opens the store and a conversation in it twenty times, and returns the client of the last time.
    private func openRepeatedly(
        _ bench: BenchServer, _ file: String, _ ids: [ChannelID], _ result: inout BenchResult
    ) async throws -> ChatClient {
        let (opening, pages) = (Latencies(), Latencies())
        for round in 1... {
            let start = ContinuousClock.now
            let store = try await LocalStore.open(file)
            opening.add(ContinuousClock.now - start)
            let client = try bench.client("bench-1", store: store)
            let before = ContinuousClock.now
            let id = ids[round % ids.count]
            let page = try await client.channel(id).history(limit: 50)
            _ = try await store.queue(in: id)
            _ = try await store.members(of: id)
            _ = try await store.draft(in: id)
            pages.add(ContinuousClock.now - before)
            guard page.events.count == 50 else { throw ExitCode.failure }
            guard round < 20 else {
                result.openStoreMilliseconds = opening.percentile(0.5)
                result.p50Milliseconds = pages.percentile(0.5)
                result.p99Milliseconds = pages.percentile(0.99)
                return client
            }
            try store.close()
        }
        throw ExitCode.failure
    }
}

/// The memory of a conversation model with the given number of loaded rows, all of which are in the store.
@MainActor private func measureModel(
    of channel: ChannelID, _ client: ChatClient, filledBy sender: ChatClient, with count: Int
) async throws -> (rows: Int, bytes: Int) {
    let pending = (0..<count).map { _ in sender.channel(channel).enqueue(Latencies.stamp()) }
    for send in pending { _ = try await send.sent }
    let configuration = ConversationModel.Configuration()
    // Warm up, so that one-time allocations are not counted.
    let small = ConversationModel(client: client, channel: channel, configuration: configuration)
    small.start()
    while small.items.count < 50 { try await Task.sleep(for: .milliseconds(20)) }
    small.stop()
    let before = residentBytes(of: "self")
    let model = ConversationModel(client: client, channel: channel, configuration: configuration)
    model.start()
    while model.items.count < 50 { try await Task.sleep(for: .milliseconds(20)) }
    while model.items.count < count, model.hasPrevious {
        if await !model.loadPrevious() { try await Task.sleep(for: .milliseconds(20)) }
    }
    let bytes = residentBytes(of: "self") - before
    model.stop()
    return (model.items.count, bytes)
}

/// The user and system time of this process so far.
private func ownCPUSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}

/// The number of voluntary context switches of this process so far, which equals the number of wake-ups.
private func ownContextSwitches() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_nvcsw)
}
