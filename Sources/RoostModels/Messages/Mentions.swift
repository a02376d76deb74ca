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
    /// It is in the same line, at most 200 units long, and may have spaces, as names do. No letter or digit of Latin
    /// script is before the `@`, because an e-mail address is no mention.
    public static func query(in text: String, cursor: Int) -> Query? {
        let units = Array(text.utf16)
        guard cursor > 0, cursor <= units.count, let start = units[..<cursor].lastIndex(of: 0x40),
            cursor - start <= 200, beginsName(units, start)
        else { return nil }
        let typed = units[(start + 1)..<cursor]
        guard !typed.contains(0x0A), typed.first.map(isSpace) != true else { return nil }
        return Query(prefix: String(decoding: typed, as: UTF16.self), start: start, end: cursor)
    }

    /// The mentions of a text with those that were written out in full: an `@` and the name or the id of one member, and
    /// no letter or digit behind it. Of names that begin alike the longest counts; at most `most`, in the order of the
    /// text.
    public static func withWritten(
        _ text: String, _ mentions: [Mention], _ members: [Member], viewer: UserID?, most: Int
    ) -> [Mention] {
        let units = Array(text.utf16)
        var found = mentions
        // Most names occur nowhere: in a large group the others would be compared at each `@`.
        let lower = units.contains(0x40) ? text.lowercased() : ""
        let members = members.filter { member in
            [member.userID.rawValue, member.name].contains { lower.contains("@" + $0.lowercased()) }
        }
        for at in units.indices where found.count < most && units[at] == 0x40 && beginsName(units, at) {
            func covers(_ range: Range<Int>) -> (Mention) -> Bool {
                { mention in
                    guard let start = mention.start, let length = mention.length else { return false }
                    return start < range.upperBound && range.lowerBound < start + length
                }
            }
            var longest = 0
            var fits: Set<UserID> = []
            for member in members where member.userID != viewer {
                for (name, isID) in [(member.userID.rawValue, true), (member.name, false)] {
                    let length = name.utf16.count
                    guard length >= longest, length > 0, isWritten(name, exactly: isID, in: units, at: at + 1) else {
                        continue
                    }
                    if length > longest { (longest, fits) = (length, []) }
                    fits.insert(member.userID)
                }
            }
            guard let user = fits.first, fits.count == 1, !found.contains(where: covers(at..<at + longest + 1)) else {
                continue
            }
            found.append(Mention(userID: user, start: at, length: longest + 1))
        }
        return found.sorted { ($0.start ?? 0) < ($1.start ?? 0) }
    }

    private static func isWritten(_ name: String, exactly: Bool, in units: [UInt16], at start: Int) -> Bool {
        let end = start + name.utf16.count
        guard end <= units.count else { return false }
        let written = String(decoding: units[start..<end], as: UTF16.self)
        guard written == name || !exactly && written.lowercased() == name.lowercased() else { return false }
        // A dot or a dash ends a name, unless a letter follows: then it is a longer id or an address.
        var rest = String(decoding: units[end..<min(end + 5, units.count)], as: UTF16.self).unicodeScalars[...]
        if let first = rest.first, "._@-".unicodeScalars.contains(first) { rest.removeFirst() }
        return rest.first.map(isWord) != true
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// Whether the `@` there begins a name.
    private static func beginsName(_ units: [UInt16], _ at: Int) -> Bool {
        guard at > 0, let before = Unicode.Scalar(units[at - 1]) else { return true }
        if (0x30...0x39).contains(before.value) { return false }
        // The letters of the Latin script, which Swift does not name.
        let isLatin = before.value < 0x250 || (0x1E00...0x1EFF).contains(before.value)
        return !(isLatin && before.properties.isAlphabetic)
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
