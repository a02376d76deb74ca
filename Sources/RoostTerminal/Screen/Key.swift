/// An input event from the terminal.
package enum Key: Hashable, Sendable {
    /// Typed characters.
    case text(String)
    /// Pasted text with arbitrary content.
    case paste(String)
    /// Ctrl with a letter, such as `c`.
    case control(Character)
    /// Alt with a character.
    case alt(Character)
    case enter, altEnter, tab, backTab, backspace, altBackspace, delete, escape
    case up, down, left, right, home, end, pageUp, pageDown
    case altUp, altDown, wordLeft, wordRight, controlHome, controlEnd
    case function(Int)
    case wheelUp, wheelDown
    case focusIn, focusOut
}

/// Parses the bytes of a terminal into keys.
///
/// It never fails: unknown sequences are ignored, and endless ones are cut off. After an escape byte that may be the
/// Escape key, ``isWaiting`` is true; call ``flush()`` if nothing follows soon.
package struct KeyParser: Sendable {
    private enum State: Hashable {
        case ground
        case escape
        /// After `ESC [`, with the parameters so far.
        case sequence([UInt8])
        /// After `ESC O`.
        case single
        /// Inside a control string (OSC, DCS …), which is ignored until it ends.
        case ignored(isEscape: Bool)
        case paste([UInt8])
    }

    /// The maximum size of a paste in bytes; the rest is dropped.
    static let maximumPaste = 1 << 20
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.ground
    private var pending: [UInt8] = []
    private var ignoredCount = 0
    private var pasteTail: [UInt8] = []

    package init() {}

    /// Whether an escape byte was read that may be a key or the start of a sequence.
    package var isWaiting: Bool { state == .escape }

    /// Notes that nothing follows: a pending escape byte was the Escape key.
    package mutating func flush() -> [Key] {
        guard state == .escape else { return [] }
        state = .ground
        return [.escape]
    }

    /// Parses bytes into keys; consecutive typed characters are combined.
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            for key in parse(byte) {
                if case .text(let more) = key, case .text(let text)? = keys.last {
                    keys[keys.count - 1] = .text(text + more)
                } else {
                    keys.append(key)
                }
            }
        }
        return keys
    }

    private mutating func parse(_ byte: UInt8) -> [Key] {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .single:
            state = .ground
            return Self.named(byte, modifier: 1).map { [$0] } ?? []
        case .sequence(let parameters): return sequence(parameters, byte)
        case .ignored(let isEscape): return ignored(isEscape, byte)
        case .paste: return paste(byte)
        }
    }

    private mutating func ground(_ byte: UInt8) -> [Key] {
        if byte < 0x20 || byte == 0x7F { pending = [] }
        switch byte {
        case 0x1B:
            state = .escape
            return []
        case 0x0D: return [.enter]
        // Ctrl-J, for terminals that keep Alt-Enter for themselves.
        case 0x0A: return [.altEnter]
        case 0x09: return [.tab]
        case 0x08, 0x7F: return [.backspace]
        case 0x00: return []
        case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
        case 0x1C...0x1F: return []
        default: return text(byte)
        }
    }

    private mutating func text(_ byte: UInt8) -> [Key] {
        if byte & 0xC0 != 0x80 { pending = [] }
        pending.append(byte)
        if let piece = String(validating: pending, as: UTF8.self) {
            pending = []
            // U+0080 to U+009F are 8-bit control characters of old terminals.
            return piece.unicodeScalars.contains { $0.value >= 0x80 && $0.value < 0xA0 } ? [] : [.text(piece)]
        }
        if pending.count >= 4 { pending = [] }
        return []
    }

    private mutating func escape(_ byte: UInt8) -> [Key] {
        state = .ground
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .single
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .ignored(isEscape: false)
            ignoredCount = 0
        case 0x1B:
            state = .escape
            return [.escape]
        case 0x0D, 0x0A: return [.altEnter]
        case 0x08, 0x7F: return [.altBackspace]
        case 0x20...0x7E: return [.alt(Character(Unicode.Scalar(byte)))]
        default: return ground(byte)
        }
        return []
    }

    private mutating func sequence(_ parameters: [UInt8], _ byte: UInt8) -> [Key] {
        guard byte >= 0x20, byte < 0x7F else {
            state = .ground
            return ground(byte)
        }
        guard byte >= 0x40 else {
            // No key has that many parameters.
            state = parameters.count < 32 ? .sequence(parameters + [byte]) : .ground
            return []
        }
        state = .ground
        if byte == UInt8(ascii: "M") || byte == UInt8(ascii: "m"), parameters.first == UInt8(ascii: "<") {
            return Self.mouse(parameters.dropFirst(), isPress: byte == UInt8(ascii: "M"))
        }
        let numbers = Self.numbers(parameters)
        if byte == UInt8(ascii: "~") {
            if numbers.first == 200 {
                state = .paste([])
                pasteTail = []
                return []
            }
            return Self.numbered(numbers).map { [$0] } ?? []
        }
        return Self.named(byte, modifier: numbers.count > 1 ? numbers[1] : 1).map { [$0] } ?? []
    }

    private mutating func ignored(_ isEscape: Bool, _ byte: UInt8) -> [Key] {
        ignoredCount += 1
        let isOver = byte == 0x07 || (isEscape && byte == UInt8(ascii: "\\")) || ignoredCount > 4_096
        state = isOver ? .ground : .ignored(isEscape: byte == 0x1B)
        return []
    }

    private mutating func paste(_ byte: UInt8) -> [Key] {
        guard case .paste(var bytes) = state else { return [] }
        // Avoids copying the array for each byte.
        state = .ground
        pasteTail.append(byte)
        if pasteTail == Self.pasteEnd {
            return [.paste(String(decoding: bytes, as: UTF8.self))]
        }
        while !Self.pasteEnd.starts(with: pasteTail) {
            let first = pasteTail.removeFirst()
            if bytes.count < Self.maximumPaste { bytes.append(first) }
        }
        state = .paste(bytes)
        return []
    }

    // MARK: Tables

    private static func numbers(_ parameters: some Sequence<UInt8>) -> [Int] {
        String(decoding: Array(parameters), as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
    }

    /// `ESC [ … letter`; the modifier is 1 and the bits of Shift (1), Alt (2) and Ctrl (4).
    private static func named(_ byte: UInt8, modifier: Int) -> Key? {
        let isAlt = modifier == 3 || modifier == 4
        let isControl = modifier >= 5 && modifier <= 8
        switch byte {
        case UInt8(ascii: "A"): return isAlt ? .altUp : .up
        case UInt8(ascii: "B"): return isAlt ? .altDown : .down
        case UInt8(ascii: "C"): return isAlt || isControl ? .wordRight : .right
        case UInt8(ascii: "D"): return isAlt || isControl ? .wordLeft : .left
        case UInt8(ascii: "F"): return isControl ? .controlEnd : .end
        case UInt8(ascii: "H"): return isControl ? .controlHome : .home
        case UInt8(ascii: "I"): return .focusIn
        case UInt8(ascii: "O"): return .focusOut
        case UInt8(ascii: "P"): return .function(1)
        case UInt8(ascii: "Q"): return .function(2)
        case UInt8(ascii: "R"): return .function(3)
        case UInt8(ascii: "S"): return .function(4)
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "M"): return .enter
        default: return nil
        }
    }

    /// `ESC [ number ~`.
    private static func numbered(_ numbers: [Int]) -> Key? {
        switch numbers.first {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case .some(let number) where (11...15).contains(number): .function(number - 10)
        // Sent by xterm, if enabled, for keys without their own sequence.
        case 27 where numbers.count == 3 && numbers[2] == 13: .altEnter
        default: nil
        }
    }

    private static func mouse(_ parameters: some Sequence<UInt8>, isPress: Bool) -> [Key] {
        guard isPress, let button = numbers(parameters).first else { return [] }
        switch button & ~0x1C {
        case 64: return [.wheelUp]
        case 65: return [.wheelDown]
        default: return []
        }
    }
}
