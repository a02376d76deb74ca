public import Foundation
import RoostWire

/// The time for models: a clock, a way to wait, and the local time zone.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id)             // the system's clock
/// let tested = ConversationModel(client: client, channel: id, clock: clock) // one that a test moves
/// ```
public struct ModelClock: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date
    /// Waits until the clock reaches a time; returns at once if it is past.
    ///
    /// It throws if the task is cancelled.
    public var sleep: @Sendable (_ until: Date) async throws -> Void
    /// How many seconds local time is ahead of UTC at a time, which decides where days begin.
    public var secondsFromUTC: @Sendable (Date) -> Int

    /// Creates a clock from its parts; days begin at midnight UTC by default.
    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (_ until: Date) async throws -> Void,
        secondsFromUTC: @escaping @Sendable (Date) -> Int = { _ in 0 }
    ) {
        self.now = now
        self.sleep = sleep
        self.secondsFromUTC = secondsFromUTC
    }

    /// The device's clock and time zone.
    public static let system = ModelClock(
        now: { Date() },
        sleep: { deadline in
            while true {
                let left = deadline.timeIntervalSinceNow
                guard left > 0 else { return try Task.checkCancellation() }
                // At most a minute per wait, because the clock may be set meanwhile.
                try await Task.sleep(for: .seconds(min(left, 60)))
            }
        },
        secondsFromUTC: { TimeZone.current.secondsFromGMT(for: $0) })

    /// The local day of a time, as days since 1970.
    func day(of date: Date) -> Int64 {
        let time = date.milliseconds
        let offset = Int64(secondsFromUTC(date)) * 1_000
        let (local, overflow) = time.addingReportingOverflow(offset)
        let day = 86_400_000 as Int64
        let moment = overflow ? time : local
        return moment >= 0 ? moment / day : (moment + 1) / day - 1
    }
}
