import RoostWire

extension Writer {
    func startTyping(
        _ id: ChannelID, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws {
        guard let channel = try participant(of: id, actor, in: &batch, connection) else { return }
        if let session = actor.session { batch.sessions.startTyping(session, in: id) }
        try batch.notify(
            .others(id, except: actor.user.userID), channel: id,
            body: .typingStarted(typing(actor.user, in: channel, batch)))
    }

    func stopTyping(
        _ id: ChannelID, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws {
        guard let channel = try participant(of: id, actor, in: &batch, connection) else { return }
        if let session = actor.session { batch.sessions.endTyping(session, in: id) }
        try batch.notify(
            .others(id, except: actor.user.userID), channel: id,
            body: .typingEnded(typing(actor.user, in: channel, batch)))
    }

    /// The channel in which the caller may type; nothing when nobody is to see it.
    private func participant(
        of id: ChannelID, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> ChannelState? {
        guard let channel = try channel(id, in: &batch, connection) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { return channel }
        _ = try member(actor.user.userID, of: channel, &batch, connection)
        guard !channel.kind.isNews else { throw WireError(.channelTypeMismatch, "Nobody types in a channel of news.") }
        return channel.isBlocked(actor.user.userID) ? nil : channel
    }

    /// Ends what a session was typing, if it was.
    func endTyping(_ session: SessionID, in id: ChannelID, _ batch: inout Batch) throws {
        guard let user = batch.sessions[session]?.user, batch.sessions.endTyping(session, in: id) else { return }
        try tellTypingEnded(user, in: id, &batch)
    }

    func tellTypingEnded(_ user: User, in id: ChannelID, _ batch: inout Batch) throws {
        let channel = batch.channels[id] ?? channels[id]
        guard channel?.isBlocked(user.userID) != true else { return }
        try batch.notify(
            .others(id, except: user.userID), channel: id,
            body: .typingEnded(typing(user, in: channel, batch)))
    }

    private func typing(_ user: User, in channel: ChannelState?, _ batch: Batch) -> TypingChanged {
        let shown = channel?.members[user.userID]?.shown(user) ?? user
        return TypingChanged(userID: user.userID, name: shown.name, at: batch.now)
    }
}
