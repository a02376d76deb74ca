import RoostWire

/// Lists go by pages in one way: the statement asks for one more than the page may hold, and the cursor names the
/// last element of the page by what the list is ordered by.
extension Reads {
    /// The most bytes of what a page holds, but for the one element that every page has.
    static let pageBytes = 256 * 1_024

    /// A page size that a client may ask for.
    func limit(_ wanted: Int?, default usual: Int, most: Int) throws(WireError) -> Int {
        let limit = wanted ?? usual
        guard (1...most).contains(limit) else {
            throw WireError(.dataFormat, field: "limit", "\"limit\" must be 1 to \(most).")
        }
        return limit
    }

    /// What the cursor of a page before holds; nil for the first page.
    func cursor<T>(_ text: String?, _ read: (String) -> T?) throws(WireError) -> T? {
        guard let text else { return nil }
        guard let cursor = read(text) else {
            throw WireError(.dataFormat, field: "cursor", "\"cursor\" must be the \"next\" of a page before.")
        }
        return cursor
    }

    /// The number of a row, as a cursor holds it.
    static func seq(_ text: String) -> Int64? { Int64(text).flatMap { $0 > 0 ? $0 : nil } }

    /// The page of what was found, and the cursor of the next one if something is left.
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

/// Where a list goes on that is ordered by a time, then by an id: `time/id`.
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
