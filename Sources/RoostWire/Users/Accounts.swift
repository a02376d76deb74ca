#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An account: how a user logs in and is found by others.
///
/// A user who has only ever logged in with a token or as a guest has one without a login name.
public struct Account: Codable, Hashable, Sendable {
    /// Who logs in with it.
    public var userID: UserID
    /// The name to log in with, as it was registered; absent if the user has no password.
    public var loginName: String?
    /// The phone number in the form of E.164, such as `+491701234567`.
    public var phone: String?
    /// The e-mail address.
    public var email: String?
    /// The organisation that the user belongs to; absent if there is none.
    public var corpID: String?
    /// Where the account comes from.
    public var source: AccountSource
    /// The calling device; absent in the account of another user.
    public var deviceID: DeviceID?
    /// Whether the user may use this server.
    public var canChat: Bool
    /// Whether the user may send messages about calls.
    public var canCall: Bool

    /// Creates an account.
    public init(
        userID: UserID, loginName: String? = nil, phone: String? = nil, email: String? = nil,
        corpID: String? = nil, source: AccountSource, deviceID: DeviceID? = nil, canChat: Bool = true,
        canCall: Bool = true
    ) {
        self.userID = userID
        self.loginName = loginName
        self.phone = phone
        self.email = email
        self.corpID = corpID
        self.source = source
        self.deviceID = deviceID
        self.canChat = canChat
        self.canCall = canCall
    }
}

/// Where an account comes from. A name on the wire.
public enum AccountSource: String, Codable, CaseIterable, Sendable {
    /// It was registered, with a login name and a password.
    case registered
    /// The user has logged in with a token, or as a guest.
    case token
}

/// What others may know of a user: whom to write to, and whether that is possible.
public struct FoundUser: Codable, Hashable, Sendable {
    /// Who was found, as a recipient of messages.
    public var userID: UserID
    /// The name to show.
    public var name: String
    /// The address of a picture; absent if there is none.
    public var imageURL: String?
    /// The login name, if the user was looked up by it, or for operators.
    public var loginName: String?
    /// The phone number, if the user was looked up by it, or for operators.
    public var phone: String?
    /// The e-mail address; only the user's own, and for operators and keys with the scope `accounts`.
    public var email: String?
    /// Which installation of Roost the user belongs to, as `roost serve --brand` names it.
    public var brand: String
    /// The organisation that the user belongs to; empty if there is none.
    public var corpID: String
    /// Whether the user may use this server, and can be written to.
    public var canChat: Bool
    /// Whether the user may send messages about calls, and can be called.
    public var canCall: Bool

    /// Creates what is found.
    public init(
        userID: UserID, name: String, imageURL: String? = nil, loginName: String? = nil, phone: String? = nil,
        email: String? = nil, brand: String, corpID: String = "", canChat: Bool, canCall: Bool
    ) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.loginName = loginName
        self.phone = phone
        self.email = email
        self.brand = brand
        self.corpID = corpID
        self.canChat = canChat
        self.canCall = canCall
    }
}

/// Reads an account: the caller's own, or for operators (1107) that of another user (7011).
public struct GetAccount: ReadCommand {
    /// What the server answers.
    public typealias Answer = Account
    /// The name on the wire.
    public static let name = "account.get"
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// The user; the caller if absent.
    public var userID: UserID?

    /// Creates a value with these fields.
    public init(userID: UserID? = nil) {
        self.userID = userID
    }
}

/// Looks up users by id, login name or phone number; unknown ones are left out of the answer.
///
/// Each user is in the answer once. A phone number has to be in the form of E.164 (8). To make it hard to find out numbers
/// by trying, a user looks up 500 at once and 3,600 per hour at most (1004), and the server may switch lookups by login name
/// and phone number off (7); neither is so for operators. Login names are compared without regard to case.
public struct FindUsers: ReadCommand {
    /// The name on the wire.
    public static let name = "user.find"
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// User ids.
    public var userIDs: [UserID]?
    /// Login names.
    public var loginNames: [String]?
    /// Phone numbers. Of all three lists together, 1 to 100 entries.
    public var phones: [String]?

    /// Creates a value with these fields.
    public init(userIDs: [UserID]? = nil, loginNames: [String]? = nil, phones: [String]? = nil) {
        self.userIDs = userIDs
        self.loginNames = loginNames
        self.phones = phones
    }

    /// As many lookups as there are entries.
    public var cost: CommandCost {
        .lookups((userIDs?.count ?? 0) + (loginNames?.count ?? 0) + (phones?.count ?? 0))
    }

    /// The users that were found, ordered by id.
    public struct Answer: Codable, Hashable, Sendable {
        /// The users that were found, ordered by id.
        public var users: [FoundUser]

        /// Creates a value with these fields.
        public init(users: [FoundUser]) {
            self.users = users
        }
    }
}

/// An account to register.
public struct NewAccount: Codable, Hashable, Sendable {
    /// The name to log in with: 1 to 254 bytes of letters and digits of any script, and of the marks that an e-mail address may
    /// have, such as `. @ + - _ '`. White space at its ends is removed. It is unique without regard to case, and to how accents are
    /// written. A name that begins with `+` and has no `@` is a phone number in the form of E.164 (8).
    public var loginName: String
    /// The password: 8 to 200 bytes of UTF-8. Common passwords, and the login name, are refused (6).
    public var password: String
    /// The user id; if absent, the server makes one. That of an existing user is for operators (1107).
    public var userID: UserID?
    /// The name to show, 1 to 200 UTF-16 units; the login name if absent.
    public var name: String?
    /// The phone number in the form of E.164, unique; if absent, the login name if that is one.
    public var phone: String?
    /// The e-mail address: 3 to 254 bytes with an `@`; the server does not check it.
    public var email: String?
    /// The organisation that the user belongs to, which everybody sees: a word of the app of at most 128 bytes.
    public var corpID: String?

    /// Creates a value with these fields.
    public init(
        loginName: String, password: String, userID: UserID? = nil, name: String? = nil, phone: String? = nil,
        email: String? = nil, corpID: String? = nil
    ) {
        self.loginName = loginName
        self.password = password
        self.userID = userID
        self.name = name
        self.phone = phone
        self.email = email
        self.corpID = corpID
    }
}

/// Registers users with login names and passwords. For operators and keys (1107).
///
/// Each account succeeds or fails on its own: with 603 if the login name, the phone number or the account of the user id
/// exists, 604 without a password, 605 if the server has as many accounts as it may have, 1107 if a key with the scope
/// `accounts` names an existing user without an account, 8 for a phone number in another form, and 6 for another wrong value. The server stores passwords as hashes by scrypt, two at a time, so 100 accounts may
/// take half a minute.
public struct RegisterAccounts: ServeCommand {
    /// The name on the wire.
    public static let name = "account.register"
    /// It contains passwords.
    public static let reach = CommandReach.request
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// 1 to 100 accounts.
    public var accounts: [NewAccount]

    /// Creates a value with these fields.
    public init(accounts: [NewAccount]) {
        self.accounts = accounts
    }

    /// What has become of the accounts.
    public struct Answer: Codable, Hashable, Sendable {
        /// What has become of each account, in their order.
        public var results: [Result]

        /// Creates a value with these fields.
        public init(results: [Result]) {
            self.results = results
        }
    }

    /// What has become of one account.
    public struct Result: Codable, Hashable, Sendable {
        /// The login name.
        public var loginName: String
        /// The user; absent if the account was not registered.
        public var userID: UserID?
        /// Why the account was not registered.
        public var error: WireError?

        /// Creates a value with these fields.
        public init(loginName: String, userID: UserID? = nil, error: WireError? = nil) {
            self.loginName = loginName
            self.userID = userID
            self.error = error
        }
    }
}

/// What a login returns: a token.
public struct LoginAnswer: Codable, Hashable, Sendable {
    /// Who is logged in.
    public var userID: UserID
    /// The login name, as it was registered; the user id of a user who has none and logs in with a code.
    public var loginName: String
    /// The token to connect with.
    public var token: String
    /// When the token expires.
    @Timestamp public var expiresAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, loginName: String, token: String, expiresAt: Date) {
        self.userID = userID
        self.loginName = loginName
        self.token = token
        self.expiresAt = expiresAt
    }
}

/// Checks the password of an account for a backend, and makes a token. For operators and keys (1107).
///
/// Fails with 602 if there is no such account, with 604 without a password, with 601 if the password is wrong, with 7026 for
/// a banned user, and with 1004 after too many wrong passwords within 15 minutes. With `address` these are the limits of
/// `account.logIn`. Without it, ten for a login name, whoever tries: then anybody who can use the backend's login can lock
/// others out there.
public struct Authenticate: ServeCommand {
    /// What the server answers.
    public typealias Answer = LoginAnswer
    /// The name on the wire.
    public static let name = "account.authenticate"
    /// It contains a password.
    public static let reach = CommandReach.request
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// The login name or the user id.
    public var loginName: String
    /// The password.
    public var password: String
    /// How long the token is valid, in seconds: 60 to 31,536,000; one day if absent.
    public var ttl: Int64?
    /// The IPv4 or IPv6 address of the person who logs in, as the backend knows it.
    public var address: String?

    /// Creates a value with these fields.
    public init(loginName: String, password: String, ttl: Int64? = nil, address: String? = nil) {
        self.loginName = loginName
        self.password = password
        self.ttl = ttl
        self.address = address
    }
}

/// Logs a user in with a password or a one-time code: needs no token, and returns one for a day.
///
/// Give either a login name and a password, or a code. A code is made by `roost token --code`, or by your backend, is
/// valid for ten minutes at most, and can be exchanged once. Fails with 1 whether the login name or the password is wrong,
/// and whether a code is wrong, expired or was used; with 7026 for a banned user, and with 7027 for a code of a deleted
/// one; with 7 for a password if the server does not allow it; and with 1004 after too many wrong passwords within 15
/// minutes: ten for a login name from one network, which is an IPv4 address or the first half of an IPv6 address. From
/// networks where the user has not logged in within 90 days also 50 from a network, and 100 for a login name from all of
/// them. The same code for 50 strings from a network that are no codes, and for a code that was tried ten times.
public struct LogIn: ServeCommand {
    /// What the server answers.
    public typealias Answer = LoginAnswer
    /// The name on the wire.
    public static let name = "account.logIn"
    /// It contains a password or a code.
    public static let reach = CommandReach.request
    /// The login name or the user id; needs a password, and no code.
    public var loginName: String?
    /// The password.
    public var password: String?
    /// A one-time code, in place of a login name and a password: at most 4 KiB.
    public var code: String?

    /// Creates the command with a login name, or a user id, and a password.
    public init(loginName: String, password: String) {
        self.loginName = loginName
        self.password = password
    }

    /// Creates the command with a one-time code.
    public init(code: String) { self.code = code }

    /// What a login is based on.
    package enum Proof: Hashable, Sendable {
        case password(loginName: String, password: String)
        case code(String)
    }

    /// The code, or the login name and the password.
    /// - Throws: `WireError` 6 if there is neither, only one of the two, or a code beside them.
    package func proof() throws(WireError) -> Proof {
        if let code {
            guard loginName == nil, password == nil else {
                throw WireError(
                    .dataFormat, field: "code", "Give either a \"code\", or a \"loginName\" and a \"password\".")
            }
            return .code(code)
        }
        guard let loginName else {
            throw WireError(
                .dataFormat, field: "loginName", "Give a \"loginName\" and a \"password\", or a \"code\".")
        }
        guard let password else {
            throw WireError(.dataFormat, field: "password", "Give the \"password\", too.")
        }
        return .password(loginName: loginName, password: password)
    }
}

/// Changes an account; absent values stay unchanged.
///
/// With a new password all logins end, as `login.end` says. Users may change their own password, and give the old one; only
/// operators and keys change phone numbers, e-mail addresses and organisations, and the accounts of others (1107); a key with
/// the scope `accounts` does not change those of operators (1107). A user without a login name may have all of these, but no password (602). Fails with 601 if the old password is wrong,
/// 1004 after too many wrong ones, as `account.logIn`, 603 if somebody else has the phone number, 8 if it has another form, 7011 if
/// nobody has the user id, and 6 if nothing is given or a value is not allowed.
public struct SetAccount: ServeCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "account.set"
    /// It may contain passwords.
    public static let reach = CommandReach.request
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// The user; the caller if absent.
    public var userID: UserID?
    /// The new password: 8 to 200 bytes of UTF-8. Common passwords, and the login name, are refused (6).
    public var password: String?
    /// The password up to now; needed to change one's own, but not with a key.
    public var oldPassword: String?
    /// The phone number in the form of E.164; empty to remove it.
    public var phone: String?
    /// The e-mail address; empty to remove it.
    public var email: String?
    /// The organisation that the user belongs to; empty to remove it.
    public var corpID: String?

    /// Creates a value with these fields.
    public init(
        userID: UserID? = nil, password: String? = nil, oldPassword: String? = nil, phone: String? = nil,
        email: String? = nil, corpID: String? = nil
    ) {
        self.userID = userID
        self.password = password
        self.oldPassword = oldPassword
        self.phone = phone
        self.email = email
        self.corpID = corpID
    }
}
