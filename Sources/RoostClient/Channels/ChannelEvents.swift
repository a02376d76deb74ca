import RoostWire

extension ChannelHandle {
    /// The events of this channel from now on; with `after`, first the rows after that one.
    ///
    /// With `after` the sequence reads the log page by page and then continues with
    /// live events: each row once, in order, without a gap. If
    /// the connection missed more than the server replays, it reads the log
    /// again. An open channel has live events only while it is joined: call
    /// ``join()`` first. Besides the channel's events it contains `connected` and
    /// `disconnected`.
    ///
    /// The subscription begins with the call. The sequence is for one reader and
    /// ends with its task.
    /// - Throws: while reading, a permanent refusal of the server, such as 1105 for an unknown channel; `lagged` if
    ///   more than 100,000 events waited.
    public func events(after seq: Int64? = nil) -> ChannelEvents {
        let id = id
        return ChannelEvents(
            handle: self, after: seq.map { max(0, $0) },
            subscription: client.engine.events.subscribe(where: { $0.concerns(id) }))
    }
}

/// The events of one channel, from ``ChannelHandle/events(after:)``. For one reader.
public struct ChannelEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ClientEvent
    /// The error that ends it early.
    public typealias Failure = RoostError
    let handle: ChannelHandle
    let after: Int64?
    let subscription: Subscription<ClientEvent>

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(handle: handle, live: Batch(subscription: subscription), order: PageThenLive(after: after))
    }

    /// Reads the events in their order.
    public struct Iterator: AsyncIteratorProtocol {
        /// An event.
        public typealias Element = ClientEvent
        /// The error that ends it early.
        public typealias Failure = RoostError
        let handle: ChannelHandle
        var live: Batch<ClientEvent>
        var order: PageThenLive
        private var isOver = false

        init(handle: ChannelHandle, live: Batch<ClientEvent>, order: PageThenLive) {
            self.handle = handle
            self.live = live
            self.order = order
        }

        /// The next event; nil if the task was cancelled.
        public mutating func next() async throws(RoostError) -> ClientEvent? {
            while !isOver {
                if let event = order.next() { return event }
                if let cursor = order.wantsPageAfter {
                    do {
                        order.append(
                            try await handle.client.perform(
                                ListMessages(channel: handle.id, after: cursor, limit: 100)))
                    } catch {
                        if Task.isCancelled { return nil }
                        if error.isRetryable, error.code != .notConnected {
                            let wait = RetryAfter.wait(error.retryAfterMs, otherwise: 500)
                            try? await Task.sleep(for: .milliseconds(wait))
                            continue
                        }
                        isOver = true
                        throw error
                    }
                    continue
                }
                guard let event = await live.next() else {
                    isOver = true
                    return nil
                }
                if case .lagged = event {
                    isOver = true
                    throw RoostError(.lagged, "The events were read too slowly: more than 100,000 waited.")
                }
                order.append(event)
            }
            return nil
        }
    }
}

/// Merges pages of a log and live events into one order. It only decides; the iterator reads.
struct PageThenLive: Sendable {
    /// The newest row that was returned; nil if only live events were requested.
    private var cursor: Int64?
    private var isPaging: Bool
    private var ready: [ClientEvent] = []
    private var index = 0
    /// The live event that revealed missing rows; it comes after the page.
    private var waiting: ClientEvent?

    init(after: Int64?) {
        cursor = after
        isPaging = after != nil
    }

    /// The row after which a page has to be read now.
    var wantsPageAfter: Int64? { isPaging ? cursor : nil }

    mutating func next() -> ClientEvent? {
        if index < ready.count {
            defer { index += 1 }
            return ready[index]
        }
        if index > 0 {
            ready.removeAll(keepingCapacity: true)
            index = 0
        }
        if !isPaging, let event = waiting {
            waiting = nil
            append(event)
            return next()
        }
        return nil
    }

    mutating func append(_ page: ListMessages.Answer) {
        for event in page.events {
            guard let seq = event.seq, seq > cursor ?? 0 else { continue }
            cursor = seq
            ready.append(.event(event, isPast: true))
        }
        if page.events.isEmpty || !page.hasAfter {
            // The log is complete up to here: rows that a page leaves out are not visible to the user.
            cursor = max(cursor ?? 0, page.seq)
            isPaging = false
            // A live row beyond an empty page must not cause the same request forever.
            if page.events.isEmpty, let number = waiting?.row { cursor = max(cursor ?? 0, number - 1) }
        }
    }

    mutating func append(_ event: ClientEvent) {
        guard let cursor else {
            ready.append(event)
            return
        }
        if let row = event.row {
            if row <= cursor { return }
            if row > cursor + 1 {
                waiting = event
                isPaging = true
                return
            }
            self.cursor = row
        } else if case .reset(let reset) = event {
            switch reset.reason {
            case .tooFar: isPaging = true
            case .epoch, .ahead: self.cursor = max(0, reset.seq)
            case .gone: break
            }
        } else if case .mentioned(_, let named) = event, let row = named.seq, row > cursor {
            // It follows its own row, which is part of a page.
            return
        }
        ready.append(event)
    }
}

extension ClientEvent {
    /// The channel row in it.
    fileprivate var row: Int64? {
        if case .event(let event, _) = self, event.channel != nil { event.seq } else { nil }
    }
}
