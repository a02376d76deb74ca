package import RoostWire

/// What one can order in the field of a conversation, by a line that begins with `/`.
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
    case retry, edit, discard
    case newest
    case quit

    /// Why a line is no command, in a sentence for people.
    package struct UsageError: Error, Hashable {
        package let message: String
    }

    /// A command as the help shows it.
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let arguments: String
        package let meaning: String
    }

    /// All commands, in the order of the help.
    package static let entries = [
        Entry(name: "/open", arguments: "USER", meaning: "go to the 1-on-1 with a user"),
        Entry(name: "/join", arguments: "CHANNEL", meaning: "go to an open channel, or to one of mine"),
        Entry(name: "/group", arguments: "TITLE USER…", meaning: "make a group with these users"),
        Entry(name: "/invite", arguments: "USER…", meaning: "take these users into the group"),
        Entry(name: "/leave", arguments: "", meaning: "leave the group or the open channel"),
        Entry(name: "/who", arguments: "", meaning: "who is here, and how far they have read"),
        Entry(name: "/react", arguments: "EMOJI", meaning: "react to the last message, or to the one I answer"),
        Entry(name: "/retry", arguments: "", meaning: "send a message that failed again"),
        Entry(name: "/edit", arguments: "", meaning: "take a message that failed back into the field"),
        Entry(name: "/discard", arguments: "", meaning: "throw a message that failed away"),
        Entry(name: "/newest", arguments: "", meaning: "go to the newest message"),
        Entry(name: "/list", arguments: "", meaning: "show or hide the list of conversations"),
        Entry(name: "/help", arguments: "", meaning: "show this"),
        Entry(name: "/quit", arguments: "", meaning: "leave the program"),
    ]

    /// Whether a text is meant as a command: it begins with one `/`.
    package static func isCommand(_ text: String) -> Bool { text.hasPrefix("/") && !text.hasPrefix("//") }

    /// What is sent of a text that is no command: of two `/` at its start, one.
    package static func message(_ text: String) -> String { text.hasPrefix("//") ? String(text.dropFirst()) : text }

    /// Reads a command.
    package init(_ line: String) throws(UsageError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let name = words.first ?? ""
        let rest = Array(words.dropFirst())
        switch name {
        case "/help", "/h", "/?": self = .help
        case "/list": self = .list
        case "/who": self = .who
        case "/leave": self = .leave
        case "/retry": self = .retry
        case "/edit": self = .edit
        case "/discard": self = .discard
        case "/newest": self = .newest
        case "/quit", "/q", "/exit": self = .quit
        case "/join":
            guard !rest.isEmpty else { throw UsageError(message: "Write it as: /join CHANNEL") }
            self = .join(rest.joined(separator: " "))
        case "/open", "/dm":
            guard rest.count == 1, let word = rest.first else { throw UsageError(message: "Write it as: /open USER") }
            self = .open(try Self.user(word))
        case "/group":
            guard rest.count >= 2 else { throw UsageError(message: "Write it as: /group TITLE USER USER…") }
            self = .group(title: rest[0], members: try Self.users(rest.dropFirst()))
        case "/invite":
            guard !rest.isEmpty else { throw UsageError(message: "Write it as: /invite USER USER…") }
            self = .invite(try Self.users(rest))
        case "/react":
            guard rest.count == 1 else { throw UsageError(message: "Write it as: /react EMOJI") }
            do { try ReactionRules.check(rest[0]) } catch { throw UsageError(message: error.message) }
            self = .react(rest[0])
        default:
            throw UsageError(
                message: "There is no command \(name). /help lists them; // sends a text that begins with /.")
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
            throw UsageError(message: "\"\(word)\" is no user id. Use 1 to 64 of A-Z a-z 0-9 _ . @ -")
        }
        return user
    }
}

/// What the tab key makes of the word in front of the cursor. Pure.
package struct Completion: Hashable, Sendable {
    /// What there is to choose from.
    package let candidates: [String]
    /// Where the word begins, in characters.
    package let start: Int

    /// Finds what fits the end of a command line: names of commands, users, or channels.
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

    /// What all candidates begin with.
    package var common: String {
        guard var common = candidates.first else { return "" }
        for candidate in candidates.dropFirst() {
            while !candidate.lowercased().hasPrefix(common.lowercased()) { common.removeLast() }
        }
        return common
    }
}
