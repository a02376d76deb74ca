import Foundation
import RoostTesting
import RoostWire
import Testing

/// Where the database of a server is.
enum Engine: String, Sendable, CaseIterable {
    case file, postgres

    static let available = PostgresServer.isAvailable ? allCases : [.file]

    /// The options that name a new database.
    func options() throws -> [String] { self == .file ? [] : ["--database", try Postgres.makeSchema()] }
}

/// Servers whose data is backed up with `roost backup` and restored with `roost restore`, and the place for the backups.
class BackupStage {
    let folder: TemporaryFolder
    let ann = HTTPClient.Caller.guest(Cast.ann)
    let bob = HTTPClient.Caller.guest(Cast.bob)
    let place: String

    init() throws {
        folder = try TemporaryFolder()
        place = folder.path + "/backups"
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func roost(_ arguments: [String], server: String? = nil) async throws -> Child.Result {
        try await Child.roost(arguments, server: server, in: folder).result()
    }

    func backUp(_ data: String, _ options: [String] = [], to place: String? = nil) async throws -> [String: Any] {
        let done = try await roost(
            ["backup", "create", "--data", path(data), "--to", place ?? self.place, "--json"] + options)
        #expect(done.status == 0, "\(done.errors)")
        return try #require(try done.objects().first)
    }

    func restore(_ data: String, _ options: [String] = []) async throws -> Child.Result {
        try await roost(["restore", "--from", place, "--data", path(data)] + options)
    }

    func start(_ data: String, _ options: [String] = []) async throws -> ServerProcess {
        try await ServerProcess.start(data: path(data), arguments: options)
    }

    func makeChannel(_ server: ServerProcess) throws {
        let http = HTTPClient(server)
        // A user is known after the first write.
        try http.perform(CreateChannel(kind: .group, channel: "other"), from: bob)
        try http.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]), from: ann)
    }

    func send(_ texts: ClosedRange<Int>, to server: ServerProcess) throws {
        let http = HTTPClient(server)
        for number in texts { try http.perform(SendMessage(channel: Cast.club, text: "\(number)"), from: ann) }
    }

    /// The texts of all messages of the channel.
    func texts(_ server: ServerProcess) throws -> [String] {
        let http = HTTPClient(server)
        var texts: [String] = []
        var before: Int64?
        while true {
            let page = try http.perform(ListMessages(channel: Cast.club, before: before, limit: 100), from: ann).events
            let found = page.compactMap { event -> String? in
                guard case .channel(.messageSent(let message)) = event.body else { return nil }
                return message.content.text
            }
            texts = found + texts
            guard page.count == 100, let first = page.first?.seq else { return texts }
            before = first
        }
    }

    func objects() throws -> [String] {
        let bytes = place + "/bytes"
        return try FileManager.default.contentsOfDirectory(atPath: bytes).flatMap { name in
            try FileManager.default.contentsOfDirectory(atPath: bytes + "/" + name).map { "\(bytes)/\(name)/\($0)" }
        }.sorted()
    }

    func manifests() throws -> [String] { try objects().filter { $0.contains("/manifest-") } }

    /// The manifest of the oldest backup.
    func oldest() throws -> String { try #require(try manifests().first) }

    /// The hash and the file of the first part of a table in the oldest backup.
    func part(of table: String) throws -> (hash: String, file: URL) {
        let hash = try #require(try parts(oldest())[table]?.first)
        return (hash, URL(fileURLWithPath: try #require(try objects().first { $0.hasSuffix(hash) })))
    }

    func manifest(_ file: String) throws -> [String: Any] {
        try Child.object(String(contentsOfFile: file, encoding: .utf8))
    }

    /// The hashes of the parts of each table.
    func parts(_ file: String) throws -> [String: [String]] {
        let tables = try #require(try manifest(file)["tables"] as? [[String: Any]])
        var parts: [String: [String]] = [:]
        for table in tables {
            let name = try #require((table["table"] as? [String: Any])?["name"] as? String)
            parts[name] = (table["parts"] as? [[String: Any]])?.compactMap { $0["hash"] as? String }
        }
        return parts
    }
}
