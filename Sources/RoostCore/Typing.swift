import RoostWire

extension Writer {
    func startTyping(
        _ id: ChannelID, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws {
        guard let channel = try channel(id, in: &batch, connection) else { throw WireError(.channelNotFound) }
        if channel.kind != .open { _ = try member(actor.user.userID, of: channel, &batch, connection) }
        if let session = actor.session { sessions[session]?.typing.insert(id) }
        try batch.notify(
            .others(id, except: actor.user.userID), channel: id,
            body: .typingStarted(
                TypingChanged(userID: actor.user.userID, name: actor.user.name, at: batch.now)))
    }

    func stopTyping(
        _ id: ChannelID, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws {
        guard let channel = try channel(id, in: &batch, connection) else { throw WireError(.channelNotFound) }
        if channel.kind != .open { _ = try member(actor.user.userID, of: channel, &batch, connection) }
        if let session = actor.session { sessions[session]?.typing.remove(id) }
        try endTyping(user: actor.user, in: id, &batch)
    }

    /// Ends what a session was typing, if it was.
    func endTyping(_ session: SessionID, in id: ChannelID, _ batch: inout Batch) throws {
        guard let live = sessions[session], live.typing.contains(id) else { return }
        sessions[session]?.typing.remove(id)
        try endTyping(user: live.user, in: id, &batch)
    }

    func endTyping(user: User?, in id: ChannelID, _ batch: inout Batch) throws {
        guard let user else { return }
        try batch.notify(
            .others(id, except: user.userID), channel: id,
            body: .typingEnded(TypingChanged(userID: user.userID, name: user.name, at: batch.now)))
    }
}
