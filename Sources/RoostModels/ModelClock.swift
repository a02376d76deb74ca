import Foundation

/// What models know of time: the clock, a way to wait, and where the days begin.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id)             // the system's clock
/// let tested = ConversationModel(client: client, channel: id, clock: clock) // one that a test moves
/// ```
public struct ModelClock: Sendable {
    /// The time, ms since 1970.
    public var now: @Sendable () -> Int64
    /// Waits until the clock shows that time, ms since 1970; at once when it is past.
    ///
    /// It throws when the task is cancelled.
    public var sleep: @Sendable (_ until: Int64) async throws -> Void
    /// How many seconds local time is ahead of UTC at a time, ms since 1970: it says where days begin.
    public var secondsFromUTC: @Sendable (Int64) -> Int

    /// Makes a clock of its parts; days begin at midnight UTC unless told otherwise.
    public init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async throws -> Void,
        secondsFromUTC: @escaping @Sendable (Int64) -> Int = { _ in 0 }
    ) {
        self.now = now
        self.sleep = sleep
        self.secondsFromUTC = secondsFromUTC
    }

    /// The device's clock and time zone.
    public static let system = ModelClock(
        now: { systemNow() },
        sleep: { deadline in
            while true {
                let left = deadline.subtractingReportingOverflow(systemNow())
                if left.overflow || left.partialValue <= 0 { return try Task.checkCancellation() }
                // No longer than a minute at once: the clock may be set meanwhile.
                try await Task.sleep(for: .milliseconds(min(left.partialValue, 60_000)))
            }
        },
        secondsFromUTC: { time in
            TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1_000))
        })

    private static func systemNow() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Which local day a time lies in, as days since 1970.
    func day(of time: Int64) -> Int64 {
        let offset = Int64(secondsFromUTC(time)) * 1_000
        let (local, overflow) = time.addingReportingOverflow(offset)
        let day = 86_400_000 as Int64
        let moment = overflow ? time : local
        return moment >= 0 ? moment / day : (moment + 1) / day - 1
    }
}
