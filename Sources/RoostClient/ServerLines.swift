public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A system line of a conversation: who joined, left, has another role, or changed a setting.
///
/// ```swift
/// for try await case .event(let event, _) in channel.events(after: 0) {
///     if let line = ServerLine(event) { print("— \(line.text)") }
/// }
/// ```
///
/// It is only a view of an event, with the words of ``ChatTexts``.
public struct ServerLine: Hashable, Sendable {
    /// What happened, without a full stop. It may contain what users wrote: names and titles.
    public let text: String
    /// The name of its message type, such as `memberLeft`; `vote.closed` for the end of a vote, `pin.added` for a pin.
    public let category: String
    /// When the server accepted the event; nil if the event has no time.
    public let sentAt: Date?

    /// Creates the line of an event; nil for messages, announcements, recalls, rows of the user's log and ephemeral
    /// events.
    public init?(_ event: Event, texts: ChatTexts = .english) {
        let sender = event.senderID?.rawValue ?? texts.server
        guard let category = Self.category(of: event.body),
            let text = Self.text(of: event.body, sender: sender, texts: texts)
        else { return nil }
        self.text = text
        self.category = category
        sentAt = event.sentAt
    }

    /// The type of a line. The end of a vote and a pin have no message type: the event's name is used instead.
    private static func category(of body: EventBody) -> String? {
        switch body {
        case .channel(.voteClosed), .channel(.pinAdded): body.name
        default: body.messageType?.name
        }
    }

    /// The text of a line; nil if the event has none.
    package static func text(of body: EventBody, sender: String, texts: ChatTexts = .english) -> String? {
        lines(of: body, sender: sender).map { texts.list($0.map(texts.line)) }
    }

    private static func lines(of body: EventBody, sender: String) -> [ChatTexts.Line]? {
        switch body {
        case .user(.channelJoined(let body)) where body.reason == .created:
            [.created(by: sender, title: body.title.flatMap { $0.isEmpty ? nil : $0 } ?? body.channel.rawValue)]
        case .channel(.newsCreated(let body)): [.newsBegins(title: body.title)]
        case .user(.channelDismissed(let body)): [.dismissed(by: body.byName)]
        case .channel(.memberInvited(let body)):
            [
                body.members.isEmpty ? nil : .joined(body.members.map(\.name), members: body.memberCount),
                body.invited.map { .invited(by: sender, $0.map(\.name)) },
            ].compactMap(\.self)
        case .channel(.memberJoined(let body)):
            [
                body.isAnswer
                    ? .accepted(body.member.name, members: body.memberCount)
                    : .joined([body.member.name], members: body.memberCount)
            ]
        case .channel(.memberLeft(let body)):
            [.left(body.name, members: body.memberCount, successor: body.successor?.rawValue)]
        case .channel(.memberKicked(let body)):
            [.removed(by: sender, body.members.map(\.name), members: body.memberCount)]
        case .channel(.memberBanned(let body)):
            [.banned(by: sender, body.members.map(\.name), members: body.memberCount)]
        case .channel(.memberRoleChanged(let body)): body.members.map { .role($0.name, $0.role) }
        case .channel(.memberProfileChanged(let body)):
            if body.hasNickname {
                [.renamed(body.member.userID.rawValue, name: body.member.name)]
            } else {
                [body.hasChannelImage ? .memberPicture(body.member.name) : .memberUsual(body.member.name)]
            }
        case .channel(.channelProfileChanged(let body)): [.settings(by: sender, body.profile.settings)]
        case .channel(.voteClosed(let body)): [.voteClosed(by: body.byName, body.tally)]
        case .channel(.pinAdded(let body)): [.pinned(by: body.byName)]
        default: nil
        }
    }
}

extension ChannelKind {
    /// How many members a channel of this kind has, as text.
    package func people(_ count: Int) -> String {
        if self == .open { return "\(count) here" }
        return "\(count) \(isNews ? "subscriber" : "member")\(count == 1 ? "" : "s")"
    }
}

extension MessageContent {
    /// An option of a vote, as text.
    package var line: String {
        let place = location.map { $0.address ?? "\($0.latitude), \($0.longitude)" }
        let about = type == MessageType.text.name ? nil : "[\(type)]"
        return [about, file?.name, place, text.isEmpty ? nil : text].compactMap(\.self).joined(separator: " ")
    }
}

extension CallNotice {
    /// The result of a call, as text.
    package var line: String {
        let length = durationMs.map { "\($0 / 60_000) min \($0 / 1_000 % 60) s" }
        return ([kind.rawValue, result?.rawValue, length].compactMap(\.self)).joined(separator: ", ")
    }
}

extension VoteState {
    /// The options by number, starting at 1.
    package static func places(_ options: [Int]) -> String {
        options.map { "\($0.addingReportingOverflow(1).partialValue)" }.joined(separator: ", ")
    }
}

extension VoteTally {
    /// The numbers, as text.
    package var line: String { ChatTexts.english.tally(self) }
}

extension ChannelProfile {
    /// The names of the settings in it.
    package var line: String {
        settings.isEmpty ? "nothing" : ChatTexts.english.list(settings.map(ChatTexts.english.setting))
    }

    fileprivate var settings: [ChatTexts.Setting] {
        let all: [ChatTexts.Setting?] = [
            title.map { .title($0) }, customAttributes.map { .customAttributes($0) },
            avatar.map { .picture(!$0.isEmpty) },
            background.map { .background(!$0.isEmpty) }, canJoin.map { .canJoin($0) }, editors.map { .editors($0) },
            history.map { .history($0, rows: historyRows) }, minMembers.map { .minMembers($0) },
            maxMembers.map { .maxMembers($0) }, moderatorsMayRecall.map { .moderatorsMayRecall($0) },
            noticesForwards.map { .noticesForwards($0) }, pinners.map { .pinners($0) },
        ]
        return all.compactMap(\.self)
    }
}
