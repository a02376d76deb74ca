import RoostWire

extension Transaction {
    /// Attaches a session and subscribes it to the user's channels, in log order so that no event is missed.
    mutating func attach(_ session: SessionID, id: String, as actor: Actor) throws {
        let me = actor.user.userID
        do throws(WireError) {
            try checkAccess(of: actor)
        } catch {
            batch.deliveries.append(.reply(session, id: id, .refused(error)))
            return
        }
        let limit = configuration.limits.connectionsPerUser
        let others =
            batch.sessions.sessions(of: me).subtracting([session]).count + (batch.connectionsElsewhere[me] ?? 0)
        guard others < limit else {
            let error = WireError(
                .tooManyConnections, "This user already has \(limit) connections. Close one of them.",
                retryAfterMs: 5_000)
            batch.deliveries.append(.reply(session, id: id, .refused(error)))
            return
        }
        var known = try user(me)
        if let before = known, before.user(loggedInAs: actor.user) != before.user {
            try load(users: [me])
            known = batch.users[me]
        }
        let user = known?.user(loggedInAs: actor.user) ?? actor.user
        var state = known ?? UserState(user: user, host: actor.host)
        if known == nil {
            batch.add(state)
        } else if state.user != user, !isDiskFull {
            state.user = user
            batch.users[me] = state
            batch.changedUsers.insert(me)
        }
        // Another process may have created a channel without knowing this user.
        if (known == nil || isShared) && !isDiskFull {
            try subscribeToCorporateNews(me, isNew: known == nil)
            state = batch.users[me] ?? state
        }
        try flush()
        let positions = try connection.rows(
            """
            SELECT c.id, c.seq FROM members m JOIN channels c ON c.id = m.channel
            WHERE m.user_id = \(me) AND m.left_seq IS NULL
            """
        ) { ChannelPosition(channel: try $0.id(0), seq: try $0.int(1)) }
        batch.sessions.attach(session, user, on: actor.deviceID, actor.access, at: batch.now)
        if let access = actor.access, !isDiskFull { try noteLogin(of: me, on: actor.deviceID, access) }
        batch.deliveries.append(.attach(session, user: me, userSeq: state.seq, channels: positions))
        let welcome = Welcome(
            user: user, isOperator: actor.isOperator, serverTime: .init(milliseconds: batch.now), epoch: epoch,
            heartbeat: configuration.heartbeat, limits: configuration.limits, userSeq: state.seq,
            expiresAt: actor.access.map { .init(milliseconds: $0.expiresAt) },
            imageOrigins: configuration.imageOrigins.isEmpty ? nil : configuration.imageOrigins)
        batch.deliveries.append(.reply(session, id: id, .accepted(WireCodec.encode(welcome, limits: limits))))
    }
}

extension Batch {
    /// Detaches a session whose connection is closed, and ends its typing. This needs no database access.
    mutating func detach(_ session: SessionID, of user: UserID) throws {
        let live = sessions[session]
        sessions.detach(session, user)
        guard let live else { return }
        for channel in live.typing.keys.sorted() { try notifyTypingEnded(live.user, in: channel) }
    }
}
