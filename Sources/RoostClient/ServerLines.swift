public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A line of the server in a conversation: who came, left, has another role, or changed a setting.
///
/// ```swift
/// for try await case .event(let event, _) in channel.events(after: 0) {
///     if let line = ServerLine(event) { print("— \(line.text)") }
/// }
/// ```
///
/// It is nothing but a view of an event. An app that speaks another language
/// makes its own words from ``category`` and the event's body.
public struct ServerLine: Hashable, Sendable {
    /// What happened, in English, without a full stop. It may hold what users wrote: names and titles.
    public let text: String
    /// The name of its type in the registry of message types, as `memberLeft`; of the end of a vote `vote.closed`.
    public let category: String
    /// When the server accepted it; nil when it does not say.
    public let sentAt: Date?

    /// The line that an event stands for; nil for messages, announcements, recalls, the user's own affairs and all that is ephemeral.
    public init?(_ event: Event) {
        let sender = event.senderID?.rawValue ?? "the server"
        guard let category = Self.category(of: event.body), let text = Self.text(of: event.body, sender: sender) else {
            return nil
        }
        self.text = text
        self.category = category
        sentAt = event.sentAt
    }

    /// The name of the type of a line. The end of a vote has none in the registry: the name of its event stands for it.
    private static func category(of body: EventBody) -> String? {
        if case .channel(.voteClosed) = body { return body.name }
        return body.messageType?.name
    }

    /// The words of a line; nil for what is none.
    package static func text(of body: EventBody, sender: String) -> String? {
        switch body {
        case .user(.channelJoined(let body)) where body.reason == .created:
            "\(sender) made \(body.title ?? body.channel.rawValue)"
        case .channel(.newsCreated(let body)): "\(body.title) begins"
        case .user(.channelDismissed(let body)): "\(body.byName) dismissed \(body.channel)"
        case .channel(.memberInvited(let body)):
            [
                body.members.isEmpty ? nil : "\(names(body.members)) joined (\(members(body.memberCount)))",
                body.invited.map { "\(sender) invited \(names($0))" },
            ].compactMap(\.self).joined(separator: ", ")
        case .channel(.memberJoined(let body)):
            "\(body.member.name) \(body.isAnswer ? "accepted" : "joined") (\(members(body.memberCount)))"
        case .channel(.memberLeft(let body)):
            "\(body.name) left (\(members(body.memberCount)))" + (body.successor.map { ", \($0) is admin now" } ?? "")
        case .channel(.memberKicked(let body)):
            "\(sender) removed \(names(body.members)) (\(members(body.memberCount)))"
        case .channel(.memberBanned(let body)):
            "\(sender) banned \(names(body.members)) (\(members(body.memberCount)))"
        case .channel(.memberRoleChanged(let body)):
            body.members.map { member in
                member.role == .none
                    ? "\(member.name) is not banned or invited any more"
                    : "\(member.name) is \(member.role.rawValue) now"
            }.joined(separator: ", ")
        case .channel(.memberProfileChanged(let body)): "\(body.member.userID) is shown as \(body.member.name) now"
        case .channel(.channelProfileChanged(let body)): "\(sender) changed \(body.profile.line)"
        case .channel(.voteClosed(let body)):
            (body.byName.map { "\($0) closed a vote" } ?? "A vote is over") + ": \(body.tally.line)"
        default: nil
        }
    }

    private static func names(_ users: [User]) -> String { users.map(\.name).joined(separator: ", ") }

    private static func members(_ count: Int) -> String { "\(count) member\(count == 1 ? "" : "s")" }
}

extension ChannelKind {
    /// How many people are in a channel of this kind, for people.
    package func people(_ count: Int) -> String {
        if self == .open { return "\(count) here" }
        return "\(count) \(isNews ? "subscriber" : "member")\(count == 1 ? "" : "s")"
    }
}

extension MessageContent {
    /// What an option of a vote is, for people.
    package var line: String {
        let place = location.map { $0.address ?? "\($0.latitude), \($0.longitude)" }
        let about = type == MessageType.text.name ? nil : "[\(type)]"
        return [about, file?.name, place, text.isEmpty ? nil : text].compactMap(\.self).joined(separator: " ")
    }
}

extension CallNotice {
    /// What happened in a call, for people.
    package var line: String {
        let length = durationMs.map { "\($0 / 60_000) min \($0 / 1_000 % 60) s" }
        return ([kind.rawValue, result?.rawValue, length].compactMap(\.self)).joined(separator: ", ")
    }
}

extension VoteState {
    /// The places of options as people count them.
    package static func places(_ options: [Int]) -> String {
        options.map { "\($0.addingReportingOverflow(1).partialValue)" }.joined(separator: ", ")
    }
}

extension VoteTally {
    /// The numbers, for people.
    package var line: String {
        let each = counts.map { counts in
            counts.enumerated().map { "option \($0 + 1): \($1)" }.joined(separator: ", ") + " (of "
        }
        return (each ?? "(") + "\(voters) voter\(voters == 1 ? "" : "s"))"
    }
}

extension ChannelProfile {
    /// The settings that are in it, for people.
    package var line: String {
        let parts = [
            title.map { $0.isEmpty ? "no title" : "title \"\($0)\"" },
            customAttributes.map { "custom attributes \($0)" },
            avatar.map { $0.isEmpty ? "no picture" : "picture \($0)" },
            background.map { $0.isEmpty ? "no background" : "background \($0)" },
            canJoin.map { $0 ? "anybody may join" : "nobody may join uninvited" },
            editors.map { "\($0.rawValue) edit" },
            history.map { "newcomers read \($0.rawValue)\(historyRows.map { " \($0)" } ?? "")" },
            minMembers.map { "at least \($0) members" }, maxMembers.map { "at most \($0) members" },
            moderatorsMayRecall.map { $0 ? "moderators may recall" : "moderators may not recall" },
            noticesForwards.map { $0 ? "forwards are noticed" : "forwards are not noticed" },
        ]
        let said = parts.compactMap(\.self)
        return said.isEmpty ? "nothing" : said.joined(separator: ", ")
    }
}
