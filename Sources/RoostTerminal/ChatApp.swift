package import Foundation
import Observation
package import RoostClient
package import RoostModels
package import RoostWire

/// The full-screen chat: its key handling and the state to draw.
///
/// It is independent of the terminal: its input is keys and sizes, and its output is screens. All of its data comes
/// from the models, so that it immediately shows what is stored on the device, with or without a connection.
@MainActor package final class ChatApp {
    /// What to open at the start.
    package enum Start: Sendable {
        case list
        case channel(ChannelID)
        case user(UserID)
    }

    let client: ChatClient
    let clock: ModelClock
    let list: ChannelListModel
    var room: ChatRoom?
    /// Open channels that the user has visited; they stay joined.
    var openRooms: [ChannelRow.ID: ChatRoom] = [:]
    var openOrder: [ChannelID] = []

    var isChoosing = false
    var marked: ChannelID?
    var notice: ChatState.Notice?
    var sheet: ChatState.Sheet?
    var question: (text: String, yes: @MainActor () -> Void)?
    /// The input while no conversation is open: commands only.
    var field = LineField()
    var knownUsers: [String] = []
    var candidates: [String] = []
    private var size: ScreenSize
    let zone: TimeZone
    private let hasPictures: Bool
    let words: Words<TerminalText>
    let texts: ChatTexts
    private var viewer: UserID?
    private var refusal: String?
    private var progress: (done: Int, of: Int)?
    private let start: Start

    /// Whether the user wants to quit.
    package private(set) var isDone = false
    /// Whether to redraw the whole screen.
    package var wantsRedraw = false
    /// Whether to suspend the program, as by Ctrl-Z.
    package var wantsSuspend = false

    typealias Job = @MainActor @Sendable () async -> Void
    private let jobs: AsyncStream<Job>
    private let jobQueue: AsyncStream<Job>.Continuation
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    package init(
        client: ChatClient, start: Start, size: ScreenSize, notice: String? = nil, clock: ModelClock = .system,
        zone: TimeZone = .current, hasPictures: Bool = false, languages: [String] = []
    ) {
        self.client = client
        self.start = start
        self.size = size
        self.clock = clock
        self.zone = zone
        self.hasPictures = hasPictures
        words = .preferred(languages)
        texts = .preferred(languages)
        self.notice = notice.map { ChatState.Notice($0, isProblem: true) }
        list = ChannelListModel(client: client, pageSize: 30, texts: texts)
        (jobs, jobQueue) = AsyncStream.makeStream(of: Job.self)
        (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Running

    /// Connects, runs the models, and passes each new screen to `show`, until the user quits.
    package func run(_ show: @MainActor (Screen) -> Void) async {
        let events = client.events()
        list.start()
        run { [weak self] in await self?.connect() }
        run { [weak self] in await self?.begin() }
        let jobs = jobs
        let loops: [Job] = [
            { for await event in events { self.handle(event) } },
            {
                await withDiscardingTaskGroup { group in
                    for await job in jobs { group.addTask { await job() } }
                }
            },
        ]
        await withDiscardingTaskGroup { group in
            for loop in loops { group.addTask { await loop() } }
            await self.drawAll(show)
            group.cancelAll()
        }
        if let room { await room.close() }
        for other in openRooms.values where other !== room { await other.close() }
        list.stop()
    }

    private func drawAll(_ show: @MainActor (Screen) -> Void) async {
        var wakes = wakes.makeAsyncIterator()
        while !isDone, !Task.isCancelled {
            let screen = withObservationTracking {
                self.screen()
            } onChange: { [waker] in
                waker.yield()
            }
            show(screen)
            if await wakes.next() == nil { return }
            // Combine simultaneous changes into one screen.
            await Task.yield()
        }
    }

    /// Runs an asynchronous job and redraws the screen when it is done.
    func run(_ job: @escaping Job) {
        jobQueue.yield { [weak self] in
            await job()
            self?.changed()
        }
    }

    /// Requests a redraw.
    package func changed() { waker.yield() }

    /// Ends the chat.
    package func quit() {
        isDone = true
        changed()
    }

    /// Sets a new terminal size.
    package func resize(_ size: ScreenSize) {
        self.size = size
        changed()
    }

    private func connect() async {
        do throws(RoostError) {
            try await client.connect()
        } catch {
            refuse(error)
        }
    }

    private func refuse(_ error: RoostError) {
        if error.code != .cancelled, !isDone { refusal = error.message }
    }

    private func begin() async {
        if let store = client.store {
            viewer = (try? await store.owner) ?? viewer
            if let recovery = store.recovery, recovery.hasLostMessages {
                notice = ChatState.Notice(words(.damaged), isProblem: true)
            }
        }
        switch start {
        case .list: isChoosing = true
        case .channel(let id): await open(id)
        case .user(let user): await open(user)
        }
    }

    private func handle(_ event: ClientEvent) {
        switch event {
        case .connected(let user):
            viewer = user.userID
            refusal = nil
            progress = nil
        case .catchingUp(let done, let of): progress = (done, of)
        case .disconnected(let error?) where !error.isRetryable: refuse(error)
        default: return
        }
        changed()
    }

    // MARK: The state

    /// Returns the current screen, and tells the models what is visible.
    package func screen() -> Screen {
        room?.sync(ChatView(state()).window)
        let state = state()
        let view = ChatView(state)
        room?.report(view.window)
        if let last = list.rows.last, state.entries.isEmpty || view.listWidth > 0 { list.shown(last.id) }
        return view.draw()
    }

    package func state() -> ChatState {
        var state = ChatState(size: size)
        state.words = words
        state.zone = zone
        state.hasPictures = hasPictures
        state.now = clock.now()
        state.viewer = viewer
        state.connection = list.connection
        state.progress = progress
        state.refusal = refusal
        state.entries = entries
        state.hasLoadedList = list.hasLoaded
        state.isChoosing = isChoosing
        state.marked = isChoosing ? marked ?? room?.id ?? state.entries.first?.id : nil
        state.unreadBadge = list.badge
        state.notice = notice
        state.sheet = sheet
        state.question = question?.text
        state.candidates = candidates
        state.field = field
        if let room { fill(&state, from: room) }
        if state.notice == nil, let problem = problem(state.connection) {
            state.notice = ChatState.Notice(problem.message, isProblem: true)
        }
        return state
    }

    private func fill(_ state: inout ChatState, from room: ChatRoom) {
        let conversation = room.conversation
        state.channel = room.id
        state.isOpenChannel = room.open != nil
        state.title = conversation.title.isEmpty ? room.id.rawValue : conversation.title
        if conversation.memberCount > 0, room.id.pair == nil {
            let kind = room.open == nil ? conversation.channel?.kind ?? .group : .open
            let key: TerminalText = kind == .open ? .here : kind.isNews ? .subscribers : .members
            state.people = words(key, ["count": .number(conversation.memberCount)])
        }
        state.isClosed = conversation.isClosed
        state.mayPin = conversation.mayPin
        state.pins = conversation.pins
        state.items = conversation.items
        state.hasLoaded = conversation.hasLoaded
        state.hasPrevious = conversation.hasPrevious
        state.isLoading = conversation.isLoadingPrevious
        state.place = room.place
        state.selected = room.selected
        state.newMessages = conversation.newMessages
        state.typingLine = conversation.typingLine
        state.typingCount = conversation.typingCount
        state.field = room.field
        state.remaining = room.composer.remaining
        state.isNearLimit = room.composer.isNearLimit
        state.replyTo = room.composer.replyTo
        if !room.composer.candidates.isEmpty {
            state.candidates = room.composer.candidates.prefix(8).map { "@" + $0.name }
        }
    }

    /// The first problem of the models. Errors due to a lost connection are omitted, because the status line shows
    /// it.
    private func problem(_ connection: ConnectionState) -> RoostError? {
        let problems = [room?.composer.problem, room?.open?.problem, room?.conversation.problem, list.problem]
        return problems.compactMap(\.self).first { !$0.isRetryable || connection == .live }
    }

    func dismiss() {
        notice = nil
        candidates = []
        list.dismissProblem()
        room?.conversation.dismissProblem()
        room?.composer.dismissProblem()
        room?.open?.dismissProblem()
    }

    /// The entries of the list: the user's conversations, then the visited open channels.
    var entries: [ChatState.Entry] {
        var entries = list.rows.map { ChatState.Entry($0) }
        for id in openOrder {
            guard let room = openRooms[id] else { continue }
            var entry = ChatState.Entry(id: id, title: room.conversation.title)
            if entry.title.isEmpty { entry.title = id.rawValue }
            entry.isOpenChannel = true
            entry.people = room.conversation.memberCount
            let last = room.conversation.items.last { $0.isContent && !$0.text.isEmpty }
            (entry.lastText, entry.lastSentAt) = (last?.text, last?.sentAt)
            entry.badge = room === self.room ? nil : ChannelRow.badge(room.conversation.newMessages)
            entries.append(entry)
        }
        return entries
    }

    var window: TimelineWindow { ChatView(state()).window }

    func say(_ text: String, isProblem: Bool = false) {
        notice = ChatState.Notice(text, isProblem: isProblem)
        changed()
    }
}
