import Foundation
import RoostWire

/// Text of others, made harmless for a terminal.
enum Printable {
    /// Replaces control characters, escape sequences and invisible direction marks by what shows that they were there.
    static func safe(_ text: String) -> String {
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D, 0x09, 0x2028, 0x2029: safe.append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFFF9...0xFFFB,
                0xE0000...0xE007F:
                safe.append("\u{FFFD}")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }

    /// JSON in which the control characters that JSON may leave as they are (U+007F to U+009F) are escaped, too.
    static func escaped(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x7F || $0 == 0xC2 }) else { return json }
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if (0x7F..<0xA0).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return Array(text.utf8)
    }

    /// Hours and minutes.
    static func time(_ ms: Int64, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents(
            [.hour, .minute], from: Date(timeIntervalSince1970: Double(ms) / 1_000))
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return two(parts.hour) + ":" + two(parts.minute)
    }
}

extension Terminal {
    /// Writes a value as one line of JSON.
    static func say(json value: some Encodable) throws {
        Terminal.put(Printable.escaped(try WireCodec.encode(value)) + [0x0A])
    }
}
