import NIOCore
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore
@testable import RoostServer

/// How many commands of a user are in progress over HTTP, and how many wrong links an address may try.
@Suite(.timeLimit(.minutes(1))) struct RequestsTests {
    private let ann = RoostCore.Actor(user: Cast.ann, deviceID: "phone", isOperator: false)
    private let bob = RoostCore.Actor(user: Cast.bob, deviceID: "phone", isOperator: false)

    @Test func `a user has 128 commands in progress, and others have theirs`() throws {
        let requests = Requests()
        var running: [Requests.Slot] = []
        for _ in 0..<Requests.maxPerUser { running.append(try requests.begin(ann)) }
        let error = #expect(throws: WireError.self) { _ = try requests.begin(ann) }
        #expect(error?.entry == .tooManyRequests && error?.retryable == true && error?.retryAfterMs == 1_000)
        #expect(requests.count(of: Cast.ann.userID) == Requests.maxPerUser)
        var backend = ann
        backend.keyName = "backend"
        // Her backend is not kept waiting by what she does herself.
        running.append(try requests.begin(backend))
        running.append(try requests.begin(bob))
        running.removeFirst()
        running.append(try requests.begin(ann))
        running.removeAll()
        #expect(requests.count(of: Cast.ann.userID) == 0 && requests.count(of: Cast.bob.userID) == 0)
    }

    @Test func `a user with 128 commands whose bodies do not arrive gets 429 for one more`() async throws {
        try await LiveServer.run { server in
            func request(_ user: String, body: String) -> String {
                "POST /v1/unread.get HTTP/1.1\r\nHost: localhost\r\nRoost-Guest: \(user)\r\nContent-Length: 2\r\n\r\n\(body)"
            }
            func ask(_ user: String) async throws -> String {
                let client = try await RawClient.connect(server.port)
                try await client.write(request(user, body: "{}"))
                let head = try await client.head()
                await client.close()
                return head
            }
            var held: [RawClient] = []
            var head = try await ask("ann")
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            while !head.hasPrefix("HTTP/1.1 429 ") {
                let client = try await RawClient.connect(server.port)
                try await client.write(request("ann", body: "{"))
                held.append(client)
                if held.count >= Requests.maxPerUser { head = try await ask("ann") }
            }
            #expect(head.lowercased().contains("retry-after: 1\r\n"))
            #expect(try await ask("bob").hasPrefix("HTTP/1.1 200 "))
            // Those that were taken are answered. The last one that asked may have had a place still.
            var answered = 0
            for client in held {
                try await client.write("}")
                if try await client.head().hasPrefix("HTTP/1.1 200 ") { answered += 1 }
            }
            #expect((Requests.maxPerUser - 1...Requests.maxPerUser).contains(answered))
            while !head.hasPrefix("HTTP/1.1 200 ") { head = try await ask("ann") }
        }
    }

    @Test func `an address may try 100 wrong links a minute, and right ones go on`() async throws {
        let clock = TestClock(now: LiveServer.now)
        let links = FileLinkKey(secrets: [LiveServer.secret]).links
        let right = links.link(to: "unknown", for: Cast.ann.userID, until: LiveServer.now + 600_000)
        try await LiveServer.run(clock: clock) { server in
            let client = try await RawClient.connect(server.port)
            func status(_ target: String, _ method: String = "HEAD") async throws -> String {
                try await client.write("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return String(try await client.head().split(separator: " ").dropFirst().first ?? "")
            }
            let wrong = "/v1/files/unknown?user=ann&until=\(LiveServer.now + 600_000)&signature=00"
            for _ in 0..<WrongLinks.most { #expect(try await status(wrong) == "401") }
            #expect(try await status(wrong) == "429")
            // There is no such file.
            #expect(try await status(right) == "404")
            clock.advance(by: WrongLinks.length)
            #expect(try await status(wrong) == "401")
        }
    }

    @Test func `wrong links are counted by address, and a network of IPv6 is one`() {
        let links = WrongLinks()
        let error = WireError(.wrongCredentials)
        func code(_ address: String?) -> ErrorCode? { links.refusal(error, from: address, now: 1_000).entry }
        for number in 0..<WrongLinks.most { #expect(code("2001:db8::\(number)") == error.entry) }
        #expect(code("2001:db8::ffff") == .tooManyRequests)
        #expect(code("2001:db8:1::") == error.entry && code(nil) == error.entry)
        let refusal = links.refusal(error, from: "2001:db8::1", now: 2_000)
        #expect(refusal.retryAfterMs == Int(WrongLinks.length) - 1_000)
        // A clock that was set back begins anew.
        #expect(links.refusal(error, from: "2001:db8::1", now: 0) == error)
    }

    @Test func `asking how much of an upload has arrived is limited as other requests are`() async throws {
        var limits = Limits.withoutRates
        limits.commandsPerSecond = 1
        limits.commandBurst = 3
        try await LiveServer.run(limits: limits) { server in
            let client = try await RawClient.connect(server.port)
            var statuses: [String] = []
            for _ in 0..<5 {
                try await client.write("HEAD /v1/files/unknown HTTP/1.1\r\nHost: localhost\r\nRoost-Guest: ann\r\n\r\n")
                statuses.append(String(try await client.head().split(separator: " ").dropFirst().first ?? ""))
            }
            #expect(statuses == ["404", "404", "404", "429", "429"])
        }
    }
}
