import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// A server whose PostgreSQL fails or is shared with another server. In every pass, these tests start their own.
@Suite(.serialized, .needsPostgres, .firstPassOnly) struct PostgresTests {
    private static let outages =
        environmentNumber("ROOST_KILLS") ?? TestLength.rounds(PostgresServer.StopMode.allCases.count, long: 40)

    /// Stops PostgreSQL repeatedly, in every way, under load; the server must keep what it has acknowledged.
    @Test(.timeLimit(.minutes(outages / 10 + 5)))
    func `nothing acknowledged is lost, duplicated or reordered when PostgreSQL stops or drops its connections`()
        async throws
    {
        let postgres = try PostgresServer()
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(data: folder.path, arguments: ["--database", postgres.url])
        let load = Load(server: server.url, clients: 50, channels: 20)
        try await load.connect()
        var outages: [Outage] = []
        for round in 0..<Self.outages {
            let wanted = load.acknowledged + 2_000
            try await load.waitUntil { $0.acknowledged >= wanted }
            var outage = Outage(mode: PostgresServer.StopMode.allCases[round % PostgresServer.StopMode.allCases.count])
            outage.began = .now
            try postgres.stop(outage.mode)
            if outage.mode != .terminate { try postgres.start() }
            outage.accepts = .now
            outages.append(outage)
        }
        let wanted = load.acknowledged + 2_000
        try await load.waitUntil { $0.acknowledged >= wanted }
        let acknowledged = try await load.finish()
        try await load.check()
        let times = load.acknowledgedAt
        for outage in outages { print("# \(outage.told(times))") }
        print("# \(outages.count) outages, \(acknowledged) acknowledged messages")
        #expect(server.stop() == 0)
    }

    @Test(.timeLimit(.minutes(3)))
    func
        `two servers on one database give each message one position, and a right revoked at one is gone at the other`()
        async throws
    {
        let pair = try await ServerPair()
        let servers = pair.servers
        func person(_ name: String, at server: ServerProcess, device: String) async throws -> RecordingClient {
            let token = try await pair.token(of: makeUser(name))
            let person = try RecordingClient(server.url, .token { token }, device: device, positions: nil)
            try await person.connect()
            return person
        }
        let people = [
            try await person("u0", at: servers[0], device: "d0"), try await person("u1", at: servers[1], device: "d1"),
        ]
        let club = try channelID("club")
        let users = try [makeUser("u0").userID, makeUser("u1").userID]
        _ = try await people[0].client.perform(CreateChannel(kind: .group, channel: club, members: [users[1]]))
        let seqs = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<200 {
                let person = people[number % 2]
                group.addTask { try await person.channel(club).send("m\(number)").seq }
            }
            return try await group.reduce(into: [Int64?]()) { $0.append($1) }
        }
        #expect(seqs.compactMap { $0 }.sorted() == Array(1...200))
        for person in people {
            let channel = try await person.client.perform(GetChannel(channel: club))
            #expect(channel.seq == 200)
            #expect(channel.count == 200)
            try await person.channel(club).markRead()
            #expect(try await person.client.perform(GetChannel(channel: club)).unread == 0)
        }
        // Both servers have the channel in memory; the second user leaves through the second server only.
        let second = try await person("u1", at: servers[0], device: "d2")
        try await second.channel(club).send("still in")
        _ = try await people[1].client.perform(LeaveChannel(channel: club))
        let refused = await refusal { () async throws(RoostError) in try await second.channel(club).send("no more") }
        #expect(refused == .server(.notMember))
        for server in servers { #expect(server.stop() == 0) }
    }

    /// A client that waits this many seconds for an answer.
    private func client(_ server: ServerProcess, _ user: User, waiting seconds: Int) async throws -> ChatClient {
        var configuration = ClientConfiguration(
            server: server.url, credentials: .guest(user.userID),
            deviceID: try #require(DeviceID(rawValue: "\(user.userID)-\(seconds)")))
        configuration.commandTimeout = .seconds(seconds)
        let client = ChatClient(configuration: configuration)
        try await client.connect()
        return client
    }

    /// Sends messages to the club, and returns when the server has received them.
    private func send(_ texts: [String], over session: RawSession) throws {
        for text in texts {
            try session.send(#"{"id":"\#(text)","cmd":"message.send","body":{"channel":"club","text":"\#(text)"}}"#)
        }
        // The refusal of the next command shows this.
        #expect(try session.perform("no.such", "{}") != nil)
    }

    @Test(.timeLimit(.minutes(4)))
    func `while PostgreSQL is frozen commands are refused, afterwards they go on, and a stop ends`() async throws {
        let postgres = try PostgresServer()
        defer { try? postgres.thaw() }
        let folder = try TemporaryFolder()
        var server = try await ServerProcess.start(data: folder.path, arguments: ["--database", postgres.url])
        let (ann, bob) = (try makeUser("ann"), try makeUser("bob"))
        // The server gives up after some time, which may be long if the writer is busy with background work. An SDK
        // client would reconnect in the meantime, and then its login would be refused instead.
        let patient = try await client(server, ann, waiting: 150)
        let other = try RawSession(server)
        #expect(try other.hello(.guest(ann)) == nil)
        let hasty = try await client(server, bob, waiting: 2)
        let club = try channelID("club")
        _ = try await patient.perform(CreateChannel(kind: .group, channel: club, members: [bob.userID]))
        try await patient.channel(club).send("before")
        try postgres.freeze()
        async let read = refusal { () async throws(RoostError) in try await patient.perform(GetChannel(channel: club)) }
        try other.send(#"{"id":"mark","cmd":"readMark.set","body":{"channel":"club","seq":1}}"#)
        async let late = refusal { () async throws(RoostError) in
            try await hasty.perform(SetReadMark(channel: club, seq: 1))
        }
        #expect(await late == .timedOut)
        #expect(await read == .server(.databaseAccess))
        #expect(try other.error(of: "mark")?.entry == .databaseAccess)
        try postgres.thaw()
        try await patient.channel(club).send("after")
        #expect(try await patient.perform(GetChannel(channel: club)).seq == 2)
        for client in [patient, hasty] { await client.disconnect() }

        // PostgreSQL comes back while the server stops: all accepted commands are stored.
        var session = try RawSession(server)
        #expect(try session.hello(.guest(bob)) == nil)
        try postgres.freeze()
        try send(["late"], over: session)
        let stopping = Task.detached { [server] in server.stop() }
        // After the going-away event it has started to stop.
        while true { if case .event(let event) = try session.next(), case .ephemeral(.goaway) = event.body { break } }
        try postgres.thaw()
        #expect(await stopping.value == 0)
        server = try await ServerProcess.start(data: folder.path, arguments: ["--database", postgres.url])
        #expect(try HTTPClient(server).perform(GetChannel(channel: club), from: .guest(bob)).seq == 3)

        // PostgreSQL stays away, and the server has more pending commands than it can refuse during a shutdown.
        session = try RawSession(server)
        #expect(try session.hello(.guest(bob)) == nil)
        try postgres.freeze()
        try send(["1", "2", "3", "4", "5"], over: session)
        #expect(server.stop() == 4)
    }

    @Test(arguments: [
        ("mysql://root:hunter2@localhost/x", "must be a URL like"),
        ("postgres://roost:hunter2@127.0.0.1:1/roost", "cannot be reached"),
        ("postgres://roost:hunter2%ZZ@127.0.0.1:1/roost", "is invalid"),
        ("postgres://roost:hunter2@127.0.0.1:1/roost?sslmode=verify-fool", "sslmode"),
        ("postgres://roost:hunter2@127.0.0.1:1/roost?sslmode=disable&hunter2=x", "is invalid"),
        ("postgres://roost:hunter2/x@127.0.0.1:1/roost", "is invalid"),
        ("postgres://roost:1/hunter2@127.0.0.1:1/roost", "is invalid"),
        ("postgres://roost:x@hunter2@127.0.0.1:1/roost", "is invalid"),
        ("postgres://roost:hunter2", "is invalid"),
    ])
    func `serve explains why a database cannot be used, without its password`(url: String, reason: String) async throws
    {
        let folder = try TemporaryFolder()
        let refused = try await Child.roost(
            ["serve", "--data", folder.path + "/data", "--port", "0", "--database", url], in: folder
        ).result()
        #expect(refused.status == 1)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains(reason), "\(refused.errors)")
        #expect(!refused.errors.contains("hunter2"), "\(refused.errors)")
    }

    @Test func `the URL may come from the environment or a file`() async throws {
        for variable in ["ROOST_DATABASE", "ROOST_DATABASE_FILE"] {
            let folder = try TemporaryFolder()
            var value = try Postgres.makeSchema()
            if variable.hasSuffix("FILE") {
                try Data((value + "\n").utf8).write(to: URL(fileURLWithPath: folder.path + "/url"))
                value = folder.path + "/url"
            }
            let server = try Child.roost(
                ["serve", "--data", folder.path + "/data", "--port", "0", "--dev"], environment: [variable: value],
                in: folder)
            #expect(await server.line()?.hasPrefix("ready ") == true)
            server.signal(SIGTERM)
            #expect(await server.result().status == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/roost.sqlite"))
        }
    }
}

/// One outage of PostgreSQL.
private struct Outage {
    let mode: PostgresServer.StopMode
    var began = ContinuousClock.now
    /// When it accepted connections again.
    var accepts = ContinuousClock.now

    /// The time until acknowledgements arrived as fast as in the second before the outage.
    func told(_ times: [ContinuousClock.Instant]) -> String {
        let before = times.filter { $0 < began && $0 > began - .seconds(1) }.count
        let window = Duration.milliseconds(250)
        let again = times.first { start in
            start >= accepts && times.filter { $0 >= start && $0 < start + window }.count * 5 >= before
        }
        let away = (accepts - began) / .milliseconds(1)
        let first = times.first { $0 >= accepts }.map { Int(($0 - accepts) / .milliseconds(1)) }
        let full = again.map { Int(($0 - accepts) / .milliseconds(1)) }
        return "\(mode.rawValue): away \(Int(away)) ms, first acknowledgement \(first ?? -1) ms after it took "
            + "connections, full speed (\(before)/s) after \(full ?? -1) ms"
    }
}
