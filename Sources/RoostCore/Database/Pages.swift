import RoostWire

/// Pagination of lists: the statement requests one element more than the page may hold, and the cursor identifies the
/// last element of the page by the sort key of the list.
extension Reads {
    /// The maximum size of a page in bytes; a page always has at least one element.
    static let pageBytes = 256 * 1_024

    /// Checks the page size requested by a client.
    func limit(_ wanted: Int?, default usual: Int, most: Int) throws(WireError) -> Int {
        let limit = wanted ?? usual
        guard (1...most).contains(limit) else {
            throw WireError(.dataFormat, field: "limit", "\"limit\" must be 1 to \(most).")
        }
        return limit
    }

    /// Parses the cursor of the previous page; nil for the first page.
    func cursor<T>(_ text: String?, _ read: (String) -> T?) throws(WireError) -> T? {
        guard let text else { return nil }
        guard let cursor = read(text) else {
            throw WireError(.dataFormat, field: "cursor", "\"cursor\" must be the \"next\" of the previous page.")
        }
        return cursor
    }

    /// Parses a cursor that is the seq of a row.
    static func seq(_ text: String) -> Int64? { Int64(text).flatMap { $0 > 0 ? $0 : nil } }

    /// Returns the page of found elements, and the cursor of the next page if there are more.
    func page<T>(
        _ found: [T], limit: Int, bytes: (T) -> Int = { _ in 0 }, cursor: (T) -> String
    ) -> (elements: ArraySlice<T>, next: String?) {
        var room = Self.pageBytes
        let fitting = found.prefix(limit).prefix { element in
            room -= bytes(element)
            return room >= 0
        }
        let page = fitting.isEmpty ? found.prefix(1) : fitting
        return (page, found.count > page.count ? page.last.map(cursor) : nil)
    }
}

/// The cursor of a list ordered by a time, then by an id: `time/id`.
struct TimeCursor<ID: Identifier> {
    var at: Int64
    var id: ID

    init(at: Int64, id: ID) {
        self.at = at
        self.id = id
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let at = Int64(parts[0]), let id = ID(rawValue: String(parts[1])) else { return nil }
        self.init(at: at, id: id)
    }

    var text: String { "\(at)/\(id)" }
}
