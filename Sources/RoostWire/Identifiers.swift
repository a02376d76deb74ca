/// A string that obeys a rule: the common form of all ids of the protocol.
///
/// Ids are ASCII, so comparing two of them compares their bytes. They are plain
/// JSON strings on the wire. A value always obeys the rule: `init(rawValue:)` returns
/// nil for a string that does not, decoding one throws a `DecodingError`, and a
/// invalid literal is a programming error that ends the process.
public protocol Identifier: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
where RawValue == String {
    /// Creates the id; nil if the string breaks the rule of this kind.
    init?(rawValue: String)
}

extension Identifier {
    /// The id as a string.
    public var description: String { rawValue }

    /// Creates an id from a literal: `let lobby: ChannelID = "lobby"`. Read others with `init(rawValue:)`.
    /// - Precondition: it obeys the rule.
    public init(stringLiteral literal: String) {
        guard let id = Self(rawValue: literal) else { preconditionFailure("\"\(literal)\" is not a \(Self.self)") }
        self = id
    }

    /// Orders ids by their bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    /// Reads the id from a JSON string.
    /// - Throws: `DecodingError.dataCorrupted` if the string breaks the rule.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(rawValue: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a valid \(Self.self)")
        }
        self = value
    }

    /// Writes the id as a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension String {
    /// Whether this string has 1 to `most` bytes, all of them letters, digits or one of `marks`.
    func isToken(most: Int, marks: StaticString) -> Bool {
        guard !utf8.isEmpty, utf8.count <= most else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default:
                marks.withUTF8Buffer { $0.contains(byte) }
            }
        }
    }
}

/// A user's id: 1 to 64 of `A–Z a–z 0–9 _ . @ -`, compared as bytes.
public struct UserID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates a user id; nil if the string is not 1 to 64 of `A–Z a–z 0–9 _ . @ -`.
    public init?(rawValue: String) {
        guard rawValue.isToken(most: 64, marks: "_.@-") else { return nil }
        self.rawValue = rawValue
    }
}

/// A channel's id.
///
/// A caller may choose 1 to 64 of `A–Z a–z 0–9 _ . -` for a group or an open
/// channel. The id of a 1-on-1 is the ids of its two users, sorted by bytes and
/// joined by `:`; that of a user's own channel is the user's id twice.
public struct ChannelID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates a channel id; nil if the string is neither a caller's id nor two user ids joined by `:`.
    public init?(rawValue: String) {
        if !rawValue.isToken(most: 64, marks: "_.-") {
            guard let colon = rawValue.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let first = UserID(rawValue: String(rawValue[..<colon]))
            let second = UserID(rawValue: String(rawValue[rawValue.utf8.index(after: colon)...]))
            guard let first, let second, first <= second else { return nil }
        }
        self.rawValue = rawValue
    }

    /// The channel of exactly these two users, in whichever order they are given; of one user twice, the self channel.
    public init(single first: UserID, _ second: UserID) {
        let (low, high) = first <= second ? (first, second) : (second, first)
        rawValue = low.rawValue + ":" + high.rawValue
    }

    /// The two users of a 1-on-1; nil for any other channel.
    public var pair: (UserID, UserID)? {
        guard let colon = rawValue.utf8.firstIndex(of: UInt8(ascii: ":")),
            let first = UserID(rawValue: String(rawValue[..<colon])),
            let second = UserID(rawValue: String(rawValue[rawValue.utf8.index(after: colon)...]))
        else { return nil }
        return (first, second)
    }
}

/// A message's id, made by the server: 32 hexadecimal digits that sort by time.
///
/// It also holds the message's `seq`, so that a message is found by its id
/// without another index. Treat it as opaque: only the server reads it.
public struct MessageID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates a message id; nil if the string is not 32 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard bytes.count == 32, bytes.allSatisfy({ HexDigits.value($0) != nil }) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the id of the message with this `seq`, sent at `sentAt` ms since 1970, with 32 bits that make it unique.
    public init(sentAt: Int64, seq: Int64, salt: UInt32) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        HexDigits.append(UInt64(bitPattern: sentAt), digits: 12, to: &bytes)
        HexDigits.append(UInt64(bitPattern: seq), digits: 12, to: &bytes)
        HexDigits.append(UInt64(salt), digits: 8, to: &bytes)
        rawValue = String(decoding: bytes, as: UTF8.self)
    }

    /// The `seq` of the message within its channel.
    public var seq: Int64 {
        var value: Int64 = 0
        for byte in rawValue.utf8.dropFirst(12).prefix(12) { value = value << 4 | Int64(HexDigits.value(byte) ?? 0) }
        return value
    }
}

/// The id of something scheduled, made by the server: 28 hexadecimal digits, unique for its owner, that sort by when it
/// was made.
public struct ScheduleID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates the id of a schedule; nil if the string is not 28 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard bytes.count == 28, bytes.allSatisfy({ HexDigits.value($0) != nil }) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the id of the schedule that its owner made at `createdAt` ms since 1970, with that row of the owner's
    /// log.
    public init(createdAt: Int64, userSeq: Int64, salt: UInt32) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(28)
        HexDigits.append(UInt64(bitPattern: createdAt), digits: 12, to: &bytes)
        HexDigits.append(UInt64(bitPattern: userSeq), digits: 10, to: &bytes)
        HexDigits.append(UInt64(salt), digits: 6, to: &bytes)
        rawValue = String(decoding: bytes, as: UTF8.self)
    }
}

/// The id of a broadcast, made by the server: 28 hexadecimal digits that sort by when it was made.
public struct BroadcastID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates the id of a broadcast; nil if the string is not 28 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard bytes.count == 28, bytes.allSatisfy({ HexDigits.value($0) != nil }) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the id of a broadcast that was made at `createdAt` ms since 1970, with 64 bits that make it unique.
    public init(createdAt: Int64, random: UInt64) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(28)
        HexDigits.append(UInt64(bitPattern: createdAt), digits: 12, to: &bytes)
        HexDigits.append(random, digits: 16, to: &bytes)
        rawValue = String(decoding: bytes, as: UTF8.self)
    }

    /// The first 12 digits: when it was made.
    package var createdAt: Int64 {
        rawValue.utf8.prefix(12).reduce(0) { $0 << 4 | Int64(HexDigits.value($1) ?? 0) }
    }
}

/// The id of a file, made by the server: 1 to 64 of `A–Z a–z 0–9 _ -`.
public struct FileID: Identifier {
    /// The id as it travels.
    public let rawValue: String

    /// Creates a file id; nil if the string is not 1 to 64 of `A–Z a–z 0–9 _ -`.
    public init?(rawValue: String) {
        guard rawValue.isToken(most: 64, marks: "_-") else { return nil }
        self.rawValue = rawValue
    }

    /// Creates an id from 128 random bits: 32 hexadecimal digits.
    package init(random high: UInt64, _ low: UInt64) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        HexDigits.append(high, digits: 16, to: &bytes)
        HexDigits.append(low, digits: 16, to: &bytes)
        rawValue = String(decoding: bytes, as: UTF8.self)
    }
}

/// The client's key of one command: 1 to 64 of `A–Z a–z 0–9 _ . : -`, unique per user for at least seven days.
public struct TransID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates a transID; nil if the string is not 1 to 64 of `A–Z a–z 0–9 _ . : -`.
    public init?(rawValue: String) {
        guard rawValue.isToken(most: 64, marks: "_.:-") else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a new one from the time in ms and 64 random bits: 28 hexadecimal digits that sort by time.
    public init(now: Int64, random: UInt64) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(28)
        HexDigits.append(UInt64(bitPattern: now), digits: 12, to: &bytes)
        HexDigits.append(random, digits: 16, to: &bytes)
        rawValue = String(decoding: bytes, as: UTF8.self)
    }
}

/// A device's id, chosen by the device and kept: 1 to 64 of `A–Z a–z 0–9 _ . -`.
public struct DeviceID: Identifier {
    /// The id as a string.
    public let rawValue: String

    /// Creates a device id; nil if the string is not 1 to 64 of `A–Z a–z 0–9 _ . -`.
    public init?(rawValue: String) {
        guard rawValue.isToken(most: 64, marks: "_.-") else { return nil }
        self.rawValue = rawValue
    }
}

/// Hexadecimal digits without Foundation's formatting, which costs microseconds per id.
package enum HexDigits {
    private static let digits: [UInt8] = Array("0123456789abcdef".utf8)

    /// Appends the lowest `digits` hexadecimal digits of `value`, highest first.
    package static func append(_ value: UInt64, digits count: Int, to bytes: inout [UInt8]) {
        var shift = count * 4
        while shift > 0 {
            shift -= 4
            bytes.append(digits[Int(value >> UInt64(shift) & 0xF)])
        }
    }

    /// The value of a lower-case hexadecimal digit.
    package static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
