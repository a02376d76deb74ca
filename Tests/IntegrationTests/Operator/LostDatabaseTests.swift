import Foundation
import RoostTesting
import RoostWire
import Testing

/// The files of a data folder as an operator backs them up, loses and restores them.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct LostDatabaseTests {
    private let folder: TemporaryFolder
    private let ann = HTTPClient.Caller.guest(Cast.ann)

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func names(in data: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: path(data)))
    }

    private func copy(_ names: [String], from data: String, to other: String) throws {
        try FileManager.default.createDirectory(atPath: path(other), withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.copyItem(atPath: path(data) + "/" + name, toPath: path(other) + "/" + name)
        }
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    private func start(_ data: String, _ options: String...) async throws -> ServerProcess {
        try await ServerProcess.start(data: path(data), arguments: options)
    }

    /// Starts a server with a few messages in a channel.
    private func startWithMessages(_ data: String) async throws -> ServerProcess {
        let server = try await start(data)
        let http = HTTPClient(server)
        _ = try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        for number in 1...10 { _ = try http.perform(SendMessage(channel: Cast.club, text: "\(number)"), from: ann) }
        return server
    }

    private func rows(_ server: ServerProcess) throws -> Int {
        try HTTPClient(server).perform(ListMessages(channel: Cast.club), from: ann).events.count
    }

    /// What a server says that does not start.
    private func refusal(_ data: String, _ options: String...) async throws -> String {
        let result = try await Child.roost(
            ["serve", "--dev", "--data", path(data), "--port", "0", "--log-level", "warning"] + options, in: folder
        ).result()
        #expect(result.status == 1 && result.output.isEmpty)
        return result.errors
    }

    @Test func `after a clean stop one file has everything, and with the secret it is a whole backup`() async throws {
        let server = try await startWithMessages("a")
        let count = try rows(server)
        #expect(count >= 10)
        // Readers have had connections of their own by now.
        #expect(server.stop() == 0)
        let left = try names(in: "a")
        #expect(left.contains("roost.sqlite") && !left.contains("roost.sqlite-wal"))
        #expect(!left.contains("roost.sqlite-shm"))
        try copy(["roost.sqlite", "secret"], from: "a", to: "b")
        let restored = try await start("b")
        #expect(try rows(restored) == count)
        #expect(restored.stop() == 0)
    }

    @Test func `a lost database is not replaced by an empty one, unless the operator says so`() async throws {
        let server = try await startWithMessages("a")
        let count = try rows(server)
        #expect(server.stop() == 0)
        try copy(["roost.sqlite"], from: "a", to: "backup")
        try remove("a/roost.sqlite")
        func check(_ text: String) {
            #expect(text.contains(path("a/roost.sqlite")) && text.contains("backup"))
            #expect(text.contains("--new-database") && text.split(separator: "\n").count == 1, "\(text)")
        }
        check(try await refusal("a"))
        #expect(try !names(in: "a").contains("roost.sqlite"))
        #expect(FileManager.default.createFile(atPath: path("a/roost.sqlite"), contents: Data()))
        check(try await refusal("a"))
        // The backup belongs where the sentence says.
        try remove("a/roost.sqlite")
        try copy(["roost.sqlite"], from: "backup", to: "a")
        let restored = try await start("a")
        #expect(try rows(restored) == count)
        #expect(restored.stop() == 0)
        try remove("a/roost.sqlite")
        #expect(try await start("a", "--new-database").stop() == 0)
        #expect(try await start("a").stop() == 0)
        // The option must not stay in a script.
        #expect(try await refusal("a", "--new-database").contains("has data"))
    }

    @Test func `a copy of the database without its WAL is refused, also in a new folder`() async throws {
        let server = try await startWithMessages("a")
        server.kill()
        // What a copy had before there was a checkpoint.
        try copy(["roost.sqlite", "secret"], from: "a", to: "b")
        #expect(try FileManager.default.attributesOfItem(atPath: path("b/roost.sqlite"))[.size] as? Int == 4096)
        let refused = try await refusal("b")
        #expect(refused.contains("roost.sqlite-wal") && refused.contains("--new-database"), "\(refused)")
        // With it everything is there, and the folder of a killed server just starts.
        try remove("b")
        try copy(["roost.sqlite", "roost.sqlite-wal", "secret"], from: "a", to: "b")
        for data in ["a", "b"] {
            let server = try await start(data)
            #expect(try rows(server) >= 10)
            #expect(server.stop() == 0)
        }
    }

    @Test func `a folder of an earlier version and a secret that was never used start as before`() async throws {
        #expect(try await startWithMessages("a").stop() == 0)
        try remove("a/epoch")
        let server = try await start("a")
        #expect(try rows(server) >= 10)
        #expect(server.stop() == 0)
        #expect(try names(in: "a").contains("epoch"))
        try copy(["secret"], from: "a", to: "b")
        #expect(try await start("b").stop() == 0)
    }

    @Test(.needsPostgres)
    func `a database of PostgreSQL without tables is refused by a secret that was used`() async throws {
        let data = "a"
        #expect(try await start(data, "--database", try Postgres.makeSchema()).stop() == 0)
        let empty = try Postgres.makeSchema()
        let refused = try await refusal(data, "--database", empty)
        #expect(refused.contains("--new-database") && refused.contains("backup"), "\(refused)")
        // The refusal has not made the schema.
        #expect(try await refusal(data, "--database", empty).contains("--new-database"))
        #expect(try await start(data, "--database", empty, "--new-database").stop() == 0)
    }
}
