public import Observation
public import RoostClient
public import RoostWire

/// The screen of an open channel: every user may read and write, and a tap on another user's message offers a 1-on-1.
///
/// ```swift
/// let lobby = OpenChannelModel(client: client, channel: id)
/// lobby.start()
/// // draw lobby.conversation.items; call lobby.choose(item.id) on a tap,
/// // show lobby.sheet, and open the conversation lobby.opened
/// ```
@MainActor @Observable public final class OpenChannelModel {
    /// The action sheet for a tapped message. It has no title and no text, and can be cancelled.
    public struct Sheet: Hashable, Sendable {
        /// The user whom the action is about.
        public let user: UserID
        /// The action: `Start messaging with Bob`.
        public let action: String
        /// The title of the button that only closes the sheet.
        public let cancel: String
    }

    /// The channel's timeline.
    public let conversation: ConversationModel
    /// Whether this client has joined the channel.
    public private(set) var isJoined = false
    /// The sheet after a tap; nil if none is open.
    public private(set) var sheet: Sheet?
    /// Whether a 1-on-1 is being started.
    public private(set) var isStarting = false
    /// The 1-on-1 to open over this screen; nil if there is none.
    public private(set) var opened: Channel?
    /// How often a 1-on-1 over this screen was closed.
    public private(set) var returns = 0
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public private(set) var problem: RoostError?

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let texts: ChatTexts
    @ObservationIgnored private let life = ModelLife()

    /// Creates the model of an open channel. It does nothing before ``start()``.
    public init(
        client: ChatClient, channel: ChannelID,
        configuration: ConversationModel.Configuration = ConversationModel.Configuration(),
        clock: ModelClock = .system, texts: ChatTexts = .english
    ) {
        self.client = client
        self.texts = texts
        conversation = ConversationModel(
            client: client, channel: channel, configuration: configuration, clock: clock, texts: texts)
    }

    /// Joins the channel, loads its newest page and follows it. Calling it again changes nothing.
    public func start() {
        guard !life.isRunning else { return }
        guard client.store != nil else { return problem = ConversationModel.noStore }
        let states = client.states
        life.start({ [weak self] in
            for await state in states {
                guard let self else { return }
                // The client itself joins again after a reconnect.
                if state == .live, !self.isJoined { await self.join() }
            }
        })
    }

    /// Stops the work that ``start()`` began and leaves the channel.
    public func stop() async {
        life.stop()
        conversation.stop()
        if isJoined {
            isJoined = false
            // A failure is ignored: the server removes the participant when the connection ends.
            _ = try? await client.channel(conversation.id).leave()
        }
    }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    /// Call it when an item is tapped: a text of another user opens a sheet, anything else does nothing.
    public func choose(_ item: TimelineItem.ID) {
        guard let item = conversation.items.first(where: { $0.id == item }), item.kind == .message, !item.isOwn,
            item.content?.type == MessageType.text.name, let sender = item.senderID, sender != conversation.viewer
        else { return }
        sheet = Sheet(user: sender, action: texts.startMessaging(item.senderName), cancel: texts.cancel)
    }

    /// Closes the sheet.
    public func cancelSheet() { sheet = nil }

    /// Starts the conversation that the sheet offers; when the server has answered, ``opened`` is the channel.
    public func startMessaging() async {
        guard let chosen = sheet, !isStarting else { return }
        sheet = nil
        isStarting = true
        defer { isStarting = false }
        do {
            opened = try await client.startMessaging(with: chosen.user)
        } catch {
            problem = error
        }
    }

    /// Call it when the 1-on-1 was closed: this screen continues with its list.
    public func conversationClosed() {
        guard opened != nil else { return }
        opened = nil
        returns += 1
        if !isJoined { life.run { [weak self] in await self?.join() } }
    }

    private func join() async {
        do {
            _ = try await client.channel(conversation.id).join()
            isJoined = true
            conversation.start()
        } catch {
            if error.code != .cancelled { problem = error }
        }
    }
}
