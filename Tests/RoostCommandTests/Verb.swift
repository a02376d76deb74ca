import Foundation
import Testing

@testable import roost

/// A verb as the command line describes itself.
struct Verb: Decodable {
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

    /// The verbs below it.
    var verbs: [Verb] { (subcommands ?? []).filter { $0.commandName != "help" } }

    /// This verb and all below it, each with the words that lead to it.
    func all(_ path: [String] = []) -> [(path: [String], verb: Verb)] {
        [(path, self)] + verbs.flatMap { $0.all(path + [$0.commandName]) }
    }
}

extension Verb {
    private struct Description: Decodable {
        var command: Verb
    }

    /// All verbs of the command line, each with the words that lead to it; the first one is `roost` itself.
    static func all() throws -> [(path: [String], verb: Verb)] {
        try described(by: #require(commandExit(["--experimental-dump-help"])).output).all()
    }

    /// A program as `--experimental-dump-help` describes it.
    static func described(by json: String) throws -> Verb {
        try JSONDecoder().decode(Description.self, from: Data(json.utf8)).command
    }
}

/// How the command line exits if parsing these arguments stops it; nil if there is a command to run.
func commandExit(_ arguments: [String]) -> CommandExit? {
    do {
        _ = try Roost.command(arguments, columns: 120)
        return nil
    } catch {
        return error
    }
}
