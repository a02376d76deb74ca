import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

@testable import roost

@Suite struct ServeSettingsTests {
    private let folder = try? TemporaryFolder()

    /// Writes a file that only its owner can read, and returns its path.
    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = try #require(folder).path + "/roost.yaml"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func settings(
        _ text: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> ServeSettings {
        try ServeSettings(["--config", file(text)] + arguments, environment: environment)
    }

    private func problems(_ text: String, environment: [String: String] = [:], mode: Int = 0o600) throws -> [String] {
        let path = try file(text, mode: mode)
        let error = #expect(throws: SettingsError.self) {
            try ServeSettings(["--config", path], environment: environment)
        }
        return (error?.problems ?? []).map { $0.replacing(path, with: "FILE") }
    }

    private static let example = """
        # A comment.
        public-url: https://chat.example.com
        port: 8080
        no-web: true
        dev: no
        brand: "9"
        allow-origin: [https://a.example, https://b.example]
        retain:
          group: 90d
          open: [30d, 1000]
        limit:
          members: 500
        """

    @Test func `a file gives what the command line would`() throws {
        let command = try Roost.serve(settings(Self.example))
        #expect(command.publicURLs == ["https://chat.example.com"] && command.port == 8080 && command.brand == "9")
        #expect(command.web.noWeb && !command.dev)
        #expect(command.allowedOrigins == ["https://a.example", "https://b.example"])
        #expect(try command.limits.limits().members == 500)
        let retention = try command.limits.retention()
        #expect(retention[.group]?.keepFor == 90 * 86_400_000 && retention[.group]?.keepLast == nil)
        #expect(retention[.open]?.keepFor == 30 * 86_400_000 && retention[.open]?.keepLast == 1_000)
    }

    @Test func `JSON is a file, too`() throws {
        let text = #"{"port": 8080, "allow-origin": ["https://a.example"], "retain": {"group": "90d"}, "dev": false}"#
        let command = try Roost.serve(settings(text))
        #expect(
            command.port == 8080 && command.allowedOrigins == ["https://a.example"]
                && command.limits.retain == ["group=90d"])
    }

    @Test func `the command line goes before the environment, and that before the file`() throws {
        let environment = [
            "ROOST_PORT": "2", "ROOST_BRAND": "b", "ROOST_NO_WEB": "false", "ROOST_HOST": "",
            "ROOST_ALLOW_ORIGIN": "https://c.example https://d.example",
        ]
        let all = try settings(Self.example, ["--port", "3", "--brand=c"], environment: environment)
        let command = try Roost.serve(all)
        #expect(command.port == 3 && command.brand == "c" && command.host == "127.0.0.1" && !command.web.noWeb)
        #expect(command.allowedOrigins == ["https://c.example", "https://d.example"])
        let sources = Dictionary(uniqueKeysWithValues: all.values.map { ($0.option.name, $0.source) })
        #expect(sources["port"] == "--port" && sources["allow-origin"] == "ROOST_ALLOW_ORIGIN")
        #expect(sources["public-url"]?.hasSuffix("/roost.yaml:2") == true && sources["limit"]?.hasSuffix(":11") == true)
        #expect(sources["host"] == nil)
    }

    @Test func `without a file the environment counts, and may name one`() throws {
        #expect(try Roost.serve(ServeSettings([], environment: ["ROOST_PORT": "5"])).port == 5)
        #expect(try Roost.serve(ServeSettings([], environment: ["ROOST_CONFIG": file("port: 6")])).port == 6)
        #expect(try ServeSettings([], environment: ["ROOST_SEED": "5", "PORT": "5"]).values.isEmpty)
    }

    @Test func `everything that is wrong is said at once, with its line and the nearest name`() throws {
        let found = try problems(
            """
            pubic-url: https://chat.example.com
            port: [1]
            dev: perhaps
            retain: {group: {a: b}}
            allow-origin: {a: [b, {c: d}]}
            data:
            config: other.yaml
            xyzzy: 1
            """)
        #expect(
            found == [
                "FILE:1: there is no setting \"pubic-url\". Did you mean \"public-url\"?",
                "FILE:2: \"port\" needs one value.", "FILE:3: \"dev\" needs true or false.",
                "FILE:4: \"retain\" needs NAME: VALUE on lines of their own.",
                "FILE:5: \"allow-origin\" needs a value or a list of values.", "FILE:6: \"data\" needs one value.",
                "FILE:7: there is no setting \"config\".", "FILE:8: there is no setting \"xyzzy\".",
            ])
    }

    @Test(arguments: [
        ("port: 1\nport: 2", "FILE:1: port is there twice."), ("- port", "FILE: write each setting as NAME: VALUE"),
        ("port: {1", "FILE:"), ("\u{1}", "FILE"), ("port: *no", "FILE:1:"), ("text", "FILE: write each setting"),
    ])
    func `what is no file of settings is refused in a sentence`(text: String, start: String) throws {
        let found = try problems(text)
        #expect(
            found.count == 1 && found.first?.hasPrefix(start) == true && found.first?.hasSuffix(".") == true, "\(found)"
        )
    }

    @Test func `an empty file is in order, and one that is not there is not`() throws {
        #expect(try settings("").values.isEmpty && settings("# nothing\n").values.isEmpty)
        let error = #expect(throws: SettingsError.self) {
            try ServeSettings(["--config", "/nowhere"], environment: [:])
        }
        #expect(error?.problems == ["There is no file of settings at /nowhere."])
    }

    @Test func `a variable for what is on or off is true or false`() throws {
        #expect(try problems("port: 1", environment: ["ROOST_DEV": "perhaps"]) == ["ROOST_DEV must be true or false."])
    }

    @Test(arguments: [
        "database: postgres://roost:secret@db/roost", "database: postgres://db/roost?user=roost&password=secret",
        "database: postgres://db/roost?sslpassword=secret", "database: postgres://db/roost?%70assword=secret",
        "database: postgres://roost:se@cr/secret@db/roost", "bus: nats://secret@nats.example:4222",
        "bus: nats://u:secret@a,nats://u:secret2@b", "bus: nats://u:p@a,u:secret@b",
    ])
    func `a file with a secret is for its owner and its group, and the secret is not shown`(line: String) throws {
        let found = try problems("\(line)\nprot: 1", mode: 0o644)
        #expect(found.count == 2 && found.contains { $0.contains("chmod o=") } && !"\(found)".contains("secret"))
        let values = try ServeSettings(["--config", file(line, mode: 0o640)], environment: [:]).values
        let value = try #require(values.first)
        let shown = ServeSettings.shown(value.texts[0], of: value.option)
        #expect(values.count == 1 && !shown.contains("secret") && shown.contains("***"), "\(shown)")
    }

    @Test(arguments: [
        "database: postgres://roost@db/roost?sslmode=verify-full", "bus: nats://a.example:4222,b.example:4222",
    ])
    func `without a secret everybody may read it`(line: String) throws {
        let values = try ServeSettings(["--config", file(line, mode: 0o644)], environment: [:]).values
        #expect(
            values.map { ServeSettings.shown($0.texts[0], of: $0.option) } == [String(line.split(separator: " ")[1])])
    }

    @Test func `variables of others do not count`() throws {
        let environment = ["ROOST_PORT": "tcp://10.96.0.1:7878", "ROOST_DATABASE": "", "ROOST_BUS": " "]
        #expect(try ServeSettings([], environment: environment).values.isEmpty)
    }

    @Test func `any white space is between values`() throws {
        let environment = ["ROOST_ALLOW_ORIGIN": " https://a.example \n https://b.example "]
        #expect(
            try Roost.serve(ServeSettings([], environment: environment)).allowedOrigins == [
                "https://a.example", "https://b.example",
            ])
    }

    @Test func `a file with the URL of the database is a part of the environment`() throws {
        let url = try #require(folder).path + "/url"
        try "postgres://roost@db/roost\n".write(toFile: url, atomically: false, encoding: .utf8)
        let values = try settings("database: postgres://other@db/roost", environment: ["ROOST_DATABASE_FILE": url])
            .values
        #expect(
            values.map(\.texts) == [["postgres://roost@db/roost"]] && values.map(\.source) == ["ROOST_DATABASE_FILE"])
        let error = #expect(throws: SettingsError.self) {
            try ServeSettings([], environment: ["ROOST_DATABASE_FILE": "/nowhere"])
        }
        #expect(error?.problems.first?.contains("/nowhere") == true)
    }

    @Test func `files of other editors are read`() throws {
        let command = try Roost.serve(settings("\u{FEFF}port: 9\r\ndev: \"true\"\r\nbrand: |\r\n  mine\r\n"))
        #expect(command.port == 9 && command.dev && command.brand == "mine")
    }

    @Test func `an error names where a value comes from that nobody has typed`() throws {
        let exit = try #require(throws: CommandExit.self) { try Roost.serve(settings("\nport: 70000")) }
        #expect(
            exit.status == 2 && exit.errors.contains("--port must be 0 to 65535.")
                && exit.errors.contains("roost.yaml:2."))
    }

    @Test func `the template is a file of settings, and each of its lines can be used`() throws {
        let text = ConfigCommand.Template.text
        #expect(try settings(text).values.isEmpty)
        let names = text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map {
            $0.dropFirst()
        }
        #expect(names.count == SettingOption.all.count && names.count > 40)
        let given = names.filter { !$0.hasSuffix(":") }.joined(separator: "\n")
        #expect(try Roost.serve(settings(given)).port == 7878)
    }
}
