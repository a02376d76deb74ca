import RoostWire
import Testing

@testable import RoostServer

/// How many WebSockets the clients of a network may begin.
@Suite(.timeLimit(.minutes(1))) struct UpgradeLimitTests {
    @Test func `a network begins as many at once as it may have sockets, and then a tenth of them a second`() throws {
        let limit = UpgradeLimit(burst: 50)
        for _ in 0..<50 { #expect(limit.count("192.0.2.1", now: 1_000) == nil) }
        let error = try #require(limit.count("192.0.2.1", now: 1_000))
        #expect(ErrorCode.tooManyRequests ~= error && error.retryAfterMs == 200)
        #expect(limit.count("192.0.2.1", now: 1_199) != nil)
        // What was refused costs nothing.
        #expect(limit.count("192.0.2.1", now: 1_200) == nil)
        let later = (0..<100).filter { limit.count("192.0.2.1", now: 1_200 + Int64($0) * 20) == nil }
        #expect(later.count == 9)
        for _ in 0..<50 { #expect(limit.count("192.0.2.1", now: 60_000) == nil) }
        #expect(limit.count("192.0.2.1", now: 60_000) != nil)
    }

    @Test func `each network has its own, the first 64 bits of an IPv6 address, and this machine has none`() {
        let limit = UpgradeLimit(burst: 1)
        #expect(limit.count("192.0.2.1", now: 0) == nil && limit.count("192.0.2.1", now: 0) != nil)
        #expect(limit.count("192.0.2.2", now: 0) == nil)
        #expect(limit.count("::ffff:192.0.2.2", now: 0) != nil)
        #expect(limit.count("2001:db8:1:2::1", now: 0) == nil && limit.count("2001:db8:1:2:ff::9", now: 0) != nil)
        #expect(limit.count("2001:db8:1:3::1", now: 0) == nil)
        for address in ["127.0.0.1", "::1", nil] {
            for _ in 0..<10 { #expect(limit.count(address, now: 0) == nil) }
        }
    }

    @Test func `very many networks fill no memory, and free none that is held up`() {
        let limit = UpgradeLimit(burst: 4, maxNetworks: 100)
        for _ in 0..<5 { _ = limit.count("192.0.2.1", now: 0) }
        #expect(limit.count("192.0.2.1", now: 0) != nil)
        for number in 0..<10_000 {
            #expect(limit.count("10.0.\(number / 250).\(number % 250)", now: 0) == nil)
        }
        #expect(limit.count("192.0.2.1", now: 0) != nil)
        #expect(limit.networks <= 100)
        // Of those whose budget is whole again nothing is kept when there is no more room.
        let room = UpgradeLimit(burst: 4, maxNetworks: 100)
        for number in 0..<100 { _ = room.count("198.51.100.\(number)", now: 0) }
        _ = room.count("192.0.2.2", now: 100_000)
        #expect(room.networks == 1)
    }

    @Test func `a login takes its upgrade back`() {
        let limit = UpgradeLimit(burst: 2)
        for _ in 0..<100 {
            #expect(limit.count("192.0.2.1", now: 0) == nil)
            limit.takeBack("192.0.2.1", now: 0)
        }
        #expect(limit.networks == 0)
        #expect((0..<3).map { _ in limit.count("192.0.2.1", now: 0) == nil } == [true, true, false])
        // Nobody gains more than an upgrade by it.
        for _ in 0..<10 { limit.takeBack("192.0.2.1", now: 0) }
        #expect((0..<3).map { _ in limit.count("192.0.2.1", now: 0) == nil } == [true, true, false])
    }

    @Test func `a client of a proxy that connects too often gets 429, and others connect`() async throws {
        try await LiveServer.run {
            $0.isBehindProxy = true
            $0.socketsPerAddress = 1
        } _: { server in
            let header = "X-Forwarded-For: 192.0.2.1\r\n"
            let client = try await RawClient.webSocket(server.port, headers: header)
            try await client.hello("ann")
            let known = try await RawClient.webSocket(server.port, headers: header)
            let refusal = await #expect(throws: RawClient.Refused.self) {
                _ = try await RawClient.webSocket(server.port, headers: header)
            }
            let head = try #require(refusal).head
            #expect(head.hasPrefix("HTTP/1.1 429 "))
            let wait = head.lowercased().firstMatch(of: #/retry-after: ([0-9]+)/#).flatMap { Int($0.1) }
            #expect((1...10).contains(try #require(wait)))
            let other = try await RawClient.webSocket(server.port, headers: "X-Forwarded-For: 192.0.2.2\r\n")
            try await other.hello("bob")
            await other.close()
            // Requests over HTTP are none of these.
            let plain = try await RawClient.connect(server.port)
            try await plain.write("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)\r\n")
            #expect(try await plain.head().hasPrefix("HTTP/1.1 200 "))
            await plain.close()
            await known.close()
            await client.close()
        }
    }
}
