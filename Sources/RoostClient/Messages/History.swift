public import RoostWire

/// Where ``ChannelHandle/history(before:limit:from:)`` looks for what it gives.
public enum HistorySource: Hashable, Sendable {
    /// On this device, and at the server for what is not there.
    case deviceThenServer
    /// On this device only: at once, and without a connection.
    case device
    /// At the server only.
    case server
}

/// A page of a channel's log.
public struct HistoryPage: Hashable, Sendable {
    /// The events, ascending by `seq`.
    public var events: [Event]
    /// Whether there may be more before them.
    public var hasBefore: Bool
    /// Whether there may be more behind them.
    public var hasAfter: Bool

    /// Creates a page.
    public init(events: [Event], hasBefore: Bool, hasAfter: Bool) {
        self.events = events
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
    }
}

extension ChannelHandle {
    /// The events of the channel's log before the position `before`, or the newest ones: at most `limit` (1 to 100).
    ///
    /// They ascend by `seq`; the bound is left out, so that pages never overlap. Unless told otherwise, what this device
    /// has is not asked for again, and without a connection it gives what is here, with `hasBefore` saying whether there
    /// may be more. A page may be shorter than `limit` where events are not to be seen. A client without a store always
    /// asks the server.
    /// - Throws: what the server refused; with nothing on the device to show, why it could not be asked.
    public func history(
        before: Int64? = nil, limit: Int = 50, from source: HistorySource = .deviceThenServer
    ) async throws(RoostError) -> HistoryPage {
        guard source != .server, let store = client.store else {
            guard source != .device else { return HistoryPage(events: [], hasBefore: true, hasAfter: true) }
            return try await serverHistory(ListMessages(channel: id, before: before, limit: limit))
        }
        let limit = min(max(limit, 1), 100)
        let known = try await store.page(of: id, before: before, limit: limit)
        if known.isWhole || source == .device { return known.page }
        do {
            _ = try await serverHistory(ListMessages(channel: id, before: before, limit: limit))
        } catch {
            guard known.page.events.isEmpty || !error.isRetryable else { return known.page }
            throw error
        }
        return try await store.page(of: id, before: before, limit: limit).page
    }

    /// The events of the channel's log after the position `after`, ascending: at most `limit` (1 to 100).
    ///
    /// The bound is left out. What this device has is not asked for again unless the source is `server`; with the source
    /// `device` it gives what is here.
    /// - Throws: what the server refused, and why it could not be asked.
    public func history(
        after: Int64, limit: Int = 50, from source: HistorySource = .deviceThenServer
    ) async throws(RoostError) -> HistoryPage {
        if source != .server, let store = client.store {
            let known = try await store.page(of: id, after: after, limit: min(max(limit, 1), 100))
            if known.isWhole || source == .device { return known.page }
        } else if source == .device {
            return HistoryPage(events: [], hasBefore: true, hasAfter: true)
        }
        return try await serverHistory(ListMessages(channel: id, after: after, limit: limit))
    }

    /// The events on both sides of a position, the one at it included, from the server: at most `limit` (1 to 100).
    /// - Throws: what the server refused, and why it could not be asked.
    public func history(around seq: Int64, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, around: seq, limit: limit))
    }

    /// The events on both sides of a message, the message included, from the server: at most `limit` (1 to 100).
    /// - Throws: `.server(.messageNotFound)`; else as ``history(around:limit:)-(Int64,_)``.
    public func history(around message: MessageID, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, aroundMessage: message, limit: limit))
    }

    private func serverHistory(_ list: ListMessages) async throws(RoostError) -> HistoryPage {
        let answer = try await client.perform(list)
        return HistoryPage(events: answer.events, hasBefore: answer.hasBefore, hasAfter: answer.hasAfter)
    }
}
