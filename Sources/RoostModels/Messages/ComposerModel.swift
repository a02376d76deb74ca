public import Observation
public import RoostClient
public import RoostWire

/// The text field of a conversation: draft, counter, typing, mentions, answers, and sending.
///
/// ```swift
/// let composer = ComposerModel(client: client, channel: id, conversation: model)
/// composer.start()
/// composer.edit("Hello")   // on every edit of the field
/// composer.send()          // for the button and the return key
/// ```
///
/// What is written is saved as a draft on the device until it is sent: the text, the mentions, the message that it
/// answers, and the picked files. It needs a client with a `LocalStore`.
@MainActor @Observable public final class ComposerModel {
    /// The channel's id.
    public let id: ChannelID
    /// The text in the field.
    public private(set) var text = ""
    /// The position of the cursor, in UTF-16 units.
    public private(set) var cursor = 0
    /// The users mentioned in the text, in its order.
    public private(set) var mentions: [Mention] = []
    /// The name that is being typed after an `@`; nil if there is none.
    public private(set) var mentionQuery: MentionRules.Query?
    /// The members whose names match; empty if no name is being typed.
    public private(set) var candidates: [Member] = []
    /// The message to answer.
    public private(set) var replyTo: TimelineItem?
    /// The files that go out with what is written, in the order in which they were attached, until they are sent.
    public internal(set) var attachments: [Attachment] = []
    /// Whether a picker of files is open: the connection stays then, although the picker may cover the app.
    public internal(set) var isPickerOpen = false
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public internal(set) var problem: RoostError?
    /// The limit of the text, in UTF-16 units.
    public let maxLength: Int

    /// How many UTF-16 units are left; below 0 if the text is too long to be sent.
    public var remaining: Int { maxLength - text.utf16.count }

    /// Whether to draw the counter in red: ten or fewer are left.
    public var isNearLimit: Bool { remaining <= 10 }

    /// Whether only operators can write here, because the channel carries news. Hide the field then.
    public var isReadOnly: Bool { conversation?.channel?.kind.isNews == true }

    /// Whether there is something to send: an attachment or more than white space, and a text that is not too long;
    /// never if ``isReadOnly``.
    public var canSend: Bool {
        !isReadOnly && remaining >= 0 && (hasText || attachments.contains { $0.state == .picked })
    }

    private var hasText: Bool { text.unicodeScalars.contains { !$0.properties.isWhitespace } }

    @ObservationIgnored let client: ChatClient
    @ObservationIgnored private weak var conversation: ConversationModel?
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private let drafts = Latest<Draft>()
    @ObservationIgnored private var members: [Member] = []
    @ObservationIgnored private var viewer: UserID?
    @ObservationIgnored private var replyID: MessageID?

    /// Creates the field of a channel. Sending lets the list of `conversation` follow again.
    public init(
        client: ChatClient, channel: ChannelID, conversation: ConversationModel? = nil, maxLength: Int = 8_000
    ) {
        self.client = client
        self.conversation = conversation
        self.maxLength = max(1, maxLength)
        id = channel
    }

    /// Loads the draft into the field, and saves edits from now on. Calling it again changes nothing.
    public func start() {
        guard !life.isRunning else { return }
        guard let store = client.store else { return problem = ConversationModel.noStore }
        let (id, drafts) = (id, drafts)
        let changes = client.changes()
        life.start(
            { [weak self] in
                await self?.open(store)
                for await change in changes {
                    guard let self else { return }
                    if let queue = change.queue[id] { self.update(queue) }
                    if change.members.contains(id) { await self.readMembers(store) }
                }
            },
            { [weak self] in
                await drafts.read { draft in
                    do throws(RoostError) {
                        try await store.setDraft(draft, in: id)
                    } catch {
                        self?.problem = error
                    }
                }
            })
    }

    /// Stops the work that ``start()`` began; the typing ends, the picker counts as closed, and the draft is saved.
    public func stop() async {
        client.channel(id).stopTyping()
        closePicker()
        let isRunning = life.isRunning
        life.stop()
        guard isRunning, let store = client.store else { return }
        do { try await store.setDraft(draft, in: id) } catch { fail(error) }
    }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    // MARK: Writing

    /// Sets the text in the field and the cursor, in UTF-16 units; by default the cursor is at the end.
    public func edit(_ new: String, cursor: Int? = nil) {
        if new != text {
            mentions = MentionRules.moved(mentions, from: text, to: new)
            text = new
            keepDraft()
            reportTyping()
        }
        self.cursor = min(max(cursor ?? new.utf16.count, 0), new.utf16.count)
        findCandidates()
    }

    /// Completes the name that is being typed.
    public func complete(with member: Member) {
        guard let query = mentionQuery else { return }
        let completed = MentionRules.complete(query, with: member, in: text, mentions: mentions)
        (text, mentions, cursor) = (completed.text, completed.mentions, completed.cursor)
        keepDraft()
        reportTyping()
        findCandidates()
    }

    /// Sets the message that the next message answers; nil for none.
    public func reply(to item: TimelineItem?) {
        replyTo = item?.messageID == nil ? nil : item
        replyID = replyTo?.messageID
        keepDraft()
    }

    /// Sends the text in the field and empties it; nothing happens if it is empty or too long.
    ///
    /// With picked files it is the caption of the first one, and each file is a message of its own.
    /// The list follows again in any case. The message is in the timeline at
    /// once, in the state of being sent. If the device cannot store it, as with a full disk, it is in the field again,
    /// and `problem` says why.
    @discardableResult
    public func send() -> PendingMessage? {
        conversation?.goToNewest()
        guard canSend else { return nil }
        let channel = client.channel(id)
        let all = MentionRules.withWritten(text, mentions, members, viewer: viewer, most: client.limits.mentions)
        let (caption, named, answered) = (hasText ? text : "", all.isEmpty ? nil : all, replyID)
        let written = Draft(text: text, mentions: mentions, replyTo: replyID)
        let withFiles = sendAttachments { file, transID, isFirst in
            channel.enqueue(uploading: file, replyTo: isFirst ? answered : nil, transID: transID) {
                .file($0, text: isFirst ? caption : "", mentions: isFirst && !caption.isEmpty ? named : nil)
            }
        }
        let pending = withFiles ?? channel.enqueue(text, mentions: named, replyTo: answered)
        whenNotStored(pending) { $0.giveBack(written) }
        replyTo = nil
        replyID = nil
        mentions = []
        edit("")
        keepDraft()
        return pending
    }

    // MARK: Messages that failed

    /// Sends a failed message again, with the same transID.
    public func retry(_ transID: TransID) async {
        do { try await client.retry(transID) } catch { problem = error }
    }

    /// Removes a failed message from the queue and puts its text into the field, replacing the text there.
    public func takeBack(_ transID: TransID) async {
        guard let store = client.store else { return }
        do throws(RoostError) {
            guard let queued = try await store.queue(in: id).first(where: { $0.transID == transID }) else { return }
            let taken = Draft(
                text: queued.message.text, mentions: queued.message.mentions ?? [], replyTo: queued.message.replyTo)
            // The draft is saved before the message leaves the queue, so that the text is never lost.
            try await store.setDraft(taken, in: id)
            do throws(RoostError) {
                try await client.discard(transID)
            } catch {
                keepDraft()
                throw error
            }
            edit(taken.text)
            mentions = taken.mentions
            (replyID, replyTo) = (taken.replyTo, nil)
            findAnswered()
            keepDraft()
        } catch {
            problem = error
        }
    }

    /// Discards a message that failed or is not in flight yet.
    public func discard(_ transID: TransID) async {
        do { try await client.discard(transID) } catch { problem = error }
    }

    // MARK: Internals

    func makeTransID() -> TransID { client.makeTransID() }

    /// Shows how far the upload of an attachment is.
    func follow(_ attachment: TransID) {
        let client = client
        life.run { [weak self] in
            for await progress in await client.uploadProgress(of: attachment) {
                self?.noteProgress(progress, of: attachment)
            }
        }
    }

    /// Calls back if the device could not store a message: it is nowhere then, so what was written has to stay.
    func whenNotStored(_ pending: PendingMessage, _ body: @escaping @MainActor (ComposerModel) -> Void) {
        life.run { [weak self] in
            guard let error = await pending.storeFailure, let self else { return }
            self.problem = error
            body(self)
            self.keepDraft()
        }
    }

    /// Puts what was sent into the field again, after what was written since.
    private func giveBack(_ sent: Draft) {
        let before = text.isEmpty ? "" : text + "\n"
        text = before + sent.text
        mentions += MentionRules.moved(sent.mentions, from: sent.text, to: text)
        cursor = text.utf16.count
        replyID = replyID ?? sent.replyTo
        findAnswered()
        findCandidates()
    }

    private var draft: Draft {
        Draft(
            text: text, mentions: mentions, replyTo: replyID,
            files: attachments.filter { $0.state == .picked }.map(\.file))
    }

    private func open(_ store: LocalStore) async {
        await readMembers(store)
        do {
            guard let draft = try await store.draft(in: id), self.draft.isEmpty else { return }
            text = draft.text
            mentions = draft.mentions
            cursor = draft.text.utf16.count
            restore(draft.files)
            replyID = draft.replyTo
            findAnswered()
        } catch {
            fail(error)
        }
    }

    /// Shows the message that a restored draft answers: from the list, otherwise from the server.
    private func findAnswered() {
        guard let wanted = replyID, replyTo == nil else { return }
        replyTo = conversation?.items.first { $0.messageID == wanted }
        guard replyTo == nil else { return }
        life.run { [weak self, client, id] in
            do throws(RoostError) {
                let event = try await client.channel(id).messages([wanted]).first
                guard let self, self.replyID == wanted, self.replyTo == nil else { return }
                let viewer = self.viewer
                self.replyTo = event.flatMap { TimelineItem($0, viewer: viewer, day: 0, texts: .english) }
            } catch {
                // Without a connection it is still answered; without the message it cannot be.
                guard let self, self.replyID == wanted, error.code == .server(.messageNotFound) else { return }
                self.reply(to: nil)
                self.problem = error
            }
        }
    }

    private func readMembers(_ store: LocalStore) async {
        do {
            members = try await store.members(of: id)
            viewer = try await store.owner ?? viewer
        } catch {
            fail(error)
        }
        findCandidates()
    }

    private func fail(_ error: RoostError) {
        if error.code != .cancelled { problem = error }
    }

    func keepDraft() { drafts.put(draft) }

    private func reportTyping() {
        guard !isReadOnly else { return }
        let channel = client.channel(id)
        if text.isEmpty { channel.stopTyping() } else { channel.keystroke() }
    }

    private func findCandidates() {
        var query = MentionRules.query(in: text, cursor: cursor)
        let found = query.map { MentionRules.candidates(for: $0.prefix, among: members, viewer: viewer) } ?? []
        // Behind a space it is only a name for as long as somebody fits.
        if found.isEmpty, query?.prefix.contains(where: \.isWhitespace) == true { query = nil }
        if query != mentionQuery { mentionQuery = query }
        if found != candidates { candidates = found }
    }
}
