/// A character with its style and width.
package struct StyledCharacter: Hashable, Sendable {
    package let text: String
    package let style: Style
    package let columns: Int

    /// The maximum number of code points drawn as one character; enough for every emoji and script.
    static let maximumScalars = 16

    package init(_ character: Character, _ style: Style) {
        self.style = style
        let scalars = character.unicodeScalars
        if scalars.contains(where: Printable.isDangerous) {
            (text, columns) = scalars.allSatisfy { $0 == "\n" || $0 == "\r" || $0 == "\t" } ? (" ", 1) : ("\u{FFFD}", 1)
            return
        }
        let width = CharacterWidth.columns(of: character)
        if width == 0 {
            // A combining mark without a base would change the preceding character.
            (text, columns) = ("", 0)
        } else if scalars.count > Self.maximumScalars {
            var short = String.UnicodeScalarView()
            short.append(contentsOf: scalars.prefix(Self.maximumScalars))
            (text, columns) = (String(short), width)
        } else {
            (text, columns) = (String(character), width)
        }
    }

    private init(text: String, style: Style, columns: Int) {
        self.text = text
        self.style = style
        self.columns = columns
    }

    var isSpace: Bool { text == " " }

    /// The same in another style.
    func styled(_ style: Style) -> StyledCharacter { StyledCharacter(text: text, style: style, columns: columns) }
}

/// A text in several styles.
package struct StyledText: Hashable, Sendable, Sequence {
    package var characters: [StyledCharacter]

    package init(_ text: String = "", _ style: Style = .plain) {
        characters = text.map { StyledCharacter($0, style) }
    }

    init(_ characters: some Sequence<StyledCharacter>) { self.characters = Array(characters) }

    package func makeIterator() -> IndexingIterator<[StyledCharacter]> { characters.makeIterator() }

    package static func + (left: StyledText, right: StyledText) -> StyledText {
        StyledText(left.characters + right.characters)
    }

    package static func += (left: inout StyledText, right: StyledText) { left.characters += right.characters }

    /// The width in columns.
    package var columns: Int { characters.reduce(0) { $0 + $1.columns } }

    /// The text without styles.
    package var string: String { characters.map(\.text).joined() }

    /// The same with every style changed.
    func styled(_ change: (Style) -> Style) -> StyledText {
        StyledText(characters.map { $0.styled(change($0.style)) })
    }

    /// Truncates the text to a width, with an ellipsis if it is too long.
    package func truncated(to width: Int) -> StyledText {
        guard columns > width else { return self }
        guard width > 0 else { return StyledText() }
        var kept: [StyledCharacter] = []
        var used = 0
        for character in characters {
            guard used + character.columns <= width - 1 else { break }
            kept.append(character)
            used += character.columns
        }
        kept.append(StyledCharacter("…", kept.last?.style ?? .plain))
        return StyledText(kept)
    }

    /// Wraps the text to lines of a maximum width, at blanks if possible; at least one line.
    package func wrapped(to width: Int) -> [StyledText] {
        let width = Swift.max(1, width)
        var lines: [StyledText] = []
        var line: [StyledCharacter] = []
        var used = 0
        /// The position after the last blank, where the line may be broken.
        var seam: Int?
        for character in characters where character.columns > 0 {
            // A wide character cannot fit into a single column.
            let fitting = character.columns > width ? StyledCharacter("…", character.style) : character
            if fitting.isSpace, used == width {
                lines.append(StyledText(line))
                (line, used, seam) = ([], 0, nil)
                continue
            }
            // This may run twice if the text after the last blank leaves no room for a wide character.
            while used + fitting.columns > width {
                let cut = seam ?? line.count
                lines.append(StyledText(line[..<cut]).withoutBlankEnd)
                line = Array(line[cut...])
                used = line.reduce(0) { $0 + $1.columns }
                seam = nil
            }
            line.append(fitting)
            used += fitting.columns
            if fitting.isSpace { seam = line.count }
        }
        lines.append(StyledText(line))
        return lines
    }

    private var withoutBlankEnd: StyledText {
        var characters = characters
        while characters.last?.isSpace == true { characters.removeLast() }
        return StyledText(characters)
    }
}
