import DequeModule
import RoostWire
import Synchronization

/// The transIDs of this client's commands, to tell their events from those of others.
final class OwnCommands: Sendable {
    /// The number is limited: events follow their commands closely.
    private static let most = 10_000

    private struct State {
        var keys: Set<String> = []
        var order = Deque<String>()
    }

    private let state = Mutex(State())

    func note(_ input: SyncInput) {
        switch input {
        case .perform(_, let id, _): note(id)
        case .send(_, let transID, _), .hold(_, let transID, _): note(transID.rawValue)
        default: break
        }
    }

    func note(_ key: String) {
        state.withLock { state in
            guard state.keys.insert(key).inserted else { return }
            state.order.append(key)
            if state.keys.count > Self.most, let oldest = state.order.popFirst() { state.keys.remove(oldest) }
        }
    }

    /// Whether an event was caused by a command of this client.
    func contains(_ event: ClientEvent, of user: UserID?) -> Bool {
        guard case .event(let event, _) = event, event.senderID == user, let transID = event.transID else {
            return false
        }
        return state.withLock { $0.keys.contains(transID.rawValue) }
    }
}
