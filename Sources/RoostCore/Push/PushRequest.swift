import Foundation
package import RoostWire

/// A push notification as it is to be sent.
package struct PushRequest: Sendable {
    package var push: LeasedPush
    package var address: PushAddress
    package var payload: PushPayload
    /// Under which id a device shows only the newest notification.
    package var collapseID: String
    /// When it is no longer of use, in ms since 1970.
    package var expiresAt: Int64

    /// The token to send it to: the one for calls if it is of a call and the device has one.
    package var token: String { (isForCalls ? address.voipToken : nil) ?? address.token ?? "" }

    /// Whether it goes to the token for calls.
    package var isForCalls: Bool { payload.kind == .voip && address.voipToken != nil }

    /// What to do with a notification that is due.
    package enum Decision: Sendable {
        case send(PushRequest)
        /// It is not to be sent, for this reason.
        case skip(String)
    }

    /// How long a call rings, in ms.
    static let callMs: Int64 = 60_000
    /// How long other notifications are of use, in ms.
    static let usualMs: Int64 = 7 * 86_400_000
}

extension Reads {
    /// Completes a notification with what it shows now, unless there is a reason not to send it any more.
    func request(for push: LeasedPush) throws -> PushRequest.Decision {
        if let withdrawal = push.withdrawal { return try request(for: push, withdrawing: withdrawal) }
        guard let device = try device(push.device), let address = device.address else {
            return .skip("the device has no address any more")
        }
        if try hasOthers && isKnown(push) { return .skip("the device shows it already") }
        guard let event = try event(of: push), let behaviour = event.body.behaviour, let kind = behaviour.pushKind
        else { return .skip("the message was recalled or deleted") }
        if kind == .alert, address.token == nil { return .skip("the device has a token for calls only") }
        let expiresAt = push.createdAt + (kind == .voip ? PushRequest.callMs : PushRequest.usualMs)
        guard now < expiresAt else { return .skip("it is too old") }
        let all = try channels(of: me)
        let row = event.channel.flatMap { id in all.first { $0.channel == id } }
        if event.channel != nil, row == nil { return .skip("the user is not a member any more") }
        if let row, let seq = push.seq, max(row.markSeq, row.floorSeq) >= seq { return .skip("the user has read it") }
        if case .channel(.memberInvited(let invited)) = event.body, invited.members.contains(where: { $0.userID == me })
        {
            return .skip("the user gets a notification of being added instead")
        }
        if row?.isMuted == true { return .skip("the user has muted the channel") }
        if let sender = event.senderID, try isBlocked(sender) { return .skip("the user has blocked the sender") }
        let mentions = event.sentMessage?.mentions?.contains { $0.userID == me } == true
        if let reason = device.settings.refusal(
            at: now, isUrgent: mentions || kind == .voip || row == nil || row?.kind == .single)
        {
            return .skip(reason)
        }
        let details = PushDetails(
            event: event, kind: kind, channelKind: row?.kind, channelTitle: row?.title,
            sender: try event.senderID.map { try shown($0, in: event) }, isMention: mentions)
        var payload = details.payload(for: me, pushID: push.id, settings: device.settings)
        payload.badge = all.badge(device.settings)
        payload.unread = row?.unread
        let sound = kind == .voip ? device.settings.voipSound : device.settings.sound
        payload.sound = try row.flatMap { try ringtone(of: $0.channel) } ?? sound
        let collapseID =
            event.messageID?.rawValue ?? push.seq.map { "\(event.channel?.rawValue ?? "")-\($0)" } ?? push.id
        return .send(
            PushRequest(
                push: push, address: address, payload: payload, collapseID: String(collapseID.suffix(64)),
                expiresAt: expiresAt))
    }

    /// What a notification is about; nil if it was recalled, or deleted by the user, and a number if it is damaged.
    private func event(of push: LeasedPush) throws -> Event? {
        if let bytes = push.event { return bytes.isEmpty ? nil : try WireCodec.decodeEvent(bytes) }
        guard let channel = push.channel, let seq = push.seq else { return nil }
        return try connection.rows(
            """
            SELECT l.frame FROM channel_log l WHERE l.channel = \(channel) AND l.seq = \(seq)
            AND \(RowFlags.isIntact("l.flags")) AND \(Self.isVisible(to: me, in: channel))
            """
        ) { try $0.event(0, of: channel, seq) }.first
    }

    /// Whether the device was notified before, or an earlier notification is on its way, as of what it may have missed when
    /// its connection died.
    private func isKnown(_ push: LeasedPush) throws -> Bool {
        guard let channel = push.channel, let seq = push.seq else { return false }
        return try !connection.rows(
            """
            SELECT 1 FROM shown_pushes
            WHERE user_id = \(me) AND channel = \(channel) AND seq = \(seq) AND device_id = \(push.device)
            UNION ALL SELECT 1 FROM pushes
            WHERE user_id = \(me) AND device_id = \(push.device) AND channel = \(channel) AND seq = \(seq)
                AND withdrawal IS NULL AND id < \(push.id)
            """
        ) { try $0.int(0) }.isEmpty
    }

    private func isBlocked(_ user: UserID) throws -> Bool {
        try !connection.rows(
            "SELECT 1 FROM blocks b WHERE b.user_id = \(me) AND b.blocked = \(user) AND b.at > 0"
        ) { try $0.int(0) }.isEmpty
    }

    private func ringtone(of channel: ChannelID) throws -> String? {
        try connection.rows(
            "SELECT ringtone FROM member_details WHERE channel = \(channel) AND user_id = \(me)"
        ) { try $0.optionalText(0) }.first ?? nil
    }

    /// The sender of a message as it was sent; of anything else the user as of now.
    private func shown(_ user: UserID, in event: Event) throws -> User {
        if let message = event.sentMessage {
            return User(userID: user, name: message.senderName, imageURL: message.senderImageURL)
        }
        return try connection.rows("SELECT name, image_url FROM users WHERE id = \(user)") { row in
            User(userID: user, name: try row.text(0), imageURL: try row.optionalText(1))
        }.first ?? User(userID: user, name: User.usualName(of: user))
    }
}

extension [Reads.Row] {
    /// The number on the icon of an app: the unread messages of which the device may be notified.
    func badge(_ settings: DeviceSettings) -> Int {
        guard !settings.mutesAll else { return 0 }
        return reduce(0) { sum, row in
            let isCounted = !settings.mentionsOnly || row.kind == .single
            return row.isMuted ? sum : sum + (isCounted ? row.unread : row.mentions)
        }
    }
}

extension DeviceSettings {
    /// Why a device is not notified now; nil if it is.
    /// - Parameters:
    ///   - now: in ms since 1970.
    ///   - isUrgent: whether it is notified of this although it is only notified of mentions.
    func refusal(at now: Int64, isUrgent: Bool) -> String? {
        if mutesAll { return "the device has muted all notifications" }
        if let until = $mutedUntil, now < until { return "the device is muted until a time" }
        if quietHours?.contains(now) == true { return "the device has quiet hours" }
        if mentionsOnly, !isUrgent { return "the device is only notified of mentions" }
        return nil
    }
}

extension QuietHours {
    /// Whether a time, in ms since 1970, is in one of the ranges.
    func contains(_ time: Int64) -> Bool {
        guard let zone = TimeZone(identifier: timeZone) else { return false }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.weekday, .hour, .minute], from: Date(milliseconds: time))
        guard let weekday = parts.weekday, let hour = parts.hour, let minute = parts.minute else { return false }
        // From 1 for Sunday to 1 for Monday.
        let (today, now) = ((weekday + 5) % 7 + 1, hour * 60 + minute)
        let yesterday = (today + 5) % 7 + 1
        return ranges.contains { range in
            func begins(on day: Int) -> Bool { range.days?.contains(day) ?? true }
            if range.start < range.end { return begins(on: today) && range.start <= now && now < range.end }
            return begins(on: today) && range.start <= now || begins(on: yesterday) && now < range.end
        }
    }
}
