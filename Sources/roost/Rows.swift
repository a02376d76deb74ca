import Foundation
import RoostClient
import RoostTerminal
import RoostWire

/// One row of a log as JSON output: all keys are present, and absent values are null.
struct RowLine: Encodable {
    var event: Event

    private enum Keys: String, CodingKey {
        case event, channel, seq, messageID, transID, senderID, type, text, file, thumbnail, sentAt
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(event.name, forKey: .event)
        try container.encode(event.channel, forKey: .channel)
        try container.encode(event.seq, forKey: .seq)
        try container.encode(event.messageID, forKey: .messageID)
        try container.encode(event.transID, forKey: .transID)
        try container.encode(event.senderID, forKey: .senderID)
        try container.encode(event.messageType, forKey: .type)
        try container.encode(event.text, forKey: .text)
        let fields = event.message?.content.payload.fields
        try container.encode(fields?.file, forKey: .file)
        try container.encode(fields?.thumbnail, forKey: .thumbnail)
        try container.encode(event.$sentAt, forKey: .sentAt)
    }

    /// The line as JSON; with `withBody`, also the event's `userSeq` and `body`.
    func json(withBody: Bool) throws -> [UInt8] {
        var line = try WireCodec.encode(self)
        guard withBody, line.popLast() != nil else { return line }
        var reader = JSONReader(try WireCodec.encode(event))
        var body: [UInt8] = Array("{}".utf8)
        try reader.object { reader, key in
            let value = reader.slice(try reader.skip())
            if key == "body" { body = Array(value) }
        }
        line += Array(",\"userSeq\":\(event.userSeq.map(String.init) ?? "null"),\"body\":".utf8)
        return line + body + Array("}".utf8)
    }
}

extension ClientOptions {
    /// Prints a row as text, or as JSON with `--json`.
    func show(_ event: Event, withBody: Bool, before place: String = "") throws {
        if json {
            Terminal.writeOutput(Printable.escaped(try RowLine(event: event).json(withBody: withBody)) + [0x0A])
        } else {
            Terminal.printLine(place + event.line())
        }
    }
}

extension Event {
    /// The text of the message in this event, if any.
    var text: String? {
        sentMessage?.text ?? announcement?.text
    }

    /// The type of the message in this event, if any.
    var messageType: String? {
        sentMessage?.type ?? announcement.map { _ in MessageType.text.name }
    }

    /// Whether this is a message from a user or an operator.
    var isMessage: Bool { text != nil }

    /// Whether this event is printed in text output: a visible row, a relayed message or an active count.
    var isShown: Bool {
        switch body {
        case .channel: !isOnlyNumber
        case .ephemeral(.messageRelayed), .ephemeral(.channelActiveCountChanged): true
        default: seq != nil || userSeq != nil
        }
    }

    /// A one-line, human-readable description.
    func line(in zone: TimeZone = .current) -> String {
        let time = sentAt.map { Printable.time($0, in: zone) } ?? "     "
        return Printable.safe("\(time)  \(body.line(sender: senderID?.rawValue ?? "the server"))")
    }
}

extension EventBody {
    /// A description of the event.
    fileprivate func line(sender: String) -> String {
        switch self {
        case .channel(.messageSent(let message)): message.line + (message.reactions?.line ?? "")
        case .ephemeral(.messageRelayed(let message)): message.line + " (not stored)"
        case .channel(.messageAnnounced(let announcement)):
            announcement.recall.map { "* (recalled by \($0.byName))" }
                ?? "* \(announcement.text)\(announcement.reactions?.line ?? "")"
        case .channel(.messageRecalled(let recalled)):
            "- \(recalled.byName) recalled \(counted(recalled.messages.count, "message"))"
        case .channel(.rowRemoved): "- (hidden)"
        case .channel(.channelPurged(let purged)): "- rows up to \(purged.upTo) have been deleted"
        case .channel(.voteCast(let cast)):
            "- \(cast.voterName ?? "somebody") voted"
                + (cast.options.map { $0.isEmpty ? " (withdrawn)" : " for \(VoteState.places($0))" } ?? "")
                + ": \(cast.tally.line)"
        case .channel(.reactionAdded(let change)):
            "- \(change.byName) reacted to row \(change.seq): \(change.emoji) \(change.count)"
        case .channel(.reactionRemoved(let change)):
            "- \(change.byName) removed a reaction from row \(change.seq): \(change.emoji) \(change.count)"
        case .channel(.pinRemoved(let change)): "- \(change.byName) unpinned row \(change.seq)"
        case .channel(.pinAdded(let change)): "- \(change.byName) pinned row \(change.seq)"
        case .channel(.voteClosed), .channel(.newsCreated), .channel(.memberInvited), .channel(.memberJoined),
            .channel(.memberLeft), .channel(.memberKicked), .channel(.memberBanned),
            .channel(.memberRoleChanged),
            .channel(.memberProfileChanged), .channel(.channelProfileChanged):
            "- " + (ServerLine.text(of: self, sender: sender) ?? name)
        case .user(.channelJoined), .user(.channelInvited), .user(.channelLeft), .user(.channelDismissed),
            .user(.channelHidden), .user(.channelEnded),
            .user(.channelCleared), .user(.messageDeleted), .user(.channelPreferenceChanged),
            .user(.channelUnreadMarked), .user(.userBlocked),
            .user(.userUnblocked), .user(.userProfileChanged), .user(.userSettingsChanged), .user(.scheduleCreated),
            .user(.scheduleChanged), .user(.scheduleCancelled), .user(.scheduleSent):
            "- " + changeForUser
        case .ephemeral(.channelActiveCountChanged(let count)):
            "- \(count.active) of \(count.memberCount) members are connected"
        case .ephemeral(.typingStarted), .ephemeral(.typingEnded), .ephemeral(.readMarkMoved), .ephemeral(.positions),
            .ephemeral(.sessionExpiring), .ephemeral(.goaway), .unknown:
            "- \(name)"
        }
    }

    /// A description of an event in the user's log.
    private var changeForUser: String {
        switch self {
        case .user(.channelJoined(let body)): "you joined \(body.title ?? body.channel.rawValue)"
        case .user(.channelInvited(let body)): "\(body.byName) invites you to \(body.title ?? body.channel.rawValue)"
        case .user(.channelLeft(let body)):
            switch body.reason {
            case .kicked: "you were removed from \(body.channel)"
            case .banned: "you were banned from \(body.channel)"
            case .declined: "you declined the invitation to \(body.channel)"
            case .left, .dismissed, nil: "you left \(body.channel)"
            }
        case .user(.channelDismissed(let body)): "\(body.byName) dismissed \(body.channel)"
        case .user(.channelHidden(let body)): "you hid \(counted(body.channels.count, "channel"))"
        case .user(.channelEnded(let body)): "you ended \(counted(body.channels.count, "conversation"))"
        case .user(.channelCleared(let body)): "you deleted everything in \(counted(body.channels.count, "channel"))"
        case .user(.messageDeleted(let body)):
            "you deleted \(counted(body.messages.count, "message")) in \(body.channel) for yourself"
        case .user(.channelPreferenceChanged(let body)):
            "your settings in \(body.channel): \(body.preference.line)"
        case .user(.channelUnreadMarked(let body)):
            body.isMarkedUnread
                ? "you marked \(body.channel) as unread" : "\(body.channel) is no longer marked as unread"
        case .user(.userBlocked(let body)): "you blocked \(body.user.name)"
        case .user(.userUnblocked(let body)): "you unblocked \(body.user.name)"
        case .user(.userProfileChanged(let body)): "\(body.userID) \(body.profile.line)"
        case .user(.userSettingsChanged(let body)): "your settings: \(body.line)"
        case .user(.scheduleCreated(let body)): "you scheduled \(body.line)"
        case .user(.scheduleChanged(let body)): "you changed a schedule: \(body.line)"
        case .user(.scheduleCancelled(let body)): "you cancelled a schedule (\(body.scheduleID))"
        case .user(.scheduleSent(let body)):
            "a schedule was sent: " + body.results.line("sent")
        default: name
        }
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension Message {
    /// A one-line, human-readable description.
    fileprivate var line: String {
        if let recall { return "\(senderName): (recalled by \(recall.byName))" }
        let place = location.map { $0.address ?? "\($0.latitude), \($0.longitude)" }
        let isPlain = type == MessageType.text.name || ChannelKind(rawValue: type)?.isNews == true
        let about = isPlain ? nil : "[\(type)]"
        let answer = replyTo.map { "(reply to \($0.senderName ?? "the operator")) " } ?? ""
        let options = (vote?.options ?? []).enumerated().map { "(\($0 + 1)) \($1.line)" }
        let parts =
            [
                isForwarded == true ? "[forwarded]" : nil, about, file?.line, place, call?.line,
                text.isEmpty ? nil : text,
            ]
            + options
        return "\(senderName): \(answer)\(parts.compactMap(\.self).joined(separator: " "))"
    }
}

extension MessageReactions {
    /// The reactions to a message as text: each emoji with its count, the user's own in brackets.
    fileprivate var line: String {
        kinds.map { kind in
            let text = "\(kind.emoji) \(kind.count)"
            return "  " + (kind.isMine ? "[\(text)]" : text)
        }.joined()
    }
}

extension ChannelPreference {
    /// A human-readable list of all settings.
    var line: String {
        let parts = [
            isMuted ? "muted" : "not muted", ringtone.map { "ringtone \($0)" }, nickname.map { "nickname \($0)" },
            imageURL.map { "picture \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension UserSettings {
    /// A human-readable list of all settings.
    var line: String { "invites from \(invitesFrom.rawValue)" }
}

extension UserProfile {
    /// What changed, after the name of the user.
    fileprivate var line: String {
        var parts: [String] = []
        if let name { parts.append("is now called \(name)") }
        if let imageURL { parts.append(imageURL.isEmpty ? "has no picture any more" : "has a new picture") }
        return parts.joined(separator: " and ")
    }
}
