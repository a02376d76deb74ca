import RoostWire

// What the server has purged is deleted here too.
extension LocalTransaction {
    /// Deletes everything up to a row that the server has purged; unsent messages stay in the queue.
    func purge(_ id: ChannelID, to seq: Int64) throws {
        let record = try record(id)
        guard seq > record.purgedTo ?? 0 else { return }
        try keepListed(id)
        try edit(id) { record in
            record.purgedTo = seq
            record.snapshot?.purgedTo = seq
        }
        try clear(id, to: seq)
        for answer in try LocalStore.answers(in: id, after: seq, db) {
            let changed = answer.afterPurge(upTo: seq)
            if changed != answer { try rewrite(changed, in: id) }
        }
        if let last = try self.record(id).snapshot?.lastMessage {
            try edit(id) { $0.snapshot?.lastMessage = last.afterPurge(upTo: seq) }
        }
        if record.snapshot?.kind != .open {
            try moveMarks(upTo: seq, in: id)
            try moveMark(to: seq, in: id, isConfirmed: true)
        }
        change.channels.insert(id)
    }

    /// Applies a purge to an answer about a channel, or to the channel if only the answer includes the purge.
    func settlePurge(_ channel: Channel) throws {
        let id = channel.channel
        if let purgedTo = channel.purgedTo { try purge(id, to: purgedTo) }
        guard let purgedTo = try record(id).purgedTo, channel.purgedTo ?? 0 < purgedTo else { return }
        try edit(id) { $0.snapshot?.purgedTo = purgedTo }
        if let last = try record(id).snapshot?.lastMessage {
            try edit(id) { $0.snapshot?.lastMessage = last.afterPurge(upTo: purgedTo) }
        }
        guard channel.kind != .open else { return }
        try moveMark(to: purgedTo, in: id, isConfirmed: true)
        try settleUnread(in: id)
    }
}

extension Event {
    /// This row after a purge of others: an answer to one of them has an empty snapshot.
    func afterPurge(upTo seq: Int64) -> Event {
        guard let message, message.replyTo != nil else { return self }
        var event = self
        event.message = message.afterPurge(upTo: seq)
        return event
    }
}
