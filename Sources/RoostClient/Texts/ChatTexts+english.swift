import RoostWire

extension ChatTexts {
    /// English.
    public static let english = ChatTexts(
        server: "the server", preview: { English.preview($0) }, line: { English.line($0) },
        setting: { English.setting($0) }, tally: { English.tally($0) }, list: { $0.joined(separator: ", ") },
        typing: { typingLine($0, separator: ", ") },
        recalled: { $0.map { "\($0) recalled this message" } ?? "You recalled this message" },
        groupTitle: { "Group(\($0))" }, startMessaging: { "Start messaging with \($0)" }, cancel: "Cancel",
        charactersLeft: { $0 == 1 ? "1 character left" : "\($0) characters left" },
        notSent: "The message was not sent. Try again.", someFailed: { "\($0) of \($1) failed." })

    /// At most two names, then how many more.
    static func typingLine(_ names: [String], separator: String) -> String {
        let shown = names.prefix(2).joined(separator: separator)
        return names.count > 2 ? "\(shown) +\(names.count - 2)" : shown
    }
}

private enum English {
    static func preview(_ preview: ChatTexts.Preview) -> String {
        switch preview {
        case .sticker: "Sticker"
        case .picture: "Picture"
        case .film: "Video"
        case .voiceMessage: "Voice message"
        case .contact: "Contact"
        case .file: "File"
        case .place: "Place"
        case .call: "Call"
        case .screenshot: "Took a screenshot"
        case .copy: "Copied a message"
        case .forward: "Forwarded messages"
        case .save: "Saved a message"
        case .recalled: "Message recalled"
        case .message: "Message"
        }
    }

    static func line(_ line: ChatTexts.Line) -> String {
        switch line {
        case .created(let name, let title): "\(name) created \(title)"
        case .newsBegins(let title): "\(title) begins"
        case .dismissed(let name, let channel): "\(name) dismissed \(channel)"
        case .joined(let names, let count): "\(list(names)) joined (\(members(count)))"
        case .invited(let name, let names): "\(name) invited \(list(names))"
        case .accepted(let name, let count): "\(name) accepted the invitation (\(members(count)))"
        case .left(let name, let count, let successor):
            "\(name) left (\(members(count)))" + (successor.map { ", \($0) is admin now" } ?? "")
        case .removed(let name, let names, let count): "\(name) removed \(list(names)) (\(members(count)))"
        case .banned(let name, let names, let count): "\(name) banned \(list(names)) (\(members(count)))"
        case .role(let name, let role): self.role(name, role)
        case .renamed(let user, let name): "\(user) is shown as \(name) now"
        case .settings(let name, let settings):
            settings.isEmpty
                ? "\(name) changed nothing" : "\(name) changed the settings: \(list(settings.map(setting)))"
        case .voteClosed(let name, let numbers):
            (name.map { "\($0) closed a vote" } ?? "A vote is over") + ": \(tally(numbers))"
        case .pinned(let name): "\(name) pinned a message"
        }
    }

    private static func role(_ name: String, _ role: Role) -> String {
        switch role {
        case .none: "\(name) is not banned or invited any more"
        case .outcast: "\(name) is banned now"
        case .invited: "\(name) is invited now"
        case .participant: "\(name) is a participant now"
        case .moderator: "\(name) is a moderator now"
        case .admin: "\(name) is an admin now"
        }
    }

    static func setting(_ setting: ChatTexts.Setting) -> String {
        switch setting {
        case .title(let title): title.isEmpty ? "no title" : "title \"\(title)\""
        case .customAttributes(let bits): "custom attributes \(bits)"
        case .picture(let url): url.isEmpty ? "no picture" : "picture \(url)"
        case .background(let url): url.isEmpty ? "no background" : "background \(url)"
        case .canJoin(let isAllowed): isAllowed ? "anybody may join" : "nobody may join uninvited"
        case .editors(.participants): "all members may edit"
        case .editors(.moderators): "only moderators may edit"
        case .history(.all, _): "new members see the whole history"
        case .history(.sinceJoin, _): "new members see messages from when they joined"
        case .history(.last, let rows):
            switch rows {
            case nil: "new members see the last entries"
            case 1: "new members see the last entry"
            case let rows?: "new members see the last \(rows) entries"
            }
        case .minMembers(let count): "at least \(members(count))"
        case .maxMembers(let count): "at most \(members(count))"
        case .moderatorsMayRecall(let isAllowed):
            isAllowed ? "moderators may recall messages" : "moderators may not recall messages"
        case .noticesForwards(let isTold): isTold ? "forwards are noticed" : "forwards are not noticed"
        case .pinners(.participants): "all members may pin messages"
        case .pinners(.moderators): "only moderators and admins may pin messages"
        }
    }

    static func tally(_ tally: VoteTally) -> String {
        let each = tally.counts.map { counts in
            list(counts.enumerated().map { "option \($0 + 1): \($1)" }) + " (of "
        }
        return (each ?? "(") + "\(tally.voters) voter\(tally.voters == 1 ? "" : "s"))"
    }

    static func members(_ count: Int) -> String { "\(count) member\(count == 1 ? "" : "s")" }

    static func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
