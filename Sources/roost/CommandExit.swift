import ArgumentParser

/// The output and the exit code of a command that ends early: for help, invalid usage or a failure.
struct CommandExit: Error, Equatable {
    /// The text for standard output.
    var output = ""
    /// The text for standard error.
    var errors = ""
    /// The exit code.
    var status: Int32

    init(_ error: SettingsError) {
        errors = Terminal.errorText(error.problems.joined(separator: "\n"))
        status = ExitStatus.usage
    }

    /// - Parameter columns: The width of the help; the width of the terminal if nil.
    init(_ error: any Error, columns: Int? = nil) {
        let code = Roost.exitCode(for: error)
        let message = Roost.fullMessage(for: error, columns: columns)
        status = code == .validationFailure ? ExitStatus.usage : code.rawValue
        if message.isEmpty { return }
        if code.isSuccess { output = message + "\n" } else { errors = Terminal.errorText(message) }
    }
}

extension Roost {
    /// Parses these arguments, or those of the process, into a command without running it.
    /// - Throws: `CommandExit` if they ask for help or are invalid.
    static func command(
        _ arguments: [String]? = nil, columns: Int? = nil
    ) throws(CommandExit) -> any AsyncParsableCommand {
        do {
            let given = arguments ?? Array(CommandLine.arguments.dropFirst())
            if given.first == ServeCommand.configuration.commandName, !given.contains(where: ["--help", "-h"].contains)
            {
                return try serve(try ServeSettings(Array(given.dropFirst())), columns: columns)
            }
            var command = try parseAsRoot(arguments)
            if let command = command as? any AsyncParsableCommand { return command }
            // This is the library's own help command.
            try command.run()
            throw ExitCode.success
        } catch let error as CommandExit {
            throw error
        } catch let error as SettingsError {
            throw CommandExit(error)
        } catch {
            throw CommandExit(error, columns: columns)
        }
    }

    /// Parses `roost serve` with these settings.
    /// - Throws: `CommandExit`.
    static func serve(_ settings: ServeSettings, columns: Int? = nil) throws(CommandExit) -> ServeCommand {
        do {
            let command = try parseAsRoot([ServeCommand.configuration.commandName ?? "serve"] + settings.arguments)
            guard let serve = command as? ServeCommand else { throw ExitCode.failure }
            return serve
        } catch {
            var exit = CommandExit(error, columns: columns)
            // The message may be about an option that nobody has typed.
            if exit.status == ExitStatus.usage, let option = exit.errors.firstMatch(of: /--([a-z0-9-]+)/),
                let value = settings.values.first(where: { $0.option.name == option.1 }), !value.source.hasPrefix("--")
            {
                exit.errors += "--\(value.option.name) is set in \(value.source).\n"
            }
            throw exit
        }
    }
}
