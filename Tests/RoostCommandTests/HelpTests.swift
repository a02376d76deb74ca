import Foundation
import Testing

@testable import roost

/// What the command line says of itself: every verb and every verb below it.
@Suite struct HelpTests {
    @Test func `every verb has a help that says what it does, with units and defaults`() throws {
        let verbs = try Verb.all()
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
            let help = try #require(ending(path + ["--help"]), "\(path)")
            // The help is broken into lines.
            let lines = help.output.split(separator: "\n")
            let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
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
}
