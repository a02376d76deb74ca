import Logging
import RoostWire

extension Writer {
    /// Lets the sessions of this server get what a commit has changed that may be done or not.
    func noteUncertainCommit() {
        let name = NodeLease.makeID(effects)
        guard let old = caches.renameJournal(name) else { return endSessions(lackingSince: settledAt() - 1) }
        // If it is done, it is found like one of another server.
        journal.rename(name, lastNumber: old.number)
    }

    /// Ends all sessions, because they lack what was committed since a time.
    private func endSessions(lackingSince time: Int64) {
        var batch = Batch(now: effects.now(), over: caches)
        batch.sessions.lack(since: time)
        committed(batch)
        notify(.sessionsOutdated)
    }

    /// Ends all sessions when it is the turn of the writer, because they lack what was committed in the last ms.
    func endSessions(lackingMs time: Int64) {
        let job = Job.work(
            Core.itself,
            { transaction in
                transaction.batch.sessions.lack(since: transaction.batch.now - time)
                return []
            },
            then: { [weak self] _ in self?.notify(.sessionsOutdated) })
        _ = submit(job)
    }

    /// What others are to get of a batch that is committed, or that is no commit; nil if there is nothing.
    /// Called before it is applied to the caches.
    func doorbell(of batch: Batch) -> Doorbell? {
        guard let node = journal.audience, let end = batch.features.journalEnd else { return nil }
        let isCommit = end.number != caches.features.journalEnd?.number
        let doorbell = Doorbell(batch, node: node, end: end, isCommit: isCommit)
        return doorbell.isEmpty ? nil : doorbell
    }

    /// Applies to the sessions of this server what others have committed.
    func applyChangesElsewhere() {
        let records = takeElsewhere()
        guard !records.isEmpty else { return }
        var batch = Batch(now: effects.now(), over: caches)
        for record in records {
            for user in record.renamed where !caches.sessions.sessions(of: user).isEmpty { renew(user) }
            for change in record.subscriptions where !change.isStart {
                do {
                    try batch.endTyping(of: change.user, in: change.channel)
                } catch {
                    logger.error("the end of typing could not be announced", metadata: ["error": "\(error)"])
                }
                for session in batch.sessions.sessions(of: change.user) {
                    batch.sessions.withdraw(session, from: change.channel)
                }
            }
            // The task that ends their sessions is due at once.
            if !record.restricted.isEmpty { batch.schedule(at: batch.now) }
            announcements.marks.add(record.marks)
            for guest in record.loggedOut { batch.endGuestSessions(guest) }
        }
        batch.features.connections.changedChannels.formUnion(batch.sessions.changedParticipants)
        committed(batch)
    }

    /// Gives the sessions of a user the name and picture that are stored now.
    private func renew(_ user: UserID) {
        let job = Job.work(
            user,
            { transaction in
                if let known = try transaction.user(user) { transaction.batch.sessions.rename(known.user) }
                return []
            }, then: { _ in })
        _ = submit(job)
    }
}
