import Foundation
import RoostTesting
import Testing

/// What the command line says of itself, and what it says to wrong input: every verb and every verb below it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HelpTests {
    /// A verb as the command line describes itself.
    private struct Verb: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var name: String
            }

            var kind: String
            var isRepeating: Bool
            var shouldDisplay: Bool
            var preferredName: Name?
            var valueName: String?
            var abstract: String?
            var defaultValue: String?

            var name: String { preferredName?.name ?? valueName ?? "" }
        }

        var commandName: String
        var abstract: String?
        var arguments: [Argument]?
        var subcommands: [Verb]?

        /// This verb and all below it, each with the words that lead to it.
        func all(_ path: [String] = []) -> [(path: [String], verb: Verb)] {
            [(path, self)]
                + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { $0.all(path + [$0.commandName]) }
        }
    }

    private struct Description: Decodable {
        var command: Verb
    }

    /// One wrong use of each verb, without a server that could refuse it.
    private static let wrongUses: [String: [[String]]] = [
        "serve": [
            ["--port", "70000"], ["--limit", "members"], ["--limit", "members=many"], ["--log-level", "loud"],
            ["--retain", "group"], ["--retain", "party=90d"], ["--retain", "group=23h"], ["--retain", "group=0"],
            ["--retain", "group=90d,80d"], ["--retain", "group=90d,"], ["--retain", "self=-1d"],
            ["--retain", "open=99999999999999999d"], ["--retain", "group=90d", "--retain", "group=1000"],
        ],
        "token": [
            ["--data", "d"], ["--data", "d", "--user", "a b"], ["--data", "d", "--user", "a", "--ttl", "soon"],
        ],
        "send": [["hi"], ["--to", "bob", "--trans-id", "a b", "hi"], ["--channel", "a b", "hi"], ["--to", "bob"]],
        "tail": [[], ["--all", "--after", "3"], ["--channel", "c", "--limit", "0"], ["--all", "--timeout", "soon"]],
        "history": [[], ["--channel", "c", "--limit", "0"], ["--channel", "c", "--before", "1", "--after", "2"]],
        "channels": [["keyword"], ["--open", "a", "b"]],
        "chat": [[], ["--channel", "c", "--to", "bob"]],
        "channel create": [["--kind", "party"], ["--member", "bob=owner"], ["--max-members", "many"]],
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
        "member ban": [["bob"], ["--channel", "c", "a b"], ["--channel", "c", "bob", "--reason", "rude"]],
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
            ["--time", "0"], ["--time", "0", "--count", "0"], ["--time", "0", "--count", "-101"],
            ["--time", "now", "--count", "1"],
        ],
        "message get": [["--channel", "c"], ["--channel", "c", "7"]],
        "message forward": [
            ["--channel", "c", "7"], ["--channel", "c", id], ["--channel", "c", "--into", "a b", id],
        ],
        "message announce": [["--channel", "c"], ["text"], ["--channel", "c", "--to", "d", "text"]],
        "message origin": [["--channel", "c"], ["--channel", "c", "7"]],
        "vote create": [
            ["--channel", "c", "--option", "a"], ["--channel", "c", "what"], ["--channel", "c", "--option", "{", "x"],
            ["--channel", "c", "--option", "a", "--results", "soon", "x"],
        ],
        "vote cast": [["--channel", "c"], ["--channel", "c", id, "0"], ["--channel", "c", id, "first"]],
        "news create": [[], ["--id", "a b", "Title"], ["--all"]],
        "news publish": [
            ["--channel", "c"], ["x"], ["--channel", "c", "--valid-until", "soon", "x"],
            ["--channel", "c", "--thumbnail", "t", "x"],
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
        "bench": [
            [], ["everything"], ["direct", "--pairs", "0"], ["idle", "--floor"], ["broadcast", "--server", "x"],
        ],
    ]

    private static let id = "00000000000000000000000000010000"
    private static let schedule = "019b76daa80000000000019c3e51"

    private func verbs(_ folder: TemporaryFolder) async throws -> [(path: [String], verb: Verb)] {
        let described = try await Child.roost(["--experimental-dump-help"], in: folder).result()
        let json = Data(described.output.joined(separator: "\n").utf8)
        return try JSONDecoder().decode(Description.self, from: json).command.all()
    }

    @Test func `every verb has a help that says what it does, with units and defaults`() async throws {
        let folder = try TemporaryFolder()
        let verbs = try await verbs(folder)
        #expect(verbs.count > 40)
        // What has a value of its own when it is left out.
        let withDefault: Set = [
            "server", "as", "name", "token", "profile", "data", "host", "port", "ttl", "loops", "log-level", "limit",
            "page", "batch", "timeout", "join-method", "reason", "type", "pairs", "window",
        ]
        let units = [
            "time": "ms since 1970", "changed-since": "ms since 1970", "timeout": "seconds", "size": "bytes",
            "ttl": "90s", "in": "90s", "at": "ms since 1970", "latitude": "degrees", "longitude": "degrees",
        ]
        for (path, verb) in verbs {
            let help = try await Child.roost(path + ["--help"], in: folder).result()
            // The help is broken into lines.
            let text = help.output.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            #expect(help.status == 0, "\(path)")
            #expect(help.errors.isEmpty)
            #expect(text.contains("USAGE: roost"))
            #expect(text.contains(try #require(verb.abstract, "\(path)")))
            for argument in verb.arguments ?? []
            where argument.shouldDisplay && !["help", "version"].contains(argument.name) {
                let what = "\(path) \(argument.name)"
                let abstract = try #require(argument.abstract, "\(what) has no help")
                #expect(text.contains(abstract), "\(what)")
                if argument.kind == "option", withDefault.contains(argument.name), !argument.isRepeating {
                    #expect(
                        argument.defaultValue != nil || abstract.contains("left out") || isRequired(argument, path),
                        "\(what) does not say what it is when it is left out")
                }
                if let value = argument.defaultValue { #expect(text.contains("default: \(value))"), "\(what)") }
                if argument.kind == "option", let unit = units[argument.name] {
                    #expect(abstract.contains(unit), "\(what) has no unit")
                }
            }
        }
    }

    /// Options that have to be there have nothing to say about being left out.
    private func isRequired(_ argument: Verb.Argument, _ path: [String]) -> Bool {
        path == ["token"] && argument.name == "data" || path == ["bench"] && argument.name == "server"
    }

    @Test func `every verb answers wrong input with 2 and one sentence that says what is wrong`() async throws {
        let folder = try TemporaryFolder()
        let leaves = try await verbs(folder).filter {
            ($0.verb.subcommands ?? []).allSatisfy { $0.commandName == "help" }
        }
        #expect(Set(leaves.map { $0.path.joined(separator: " ") }) == Set(Self.wrongUses.keys))
        for (path, _) in leaves {
            let uses = try #require(Self.wrongUses[path.joined(separator: " ")])
            for use in uses + [["--no-such-option"]] {
                let result = try await Child.roost(path + use, server: "http://127.0.0.1:1", in: folder).result()
                #expect(result.status == 2, "\(path) \(use): \(result.errors)")
                #expect(result.output.isEmpty, "\(path) \(use)")
                let lines = result.errors.split(separator: "\n").map(String.init)
                let sentence = lines.first ?? ""
                #expect(sentence.hasPrefix("roost: "), "\(path) \(use): \(result.errors)")
                #expect(sentence.count > 20, "\(path) \(use): \(sentence)")
                #expect(!sentence.contains("Error:") && !sentence.contains("Optional("), "\(sentence)")
                // What follows is how to do it.
                #expect(
                    lines.dropFirst().contains { $0.contains("roost " + path.joined(separator: " ")) }, "\(path) \(use)"
                )
            }
        }
        for noun in ["channel", "member", "message", "schedule", "broadcast", "vote", "news", "user", ""] {
            let unknown = try await Child.roost((noun.isEmpty ? [] : [noun]) + ["frobnicate"], in: folder).result()
            #expect(unknown.status == 2, "\(noun)")
            #expect(unknown.errors.hasPrefix("roost: "))
        }
    }
}
