import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// How many downloads run at the same time.
@Suite(.timeLimit(.minutes(1))) struct DownloadsTests {
    private let ann = Cast.ann.userID
    private let bob = Cast.bob.userID

    @Test func `a user's downloads beyond eight wait for their turn, and others do not wait for them`() async throws {
        let downloads = Downloads()
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.maxPerUser { running.append(try await downloads.begin(.user(ann), from: "192.0.2.1")) }
        let next = Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: "192.0.2.2") }
        while downloads.waiting == 0 { await Task.yield() }
        // Another user, and one of the same address.
        running.append(try await downloads.begin(.user(bob), from: "192.0.2.1"))
        running.removeFirst()
        running.append(try await next.value)
        #expect(running.count == Downloads.maxPerUser + 1)
    }

    private func reader(_ number: Int) throws -> UserID { try #require(UserID(rawValue: "reader\(number)")) }

    @Test func `an address has 32 downloads, and a network of IPv6 is one`() async throws {
        let downloads = Downloads(patience: .zero)
        var running: [Downloads.Slot] = []
        for number in 0..<Downloads.maxPerAddress {
            running.append(try await downloads.begin(.user(try reader(number % 4)), from: "2001:db8::\(number)"))
        }
        for claimant in [Downloads.Reader.user(try reader(0)), .link(try reader(1))] {
            let error = await #expect(throws: WireError.self) {
                _ = try await downloads.begin(claimant, from: "2001:db8::ffff")
            }
            #expect(error?.entry == .tooManyRequests && error?.retryAfterMs == 2_000)
        }
        running.removeLast()
        running.append(try await downloads.begin(.link(try reader(1)), from: "2001:db8::ffff"))
        _ = try await downloads.begin(.user(bob), from: nil)
    }

    @Test func `who has no download at a full address gets one at once, up to 128 of all`() async throws {
        let downloads = Downloads(patience: .zero)
        var running: [Downloads.Slot] = []
        for claimant in [Downloads.Reader.user(ann), .link(ann), .user(bob), .link(bob)] {
            for _ in 0..<Downloads.maxPerUser {
                running.append(try await downloads.begin(claimant, from: "192.0.2.1"))
            }
        }
        for number in 0..<(Downloads.maxWithFirst - Downloads.maxPerAddress) {
            running.append(try await downloads.begin(.link(try reader(number)), from: "192.0.2.1"))
            await #expect(throws: WireError.self) {
                _ = try await downloads.begin(.user(try reader(number)), from: "192.0.2.1")
            }
        }
        await #expect(throws: WireError.self) {
            _ = try await downloads.begin(.user(try reader(200)), from: "192.0.2.1")
        }
        #expect(running.count == Downloads.maxWithFirst)
    }

    @Test func `a turn is first for those who have none, and a slow download of somebody else is awaited`() async throws
    {
        let downloads = Downloads(patience: .seconds(3_600))
        var running: [Downloads.Slot] = []
        let cid = Cast.cid.userID
        for number in 1..<Downloads.maxWithFirst {
            running.append(try await downloads.begin(.user(try reader(number)), from: "192.0.2.1"))
        }
        running.append(try await downloads.begin(.user(cid), from: "192.0.2.1"))
        let elsewhere = try await downloads.begin(.user(ann), from: "192.0.2.2")
        #expect(running.allSatisfy { !$0.isAwaited })
        let second = Task { () async throws(WireError) in try await downloads.begin(.user(cid), from: "192.0.2.1") }
        while downloads.waiting < 1 { await Task.yield() }
        let first = Task { () async throws(WireError) in try await downloads.begin(.user(bob), from: "192.0.2.1") }
        while downloads.waiting < 2 { await Task.yield() }
        #expect(running.allSatisfy { $0.isAwaited } && !elsewhere.isAwaited)
        // The one that came first has one already.
        running.removeFirst()
        running.append(try await first.value)
        #expect(downloads.waiting == 1)
        running.removeAll()
        running.append(try await second.value)
        #expect(downloads.waiting == 0 && running.allSatisfy { !$0.isAwaited })
    }

    @Test func `a user's own downloads that wait are no reason to end a slow one`() async throws {
        let downloads = Downloads(patience: .seconds(3_600))
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.maxPerUser { running.append(try await downloads.begin(.user(ann), from: "192.0.2.1")) }
        let next = Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: "192.0.2.1") }
        while downloads.waiting == 0 { await Task.yield() }
        #expect(running.allSatisfy { !$0.isAwaited })
        running.removeFirst()
        running.append(try await next.value)
    }

    @Test func `a download is slow if it takes less than 4 KiB a second over 30 seconds`() {
        let start = ContinuousClock.now
        var pace = Downloads.Pace(since: start)
        // So many bytes more have been taken after so many seconds.
        let steps: [(bytes: Int, seconds: Int, isSlow: Bool)] = [
            (0, 29, false), (30 * 4_096 - 1, 30, true), (30 * 4_096, 60, false), (60 * 4_096, 120, false),
            (59 * 4_096, 180, true),
        ]
        for step in steps {
            let isSlow = pace.isSlow(after: step.bytes, now: start + .seconds(step.seconds))
            #expect(isSlow == step.isSlow, "\(step)")
        }
    }

    @Test func `who waits too long, is too many or goes away is refused, and the place of others is kept`() async throws
    {
        let downloads = Downloads(patience: .seconds(3_600))
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.maxPerUser { running.append(try await downloads.begin(.user(ann), from: nil)) }
        let waiting = (0..<Downloads.maxWaiting).map { _ in
            Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: nil) }
        }
        while downloads.waiting < Downloads.maxWaiting { await Task.yield() }
        await #expect(throws: WireError.self) { _ = try await downloads.begin(.user(ann), from: nil) }
        for task in waiting.dropFirst(3) { task.cancel() }
        for task in waiting.dropFirst(3) {
            let result = await task.result
            #expect(throws: WireError.self) { _ = try result.get() }
        }
        running.removeFirst(3)
        for task in waiting.prefix(3) { running.append(try await task.value) }
        #expect(running.count == Downloads.maxPerUser)
    }

    @Test func `a link that others have takes nothing from its user, and this machine is not counted`() async throws {
        let downloads = Downloads(patience: .zero)
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.maxPerUser { running.append(try await downloads.begin(.link(ann), from: "192.0.2.1")) }
        await #expect(throws: WireError.self) { _ = try await downloads.begin(.link(ann), from: "192.0.2.1") }
        running.append(try await downloads.begin(.link(ann), from: "192.0.2.2"))
        running.append(try await downloads.begin(.user(ann), from: "192.0.2.1"))
        for number in 0...Downloads.maxPerAddress {
            let user = try #require(UserID(rawValue: "reader\(number)"))
            running.append(try await downloads.begin(.user(user), from: "127.0.0.1"))
        }
    }

    @Test func `one that ends lets all go on who have room now`() async throws {
        let downloads = Downloads(patience: .seconds(3_600))
        // The last one of ann, and the last one of the address.
        var others: [Downloads.Slot] = []
        for _ in 1..<Downloads.maxPerUser { others.append(try await downloads.begin(.user(ann), from: "192.0.2.2")) }
        // Bob has one there: his first one would not have to wait.
        others.append(try await downloads.begin(.user(bob), from: "192.0.2.1"))
        for number in 2..<Downloads.maxPerAddress {
            let user = try #require(UserID(rawValue: "reader\(number)"))
            others.append(try await downloads.begin(.user(user), from: "192.0.2.1"))
        }
        var last: Downloads.Slot? = try await downloads.begin(.user(ann), from: "192.0.2.1")
        let mine = Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: "192.0.2.3") }
        let theirs = Task { () async throws(WireError) in try await downloads.begin(.user(bob), from: "192.0.2.1") }
        while downloads.waiting < 2 { await Task.yield() }
        last = nil
        others += [try await mine.value, try await theirs.value]
        #expect(last == nil && downloads.waiting == 0)
    }
}
