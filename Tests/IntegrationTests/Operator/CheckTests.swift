import Foundation
import RoostClient
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Damaged data folders: what `roost check` says of them, and how a server uses them.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CheckTests {
    private let folder: TemporaryFolder
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    /// The options that choose the store.
    private let store: [String]

    init() throws {
        folder = try TemporaryFolder()
        store = try Store.serveArguments()
    }

    private var data: String { folder.path + "/data" }
    private var database: String { data + "/roost.sqlite" }

    private func start(_ options: String...) async throws -> ServerProcess {
        try await ServerProcess.start(data: data, arguments: store + options)
    }

    private func check(_ options: String...) async throws -> Child.Result {
        try await Child.roost(["check", "--data", data] + store + options, in: folder).result()
    }

    /// Sends messages to a new group; each takes some room.
    private func fill(_ server: ServerProcess, _ count: Int) throws {
        let http = HTTPClient(server)
        try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        for number in 1...count {
            let text = "\(number) " + String(repeating: "x", count: 2_000)
            try http.perform(SendMessage(channel: Cast.club, text: text), from: ann)
        }
    }

    private func withDatabase(_ body: (any SQLDatabase) throws -> Void) throws {
        guard let url = store.last else { return }
        let database = try Postgres.open(url)
        try body(database)
        try database.close()
    }

    private func flipBit(_ seq: Int64) throws {
        if store.isEmpty { return try DamagedDatabase.flipBit(in: Cast.club, seq, data) }
        try withDatabase { try DamagedDatabase.flipBit(in: Cast.club, seq, of: $0) }
    }

    private func deleteRow(_ seq: Int64) throws {
        if store.isEmpty { return try DamagedDatabase.deleteRow(of: Cast.club, seq, data) }
        try withDatabase { database in
            try database.write {
                try $0.execute("DELETE FROM channel_log WHERE channel = \(Cast.club) AND seq = \(seq)")
            }
        }
    }

    @Test func `a check finds exactly what was damaged, and readers get the rest`() async throws {
        let server = try await start()
        try fill(server, 20)
        let bob = try RecordingClient(server.url, .guest("bob", name: "Bob"), device: "bob", positions: nil)
        try await bob.connect()
        let chat = try await bob.start(with: Cast.ann)
        for (name, bytes) in [("one.bin", 40_000), ("two.bin", 50_000), ("three.bin", 60_000)] {
            let path = try TransferFile.make(name, bytes: bytes, in: folder)
            let file = try await bob.client.upload(LocalFile(path: path))
            _ = try await bob.channel(chat.id).enqueue(.file(file, text: name)).sent
        }
        // Beside a running server.
        let beside = try await check("--files", "--json")
        #expect(beside.status == 0, "\(beside.output) \(beside.errors)")
        await bob.client.disconnect()
        #expect(server.stop() == 0)
        let sound = try await check("--files")
        #expect(sound.status == 0 && sound.output.count == 1, "\(sound.output) \(sound.errors)")
        #expect(sound.output.first?.hasSuffix("and 3 files: sound") == true)

        let rows = try await rowsOfClub()
        #expect(rows.count >= 20)
        try flipBit(rows[5])
        try deleteRow(rows[9])
        let bytes = data + "/files/bytes"
        for name in try FileManager.default.subpathsOfDirectory(atPath: bytes).map({ bytes + "/" + $0 }) {
            switch try FileManager.default.attributesOfItem(atPath: name)[.size] as? Int {
            case 40_000: try FileManager.default.removeItem(atPath: name)
            case 50_000: truncate(name, 49_999)
            default: break
            }
        }
        let found = try await check("--files")
        #expect(found.status == 1 && found.errors.isEmpty, "\(found.errors)")
        #expect(found.output.count == 5, "\(found.output)")
        #expect(found.output.contains { $0.hasPrefix("channel_log club \(rows[5]): ") && $0.contains("checksum") })
        #expect(found.output.contains("channel_log club \(rows[9]): missing"))
        #expect(found.output.contains { $0.hasPrefix("files \(chat.id) ") && $0.hasSuffix("its bytes are missing") })
        #expect(found.output.contains { $0.hasPrefix("files \(chat.id) ") && $0.hasSuffix("49999 bytes of 50000") })
        #expect(found.output.last?.hasSuffix("4 damages") == true)
        let object = try #require(try await check("--json").objects().first)
        let damages = try #require(object["damages"] as? [[String: Any]])
        #expect(object["isSound"] as? Bool == false)
        #expect(damages.map { $0["seq"] as? Int } == [Int(rows[5]), Int(rows[9])])
        #expect(damages.allSatisfy { $0["table"] as? String == "channel_log" && $0["owner"] as? String == "club" })
        #expect(try await check("--quick").status == 0)

        let again = try await start()
        let page = try HTTPClient(again).perform(ListMessages(channel: Cast.club, after: 0, limit: 100), from: ann)
        #expect(page.events.compactMap(\.seq) == rows.filter { $0 != rows[9] })
        #expect(page.events.filter { $0.name == "row.removed" }.map(\.seq) == [rows[5]])
        let ready = try HTTPClient(again).exchange("GET", "/readyz", [], [:])
        #expect(ready.status == 200)
        #expect(String(decoding: ready.bytes, as: UTF8.self).contains("damaged rows that were read: 1"))
        #expect(again.stop() == 0)
    }

    /// The rows of the club.
    private func rowsOfClub() async throws -> [Int64] {
        let server = try await start()
        let page = try HTTPClient(server).perform(ListMessages(channel: Cast.club, after: 0, limit: 100), from: ann)
        #expect(server.stop() == 0)
        return page.events.compactMap(\.seq)
    }

    @Test func `with encryption a check needs the key, and finds a changed row`() async throws {
        let key = folder.path + "/key"
        try Data((String(repeating: "a", count: 64) + "\n").utf8).write(to: URL(fileURLWithPath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let server = try await start("--encryption-key", key)
        try fill(server, 3)
        #expect(server.stop() == 0)
        let refused = try await check()
        #expect(refused.status == 2 && refused.errors.contains("--encryption-key"), "\(refused.errors)")
        #expect(try await check("--encryption-key", key).status == 0)
        try flipBit(2)
        let found = try await check("--encryption-key", key)
        #expect(found.status == 1 && found.output.count == 2, "\(found.output)")
        #expect(found.output.first?.hasPrefix("channel_log club 2: ") == true)
    }

    @Test(.firstPassOnly) func `a check without a database or with options that exclude each other is wrong use`()
        async throws
    {
        for options in [[], ["--files-in", "x"]] {
            let result = try await Child.roost(["check", "--data", folder.path] + options, in: folder).result()
            #expect(result.status == 2 && result.output.isEmpty && !result.errors.isEmpty, "\(result)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix("roost") })
    }

    @Test(.firstPassOnly) func `a database that was cut is not served, and a check says so`() async throws {
        let server = try await start()
        try fill(server, 100)
        #expect(server.stop() == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: database))
        for cut in [1, 4_096, whole.count / 2] {
            try whole.dropLast(cut).write(to: URL(fileURLWithPath: database))
            let refused = try await serve("error").result()
            #expect(refused.status == 1 && refused.errors.contains("is not whole"), "\(refused.errors)")
            #expect(refused.errors.contains("backup") && refused.errors.contains("roost check"))
            let found = try await check("--quick")
            #expect(found.status == 1)
            #expect(found.output.contains { $0.hasPrefix("roost.sqlite: not whole: ") }, "\(found.output)")
        }
        try whole.write(to: URL(fileURLWithPath: database))
        #expect(try await check().status == 0)
        #expect(try await start().stop() == 0)
    }

    /// A server whose log can be read.
    private func serve(_ level: String) throws -> Child {
        try Child.roost(["serve", "--dev", "--data", data, "--port", "0", "--log-level", level], in: folder)
    }

    /// Reads the log up to a line with a text.
    private func line(with text: String, of child: Child) async throws -> String {
        while let line = await child.errorLine() {
            if line.contains(text) { return line }
        }
        throw ExpectationFailure(description: "the log has no line with: \(text)")
    }

    private var isMarked: Bool { FileManager.default.fileExists(atPath: data + "/running") }

    @Test(.firstPassOnly) func `after a stop that was not clean the database is checked in the background`()
        async throws
    {
        let server = try await start()
        try fill(server, 10)
        #expect(isMarked)
        server.kill()
        #expect(isMarked)
        let again = try serve("notice")
        // Before it is ready, a signal ends it at once.
        _ = await again.line()
        _ = try await line(with: "it is sound", of: again)
        again.signal(SIGTERM)
        #expect(await again.result().status == 0)
        #expect(!isMarked)
        // Nothing to check.
        let clean = try serve("notice")
        _ = await clean.line()
        clean.signal(SIGTERM)
        let result = await clean.result()
        #expect(result.status == 0 && !result.errors.contains("checked"), "\(result.errors)")
    }

    @Test(.firstPassOnly) func `a damage that the check in the background finds is an error in the log and in readyz`()
        async throws
    {
        let server = try await start()
        try fill(server, 400)
        #expect(server.stop() == 0)
        // The first byte of a page says what it is. The last pages have messages.
        let file = try #require(FileHandle(forUpdatingAtPath: database))
        let pages = try file.seekToEnd() / 4_096
        for page in 1...20 {
            try file.seek(toOffset: (pages - UInt64(page)) * 4_096)
            try file.write(contentsOf: [0xEE])
        }
        try file.close()
        #expect(FileManager.default.createFile(atPath: data + "/running", contents: nil))
        let damaged = try serve("notice")
        let ready = try #require(await damaged.line())
        let error = try await line(with: "the database is damaged", of: damaged)
        #expect(error.contains("error") && error.contains("roost check"), "\(error)")
        let port = try #require(URL(string: String(ready.dropFirst(6)))?.port)
        let answer = try HTTPClient(port: port).exchange("GET", "/readyz", [], [:])
        #expect(answer.status == 200 && String(decoding: answer.bytes, as: UTF8.self).contains("structure"))
        damaged.signal(SIGTERM)
        _ = await damaged.result()
        // The next start checks again.
        #expect(isMarked)
        let found = try await check("--quick")
        #expect(found.status == 1 && found.output.contains { $0.hasPrefix("roost.sqlite: ") }, "\(found.output)")
    }
}
