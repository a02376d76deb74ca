import ArgumentParser
import Foundation
import Testing

@testable import roost
@testable import roost_bench

/// The help texts of the command line and the benchmarks: every verb and every verb below it.
@Suite struct HelpTests {
    @Test func `every command has a help text with its purpose, units and defaults`() throws {
        let verbs = try Verb.all()
        #expect(verbs.count > 40)
        for (path, verb) in verbs {
            let help = try #require(commandExit(path + ["--help"]), "\(path)")
            #expect(help.status == 0, "\(path)")
            #expect(help.errors.isEmpty)
            try check(verb, "\(path)", help.output)
        }
    }

    @Test func `the benchmarks have a help text with their purpose, units and defaults`() throws {
        let description = try Verb.described(by: said(["--experimental-dump-help"]))
        try check(description, "roost-bench", try said(["--help"]))
    }

    /// The output of the benchmarks for arguments that request help.
    private func said(_ arguments: [String]) throws -> String {
        let error = try #require(throws: (any Error).self) {
            var command = try BenchCommand.parseAsRoot(arguments)
            try command.run()
        }
        #expect(BenchCommand.exitCode(for: error).isSuccess)
        return BenchCommand.fullMessage(for: error, columns: 120)
    }

    /// Checks that a help text contains all descriptions of a verb, and that they suffice to use it.
    private func check(_ verb: Verb, _ path: String, _ help: String) throws {
        // Options with a default value.
        let withDefault: Set = [
            "server", "as", "name", "token", "profile", "data", "host", "port", "ttl", "loops", "log-level", "limit",
            "page", "batch", "timeout", "join-method", "reason", "type", "pairs", "window", "roost",
        ]
        // Options that are required or unused if omitted.
        let required = [
            "[\"token\"] data", "[\"secret\", \"rotate\"] data", "[\"secret\", \"drop\"] data", "roost-bench server",
        ]
        let units = [
            "time": "ms since 1970", "changed-since": "ms since 1970", "timeout": "seconds", "size": "bytes",
            "ttl": "90s", "in": "90s", "at": "ms since 1970", "latitude": "degrees", "longitude": "degrees",
        ]
        // The help is broken into lines.
        let lines = help.split(separator: "\n")
        let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        #expect(text.contains("USAGE: roost"))
        #expect(text.contains(try #require(verb.abstract, "\(path)")))
        for argument in verb.arguments ?? []
        where argument.shouldDisplay && !["help", "version"].contains(argument.name) {
            let what = "\(path) \(argument.name)"
            let abstract = try #require(argument.abstract, "\(what) has no help")
            #expect(text.contains(abstract), "\(what)")
            if argument.kind == "option", withDefault.contains(argument.name), !argument.isRepeating {
                #expect(
                    argument.defaultValue != nil || abstract.contains("omitted") || required.contains(what),
                    "\(what) does not state its default")
            }
            if let value = argument.defaultValue { #expect(text.contains("default: \(value))"), "\(what)") }
            if argument.kind == "option", let unit = units[argument.name] {
                #expect(abstract.contains(unit), "\(what) has no unit")
            }
        }
    }
}
