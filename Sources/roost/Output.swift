import RoostTerminal
import RoostWire

extension Printable {
    /// Escapes the control characters that JSON allows unescaped (U+007F to U+009F).
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
}

extension Terminal {
    /// Prints a value as one line of JSON with sorted keys.
    static func printLine(json value: some Encodable) throws {
        Terminal.writeOutput(Printable.escaped(try WireCodec.encodeSorted(value)) + [0x0A])
    }
}
