public import RoostWire

extension ChannelHandle {
    /// Rows of the channel's log in front of `before`, or the newest ones, ascending: at most `limit` (1 to 100).
    ///
    /// What this device has is not asked for again. Without a connection it gives
    /// what is here, with `hasBefore` saying whether there is more at the server. A
    /// page may be shorter than `limit` where rows are not to be seen.
    /// - Throws: what the server refused, and without a store or anything to show, why it could not be asked.
    public func messages(before: Int64? = nil, limit: Int = 50) async throws(RoostError) -> LocalPage {
        let limit = min(max(limit, 1), 100)
        guard let store = client.store else {
            let answer = try await history(before: before, limit: limit)
            return LocalPage(rows: answer.events, hasBefore: answer.hasBefore, hasAfter: answer.hasAfter)
        }
        let known = try await store.page(of: id, before: before, limit: limit)
        if known.isWhole { return known.page }
        do {
            _ = try await history(before: before, limit: limit)
        } catch {
            guard known.page.rows.isEmpty || !error.isRetryable else { return known.page }
            throw error
        }
        return try await store.page(of: id, before: before, limit: limit).page
    }

    /// What this device has of the rows in front of `before`, or of the newest ones: at most `limit` (1 to 100), ascending.
    ///
    /// The server is not asked: it answers at once, offline too. `hasBefore` says
    /// whether there may be more. Empty for a client without a store.
    /// - Throws: `storeFailed`.
    public func storedMessages(before: Int64? = nil, limit: Int = 50) async throws(RoostError) -> LocalPage {
        guard let store = client.store else { return LocalPage(rows: [], hasBefore: true, hasAfter: true) }
        return try await store.page(of: id, before: before, limit: min(max(limit, 1), 100)).page
    }

    /// Rows of the channel's log behind `after`, ascending: at most `limit` (1 to 100).
    ///
    /// What this device has is not asked for again.
    /// - Throws: what the server refused, and why it could not be asked.
    public func messages(after: Int64, limit: Int = 50) async throws(RoostError) -> LocalPage {
        let limit = min(max(limit, 1), 100)
        if let store = client.store {
            let known = try await store.page(of: id, after: after, limit: limit)
            if known.isWhole { return known.page }
        }
        let answer = try await history(after: after, limit: limit)
        return LocalPage(rows: answer.events, hasBefore: true, hasAfter: answer.hasAfter)
    }

    /// Rows on both sides of one, it included, ascending: at most `limit` (1 to 100).
    /// - Throws: what the server refused, and why it could not be asked.
    public func messages(around seq: Int64, limit: Int = 50) async throws(RoostError) -> LocalPage {
        let answer = try await history(around: seq, limit: min(max(limit, 1), 100))
        return LocalPage(rows: answer.events, hasBefore: answer.hasBefore, hasAfter: answer.hasAfter)
    }

    /// Marks everything up to a row as read, on this device at once and at the server as soon as it can be reached.
    ///
    /// For a client with a store; the mark outlives the process. It never moves back,
    /// and not beyond the newest row that is known.
    /// - Throws: `storeFailed`.
    public func read(upTo seq: Int64) async throws(RoostError) {
        guard let writer = client.engine.writer else {
            try await markRead(upTo: seq)
            return
        }
        let (id, engine) = (id, client.engine)
        try await client.toTheEnd { () async throws(RoostError) in
            let moved = try await writer.edit { transaction -> Int64? in
                let record = try transaction.record(id)
                // Nobody has read what is not there; what comes later is unread.
                let head = max(record.snapshot?.seq ?? 0, record.position ?? 0)
                let seq = head > 0 ? min(seq, head) : seq
                guard seq > record.mark else { return nil }
                try transaction.moveMark(to: seq, in: id, isConfirmed: false)
                return seq
            }
            if let moved { engine.submit(.mark(id, moved)) }
        }
    }
}

extension RoostClient {
    /// Sends a message of the queue that failed again, behind those that wait.
    ///
    /// It keeps its transID, so that it cannot be doubled, unless it failed with
    /// `outcomeUnknown`: then the server may have forgotten that it has it. With
    /// `message`, that is sent instead; only a message that the server refused for
    /// good may be changed.
    /// - Throws: `tooLate` when it is not in the queue, or has not failed, or may have been stored and was changed.
    public func retry(_ transID: TransID, with message: SendMessage? = nil) async throws(RoostError) {
        guard let writer = engine.writer else { throw Self.noStore }
        let engine = engine
        try await toTheEnd { () async throws(RoostError) in
            let queued = try await writer.edit { transaction in
                let old = try LocalStore.queued(transID, transaction.db)
                if message != nil, case .failed(let error) = old?.state, error.isRetryable || error.wire == nil {
                    throw RoostError(
                        .tooLate, "The message may have been stored. Send it again as it is, or discard it.")
                }
                return try transaction.requeue(transID, with: message, serverTime: engine.serverTime)
            }
            guard let queued else {
                throw RoostError(.tooLate, "The message is not in the queue, or has not failed.")
            }
            if let file = queued.upload {
                engine.hold(queued.message, Uploads.Job(transID: transID, file: file), Promise())
            } else {
                engine.submit(.send(queued.message, transID, Promise()))
            }
        }
    }

    /// Takes a message out of the send queue: one that failed, or that is not on its way yet.
    ///
    /// One that is not in the queue is passed over.
    /// - Throws: `tooLate` when it is on its way to the server, or there already.
    public func discard(_ transID: TransID) async throws(RoostError) {
        guard let writer = engine.writer else { throw Self.noStore }
        guard let queued = try await store?.read({ try LocalStore.queued(transID, $0) }) else { return }
        if case .sent = queued.state {
            throw RoostError(.tooLate, "The message is on the server's disk. Recall it.")
        }
        let engine = engine
        try await toTheEnd { () async throws(RoostError) in
            let promise = Promise<Void>()
            engine.submit(.cancel(transID, promise))
            try await promise.value
            try await writer.edit { try $0.discard(transID, in: queued.message.channel) }
        }
    }

    /// Disconnects and deletes everything in the store, the send queue and the drafts included.
    ///
    /// After it, another user may connect with the same store.
    /// - Throws: `storeFailed`.
    public func clean() async throws(RoostError) {
        await disconnect()
        guard let store else { return }
        try await store.wipe()
        let promise = Promise<Void>()
        engine.submit(.forget(promise))
        try await promise.value
    }

    /// Does all of the steps, also where the task that waits for them is cancelled between two of them.
    func toTheEnd<T: Sendable>(
        _ steps: @escaping @Sendable () async throws(RoostError) -> T
    ) async throws(RoostError) -> T {
        let promise = Promise<T>()
        Task {
            do throws(RoostError) { promise.complete(.success(try await steps())) } catch {
                promise.complete(.failure(error))
            }
        }
        return try await promise.value
    }

    static var noStore: RoostError {
        RoostError(.invalidConfiguration, "The client has no local store. Give its configuration one.")
    }

    /// What the store holds newly, a commit at a time, from now on. It ends with the task that reads it.
    ///
    /// It holds the client's events too, in the same order as ``events(ignoringOwn:)``. Empty for a
    /// client without a store.
    public func changes() -> LocalChanges {
        LocalChanges(subscription: (engine.writer?.changes ?? Multicast(limit: 1, lagged: nil)).subscribe())
    }

    /// Tells the client that the device has a network again, so that it need not wait for its next try, or has none.
    public func networkChanged(isUsable: Bool) { engine.submit(.network(isUsable: isUsable)) }

    /// Closes the connection because the app is in the background; what waits stays, and ``enterForeground()`` goes on.
    public func enterBackground() { engine.submit(.suspend) }

    /// Connects at once after ``enterBackground()``; nothing otherwise.
    public func enterForeground() { engine.submit(.awake) }
}

/// The commits of a local store, as ``RoostClient/changes()`` gives them. For one reader.
public struct LocalChanges: AsyncSequence, Sendable {
    /// What one commit changed.
    public typealias Element = LocalChange
    /// It never throws.
    public typealias Failure = Never
    let subscription: Subscription<LocalChange>

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(batch: Batch(subscription: subscription)) }

    /// Reads the commits in their order.
    public struct Iterator: AsyncIteratorProtocol {
        /// What one commit changed.
        public typealias Element = LocalChange
        /// It never throws.
        public typealias Failure = Never
        var batch: Batch<LocalChange>

        /// The next commit; nil when the task was cancelled.
        public mutating func next() async -> LocalChange? { await batch.next() }
    }
}
