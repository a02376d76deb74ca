package import RoostClient
package import RoostWire

/// A command typed into the field of a conversation, as a line that starts with `/`.
package enum SlashCommand: Hashable, Sendable {
    case help
    case list
    case who
    case join(String)
    case open(UserID)
    case group(title: String, members: [UserID])
    case invite([UserID])
    case leave
    case react(String)
    case pin
    case pins(Int?)
    case retry, edit, discard
    case newest
    case quit

    /// The reason why a line is not a valid command.
    package enum UsageError: Error, Hashable {
        /// The command takes other arguments.
        case usage(String)
        case unknownCommand(String)
        case notUser(String)
        case reaction(String)

        /// The reason in a human-readable sentence.
        package func message(in words: Words<TerminalText>) -> String {
            switch self {
            case .usage(let usage): words(.usage, ["usage": .text(usage)])
            case .unknownCommand(let name): words(.unknownCommand, ["name": .text(name)])
            case .notUser(let text): words(.notUser, ["text": .text(text)])
            case .reaction(let message): message
            }
        }
    }

    /// A command as shown in the help.
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let arguments: String
        package let meaning: TerminalText

        /// The command with its arguments.
        package var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }
    }

    /// All commands, in the order of the help.
    package static let entries = [
        Entry(name: "/open", arguments: "USER", meaning: .openCommand),
        Entry(name: "/join", arguments: "CHANNEL", meaning: .joinCommand),
        Entry(name: "/group", arguments: "TITLE USER…", meaning: .groupCommand),
        Entry(name: "/invite", arguments: "USER…", meaning: .inviteCommand),
        Entry(name: "/leave", arguments: "", meaning: .leaveCommand),
        Entry(name: "/who", arguments: "", meaning: .whoCommand),
        Entry(name: "/react", arguments: "EMOJI", meaning: .reactCommand),
        Entry(name: "/pin", arguments: "", meaning: .pinCommand),
        Entry(name: "/pins", arguments: "[NUMBER]", meaning: .pinsCommand),
        Entry(name: "/retry", arguments: "", meaning: .retryCommand),
        Entry(name: "/edit", arguments: "", meaning: .editCommand),
        Entry(name: "/discard", arguments: "", meaning: .discardCommand),
        Entry(name: "/newest", arguments: "", meaning: .newestCommand),
        Entry(name: "/list", arguments: "", meaning: .listCommand),
        Entry(name: "/help", arguments: "", meaning: .helpCommand),
        Entry(name: "/quit", arguments: "", meaning: .quitCommand),
    ]

    /// Whether a text is a command: it starts with a single `/`.
    package static func isCommand(_ text: String) -> Bool { text.hasPrefix("/") && !text.hasPrefix("//") }

    /// The message for a text that is not a command: `//` at its start becomes `/`.
    package static func message(_ text: String) -> String { text.hasPrefix("//") ? String(text.dropFirst()) : text }

    /// Parses a command.
    package init(_ line: String) throws(UsageError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let name = words.first ?? ""
        let rest = Array(words.dropFirst())
        switch name {
        case "/help", "/h", "/?": self = .help
        case "/list": self = .list
        case "/who": self = .who
        case "/leave": self = .leave
        case "/pin": self = .pin
        case "/retry": self = .retry
        case "/edit": self = .edit
        case "/discard": self = .discard
        case "/newest": self = .newest
        case "/quit", "/q", "/exit": self = .quit
        case "/join":
            guard !rest.isEmpty else { throw .usage("/join CHANNEL") }
            self = .join(rest.joined(separator: " "))
        case "/open", "/dm":
            guard rest.count == 1, let word = rest.first else { throw .usage("/open USER") }
            self = .open(try Self.user(word))
        case "/group":
            guard rest.count >= 2 else { throw .usage("/group TITLE USER USER…") }
            self = .group(title: rest[0], members: try Self.users(rest.dropFirst()))
        case "/invite":
            guard !rest.isEmpty else { throw .usage("/invite USER USER…") }
            self = .invite(try Self.users(rest))
        case "/react":
            guard rest.count == 1 else { throw .usage("/react EMOJI") }
            do { try ReactionRules.check(rest[0]) } catch { throw .reaction(error.message) }
            self = .react(rest[0])
        case "/pins":
            guard let word = rest.first else {
                self = .pins(nil)
                return
            }
            guard rest.count == 1, let number = Int(word), number > 0 else {
                throw .usage("/pins [NUMBER]")
            }
            self = .pins(number)
        default:
            throw .unknownCommand(name)
        }
    }

    private static func users(_ words: some Sequence<String>) throws(UsageError) -> [UserID] {
        var users: [UserID] = []
        for word in words { users.append(try user(word)) }
        return users
    }

    private static func user(_ word: String) throws(UsageError) -> UserID {
        let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
        guard let user = UserID(rawValue: name) else {
            throw .notUser(word)
        }
        return user
    }
}

/// The completion of the word before the cursor.
package struct Completion: Hashable, Sendable {
    /// The candidates.
    package let candidates: [String]
    /// The start of the word, in characters.
    package let start: Int

    /// Finds the completions at the end of a command line: commands, users or channels.
    package init(_ line: String, users: [String], channels: [String]) {
        let head = line.lastIndex(where: \.isWhitespace)
        let word = head.map { String(line[line.index(after: $0)...]) } ?? line
        start = line.count - word.count
        let command = line.prefix { !$0.isWhitespace }
        let choices: [String]
        switch (head, command) {
        case (nil, _): choices = SlashCommand.entries.map(\.name)
        case (_, "/open"), (_, "/dm"), (_, "/invite"): choices = users
        // The first word is the title.
        case (_, "/group") where line.filter(\.isWhitespace).count > 1: choices = users
        case (_, "/join"): choices = channels
        default: choices = []
        }
        let prefix = word.lowercased()
        candidates = Array(Set(choices.filter { $0.lowercased().hasPrefix(prefix) })).sorted()
    }

    /// The common prefix of all candidates.
    package var common: String {
        guard var common = candidates.first else { return "" }
        for candidate in candidates.dropFirst() {
            while !candidate.lowercased().hasPrefix(common.lowercased()) { common.removeLast() }
        }
        return common
    }
}
