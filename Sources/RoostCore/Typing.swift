import RoostWire

extension Transaction {
    mutating func startTyping(_ id: ChannelID) throws {
        let actor = try actor
        guard let channel = try channelToType(in: id) else { return }
        if let session = actor.session { batch.sessions.startTyping(session, in: id) }
        try batch.notify(
            .others(id, except: actor.user.userID), channel: id,
            body: .typingStarted(batch.typing(actor.user, in: channel)))
    }

    mutating func stopTyping(_ id: ChannelID) throws {
        let actor = try actor
        guard let channel = try channelToType(in: id) else { return }
        if let session = actor.session { batch.sessions.endTyping(session, in: id) }
        try batch.notify(
            .others(id, except: actor.user.userID), channel: id,
            body: .typingEnded(batch.typing(actor.user, in: channel)))
    }

    /// The channel in which the caller may type; nothing when nobody is to see it.
    private mutating func channelToType(in id: ChannelID) throws -> ChannelState? {
        let me = try me
        guard let channel = try channel(id) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { return channel }
        _ = try member(me, of: channel)
        guard !channel.kind.isNews else { throw WireError(.channelTypeMismatch, "Nobody types in a channel of news.") }
        return channel.isBlocked(me) ? nil : channel
    }
}

extension Batch {
    /// Ends what a session was typing, if it was.
    mutating func endTyping(_ session: SessionID, in id: ChannelID) throws {
        guard let user = sessions[session]?.user, sessions.endTyping(session, in: id) else { return }
        try tellTypingEnded(user, in: id)
    }

    mutating func tellTypingEnded(_ user: User, in id: ChannelID) throws {
        let channel = channels[id] ?? caches.channels[id]
        guard channel?.isBlocked(user.userID) != true else { return }
        try notify(
            .others(id, except: user.userID), channel: id, body: .typingEnded(typing(user, in: channel)))
    }

    fileprivate func typing(_ user: User, in channel: ChannelState?) -> TypingChanged {
        let shown = channel?.members[user.userID]?.shown(user) ?? user
        return TypingChanged(userID: user.userID, name: shown.name, at: now)
    }
}
