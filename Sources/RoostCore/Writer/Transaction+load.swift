import RoostWire

/// Loading the data of a batch, set by set.
extension Transaction {
    /// Loads all keys, users and channels of a batch with a few statements.
    ///
    /// If other processes write too, the caches may be outdated: the rows of the channels and users that the batch
    /// will change are locked in the order of their ids and read again, and those with another version are reloaded.
    /// Otherwise the caches are authoritative, and only missing entries are read.
    mutating func preload(_ jobs: ArraySlice<Job>) throws {
        var keys: [[SQLValue]] = []
        var here: Set<CommandKey> = []
        var afters: [CommandKey] = []
        var changing = NamedChannels()
        var seen = NamedChannels()
        var open = NamedChannels()
        var actors: Set<UserID> = []
        var attaching: Set<UserID> = []
        // Commands that name more are refused.
        let most = max(configuration.limits.channelsPerCommand, configuration.limits.idsPerCommand) + 1
        for job in jobs {
            if case .attach(_, _, let actor) = job {
                actors.insert(actor.user.userID)
                attaching.insert(actor.user.userID)
            }
            // A closed connection joins no channels.
            if case .participate(let session, _, let ids, _) = job, let live = batch.caches.sessions[session] {
                open.actor = live.user.userID
                open.formUnion(ids.prefix(Job.channelsAtOnce))
            }
            guard case .command(let command, let id, let actor, _, _) = job else { continue }
            batch.actors.insert(actor.user.userID)
            (changing.actor, seen.actor) = (actor.user.userID, actor.user.userID)
            if actor.session == nil { actors.insert(actor.user.userID) }
            if case .write(let write) = command, let transID = TransID(rawValue: id) {
                let key = CommandKey(user: actor.user.userID, transID: transID)
                if here.insert(key).inserted { keys.append([.text(key.user.rawValue), .text(id)]) }
                if let after = write.predecessor {
                    let key = CommandKey(user: actor.user.userID, transID: after)
                    if batch.caches.lastSend[key.user] == after {
                        batch.accepted.insert(key)
                    } else {
                        afters.append(key)
                    }
                }
            }
            let value = command.value
            changing.formUnion(value.changedChannels.prefix(most))
            seen.formUnion(value.seenChannels.prefix(most))
        }
        for key in afters where !here.contains(key) {
            keys.append([.text(key.user.rawValue), .text(key.transID.rawValue)])
        }
        try loadConnections(of: attaching)
        if !keys.isEmpty { try lookUp(keys) }
        try load(users: actors, locked: false)
        try loadAccess(of: actors.union(batch.actors))
        seen.moveNamed(in: &changing)
        open.moveNamed(in: &changing)
        open.moveNamed(in: &seen)
        try load(changing, locked: true)
        try load(seen, locked: false)
        try load(open, locked: false, asking: false)
    }

    mutating func lookUp(_ keys: [[SQLValue]]) throws {
        let found = try connection.rows(
            """
            WITH k (user_id, trans_id) AS (\(keys: keys))
            SELECT l.sender, l.trans_id, l.hash, l.frame, 1, l.channel, l.seq, l.sent_at FROM k
            JOIN channel_log l ON l.sender = k.user_id AND l.trans_id = k.trans_id AND l.trans_id IS NOT NULL
            UNION ALL SELECT c.user_id, c.trans_id, c.hash, c.answer, 0, c.user_id, c.sent_at, c.sent_at FROM k
            JOIN command_keys c ON c.user_id = k.user_id AND c.trans_id = k.trans_id
            """
        ) { row in
            let isEvent = try row.int(4) == 1
            return (
                user: try row.text(0), transID: try row.text(1), hash: try row.int(2), isEvent: isEvent,
                event: try isEvent ? row.event(3, of: row.id(5), row.int(6)) : nil,
                answer: isEvent ? [] : (try? row.json(3)) ?? [], sentAt: try row.int(7)
            )
        }
        // The row in `command_keys` has the full answer, a log row not always; so it takes precedence.
        for row in found.sorted(by: { $0.isEvent && !$1.isEvent }) {
            guard let user = UserID(rawValue: row.user), let transID = TransID(rawValue: row.transID) else { continue }
            let answer = row.event.map { event in
                WireCodec.encode(Acknowledgement(repeating: event, transID: transID, sentAt: row.sentAt))
            }
            batch.known[CommandKey(user: user, transID: transID)] = KnownCommand(
                hash: row.hash, answer: answer ?? row.answer)
        }
    }
}
