public import Observation
public import RoostClient
public import RoostWire

/// The field of a conversation in which one writes: draft, counter, typing, mentions, answers, and sending.
///
/// ```swift
/// let composer = ComposerModel(client: client, channel: id, conversation: model)
/// composer.start()
/// composer.edit("Hello")   // on every edit of the field
/// composer.send()          // the button and the return key alike
/// ```
///
/// What is written is kept on the device until it is sent. It needs a client
/// with a `LocalStore`.
@MainActor @Observable public final class ComposerModel {
    /// The channel's id.
    public let id: ChannelID
    /// What is in the field.
    public private(set) var text = ""
    /// Where the cursor stands, in UTF-16 units.
    public private(set) var cursor = 0
    /// The users mentioned in the text, in its order.
    public private(set) var mentions: [Mention] = []
    /// The name that is being typed behind an `@`; nil when none is.
    public private(set) var mentionQuery: MentionRules.Query?
    /// The members whose names fit; empty when none is being typed.
    public private(set) var candidates: [Member] = []
    /// The message that is to be answered.
    public private(set) var replyTo: TimelineItem?
    /// The files that go out with what is written, in the order in which they were attached, until they are sent.
    public internal(set) var attachments: [Attachment] = []
    /// What last went wrong, in a sentence for people.
    public private(set) var problem: RoostError?
    /// The longest text, in UTF-16 units.
    public let maxLength: Int

    /// How many UTF-16 units are left; below 0 when the text is too long to be sent.
    public var remaining: Int { maxLength - text.utf16.count }

    /// Whether the counter is to be drawn in red: ten or fewer are left.
    public var isNearLimit: Bool { remaining <= 10 }

    /// Whether only an operator writes here: the channel carries news. Hide the field then.
    public var isReadOnly: Bool { conversation?.channel?.kind.isNews == true }

    /// Whether there is something to send: a picked file or more than white space, and not too much; never where
    /// ``isReadOnly``.
    public var canSend: Bool {
        !isReadOnly && remaining >= 0 && (hasText || attachments.contains { $0.state == .picked })
    }

    private var hasText: Bool { text.unicodeScalars.contains { !$0.properties.isWhitespace } }

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private weak var conversation: ConversationModel?
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private let drafts = Latest<Draft?>()
    @ObservationIgnored private var members: [Member] = []
    @ObservationIgnored private var viewer: UserID?
    @ObservationIgnored private var replyID: MessageID?

    /// Makes the field of a channel. Sending lets the list of `conversation` follow again.
    public init(
        client: ChatClient, channel: ChannelID, conversation: ConversationModel? = nil, maxLength: Int = 8_000
    ) {
        self.client = client
        self.conversation = conversation
        self.maxLength = max(1, maxLength)
        id = channel
    }

    /// Puts the kept draft into the field, and keeps what is written from now on. Again, it changes nothing.
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

    /// Ends what ``start()`` began; the others are told that one has stopped typing, and the draft is kept.
    public func stop() async {
        client.channel(id).stopTyping()
        let isRunning = life.isRunning
        life.stop()
        guard isRunning, let store = client.store else { return }
        do { try await store.setDraft(draft, in: id) } catch { fail(error) }
    }

    /// Takes the problem from the screen.
    public func dismissProblem() { problem = nil }

    // MARK: Writing

    /// Tells what is in the field now, and where the cursor stands in UTF-16 units; at its end unless told otherwise.
    public func edit(_ new: String, cursor: Int? = nil) {
        if new != text {
            mentions = MentionRules.moved(mentions, from: text, to: new)
            text = new
            keepDraft()
            tellTyping()
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
        tellTyping()
        findCandidates()
    }

    /// Makes what is sent next an answer to a message, or no answer.
    public func reply(to item: TimelineItem?) {
        replyTo = item?.messageID == nil ? nil : item
        replyID = replyTo?.messageID
        keepDraft()
    }

    /// Sends what is in the field and empties it; nothing happens when it is empty or too long.
    ///
    /// With picked files it is the caption of the first one, and each file is a message of its own.
    /// The list follows again in any case. The message is in the timeline at
    /// once, as one that is on its way.
    @discardableResult
    public func send() -> PendingMessage? {
        conversation?.goToNewest()
        guard canSend else { return nil }
        let channel = client.channel(id)
        let (caption, named, answered) = (hasText ? text : "", mentions.isEmpty ? nil : mentions, replyID)
        let withFiles = sendAttachments { file, transID, isFirst in
            channel.enqueue(uploading: file, replyTo: isFirst ? answered : nil, transID: transID) {
                .file($0, text: isFirst ? caption : "", mentions: isFirst && !caption.isEmpty ? named : nil)
            }
        }
        let pending = withFiles ?? channel.enqueue(text, mentions: named, replyTo: answered)
        replyTo = nil
        replyID = nil
        mentions = []
        edit("")
        return pending
    }

    // MARK: Messages that failed

    /// Sends a message that failed again, under the same key.
    public func retry(_ transID: TransID) async {
        do { try await client.retry(transID) } catch { problem = error }
    }

    /// Takes a message that failed out of the queue and its text back into the field; what is in the field is replaced.
    public func takeBack(_ transID: TransID) async {
        guard let store = client.store else { return }
        do throws(RoostError) {
            guard let queued = try await store.queue(in: id).first(where: { $0.transID == transID }) else { return }
            let taken = Draft(
                text: queued.message.text, mentions: queued.message.mentions ?? [], replyTo: queued.message.replyTo)
            // A draft before it leaves the queue: whenever the process ends, it is in one of both.
            try await store.setDraft(taken, in: id)
            do throws(RoostError) {
                try await client.discard(transID)
            } catch {
                keepDraft()
                throw error
            }
            edit(taken.text)
            mentions = taken.mentions
            replyID = taken.replyTo
            replyTo = conversation?.items.first { $0.messageID != nil && $0.messageID == queued.message.replyTo }
            keepDraft()
        } catch {
            problem = error
        }
    }

    /// Throws a message away that failed or has not left yet.
    public func discard(_ transID: TransID) async {
        do { try await client.discard(transID) } catch { problem = error }
    }

    // MARK: Inside

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

    private var draft: Draft? { text.isEmpty ? nil : Draft(text: text, mentions: mentions, replyTo: replyID) }

    private func open(_ store: LocalStore) async {
        await readMembers(store)
        do {
            guard let draft = try await store.draft(in: id), text.isEmpty else { return }
            text = draft.text
            mentions = draft.mentions
            cursor = draft.text.utf16.count
            replyID = draft.replyTo
            replyTo = conversation?.items.first { $0.messageID != nil && $0.messageID == draft.replyTo }
        } catch {
            fail(error)
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

    private func keepDraft() { drafts.put(draft) }

    private func tellTyping() {
        guard !isReadOnly else { return }
        let channel = client.channel(id)
        if text.isEmpty { channel.stopTyping() } else { channel.keystroke() }
    }

    private func findCandidates() {
        let query = MentionRules.query(in: text, cursor: cursor)
        if query != mentionQuery { mentionQuery = query }
        let found = query.map { MentionRules.candidates(for: $0.prefix, among: members, viewer: viewer) } ?? []
        if found != candidates { candidates = found }
    }
}
