/// Renders screens as terminal output.
///
/// It remembers the last screen and writes only the rows that differ, each from the first to the last difference. The
/// first frame, and the first one of a new size, clears the screen.
package struct Renderer: Sendable {
    private var shown: Screen?
    private let hasColors: Bool
    private let hasTrueColors: Bool

    package init(hasColors: Bool, hasTrueColors: Bool = false) {
        self.hasColors = hasColors
        self.hasTrueColors = hasTrueColors
    }

    /// Forgets the last screen, so that the next frame is written completely.
    package mutating func forget() { shown = nil }

    /// Returns the bytes for the next frame; empty if nothing changes.
    package mutating func render(_ screen: Screen) -> [UInt8] {
        defer { shown = screen }
        var output = ""
        let old = shown?.size == screen.size ? shown : nil
        if old == nil { output += "\u{1B}[0m\u{1B}[2J" }
        for (number, row) in screen.rows.enumerated() {
            let before = old?.rows[number] ?? Array(repeating: .blank, count: screen.size.columns)
            guard var range = Self.difference(before, row) else { continue }
            // Terminals draw joined emoji differently, so everything after one is rewritten.
            if row[range].contains(where: Self.isUncertain) || before[range].contains(where: Self.isUncertain) {
                range = range.lowerBound..<row.count
            }
            write(row, range, number, into: &output)
        }
        guard !output.isEmpty || old?.cursor != screen.cursor else { return [] }
        if !output.isEmpty { output = "\u{1B}[?25l" + output }
        if let cursor = screen.cursor {
            output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        } else if output.isEmpty {
            output = "\u{1B}[?25l"
        }
        return Array(output.utf8)
    }

    private func write(_ row: [Cell], _ range: Range<Int>, _ number: Int, into output: inout String) {
        output += "\u{1B}[\(number + 1);\(range.lowerBound + 1)H"
        var style = Style.plain
        var column = range.lowerBound
        while column < range.upperBound {
            let cell = row[column]
            if cell.style != style {
                output += sequence(for: cell.style)
                style = cell.style
            }
            output += cell.text
            column += 1
            if Self.isUncertain(cell) {
                while column < range.upperBound, row[column].text.isEmpty { column += 1 }
                output += "\u{1B}[\(number + 1);\(column + 1)H"
            }
        }
        if style != .plain { output += "\u{1B}[0m" }
    }

    /// The range in which two rows differ, widened to whole wide characters.
    private static func difference(_ old: [Cell], _ new: [Cell]) -> Range<Int>? {
        guard var first = new.indices.first(where: { old[$0] != new[$0] }),
            var last = new.indices.last(where: { old[$0] != new[$0] })
        else { return nil }
        while first > 0, new[first].text.isEmpty || old[first].text.isEmpty { first -= 1 }
        while last + 1 < new.count, new[last + 1].text.isEmpty || old[last + 1].text.isEmpty { last += 1 }
        return first..<last + 1
    }

    /// Whether terminals disagree about the width of a cell.
    private static func isUncertain(_ cell: Cell) -> Bool {
        guard let first = cell.text.unicodeScalars.first, first.value > 0xFF else { return false }
        return cell.text.unicodeScalars.count > 1 || first.properties.isEmoji
    }

    private func sequence(for style: Style) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isDim { codes.append("2") }
        if style.isUnderlined { codes.append("4") }
        if style.isReversed { codes.append("7") }
        if hasColors, let color = style.color { codes.append("3\(color.rawValue)") }
        if hasColors, let halves = style.halves { codes.append(halves.codes(hasTrueColors: hasTrueColors)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}
