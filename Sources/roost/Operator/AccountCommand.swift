import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// The commands for accounts with a login name and a password.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Register accounts, make one, log in with a password, look up users.",
        discussion: """
            Passwords are read from a file, or from standard input if the file is "-".

              roost account register --token OPERATOR-TOKEN ann --password-file ann.txt --phone +491701234567
              TOKEN=$(roost account log-in ann --password-file ann.txt)
              roost account find --token "$TOKEN" --phone +491701234567
            """,
        subcommands: [
            Register.self, SignUpWithPassword.self, LogInWithPassword.self, Check.self, Show.self, Find.self,
            Change.self,
        ])

    struct Register: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "register", abstract: "Register an account; for operators.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption
        @OptionGroup var password: PasswordOption

        @Argument(help: "The login name: 1 to 64 of A-Z a-z 0-9 _ . @ + -, or a phone number.")
        var login: String

        @Option(help: ArgumentHelp("The user id; the server makes one if omitted.", valueName: "user"))
        var userID: UserID?

        @Option(help: "The display name; the login name if omitted.")
        var displayName: String?

        @Option(help: "The phone number in international form, such as +491701234567.")
        var phone: String?

        @Option(help: "The e-mail address.")
        var email: String?

        @Option(name: .customLong("corp"), help: "The organisation that the user belongs to.")
        var corpID: String?

        func run(_ client: ChatClient) async throws {
            let account = NewAccount(
                loginName: login, password: try password.read(), userID: userID, name: displayName, phone: phone,
                email: email, corpID: corpID)
            let answer = try await client.perform(RegisterAccounts(accounts: [account]), under: key.transID)
            guard let result = answer.results.first else { return }
            if let error = result.error { throw RoostError(wire: error) }
            try options.show(result, "registered \(result.loginName) as \(result.userID?.rawValue ?? "")")
        }
    }

    struct SignUpWithPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-up",
            abstract: "Make an account for myself, and print a token that is valid for a day.",
            discussion:
                "For servers that allow it: roost serve --allow-sign-up. With the same password it can be repeated.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var password: PasswordOption

        @Argument(help: "The login name: letters and digits, and . - _ but no @ or +.")
        var login: String

        @Option(help: "The display name; the login name if omitted.")
        var displayName: String?

        func run() async throws {
            try await options.run {
                let answer = try await ChatClient.signUp(
                    to: options.address, loginName: login, password: try password.read(), name: displayName)
                try options.show(answer, answer.token)
            }
        }
    }

    struct LogInWithPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log-in", abstract: "Log in with a password, and print a token that is valid for a day.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var password: PasswordOption

        @Argument(help: "The login name or the user id.")
        var login: String

        func run() async throws {
            try await options.run {
                let answer = try await ChatClient.logIn(
                    to: options.address, loginName: login, password: try password.read())
                try options.show(answer, answer.token)
            }
        }
    }

    struct Check: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the password of an account; for operators.",
            discussion: "Says what is wrong: 601 for the password, 602 for the login name.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var password: PasswordOption

        @Argument(help: "The login name or the user id.")
        var login: String

        @Option(help: "The IP address of the person who logs in; wrong passwords then count for its network.")
        var address: String?

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                Authenticate(loginName: login, password: try password.read(), address: address))
            try options.show(answer, "\(answer.loginName) is \(answer.userID)")
        }
    }

    struct Show: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print my account, or for operators that of another user.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "The user; I if omitted.")
        var user: UserID?

        func run(_ client: ChatClient) async throws {
            let account = try await client.perform(GetAccount(userID: user))
            let facts = [
                account.loginName.map { "login \($0)" }, account.phone, account.email, account.corpID,
                account.canChat ? nil : "banned", account.canCall ? nil : "may not call",
            ].compactMap(\.self)
            try options.show(account, ([account.userID.rawValue] + facts).joined(separator: "  "))
        }
    }

    struct Find: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "find",
            abstract: "Look up users by id, login name or phone number; unknown ones are left out.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "User ids.")
        var users: [UserID] = []

        @Option(help: "A login name. Repeatable.")
        var login: [String] = []

        @Option(help: "A phone number in international form. Repeatable.")
        var phone: [String] = []

        func validate() throws {
            guard !users.isEmpty || !login.isEmpty || !phone.isEmpty else {
                throw ValidationError("Give users, --login or --phone.")
            }
        }

        func run(_ client: ChatClient) async throws {
            for user in try await client.findUsers(users, loginNames: login, phones: phone) {
                let facts = [
                    user.loginName, user.phone, user.email, user.corpID.isEmpty ? nil : user.corpID,
                    user.canChat ? nil : "banned",
                ].compactMap(\.self)
                try options.show(user, ([user.userID.rawValue, user.name] + facts).joined(separator: "  "))
            }
        }
    }

    struct Change: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a password, or for operators a phone number or an e-mail address.",
            discussion: "A new password logs out all devices of the user.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user; I if omitted.")
        var user: UserID?

        @Option(help: ArgumentHelp("A file with the new password.", valueName: "path"))
        var passwordFile: String?

        @Option(help: ArgumentHelp("A file with my password up to now.", valueName: "path"))
        var oldPasswordFile: String?

        @Option(help: "The phone number in international form; empty to remove it.")
        var phone: String?

        @Option(help: "The e-mail address; empty to remove it.")
        var email: String?

        @Option(name: .customLong("corp"), help: "The organisation that the user belongs to; empty to remove it.")
        var corpID: String?

        func validate() throws {
            guard passwordFile != nil || phone != nil || email != nil || corpID != nil else {
                throw ValidationError("Give --password-file, --phone, --email or --corp.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let command = SetAccount(
                userID: user, password: try passwordFile.map(PasswordOption.read),
                oldPassword: try oldPasswordFile.map(PasswordOption.read), phone: phone, email: email,
                corpID: corpID)
            try options.show(try await client.perform(command, under: key.transID), done: "changed")
        }
    }
}

/// The option for a password, which other users of the machine must not see in the command line.
struct PasswordOption: ParsableArguments {
    @Option(help: ArgumentHelp("A file with the password; - for standard input.", valueName: "path"))
    var passwordFile: String

    func read() throws -> String { try Self.read(passwordFile) }

    /// The first line of a file.
    static func read(_ path: String) throws -> String {
        guard path != "-" else { return readLine() ?? "" }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("The password cannot be read from \(path).")
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    }
}
