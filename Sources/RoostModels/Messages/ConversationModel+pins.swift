import RoostClient
public import RoostWire

// Pinned messages, which stand at the top of the conversation for everybody.
extension ConversationModel {
    /// A pinned message.
    public struct PinnedMessage: Hashable, Sendable {
        /// Who pinned it, and when.
        public let pin: Pin
        /// The message; its id need not be in ``items``, to which ``jump(to:)`` leads.
        public let item: TimelineItem
    }

    /// Whether the pinned messages are being loaded.
    struct PinLoads {
        fileprivate var isWanted = false
        /// Whether they changed while they were being loaded.
        fileprivate var isStale = false
        var isLoading = false
    }

    /// Whether the viewer may pin messages here and take them down.
    public var mayPin: Bool {
        guard let channel, !isClosed else { return false }
        switch channel.kind {
        case .group: return RoleRules.allows(.pin, channel.role ?? .none, profile: channel.profile ?? ChannelProfile())
        case .open, .publicNews, .corporateNews: return false
        case .single, .own: return true
        }
    }

    /// Loads the pinned messages into ``pins``, which is updated from then on; returns whether they were loaded.
    ///
    /// Without a connection they are loaded once there is one. News have none.
    @discardableResult
    public func loadPins() async -> Bool {
        pinLoads.isWanted = true
        pinLoads.isStale = true
        guard connection == .live, !isClosed, channel?.kind.isNews != true, !pinLoads.isLoading else { return false }
        pinLoads.isLoading = true
        defer { pinLoads.isLoading = false }
        do {
            while pinLoads.isStale {
                pinLoads.isStale = false
                let found = try await readPins()
                if found != pins { pins = found }
            }
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Pins a message, for everybody; returns whether it is pinned. An item that is no message is ignored.
    @discardableResult
    public func pin(_ item: TimelineItem.ID) async -> Bool {
        guard let message = messages([item]).first(where: \.takesReactions)?.messageID else { return false }
        return await act(AddPin(channel: id, messageID: message)) != nil
    }

    /// Takes down a pinned message, whoever pinned it; returns whether it is pinned no longer.
    @discardableResult
    public func unpin(_ message: MessageID) async -> Bool {
        await act(RemovePin(channel: id, messageID: message)) != nil
    }

    /// Whether a message is in ``pins``.
    public func isPinned(_ message: MessageID) -> Bool { pins.contains { $0.pin.messageID == message } }

    // MARK: Changes

    /// Loads them again after the connection was lost, if they were loaded before.
    func readPinsAgain() {
        guard pinLoads.isWanted else { return }
        life.run { [weak self] in await self?.loadPins() }
    }

    /// Loads them again if they or one of the messages changed.
    func applyPins(_ rows: LocalChange.Rows) {
        let seqs = Set(pins.map(\.pin.messageID.seq))
        let changed = Set(rows.rewritten.filter { $0.recall != nil }.compactMap(\.seq) + rows.removed)
        let isPin = rows.appended.contains { event in
            switch event.body {
            case .channel(.pinAdded), .channel(.pinRemoved): true
            default: false
            }
        }
        let isCleared = seqs.contains { $0 <= rows.clearedTo }
        guard isPin || isCleared || rows.isVoid || rows.isInterrupted || !seqs.isDisjoint(with: changed) else { return }
        readPinsAgain()
    }

    private func readPins() async throws(RoostError) -> [PinnedMessage] {
        let pins = try await client.channel(id).pins().pins
        guard !pins.isEmpty else { return [] }
        var items: [MessageID: TimelineItem] = [:]
        // Few at a time, as an answer has a limit of bytes.
        for start in stride(from: 0, to: pins.count, by: 10) {
            let ids = pins[start..<min(start + 10, pins.count)].map(\.messageID)
            for event in try await client.perform(GetMessages(channel: id, messageIDs: ids)).events {
                guard let message = event.messageID else { continue }
                items[message] = TimelineItem(event, viewer: viewer, day: 0, texts: texts)
            }
        }
        return pins.compactMap { pin in items[pin.messageID].map { PinnedMessage(pin: pin, item: $0) } }
    }
}
