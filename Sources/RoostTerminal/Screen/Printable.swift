package import Foundation

/// Sanitizes untrusted text for a terminal.
package enum Printable {
    /// Replaces control characters, escape sequences and invisible direction marks with visible placeholders.
    ///
    /// The isolates U+2068 and U+2069, which the SDK puts around names from right to left, are left out.
    package static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D, 0x09, 0x2028, 0x2029: safe.append(" ")
            case 0x2068, 0x2069: continue
            case _ where isDangerous(scalar): safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// Splits a text into lines, each sanitized with ``safe(_:)``; at least one.
    package static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where afterReturn: afterReturn = false
            case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
                lines.append(safe(String(line)))
                line = String.UnicodeScalarView()
                afterReturn = scalar.value == 0x0D
            default:
                afterReturn = false
                line.append(scalar)
            }
        }
        lines.append(safe(String(line)))
        return lines
    }

    /// Whether a character may control the terminal or change the display order of others.
    static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0x200E, 0x200F, 0x061C,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Formats a time as hours and minutes.
    package static func time(_ date: Date, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(
            [.hour, .minute], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return two(parts.hour) + ":" + two(parts.minute)
    }
}
