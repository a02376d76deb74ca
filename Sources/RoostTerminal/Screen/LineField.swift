/// A multi-line input field with a cursor and a history.
///
package struct LineField: Hashable, Sendable {
    /// The maximum number of history entries.
    static let historyLimit = 200

    package private(set) var characters: [Character] = []
    /// The cursor position: before this character.
    package private(set) var cursor = 0
    private var history: [String] = []
    /// The index of the history entry shown; nil for the text being written.
    private var recalled: Int?
    private var kept = ""

    package init() {}

    package var text: String { String(characters) }

    /// The cursor position in UTF-16 units.
    package var utf16Cursor: Int { String(characters[..<cursor]).utf16.count }

    /// Sets the text, with the cursor at its end or at a position in UTF-16 units.
    package mutating func set(_ text: String, utf16Cursor: Int? = nil) {
        characters = Array(text)
        cursor = characters.count
        if let utf16Cursor {
            var units = 0
            cursor =
                characters.firstIndex { character in
                    defer { units += character.utf16.count }
                    return units >= utf16Cursor
                } ?? characters.count
        }
    }

    /// Inserts text at the cursor.
    package mutating func insert(_ piece: String) {
        // A combining mark or joiner may merge with the preceding character.
        let head = String(characters[..<cursor]) + piece
        let tail = characters[cursor...]
        let before = Array(head)
        characters = Array(head + String(tail))
        cursor = min(before.count, characters.count)
    }

    /// Inserts pasted text with normalized line breaks and without control characters.
    package mutating func paste(_ text: String) {
        var clean = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0D: clean.append("\n")
            case 0x0A: if !afterReturn { clean.append("\n") }
            case 0x09: clean.append(contentsOf: "    ".unicodeScalars)
            case 0..<0x20, 0x7F..<0xA0: break
            default: clean.append(scalar)
            }
        }
        insert(String(clean))
    }

    package mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        characters.remove(at: cursor)
    }

    package mutating func deleteForward() {
        guard cursor < characters.count else { return }
        characters.remove(at: cursor)
    }

    package mutating func deleteWordBackward() {
        let start = wordStart
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    package mutating func deleteToLineStart() {
        let start = lineStart(of: cursor)
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    package mutating func deleteToLineEnd() {
        let end = lineEnd(of: cursor)
        // At the end of a line, delete the line break.
        let last = end == cursor && end < characters.count ? end + 1 : end
        characters.removeSubrange(cursor..<last)
    }

    package mutating func moveLeft() { cursor = max(0, cursor - 1) }
    package mutating func moveRight() { cursor = min(characters.count, cursor + 1) }
    package mutating func moveWordLeft() { cursor = wordStart }
    package mutating func moveToLineStart() { cursor = lineStart(of: cursor) }
    package mutating func moveToLineEnd() { cursor = lineEnd(of: cursor) }

    package mutating func moveWordRight() {
        while cursor < characters.count, characters[cursor].isWhitespace { cursor += 1 }
        while cursor < characters.count, !characters[cursor].isWhitespace { cursor += 1 }
    }

    /// Moves up a line; in the first line, shows the previous history entry.
    package mutating func moveUp() {
        let start = lineStart(of: cursor)
        guard start > 0 else { return recall(by: -1) }
        let above = lineStart(of: start - 1)
        cursor = min(above + (cursor - start), start - 1)
    }

    /// Moves down a line; in the last line, shows the next history entry.
    package mutating func moveDown() {
        let end = lineEnd(of: cursor)
        guard end < characters.count else { return recall(by: 1) }
        let column = cursor - lineStart(of: cursor)
        cursor = min(end + 1 + column, lineEnd(of: end + 1))
    }

    /// Clears the field and adds its text to the history.
    package mutating func finish() {
        remember(text)
        characters = []
        cursor = 0
        recalled = nil
        kept = ""
    }

    private mutating func remember(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }), history.last != text else { return }
        history.append(text)
        if history.count > Self.historyLimit { history.removeFirst() }
    }

    private mutating func recall(by step: Int) {
        let now = recalled ?? history.count
        let next = now + step
        guard next >= 0, next <= history.count, next != now else { return }
        if recalled == nil { kept = text }
        if next == history.count {
            recalled = nil
            set(kept)
        } else {
            recalled = next
            set(history[next])
        }
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    private func lineStart(of index: Int) -> Int {
        (characters[..<index].lastIndex(of: "\n") ?? -1) + 1
    }

    private func lineEnd(of index: Int) -> Int {
        characters[index...].firstIndex(of: "\n") ?? characters.count
    }
}
