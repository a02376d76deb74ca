import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Pages, gaps and jumps.
extension ConversationModel {
    /// Call it when an item is drawn: the first item loads the page before it, a gap loads the missing rows, and at the
    /// last item the list is at its end.
    public func shown(_ item: TimelineItem.ID) {
        if case .gap = item {
            life.run { [weak self] in await self?.load(gap: item) }
            return
        }
        if let last = timeline.items.last, last.id == item, !isAtBottom { setAtBottom(true) }
        guard let index = timeline.items.firstIndex(where: { $0.id == item }) else { return }
        lastShown = timeline.items[index].seq ?? lastShown
        let first = timeline.items.firstIndex(where: \.isContent) ?? 0
        if index <= first, hasPrevious, !isLoadingPrevious {
            life.run { [weak self] in await self?.loadPrevious() }
        }
    }

    /// Loads the page before the oldest row; returns whether it was loaded.
    ///
    /// While one load runs, another call does nothing. The list is asked to keep the
    /// top row in place. A failure sets ``problem``, and a later call
    /// tries again.
    @discardableResult
    public func loadPrevious() async -> Bool {
        guard !isLoadingPrevious, timeline.hasPrevious, let edge = timeline.previousEdge else { return false }
        isLoadingPrevious = true
        defer { isLoadingPrevious = false }
        let generation = generation
        do {
            let page = try await client.channel(id).history(before: edge, limit: configuration.pageSize)
            if !page.events.isEmpty, configuration.pagePauseMs > 0 {
                try? await clock.sleep(clock.now() + Double(configuration.pagePauseMs) / 1_000)
            }
            guard generation == self.generation else { return false }
            let top = timeline.items.first(where: \.isContent)?.id
            let count = timeline.items.count
            update { $0.insert(page, before: edge) }
            if timeline.items.count > count, let top { requestScroll(to: top, .top) }
            return !page.events.isEmpty
        } catch {
            fail(error)
            return false
        }
    }

    /// Loads the rows after the newest row of the current part; returns whether they were loaded.
    ///
    /// The current part contains the row that was last shown or jumped to.
    /// If it reaches the newest row, nothing is loaded.
    @discardableResult
    public func loadNext() async -> Bool {
        let place = lastShown ?? timeline.lastSeq
        guard let stretch = timeline.stretches.first(where: { $0.contains(place) }),
            stretch.upperBound < timeline.lastSeq
        else { return false }
        return await load(behind: stretch.upperBound)
    }

    /// Loads the missing rows at a gap, from the side of the reader.
    @discardableResult
    public func load(gap: TimelineItem.ID) async -> Bool {
        guard let index = timeline.items.firstIndex(where: { $0.id == gap }),
            case .gap(let after, let before) = timeline.items[index].kind
        else { return false }
        guard let lastShown, lastShown >= before else { return await load(behind: after) }
        guard !isLoadingNext else { return false }
        isLoadingNext = true
        defer { isLoadingNext = false }
        let generation = generation
        do {
            let page = try await client.channel(id).history(before: before, limit: configuration.pageSize)
            guard generation == self.generation else { return false }
            let anchor = timeline.items.first { ($0.seq ?? 0) >= before }?.id
            update { $0.insert(page, before: before) }
            if let anchor { requestScroll(to: anchor, .top) }
            return !page.events.isEmpty
        } catch {
            fail(error)
            return false
        }
    }

    private func load(behind seq: Int64) async -> Bool {
        guard !isLoadingNext else { return false }
        isLoadingNext = true
        defer { isLoadingNext = false }
        let generation = generation
        do {
            let page = try await client.channel(id).history(after: seq, limit: configuration.pageSize)
            guard generation == self.generation else { return false }
            // If two parts of the log meet, rows may appear above those on the screen.
            update { $0.insert(page, after: seq) }
            return !page.events.isEmpty
        } catch {
            fail(error)
            return false
        }
    }

    /// Scrolls to a message, loading the rows around it if necessary; returns whether it is in the list.
    ///
    /// The list does not follow then; ``goToNewest()`` goes back.
    @discardableResult
    public func jump(to message: MessageID) async -> Bool { await jump(to: message.seq) }

    /// Scrolls to a row of the channel's log, as ``jump(to:)`` does to a message.
    @discardableResult
    public func jump(to seq: Int64) async -> Bool {
        if !timeline.covers(seq) {
            guard !isLoadingNext else { return false }
            isLoadingNext = true
            defer { isLoadingNext = false }
            let generation = generation
            do {
                let page = try await client.channel(id).history(around: seq, limit: configuration.pageSize)
                guard generation == self.generation else { return false }
                update { $0.insert(around: page) }
            } catch {
                fail(error)
                return false
            }
        }
        guard let item = timeline.items.first(where: { $0.isContent && $0.seq == seq }) else { return false }
        lastShown = seq
        setAtBottom(false)
        requestScroll(to: item.id, .center)
        return true
    }

    /// Reads the newest page and the read marks from the server.
    func loadNewest() async {
        guard !isLoadingNewest else { return }
        isLoadingNewest = true
        defer { isLoadingNewest = false }
        var generation: Int
        repeat {
            generation = self.generation
            do {
                // The read marks of others come with the channel, not with its log.
                _ = try? await client.channel(id).get()
                let page = try await client.channel(id).history(limit: configuration.pageSize)
                guard generation == self.generation else { continue }
                update { $0.insertNewest(page) }
                firstPageIsHere()
                await markRead()
            } catch {
                // The stored rows are shown; the next connection tries again.
                if !hasLoaded || !error.isRetryable { fail(error) }
            }
        } while generation != self.generation && !Task.isCancelled
    }

    func firstPageIsHere() {
        guard !hasLoaded else { return }
        hasLoaded = true
        requestScroll(to: nil, .bottom)
    }

    func fail(_ error: RoostError) {
        if error.code != .cancelled { problem = error }
    }
}

// Actions on the user's failed messages.
extension ConversationModel {
    /// Sends a failed message again, as it is or with another text; it stays the same message.
    public func retry(_ transID: TransID, text: String? = nil) async {
        do {
            guard let text, let queued = timeline.queue.first(where: { $0.transID == transID }) else {
                return try await client.retry(transID)
            }
            var message = queued.message
            message.text = text
            message.mentions = nil
            try await client.retry(transID, with: message)
        } catch {
            fail(error)
        }
    }

    /// Removes a message from the conversation that failed or is not in flight yet.
    public func discard(_ transID: TransID) async {
        do { try await client.discard(transID) } catch { fail(error) }
    }
}
