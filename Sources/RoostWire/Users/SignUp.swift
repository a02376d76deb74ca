/// Makes an account for whoever sends it, and logs in: needs no token, and returns one for a day.
///
/// For servers that allow it (`roost serve --allow-sign-up`); the others answer 7. The server makes the user id. A login name
/// with `@` or `+` is refused (6): whose address or phone number it is cannot be checked. Fails with 603 if the login name
/// exists or is the id of a user; with the password of that account, the same command logs in, so it may be repeated after
/// a lost answer. Fails with 604 without a password, with 605 if the server has as many accounts as it may have, with 6 for
/// another wrong value, and with 1004 after 10 commands from a network, and 200 from all, within 15 minutes.
public struct SignUp: ServeCommand {
    /// What the server answers.
    public typealias Answer = LoginAnswer
    /// The name on the wire.
    public static let name = "account.signUp"
    /// It contains a password.
    public static let reach = CommandReach.request
    /// The name to log in with, as in ``NewAccount``, but without `@` and `+`.
    public var loginName: String
    /// The password: 8 to 200 bytes of UTF-8. Common passwords, and the login name, are refused (6).
    public var password: String
    /// The name to show, 1 to 200 UTF-16 units; the login name if absent.
    public var name: String?

    /// Creates a value with these fields.
    public init(loginName: String, password: String, name: String? = nil) {
        self.loginName = loginName
        self.password = password
        self.name = name
    }

    /// The account to register.
    /// - Throws: `WireError` 604 or 6.
    package func account() throws(WireError) -> NewAccount {
        let account = NewAccount(loginName: loginName, password: password, name: name)
        guard !loginName.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "+") }) else {
            throw WireError(
                .dataFormat, field: "loginName",
                "\"loginName\" must be a name without @ and +: an address or a phone number cannot be checked here.")
        }
        return account
    }
}
