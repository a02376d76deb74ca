import Synchronization

/// How many bytes of a file have been transferred.
///
/// The number never falls. The first report is that of the beginning; the last one, with all bytes, comes once the
/// server or this device has stored them. In between there are at most 20 a second.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes have been transferred, 0 to `totalBytes`.
    public var completedBytes: Int64
    /// The size of the file in bytes; before the first byte of a download it may be 0 for an unknown size.
    public var totalBytes: Int64
    /// Whether this is the thumbnail of a message, not its file.
    public var isThumbnail: Bool

    /// Makes a value.
    public init(completedBytes: Int64, totalBytes: Int64, isThumbnail: Bool = false) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.isThumbnail = isThumbnail
    }

    /// The completed part, 0 to 1; 0 before the first byte of a file of an unknown size.
    public var fraction: Double {
        totalBytes > 0 ? Double(min(completedBytes, totalBytes)) / Double(totalBytes) : 0
    }
}

/// Counts the bytes of one transfer, and reports them now and then.
final class TransferMeter: Sendable {
    private struct State {
        var total: Int64
        var highest: Int64 = -1
        var reportedAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let isThumbnail: Bool
    private let report: @Sendable (TransferProgress) -> Void

    init(total: Int64, isThumbnail: Bool = false, _ report: (@Sendable (TransferProgress) -> Void)?) {
        state = Mutex(State(total: total))
        self.isThumbnail = isThumbnail
        self.report = report ?? { _ in }
    }

    /// Notes the size, once it is known.
    func setTotal(_ total: Int64) { state.withLock { $0.total = total } }

    /// Notes how many bytes have been transferred. All bytes are reported by `finish` only.
    func advance(to bytes: Int64) {
        let progress = state.withLock { state -> TransferProgress? in
            guard bytes > state.highest, bytes < state.total || state.highest < 0 && bytes == 0 else { return nil }
            let now = ContinuousClock.now
            if let last = state.reportedAt, now - last < .milliseconds(50) { return nil }
            state.highest = bytes
            state.reportedAt = now
            return TransferProgress(completedBytes: bytes, totalBytes: state.total, isThumbnail: isThumbnail)
        }
        if let progress { report(progress) }
    }

    /// Reports that all bytes are stored.
    func finish() {
        let total = state.withLock { state in
            state.highest = state.total
            return state.total
        }
        report(TransferProgress(completedBytes: total, totalBytes: total, isThumbnail: isThumbnail))
    }
}
