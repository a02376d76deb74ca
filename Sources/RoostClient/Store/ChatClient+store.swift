public import RoostWire

extension ChatClient {
    /// Sends a failed message of the send queue again, after those that wait.
    ///
    /// It keeps its transID, so that it cannot be sent twice, unless it failed with
    /// `outcomeUnknown`: then the server may have forgotten the transID. With
    /// `message`, that is sent instead; only a message that the server refused
    /// permanently may be changed.
    /// - Throws: `tooLate` if it is not in the queue, has not failed, or was changed and may have been stored before.
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

    /// Removes a message from the send queue: one that failed, or that is not in flight yet.
    ///
    /// A message that is not in the queue is ignored. If its file is being uploaded, the upload is cancelled.
    /// - Throws: `tooLate` if it is in flight or on the server already.
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
            engine.cancelUpload(transID)
        }
    }

    /// Disconnects and deletes everything in the store and the file cache, including the send queue and the drafts.
    ///
    /// Then another user may connect with the same store.
    /// - Throws: `storeFailed`.
    public func clean() async throws(RoostError) {
        await disconnect()
        await fileCache.removeAll()
        guard let store else { return }
        try await store.wipe()
        let promise = Promise<Void>()
        engine.submit(.forget(promise))
        try await promise.value
    }

    /// Executes all steps, even if the task that waits for them is cancelled between two of them.
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

    /// The changes of the store, one commit at a time, from now on. The sequence ends with the task that reads it.
    ///
    /// They contain the client's events too, in the order of ``events(ignoringOwn:)``. Empty for a
    /// client without a store.
    public func changes() -> LocalChanges {
        LocalChanges(subscription: (engine.writer?.changes ?? Multicast(limit: 1, lagged: nil)).subscribe())
    }

    /// Reports that the device has a network again, so that the client connects without waiting, or that it has none.
    public func networkChanged(isUsable: Bool) { engine.submit(.network(isUsable: isUsable)) }

    /// Closes the connection because the app is in the background; ``enterForeground()`` continues what is waiting.
    ///
    /// While ``holdConnection()`` is in effect, the connection is closed only once that ends.
    public func enterBackground() { backgroundState.hide(engine) }

    /// Connects at once after ``enterBackground()``; otherwise it does nothing.
    public func enterForeground() { backgroundState.show(engine) }

    /// Keeps the connection although the app goes to the background, as while a picker of files covers it, until
    /// ``releaseConnection()``. Calls are counted.
    public func holdConnection() { backgroundState.hold() }

    /// Ends one ``holdConnection()``; with the last one the connection is closed if the app is in the background.
    /// Without one it does nothing.
    public func releaseConnection() { backgroundState.release(engine) }
}

/// The commits of a local store, from ``ChatClient/changes()``. For one reader.
public struct LocalChanges: AsyncSequence, Sendable {
    /// The changes of one commit.
    public typealias Element = LocalChange
    /// It never throws.
    public typealias Failure = Never
    let subscription: Subscription<LocalChange>

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(batch: Batch(subscription: subscription)) }

    /// Reads the commits in their order.
    public struct Iterator: AsyncIteratorProtocol {
        /// The changes of one commit.
        public typealias Element = LocalChange
        /// It never throws.
        public typealias Failure = Never
        var batch: Batch<LocalChange>

        /// The next commit; nil if the task was cancelled.
        public mutating func next() async -> LocalChange? { await batch.next() }
    }
}
