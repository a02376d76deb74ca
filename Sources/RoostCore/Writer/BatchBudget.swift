import RoostWire

/// How much of a batch there is for one user, and for all: it ends by the work that it makes, not by a number of commands.
///
/// A command is never cut short; whoever has taken the whole share has the next one in the next batch. Rows count
/// besides the time, because they are written at the end.
struct BatchBudget {
    private struct Cost {
        /// In µs.
        var time: Int64 = 0
        var rows = 0

        func isWithin(_ other: Cost) -> Bool { time < other.time && rows < other.rows }
    }

    private static let most = Cost(time: 20_000, rows: 4_000)
    private static let mostOfUser = Cost(time: 3_000, rows: 300)

    private var uptime: Int64
    private var rows: Int
    private var spent = Cost()
    private var spentByUsers: [UserID: Cost] = [:]

    /// A batch begins.
    /// - Parameters:
    ///   - uptime: the time by `Effects.uptime`.
    ///   - rows: how many rows the batch has.
    init(uptime: Int64, rows: Int) {
        self.uptime = uptime
        self.rows = rows
    }

    /// Whether a user may do something more in this batch; once that is not so, it stays so.
    func hasRoom(for user: UserID) -> Bool {
        spent.isWithin(Self.most) && spentByUsers[user]?.isWithin(Self.mostOfUser) != false
    }

    /// Something of a user's was done: what has come to the batch since the last time is this user's work.
    mutating func charge(_ user: UserID, uptime: Int64, rows: Int) {
        // A refused command takes its rows back.
        let cost = Cost(time: max(0, uptime - self.uptime), rows: max(0, rows - self.rows))
        (self.uptime, self.rows) = (uptime, rows)
        spent.time += cost.time
        spent.rows += cost.rows
        spentByUsers[user, default: Cost()].time += cost.time
        spentByUsers[user, default: Cost()].rows += cost.rows
    }
}
