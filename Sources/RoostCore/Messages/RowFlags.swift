/// The flags of a row in a channel's log, as stored in the column `flags`.
struct RowFlags: OptionSet {
    let rawValue: Int64

    /// It counts as unread.
    static let counted = RowFlags(rawValue: 1)
    /// It was recalled silently: only `resume` returns it.
    static let silent = RowFlags(rawValue: 2)
    /// It was recalled.
    static let recalled = RowFlags(rawValue: 4)
}

/// `RowFlags` as SQL conditions. The numbers are literals, so that the partial index on `flags` can be used.
///
/// A silent row is always recalled, so 2 and 3 do not occur.
extension RowFlags {
    /// The row has its content: it was not recalled.
    static func isIntact(_ flags: Query) -> Query { "\(flags) < 4" }
    /// The row is shown, possibly as the placeholder of a recalled message.
    static func isShown(_ flags: Query) -> Query { "\(flags) < 6" }
    /// The row counted as unread and was recalled, silently or not.
    static func isCountedAndRecalled(_ flags: Query) -> Query { "\(flags) >= 5 AND \(flags) <> 6" }
}
