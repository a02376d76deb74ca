import RoostClient
public import RoostWire

// Pinned messages, which stand at the top of the conversation for everybody.
extension ConversationModel {
    /// A pinned message.
    public struct PinnedMessage: Hashable, Sendable {
        /// Who pinned it, and when.
        public let pin: Pin
        /// The message; its id need not be in ``items``, to which `jump(to:)` leads.
        public let item: TimelineItem
    }

    /// Whether the pinned messages are being loaded.
    struct PinLoads {
        fileprivate var isWanted = false
        /// Whether they changed while they were being loaded.
        fileprivate var isStale = false
        /// The number of the load that runs.
        fileprivate var current: Int?
        private var count = 0

        fileprivate mutating func begin() -> Int {
            count += 1
            current = count
            return count
        }

        /// What a load that runs still returns is ignored.
        mutating func stop() { current = nil }
    }

    /// Whether the viewer may pin messages here and take them down, as far as the device knows; not in open channels,
    /// where only operators may, without a screen of their own. In a 1-on-1, a block is not considered.
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
        guard connection == .live, !isClosed, let channel, !channel.kind.isNews, pinLoads.current == nil else {
            return false
        }
        let load = pinLoads.begin()
        defer { if pinLoads.current == load { pinLoads.stop() } }
        while pinLoads.isStale {
            pinLoads.isStale = false
            do {
                let found = try await readPins()
                guard pinLoads.current == load, !isClosed else { return false }
                // What was recalled meanwhile must not show.
                if !pinLoads.isStale, found != pins { pins = found }
            } catch {
                guard pinLoads.current == load else { return false }
                // It failed because of what changed, perhaps.
                if pinLoads.isStale { continue }
                if !error.isRetryable { fail(error) }
                return false
            }
        }
        return true
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

    /// Takes away at once what nobody or the viewer may no longer read, and loads them again if something changed.
    func applyPins(_ rows: LocalChange.Rows) {
        var isChanged = rows.isVoid || rows.isInterrupted
        var gone = Set(rows.rewritten.filter { $0.recall != nil }.compactMap(\.seq) + rows.removed)
        for event in rows.appended {
            switch event.body {
            case .channel(.pinAdded), .channel(.pinRemoved): isChanged = true
            // The store need not have the message.
            case .channel(.messageRecalled(let recalled)): gone.formUnion(recalled.messages.map(\.seq))
            default: break
            }
        }
        let left =
            rows.isVoid
            ? []
            : pins.filter { pin in
                let seq = pin.pin.messageID.seq
                return seq > rows.clearedTo && !gone.contains(seq)
            }
        if left.count < pins.count {
            pins = left
            isChanged = true
        }
        if isChanged || pinLoads.current != nil && !(gone.isEmpty && rows.clearedTo == 0) { readPinsAgain() }
    }

    private func readPins() async throws(RoostError) -> [PinnedMessage] {
        let found = try await client.channel(id).pins().pins
        var items: [MessageID: TimelineItem] = [:]
        for pin in pins { items[pin.pin.messageID] = pin.item }
        var missing = found.map(\.messageID).filter { items[$0] == nil }
        // Few at a time, as an answer has a limit of bytes.
        var most = 10
        while !missing.isEmpty {
            let ids = Array(missing.prefix(most))
            do {
                for event in try await client.perform(GetMessages(channel: id, messageIDs: ids)).events {
                    guard let message = event.messageID else { continue }
                    items[message] = TimelineItem(event, viewer: viewer, day: 0, texts: texts)
                }
            } catch {
                switch error.code {
                // None of them is there any more.
                case .server(.messageNotFound): break
                case .server(.tooLarge) where ids.count > 1:
                    most = ids.count / 2
                    continue
                default: throw error
                }
            }
            missing.removeFirst(ids.count)
        }
        return found.compactMap { pin in items[pin.messageID].map { PinnedMessage(pin: pin, item: $0) } }
    }
}
