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
    /// The first row that the page covers: between `from` and `to` there are no other events that were asked for and
    /// that the user may see. It may be lower than the first event, and is 1 if there is nothing before the page.
    public var from: Int64
    /// The last row that the page covers; lower than `from` if it covers none.
    public var to: Int64

    /// Creates a page.
    public init(events: [Event], hasBefore: Bool, hasAfter: Bool, from: Int64, to: Int64) {
        self.events = events
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
        self.from = from
        self.to = to
    }

    /// A page that says nothing: of a log of which nothing is known on this device.
    static let unknown = HistoryPage(events: [], hasBefore: true, hasAfter: true, from: 1, to: 0)
}

extension ChannelHandle {
    /// The events of the channel's log before the position `before`, or the newest ones: at most `limit` (1 to 100).
    ///
    /// These are the events that show in a conversation, messages and lines; reactions, ballots and recalls are already
    /// in the messages. They ascend by `seq`; the row at the bound is not included, so that pages never overlap. For
    /// the page before this one pass its `from`. By default, stored
    /// events are not requested again, and without a connection the page has the stored events; `hasBefore` says
    /// whether there may be more. A page may be shorter than `limit`; an empty page is the beginning of the log, unless
    /// `hasBefore` is true because the server cannot be asked. A client without a store always asks the server.
    /// - Throws: a refusal of the server; if no event is stored, also an error of the connection.
    public func history(
        before: Int64? = nil, limit: Int = 50, from source: HistorySource = .deviceThenServer
    ) async throws(RoostError) -> HistoryPage {
        guard source != .server, let store = client.store else {
            guard source != .device else { return .unknown }
            return try await serverHistory(before: before, limit: limit)
        }
        let limit = min(max(limit, 1), 100)
        let known = try await store.page(of: id, before: before, limit: limit)
        if known.isWhole || source == .device { return known.page }
        do {
            _ = try await serverHistory(before: before, limit: limit)
        } catch {
            guard known.page.events.isEmpty || !error.isRetryable else { return known.page }
            throw error
        }
        return try await store.page(of: id, before: before, limit: limit).page
    }

    /// The events of the channel's log after the position `after`, ascending: at most `limit` (1 to 100).
    ///
    /// They are the same events as those of ``history(before:limit:from:)``. The row at the bound is not included; for
    /// the page after this one pass its `to`. Stored events are not requested again unless the source is `server`; with
    /// the source `device` the page has only stored events.
    /// - Throws: a refusal of the server, or an error of the connection.
    public func history(
        after: Int64, limit: Int = 50, from source: HistorySource = .deviceThenServer
    ) async throws(RoostError) -> HistoryPage {
        if source != .server, let store = client.store {
            let known = try await store.page(of: id, after: after, limit: min(max(limit, 1), 100))
            if known.isWhole || source == .device { return known.page }
        } else if source == .device {
            return .unknown
        }
        var page = try await serverHistory(shown(after: after, limit))
        while page.events.isEmpty, page.hasAfter {
            let next = try await serverHistory(shown(after: page.to, limit))
            guard next.to > page.to else { break }
            page = HistoryPage(
                events: next.events, hasBefore: page.hasBefore, hasAfter: next.hasAfter, from: page.from, to: next.to)
        }
        return page
    }

    /// The events around a position, including the one at it, from the server: at most `limit` (1 to 100).
    ///
    /// They are the same events as those of ``history(before:limit:from:)``.
    /// - Throws: a refusal of the server, or an error of the connection.
    public func history(around seq: Int64, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, around: seq, limit: limit, onlyShown: true))
    }

    /// The events around a message, including the message, from the server: at most `limit` (1 to 100).
    /// - Throws: `.server(.messageNotFound)`; else as ``history(around:limit:)-(Int64,_)``.
    public func history(around message: MessageID, limit: Int = 50) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, aroundMessage: message, limit: limit, onlyShown: true))
    }

    /// All rows of the channel's log that the user may see, those that do not show included, from the server.
    ///
    /// For exports and inspection; a conversation uses ``history(before:limit:from:)``. At most one of `before` and
    /// `after` is given, else the newest rows are read: at most `limit` (1 to 100), ascending by `seq`.
    /// - Throws: `.server(.dataFormat)` if both are given; an error of the connection.
    public func log(
        before: Int64? = nil, after: Int64? = nil, limit: Int = 50
    ) async throws(RoostError) -> HistoryPage {
        try await serverHistory(ListMessages(channel: id, before: before, after: after, limit: limit))
    }

    private func shown(before: Int64? = nil, after: Int64? = nil, _ limit: Int) -> ListMessages {
        ListMessages(channel: id, before: before, after: after, limit: limit, onlyShown: true)
    }

    /// Reads one page after the other until one has events or is the first of the log.
    private func serverHistory(
        before: Int64?, limit: Int
    ) async throws(RoostError) -> HistoryPage {
        var page = try await serverHistory(shown(before: before, limit))
        while page.hasBefore, page.events.isEmpty {
            let next = try await serverHistory(shown(before: page.from, limit))
            guard next.from < page.from else { break }
            page = HistoryPage(
                events: next.events, hasBefore: next.hasBefore, hasAfter: page.hasAfter, from: next.from, to: page.to)
        }
        return page
    }

    private func serverHistory(_ list: ListMessages) async throws(RoostError) -> HistoryPage {
        let answer = try await client.perform(list)
        return HistoryPage(
            events: answer.events, hasBefore: answer.hasBefore, hasAfter: answer.hasAfter, from: answer.from,
            to: answer.to)
    }
}
