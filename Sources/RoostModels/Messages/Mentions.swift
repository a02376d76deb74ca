public import RoostWire

/// Mentions in a text that is being typed. Pure rules; all ranges are in UTF-16 units, as on the wire.
public enum MentionRules {
    /// The beginning of a name that is being typed after an `@`, and its position.
    public struct Query: Hashable, Sendable {
        /// The text after the `@`.
        public var prefix: String
        /// The position of the `@`.
        public var start: Int
        /// The position of the cursor.
        public var end: Int

        /// Creates a query.
        public init(prefix: String, start: Int, end: Int) {
            self.prefix = prefix
            self.start = start
            self.end = end
        }
    }

    /// The name that is being typed after an `@` before the cursor; nil if there is none.
    ///
    /// The `@` is at the beginning of the text or follows white space, and a name has no white
    /// space before it is completed.
    public static func query(in text: String, cursor: Int) -> Query? {
        let units = Array(text.utf16)
        guard cursor >= 0, cursor <= units.count else { return nil }
        var index = cursor
        while index > 0 {
            let unit = units[index - 1]
            if unit == 0x40 {
                guard index == 1 || isSpace(units[index - 2]) else { return nil }
                let prefix = String(decoding: units[index..<cursor], as: UTF16.self)
                return Query(prefix: prefix, start: index - 1, end: cursor)
            }
            if isSpace(unit) { return nil }
            index -= 1
        }
        return nil
    }

    private static func isSpace(_ unit: UInt16) -> Bool {
        Unicode.Scalar(unit)?.properties.isWhitespace == true
    }

    /// The members whose name, a word of it, or id has this prefix, by name; without the viewer.
    public static func candidates(for prefix: String, among members: [Member], viewer: UserID?) -> [Member] {
        let prefix = prefix.lowercased()
        return
            members.filter { member in
                guard member.userID != viewer else { return false }
                let name = member.name.lowercased()
                return prefix.isEmpty || name.hasPrefix(prefix) || name.contains(" " + prefix)
                    || member.userID.rawValue.lowercased().hasPrefix(prefix)
            }
            .sorted { ($0.name.lowercased(), $0.userID) < ($1.name.lowercased(), $1.userID) }
    }

    /// Replaces the typed beginning by a name: the text, the mentions with the new one, and the position of the cursor.
    public static func complete(
        _ query: Query, with member: Member, in text: String, mentions: [Mention]
    ) -> (text: String, mentions: [Mention], cursor: Int) {
        let units = Array(text.utf16)
        guard query.start >= 0, query.start <= query.end, query.end <= units.count else {
            return (text, mentions, units.count)
        }
        let name = Array("@\(member.name)".utf16)
        let rest = units[query.end...]
        let space: [UInt16] = rest.first.map(isSpace) == true ? [] : [0x20]
        let new = String(decoding: units[..<query.start] + name + space + rest, as: UTF16.self)
        var kept = moved(mentions, from: text, to: new)
        kept.append(Mention(userID: member.userID, start: query.start, length: name.count))
        kept.sort { ($0.start ?? 0) < ($1.start ?? 0) }
        return (new, kept, query.start + name.count + 1)
    }

    /// The mentions after an edit: those after it move with the text, and those that it changed are removed.
    public static func moved(_ mentions: [Mention], from old: String, to new: String) -> [Mention] {
        guard !mentions.isEmpty else { return [] }
        let (before, after) = (Array(old.utf16), Array(new.utf16))
        let most = min(before.count, after.count)
        var head = 0
        while head < most, before[head] == after[head] { head += 1 }
        var tail = 0
        while tail < most - head, before[before.count - 1 - tail] == after[after.count - 1 - tail] { tail += 1 }
        let end = before.count - tail
        return mentions.compactMap { mention in
            guard let start = mention.start, let length = mention.length else { return mention }
            if start + length <= head { return mention }
            guard start >= end else { return nil }
            var mention = mention
            mention.start = start + after.count - before.count
            return mention
        }
    }
}
