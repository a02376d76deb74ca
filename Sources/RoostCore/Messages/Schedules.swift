import Logging
import RoostWire

/// The stored content of a schedule.
private struct ScheduleContent: Codable {
    var messages: [MessageContent]
    var channels: [ChannelID]
    var subject: String?
    var vote: Vote?
}

extension Transaction {
    mutating func createSchedule(_ create: CreateSchedule) throws -> Outcome {
        let limits = configuration.limits
        try ScheduleRules.check(create.sendAt, now: .init(milliseconds: batch.now), limits: limits)
        guard create.messages == nil || create.subject == nil && create.vote == nil else {
            throw ScheduleRules.messagesOrVote("messages")
        }
        var schedule = Schedule(
            scheduleID: ScheduleID(createdAt: batch.now, userSeq: 0, salt: 0), messages: create.messages ?? [],
            channels: create.channels, sendAt: create.sendAt, subject: create.subject, vote: create.vote)
        try ScheduleRules.check(schedule, limits: limits)
        schedule.messages = try completingFiles(of: schedule.messages)
        schedule.vote = try schedule.vote.map { try completingFiles(of: $0) }
        try checkSending(schedule)
        let me = try me
        try flush()
        try lockMe()
        let waiting = try connection.rows("SELECT COUNT(*) FROM schedules WHERE user_id = \(me)") { try $0.int(0) }
        guard waiting.first ?? 0 < Int64(limits.schedules) else {
            throw WireError(
                .limitReached,
                "You have the maximum of \(limits.schedules) pending schedules. Cancel one of them first.")
        }
        guard let owner = batch.users[me] else { throw WireError(.internalFault) }
        schedule.scheduleID = ScheduleID(
            createdAt: max(owner.lastSentAt, batch.now), userSeq: owner.seq + 1,
            salt: UInt32(truncatingIfNeeded: effects.random()))
        try put(schedule, of: me)
        try append(to: me, body: .scheduleCreated(schedule))
        return try Outcome(
            answer: ScheduleAnswer(transID: try transID, sentAt: .init(milliseconds: batch.now), schedule: schedule))
    }

    mutating func changeSchedule(_ change: ChangeSchedule) throws -> Outcome {
        let me = try me
        try flush()
        let old = try schedule(change.scheduleID, of: me)
        var new = try ScheduleRules.changed(old, by: change)
        if change.sendAt != nil {
            try ScheduleRules.check(new.sendAt, now: .init(milliseconds: batch.now), limits: configuration.limits)
        }
        var timeless = new
        timeless.sendAt = old.sendAt
        do {
            if timeless != old || change.messages != nil || change.channels != nil {
                try ScheduleRules.check(new, limits: configuration.limits)
                new.messages = try completingFiles(of: new.messages)
                new.vote = try new.vote.map { try completingFiles(of: $0) }
                try checkSending(new)
            } else if new.vote != nil {
                try ScheduleRules.check(new, limits: configuration.limits)
            }
        } catch let error as WireError where change.vote == nil && error.field == "vote.closesAt" {
            throw WireError(
                .dataFormat, field: "sendAt",
                "The vote would close before it is sent. Give an earlier \"sendAt\" or another \"vote\".")
        }
        if new != old {
            try put(new, of: me)
            if !old.fileIDs.isEmpty {
                try flush()
                try releaseFiles(of: new.scheduleID, of: me, except: new.fileIDs)
            }
            try append(to: me, body: .scheduleChanged(new))
        }
        return try Outcome(
            answer: ScheduleAnswer(transID: try transID, sentAt: .init(milliseconds: batch.now), schedule: new))
    }

    mutating func cancelSchedule(_ cancel: CancelSchedule) throws -> Outcome {
        let me = try me
        try flush()
        let old = try schedule(cancel.scheduleID, of: me)
        try delete(old.scheduleID, of: me)
        try releaseFiles(of: old.scheduleID, of: me)
        let body = ScheduleCancelled(scheduleID: old.scheduleID)
        try append(to: me, body: .scheduleCancelled(body))
        return try outcome(in: nil)
    }

    /// Checks that every message could be sent to every channel now, by a trial send into a discarded batch.
    /// - Throws: the first `WireError`.
    private func checkSending(_ schedule: Schedule) throws {
        try ScheduleRules.check(schedule, limits: configuration.limits)
        var trial = self
        var sender = try actor
        // The state of the sender's session, such as typing, must not change.
        sender.session = nil
        trial.command = RunningCommand(actor: sender, transID: TransID(rawValue: "trial"))
        try trial.ensureLoaded(Set(schedule.channels))
        let sent = try trial.send(schedule)
        if let refusal = sent.refusal { throw refusal }
    }

    /// Sends the content of a schedule, as far as allowed.
    /// - Returns: a result per pair, and the first refusal.
    private mutating func send(_ schedule: Schedule) throws -> (results: [PairResult], refusal: WireError?) {
        guard let subject = schedule.subject, let vote = schedule.vote else {
            return try send(schedule.messages, to: schedule.channels)
        }
        var results: [PairResult] = []
        var refusal: WireError?
        for channel in schedule.channels {
            do {
                if let closesAt = vote.$closesAt, closesAt <= batch.now {
                    throw WireError(.timeExpired, "The vote would already be closed.")
                }
                let sent = try sendVote(CreateVote(channel: channel, subject: subject, vote: vote), holdsKey: false)
                results.append(PairResult(channel: channel, index: 0, seq: sent.seq, messageID: sent.messageID))
            } catch let error as WireError {
                refusal = refusal ?? error
                results.append(PairResult(channel: channel, index: 0, code: error.code))
            }
        }
        return (results, refusal)
    }

    private static let schedules = Upsert(
        "schedules", ["user_id", "id", "send_at", "content"], keys: ["user_id", "id"])

    private mutating func put(_ schedule: Schedule, of user: UserID) throws {
        let content = ScheduleContent(
            messages: schedule.messages, channels: schedule.channels, subject: schedule.subject, vote: schedule.vote)
        batch.put(
            [
                .text(user.rawValue), .text(schedule.scheduleID.rawValue), .int(schedule.$sendAt),
                .content(try WireCodec.encode(content)),
            ], Self.schedules)
        use(schedule.fileIDs, by: .schedule(user, schedule.scheduleID))
        batch.schedule(at: schedule.$sendAt)
    }

    private func delete(_ id: ScheduleID, of user: UserID) throws {
        try connection.execute("DELETE FROM schedules WHERE user_id = \(user) AND id = \(id)")
    }

    /// Returns a schedule to be changed, locked so that no other process can send or change it before this batch is
    /// committed.
    ///
    /// The batch must have been flushed.
    /// - Throws: `WireError` 7013 if it does not exist, 1121 if it is due or being sent.
    private mutating func schedule(_ id: ScheduleID, of user: UserID) throws -> Schedule {
        // Changes to a schedule lock its owner, so the row can only be locked by the process that sends it.
        try load(users: [user])
        let query: Query = "SELECT id, send_at, content FROM schedules WHERE user_id = \(user) AND id = \(id)"
        guard try !connection.rows(query, { try $0.text(0) }).isEmpty else {
            throw WireError(.scheduleNotFound, "There is no such schedule. It may have been sent or cancelled.")
        }
        var locked = query
        locked.append(" \(.forUpdateSkipLocked)")
        guard let found = try connection.rows(locked, Schedule.init(row:)).first, found.$sendAt > batch.now else {
            throw WireError(.timeExpired, "The schedule is due and is being sent. Recall the messages instead.")
        }
        return found
    }

    /// The maximum number of messages per turn, so that waiting commands are not delayed for long.
    private static let messagesPerTurn = 8

    /// Sends due schedules in chronological order, a few messages at a time.
    ///
    /// The messages, the deletion of the schedule and the event for its owner are committed together, so each happens
    /// once. Only one process sends at a time, which preserves the order: it locks a row of the table `meta`.
    /// - Returns: when the next schedule is due.
    mutating func sendDueSchedules() throws -> Int64? {
        let next = try connection.rows("SELECT send_at FROM schedules ORDER BY send_at LIMIT 1") { try $0.int(0) }
        guard let next = next.first, next <= batch.now else { return next.first }
        let lease = try connection.rows("SELECT value FROM meta WHERE name = 'schedules' \(.forUpdateSkipLocked)") {
            try $0.text(0)
        }
        // Another process is sending.
        guard !lease.isEmpty else { return nil }
        let found = try connection.rows(
            """
            SELECT id, send_at, content, user_id FROM schedules WHERE send_at <= \(batch.now)
            ORDER BY send_at, id LIMIT \(Self.messagesPerTurn) \(.forUpdateSkipLocked)
            """
        ) { row in
            (owner: try row.id(3) as UserID, schedule: try dueSchedule(row))
        }
        var due: [(owner: UserID, schedule: Schedule)] = []
        var messages = 0
        for entry in found {
            messages += max(1, entry.schedule.messages.count) * entry.schedule.channels.count
            if !due.isEmpty, messages > Self.messagesPerTurn { break }
            due.append(entry)
        }
        try load(Set(due.flatMap(\.schedule.channels)))
        try load(users: Set(due.map(\.owner)))
        for (owner, schedule) in due { try send(schedule, of: owner) }
        let withFiles = due.filter { !$0.schedule.fileIDs.isEmpty }
        if !withFiles.isEmpty { try flush() }
        for (owner, schedule) in withFiles { try releaseFiles(of: schedule.scheduleID, of: owner) }
        // Schedules that are locked by a change are retried a little later.
        return due.isEmpty ? batch.now + TaskScheduler.interval / 10 : batch.now
    }

    /// Reads a due schedule. If it is unreadable, an empty one is returned, so that it does not block the others.
    private func dueSchedule(_ row: any SQLRow) throws -> Schedule {
        do {
            return try Schedule(row: row)
        } catch {
            let id: ScheduleID = try row.id(0)
            logger.error("schedule unreadable", metadata: ["schedule": "\(id)", "error": "\(error)"])
            return Schedule(scheduleID: id, messages: [], channels: [], sendAt: try row.time(1))
        }
    }

    private mutating func send(_ schedule: Schedule, of owner: UserID) throws {
        command = nil
        try delete(schedule.scheduleID, of: owner)
        guard let user = batch.users[owner]?.user, try canChat(owner),
            let transID = TransID(rawValue: "schedule:\(schedule.scheduleID)")
        else { return }
        command = RunningCommand(
            actor: Actor(user: user, deviceID: "schedule", isOperator: false), transID: transID)
        let (results, _) = try send(schedule)
        let body = ScheduleSent(
            scheduleID: schedule.scheduleID, sendAt: schedule.sendAt, results: results,
            isVote: schedule.vote == nil ? nil : true)
        try append(to: owner, body: .scheduleSent(body))
    }
}

extension Schedule {
    /// Reads the id, time and content.
    fileprivate init(row: any SQLRow) throws {
        let content = try WireCodec.decode(ScheduleContent.self, from: try row.content(2))
        self.init(
            scheduleID: try row.id(0), messages: content.messages, channels: content.channels, sendAt: try row.time(1),
            subject: content.subject, vote: content.vote)
    }
}

extension Reads {
    func listSchedules(_ list: ListSchedules) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 50, most: 100)
        var query: Query = "SELECT id, send_at, content FROM schedules WHERE user_id = \(me)"
        if let last = try cursor(list.cursor, TimeCursor<ScheduleID>.init) {
            query.append(" AND (send_at > \(last.at) OR send_at = \(last.at) AND id > \(last.id))")
        }
        query.append(" ORDER BY send_at, id LIMIT \(limit + 1)")
        let found = try connection.rows(query) { (bytes: try $0.content(2).count, schedule: try Schedule(row: $0)) }
        let (page, next) = page(found, limit: limit, bytes: \.bytes) {
            TimeCursor(at: $0.schedule.$sendAt, id: $0.schedule.scheduleID).text
        }
        return try WireCodec.encode(ListSchedules.Answer(schedules: page.map(\.schedule), next: next))
    }
}
