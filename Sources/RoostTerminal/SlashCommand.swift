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

    /// The reason why a line is not a valid command, in a human-readable sentence.
    package struct UsageError: Error, Hashable {
        package let message: String
    }

    /// A command as shown in the help.
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let arguments: String
        package let meaning: String
    }

    /// All commands, in the order of the help.
    package static let entries = [
        Entry(name: "/open", arguments: "USER", meaning: "go to the 1-on-1 with a user"),
        Entry(name: "/join", arguments: "CHANNEL", meaning: "go to an open channel, or to one of mine"),
        Entry(name: "/group", arguments: "TITLE USER…", meaning: "create a group with these users"),
        Entry(name: "/invite", arguments: "USER…", meaning: "add these users to the group"),
        Entry(name: "/leave", arguments: "", meaning: "leave the group or the open channel"),
        Entry(name: "/who", arguments: "", meaning: "list the members and how far they have read"),
        Entry(name: "/react", arguments: "EMOJI", meaning: "react to the last message, or to the one I reply to"),
        Entry(name: "/pin", arguments: "", meaning: "pin or unpin the last message, or the one I reply to"),
        Entry(name: "/pins", arguments: "[NUMBER]", meaning: "list the pinned messages, or go to one of them"),
        Entry(name: "/retry", arguments: "", meaning: "resend a failed message"),
        Entry(name: "/edit", arguments: "", meaning: "move a failed message back into the field"),
        Entry(name: "/discard", arguments: "", meaning: "discard a failed message"),
        Entry(name: "/newest", arguments: "", meaning: "go to the newest message"),
        Entry(name: "/list", arguments: "", meaning: "show or hide the list of conversations"),
        Entry(name: "/help", arguments: "", meaning: "show this"),
        Entry(name: "/quit", arguments: "", meaning: "quit"),
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
            guard !rest.isEmpty else { throw UsageError(message: "Usage: /join CHANNEL") }
            self = .join(rest.joined(separator: " "))
        case "/open", "/dm":
            guard rest.count == 1, let word = rest.first else { throw UsageError(message: "Usage: /open USER") }
            self = .open(try Self.user(word))
        case "/group":
            guard rest.count >= 2 else { throw UsageError(message: "Usage: /group TITLE USER USER…") }
            self = .group(title: rest[0], members: try Self.users(rest.dropFirst()))
        case "/invite":
            guard !rest.isEmpty else { throw UsageError(message: "Usage: /invite USER USER…") }
            self = .invite(try Self.users(rest))
        case "/react":
            guard rest.count == 1 else { throw UsageError(message: "Usage: /react EMOJI") }
            do { try ReactionRules.check(rest[0]) } catch { throw UsageError(message: error.message) }
            self = .react(rest[0])
        case "/pins":
            guard let word = rest.first else {
                self = .pins(nil)
                return
            }
            guard rest.count == 1, let number = Int(word), number > 0 else {
                throw UsageError(message: "Usage: /pins [NUMBER]")
            }
            self = .pins(number)
        default:
            throw UsageError(
                message:
                    "There is no command \(name). /help lists all commands; to send a text that starts with /, type //."
            )
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
            throw UsageError(message: "\"\(word)\" is not a user id. Use 1 to 64 of A-Z a-z 0-9 _ . @ -")
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
