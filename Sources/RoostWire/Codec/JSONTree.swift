/// A JSON value, for comparing what was written with what is read.
package indirect enum JSONTree: Codable, Hashable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case number(Int64)
    case fraction(Double)
    case bool(Bool)
    case null

    /// Reads a JSON text.
    package init(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes)
        self = try Self.value(&reader)
        try reader.finish()
    }

    private static func value(_ reader: inout JSONReader) throws -> JSONTree {
        let bytes = reader.slice(try reader.skip())
        var inner = JSONReader(bytes)
        switch bytes.first {
        case UInt8(ascii: "{"):
            var fields: [String: JSONTree] = [:]
            try inner.object { reader, key in fields[key] = try value(&reader) }
            return .object(fields)
        case UInt8(ascii: "["):
            var elements: [JSONTree] = []
            try inner.array { reader in elements.append(try value(&reader)) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try inner.string())
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        default:
            var whole = inner
            if let number = try? whole.int() { return .number(number) }
            return .fraction(try inner.double())
        }
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int64.self) {
            self = .number(number)
        } else if let number = try? value.decode(Double.self) {
            self = .fraction(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONTree].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: JSONTree].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .object(let fields): try value.encode(fields)
        case .array(let elements): try value.encode(elements)
        case .string(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .fraction(let number): try value.encode(number)
        case .bool(let bool): try value.encode(bool)
        case .null: try value.encodeNil()
        }
    }

    /// Whether everything that is in `old` is here with the same value; objects may have more keys.
    package func contains(_ old: JSONTree) -> Bool {
        switch (self, old) {
        case (.object(let mine), .object(let theirs)):
            theirs.allSatisfy { key, value in mine[key]?.contains(value) ?? false }
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.contains($1) }
        default: self == old
        }
    }

    /// The JSON text, its keys in the given order.
    /// - Parameter isPretty: whether it is split into lines, indented by two spaces.
    package func text(isPretty: Bool = false, by order: (String, String) -> Bool = { $0 < $1 }) -> String {
        text(isPretty ? "\n" : nil, order)
    }

    private func text(_ line: String?, _ order: (String, String) -> Bool) -> String {
        let inner = line.map { $0 + "  " }
        func join(_ parts: [String], _ open: String, _ close: String) -> String {
            if parts.isEmpty { return open + close }
            return open + (inner ?? "") + parts.joined(separator: "," + (inner ?? "")) + (line ?? "") + close
        }
        func quoted(_ text: String) -> String {
            var writer = JSONWriter()
            writer.string(text)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        switch self {
        case .object(let fields):
            let space = line == nil ? "" : " "
            return join(
                fields.sorted { order($0.key, $1.key) }.map {
                    quoted($0.key) + ":" + space + $0.value.text(inner, order)
                }, "{", "}")
        case .array(let elements): return join(elements.map { $0.text(inner, order) }, "[", "]")
        case .string(let text): return quoted(text)
        case .number(let number): return "\(number)"
        case .fraction(let number): return "\(number)"
        case .bool(let value): return value ? "true" : "false"
        case .null: return "null"
        }
    }
}
