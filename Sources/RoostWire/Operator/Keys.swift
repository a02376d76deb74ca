#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a key may be used for. A name on the wire.
public enum KeyScope: String, Codable, CaseIterable, Sendable {
    /// Registering, authenticating, finding and changing accounts, logging out and banning users; not those of operators.
    case accounts
    /// What any user may do, in the name of the user of the key, except for accounts and logins.
    case messages
    /// Everything, as an operator.
    case `operator`
    /// Letting people without an account talk to the user of the key, with `visitor.start`. Such a key has no other scope, and
    /// may be public.
    case visitors
}

/// A key with which a backend uses the HTTP API, in place of a token: `Authorization: Bearer KEY`.
public struct APIKey: Codable, Hashable, Sendable {
    /// The name of the key.
    public var name: String
    /// The user in whose name it is used.
    public var userID: UserID
    /// What it may be used for.
    public var scopes: [KeyScope]
    /// When it was created.
    @Timestamp public var createdAt: Date
    /// When it was revoked; absent if it is valid.
    @OptionalTimestamp public var revokedAt: Date?

    /// Creates a key.
    public init(name: String, userID: UserID, scopes: [KeyScope], createdAt: Date, revokedAt: Date? = nil) {
        self.name = name
        self.userID = userID
        self.scopes = scopes
        self.createdAt = createdAt
        _revokedAt = OptionalTimestamp(wrappedValue: revokedAt)
    }

    /// What a key begins with, so that it is recognized if it shows up where it should not.
    public static let prefix = "roost-key-"
    /// The number of hexadecimal digits of a key after its prefix.
    public static let digits = 64

    /// Whether a text has the form of a key: the prefix, and 64 hexadecimal digits in lower case.
    public static func isKey(_ text: some StringProtocol) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + digits
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy(isDigit)
    }

    /// Whether a text is the hash of a key: SHA-256 as 64 hexadecimal digits in lower case.
    static func isHash(_ text: String) -> Bool { text.utf8.count == 64 && text.utf8.allSatisfy(isDigit) }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Makes a key valid. For operators (1107).
///
/// The caller makes the key, `roost-key-` and 64 random hexadecimal digits, and sends only its hash: the server never stores
/// what gives access. `roost key create` does so. Fails with 6 if a valid key has the name, or a value is not allowed.
public struct CreateKey: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "key.create"
    /// The name of the key: 1 to 64 characters of `A–Z a–z 0–9 _ . -`.
    public var key: String
    /// The SHA-256 hash of the whole key: 64 hexadecimal digits in lower case.
    public var hash: String
    /// What it may be used for: at least one scope, or `visitors` alone.
    public var scopes: [KeyScope]
    /// The user in whose name it is used; the caller if absent.
    public var userID: UserID?

    /// Creates a value with these fields.
    public init(key: String, hash: String, scopes: [KeyScope], userID: UserID? = nil) {
        self.key = key
        self.hash = hash
        self.scopes = scopes
        self.userID = userID
    }

    /// Checks the values.
    /// - Throws: `WireError` 6.
    package func check() throws(WireError) {
        guard key.isToken(most: 64, marks: "_.-") else {
            throw WireError(.dataFormat, field: "key", "\"key\" must have 1 to 64 characters of A-Z a-z 0-9 _ . -")
        }
        guard APIKey.isHash(hash) else {
            throw WireError(
                .dataFormat, field: "hash", "\"hash\" must be the SHA-256 of the key: 64 digits of 0-9 and a-f.")
        }
        guard !scopes.isEmpty else {
            throw WireError(.dataFormat, field: "scopes", "\"scopes\" must name at least one scope.")
        }
        guard !scopes.contains(.visitors) || Set(scopes).count == 1 else {
            throw WireError(
                .dataFormat, field: "scopes",
                "A key for visitors is public, so \"scopes\" must name \"visitors\" alone.")
        }
    }
}

/// Lists the keys by name, revoked ones included. For operators (1107).
public struct ListKeys: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// The name on the wire.
    public static let name = "key.list"

    /// The keys by name; never what gives access.
    public struct Answer: Codable, Hashable, Sendable {
        /// The keys by name; never what gives access.
        public var keys: [APIKey]

        /// Creates a value with these fields.
        public init(keys: [APIKey]) {
            self.keys = keys
        }
    }
}

/// Revokes a key: from then on it is refused. For operators (1107). If no valid key has the name, nothing changes.
public struct RevokeKey: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "key.revoke"
    /// The name of the key.
    public var key: String

    /// Creates a value with these fields.
    public init(key: String) {
        self.key = key
    }
}
