public import Observation
public import RoostClient
public import RoostWire

/// The list of the user's conversations, the newest activity first, one page at a time.
///
/// ```swift
/// let list = ChannelListModel(client: client)
/// list.start()
/// // draw list.rows; call list.shown(row.id) for each row that is drawn
/// ```
///
/// It shows at once what is stored on the device. A new row in a channel's log moves
/// the channel to the top; a read mark changes its row in place. Open, hidden and
/// ended channels are excluded. It needs a client with a `LocalStore`.
@MainActor @Observable public final class ChannelListModel {
    /// The rows, the newest activity first, each channel once.
    public private(set) var rows: [ChannelRow] = []
    /// Whether a page is being loaded.
    public private(set) var isLoading = false
    /// Whether there are more channels than the loaded ones.
    public private(set) var hasMore = false
    /// Whether the first page was loaded from the server.
    public private(set) var hasLoaded = false
    /// The number of unread messages in all of the user's channels, without muted ones.
    public private(set) var totalUnread = 0
    /// The chosen channel, whose conversation is to be opened; nil if none is open.
    public private(set) var opened: ChannelID?
    /// The connection state of the client.
    public private(set) var connection = ConnectionState.offline
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public private(set) var problem: RoostError?

    /// The total of unread messages for a badge: at most `99+`; nil if it is 0.
    public var badge: String? { ChannelRow.badge(totalUnread) }

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let pageSize: Int
    @ObservationIgnored private let texts: ChatTexts
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private var viewer: UserID?
    /// The cursor of the next page; nil on the last one.
    @ObservationIgnored private var next: String?
    /// The number of unread messages in channels that are not on this device.
    @ObservationIgnored private var unreadElsewhere = 0
    /// Counts the reads of the store, which overlap: an older read does not replace the result of a newer one.
    @ObservationIgnored private var reads = 0
    @ObservationIgnored private var shownBy: [ChannelID: Int] = [:]
    /// The last row, if it was drawn while a page was being loaded.
    @ObservationIgnored private var drawn: ChannelID?

    /// Creates the list; it is empty before ``start()``. A page has 15 rows by default.
    public init(client: ChatClient, pageSize: Int = 15, texts: ChatTexts = .english) {
        self.client = client
        self.texts = texts
        self.pageSize = min(max(pageSize, 1), 100)
    }

    /// Shows the stored rows, loads the first page, and follows all channels; if it is running already, it loads the
    /// first page again.
    ///
    /// Call it when the list appears: when its tab is chosen, or a
    /// screen above it closes.
    public func start() {
        guard client.store != nil else { return problem = ConversationModel.noStore }
        if life.isRunning { return life.run { [weak self] in await self?.loadFirst() } }
        let changes = client.changes()
        life.start({ [weak self] in
            await self?.open()
            for await change in changes {
                guard let self else { return }
                await self.apply(change)
            }
        })
    }

    /// Stops the work that ``start()`` began; the rows stay.
    public func stop() {
        life.stop()
        isLoading = false
    }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    /// Chooses a row: its conversation is to be opened.
    public func choose(_ id: ChannelID) {
        if rows.contains(where: { $0.id == id }) { opened = id }
    }

    /// Call it when the conversation was closed: the list loads its first page again.
    public func conversationClosed() {
        guard opened != nil else { return }
        opened = nil
        start()
    }

    /// Call it when a row is drawn: the last one loads the next page.
    public func shown(_ id: ChannelID) {
        guard rows.last?.id == id, hasMore else { return }
        // A row is drawn only once, so a call while a page is being loaded must be remembered.
        if isLoading { return drawn = id }
        life.run { [weak self] in await self?.loadNext() }
    }

    // MARK: Pages

    private func open() async {
        guard let store = client.store else { return }
        connection = await client.state
        do {
            viewer = try await store.owner
            let read = nextRead()
            try await show(try await store.channels(limit: pageSize), read, replacing: true)
            try await count()
            hasMore = rows.count == pageSize
        } catch {
            fail(error)
        }
        life.run { [weak self] in await self?.loadFirst() }
    }

    /// Loads the first page, which replaces the list; returns whether it was loaded.
    @discardableResult
    public func loadFirst() async -> Bool { await load(after: nil) }

    /// Loads the next page; returns whether it was loaded. While a load runs, another call does nothing.
    @discardableResult
    public func loadNext() async -> Bool {
        guard hasMore else { return false }
        return await load(after: next ?? "")
    }

    private func load(after cursor: String?) async -> Bool {
        guard !isLoading, let store = client.store else { return false }
        isLoading = true
        defer { isLoading = false }
        do {
            if cursor == "" { return try await showMoreOfStore(store) }
            let page = try await client.perform(ListChannels(limit: pageSize, cursor: cursor))
            next = page.next
            hasMore = page.next != nil
            viewer = try await store.owner ?? viewer
            // Channels that changed since the server read the page are above its end, and in the store as well.
            let read = nextRead()
            let here = try await store.channels(limit: .max).filter(Self.reaching(page))
            try await show(here, read, replacing: cursor == nil)
            if cursor == nil { hasLoaded = true }
            unreadElsewhere = max(0, page.totalUnread - (try await Self.counted(in: page, store)))
            try await count()
            problem = nil
            if let last = drawn.take(), last == rows.last?.id, hasMore {
                life.run { [weak self] in await self?.loadNext() }
            }
            return true
        } catch {
            drawn = nil
            if cursor != nil, error.isRetryable, (try? await showMoreOfStore(store)) == true { return true }
            fail(error)
            return false
        }
    }

    /// A filter for the stored channels that are on a page of the server, or above its end.
    private static func reaching(_ page: ListChannels.Answer) -> (Channel) -> Bool {
        guard page.next != nil, let last = page.channels.last else { return { _ in true } }
        let ids = Set(page.channels.map(\.channel))
        return { channel in
            ids.contains(channel.channel) || channel.lastActivityAt > last.lastActivityAt
                || channel.lastActivityAt == last.lastActivityAt && channel.channel < last.channel
        }
    }

    /// How much of a page's total is unread in the channels of the store.
    ///
    /// For the channels on the page it is what the page says: what has come since is in the store, but not in the total.
    private static func counted(
        in page: ListChannels.Answer, _ store: LocalStore
    ) async throws(RoostError) -> Int {
        let told = Dictionary(page.channels.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
        return try await store.channels(limit: .max).reduce(0) { total, known in
            let channel = told[known.channel] ?? known
            return channel.preference?.isMuted == true ? total : total + (channel.unread ?? 0)
        }
    }

    /// Shows one more page of the stored channels, if the server cannot be reached.
    private func showMoreOfStore(_ store: LocalStore) async throws(RoostError) -> Bool {
        let count = rows.count
        let read = nextRead()
        let channels = try await store.channels(limit: count + pageSize)
        try await show(channels, read)
        if next == nil { hasMore = channels.count == count + pageSize }
        return rows.count > count
    }

    private func fail(_ error: RoostError) {
        if error.code != .cancelled { problem = error }
    }

    // MARK: Rows

    private func apply(_ change: LocalChange) async {
        for case .connected(let user) in change.events { viewer = user.userID }
        if let state = change.state, state != connection {
            connection = state
            if state == .live { life.run { [weak self] in await self?.loadFirst() } }
        }
        guard !change.channels.isEmpty, let store = client.store else { return }
        do {
            let read = nextRead()
            let known = try await store.channels(change.channels)
            let ids = Set(rows.map(\.id))
            let gone = change.channels.filter { known[$0]?.isListed != true }
            let isNew = { (id: ChannelID) in !ids.contains(id) }
            let last = rows.last
            let shown = known.values.filter { $0.isListed }.map(\.channel).filter { channel in
                // A channel below the last row comes with its page.
                guard isNew(channel.channel), hasMore, let last, let viewer else { return true }
                return ChannelRow(channel, viewer: viewer).isAbove(last)
            }
            try await show(shown, read, without: gone)
            try await count()
            if unreadElsewhere > 0, change.channels.contains(where: isNew) {
                life.run { [weak self] in await self?.recount() }
            }
        } catch {
            fail(error)
        }
    }

    private func nextRead() -> Int {
        reads += 1
        return reads
    }

    private func show(
        _ channels: [Channel], _ read: Int, replacing: Bool = false, without gone: Set<ChannelID> = []
    ) async throws(RoostError) {
        guard let store = client.store, let viewer else { return }
        var drafts: [ChannelID: Draft] = [:]
        for channel in channels { drafts[channel.channel] = try await store.draft(in: channel.channel) }
        var new = rows.filter { row in
            if shownBy[row.id, default: 0] > read { return true }
            return !replacing && !gone.contains(row.id)
        }
        for id in gone where shownBy[id, default: 0] <= read { shownBy[id] = read }
        for channel in channels where shownBy[channel.channel, default: 0] <= read {
            shownBy[channel.channel] = read
            let row = ChannelRow(channel, viewer: viewer, draft: drafts[channel.channel], texts: texts)
            if let index = new.firstIndex(where: { $0.id == row.id }) { new[index] = row } else { new.append(row) }
        }
        new.sort { $0.isAbove($1) }
        if new != rows { rows = new }
    }

    private func count() async throws(RoostError) {
        guard let store = client.store else { return }
        let total = try await store.totalUnread() + unreadElsewhere
        if total != totalUnread { totalUnread = total }
    }

    private func recount() async {
        guard let store = client.store else { return }
        do {
            let total = try await client.unread().total
            unreadElsewhere = max(0, total - (try await store.totalUnread()))
            try await count()
        } catch {
            // Without a connection the next page counts again.
            if !error.isRetryable || error.code == .storeFailed { fail(error) }
        }
    }
}
