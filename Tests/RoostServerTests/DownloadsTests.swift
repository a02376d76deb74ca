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
        for _ in 0..<Downloads.mostPerUser { running.append(try await downloads.begin(.user(ann), from: "192.0.2.1")) }
        let next = Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: "192.0.2.2") }
        while downloads.waiting == 0 { await Task.yield() }
        // Another user, and one of the same address.
        running.append(try await downloads.begin(.user(bob), from: "192.0.2.1"))
        running.removeFirst()
        running.append(try await next.value)
        #expect(running.count == Downloads.mostPerUser + 1)
    }

    @Test func `an address has 32 downloads, whoever they are of, and a network of IPv6 is one`() async throws {
        let downloads = Downloads(patience: .zero)
        var running: [Downloads.Slot] = []
        for number in 0..<Downloads.mostPerAddress {
            running.append(
                try await downloads.begin(
                    .user(try #require(UserID(rawValue: "reader\(number)"))), from: "2001:db8::\(number)"))
        }
        let error = await #expect(throws: WireError.self) {
            _ = try await downloads.begin(.user(ann), from: "2001:db8::ffff")
        }
        #expect(error?.code == 1_004 && error?.retryAfterMs == 2_000)
        running.removeLast()
        running.append(try await downloads.begin(.user(ann), from: "2001:db8::ffff"))
        _ = try await downloads.begin(.user(bob), from: nil)
    }

    @Test func `who waits too long, is too many or goes away is refused, and the place of others is kept`() async throws
    {
        let downloads = Downloads(patience: .seconds(3_600))
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.mostPerUser { running.append(try await downloads.begin(.user(ann), from: nil)) }
        let waiting = (0..<Downloads.mostWaiting).map { _ in
            Task { () async throws(WireError) in try await downloads.begin(.user(ann), from: nil) }
        }
        while downloads.waiting < Downloads.mostWaiting { await Task.yield() }
        await #expect(throws: WireError.self) { _ = try await downloads.begin(.user(ann), from: nil) }
        for task in waiting.dropFirst(3) { task.cancel() }
        for task in waiting.dropFirst(3) {
            let result = await task.result
            #expect(throws: WireError.self) { _ = try result.get() }
        }
        running.removeFirst(3)
        for task in waiting.prefix(3) { running.append(try await task.value) }
        #expect(running.count == Downloads.mostPerUser)
    }

    @Test func `a link that others have takes nothing from its user, and this machine is not counted`() async throws {
        let downloads = Downloads(patience: .zero)
        var running: [Downloads.Slot] = []
        for _ in 0..<Downloads.mostPerUser { running.append(try await downloads.begin(.link(ann), from: "192.0.2.1")) }
        await #expect(throws: WireError.self) { _ = try await downloads.begin(.link(ann), from: "192.0.2.1") }
        running.append(try await downloads.begin(.link(ann), from: "192.0.2.2"))
        running.append(try await downloads.begin(.user(ann), from: "192.0.2.1"))
        for number in 0...Downloads.mostPerAddress {
            let user = try #require(UserID(rawValue: "reader\(number)"))
            running.append(try await downloads.begin(.user(user), from: "127.0.0.1"))
        }
    }

    @Test func `one that ends lets all go on who have room now`() async throws {
        let downloads = Downloads(patience: .seconds(3_600))
        // The last one of ann, and the last one of the address.
        var others: [Downloads.Slot] = []
        for _ in 1..<Downloads.mostPerUser { others.append(try await downloads.begin(.user(ann), from: "192.0.2.2")) }
        for number in 1..<Downloads.mostPerAddress {
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
