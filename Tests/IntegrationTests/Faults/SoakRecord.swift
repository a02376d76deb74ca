import Foundation
import RoostClient
import RoostWire
import Synchronization

/// What the clients of a soak have done, kept small for runs of hours.
final class SoakRecord: Sendable {
    /// A send that took this long, in ms, at this time.
    struct Delay: Sendable {
        let at: ContinuousClock.Instant
        let milliseconds: Double
    }

    private struct State {
        /// A hash of the transID of each acknowledged message, by channel and row.
        var acknowledged: [ChannelID: [Int64: Int]] = [:]
        var count = 0
        var delays: [Delay] = []
        /// Delays of the current sample.
        var recent: [Double] = []
        var acts: [String: Int] = [:]
        var refusals: [String: Int] = [:]
        var faults: [String] = []
        var created: [(channel: ChannelID, creator: UserID)] = []
    }

    /// More groups are not created, however long it runs.
    private static let maxCreated = 500
    /// Of more sends than this, only every tenth is kept for the percentiles.
    private static let maxDelays = 1_000_000

    private let state = Mutex(State())

    /// The refusals that happen when many users act in the same channels at once.
    private static let usual: Set<RoostError.Code> = [
        .server(.messageNotFound), .server(.messageNotOwned), .server(.channelNotFound), .server(.noPrivilege),
        .notConnected, .disconnected,
    ]

    /// Hashes of this process, which are never stored.
    static func hash(_ transID: TransID) -> Int { transID.hashValue }

    func note(_ sent: SentMessage, since start: ContinuousClock.Instant) {
        let took = (ContinuousClock.now - start) / .milliseconds(1)
        state.withLock { state in
            state.count += 1
            if let seq = sent.seq { state.acknowledged[sent.channel, default: [:]][seq] = Self.hash(sent.transID) }
            state.recent.append(took)
            if state.delays.count < Self.maxDelays || state.count % 10 == 0 {
                state.delays.append(Delay(at: start, milliseconds: took))
            }
        }
    }

    func did(_ act: String) { state.withLock { $0.acts[act, default: 0] += 1 } }

    func note(_ error: any Error, in act: String) {
        let code = (error as? RoostError)?.code
        state.withLock { state in
            if let code, Self.usual.contains(code) {
                state.refusals["\(code)", default: 0] += 1
            } else if state.faults.count < 100 {
                state.faults.append("\(act): \(error)")
            }
        }
    }

    func fault(_ text: String) { state.withLock { if $0.faults.count < 100 { $0.faults.append(text) } } }

    func created(_ channel: ChannelID, by user: UserID) { state.withLock { $0.created.append((channel, user)) } }

    var mayCreate: Bool { state.withLock { $0.created.count < Self.maxCreated } }
    var count: Int { state.withLock { $0.count } }
    var delays: [Delay] { state.withLock { $0.delays } }
    var acts: [String: Int] { state.withLock { $0.acts } }
    var refusals: [String: Int] { state.withLock { $0.refusals } }
    var faults: [String] { state.withLock { $0.faults } }
    var acknowledged: [ChannelID: [Int64: Int]] { state.withLock { $0.acknowledged } }
    var created: [(channel: ChannelID, creator: UserID)] { state.withLock { $0.created } }

    /// Takes the delays since the last call.
    func takeRecent() -> [Double] {
        state.withLock { state in
            defer { state.recent = [] }
            return state.recent
        }
    }
}
