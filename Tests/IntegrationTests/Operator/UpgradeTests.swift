import Foundation
import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Testing

/// Servers of this version with what released versions have stored.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(3))) struct UpgradeTests {
    private struct Read {
        var user: String
        var command: String
        var body: String
        var answer: Any
    }

    /// The commands that read, with the answers of the released version.
    private func reads(_ file: URL) throws -> [Read] {
        let fixture = try Child.object(String(contentsOf: file, encoding: .utf8))
        return try #require(fixture["reads"] as? [[String: Any]]).map { read in
            let body = try JSONSerialization.data(withJSONObject: #require(read["body"]))
            return Read(
                user: try #require(read["user"] as? String), command: try #require(read["command"] as? String),
                body: String(decoding: body, as: UTF8.self), answer: try #require(read["answer"]))
        }
    }

    /// Where an answer lacks something that another one has. It may have more.
    private func missing(_ expected: Any, in found: Any?, at path: String = "") -> [String] {
        switch (expected, found) {
        case (let expected as [String: Any], let found as [String: Any]):
            expected.sorted { $0.key < $1.key }.flatMap { missing($1, in: found[$0], at: "\(path).\($0)") }
        case (let expected as [Any], let found as [Any]) where expected.count == found.count:
            zip(expected, found).enumerated().flatMap { missing($1.0, in: $1.1, at: "\(path)[\($0)]") }
        case (let expected as NSObject, let found as NSObject) where expected == found: []
        default: ["\(path): \(found ?? "nothing") in place of \(expected)"]
        }
    }

    @Test(arguments: Engine.available, try SchemaFixture.files)
    func `users of a released version read all that they had, and go on`(_ engine: Engine, _ file: URL) async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let fixture = try JSONDecoder().decode(SchemaFixture.self, from: Data(contentsOf: file))
        let database: any SQLDatabase
        var options: [String] = []
        switch engine {
        case .file: database = try SQLiteDatabase(directory: data)
        case .postgres:
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let url = try Postgres.makeSchema()
            database = try Postgres.open(url)
            options = ["--database", url]
        }
        try fixture.load(into: database)
        try database.close()
        let secret = data + "/secret"
        try fixture.secret.write(toFile: secret, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)

        let reads = try reads(file)
        for round in 1...2 {
            let server = try await ServerProcess.start(data: data, arguments: options)
            let http = HTTPClient(server)
            for read in reads where round == 1 || read.command != "message.list" {
                let caller = HTTPClient.Caller.guest(
                    User(userID: try #require(UserID(rawValue: read.user)), name: read.user.capitalized),
                    device: "phone")
                let answer = try http.post(read.command, read.body, from: caller)
                let found = try JSONSerialization.jsonObject(with: Data(answer.bytes))
                #expect(missing(read.answer, in: found) == [], "\(read.user) \(read.command) \(read.body)")
            }
            let ann = HTTPClient.Caller.guest(Cast.ann, device: "phone")
            try http.perform(SendMessage(channel: "lobby", text: "\(round)"), from: ann)
            #expect(server.stop() == 0)
        }
        let check = try await Child.roost(["check", "--data", data] + options, in: folder).result()
        #expect(check.status == 0, "\(check.output) \(check.errors)")
    }

    @Test(arguments: Engine.available)
    func `the log says that the schema changes, and a second start changes nothing`(_ engine: Engine) async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let options = try engine.options()
        let database: any SQLDatabase =
            engine == .file ? try SQLiteDatabase(directory: data) : try Postgres.open(options[1])
        let known = Migrations.all.count
        _ = try Migrator.run(on: database, upTo: known - 1, random: { 1 })
        try database.close()
        for steps in [["schema=\(known)"], []] {
            let server = try Child.roost(["serve", "--dev", "--data", data, "--port", "0"] + options, in: folder)
            while let line = await server.line(), !line.hasPrefix("ready ") {}
            server.signal(SIGTERM)
            let result = await server.result()
            #expect(result.status == 0)
            let said = result.errors.split(separator: "\n").filter { $0.contains("the database gets another schema") }
            #expect(said.count == steps.count && zip(said, steps).allSatisfy { $0.contains($1) }, "\(result.errors)")
        }
    }
}
