import RoostCore
import RoostEncryption
import RoostTesting
import RoostWire
import Testing

/// A database that encrypts what users write.
@Suite struct EncryptionTests {
    private static let engines = Backend.available.filter { $0 != .memory }
    private static let one = [UInt8](repeating: 1, count: 32)
    private static let two = [UInt8](repeating: 2, count: 32)
    private static let needle = "needle"

    /// Opens a database with these keys.
    private func open(_ database: any SQLDatabase, _ keys: [[UInt8]]) throws -> any SQLDatabase {
        try database.encrypted(with: ContentCipher(secrets: keys), random: { 7 })
    }

    private func refusal(_ database: any SQLDatabase, _ keys: [[UInt8]]) -> DatabaseFailure? {
        #expect(throws: DatabaseFailure.self) { try open(database, keys) }
    }

    private func run(_ statement: Query, _ database: any SQLDatabase) throws {
        try database.write { try $0.execute(statement) }
    }

    /// Whether what is stored contains the needle: any file of a folder, or any value of a table. It closes the database.
    private func holdsNeedle(_ database: any SQLDatabase, _ folder: (any Sendable)?) throws -> Bool {
        guard let folder = folder as? TemporaryFolder else {
            defer { try? database.close() }
            return try StoredBytes.contain(Self.needle, inTablesOf: database)
        }
        try database.close()
        return try StoredBytes.contain(Self.needle, inFolder: folder.path)
    }

    /// Lets users write all kinds of things, and reads them again.
    private func play(_ database: any SQLDatabase) async throws {
        let flag = database.encryptsContent ? true : nil
        let roost = try TestCore(database: database)
        let stage = try await Stage(roost)
        let boss = try await roost.session(user("op"), isOperator: true)
        try await stage.makePair()
        try await stage.makeClub()
        let phone = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
        let address = SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "bob-phone"))
        _ = await roost.core.handle(address.any, id: roost.transID(), from: phone)

        let first = try await stage.ann.send("needle 1", to: Cast.club, id: "once")
        let id = try #require(first.messageID)
        #expect(try await stage.ann.send("needle 1", to: Cast.club, id: "once") == first)
        try await stage.cid.perform(
            SendMessage(
                channel: Cast.club, text: "needle 2", replyTo: id, extras: ["a": "needle"], category: "c"))
        try await stage.ann.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: [Cast.annAndBob]))
        try await boss.perform(AnnounceMessage(channel: Cast.club, text: "needle 3"))
        let options = [MessageContent(text: "needle a"), MessageContent(text: "needle b")]
        try await stage.ann.perform(CreateVote(channel: Cast.club, subject: "needle 4", vote: Vote(options: options)))
        try await stage.ann.perform(
            CreateSchedule(
                messages: [MessageContent(text: "needle 5")], channels: [Cast.club],
                sendAt: .init(milliseconds: roost.clock.now + 60_001)))
        #expect(try await stage.ann.perform(ListSchedules()).schedules.first?.messages.first?.text == "needle 5")
        try await boss.broadcast(["needle 6"], from: Cast.ann, to: .users([Cast.cid.userID]))
        let gone = try await stage.ann.post("needle gone", to: Cast.club)
        try await stage.ann.recall(gone, in: Cast.club)
        try await stage.ann.perform(
            SendMessage(channel: Cast.club, type: "custom", text: "needle 7 \"quoted\"", attributes: 8))
        let pushed = try await roost.pushes().sent.map(\.payload)
        #expect(
            pushed.compactMap(\.text)
                == ["needle 1", "needle 2", "needle 1", "needle 3", "needle 4", "needle 7 \"quoted\""])
        // The last one was not stored.
        #expect(pushed.map(\.isEncrypted) == Array(repeating: flag, count: 5) + [nil])
        roost.clock.advance(by: 60_001)
        await stage.settle()

        let log = try await stage.bob.log(of: Cast.club)
        #expect(log.compactMap(\.text) == ["needle 1", "needle 2", "needle 3", "needle 4", "", "needle 5"])
        #expect(log.filter { $0.messageID != gone && $0.isMessage }.allSatisfy { $0.isEncrypted == flag })
        #expect(log == stage.bob.rows(of: Cast.club).map { row in log.first { $0.seq == row.seq } ?? row })
        let answer = try #require(log.first { $0.text == "needle 2" }?.message)
        #expect(answer.replyTo?.text == "needle 1" && answer.extras == ["a": "needle"])
        #expect(log.first { $0.text == "needle 4" }?.message?.vote?.options.map(\.text) == ["needle a", "needle b"])
        #expect(try await stage.bob.log(of: Cast.annAndBob).map(\.isEncrypted) == [flag])
        #expect(try await stage.cid.texts(with: Cast.ann) == ["needle 6"])
        let found = try await stage.bob.perform(
            QueryMessages(time: .init(milliseconds: roost.clock.now + 1), direction: .before, category: "c"))
        #expect(found.events.map(\.text) == ["needle 2"])
        let last = try await stage.bob.channel(Cast.club).lastMessage
        #expect(last?.text == "needle 5" && last?.isEncrypted == flag)
        #expect(try await database.damages() == [])
        await roost.core.stop()
    }

    @Test(arguments: engines)
    func `what users write in messages, schedules, broadcasts and votes is stored encrypted, and read as it was`(
        backend: Backend
    ) async throws {
        for isEncrypted in [true, false] {
            let (database, folder) = try backend.makeDatabase()
            try await play(isEncrypted ? open(database, [Self.one]) : database)
            #expect(try holdsNeedle(database, folder) == !isEncrypted)
        }
    }

    @Test(arguments: engines)
    func `a database without encryption can be switched to it, and its keys can be changed but not be left out`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        var texts: [String] = []
        for (text, keys) in [("plain", []), ("one", [Self.one]), ("two", [Self.two, Self.one])] {
            let roost = try TestCore(database: open(database, keys))
            let ann = try await roost.session(Cast.ann)
            try await ann.send(text, to: Cast.lobby, id: text)
            texts.append(text)
            let log = try await ann.log(of: Cast.lobby)
            #expect(log.map(\.text) == texts)
            #expect(log.map(\.isEncrypted) == texts.map { $0 == "plain" ? nil : true })
            await roost.core.stop()
        }
        #expect(
            refusal(database, [])?.description
                == "This database holds encrypted messages. Start with --encryption-key FILE, where FILE holds the key "
                + "72cd6e84.")
        #expect(
            refusal(database, [Self.two])?.description.hasPrefix(
                "This database holds messages that are encrypted with the key 72cd6e84, which") == true)
        #expect(refusal(database, [Self.one])?.kind == .unavailable)
        #expect(refusal(database, [[UInt8](repeating: 3, count: 32)])?.kind == .unavailable)
        _ = try open(database, [Self.one, Self.two])
        try run("UPDATE meta SET value = 'x' WHERE name = 'encryption:72cd6e84'", database)
        #expect(refusal(database, [Self.one, Self.two])?.kind == .corrupt)
        try database.close()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: engines)
    func `a message that was changed is a removed row, and a command that reads a changed schedule is refused [LE-4]`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        let roost = try TestCore(database: open(database, [Self.one]))
        let stage = try await Stage(roost)
        try await stage.makePair()
        let phone = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
        let address = SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "bob-phone"))
        _ = await roost.core.handle(address.any, id: roost.transID(), from: phone)
        let id = try await stage.ann.post("changed", to: Cast.lobby)
        await stage.settle()
        let bytes = [UInt8](repeating: 1, count: 50)
        try run("UPDATE channel_log SET frame = \(blob: bytes) WHERE seq = \(id.seq)", database)
        #expect(try await stage.bob.perform(ListMessages(channel: Cast.lobby)).events.map(\.name) == ["row.removed"])
        #expect(
            try await stage.bob.refusal(SendMessage(channel: Cast.lobby, text: "x", replyTo: id))?.entry
                == .messageNotFound)
        try await stage.ann.perform(
            CreateSchedule(
                messages: [MessageContent(text: "later")], channels: [Cast.lobby],
                sendAt: .init(milliseconds: roost.clock.now + 86_400_000)))
        #expect(try await stage.ann.perform(ListSchedules()).schedules.count == 1)
        try run("UPDATE schedules SET content = \(blob: bytes)", database)
        #expect(try await stage.ann.refusal(ListSchedules())?.entry == .internalFault)
        try await stage.ann.send("intact", to: Cast.annAndBob)
        for text in ["next", "last"] { try await stage.ann.send(text, to: Cast.lobby) }
        let page = try await stage.bob.perform(ListMessages(channel: Cast.lobby, after: id.seq - 1))
        #expect(page.events.map(\.text) == [nil, "next", "last"])
        #expect(try await roost.pushes().sent.map(\.payload.text) == ["intact"])
        try await stage.ann.send("lost", to: Cast.annAndBob)
        try run("UPDATE push_outbox SET items = \(blob: bytes)", database)
        try await stage.ann.send("next", to: Cast.annAndBob)
        #expect(try await roost.pushes().sent.map(\.payload.text) == ["next"])
        await roost.core.stop()
        try database.close()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.encrypting)
    func `a client cannot say that its message is encrypted, nor that it is not`(backend: Backend) async throws {
        for backend in [backend, .memory] {
            let stage = try await Stage(backend)
            for value in ["true", "false"] {
                let body = #"{"channel":"lobby","text":"x","isEncrypted":\#(value)}"#
                let command = try AnyCommand(name: SendMessage.name, body: Array(body.utf8))
                let reply = await stage.roost.core.handle(command, id: stage.roost.transID(), from: stage.ann.actor)
                _ = try reply.decode(Acknowledgement.self)
            }
            let flag = backend == .memory ? nil : true
            #expect(try await stage.ann.log(of: Cast.lobby).map(\.isEncrypted) == [flag, flag])
        }
    }

    @Test(arguments: Backend.available)
    func `notifications that wait survive the migration of the outbox`(backend: Backend) throws {
        let (database, folder) = try backend.makeDatabase()
        _ = try Migrator.run(on: database, upTo: 13, random: { 7 })
        let items = "r club 7 \nu ann - 5 {\"text\":\"Grüße 👋\"}"
        try run("INSERT INTO push_outbox (id, items) VALUES ('a', \(items)), ('b', 'u ann - 5 \\\\n')", database)
        _ = try Migrator.run(on: database, random: { 7 })
        let kept = try database.write { try $0.rows("SELECT items FROM push_outbox") { try $0.content(0) } }
        #expect(kept == [Array(items.utf8)])
        withExtendedLifetime(folder) {}
    }
}

extension Event {
    /// The flag of the message or announcement.
    fileprivate var isEncrypted: Bool? {
        switch body {
        case .channel(.messageSent(let message)): message.isEncrypted
        case .channel(.messageAnnounced(let announcement)): announcement.isEncrypted
        default: nil
        }
    }
}
