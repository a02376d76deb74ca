/// The width of text in terminal columns.
package enum CharacterWidth {
    /// The width of a code point: 0, 1 or 2.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x20 { return 0 }
        if value < 0x7F { return 1 }
        if value < 0xA0 { return 0 }
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        // Hangul vowels and final consonants are drawn in the block of the first consonant.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .control: return 0
        default: break
        }
        return isWide(value) || (value >= 0x1F000 && scalar.properties.isEmojiPresentation) ? 2 : 1
    }

    /// The width of a character (grapheme cluster).
    package static func columns(of character: Character) -> Int {
        var widest = 0
        var isFirst = true
        for scalar in character.unicodeScalars {
            if isFirst, scalar.value < 0x7F, character.utf8.count == 1 { return columns(of: scalar) }
            isFirst = false
            // The variation selector for emoji presentation.
            if scalar.value == 0xFE0F, widest == 1 { return 2 }
            // The two letters of a flag are drawn as one emoji.
            if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
            widest = max(widest, columns(of: scalar))
            // Everything after a joiner is drawn in the same cell.
            if scalar.value == 0x200D { break }
        }
        return widest
    }

    /// The width of a text without control characters.
    package static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    private static func isWide(_ value: UInt32) -> Bool {
        if value < 0x1100 { return false }
        var (low, high) = (0, wideCharacters.count)
        while low < high {
            let middle = (low + high) / 2
            let range = wideCharacters[middle]
            if range.contains(value) { return true }
            if value < range.lowerBound { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
