public import RoostWire

/// The source of ``ChannelHandle/history(before:limit:from:)``.
public enum HistorySource: Hashable, Sendable {
    /// This device, and the server for the rows that are not on it.
    case deviceThenServer
    /// This device only: immediate, and without a connection.
    case device
    /// The server only.
    case server
}

/// A page of a channel's log.
public struct HistoryPage: Hashable, Sendable {
    /// The events, ascending by `seq`.
    public var events: [Event]
    /// Whether there may be earlier events.
    public var hasBefore: Bool
    /// Whether there may be later events.
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
    /// They ascend by `seq`; the row at the bound is not included, so that pages never overlap. By default, stored
    /// events are not requested again, and without a connection the page has the stored events; `hasBefore` says
    /// whether there may be more. A page may be shorter than `limit` if some rows are not visible. A client without a
    /// store always asks the server.
    /// - Throws: a refusal of the server; if no event is stored, also an error of the connection.
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
    /// The row at the bound is not included. Stored events are not requested again unless the source is `server`; with
    /// the source `device` the page has only stored events.
    /// - Throws: a refusal of the server, or an error of the connection.
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

    /// The events around a position, including the one at it, from the server: at most `limit` (1 to 100).
    /// - Throws: a refusal of the server, or an error of the connection.
    public func history(around seq: Int64, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, around: seq, limit: limit))
    }

    /// The events around a message, including the message, from the server: at most `limit` (1 to 100).
    /// - Throws: `.server(.messageNotFound)`; else as ``history(around:limit:)-(Int64,_)``.
    public func history(around message: MessageID, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, aroundMessage: message, limit: limit))
    }

    private func serverHistory(_ list: ListMessages) async throws(RoostError) -> HistoryPage {
        let answer = try await client.perform(list)
        return HistoryPage(events: answer.events, hasBefore: answer.hasBefore, hasAfter: answer.hasAfter)
    }
}
