import RoostWire

/// The budget of a batch, in total and per user: it is limited by cost, not by the number of commands.
///
/// A command is never interrupted; a user who has used up the share continues in the next batch. Rows are counted in
/// addition to time, because they are written at the end.
struct BatchBudget {
    private struct Cost {
        /// In µs.
        var time: Int64 = 0
        var rows = 0

        func isWithin(_ other: Cost) -> Bool { time < other.time && rows < other.rows }
    }

    private static let most = Cost(time: 20_000, rows: 4_000)
    private static let maxOfUser = Cost(time: 3_000, rows: 300)

    private var uptime: Int64
    private var rows: Int
    private var spent = Cost()
    private var spentByUsers: [UserID: Cost] = [:]

    /// Creates the budget of a new batch.
    /// - Parameters:
    /// - uptime: the current `Effects.uptime`.
    /// - rows: the number of rows in the batch.
    init(uptime: Int64, rows: Int) {
        self.uptime = uptime
        self.rows = rows
    }

    /// Whether a user may run another command in this batch; once false, it stays false.
    func hasRoom(for user: UserID) -> Bool {
        spent.isWithin(Self.most) && spentByUsers[user]?.isWithin(Self.maxOfUser) != false
    }

    /// Charges a user for the cost since the last call.
    mutating func charge(_ user: UserID, uptime: Int64, rows: Int) {
        // A refused command removes its rows.
        let cost = Cost(time: max(0, uptime - self.uptime), rows: max(0, rows - self.rows))
        (self.uptime, self.rows) = (uptime, rows)
        spent.time += cost.time
        spent.rows += cost.rows
        spentByUsers[user, default: Cost()].time += cost.time
        spentByUsers[user, default: Cost()].rows += cost.rows
    }
}
