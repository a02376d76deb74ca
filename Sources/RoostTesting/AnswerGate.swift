import RoostCore
import Synchronization

/// Delays one answer of a server, so that it arrives after later events.
///
/// Reads run concurrently with the writer, so an answer may be older than events that arrive before it.
package final class AnswerGate: Sendable {
    private struct State {
        /// A text contained in the answer to delay.
        var text: String?
        var held: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let (holding, note) = AsyncStream.makeStream(of: Void.self)

    package init() {}

    /// Delays the next answer of a read whose JSON contains this text.
    package func hold(_ text: String) { state.withLock { $0.text = text } }

    /// Waits until an answer is being delayed.
    package func untilHeld() async { for await _ in holding { return } }

    /// Releases the delayed answer.
    package func release() {
        let held = state.withLock { state in
            state.text = nil
            return state.held.take()
        }
        held?()
    }

    func pass(_ answer: [UInt8], _ send: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            guard let text = state.text, String(decoding: answer, as: UTF8.self).contains(text) else { return false }
            state.text = nil
            state.held = send
            return true
        }
        if isHeld { note.yield() } else { send() }
    }
}

/// A database whose reads pass through a gate.
struct GatedDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    private let gate: AnswerGate

    init(_ inner: any SQLDatabase, _ gate: AnswerGate) {
        self.inner = inner
        self.gate = gate
    }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T { try inner.write(body) }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let gate = gate
        inner.read(body) { result in
            if case .success(let value) = result, let answer = value as? [UInt8] {
                gate.pass(answer) { then(result) }
            } else {
                then(result)
            }
        }
    }

    func close() throws { try inner.close() }
}
