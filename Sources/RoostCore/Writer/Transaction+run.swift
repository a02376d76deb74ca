import Logging
import RoostWire

/// Running the jobs of a batch.
extension Transaction {
    /// Runs the jobs of a batch within its budget.
    /// - Returns: the unfinished jobs, in order.
    mutating func run(_ jobs: [Job]) throws -> [Job] {
        let start = effects.uptime()
        try preload(jobs[...])
        if isShared { batch.lockTime = effects.uptime() - start }
        var budget = BatchBudget(uptime: effects.uptime(), rows: batch.rows)
        var left: [Job] = []
        var unfinished: Set<UserID> = []
        for job in jobs {
            let user = job.user
            guard budget.hasRoom(for: user), !unfinished.contains(user) else {
                left.append(job)
                continue
            }
            if let rest = try run(job) {
                left.append(rest)
                unfinished.insert(user)
            } else if job.isRepeated {
                batch.jobs += 1
            }
            budget.charge(user, uptime: effects.uptime(), rows: batch.rows)
        }
        return left
    }

    /// - Returns: the rest of the job for further turns, or nil.
    private mutating func run(_ job: Job) throws -> Job? {
        // No command is running yet.
        command = nil
        switch job {
        case .command(let command, let id, let actor, let target, let progress):
            guard let reply = try answer(command, id: id, from: actor, progress ?? CommandProgress()) else {
                return .command(command, id: id, actor, target, self.command?.progress)
            }
            if case .refused(let error) = reply { report(error, of: command.value, by: actor) }
            switch target {
            case .session(let session, let id):
                batch.commands.append(AnsweredCommand(type(of: command.value).name, id: id, reply, from: actor))
                batch.deliveries.append(.reply(session, id: id, reply))
            case .closure: batch.answered.append(Batch.Answered(target: target, reply: reply))
            }
        case .attach(let session, let id, let actor): try attach(session, id: id, as: actor)
        case .detach(let session, let user, let since):
            noteUnreached(session, since: since)
            try batch.detach(session, of: user)
        case .participate(let session, let user, let ids, let then):
            try participate(session, of: user, in: ids.prefix(Job.channelsAtOnce))
            let rest = ids.dropFirst(Job.channelsAtOnce)
            guard rest.isEmpty else { return .participate(session, user, Array(rest), then: then) }
            let joined = try WireCodec.encode((batch.sessions[session]?.open ?? []).sorted())
            batch.answered.append(Batch.Answered(target: .closure(then), reply: .accepted(joined)))
        case .work(_, let body, let then):
            let before = batch
            do {
                batch.answered.append(Batch.Answered(target: .closure(then), reply: .accepted(try body(&self))))
            } catch let error as WireError {
                let hasFlushed = batch.flushes != before.flushes
                batch = before
                if hasFlushed { batch.forgetPending() }
                batch.answered.append(Batch.Answered(target: .closure(then), reply: .refused(error)))
            }
        }
        return nil
    }

    /// Runs one command on the batch; a refused command leaves the batch unchanged.
    /// - Returns: nil if the command needs another turn.
    private mutating func answer(
        _ command: Change, id: String, from sender: Actor, _ progress: CommandProgress
    ) throws -> Reply? {
        do {
            try checkAccess(of: sender)
            // A user without a connection is created by the first command.
            var actor = sender
            if let session = actor.session {
                actor.user = batch.sessions[session]?.user ?? actor.user
            } else if let known = try user(actor.user.userID) {
                actor.user = known.user(loggedInAs: actor.user)
            } else {
                try add(UserState(user: actor.user, host: actor.host))
            }
            self.command = RunningCommand(actor: actor, progress: progress)
            switch command {
            // These check everything before they change anything, so no rollback is needed.
            case .move(let command):
                let answer = try move(command)
                return needsAnotherTurn ? nil : .accepted(answer)
            case .write(let command):
                if command.isSend { return try runOnce(command, id: id).map(Reply.accepted) }
                return try runAtomically(command, id: id).map(Reply.accepted)
            }
        } catch let error as WireError {
            return .refused(error)
        } catch let error as DatabaseFailure {
            throw error
        } catch {
            logger.error(
                "command failed",
                metadata: [
                    "command": "\(type(of: command.value).name)", "id": "\(TransID(rawValue: id) == nil ? "" : id)",
                    "user": "\(sender.user.userID)", "error": "\(error)",
                ])
            return .refused(WireError(.unknown))
        }
    }

    /// Runs a command with a key; a refused command leaves the batch unchanged.
    private mutating func runAtomically(_ command: WritingCommand, id: String) throws -> [UInt8]? {
        let before = batch
        do {
            return try runOnce(command, id: id)
        } catch {
            let hasFlushed = batch.flushes != before.flushes
            batch = before
            // A command flushes before it changes anything, so the flushed rows are those from before it.
            if hasFlushed { batch.forgetPending() }
            if error is WireError, let known = try completedElsewhere(id) {
                return try known.answer(for: try command.bodyHash())
            }
            throw error
        }
    }

    /// Returns the result of the command if another process ran it while this one waited for locks.
    ///
    /// A client that loses its connection may repeat a command at another process.
    private mutating func completedElsewhere(_ id: String) throws -> KnownCommand? {
        guard isShared, let transID = TransID(rawValue: id) else { return nil }
        let key = CommandKey(user: try me, transID: transID)
        guard batch.known[key] == nil else { return nil }
        try lookUp([[.text(key.user.rawValue), .text(transID.rawValue)]])
        return batch.known[key]
    }

    /// Runs a command with a key; a repetition returns the first answer.
    /// - Returns: nil if the command needs another turn.
    private mutating func runOnce(_ command: WritingCommand, id: String) throws -> [UInt8]? {
        guard let transID = TransID(rawValue: id) else {
            throw WireError(.dataFormat, "A command that changes data needs a transID as its id.")
        }
        let key = CommandKey(user: try me, transID: transID)
        let hash = try command.bodyHash()
        if let known = batch.known[key] { return try known.answer(for: hash) }
        self.command?.transID = transID
        self.command?.hash = hash
        let outcome = try write(command)
        if needsAnotherTurn { return nil }
        try report(command)
        let answer = outcome.answer
        batch.known[key] = KnownCommand(hash: hash, answer: answer)
        if outcome.needsKeyRow {
            batch.keyRows.append([
                .text(key.user.rawValue), .text(transID.rawValue), .int(hash), .int(batch.now), .content(answer),
            ])
        }
        if command.isSend { batch.lastSend[key.user] = transID }
        // It is damaged: only this command fails.
        guard !answer.isEmpty else { throw WireError(.internalFault) }
        return answer
    }
}

extension KnownCommand {
    /// Returns the first answer if this is the same command.
    /// - Throws: `WireError` 1119 if it is a different command.
    func answer(for hash: Int64) throws(WireError) -> [UInt8] {
        guard hash == self.hash else {
            throw WireError(
                .duplicateTransID, "This transID was used for another command. Use a new one for every command.")
        }
        return answer
    }
}
