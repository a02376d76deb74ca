import Foundation
import RoostTesting
import Testing

@testable import roost

/// The process prints and exits as the function reports that RoostCommandTests checks for every verb.
@Suite(.timeLimit(.minutes(5)), .firstPassOnly) struct HelpTests {
    @Test(arguments: [
        ["--help"], ["--version"], ["channel", "--help"], ["message", "send", "--help"], ["frobnicate"],
        ["send", "--no-such-option"], ["serve", "--port", "70000"],
    ])
    func `the process prints help and errors, and exits, as 'CommandExit' specifies`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let said = try #require(throws: CommandExit.self) { try Roost.command(arguments, columns: 80) }
        let result = try await Child.roost(arguments, in: folder).result()
        #expect(result.status == said.status)
        #expect(result.output.map { $0 + "\n" }.joined() == said.output)
        #expect(result.errors + (said.errors.isEmpty ? "" : "\n") == said.errors)
    }

    @Test func `a command group without a subcommand prints its help`() async throws {
        let folder = try TemporaryFolder()
        let help = try #require(throws: CommandExit.self) { try Roost.command(["channel", "--help"], columns: 80) }
        let alone = try await Child.roost(["channel"], in: folder).result()
        #expect(alone.status == 0)
        #expect(alone.output.map { $0 + "\n" }.joined() == help.output)
        #expect(alone.errors.isEmpty)
    }

    @Test func `chat in a pipe exits with 2 if no conversation is given`() async throws {
        let folder = try TemporaryFolder()
        let chat = try await Child.roost(["chat"], server: "http://127.0.0.1:1", in: folder).result()
        #expect(chat.status == 2)
        #expect(chat.output.isEmpty)
        let lines = chat.errors.split(separator: "\n").map(String.init)
        let sentence = lines.first ?? ""
        #expect(sentence.hasPrefix("roost: "))
        #expect(sentence.contains("--channel"))
        #expect(lines.dropFirst().contains { $0.contains("roost chat") })
    }

    @Test func `a failure at run time prints one sentence and has a separate exit code`() async throws {
        let folder = try TemporaryFolder()
        let unmade = try await Child.roost(["token", "--data", folder.path + "/none", "--user", "ann"], in: folder)
            .result()
        let unreachable = try await Child.roost(
            ["send", "--as", "ann", "--to", "bob", "hi"], server: "http://127.0.0.1:1", in: folder
        ).result()
        #expect(unmade.status == 1)
        #expect(unreachable.status == 3)
        for result in [unmade, unreachable] {
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("roost: "))
            #expect(!result.errors.contains("\n"), "there is nothing to learn about its use")
        }
    }
}
