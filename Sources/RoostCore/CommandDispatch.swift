import RoostWire

extension Writer {
    /// Carries out a command that takes a key.
    func write(
        _ command: AnyCommand, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        switch command {
        case .createChannel(let body): try create(body, transID: transID, actor, in: &batch, connection)
        case .leaveChannel(let body): try leave(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .hideChannel(let body): try hide(body, transID: transID, actor, in: &batch, connection)
        case .endChannel(let body): try end(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .inviteMembers(let body): try invite(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .announceMessage(let body):
            try announce(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .sendMessage(let body):
            Outcome(
                acknowledgement: try send(body, transID: transID, hash: hash, actor, in: &batch, connection),
                needsKeyRow: false)
        case .hello, .resume, .listUsers, .getChannel, .listChannels, .listOpenChannels, .joinChannel, .listMembers,
            .listMessages, .setReadMark, .getUnread, .startTyping, .endTyping:
            throw WireError(.internalFault)
        }
    }

    /// Carries out a command that takes no key.
    func move(
        _ command: AnyCommand, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> [UInt8] {
        switch command {
        case .joinChannel(let body): return try join(body, actor, in: &batch, connection)
        case .setReadMark(let body): return try setReadMark(body, actor, in: &batch, connection)
        case .startTyping(let body): try startTyping(body.channel, actor, in: &batch, connection)
        case .endTyping(let body): try stopTyping(body.channel, actor, in: &batch, connection)
        case .hello, .resume, .listUsers, .createChannel, .getChannel, .listChannels, .listOpenChannels,
            .leaveChannel, .hideChannel, .endChannel, .inviteMembers, .listMembers, .sendMessage, .announceMessage,
            .listMessages, .getUnread:
            throw WireError(.internalFault)
        }
        return Array("{}".utf8)
    }
}

extension Reads {
    /// Carries out a command that reads.
    func run(_ command: AnyCommand, _ actor: Actor, epoch: String) throws -> [UInt8] {
        switch command {
        case .resume(let body): try resume(body, actor, epoch: epoch)
        case .listUsers(let body): try listUsers(body)
        case .getChannel(let body): try getChannel(body, actor)
        case .listChannels(let body): try listChannels(body, actor)
        case .listOpenChannels(let body): try listOpenChannels(body)
        case .listMembers(let body): try listMembers(body, actor)
        case .listMessages(let body): try listMessages(body, actor)
        case .getUnread: try getUnread(actor)
        case .hello:
            throw WireError(.dataFormat, "This connection has said hello already.")
        case .createChannel, .joinChannel, .leaveChannel, .hideChannel, .endChannel, .inviteMembers, .sendMessage,
            .announceMessage, .setReadMark, .startTyping, .endTyping:
            throw WireError(.internalFault)
        }
    }
}
