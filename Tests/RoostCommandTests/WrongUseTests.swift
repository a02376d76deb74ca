import ArgumentParser
import Testing

@testable import roost
@testable import roost_bench

/// The errors of the command line and the benchmarks for wrong input: every verb and every verb below it.
@Suite struct WrongUseTests {
    /// A server with this bus, and otherwise what it needs.
    private static func bus(_ url: String, _ more: String...) -> [String] {
        ["--database", "postgres://x/y", "--files", "/tmp/files", "--files-shared", "--bus", url] + more
    }

    /// Wrong uses of each verb that are detected without a server.
    private static let wrongUses: [String: [[String]]] = [
        "serve": [
            ["--port", "70000"], ["--limit", "members"], ["--limit", "members=many"], ["--log-level", "loud"],
            ["--retain", "group"], ["--retain", "party=90d"], ["--retain", "group=23h"], ["--retain", "group=0"],
            ["--retain", "group=90d,80d"], ["--retain", "group=90d,"], ["--retain", "self=-1d"],
            ["--retain", "open=99999999999999999d"], ["--retain", "group=90d", "--retain", "group=1000"],
            ["--sockets-per-address", "0"], ["--disk-reserve=-1"], ["--disk-reserve", "much"],
            ["--connection-memory", "0"], ["--connection-memory=-1"], ["--connection-memory", "512M"],
            ["--admin-port", "65536"], ["--admin-port=-1"], ["--admin-port", "7878"], ["--log-format", "xml"],
            ["--port", "80", "--admin-port", "80"],
            ["--tls-certificate", "c", "--tls-key", "k", "--redirect-port", "80", "--admin-port", "80"],
            ["--backup-at", "3"], ["--backup-at", "24:00"], ["--backup-at", "03:60"], ["--backup-at", "3:0"],
            ["--backup-keep", "0"], ["--backup-to", ""], ["--backup-to"],
            ["--no-audit-log=yes"], ["--several-nodes"], ["--files-shared"],
            ["--several-nodes", "--files", "/tmp/files", "--files-shared"],
            ["--database", "postgres://x/y", "--several-nodes"],
            ["--database", "postgres://x/y", "--several-nodes", "--files", "/tmp/files"],
            ["--database", "postgres://x/y", "--several-nodes", "--files-shared"],
            ["--tls-certificate", "c.pem"], ["--tls-key", "k.pem"], ["--redirect-port", "80"],
            ["--tls-certificate", "c.pem", "--tls-key", "k.pem", "--redirect-port", "0"],
            ["--tls-certificate", "c.pem", "--tls-key", "k.pem", "--redirect-port", "7878"],
            ["--tls-certificate", "c.pem", "--tls-key", "k.pem", "--acme-folder", "/tmp"],
            ["--tls-certificate", "c.pem", "--tls-key", "k.pem", "--redirect-port", "65536"],
            bus("nats://localhost", "--tls-certificate", "c.pem", "--tls-key", "k.pem"),
            ["--internal-url", "http://10.0.0.1:7878"],
            bus("nats://localhost", "--internal-url", "10.0.0.1:7878"),
            bus("nats://localhost", "--internal-url", "ftp://10.0.0.1"),
            bus("nats://localhost", "--internal-url", "http://"),
            bus("nats://localhost", "--internal-url", "http://a.example/path"),
            bus("nats://localhost", "--internal-url", "http://u:p@a.example"),
            bus("nats://localhost", "--internal-url", "http://a.example?x"),
            ["--database", "postgres://x/y", "--files", "/tmp/files", "--files-shared"],
            ["--bus", "nats://localhost"], ["--bus-certificates", "/etc/hostname"],
            bus("localhost"), bus("nats://bus.example.com"), bus("tls://bus.example.com"),
            bus("nats://localhost", "--bus-certificates", "/etc/hostname"),
            bus("tls://localhost", "--bus-certificates", "/nowhere"),
            ["--file-redirects"], ["--files", "/tmp/files", "--file-redirects"], ["--brand", "a b"], ["--brand", ""],
            ["--max-accounts", "0"], ["--identity-keys", "https://id.example.com/keys"],
            ["--identity-issuer", "i", "--identity-audience", "a"], ["--encryption-key"],
            ["--data", "d", "--encryption-key", "./d/secret"], ["--web-folder", "/nowhere"], ["--web-folder"],
            ["--no-web", "--web-folder", "."], ["--no-web", "--frame-ancestor", "https://example.com"],
            ["--image-origin", "https:"], ["--image-origin", "images.example.com"],
            ["--image-origin", "https://a.b/c"],
            ["--frame-ancestor", "*"], ["--frame-ancestor", "example.com"], ["--frame-ancestor", "https://a.b/c"],
            ["--frame-ancestor", "https://a.b; script-src *"], ["--frame-ancestor", "https://a.b\r\nX: y"],
        ],
        "token": [
            ["--data", "d"], ["--data", "d", "--user", "a b"], ["--data", "d", "--user", "a", "--ttl", "soon"],
            ["--data", "d", "--user", "a", "--code", "--ttl", "11m"],
            ["--data", "d", "--user", "a", "--link", "https://chat.example.com"],
            ["--data", "d", "--user", "a", "--code", "--link", "chat.example.com"],
            ["--data", "d", "--user", "a", "--code", "--link", "https://chat.example.com/#channel=c"],
        ],
        "send": [
            ["hi"], ["--to", "bob", "--trans-id", "a b", "hi"], ["--channel", "a b", "hi"], ["--to", "bob"],
            ["--as", "ann", "hi"], ["--as", "a b", "--to", "bob", "hi"], ["--as", "ann", "--channel", "lobby"],
            ["--as", "ann", "--channel", "lobby", "--trans-id", "k", "-"],
            ["--as", "ann", "--token", "t", "--to", "bob", "hi"], ["--to", "bob", "--file", "roof.jpg", "-"],
        ],
        "user set": [
            [], ["--display-name"], ["--picture", "a.jpg", "--no-picture"], ["--display-name", "x", "y"],
            ["--display-name", "x", "--trans-id", "a b"],
        ],
        "user settings": [
            ["x"], ["--invites-from"], ["--invites-from", "friends"],
            ["--invites-from", "nobody", "--trans-id", "a b"],
        ],
        "device address": [
            [], ["--gateway", "pigeon", "--push-token", "t"], ["--gateway", "webhook"],
            ["--gateway", "apns", "--push-token", "xyz"], ["--gateway", "fcm", "--push-token", "t", "--topic", "a"],
            ["--gateway", "web", "--push-token", "https://a.b/c"],
            ["--gateway", "webhook", "--push-token", "t", "--trans-id", "a b"],
        ],
        "device settings": [
            [], ["--quiet", "25:00-07:00"], ["--quiet", "22:00"], ["--quiet", "22:00-07:00/8"],
            ["--quiet", "22:00-07:00/"], ["--quiet", "22:00-07:00", "--no-quiet"], ["--time-zone", "UTC"],
            ["--mute-for", "soon"], ["--sound", "a", "--sound-type", "3"], ["--mute", "--trans-id", "a b"],
        ],
        "device show": [["x"], ["--as", "a b"]], "device list": [["x"], ["--as", "a b"]],
        "secret rotate": [[], ["--data", "d", "x"]], "secret drop": [[], ["--data", "d", "x"]],
        "account register": [[], ["a"], ["a", "--password-file", "f", "--user-id", "a b"]],
        "account sign-up": [[], ["a"]], "account log-in": [[], ["a"]], "account check": [[], ["a"]],
        "account show": [["a b"], ["a", "b"]],
        "account find": [[], ["a b"]], "account set": [[], ["a"], ["a b", "--phone", "+1"]],
        "key create": [[], ["a"], ["a", "--scope", "all"], ["a", "--scope", "accounts", "--of", "a b"]],
        "key list": [["x"]], "key revoke": [[], ["a", "b"]],
        "login list": [["x"], ["--as", "a b"]],
        "login end": [[], ["--all", "--on-device", "a"], ["--on-device", "a b"], ["--all", "--of", "a b"]],
        "user ban": [[], ["a b"], ["a", "b"]], "user unban": [[], ["a b"], ["a", "b"]],
        "user calls": [[], ["a"], ["a b", "--allowed"]],
        "user delete": [[], ["a"], ["a b", "--yes"], ["a", "b", "--yes"], ["a", "--yes", "--trans-id", "a b"]],
        "push test": [[], ["a"], ["--user", "a b"], ["--user", "a", "--device", "a b"]],
        "device remove": [["a b"], ["a", "--trans-id", "a b"]],
        "file put": [[], ["--as", "a b", "roof.jpg"]],
        "file get": [[], ["a b"], ["a", "b", "c"]],
        "file show": [[], ["a b"], ["a", "--preview", "sixel"]],
        "file info": [[], ["a b"]],
        "file delete": [[], ["a b"], ["a", "--trans-id", "a b"]],
        "tail": [
            [], ["--as", "ann"], ["--all", "--after", "3"], ["--as", "ann", "--all", "--after", "3"],
            ["--channel", "c", "--limit", "0"], ["--all", "--timeout", "soon"], ["--all", "--timeout", "nan"],
            ["--all", "--timeout", "1e300"], ["--all", "--timeout", "0"], ["--all", "--timeout", "inf"],
        ],
        "history": [[], ["--channel", "c", "--limit", "0"], ["--channel", "c", "--before", "1", "--after", "2"]],
        "channels": [["keyword"], ["--open", "a", "b"]],
        // Without --lines it depends on the terminal; IntegrationTests start a process for that.
        "chat": [["--lines"], ["--json"], ["--channel", "c", "--to", "bob"]],
        "channel create": [
            ["--kind", "party"], ["--channel", "a b"], ["--member", "bob=owner"], ["--max-members", "many"],
        ],
        "channel get": [[], ["--channel", "a b"]],
        "channel list": [["--kind", "party"], ["--batch", "0"], ["--batch", "101"], ["--changed-since", "today"]],
        "channel set": [
            ["--title", "x"], ["--channel", "c", "--can-join", "perhaps"], ["--channel", "c", "--history", "some"],
        ],
        "channel prefer": [["--mute", "true"], ["--channel", "c", "--mute", "perhaps"]],
        "channel unread": [[], ["--channel", "c", "--to", "bob"]],
        "channel hide": [[], ["--all", "--channel", "c"]],
        "channel end": [[], ["--all", "--to", "bob"]],
        "channel leave": [[], ["--channel", "c", "--successor", "a b"]],
        "channel dismiss": [[], ["--channel", "c", "now"]],
        "member invite": [
            ["--channel", "c"], ["--channel", "c", "bob=owner"], ["--channel", "c", "--join-method", "luck", "bob"],
        ],
        "member answer": [["--channel", "c"], ["--accept"]],
        "member join": [[], ["--channel", "c", "--by", "a b"]],
        "member kick": [["bob"], ["--channel", "c", "a b"], ["--channel", "c", "bob", "--reason", "rude"]],
        "member ban": [
            ["bob"], ["--channel", "c", "a b"], ["--channel", "c", "bob", "--reason", "rude"],
            ["--channel", "c", "bob", "--for", "3x"], ["--channel", "c", "bob", "--until", "tomorrow"],
            ["--channel", "c", "bob", "--for", "7d", "--until", "2100-01-01T00:00:00Z"],
        ],
        "member unban": [["bob"], ["--channel", "c", "a b"]],
        "member role": [["--channel", "c", "bob"], ["--channel", "c", "bob", "owner"]],
        "member list": [
            [], ["--channel", "c", "--page", "0"], ["--channel", "c", "--page", "501"],
            ["--channel", "c", "--limit", "0"],
        ],
        "member reads": [[], ["--channel", "c", "--limit", "0"]],
        "message send": [
            ["hi"], ["--channel", "c", "--text", "a", "b"], ["--channel", "c", "--latitude", "1"],
            ["--channel", "c", "--extra", "x", "hi"], ["--channel", "c", "--size", "3", "hi"],
            ["--channel", "c", "--mention", "bob:0", "hi"], ["--channel", "c", "--reply-to", "7", "hi"],
            ["--channel", "c", "--call-kind", "video"], ["--channel", "c", "--call", "1", "--call-kind", "smoke"],
        ],
        "message send-many": [
            [], ["--channel", "c"], ["--text", "a"], ["--channel", "a b", "--text", "a"],
            ["--channel", "c", "--content", "{"], ["--channel", "c", "--text", "a", "b"],
        ],
        "schedule create": [
            ["--channel", "c", "--text", "a"], ["--channel", "c", "--in", "2h"], ["--in", "2h", "--text", "a"],
            ["--channel", "c", "--text", "a", "--in", "soon"], ["--channel", "c", "--text", "a", "--at", "noon"],
            ["--channel", "c", "--text", "a", "--in", "2h", "--at", "0"],
            ["--channel", "c", "--in", "2h", "--vote", "what"],
            ["--channel", "c", "--in", "2h", "--option", "a", "--option", "b"],
            ["--channel", "c", "--in", "2h", "--vote", "what", "--option", "a", "--text", "b"],
        ],
        "broadcast create": [
            ["--from", "ann", "--text", "a"], ["--text", "a", "--all"], ["--from", "ann", "--all"],
            ["--from", "ann", "--text", "a", "--all", "--to", "bob"], ["--from", "a b", "--text", "a", "--all"],
            ["--from", "ann", "--text", "a", "--all", "--members-of", "c"],
            ["--from", "ann", "--text", "a", "--members-of", "a b"], ["--from", "ann", "--text", "a", "--to", "a b"],
            ["--from", "ann", "--content", "{", "--all"],
        ],
        "config show": [["--prot", "80"], ["--json", "--frobnicate"]],
        "config check": [["--prot", "80"], ["--json"]],
        "config template": [["now"], ["--json"]],
        "doctor": [["--prot", "80"], ["--skip", "moon"], ["--skip"]],
        "top": [
            ["now"], ["--interval", "0"], ["--interval", "soon"], ["--admin", "x"], ["--admin", "x:0"],
            ["--admin", "https://x:1"], ["--admin", "http://x:1/other"],
        ],
        "check": [["now"], ["--files-in", "x"]],
        "restored": [["now"]],
        "backup create": [[], ["--to", "x", "--keep", "0"], ["--to", "x", "--keep", "all"], ["--to", "x", "now"]],
        "backup list": [[], ["--from", "x", "now"]],
        "backup check": [[], ["--from", "x", "now"]],
        "backup prune": [[], ["--from", "x"], ["--from", "x", "--keep", "0"]],
        "restore": [
            [], ["--from", "x", "now"], ["--from", "x", "--replace", "--database", "postgres://x/y"],
            ["--from", "x", "--ignore-replaced"],
        ],
        "backup delete": [[], ["--from", "x"], ["x"]],
        "broadcast list": [["now"], ["--limit", "0"]],
        "broadcast show": [[], ["7"]],
        "broadcast pause": [[], ["7"]],
        "broadcast resume": [[], ["7"]],
        "broadcast cancel": [[], ["7"]],
        "schedule list": [["now"], ["--limit", "0"]],
        "schedule change": [
            [schedule], ["--in", "2h"], ["--in", "2h", "7"], [schedule, "--in", "soon"], [schedule, "--option", "a"],
        ],
        "schedule cancel": [[], ["7"]],
        "message list": [
            [], ["--channel", "c", "--limit", "0"], ["--channel", "c", "--before", "1", "--around", "2"],
        ],
        "message query": [
            [], ["--after", "0", "--before", "1"], ["--after", "0", "--page", "0"], ["--before", "0", "--page", "101"],
            ["--after", "now"],
        ],
        "message get": [["--channel", "c"], ["--channel", "c", "7"]],
        "message forward": [
            ["--channel", "c", "7"], ["--channel", "c", id], ["--channel", "c", "--into", "a b", id],
        ],
        "message announce": [["--channel", "c"], ["text"], ["--channel", "c", "--to", "d", "text"]],
        "message react": [["--channel", "c", id], ["--channel", "c", "7", "👍"], [id, "👍"]],
        "message unreact": [["--channel", "c", id], ["--channel", "c", "7", "👍"], [id, "👍"]],
        "message reactions": [["--channel", "c"], ["--channel", "c", "7"], ["--channel", "c", id, "--limit", "0"]],
        "message pin": [["--channel", "c"], ["--channel", "c", "7"], [id]],
        "message unpin": [["--channel", "c"], ["--channel", "c", "7"], [id]],
        "message pins": [[], ["--channel", "c", id]],
        "message origin": [["--channel", "c"], ["--channel", "c", "7"]],
        "vote create": [
            ["--channel", "c", "--option", "a"], ["--channel", "c", "what"], ["--channel", "c", "--option", "{", "x"],
            ["--channel", "c", "--option", "a", "--results", "soon", "x"],
        ],
        "vote cast": [["--channel", "c"], ["--channel", "c", id, "0"], ["--channel", "c", id, "first"]],
        "report message": [["--channel", "c"], [id], ["--channel", "c", "7"]],
        "report user": [[], ["a b"]],
        "report list": [["now"], ["--limit", "0"]],
        "report close": [[], ["a", "b"]],
        "news create": [[], ["--id", "a b", "Title"], ["--all"]],
        "news publish": [
            ["--channel", "c"], ["x"], ["--channel", "c", "--valid-until", "soon", "x"],
            ["--channel", "c", "--thumbnail-id", "t", "x"], ["--channel", "c", "--file-id", "a b", "x"],
            ["--channel", "c", "--file", "a", "--file-id", "b"],
        ],
        "news list": [["now"], ["--limit", "0"]],
        "news subscribe": [[], ["--channel", "a b"]],
        "news unsubscribe": [[], ["--channel", "c", "now"]],
        "news dismiss": [[]],
        "vote close": [["--channel", "c"], ["--channel", "c", "7"]],
        "vote list": [[], ["--channel", "c", "--limit", "0"]],
        "vote show": [["--channel", "c"], ["--channel", "c", "7"]],
        "vote ballots": [
            ["--channel", "c"], ["--channel", "c", id, "--page", "0"], ["--channel", "c", id, "--option", "21"],
        ],
        "message recall": [["--channel", "c"], ["--channel", "c", "7"]],
        "message delete": [[], ["--channel", "c"], ["--everything", "--all"], ["--everything", "--channel", "c"]],
        "message readers": [["--channel", "c"], ["--channel", "c", "7"], ["--channel", "c", id, "--page", "101"]],
        "message reads": [["--channel", "c"], ["--channel", "c", "7"]],
        "user list": [[], ["a b"]],
        "user block": [[], ["a b"]],
        "user unblock": [[], ["ann", "bob"]],
        "user blocked": [["ann"]],
        "unread": [["--channel", "c"], ["--explain", "--channel", "a b"]],
        "mark": [[], ["--channel", "c", "--all"], ["--all", "--seq", "1"], ["--channel", "c", "--seq", "one"]],
    ]

    private static let id = "00000000000000000000000000010000"
    private static let schedule = "019b76daa80000000000019c3e51"

    @Test func `invalid input is tested for every command`() throws {
        let leaves = try Verb.all().filter { $0.verb.verbs.isEmpty }
        #expect(Set(leaves.map { $0.path.joined(separator: " ") }) == Set(Self.wrongUses.keys))
    }

    @Test(arguments: wrongUses.keys.sorted())
    func `every command rejects invalid input with exit code 2 and one sentence that states the problem`(verb: String)
        throws
    {
        let path = verb.split(separator: " ").map(String.init)
        let uses = try #require(Self.wrongUses[verb])
        for use in uses + [["--no-such-option"]] {
            let result = try #require(commandExit(path + use), "\(path) \(use) is accepted")
            #expect(result.status == 2, "\(path) \(use): \(result.errors)")
            #expect(result.output.isEmpty, "\(path) \(use)")
            let lines = result.errors.split(separator: "\n").map(String.init)
            let sentence = lines.first ?? ""
            #expect(sentence.hasPrefix("roost: "), "\(path) \(use): \(result.errors)")
            #expect(sentence.count > 20, "\(path) \(use): \(sentence)")
            #expect(!sentence.contains("Error:") && !sentence.contains("Optional("), "\(sentence)")
            // The rest describes the correct use.
            #expect(lines.dropFirst().contains { $0.contains("roost " + verb) }, "\(path) \(use)")
        }
    }

    @Test func `every command group rejects an unknown subcommand with exit code 2 and a sentence`() throws {
        let nouns = try Verb.all().filter { !$0.verb.verbs.isEmpty }.map(\.path)
        #expect(nouns.count >= 9)
        for noun in nouns {
            let unknown = try #require(commandExit(noun + ["frobnicate"]), "\(noun)")
            #expect(unknown.status == 2, "\(noun)")
            #expect(unknown.output.isEmpty, "\(noun)")
            #expect(unknown.errors.hasPrefix("roost: "), "\(noun)")
        }
    }

    @Test(arguments: [
        [], ["everything"], ["direct", "--pairs", "0"], ["idle", "--floor"], ["broadcast", "--server", "x"],
        ["direct", "--server", "x", "--roost", "y"], ["--no-such-option"], ["files", "--server", "x"],
        ["files", "--size", "0"], ["files", "--connections", "0"], ["files", "--uploads", "0"],
    ])
    func `the benchmarks reject invalid input with one sentence that states the problem`(use: [String]) throws {
        let error = try #require(throws: (any Error).self) { try BenchCommand.parse(use) }
        #expect(BenchCommand.exitCode(for: error) == .validationFailure)
        let lines = BenchCommand.fullMessage(for: error, columns: 120).split(separator: "\n").map(String.init)
        let sentence = lines.first ?? ""
        #expect(sentence.count > 20 && !sentence.contains("Optional("), "\(sentence)")
        #expect(lines.dropFirst().contains { $0.contains("roost-bench") })
    }
}
