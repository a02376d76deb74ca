import Synchronization

/// Whether the app is in the background, and how many ask for the connection to stay nevertheless.
final class BackgroundState: Sendable {
    private let state = Mutex((isHidden: false, holds: 0))

    // The inputs are submitted under the lock, so that the engine gets them in the order of the changes.

    func hide(_ engine: SyncEngine) {
        state.withLock { state in
            state.isHidden = true
            if state.holds == 0 { engine.submit(.suspend) }
        }
    }

    func show(_ engine: SyncEngine) {
        state.withLock { state in
            state.isHidden = false
            engine.submit(.awake)
        }
    }

    func hold() { state.withLock { $0.holds += 1 } }

    func release(_ engine: SyncEngine) {
        state.withLock { state in
            guard state.holds > 0 else { return }
            state.holds -= 1
            if state.holds == 0, state.isHidden { engine.submit(.suspend) }
        }
    }
}
