import Foundation
import Logging
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// The clocks of a server that a test moves.
private final class Clocks: Sendable {
    private let times = Mutex<(now: Int64, uptime: Int64)>((TestClock().now, 0))

    var effects: Effects {
        Effects(
            now: { self.times.withLock { $0.now } }, random: { .random(in: 1 ... .max) },
            uptime: { self.times.withLock { $0.uptime } })
    }

    func advance(ms: Int) {
        times.withLock { times in
            times.now += Int64(ms)
            times.uptime += Int64(ms) * 1_000
        }
    }

    /// Sets only the clock that people see.
    func setBack(ms: Int64) { times.withLock { $0.now -= ms } }

    /// How long a test has waited, in ms.
    var waited: Int64 { times.withLock { $0.uptime / 1_000 } }
}

private let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

private func settings(
    allowsOthers: Bool = true, secrets: [String] = ["s"], encryptionKeys: [String] = [],
    options: [String: String] = ["--brand": "roost", "--limit": "", "--retain": ""]
) -> NodeSettings {
    NodeSettings(allowsOthers: allowsOthers, secrets: secrets, encryptionKeys: encryptionKeys, options: options)
}

private func node(
    _ name: String, _ settings: NodeSettings = settings(), place: String? = nil
) -> LocalNode {
    LocalNode(place: place, version: "1", address: name, settings: settings)
}

/// A database on which servers meet.
private struct Meeting {
    let database: any SQLDatabase
    let clocks = Clocks()
    private let resource: (any Sendable)?

    init(_ backend: Backend) throws {
        (database, resource) = try backend.makeDatabase()
        _ = try Migrator.run(on: database, random: { 1 })
    }

    /// Another connection to the same PostgreSQL.
    init(_ url: String) throws {
        database = try Postgres.open(url)
        resource = nil
    }

    /// Admits a server; `whileWaiting` is run at each pause.
    func admission(whileWaiting: @escaping () throws -> Void = {}) -> NodeAdmission {
        NodeAdmission(to: database, effects: clocks.effects, logger: logger) { [clocks] ms in
            clocks.advance(ms: ms)
            do { try whileWaiting() } catch { Issue.record(error) }
        }
    }

    @discardableResult
    func join(_ node: LocalNode, whileWaiting: @escaping () throws -> Void = {}) throws -> NodeLease {
        try admission(whileWaiting: whileWaiting).join(node)
    }

    func beat(_ address: String) throws {
        try database.write { try $0.execute("UPDATE nodes SET beat = beat + 1 WHERE address = \(address)") }
    }

    var addresses: [String] {
        get throws {
            try database.write { try $0.rows("SELECT address FROM nodes ORDER BY address") { try $0.text(0) } }
        }
    }

    var beats: [Int64] {
        get throws { try database.write { try $0.rows("SELECT beat FROM nodes ORDER BY id") { try $0.int(0) } } }
    }

    /// What is said to a second server while the first one is alive; nil if it is admitted.
    func refusal(of second: LocalNode, beside first: LocalNode) throws -> String? {
        try join(first)
        do {
            try join(second) { try beat(first.address) }
            return nil
        } catch let failure as DatabaseFailure where failure.kind == .openElsewhere {
            return failure.description
        }
    }
}

/// Which servers may use one database.
@Suite struct NodeAdmissionTests {
    @Test(arguments: Backend.available)
    func `a second server is refused while the first one is alive`(backend: Backend) throws {
        let meeting = try Meeting(backend)
        let alone = settings(allowsOthers: false)
        let refusal = try meeting.refusal(of: node("two", alone), beside: node("one", alone))
        #expect(refusal?.hasPrefix("Another server, one (version 1), uses this database.") == true, "\(refusal ?? "")")
        #expect(refusal?.contains("Stop it first; docs/stores.md has what is missing") == true)
        #expect(try meeting.addresses == ["one"])
        #expect(meeting.clocks.waited < 2_000)
    }

    @Test(arguments: Backend.available, [(true, false), (false, true)])
    func `both have to allow the other one`(backend: Backend, allow: (first: Bool, second: Bool)) throws {
        let meeting = try Meeting(backend)
        let refusal = try meeting.refusal(
            of: node("two", settings(allowsOthers: allow.second)),
            beside: node("one", settings(allowsOthers: allow.first)))
        #expect(refusal?.contains("uses this database") == true)
    }

    @Test(arguments: Backend.available)
    func `servers that allow it and agree are there together, without a wait`(backend: Backend) throws {
        let meeting = try Meeting(backend)
        #expect(try meeting.refusal(of: node("two"), beside: node("one")) == nil)
        #expect(try meeting.addresses == ["one", "two"] && meeting.clocks.waited == 0)
    }

    @Test(
        arguments: [
            (settings(secrets: ["other"]), "Copy the file secret"), (settings(secrets: ["other", "s"]), "Copy"),
            (settings(encryptionKeys: ["k"]), "--encryption-key"),
            (settings(options: ["--brand": "other"]), "other values of --brand."),
            (settings(options: ["--brand": "roost", "--retain": "x", "--limit": "y"]), "of --limit, --retain."),
        ] as [(NodeSettings, String)])
    func `each setting in which they differ is named`(other: NodeSettings, reason: String) throws {
        let meeting = try Meeting(.memory)
        let refusal = try meeting.refusal(of: node("two", other), beside: node("one"))
        #expect(refusal?.contains(reason) == true, "\(refusal ?? "admitted")")
    }

    @Test func `what only one of two versions knows is nothing on which they have to agree`() throws {
        let newer = settings(options: ["--brand": "roost", "--limit": "", "--retain": "", "--new": "x"])
        #expect(try Meeting(.memory).refusal(of: node("two", newer), beside: node("one")) == nil)
        #expect(try Meeting(.memory).refusal(of: node("two"), beside: node("one", newer)) == nil)
    }

    @Test func `a key that is being replaced is not a difference once both have both`() throws {
        let rotated = settings(secrets: ["new", "s"], encryptionKeys: ["b", "a"])
        let prepared = settings(secrets: ["s", "new"], encryptionKeys: ["a", "b"])
        #expect(try Meeting(.memory).refusal(of: node("two", rotated), beside: node("one", prepared)) == nil)
    }

    @Test(arguments: Backend.available)
    func `a server that ended without a goodbye is waited for, and then forgotten`(backend: Backend) throws {
        let meeting = try Meeting(backend)
        let alone = settings(allowsOthers: false)
        try meeting.join(node("one", alone, place: "here"))
        try meeting.join(node("two", alone, place: "there"))
        #expect(try meeting.addresses == ["two"])
        #expect((12_000...13_000).contains(meeting.clocks.waited))
    }

    @Test(arguments: Backend.available)
    func `the next holder of its place need not wait`(backend: Backend) throws {
        let meeting = try Meeting(backend)
        let alone = settings(allowsOthers: false)
        for _ in 0..<3 { try meeting.join(node("one", alone, place: "here")) }
        #expect(try meeting.addresses == ["one"] && meeting.clocks.waited == 0)
    }

    @Test func `a server that is too old for the schema is refused beside one, and the database stays as it is`() throws
    {
        let meeting = try Meeting(.memory)
        try meeting.join(node("one"))
        try meeting.database.write { connection in
            try connection.execute("UPDATE nodes SET schema = \(Migrations.oldest - 1)")
        }
        #expect(throws: DatabaseFailure.self) { try meeting.join(node("two")) { try meeting.beat("one") } }
        #expect(try meeting.addresses == ["one"])
        #expect(try Migrator.numbers(of: meeting.database).schema == Migrations.all.count)
    }

    @Test func `a server that ended before the schema knew of that is forgotten`() throws {
        let meeting = try Meeting(.memory)
        try meeting.join(node("one", place: "here"))
        try meeting.database.write { connection in
            for table in ["connections", "participants", "ended_nodes", "attempts"] {
                try connection.execute(Query(stringLiteral: "DROP TABLE \(table)"))
            }
            for column in ["nodes DROP COLUMN seen_at", "nodes DROP COLUMN spool", "nodes DROP COLUMN url"] {
                try connection.execute(Query(stringLiteral: "ALTER TABLE \(column)"))
            }
            try connection.execute("ALTER TABLE files DROP COLUMN spool")
            try connection.execute("ALTER TABLE users DROP COLUMN deletes_messages")
            try connection.execute("ALTER TABLE schema_version DROP COLUMN oldest")
            try connection.execute("UPDATE schema_version SET version = \(Migrations.firstWithEndedNodes - 1)")
        }
        try meeting.join(node("two", place: "here"))
        #expect(try meeting.addresses == ["two"])
        #expect(try Migrator.numbers(of: meeting.database).schema == Migrations.all.count)
    }

    @Test func `a database from before the servers noted themselves has nobody to wait for`() throws {
        let meeting = try Meeting(.memory)
        try meeting.database.write { connection in
            for table in ["nodes", "commits", "connections", "participants", "ended_nodes", "attempts"] {
                try connection.execute(Query(stringLiteral: "DROP TABLE \(table)"))
            }
            try connection.execute("ALTER TABLE files DROP COLUMN spool")
            try connection.execute("ALTER TABLE users DROP COLUMN deletes_messages")
            try connection.execute("ALTER TABLE schema_version DROP COLUMN oldest")
            try connection.execute("DELETE FROM meta WHERE name = 'nodes'")
            try connection.execute("UPDATE schema_version SET version = \(Migrations.firstWithNodes - 1)")
        }
        #expect(try meeting.admission().whenAlone { _ in 7 } == 7)
        try meeting.join(node("one"))
        #expect(try meeting.addresses == ["one"] && meeting.clocks.waited == 0)
    }

    @Test(arguments: Backend.available)
    func `what must have the database for itself waits for a server that may be dead, and is refused by a living one`(
        backend: Backend
    ) throws {
        let meeting = try Meeting(backend)
        try meeting.join(node("one"))
        #expect(throws: DatabaseFailure.self) {
            try meeting.admission { try meeting.beat("one") }.whenAlone { _ in Issue.record("this was done") }
        }
        #expect(try meeting.admission().whenAlone { _ in 7 } == 7)
        #expect(try meeting.addresses.isEmpty)
    }

    @Test func `a server that starts and fails again and again keeps others waiting for less than a minute`() throws {
        let meeting = try Meeting(.memory)
        let alone = settings(allowsOthers: false)
        try meeting.join(node("one", alone, place: "here"))
        #expect(throws: DatabaseFailure.self) {
            try meeting.join(node("two", alone)) {
                guard meeting.clocks.waited % 5_000 == 0 else { return }
                try meeting.database.write { connection in
                    try connection.execute("UPDATE nodes SET id = \("x\(meeting.clocks.waited)")")
                }
            }
        }
        #expect((40_000..<42_000).contains(meeting.clocks.waited))
    }

    @Test(arguments: Backend.available)
    func `a server that is ending is waited for, though it is alive`(backend: Backend) throws {
        let meeting = try Meeting(backend)
        let one = node("one", settings(allowsOthers: false))
        one.settings.isLeaving = true
        let lease = try meeting.join(one)
        try meeting.join(node("two", settings(allowsOthers: false))) {
            if meeting.clocks.waited < 8_000 { try meeting.beat("one") } else { meeting.admission().leave(lease) }
        }
        #expect(try meeting.addresses == ["two"] && meeting.clocks.waited == 8_000)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `of several that start at the same time one is admitted`() async throws {
        let url = try Postgres.makeSchema()
        let names = ["one", "two", "three"]
        let meetings = try names.map { _ in try Meeting(url) }
        _ = try Migrator.run(on: meetings[0].database, random: { 1 })
        let alone = settings(allowsOthers: false)
        for round in 0..<10 {
            try meetings[0].database.write { try $0.execute("DELETE FROM nodes") }
            let admitted = await withTaskGroup(of: Bool.self) { group in
                for (name, meeting) in zip(names, meetings) {
                    group.addTask {
                        do {
                            try meeting.join(node(name, alone)) { for other in names { try meeting.beat(other) } }
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(try admitted == 1 && meetings[0].addresses.count == 1, "\(round)")
        }
    }
}

/// How a server learns which others are alive.
@Suite struct NodeWatchTests {
    private func row(_ beat: Int64) throws -> NodeRow {
        let meeting = try Meeting(.memory)
        try meeting.join(node("one"))
        var row = try #require(try meeting.database.write { try NodeRow.all($0) }.first)
        row.id = "one"
        row.beat = beat
        return row
    }

    @Test func `a beat that stays the same for 12 s means dead, and one that moves means alive`() throws {
        var watch = NodeWatch()
        for second in 0..<60 {
            watch.look([try row(second < 40 ? 7 : 8)], at: Int64(second) * 1_000_000, now: Int64(second) * 1_000)
            #expect(watch.isDead("one") == (12..<40 ~= second || second >= 52), "\(second)")
            #expect(watch.hasMoved("one") == (second >= 40))
        }
        #expect(!watch.isDead("other"))
    }

    @Test func `time in which nothing could be read is not held against the others`() throws {
        var watch = NodeWatch()
        watch.look([try row(1)], at: 0, now: 0)
        watch.look([try row(1)], at: 600_000_000, now: 600_000)
        watch.look([try row(1)], at: 602_000_000, now: 602_000)
        #expect(!watch.isDead("one"))
        for second in Int64(603)...611 { watch.look([try row(1)], at: second * 1_000_000, now: second * 1_000) }
        #expect(!watch.isDead("one"))
        watch.look([try row(1)], at: 500_000_000, now: 500_000)
        #expect(!watch.isDead("one"))
    }
}

/// The lease of a running server.
@Suite struct NodeLeaseTests {
    /// A server in the meeting, and what it says of its lease.
    private struct Running {
        let meeting: Meeting
        let node: LocalNode
        let core: Core
        private let losses = AsyncStream.makeStream(of: String?.self)

        init(_ meeting: Meeting, allowsOthers: Bool, isHeard: Bool = true) throws {
            self.meeting = meeting
            node = RoostCoreTests.node("one", settings(allowsOthers: allowsOthers))
            var configuration = CoreConfiguration(limits: .withoutRates, isDevelopment: true)
            configuration.node = node
            core = try Core(
                database: meeting.database, configuration: configuration, lease: meeting.join(node),
                effects: meeting.clocks.effects, logger: logger)
            if isHeard { hear() }
        }

        func hear() { core.onLeaseLost { [losses] in losses.continuation.yield($0) } }

        /// The code of the answer to a command that changes something; nil if it was accepted.
        func code() async -> Int? {
            let actor = Actor(user: Cast.ann, deviceID: "phone", isOperator: false)
            let reply = await core.handle(
                CreateChannel(kind: .own).any, id: "\(UInt64.random(in: 0 ... .max))", from: actor)
            if case .refused(let error) = reply { return error.code }
            return nil
        }

        /// Lets time pass, and the server do what is due.
        func pass(ms: Int) async {
            meeting.clocks.advance(ms: ms)
            // The tasks come after the first of two commands.
            for _ in 0..<2 { _ = await code() }
        }

        /// Why the lease was lost; nil if the server goes on.
        func loss() async -> String? {
            for await why in losses.stream { return why }
            return nil
        }
    }

    /// As if the server had been paused for so long that another one took the database over.
    private func replace(_ running: Running, by other: LocalNode) throws {
        try running.meeting.database.write { try $0.execute("DELETE FROM nodes") }
        try running.meeting.join(other)
        running.meeting.clocks.advance(ms: 60_000)
    }

    @Test(arguments: Backend.available)
    func `the beat moves every two seconds, also after the clock was set back`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: false)
        #expect(try running.meeting.beats == [0])
        await running.pass(ms: 1_000)
        #expect(try running.meeting.beats == [0])
        await running.pass(ms: 1_000)
        #expect(try running.meeting.beats == [1])
        running.meeting.clocks.setBack(ms: 3_600_000)
        await running.pass(ms: 0)
        #expect(try running.meeting.beats == [2])
        await running.pass(ms: 2_000)
        #expect(try running.meeting.beats == [3])
    }

    @Test(arguments: Backend.available)
    func `a server that another one has replaced refuses what comes next, and says why`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: false)
        #expect(await running.code() == nil)
        try replace(running, by: node("two", settings(allowsOthers: false)))
        #expect(await running.code() == ErrorCode.draining.code)
        #expect(await running.loss()?.contains("two (version 1), uses this database") == true)
        #expect(await running.code() == ErrorCode.draining.code)
        #expect(try running.meeting.addresses == ["two"])
    }

    @Test func `a loss before anybody listens is not lost, and the server is not ready`() async throws {
        let running = try Running(Meeting(.memory), allowsOthers: false, isHeard: false)
        try replace(running, by: node("two", settings(allowsOthers: false)))
        #expect(await running.code() == ErrorCode.draining.code)
        running.hear()
        let why = await running.loss()
        #expect(why?.contains("two (version 1), uses this database") == true)
        #expect(running.core.problem == why)
    }

    @Test(arguments: Backend.available)
    func `a server whose database was restored while it was paused does not go on`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: true)
        try running.meeting.database.write { connection in
            try connection.execute("DELETE FROM nodes")
            _ = try Migrator.renewEpoch(connection, random: { 7 })
        }
        running.meeting.clocks.advance(ms: 60_000)
        #expect(await running.code() == ErrorCode.draining.code)
        #expect(await running.loss()?.contains("was restored") == true)
    }

    @Test func `a lost lease is noticed within two seconds, whatever the clock shows, and then no task runs`()
        async throws
    {
        let running = try Running(Meeting(.memory), allowsOthers: false)
        _ = await running.code()
        try running.meeting.database.write { try $0.execute("DELETE FROM nodes") }
        try running.meeting.join(node("two", settings(allowsOthers: false)))
        running.meeting.clocks.advance(ms: 2_000)
        _ = await running.code()
        #expect(await running.loss() != nil)
        #expect(await running.code() == ErrorCode.draining.code)
    }

    @Test(arguments: Backend.available)
    func `one that may share the database goes on, with new sessions`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: true)
        try replace(running, by: node("two"))
        #expect(await running.code() == nil)
        #expect(await running.loss() == nil)
        #expect(try running.meeting.addresses == ["one", "two"])
    }

    @Test func `a server whose place nobody took goes on`() async throws {
        let running = try Running(Meeting(.memory), allowsOthers: false)
        try running.meeting.database.write { try $0.execute("DELETE FROM nodes") }
        await running.pass(ms: 2_000)
        #expect(await running.loss() == nil)
        #expect(try running.meeting.addresses == ["one"])
    }

    @Test(arguments: Backend.available)
    func `a running server forgets those that have ended without a goodbye`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: true)
        try running.meeting.join(node("two"))
        for _ in 0..<6 { await running.pass(ms: 2_000) }
        #expect(try running.meeting.addresses == ["one", "two"])
        await running.pass(ms: 2_000)
        #expect(try running.meeting.addresses == ["one"])
    }

    @Test(arguments: Backend.available)
    func `a new address and new settings are there for the others`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: true)
        running.node.address = "moved"
        running.node.settings.secrets = ["new", "s"]
        await running.pass(ms: 2_000)
        let rows = try running.meeting.database.write { try NodeRow.all($0) }
        #expect(rows.map(\.name) == ["Another server, moved (version 1),"])
        #expect(rows.first?.settings?.secrets == ["new", "s"])
    }

    @Test(arguments: Backend.available)
    func `a server that stops says goodbye`(backend: Backend) async throws {
        let running = try Running(Meeting(backend), allowsOthers: false)
        await running.core.stop()
        #expect(try running.meeting.addresses.isEmpty)
    }
}
