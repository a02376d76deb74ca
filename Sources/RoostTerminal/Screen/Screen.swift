/// The style of a character.
package struct Style: Hashable, Sendable {
    /// A colour of the terminal's palette.
    package enum Color: UInt8, Hashable, Sendable, CaseIterable {
        case red = 1
        case green, yellow, blue, magenta, cyan
    }

    /// The colours of the two halves of a half block.
    package struct Halves: Hashable, Sendable {
        package var upper: Pixel
        package var lower: Pixel

        /// The parameters of the sequence that sets them.
        func codes(hasTrueColors: Bool) -> String {
            func code(_ pixel: Pixel) -> String {
                hasTrueColors ? "2;\(pixel.red);\(pixel.green);\(pixel.blue)" : "5;\(pixel.paletteIndex)"
            }
            return "38;\(code(upper));48;\(code(lower))"
        }
    }

    package var color: Color?
    /// The colours of a half block that is part of a picture.
    package var halves: Halves?
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false
    package var isReversed = false

    package static let plain = Style()
    package static let bold = Style(isBold: true)
    package static let dim = Style(isDim: true)
    package static let reversed = Style(isReversed: true)

    package init(
        color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isUnderlined: Bool = false,
        isReversed: Bool = false
    ) {
        self.color = color
        self.isBold = isBold
        self.isDim = isDim
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
    }

    /// The same in another colour.
    package func colored(_ color: Color?) -> Style {
        var style = self
        style.color = color
        return style
    }

    /// The same with reversed colours.
    package func reversed(_ isReversed: Bool = true) -> Style {
        var style = self
        style.isReversed = isReversed
        return style
    }
}

/// The size of a terminal.
package struct ScreenSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    /// Creates a size from what the terminal reports; invalid values become 80 × 24.
    package init(columns: Int, rows: Int) {
        self.columns = columns > 0 ? min(columns, 1_000) : 80
        self.rows = rows > 0 ? min(rows, 500) : 24
    }
}

/// A cell of the screen.
package struct Cell: Hashable, Sendable {
    /// The character; empty in the second column of a wide character.
    package var text: String
    package var style: Style

    static let blank = Cell(text: " ", style: .plain)
}

/// The contents of the terminal: a grid of cells and the cursor.
package struct Screen: Hashable, Sendable {
    /// A cursor position.
    package struct Position: Hashable, Sendable {
        package var column: Int
        package var row: Int

        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    package let size: ScreenSize
    package private(set) var rows: [[Cell]]
    /// The cursor position; nil if it is hidden.
    package var cursor: Position?

    package init(size: ScreenSize) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// Writes text from a column up to an end column.
    /// - Returns: the column after the text.
    ///
    /// Text that does not fit is cut off. Control characters are replaced here too, whatever the source of the text.
    @discardableResult
    package mutating func put(
        _ text: some Sequence<StyledCharacter>, column: Int, row: Int, until end: Int? = nil
    ) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        let end = min(end ?? size.columns, size.columns)
        var column = column
        for piece in text {
            if piece.columns == 0 { continue }
            guard column + piece.columns <= end else { break }
            clearWide(at: column, row: row)
            rows[row][column] = Cell(text: piece.text, style: piece.style)
            if piece.columns == 2 {
                clearWide(at: column + 1, row: row)
                rows[row][column + 1] = Cell(text: "", style: piece.style)
            }
            column += piece.columns
        }
        return column
    }

    /// Writes text in one style.
    @discardableResult
    package mutating func put(
        _ text: String, _ style: Style = .plain, column: Int, row: Int, until end: Int? = nil
    ) -> Int {
        put(StyledText(text, style), column: column, row: row, until: end)
    }

    /// Fills part of a row with blanks in a style.
    package mutating func fill(row: Int, _ columns: Range<Int>, _ style: Style) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            clearWide(at: column, row: row)
            rows[row][column] = Cell(text: " ", style: style)
        }
    }

    /// Replaces the rest of an overwritten wide character with a blank.
    private mutating func clearWide(at column: Int, row: Int) {
        if rows[row][column].text.isEmpty, column > 0 { rows[row][column - 1].text = " " }
        if column + 1 < size.columns, rows[row][column + 1].text.isEmpty { rows[row][column + 1].text = " " }
    }

    /// The rows as plain text, without trailing blanks.
    package var lines: [String] {
        rows.map { row in
            var line = row.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
