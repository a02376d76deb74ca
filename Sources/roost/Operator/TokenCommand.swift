import ArgumentParser
import RoostServer
import RoostWire

/// Creates a signed token, or a one-time code, for a user.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create a token, or a one-time code, for a user to log in with.",
        discussion: """
            The token is signed with the secret in the data folder, which the server creates on its \
            first start; the server may be running. Give the token to the user's app: anyone who \
            holds the token can act as that user until it expires.

            A one-time code can be exchanged once for a token that is valid for a day: by the page, by \
            ChatClient.logIn(to:code:), or by POST /v1/account.logIn with {"code":"…"}. It is for links, \
            which stay in histories and logs: a page that is opened with one asks before it signs in.

              roost token --data ./roost-data --user ann --name Ann --ttl 12h
              roost token --data ./roost-data --user ann --code --link https://chat.example.com
            """)

    @Option(help: "The server's data folder.")
    var data: String

    @Option(help: "The user's id: 1 to 64 of A-Z a-z 0-9 _ . @ -")
    var user: String

    @Option(help: "The display name; the user id if omitted.")
    var name: String?

    @Option(
        help: """
            The lifetime, such as 90s, 30m, 1h or 7d. Of a token: 1h if omitted, at most 365d. Of a code: 1m if omitted, at \
            most 10m.
            """)
    var ttl: String?

    @Flag(help: "Print a one-time code in place of a token.")
    var code = false

    @Option(
        help: ArgumentHelp(
            "With --code: print a link to the page at this address, with the code.", valueName: "address"))
    var link: String?

    @Flag(
        name: .customLong("operator"),
        help: "Make the user an operator, who may create open channels, announce, publish news and broadcast.")
    var isOperator = false

    func validate() throws { _ = try claims() }

    private func claims() throws -> (userID: UserID, use: TokenUse, seconds: Int64) {
        guard let userID = UserID(rawValue: user) else {
            throw ValidationError("\"\(user)\" is not a user id. Use 1 to 64 of A-Z a-z 0-9 _ . @ -")
        }
        let use = code ? TokenUse.code : .user
        let ttl = ttl ?? (code ? "1m" : "1h")
        guard let seconds = Self.seconds(ttl) else {
            throw ValidationError("\"\(ttl)\" is not a duration. Use, for example, 90s, 30m, 1h or 7d.")
        }
        guard !code || seconds <= use.maximumLife else {
            throw ValidationError("A code is valid for at most 10m. Use a shorter --ttl.")
        }
        if let link {
            guard code else { throw ValidationError("A link has a code. Add --code.") }
            guard link.hasPrefix("http://") || link.hasPrefix("https://"),
                !link.contains(where: { $0.isWhitespace || $0 == "#" || $0 == "?" })
            else {
                throw ValidationError(
                    "\"\(link)\" is not the address of a page. Use, for example, https://chat.example.com.")
            }
        }
        return (userID, use, seconds)
    }

    func run() async throws {
        let (userID, use, seconds) = try claims()
        do {
            let issuer = try await TokenIssuer(secret: Secret.load(fromDirectory: data))
            let text = try await issuer.issue(
                userID: userID, name: name, imageURL: nil, isOperator: isOperator, ttl: seconds, now: Clock.now(),
                use: use)
            Terminal.printLine(link.map { "\($0)\($0.hasSuffix("/") ? "" : "/")#code=\(text)" } ?? text)
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
