import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// `roost doctor` on a good installation, and on the same with one fault each.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(4))) final class DoctorTests {
    private let folder: TemporaryFolder
    /// On a disk: the folders of tests may be in memory, which is a fault.
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = FileManager.default.currentDirectoryPath + "/.build/doctor-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private struct Finding: Decodable, Hashable {
        var check: String
        var level: String
        var text: String
        var advice: String?
    }

    private var data: String { root + "/data" }

    /// The options of an installation with everything.
    private var options: [String: String] = [:]
    private var port = 0

    /// Makes an installation: a server that has stopped, a backup, a file for notifications.
    private func install() async throws {
        let server = try await ServerProcess.start(data: data)
        try HTTPClient(server).perform(
            CreateChannel(kind: .group, channel: Cast.club), from: HTTPClient.Caller.guest(Cast.ann))
        port = server.port
        #expect(server.stop() == 0)
        let backup = try Child.roost(["backup", "create", "--data", data, "--to", root + "/backups"], in: folder)
        #expect(await backup.result().status == 0)
        try write(
            "push.json",
            #"{"webhook": {"url": "http://127.0.0.1:1/", "secret": "0123456789abcdef0123456789abcdef"}}"#, mode: 0o600)
        options = [
            "--data": data, "--port": "\(port)", "--push": root + "/push.json", "--backup-to": root + "/backups",
        ]
    }

    private func write(_ name: String, _ text: String, mode: Int) throws {
        try text.write(toFile: root + "/" + name, atomically: true, encoding: .utf8)
        try setMode(mode, of: root + "/" + name)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// The faults and warnings with some options in place of others; the clock and the disk of this machine do not count.
    private func findings(
        _ changes: [String: String?] = [:], flags: [String] = [], environment: [String: String] = [:],
        keeping: Set<String> = []
    ) async throws -> [Finding] {
        var arguments = ["doctor", "--json", "--quiet"] + flags
        for check in ["clock", "disk-space", "disk-speed"] where !keeping.contains(check) {
            arguments += ["--skip", check]
        }
        for (name, value) in options.merging(changes.compactMapValues { $0 }, uniquingKeysWith: { $1 })
        where !changes.contains(where: { $0.key == name && $0.value == nil }) {
            arguments += [name, value]
        }
        let result = try await Child.roost(arguments, environment: environment, in: folder).result()
        let findings = try result.output.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
        #expect(result.status == (findings.contains { $0.level == "fault" } ? 1 : 0), "\(result)")
        #expect(findings.allSatisfy { $0.advice != nil })
        return findings
    }

    /// Checks that a fault is found, and nothing else.
    private func expect(
        _ check: String, _ text: String, _ level: String = "fault", in findings: [Finding],
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(findings.map(\.check) == [check], "\(findings)", sourceLocation: location)
        #expect(findings.first?.level == level, "\(findings)", sourceLocation: location)
        #expect(findings.first?.text.contains(text) == true, "\(findings)", sourceLocation: location)
    }

    // MARK: Nothing

    @Test func `a good installation has nothing to find, while it runs and while it does not`() async throws {
        try await install()
        #expect(try await findings() == [])
        let server = try await ServerProcess.start(data: data, port: port, isDevelopment: false)
        #expect(try await findings(["--public-url": "http://127.0.0.1:\(port)"]) == [])
        let shown = try await Child.roost(
            ["doctor", "--skip", "clock"] + options.flatMap { [$0, $1] }, in: folder
        ).result()
        #expect(shown.output.last?.hasPrefix("0 faults, ") == true)
        #expect(shown.output.contains { $0.hasPrefix("database     good     it has schema") }, "\(shown.output)")
        #expect(server.stop() == 0)
    }

    @Test func `wrong use is said`() async throws {
        try await install()
        for (arguments, text) in [
            (["--skip", "moon"], "There is no check moon. The checks are: settings, mode, data"),
            (["--prot", "1"], "Did you mean --port?"), (["--port", "70000"], "--port must be 0 to 65535"),
        ] {
            let result = try await Child.roost(["doctor"] + arguments, in: folder).result()
            #expect(result.status == 2 && result.errors.contains(text), "\(result.errors)")
        }
    }

    // MARK: Files and the machine

    @Test func `rights of files, missing files and full disks are found`() async throws {
        try await install()
        try setMode(0o755, of: data)
        try setMode(0o644, of: data + "/roost.sqlite")
        expect("data", "others on this machine can read", in: try await findings())
        try setMode(0o700, of: data)
        try setMode(0o600, of: data + "/roost.sqlite")

        try setMode(0o644, of: data + "/secret")
        expect("secret", "secret", in: try await findings())
        try setMode(0o600, of: data + "/secret")

        try setMode(0o644, of: root + "/push.json")
        expect("push", "Other users can read", in: try await findings())
        try setMode(0o600, of: root + "/push.json")

        try write("roost.yaml", "database: postgres://roost:secret@127.0.0.1:1/roost\n", mode: 0o644)
        let open = try await Child.roost(["doctor", "--config", root + "/roost.yaml"], in: folder).result()
        #expect(open.status == 2 && open.errors.contains("Other users can read or change"), "\(open.errors)")
        try setMode(0o600, of: root + "/roost.yaml")
        expect("database", "cannot be reached", in: try await findings(["--config": root + "/roost.yaml"]))

        expect(
            "disk-space", "so uploads are refused",
            in: try await findings(["--disk-reserve": "\(Int64.max / 2)"], keeping: ["disk-space"]).filter {
                $0.text.hasPrefix("data:")
            })
        expect("files", "there is no folder", in: try await findings(["--files": root + "/none"]))
        expect("backups", "there is no folder", in: try await findings(["--backup-to": root + "/none"]))
        try FileManager.default.createDirectory(atPath: root + "/empty", withIntermediateDirectories: true)
        expect("backups", "no backup yet", "warning", in: try await findings(["--backup-to": root + "/empty"]))
        expect("backups", "makes no backups", "warning", in: try await findings(["--backup-to": nil]))
        expect("push", "nobody is notified", "warning", in: try await findings(["--push": nil]))
    }

    @Test func `what the machine lacks is found`() async throws {
        try await install()
        expect(
            "memory", "would be killed", in: try await findings(["--connection-memory": "\(Int64.max / 2)"]))
        expect("programs", "vipsthumbnail", "warning", in: try await findings(environment: ["PATH": "/nowhere"]))
        let limited = try Child(
            [
                "-c", "ulimit -n 512; exec \"$0\" doctor --json --quiet --skip clock --data \(data)",
                ServerProcess.binary(),
            ],
            environment: ["PATH": "/usr/bin:/bin"], binary: "/bin/bash")
        let lines = await limited.result().output
        #expect(lines.contains { $0.contains("512 files and sockets") && $0.contains("LimitNOFILE") }, "\(lines)")
        #if os(Linux)
            let memory = "/dev/shm/roost-doctor-\(UUID().uuidString)"
            try FileManager.default.copyItem(atPath: data, toPath: memory)
            defer { try? FileManager.default.removeItem(atPath: memory) }
            let found = try await findings(["--data": memory], keeping: ["disk-speed"])
            #expect(found.contains { $0.check == "disk-speed" && $0.text.contains("is in memory") }, "\(found)")
        #endif
    }

    @Test func `modes that let anybody in, and addresses that do not lead to the server, are found`() async throws {
        try await install()
        expect("mode", "log in as anybody", "warning", in: try await findings(flags: ["--dev"]))
        let open = try await findings(["--host": "0.0.0.0"], flags: ["--dev", "--insecure-dev"])
        #expect(open.contains { $0.check == "mode" && $0.level == "fault" }, "\(open)")
        #expect(open.contains { $0.check == "address" && $0.text.contains("plain text") }, "\(open)")

        expect(
            "address", "nothing listens there", in: try await findings(["--public-url": "http://127.0.0.1:1"]))
        let server = try await ServerProcess.start(data: data, port: port, isDevelopment: false)
        let url = "https://127.0.0.1:\(port)"
        let tls = try await findings(["--public-url": url])
        #expect(tls.contains { $0.text.contains("all count as one address") }, "\(tls)")
        #expect(tls.contains { $0.text.contains("does not lead to a server: TLS fails") }, "\(tls)")
        expect(
            "address", "TLS fails", in: try await findings(["--public-url": url], flags: ["--behind-proxy"]))
        let around = try await findings(["--host": "0.0.0.0"], flags: ["--behind-proxy"])
        expect("address", "around the proxy", "warning", in: around)
        #expect(server.stop() == 0)
    }

    /// A server of HTTP that answers `/healthz` as Roost does if `isRoost`, and knows no WebSockets.
    private func other(isRoost: Bool) async throws -> (child: Child, port: Int) {
        let script = """
            import http.server
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    isHealth = self.path == "/healthz" and \(isRoost ? "True" : "False")
                    self.send_response(200 if isHealth else 404)
                    self.end_headers()
                    self.wfile.write(b'{"alive":true}' if isHealth else b"nothing")
                def log_message(self, *arguments): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_port, flush=True)
            server.serve_forever()
            """
        let child = try Child(["-c", script], environment: ["PATH": "/usr/bin:/bin"], binary: "/usr/bin/python3")
        return (child, try #require(await child.line().flatMap { Int($0) }))
    }

    @Test func `another program at the port, and a proxy without WebSockets, are found`() async throws {
        try await install()
        let stranger = try await other(isRoost: false)
        expect("port", "something else", in: try await findings(["--port": "\(stranger.port)"]))
        let url = "http://127.0.0.1:\(stranger.port)"
        expect("address", "but not as Roost", in: try await findings(["--public-url": url]))
        stranger.child.signal(SIGKILL)
        let proxy = try await other(isRoost: true)
        expect(
            "address", "passes no WebSockets on",
            in: try await findings(["--public-url": "http://127.0.0.1:\(proxy.port)"]))
        proxy.child.signal(SIGKILL)
    }

    @Test func `certificates that end, or do not belong to their keys, are found`() async throws {
        try await install()
        func make(_ name: String, days: Int) throws -> [String: String] {
            let (certificate, key) = (root + "/\(name).pem", root + "/\(name).key")
            try TestCertificate.openssl([
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "\(days)",
                "-keyout",
                key, "-out", certificate,
            ])
            try setMode(0o600, of: key)
            return ["--tls-certificate": certificate, "--tls-key": key]
        }
        let good = try make("good", days: 90)
        #expect(try await findings(good) == [])
        let other = try make("other", days: 90)
        expect(
            "certificate", "key", in: try await findings(good.merging(["--tls-key": other["--tls-key"] ?? ""]) { $1 }))
        try "".write(toFile: root + "/other.pem", atomically: true, encoding: .utf8)
        expect("certificate", "has no certificate", in: try await findings(other))
    }

    // MARK: Databases

    @Test func `databases that are damaged, lost, old or too new are found`() async throws {
        try await install()
        let file = URL(fileURLWithPath: data + "/roost.sqlite")
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count - 4_096).write(to: file)
        expect("database", "is not whole", in: try await findings())
        try FileManager.default.removeItem(at: file)
        expect("database", "and no database", in: try await findings())
        try whole.write(to: file)
        try setMode(0o600, of: file.path)
        #expect(try await findings() == [])
        let commit = try String(contentsOfFile: data + "/last-commit", encoding: .utf8)
        let words = commit.split(separator: " ")
        try "\(words[0]) \(String(repeating: "0", count: words[1].count - 3))999\n".write(
            toFile: data + "/last-commit", atomically: true, encoding: .utf8)
        expect("database", "is not as the server left it", in: try await findings())
        try commit.write(toFile: data + "/last-commit", atomically: true, encoding: .utf8)
        try setMode(0o600, of: data + "/last-commit")
        try NewerDatabase.mark(data)
        expect("database", "this version cannot work with", in: try await findings())
    }

    @Test(.needsPostgres) func `settings of PostgreSQL that lose data or stop the server are found`() async throws {
        try await install()
        let url = try Postgres.makeSchema()
        func found(_ options: String = "") async throws -> [Finding] {
            // Those of the tests do not wait for the disk, which is a fault.
            try await findings(["--database": url + options]).filter { !$0.text.contains("fsync = off") }
        }
        let all = try await findings(["--database": url])
        #expect(all.contains { $0.check == "database" && $0.text.contains("fsync = off") }, "\(all)")
        expect("database", "is empty, and the secret", in: try await found())
        options["--data"] = root + "/second"
        expect("data", "there is no folder", "warning", in: try await found())
        try FileManager.default.createDirectory(atPath: root + "/second", withIntermediateDirectories: true)
        #expect(try await found() == [])
        expect("database", "only read", in: try await found("%20-cdefault_transaction_read_only%3Don"))
        expect(
            "database", "may not create tables",
            in: try await found("%20-csearch_path%3Dpg_catalog%20-crole%3Dpg_monitor"))
        expect(
            "database", "cannot be reached", in: try await findings(["--database": "postgres://roost@127.0.0.1:1/x"]))

        let server = try await ServerProcess.start(
            data: root + "/second", arguments: ["--database": url].flatMap { [$0, $1] })
        #expect(try await found() == [])
        let database = try Postgres.open(url)
        try database.write { connection in
            for (name, version, ahead) in [("fast", "0.1.0", 600_000), ("old", "0.0.9", 0)] as [(String, String, Int64)]
            {
                let seenAt = Int64(Date().timeIntervalSince1970 * 1_000) + ahead
                try connection.execute(
                    """
                    INSERT INTO nodes (id, address, version, schema, settings, beat, seen_at)
                    VALUES (\(name), \(name), \(version), 31, '{}', 0, \(seenAt))
                    """)
            }
        }
        let servers = try await found()
        #expect(servers.allSatisfy { $0.check == "servers" })
        #expect(servers.contains { $0.level == "fault" && $0.text.contains("the server at fast is") }, "\(servers)")
        #expect(servers.contains { $0.text.contains("several versions: 0.0.9, 0.1.0") }, "\(servers)")
        #expect(servers.contains { $0.text.contains("set to be alone") }, "\(servers)")
        try database.write { try $0.execute("DELETE FROM nodes WHERE id IN ('fast', 'old')") }
        #expect(server.stop() == 0)
    }

    // MARK: Other services

    @Test(.needsPostgres, .enabled(if: NATSServer.isAvailable))
    func `a bus that is away, open to all or closed to the server is found`() async throws {
        try await install()
        let url = try Postgres.makeSchema()
        let shared = root + "/shared"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        func found(_ bus: String) async throws -> [Finding] {
            try await findings(
                ["--database": url, "--bus": bus, "--files": shared], flags: ["--files-shared"]
            ).filter { $0.check == "bus" }
        }
        expect("bus", "does not answer", in: try await found("nats://a:b@127.0.0.1:1"))
        let open = try await NATSServer.start()
        expect("bus", "lets anybody in", "warning", in: try await found(open.url))
        open.stop()
        let closed = try await NATSServer.start(options: ["--user", "roost", "--pass", "right"])
        #expect(try await found("nats://roost:right@127.0.0.1:\(closed.port)") == [])
        expect("bus", "does not let this server in", in: try await found("nats://roost:wrong@127.0.0.1:\(closed.port)"))
        closed.stop()
    }

    @Test func `an object store that is away or does not know the key is found`() async throws {
        try await install()
        let store = try await S3Server.start()
        let keys = [
            "ROOST_S3_ACCESS_KEY_ID": "test",
            "ROOST_S3_SECRET_ACCESS_KEY": "test-secret",
        ]
        #expect(try await findings(["--files": store.url], environment: keys) == [])
        expect("files", "There are no keys", in: try await findings(["--files": store.url]))
        var wrong = keys
        wrong["ROOST_S3_SECRET_ACCESS_KEY"] = "wrong"
        expect("files", "Cannot use the bucket", in: try await findings(["--files": store.url], environment: wrong))
        store.stop()
        expect("files", "cannot be reached", in: try await findings(["--files": store.url], environment: keys))
    }
}
