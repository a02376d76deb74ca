public import Observation
public import RoostClient
public import RoostWire

/// The screen of an open channel: anyone may read and write, and a tap on another user's message offers a 1-on-1.
///
/// ```swift
/// let lobby = OpenChannelModel(client: client, channel: id)
/// lobby.start()
/// // draw lobby.conversation.items; call lobby.choose(item.id) on a tap,
/// // show lobby.sheet, and open the conversation lobby.opened
/// ```
@MainActor @Observable public final class OpenChannelModel {
    /// What a tap on a message offers. It has no title and no text, and can be cancelled.
    public struct Sheet: Hashable, Sendable {
        /// Whom the action is about.
        public let user: UserID
        /// The action: `Start messaging with Bob`.
        public let action: String
        /// What closes the sheet and does nothing else.
        public let cancel: String
    }

    /// The channel's timeline.
    public let conversation: ConversationModel
    /// Whether this client takes part in the channel.
    public private(set) var isJoined = false
    /// What is offered after a tap; nil for nothing.
    public private(set) var sheet: Sheet?
    /// Whether a 1-on-1 is being started.
    public private(set) var isStarting = false
    /// The 1-on-1 that is to be opened over this screen; nil while none is.
    public private(set) var opened: Channel?
    /// How often the 1-on-1 was closed and this screen took up its own session again.
    public private(set) var returns = 0
    /// What last went wrong, in a sentence for people.
    public private(set) var problem: RoostError?

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let texts: ChatTexts
    @ObservationIgnored private let life = ModelLife()

    /// Makes the model of an open channel. Nothing happens before ``start()``.
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

    /// Takes part in the channel, loads its newest page and follows it. Again, it changes nothing.
    public func start() {
        guard !life.isRunning else { return }
        guard client.store != nil else { return problem = ConversationModel.noStore }
        let states = client.states
        life.start({ [weak self] in
            for await state in states {
                guard let self else { return }
                // The client itself takes part again after a reconnect.
                if state == .live, !self.isJoined { await self.join() }
            }
        })
    }

    /// Ends what ``start()`` began and leaves the channel.
    public func stop() async {
        life.stop()
        conversation.stop()
        if isJoined {
            isJoined = false
            // Nobody is left to be told, and the server forgets a participant with the connection.
            _ = try? await client.channel(conversation.id).leave()
        }
    }

    /// Takes the problem from the screen.
    public func dismissProblem() { problem = nil }

    /// Tells that an item was tapped: a text of another user opens a sheet, anything else does nothing.
    public func choose(_ item: TimelineItem.ID) {
        guard let item = conversation.items.first(where: { $0.id == item }), item.kind == .message, !item.isOwn,
            item.type == MessageType.text.name, let sender = item.senderID, sender != conversation.viewer
        else { return }
        sheet = Sheet(user: sender, action: texts.startMessaging(item.senderName), cancel: texts.cancel)
    }

    /// Closes the sheet.
    public func cancelSheet() { sheet = nil }

    /// Starts the conversation that the sheet offers; ``opened`` is the channel when the server has answered.
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

    /// Tells that the 1-on-1 was closed: this screen goes on with the list that it has.
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
