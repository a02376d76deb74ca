import RoostWire
import Testing

/// Makes values of the protocol out of random numbers.
final class Generator {
    var random: Seeded
    /// How many of a hundred optional fields are there.
    private var share = 0

    init(_ seed: UInt64) { random = Seeded(seed) }

    private static let pieces = [
        "a", "Ann", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1}", "\u{8}", "\u{C}", "\u{1F}", "\u{7F}", "ä",
        "e\u{301}",
        "€", "你", "😀", "👩‍👩‍👧", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "\\u0041", "{", "}", "[", ",", ":", "null",
        "</script>", "'",
    ]

    func bool() -> Bool { Bool.random(using: &random) }
    func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func big() -> Int64 { Int64.random(in: (bool() ? Int64.min : 0)...Int64.max, using: &random) }

    func text() -> String {
        (0..<int(0...12)).map { _ in Self.pieces[int(0...Self.pieces.count - 1)] }.joined()
    }

    func token(_ marks: String) -> String {
        let letters = Array("abcXYZ019" + marks)
        return String((0..<int(1...12)).map { _ in letters[int(0...letters.count - 1)] })
    }

    func user() throws -> UserID { try #require(UserID(rawValue: token("_.@-"))) }

    func channel() throws -> ChannelID {
        bool() ? ChannelID(single: try user(), try user()) : try #require(ChannelID(rawValue: token("_.-")))
    }

    func messageID() -> MessageID {
        MessageID(sentAt: big(), seq: big(), salt: UInt32.random(in: 0...UInt32.max, using: &random))
    }

    /// Breaks a frame: bytes changed, taken out, put in, doubled or cut off.
    func mutate(_ frame: [UInt8]) -> [UInt8] {
        var bytes = frame
        for _ in 0..<int(1...4) where !bytes.isEmpty {
            let at = int(0...bytes.count - 1)
            switch int(0...6) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
            case 3: bytes.removeLast(int(0...bytes.count))
            case 4: bytes[at] ^= 1 << UInt8(int(0...7))
            case 5:
                let pieces = [
                    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "\\u", "\\ud83d", "-", "1e9", "0", "\u{0}",
                ]
                bytes.insert(contentsOf: Array(pieces[int(0...pieces.count - 1)].utf8), at: at)
            default:
                let end = int(at...bytes.count)
                bytes.insert(contentsOf: Array(bytes[at..<end]), at: int(0...bytes.count))
            }
        }
        return bytes
    }
}

// Values of any type: the type asks for its fields, as it does when it is read, and gets something made up for each.
// So a field that a type gets one day is in them, without a line here.
extension Generator {
    /// A value of a type, with none, a few or half of what it may have.
    func draw<Value: Decodable>(_ type: Value.Type) throws -> Value {
        share = [0, 15, 50][int(0...2)]
        return try any(type, key: nil)
    }

    /// A payload of a type that can be sent, each type as often: the fields are drawn until they are those of its case.
    func payload() throws -> MessageContent.Payload {
        let types = MessageRules.types
        let type = types[int(0...types.count - 1)]
        share = 50
        for _ in 0..<100_000 {
            let payload = MessageContent.Payload(type: type, fields: try any(MessageContent.Fields.self, key: nil))
            if case .other = payload { continue }
            return payload
        }
        throw NotGenerated(type: type)
    }

    /// A type that can be sent and that no fields make whole.
    struct NotGenerated: Error {
        var type: String
    }

    fileprivate func isPresent() -> Bool { int(1...100) <= share }

    fileprivate func any<Value: Decodable>(_ type: Value.Type, key: String?) throws -> Value {
        let value: Any? =
            switch type {
            case is String.Type: word(key)
            case is Bool.Type: bool()
            case is Int.Type: int(-5...9_000)
            case is Int64.Type: big()
            case is Double.Type: bool() ? Double(int(-180...180)) : Double.random(in: -1e-6...1e-6, using: &random)
            case let list as any CaseIterable.Type: one(of: list)
            case let id as any Identifier.Type: self.id(id)
            default: nil
            }
        if let value { return try #require(value as? Value) }
        return try Value(from: Made(make: self))
    }

    /// Mostly a word that means something, where the field is known for such.
    private func word(_ key: String?) -> String {
        switch key {
        case "event": EventName.messageSent.rawValue
        case "type" where int(0...9) > 0: MessageType.all[int(0...MessageType.all.count - 1)].name
        default: text()
        }
    }

    private func one<List: CaseIterable>(of list: List.Type) -> Any? { list.allCases.randomElement(using: &random) }

    private func id<ID: Identifier>(_ type: ID.Type) -> Any? {
        ID(rawValue: token("")) ?? ID(rawValue: messageID().rawValue)
    }
}

/// The value at the place that a type is read from.
private struct Made: Decoder, SingleValueDecodingContainer {
    let make: Generator
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MadeObject<Key>(make: make))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { MadeList(make: make, left: make.int(0...3)) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try make.any(type, key: nil) }
}

private struct MadeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let make: Generator
    var codingPath: [any CodingKey] { [] }
    /// Only a dictionary asks for them.
    var allKeys: [Key] { (0..<make.int(0...3)).compactMap { _ in Key(stringValue: make.text()) } }

    func contains(_ key: Key) -> Bool { make.isPresent() }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try make.any(type, key: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        Made(make: make).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { Made(make: make).unkeyedContainer() }
    func superDecoder() -> any Decoder { Made(make: make) }
    func superDecoder(forKey key: Key) -> any Decoder { Made(make: make) }
}

private struct MadeList: UnkeyedDecodingContainer {
    let make: Generator
    var left: Int
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { left == 0 }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        left -= 1
        return try make.any(type, key: nil)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
        left -= 1
        return Made(make: make).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        left -= 1
        return Made(make: make).unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        left -= 1
        return Made(make: make)
    }
}

/// Which optional fields, and which cases with something in them, values had, by their names in Swift.
struct Coverage {
    private(set) var cases: Set<String> = []
    private var present: Set<String> = []
    private var absent: Set<String> = []

    /// The optional fields that no value had.
    var missing: [String] { absent.subtracting(present).sorted() }

    mutating func note(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .enum {
            cases.insert("\(mirror.subjectType).\(mirror.children.first?.label ?? "\(value)")")
        }
        for child in mirror.children {
            let name = "\(mirror.subjectType).\(child.label ?? "")"
            let inner = Mirror(reflecting: child.value)
            if mirror.displayStyle == .struct, inner.displayStyle == .optional {
                guard let some = inner.children.first else {
                    absent.insert(name)
                    continue
                }
                present.insert(name)
                note(some.value)
            } else if inner.displayStyle == .optional {
                inner.children.forEach { note($0.value) }
            } else {
                note(child.value)
            }
        }
    }
}
