/// The error for a body that cannot be read: it names the field and does not repeat its content.
extension WireCodec {
    /// The refusal of a body for which decoding threw an error.
    static func refusal(of body: [UInt8], as type: any Command.Type, _ error: any Error) -> WireError {
        let fault = Fault(error).path.isEmpty ? numberFault(in: body, as: type) ?? Fault(error) : Fault(error)
        let field = field(fault.path)
        let subject = field.map { "\"\($0)\"" } ?? "The body of \(type.name)"
        return WireError(
            .dataFormat, field: field,
            "\(subject) \(fault.what). The catalogue lists the fields of \(type.name).")
    }

    /// The path of a field as errors name it, `members[3].role`; nil for the body itself.
    ///
    /// It ends at `extras`: the names below it are app-defined, and no error repeats them.
    static func field(_ path: [any CodingKey]) -> String? {
        var field = ""
        for key in path {
            if let index = key.intValue {
                field += "[\(index)]"
            } else {
                field += field.isEmpty ? key.stringValue : "." + key.stringValue
                if key.stringValue == "extras" { break }
            }
        }
        return field.isEmpty ? nil : field
    }

    private struct Fault {
        var path: [any CodingKey] = []
        var what = "is not valid JSON"

        init(_ error: any Error) {
            switch error as? DecodingError {
            case .keyNotFound(let key, let context): (path, what) = (context.codingPath + [key], "is missing")
            case .typeMismatch(_, let context): (path, what) = (context.codingPath, "has the wrong type")
            case .valueNotFound(_, let context): (path, what) = (context.codingPath, "is null")
            case .dataCorrupted(let context): (path, what) = (context.codingPath, "is not valid")
            default: break
            }
        }
    }

    /// The number of a body that its field cannot hold, of which Foundation does not tell the path.
    ///
    /// Numbers that are not whole, or too large, are read once more as strings: the first field that wants a whole
    /// number then says where it is.
    private static func numberFault(in body: [UInt8], as type: any Command.Type) -> Fault? {
        var decimals: Set<String> = []
        while true {
            var reader = JSONReader(body)
            guard let tree = try? withoutOddNumbers(&reader, but: decimals) else { return nil }
            do {
                _ = try decode(type, from: Array(tree.text().utf8))
                return nil
            } catch DecodingError.typeMismatch(let wanted, let context) {
                // A field that accepts any number is not the faulty one, unless the number is too large for it.
                if wanted == Double.self, let key = context.codingPath.last, decimals.insert(key.stringValue).inserted {
                    continue
                }
                var fault = Fault(DecodingError.typeMismatch(wanted, context))
                fault.what = "is not a number that fits there"
                return fault.path.isEmpty ? nil : fault
            } catch {
                return nil
            }
        }
    }

    /// Reads a value and replaces each number that is not whole by an empty string, except under some keys.
    private static func withoutOddNumbers(
        _ reader: inout JSONReader, under key: String = "", but decimals: Set<String>
    ) throws -> JSONTree {
        let bytes = reader.slice(try reader.skip())
        var inner = JSONReader(bytes)
        switch bytes.first {
        case UInt8(ascii: "{"):
            var fields: [String: JSONTree] = [:]
            try inner.object { reader, key in
                fields[key] = try withoutOddNumbers(&reader, under: key, but: decimals)
            }
            return .object(fields)
        case UInt8(ascii: "["):
            var elements: [JSONTree] = []
            try inner.array { elements.append(try withoutOddNumbers(&$0, but: decimals)) }
            return .array(elements)
        case UInt8(ascii: "\""), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return try JSONTree(bytes)
        default:
            guard let number = try? inner.double() else { return .string("") }
            var whole = JSONReader(bytes)
            // As a `Double`, a number that does not fit 64 bits may be rounded to one that does.
            let rounded = number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
            if let whole = (try? whole.int()) ?? rounded { return .number(whole) }
            return decimals.contains(key) ? .fraction(number) : .string("")
        }
    }
}
