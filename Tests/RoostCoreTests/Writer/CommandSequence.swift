import RoostCore
import RoostTesting
import RoostWire
import Synchronization

/// Commands submitted to a core at once, so that they are executed in this order, and their answers.
final class CommandSequence: Sendable {
    private struct State {
        var replies: [Int: Reply] = [:]
        var expected = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let roost: TestCore
    private let state = Mutex(State())

    init(_ roost: TestCore) { self.roost = roost }

    func submit(_ command: AnyCommand, id: String, from session: TestSession) {
        let number = state.withLock { state in
            state.expected += 1
            return state.expected - 1
        }
        roost.core.handle(command, id: id, from: session.actor) { [self] reply in
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.replies[number] = reply
                guard state.replies.count == state.expected else { return nil }
                defer { state.waiting = nil }
                return state.waiting
            }
            continuation?.resume()
        }
    }

    func send(
        _ text: String, to channel: ChannelID = Cast.club, id: String, after: String? = nil, from session: TestSession
    ) {
        let after = after.flatMap(TransID.init(rawValue:))
        submit(.write(.sendMessage(SendMessage(channel: channel, text: text, after: after))), id: id, from: session)
    }

    /// The number of answers received.
    var answered: Int { state.withLock { $0.replies.count } }

    /// All answers, in the order of the commands: the row written, or the code of the refusal, negative.
    func answers() async -> [Int64] {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard state.replies.count < state.expected else { return true }
                state.waiting = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
        return state.withLock { $0.replies }.sorted { $0.key < $1.key }.map { _, reply in
            if case .refused(let error) = reply { return -Int64(error.code) }
            return (try? reply.decode(Acknowledgement.self).seq) ?? 0
        }
    }
}
