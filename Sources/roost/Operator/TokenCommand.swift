import ArgumentParser
import RoostServer
import RoostWire

/// Creates a signed token for a user.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create a token for a user to log in with.",
        discussion: """
            The token is signed with the secret in the data folder, which the server creates on its \
            first start; the server may be running. Give the token to the user's app: anyone who \
            holds the token can act as that user until it expires.

              roost token --data ./roost-data --user ann --name Ann --ttl 12h
            """)

    @Option(help: "The server's data folder.")
    var data: String

    @Option(help: "The user's id: 1 to 64 of A-Z a-z 0-9 _ . @ -")
    var user: String

    @Option(help: "The display name; the user id if omitted.")
    var name: String?

    @Option(help: "The lifetime of the token: 90s, 30m, 1h, 7d (at most 365d).")
    var ttl: String = "1h"

    @Flag(
        name: .customLong("operator"),
        help: "Make the user an operator, who may create open channels, announce, publish news and broadcast.")
    var isOperator = false

    func validate() throws { _ = try claims() }

    private func claims() throws -> (userID: UserID, seconds: Int64) {
        guard let userID = UserID(rawValue: user) else {
            throw ValidationError("\"\(user)\" is not a user id. Use 1 to 64 of A-Z a-z 0-9 _ . @ -")
        }
        guard let seconds = Self.seconds(ttl) else {
            throw ValidationError("\"\(ttl)\" is not a duration. Use, for example, 90s, 30m, 1h or 7d.")
        }
        return (userID, seconds)
    }

    func run() async throws {
        let (userID, seconds) = try claims()
        do {
            let issuer = try await TokenIssuer(secret: Secret.load(fromDirectory: data))
            Terminal.printLine(
                try await issuer.issue(
                    userID: userID, name: name, imageURL: nil, isOperator: isOperator, ttl: seconds,
                    now: Clock.now()))
        } catch let error as SecretError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as WireError {
            Terminal.printError(error.message)
            throw ExitCode(ExitStatus.refused)
        }
    }

    /// Parses a duration such as `90s`, `30m`, `1h` or `7d` into seconds.
    static func seconds(_ text: String) -> Int64? {
        guard let unit = text.last, let number = Int64(text.dropLast()), number > 0 else { return nil }
        let factor: Int64? =
            switch unit {
            case "s": 1
            case "m": 60
            case "h": 3_600
            case "d": 86_400
            default: nil
            }
        guard let factor else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : seconds
    }
}
