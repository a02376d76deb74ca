import RoostClient
import RoostModels
import RoostWire

/// The open conversation: its models and the scroll position.
@MainActor final class ChatRoom {
    let id: ChannelID
    let conversation: ConversationModel
    let composer: ComposerModel
    /// The model of an open channel; nil for other kinds.
    let open: OpenChannelModel?
    var field = LineField()
    var place = ScrollPosition.bottom
    var selected: TimelineItem.ID?
    private var scrolledFor = 0
    private var reported: Seen?

    private struct Seen: Equatable {
        var first: TimelineItem.ID?
        var gaps: [TimelineItem.ID]
        var connection: ConnectionState
        var revision: Int
    }

    init(client: ChatClient, channel: ChannelID, isOpen: Bool, clock: ModelClock, texts: ChatTexts) {
        id = channel
        if isOpen {
            let open = OpenChannelModel(client: client, channel: channel, clock: clock, texts: texts)
            self.open = open
            conversation = open.conversation
        } else {
            open = nil
            conversation = ConversationModel(client: client, channel: channel, clock: clock, texts: texts)
        }
        composer = ComposerModel(client: client, channel: channel, conversation: conversation)
    }

    func start() {
        // Stored messages are shown before the channel is joined, and even without a connection.
        conversation.start()
        open?.start()
        composer.start()
        conversation.setVisible(true)
    }

    /// Hides the conversation; an open channel stays joined.
    func hide() async {
        conversation.setVisible(false)
        await composer.stop()
        if open == nil { conversation.stop() }
    }

    /// Closes the conversation, and leaves an open channel.
    func close() async {
        await composer.stop()
        if let open { await open.stop() } else { conversation.stop() }
    }

    /// Whether the field contains a command instead of a message.
    var isCommand: Bool { SlashCommand.isCommand(field.text) }

    /// Edits the field and updates the model.
    func edit(_ change: (inout LineField) -> Void) {
        syncText()
        let old = field
        change(&field)
        guard field != old else { return }
        if !isCommand {
            composer.edit(field.text, cursor: field.utf16Cursor)
        } else if !SlashCommand.isCommand(old.text) {
            // A command is not a draft. Text restored while one is typed stays in the model until the field is free.
            composer.edit("")
        }
    }

    private func syncText() {
        if !isCommand, composer.text != field.text { field.set(composer.text, utf16Cursor: composer.cursor) }
    }

    /// Applies changes of the models: a restored draft or message, and the scroll position.
    func sync(_ window: TimelineWindow) {
        syncText()
        if let scroll = conversation.scroll, scroll.number != scrolledFor {
            scrolledFor = scroll.number
            switch (scroll.position, scroll.item) {
            case (.center, let item?): place = window.centered(on: item)
            case (.bottom, nil): place = .bottom
            // For an older page the position is anchored to an item and does not move.
            default: break
            }
        }
        if let selected, !window.items.contains(where: { $0.id == selected }) { self.selected = nil }
    }

    /// Tells the model what is visible, once per change: a failed load is not retried without a reason.
    func report(_ window: TimelineWindow) {
        let visible = window.items[window.visible(at: place).items]
        let gaps = visible.filter { if case .gap = $0.kind { true } else { false } }.map(\.id)
        let seen = Seen(
            first: visible.first?.id, gaps: gaps, connection: conversation.connection, revision: conversation.revision)
        guard seen != reported else { return }
        reported = seen
        if let first = visible.first(where: \.isContent) { conversation.shown(first.id) }
        for gap in gaps { conversation.shown(gap) }
    }

    func move(to place: ScrollPosition) {
        self.place = place
        conversation.setAtBottom(place == .bottom)
    }

    /// The failed message to act on: the selected one, otherwise the last.
    var failed: TransID? {
        func isFailed(_ item: TimelineItem) -> Bool { if case .failed = item.state { true } else { false } }
        let items = conversation.items
        if let selected, let item = items.first(where: { $0.id == selected }) {
            return isFailed(item) ? item.transID : nil
        }
        return items.last(where: isFailed)?.transID
    }
}
