/// An error of the strict reader.
package enum JSONFault: Error {
    /// The text is not JSON, or not the JSON that was expected there.
    case syntax(at: Int)
    /// More than 32 levels, or an object of more than 256 keys.
    case tooComplex
    /// The same key twice in one object.
    case duplicateKey
    /// An escape of half a surrogate pair, without the other half.
    case loneSurrogate
}

/// A strict pull reader over UTF-8 bytes, for the frames that must be fast.
///
/// It follows RFC 8259 strictly: no trailing comma, no leading zero. It also rejects
/// what decoders handle differently: a lone surrogate, a key twice in one
/// object, more than 32 levels, more than 256 keys per object.
package struct JSONReader {
    private let bytes: [UInt8]
    private var at: Int
    private let end: Int
    private var depth = 0
    /// Whether only the grammar is checked: `object`, `string` and `pass` then accept what decoders handle differently.
    var isLenient = false

    package static let maximumDepth = 32
    package static let maximumKeys = 256

    /// Reads `bytes` from start to end.
    package init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

    /// Reads a part of `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    private var fault: JSONFault { .syntax(at: at) }

    private mutating func skipSpace() {
        while at < end {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            default: return
            }
        }
    }

    /// The next byte that is not white space, without consuming it.
    private mutating func peek() throws -> UInt8 {
        skipSpace()
        guard at < end else { throw fault }
        return bytes[at]
    }

    private mutating func consume(_ byte: UInt8) throws {
        guard try peek() == byte else { throw fault }
        at += 1
    }

    /// Checks that nothing but white space is left.
    package mutating func finish() throws {
        skipSpace()
        guard at == end else { throw fault }
    }

    /// Reads an object: calls `field` once per key, which must consume the value.
    package mutating func object(_ field: (inout JSONReader, String) throws -> Void) throws {
        try consume(UInt8(ascii: "{"))
        depth += 1
        guard depth <= Self.maximumDepth else { throw JSONFault.tooComplex }
        var keys = KeySet()
        if try peek() == UInt8(ascii: "}") {
            at += 1
        } else {
            while true {
                let key = try string()
                if !isLenient { try keys.insert(key) }
                try consume(UInt8(ascii: ":"))
                try field(&self, key)
                let next = try peek()
                at += 1
                if next == UInt8(ascii: "}") { break }
                guard next == UInt8(ascii: ",") else { throw fault }
            }
        }
        depth -= 1
    }

    /// Reads an array: calls `element` once per element, which must consume the value.
    package mutating func array(_ element: (inout JSONReader) throws -> Void) throws {
        try consume(UInt8(ascii: "["))
        depth += 1
        guard depth <= Self.maximumDepth else { throw JSONFault.tooComplex }
        if try peek() == UInt8(ascii: "]") {
            at += 1
        } else {
            while true {
                try element(&self)
                let next = try peek()
                at += 1
                if next == UInt8(ascii: "]") { break }
                guard next == UInt8(ascii: ",") else { throw fault }
            }
        }
        depth -= 1
    }

    /// Whether `null` comes next; if so, consumes it.
    package mutating func null() throws -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        try word("null")
        return true
    }

    private mutating func word(_ word: StaticString) throws {
        let matches = word.withUTF8Buffer { letters in
            at + letters.count <= end && letters.indices.allSatisfy { bytes[at + $0] == letters[$0] }
        }
        guard matches else { throw fault }
        at += word.utf8CodeUnitCount
    }

    /// Reads a string.
    package mutating func string() throws -> String {
        try consume(UInt8(ascii: "\""))
        let start = at
        if try passPlain() { return String(decoding: bytes[start..<at - 1], as: UTF8.self) }
        while at < end {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: bytes[start..<at], as: UTF8.self) else { throw fault }
                at += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw fault }
            at += 1
        }
        throw fault
    }

    /// Skips the plain ASCII part of a string, which is all of most strings.
    /// - Returns: whether it reached the end of the string.
    private mutating func passPlain() throws -> Bool {
        while at < end {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\\") || byte >= 0x80 { return false }
            guard byte >= 0x20 else { throw fault }
            at += 1
            if byte == UInt8(ascii: "\"") { return true }
        }
        throw fault
    }

    private mutating func skipString() throws {
        let start = at
        try consume(UInt8(ascii: "\""))
        if try passPlain() { return }
        at = start
        _ = try string()
    }

    private mutating func escapedString(from start: Int) throws -> String {
        var text = Array(bytes[start..<at])
        while at < end {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw fault }
                return string
            case UInt8(ascii: "\\"):
                guard at < end else { throw fault }
                let escape = bytes[at]
                at += 1
                switch escape {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
                case UInt8(ascii: "b"): text.append(0x08)
                case UInt8(ascii: "f"): text.append(0x0C)
                case UInt8(ascii: "n"): text.append(0x0A)
                case UInt8(ascii: "r"): text.append(0x0D)
                case UInt8(ascii: "t"): text.append(0x09)
                case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
                default: throw fault
                }
            case 0..<0x20: throw fault
            default: text.append(byte)
            }
        }
        throw fault
    }

    private mutating func escapedScalar() throws -> Character {
        let high = try hexUnit()
        // A unit that is not a scalar is half of a surrogate pair.
        if let scalar = Unicode.Scalar(high) { return Character(scalar) }
        let afterHigh = at
        if high < 0xDC00, at + 1 < end, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") {
            at += 2
            let low = try hexUnit()
            if low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF)) {
                return Character(scalar)
            }
        }
        guard isLenient else { throw JSONFault.loneSurrogate }
        at = afterHigh
        return "\u{FFFD}"
    }

    private mutating func hexUnit() throws -> UInt32 {
        guard at + 4 <= end else { throw fault }
        var value: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            guard let digit = HexDigits.value(byte | (byte >= 0x41 && byte <= 0x46 ? 0x20 : 0)) else { throw fault }
            value = value << 4 | UInt32(digit)
        }
        at += 4
        return value
    }

    /// Reads `true` or `false`.
    mutating func bool() throws -> Bool {
        let isTrue = try peek() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Reads a whole number that fits 64 bits.
    package mutating func int() throws -> Int64 {
        let range = try number()
        guard let value = Int64(String(decoding: bytes[range], as: UTF8.self)) else { throw fault }
        return value
    }

    /// Reads a number, whole or not.
    package mutating func double() throws -> Double {
        let range = try number()
        guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else { throw fault }
        return value
    }

    private mutating func digits() throws {
        let start = at
        while at < end, bytes[at] >= UInt8(ascii: "0"), bytes[at] <= UInt8(ascii: "9") { at += 1 }
        guard at > start else { throw fault }
    }

    private mutating func number() throws -> Range<Int> {
        _ = try peek()
        let start = at
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        let first = at
        try digits()
        if bytes[first] == UInt8(ascii: "0"), at > first + 1 { throw fault }
        if at < end, bytes[at] == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < end, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        return start..<at
    }

    /// Checks and skips one value of any kind; returns its range.
    @discardableResult
    package mutating func skip() throws -> Range<Int> {
        let next = try peek()
        let start = at
        switch next {
        case UInt8(ascii: "{"): try object { reader, _ in try reader.skip() }
        case UInt8(ascii: "["): try array { reader in try reader.skip() }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
        return start..<at
    }

    /// The bytes of a range that `skip` returned.
    package func slice(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    /// Whether a range that `skip` returned is an object.
    func isObject(_ range: Range<Int>) -> Bool { bytes[range].first == UInt8(ascii: "{") }

    /// Whether a range that `skip` returned is `null`.
    func isNull(_ range: Range<Int>) -> Bool { bytes[range].first == UInt8(ascii: "n") }
}

extension JSONReader {
    /// Skips one value of any kind without the bounds of `skip`; for a lenient reader.
    ///
    /// Open brackets are kept in a list and not on the stack, so that any depth is possible.
    /// - Returns: the range of the value.
    mutating func pass() throws -> Range<Int> {
        _ = try peek()
        let start = at
        var closers: [UInt8] = []
        while true {
            let first = try peek()
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                at += 1
                // In ASCII, the closing bracket is the second character after the opening one.
                let closer = first + 2
                if try peek() == closer {
                    at += 1
                } else {
                    closers.append(closer)
                    if first == UInt8(ascii: "{") { try passKey() }
                    continue
                }
            } else {
                _ = try skip()
            }
            while let closer = closers.last, try peek() == closer {
                at += 1
                closers.removeLast()
            }
            guard let closer = closers.last else { return start..<at }
            try consume(UInt8(ascii: ","))
            if closer == UInt8(ascii: "}") { try passKey() }
        }
    }

    /// Whether these bytes are one JSON value, by the grammar alone.
    package static func isValid(_ bytes: [UInt8]) -> Bool {
        var reader = JSONReader(bytes)
        reader.isLenient = true
        do {
            _ = try reader.pass()
            try reader.finish()
            return true
        } catch {
            return false
        }
    }

    private mutating func passKey() throws {
        try skipString()
        try consume(UInt8(ascii: ":"))
    }
}

/// The keys of an object that were read so far.
private struct KeySet {
    /// The first keys: most objects have no more, and comparing a few is faster than hashing them.
    private var few: [String] = []
    private var all: Set<String> = []

    /// - Throws: `JSONFault` for a duplicate key, and for more keys than an object may have.
    mutating func insert(_ key: String) throws {
        if few.count < 8 {
            if few.isEmpty { few.reserveCapacity(8) }
            guard !few.contains(key) else { throw JSONFault.duplicateKey }
            few.append(key)
            return
        }
        if all.isEmpty { all.formUnion(few) }
        guard all.count < JSONReader.maximumKeys else { throw JSONFault.tooComplex }
        guard all.insert(key).inserted else { throw JSONFault.duplicateKey }
    }
}

/// Writes JSON into bytes, for the frames that must be fast.
package struct JSONWriter {
    /// The bytes that were written.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Starts with room for `capacity` bytes.
    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// Opens an object or array with `{` or `[`.
    package mutating func open(_ bracket: StaticString) {
        comma()
        raw(bracket)
        needsComma = false
    }

    /// Closes an object or array with `}` or `]`.
    package mutating func close(_ bracket: StaticString) {
        raw(bracket)
        needsComma = true
    }

    /// Writes a key; it must need no escapes.
    package mutating func key(_ key: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        raw(key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key of any characters.
    package mutating func key(escaping key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { escape(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        case 0..<0x20:
            raw("\\u00")
            HexDigits.append(UInt64(byte), digits: 2, to: &bytes)
        default: bytes.append(byte)
        }
    }

    /// Writes a whole number.
    package mutating func int(_ value: Int64) {
        comma()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // Reversing a slice would copy it.
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
        needsComma = true
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        comma()
        raw(value ? "true" : "false")
        needsComma = true
    }

    /// Writes a value that is JSON already.
    package mutating func splice(_ json: some Collection<UInt8>) {
        comma()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
}
