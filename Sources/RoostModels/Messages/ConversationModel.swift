public import Observation
public import RoostClient
public import RoostWire

/// The screen of one conversation: its timeline, typing users, read marks, and the position of the list.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id)
/// model.start()
/// // draw model.items; call model.shown(item.id) for each item that is drawn,
/// // model.setAtBottom(_:) when the reader scrolls, model.setVisible(_:) with the screen
/// ```
///
/// It needs a client with a `LocalStore`: stored messages show at once,
/// offline too, and everything that arrives is stored before it is shown. It
/// runs from ``start()`` to ``stop()``, or until the last reference is dropped.
@MainActor @Observable public final class ConversationModel {
    /// The settings of a conversation's screen.
    public struct Configuration: Sendable {
        /// How many rows a page has, 1 to 100.
        public var pageSize = 50
        /// How long the loading indicator is shown before an older page is inserted, in ms.
        public var pagePauseMs: Int64 = 0

        /// Creates the default configuration: pages of 50, no delay.
        public init() {}
    }

    /// A request to scroll the list.
    public struct Scroll: Hashable, Sendable {
        /// Where the item is to be on the screen.
        public enum Position: Sendable {
            /// At the top, where it was before a page was inserted above it.
            case top
            /// In the middle: the target of a jump.
            case center
            /// At the bottom.
            case bottom
        }

        /// Counts the requests: a new number is a new request.
        public let number: Int
        /// The item; nil for the end of the list.
        public let item: TimelineItem.ID?
        /// Where the item is to be on the screen.
        public let position: Position
    }

    /// The channel's id.
    public let id: ChannelID
    /// The channel as stored on this device; nil until it is known.
    public private(set) var channel: Channel?
    /// The title of the screen: the channel's title, or one made of its members.
    public private(set) var title = ""
    /// How many members the channel has; for an open channel, how many sessions participate.
    public private(set) var memberCount = 0
    /// The user of this device; nil before the first connection.
    public private(set) var viewer: UserID?
    /// The connection state of the client.
    public private(set) var connection = ConnectionState.offline
    /// Whether the first page has been shown.
    public internal(set) var hasLoaded = false
    /// Whether an older page is being loaded: show an indicator at the top.
    public internal(set) var isLoadingPrevious = false
    /// Whether newer rows are being loaded: show an indicator at the gap.
    public internal(set) var isLoadingNext = false
    /// Whether the list is at its end and follows new messages; otherwise it stays where it is.
    public internal(set) var isAtBottom = true
    /// How many messages of others arrived while the list did not follow: the banner; 0 for no banner.
    public internal(set) var newMessages = 0
    /// The last request to scroll the list; nil before the first one.
    public private(set) var scroll: Scroll?
    /// The names of the users who are typing, without the viewer: `Ann`, `Ann, Bob`, `Ann, Bob +1`; nil if nobody is.
    public private(set) var typingLine: String?
    /// How many users are typing.
    public private(set) var typingCount = 0
    /// Whether the user is no longer in this channel, or it was dismissed.
    public private(set) var isClosed = false
    /// The last failure; nil if there is none, or it was cleared.
    public internal(set) var problem: RoostError?
    /// The user's schedules for this channel, the earliest first; empty before ``loadSchedules()``.
    public internal(set) var schedules: [Schedule] = []
    /// The pinned messages, the one that was pinned last first; empty before ``loadPins()``.
    public internal(set) var pins: [PinnedMessage] = []
    /// Counts the changes of the items.
    public private(set) var revision = 0
    /// The splices that change the previous list into ``items``.
    public private(set) var splices: [TimelineSplice] = []

    /// All items to draw, from the oldest to the newest. A copy of it never changes.
    public var items: [TimelineItem] {
        access(keyPath: \.items)
        return timeline.items
    }

    /// Whether older messages can be loaded.
    public var hasPrevious: Bool {
        access(keyPath: \.items)
        return timeline.hasPrevious
    }

    @ObservationIgnored let client: ChatClient
    @ObservationIgnored let clock: ModelClock
    @ObservationIgnored let texts: ChatTexts
    @ObservationIgnored let configuration: Configuration
    @ObservationIgnored let life = ModelLife()
    @ObservationIgnored private(set) var timeline: Timeline
    @ObservationIgnored var actions = Actions()
    @ObservationIgnored var voteLoads = VoteLoads()
    @ObservationIgnored var scheduleLoads = ScheduleLoads()
    @ObservationIgnored var pinLoads = PinLoads()
    /// Counts how often all rows became invalid: a page that was requested before is dropped.
    @ObservationIgnored private(set) var generation = 0
    @ObservationIgnored var isLoadingNewest = false
    @ObservationIgnored var lastShown: Int64?
    @ObservationIgnored private var isVisible = true
    @ObservationIgnored private var markedTo: Int64 = 0
    @ObservationIgnored private var typing = TypingUsers()
    @ObservationIgnored private let alarm: Alarm

    /// Creates the model of a channel. It does nothing before ``start()``.
    public init(
        client: ChatClient, channel: ChannelID, configuration: Configuration = Configuration(),
        clock: ModelClock = .system, texts: ChatTexts = .english
    ) {
        self.client = client
        self.texts = texts
        self.configuration = configuration
        self.clock = clock
        id = channel
        timeline = Timeline(clock: clock, texts: texts)
        alarm = Alarm(clock)
    }

    /// Shows the stored messages, loads the missing ones, and follows the channel. Calling it again changes nothing.
    public func start() {
        guard !life.isRunning else { return }
        guard client.store != nil else { return problem = Self.noStore }
        // Subscribe before anything is read, so that no change is missed.
        let changes = client.changes()
        life.start(
            { [weak self] in
                await self?.open()
                for await change in changes {
                    guard let self else { return }
                    await self.apply(change)
                }
            },
            { [weak self, alarm] in
                await alarm.run { self?.expireTyping() }
            })
    }

    /// Stops the work that ``start()`` began. The items stay, and a later start continues from there.
    public func stop() {
        life.stop()
        isLoadingPrevious = false
        isLoadingNext = false
        isLoadingNewest = false
        voteLoads.stop()
        scheduleLoads.isLoading = false
        pinLoads.stop()
    }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    // MARK: Calls of the screen

    /// Reports whether the conversation is visible: visible messages are marked as read.
    public func setVisible(_ isVisible: Bool) {
        self.isVisible = isVisible
        if isVisible { life.run { [weak self] in await self?.markRead() } }
    }

    /// Reports whether the list is at its end: then it follows, and the messages there count as read.
    public func setAtBottom(_ isAtBottom: Bool) {
        if self.isAtBottom != isAtBottom { self.isAtBottom = isAtBottom }
        guard isAtBottom else { return }
        if newMessages != 0 { newMessages = 0 }
        life.run { [weak self] in await self?.markRead() }
    }

    /// Scrolls to the newest message and follows: for the tap on the banner, and after sending.
    public func goToNewest() {
        setAtBottom(true)
        requestScroll(to: nil, .bottom)
    }

    /// Requests a scroll position.
    func requestScroll(to item: TimelineItem.ID?, _ position: Scroll.Position) {
        scroll = Scroll(number: (scroll?.number ?? 0) + 1, item: item, position: position)
    }

    // MARK: Changes

    private func open() async {
        guard let store = client.store else { return }
        connection = await client.state
        readOpenVotes()
        readSchedulesAgain()
        await readChannel(store)
        readPinsAgain()
        do {
            if let owner = try await store.owner { setViewer(owner) }
            let queue = try await store.queue(in: id)
            let page = try await client.channel(id).history(limit: configuration.pageSize, from: .device)
            update { $0.setQueue(queue) + $0.insertNewest(page) }
            if !page.events.isEmpty { firstPageIsHere() }
        } catch {
            problem = error
        }
        life.run { [weak self] in await self?.loadNewest() }
        await markRead()
    }

    private func apply(_ change: LocalChange) async {
        for case .connected(let user) in change.events { setViewer(user.userID) }
        if let state = change.state, state != connection {
            connection = state
            if state == .live {
                life.run { [weak self] in await self?.loadNewest() }
                readOpenVotes()
                readSchedulesAgain()
                readPinsAgain()
            }
        }
        if let rows = change.rows[id] { apply(rows) }
        if let queue = change.queue[id] { apply(queue) }
        applyTyping(change.events)
        applySchedules(change.events)
        let isChannel = change.channels.contains(id) || change.members.contains(id)
        if isChannel, let store = client.store { await readChannel(store) }
        // The first page may be there before the channel is known, without which nothing is marked.
        if isChannel || change.rows[id] != nil { await markRead() }
    }

    private func apply(_ rows: LocalChange.Rows) {
        if rows.isVoid {
            generation += 1
            update { $0.forget() }
            life.run { [weak self] in await self?.loadNewest() }
        }
        if rows.isInterrupted {
            // Only the store knows which of these rows are before the gap and which are after it.
            generation += 1
            update { timeline in
                timeline.interrupt()
                return []
            }
            life.run { [weak self] in await self?.loadNewest() }
        }
        let appended = rows.isInterrupted ? [] : rows.appended
        update {
            $0.clear(to: rows.clearedTo) + $0.append(appended) + $0.rewrite(rows.rewritten) + $0.remove(rows.removed)
        }
        applyVotes(rows)
        applyPins(rows)
        guard !appended.isEmpty else { return }
        if isAtBottom {
            requestScroll(to: nil, .bottom)
        } else {
            let news = appended.filter { event in
                let isMessage = event.messageID != nil && event.senderID != viewer
                return isMessage && TimelineItem(event, viewer: viewer, day: 0, texts: texts)?.isNews == true
            }
            newMessages += news.count
        }
    }

    private func apply(_ queue: [QueuedMessage]) {
        let known = Set(timeline.queue.map(\.transID))
        update { $0.setQueue(queue) }
        // A user wants to see the message that was just sent.
        if queue.contains(where: { !known.contains($0.transID) }) { goToNewest() }
    }

    func update(_ change: (inout Timeline) -> [TimelineSplice]) {
        let splices = change(&timeline)
        want(timeline.drainNewVotes())
        guard !splices.isEmpty else { return }
        withMutation(keyPath: \.items) { self.splices = splices }
        revision += 1
        // A screen without items cannot ask for more.
        if hasLoaded, hasPrevious, !timeline.showsRows { life.run { [weak self] in await self?.loadPrevious() } }
    }

    private func setViewer(_ user: UserID) {
        guard user != viewer else { return }
        viewer = user
        typing = TypingUsers(viewer: user)
        update { $0.setViewer(user) }
        retitle()
    }

    private func readChannel(_ store: LocalStore) async {
        do {
            let known = try await store.channels([id])[id]?.channel
            let members = try await store.members(of: id)
            let isGone = known == nil && channel != nil || known.map { $0.kind != .open && $0.role == nil } == true
            if isGone != isClosed { isClosed = isGone }
            if isGone, !pins.isEmpty { pins = [] }
            guard let known else { return }
            let isNew = channel == nil
            if channel != known { channel = known }
            if isNew { readPinsAgain() }
            if memberCount != known.memberCount { memberCount = known.memberCount }
            retitle()
            // If some members are not known, the number would be wrong.
            let isWhole = known.kind != .open && members.count >= known.memberCount
            let others = isWhole ? members.filter { $0.userID != viewer } : []
            let marks = Dictionary(others.map { ($0.userID, $0.readSeq) }, uniquingKeysWith: max)
            update { $0.setReadMarks(marks) }
        } catch {
            problem = error
        }
    }

    private func retitle() {
        guard let channel, let viewer else { return }
        let isNamed = channel.memberCount <= 2 || channel.title != nil
        let new =
            isNamed ? ChannelRules.screenTitle(of: channel, for: viewer) : texts.groupTitle(channel.memberCount)
        if new != title { title = new }
    }

    /// Marks the newest row as read, if the end of the list is visible.
    ///
    /// Nothing is marked while the list is empty because older rows are not loaded yet.
    func markRead() async {
        guard isVisible, isAtBottom, hasLoaded, !isClosed, let channel, channel.kind != .open else { return }
        guard timeline.showsRows || !timeline.hasPrevious else { return }
        let last = timeline.lastSeq
        guard last > max(markedTo, channel.readSeq ?? 0) else { return }
        markedTo = last
        do {
            try await client.channel(id).markRead(upTo: last)
        } catch {
            markedTo = 0
            problem = error
        }
    }

    // MARK: Typing

    private func applyTyping(_ events: [ClientEvent]) {
        var isNews = false
        for case .event(let event, isPast: false) in events where event.channel == id {
            switch event.body {
            case .ephemeral(.typingStarted), .ephemeral(.typingEnded), .channel(.messageSent):
                typing.apply(event, now: clock.now())
                isNews = true
            default: break
            }
        }
        if isNews { showTyping() }
    }

    private func expireTyping() {
        typing.expire(now: clock.now())
        showTyping()
    }

    private func showTyping() {
        alarm.set(typing.nextExpiry)
        let line = typing.names.isEmpty ? nil : texts.typing(typing.names)
        if line != typingLine { typingLine = line }
        if typing.count != typingCount { typingCount = typing.count }
    }

    static var noStore: RoostError {
        RoostError(.invalidConfiguration, "The models need a client with a local store. Give its configuration one.")
    }
}
