import ArgumentParser
import Foundation
import RoostWire

/// Shows and checks the settings of the server.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and check the settings of the server.",
        discussion: """
            Each option of roost serve is a setting. It comes from the command line, or else from the environment, where --public-url \
            is ROOST_PUBLIC_URL, or else from the file of --config or ROOST_CONFIG, in YAML or JSON:

              public-url: https://chat.example.com
              retain:
                group: 90d
                open: [30d, 1000]
              limit:
                members: 500

            Other commands do not read the file: say --data and --database again. In the environment, several values have spaces between them, and what is on or off is true or false. See \
            docs/operations.md.
            """,
        subcommands: [Show.self, Check.self, Template.self])

    /// Prints each setting.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print each setting, its value, and where that comes from.",
            discussion: "Passwords are left out. The options are those of roost serve, such as --config FILE.")

        @Flag(help: "Print one JSON object per line.")
        var json = false

        @Argument(parsing: .allUnrecognized, help: "Options of roost serve.")
        var arguments: [String] = []

        func validate() throws { try ConfigCommand.checkNames(arguments) }

        func run() async throws {
            let settings = try ConfigCommand.settings(arguments)
            let given = Dictionary(
                settings.values.map { ($0.option.name, $0) }, uniquingKeysWith: { first, _ in first })
            let lines = SettingOption.all.map { option in
                Line(option, given[option.name])
            }
            if json {
                for line in lines { Terminal.printLine(String(decoding: try WireCodec.encode(line), as: UTF8.self)) }
                return
            }
            let (name, value) = (
                lines.map(\.setting.count).max() ?? 0, min(60, lines.map { $0.text.count }.max() ?? 0)
            )
            for line in lines {
                Terminal.printLine(
                    line.setting.padding(toLength: name + 2, withPad: " ", startingAt: 0)
                        + line.text.padding(toLength: max(value, line.text.count) + 2, withPad: " ", startingAt: 0)
                        + line.source)
            }
        }

        private struct Line: Encodable {
            var setting: String
            var values: [String]
            var source: String

            init(_ option: SettingOption, _ given: ServeSettings.Value?) {
                setting = option.name
                values = (given?.texts ?? option.usual.map { [$0] } ?? (option.kind == .flag ? ["false"] : []))
                    .map { ServeSettings.shown($0, of: option) }
                source = given?.source ?? "default"
            }

            var text: String { values.isEmpty ? "–" : values.joined(separator: " ") }
        }
    }

    /// Checks the settings without starting a server.
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Say what is wrong with the settings, without starting a server.",
            discussion: """
                Names, values and what goes together are checked, and whether the files with the certificate and keys can be used. The \
                options are those of roost serve, such as --config FILE. The exit code is 0 if all is well, and 2 otherwise.
                """)

        @Argument(parsing: .allUnrecognized, help: "Options of roost serve.")
        var arguments: [String] = []

        func validate() throws { try ConfigCommand.checkNames(arguments) }

        func run() async throws {
            let settings = try ConfigCommand.settings(arguments)
            let command = try Roost.serve(settings)
            do {
                try command.checkFiles()
            } catch {
                Terminal.printError("\(error)")
                throw ExitCode(ExitStatus.usage)
            }
            Terminal.printLine(
                "The settings are in order: \(settings.values.count) are given, the others have their defaults.")
        }
    }

    /// Prints a file to begin with.
    struct Template: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "template", abstract: "Print a file for --config that has each setting as a comment.")

        func run() async throws {
            Terminal.printLine(Self.text)
        }

        static var text: String {
            let head = """
                # The settings of roost serve. Each line is a setting: remove the # before it, and set its value.
                # roost config check --config FILE says what is wrong, roost config show --config FILE where each value comes from.
                # The command line and the environment (ROOST_PUBLIC_URL for public-url) go before this file.
                """
            let settings = SettingOption.all.map { option in
                let value = option.usual ?? (option.kind == .flag ? "false" : option.kind == .list ? "[]" : "")
                return "\n# \(option.abstract)\n#\(option.name):\(value.isEmpty ? "" : " " + value)"
            }
            return head + "\n" + settings.joined(separator: "\n")
        }
    }

    static func checkNames(_ arguments: [String]) throws {
        for argument in arguments where argument.hasPrefix("-") {
            let name = argument.drop { $0 == "-" }.prefix { $0 != "=" }
            guard name != "config", SettingOption.named(String(name)) == nil else { continue }
            let nearest = SettingOption.nearest(to: String(name)).map { " Did you mean --\($0)?" } ?? ""
            throw ValidationError("roost serve has no option \(argument).\(nearest)")
        }
    }

    /// The settings that options of `roost serve` lead to.
    static func settings(_ arguments: [String]) throws(CommandExit) -> ServeSettings {
        do throws(SettingsError) {
            return try ServeSettings(arguments)
        } catch {
            throw CommandExit(error)
        }
    }
}
