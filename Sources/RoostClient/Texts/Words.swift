/// The words of one language for one set of keys. They are written in `Texts`, from which `dev/words` makes the tables.
package struct Words<Key: RawRepresentable<String> & Hashable & Sendable>: Sendable {
    /// The text of a key, or one for each plural form of the number `count`; `{names}` stand for values.
    package enum Entry: Sendable, ExpressibleByStringLiteral {
        case text(String)
        case forms([PluralForm: String])

        package init(stringLiteral text: String) { self = .text(text) }

        package static func plural(
            zero: String? = nil, one: String? = nil, two: String? = nil, few: String? = nil, many: String? = nil,
            other: String
        ) -> Entry {
            var forms: [PluralForm: String] = [.other: other]
            forms[.zero] = zero
            forms[.one] = one
            forms[.two] = two
            forms[.few] = few
            forms[.many] = many
            return .forms(forms)
        }
    }

    /// A value in a text.
    package enum Value: Sendable {
        /// What people wrote, or a text that may contain it: it is isolated from the direction of the sentence.
        case text(String)
        case number(Int)
        /// A number without separators, for a counter.
        case digits(Int)
    }

    /// The code of the language, as in BCP 47.
    package var code: String
    package var table: [Key: Entry]

    package init(code: String, table: [Key: Entry]) {
        self.code = code
        self.table = table
    }

    /// The text of a key with its values.
    package func callAsFunction(_ key: Key, _ values: [String: Value] = [:]) -> String {
        var text: String
        switch table[key] {
        case .text(let entry): text = entry
        case .forms(let forms):
            let count: Int
            switch values["count"] {
            case .number(let number), .digits(let number): count = number
            case .text, nil: count = 0
            }
            text = forms[PluralForm(count, in: code)] ?? forms[.other] ?? key.rawValue
        case nil: return key.rawValue
        }
        var result = ""
        while let start = text.firstIndex(of: "{"), let end = text[start...].firstIndex(of: "}") {
            result += text[..<start]
            switch values[String(text[text.index(after: start)..<end])] {
            case .text(let value): result += isolated(value)
            case .number(let number): result += grouped(number)
            case .digits(let number): result += "\(number)"
            case nil: result += text[start...end]
            }
            text = String(text[text.index(after: end)...])
        }
        return result + text
    }

    /// The digits in groups of three.
    private func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result += code == "de" ? "." : "," }
            result.append(digit)
        }
        return number < 0 ? "-\(result)" : result
    }

    /// A text from somebody, safe inside of a sentence: on one line, without a bidirectional control that reaches out
    /// of it, and between U+2068 and U+2069 if its direction could change the order of the sentence.
    func isolated(_ text: String) -> String {
        var line = ""
        var isAfterControl = false
        var depth = 0
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
            defer { isAfterControl = isControl }
            switch scalar {
            case _ where isControl: line += isAfterControl ? "" : " "
            case "\u{2068}":
                depth += 1
                line.unicodeScalars.append(scalar)
            case "\u{2069}" where depth > 0:
                depth -= 1
                line.unicodeScalars.append(scalar)
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default: line.unicodeScalars.append(scalar)
            }
        }
        line += String(repeating: "\u{2069}", count: depth)
        let isAtRisk = code == "ar" || line.unicodeScalars.contains(where: Self.isRightToLeft)
        return isAtRisk && !line.isEmpty ? "\u{2068}\(line)\u{2069}" : line
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

/// The value for the first language that has one; nil if none has.
/// - Parameters:
///   - languages: Tags such as `de-AT` or `zh_TW.UTF-8`, the best one first.
///   - all: The values by the first part of a tag, such as `de`.
package func preferred<Value>(_ languages: [String], among all: [String: Value]) -> Value? {
    languages.lazy.compactMap { all[$0.prefix { $0 != "-" && $0 != "_" }.lowercased()] }.first
}

/// A form that a noun takes beside a number, after the rules of CLDR for whole numbers.
package enum PluralForm: Sendable {
    case zero, one, two, few, many, other

    package init(_ count: Int, in code: String) {
        switch (code, count, count % 100) {
        case ("ar", 0, _): self = .zero
        case ("ar", 2, _): self = .two
        case ("ar", _, 3...10): self = .few
        case ("ar", _, 11...99): self = .many
        case ("en", 1, _), ("de", 1, _), ("ar", 1, _): self = .one
        default: self = .other
        }
    }
}
