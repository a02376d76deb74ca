/// The rules for login names, passwords, phone numbers and e-mail addresses.
public enum AccountRules {
    /// The most entries of a lookup, and accounts of one registration.
    public static let most = 100
    /// The length of a password, in bytes of UTF-8.
    public static let passwordBytes = 8...200
    /// The lifetime of a token made for a login, in seconds.
    public static let lifetimes: ClosedRange<Int64> = 60...31_536_000
    /// The lifetime of such a token if none is given, in seconds: one day.
    public static let lifetime: Int64 = 86_400

    /// The maximum length of a login name, in bytes of UTF-8: that of an e-mail address.
    public static let loginNameBytes = 254
    /// The characters that an e-mail address may have before its `@`, and that one itself.
    private static let loginMarks = "!#$%&'*+-/=?^_`{|}~.@"

    /// Checks a login name, without white space at its ends: letters and digits of any script, and what an e-mail address
    /// may have.
    /// - Throws: `WireError` 8 for a phone number in another form than E.164, otherwise 6.
    public static func checkLoginName(_ name: String) throws(WireError) {
        if name.utf8.first == UInt8(ascii: "+"), !name.utf8.contains(UInt8(ascii: "@")) {
            return try checkPhone(name, field: "loginName")
        }
        let isAllowed = name.unicodeScalars.allSatisfy { scalar in
            // Two names that look the same are one person to those who read them.
            if scalar.properties.isDefaultIgnorableCodePoint { return false }
            return switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .nonspacingMark, .spacingMark:
                true
            default: loginMarks.unicodeScalars.contains(scalar)
            }
        }
        guard isAllowed, (1...loginNameBytes).contains(name.utf8.count), name.unicodeScalars.contains(where: \.hasInk)
        else {
            throw WireError(
                .dataFormat, field: "loginName",
                """
                "loginName" must have 1 to \(loginNameBytes) bytes: letters, digits, and . @ + - _ and the other marks of an \
                e-mail address, without spaces.
                """)
        }
    }

    /// Checks a phone number: `+`, and 7 to 15 digits of which the first is not 0, as ITU-T E.164 says.
    /// - Throws: `WireError` 8.
    public static func checkPhone(_ phone: String, field: String = "phone") throws(WireError) {
        let digits = phone.utf8.dropFirst()
        guard phone.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
            digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw WireError(
                .numberFormat, field: field,
                "\"\(field)\" must be a phone number in international form, such as +491701234567.")
        }
    }

    /// Checks the id of an organisation: no control characters and at most 128 bytes. It may be empty.
    /// - Throws: `WireError` 6.
    public static func checkCorpID(_ corpID: String) throws(WireError) {
        try TextRules.checkReference(corpID, "corpID", most: 128)
    }

    /// Checks an e-mail address: only that it may be one.
    /// - Throws: `WireError` 6.
    public static func checkEmail(_ email: String) throws(WireError) {
        guard (3...254).contains(email.utf8.count), email.contains("@"), !email.hasPrefix("@"), !email.hasSuffix("@"),
            email.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != " " })
        else {
            throw WireError(
                .dataFormat, field: "email", "\"email\" must be an address of 3 to 254 bytes, such as ann@example.com.")
        }
    }

    /// Checks a new password.
    /// - Throws: `WireError` 604 for none, otherwise 6.
    public static func checkPassword(_ password: String) throws(WireError) {
        guard !password.isEmpty else {
            throw WireError(.passwordRequired, field: "password", "Give a \"password\".")
        }
        guard passwordBytes.contains(password.utf8.count) else {
            throw WireError(
                .dataFormat, field: "password", "\"password\" must have 8 to 200 bytes.")
        }
    }

    /// Checks an account to register.
    /// - Throws: `WireError` 604, 8 or 6.
    public static func check(_ account: NewAccount) throws(WireError) {
        try checkLoginName(account.loginName)
        try checkPassword(account.password)
        if let name = account.name { try TextRules.checkName(name, "name") }
        if let phone = account.phone { try checkPhone(phone) }
        if let email = account.email { try checkEmail(email) }
        if let corpID = account.corpID { try checkCorpID(corpID) }
    }

    /// Checks a lookup.
    /// - Throws: `WireError` 6, or 8 for a phone number.
    public static func check(_ find: FindUsers) throws(WireError) {
        let (ids, names, phones) = (find.userIDs ?? [], find.loginNames ?? [], find.phones ?? [])
        guard (1...most).contains(ids.count + names.count + phones.count) else {
            throw WireError(
                .dataFormat, field: "userIDs",
                "\"userIDs\", \"loginNames\" and \"phones\" must have 1 to 100 entries together.")
        }
        for (index, phone) in phones.enumerated() { try checkPhone(phone, field: "phones[\(index)]") }
        for (index, name) in names.enumerated() where name.utf8.count > loginNameBytes {
            throw WireError(
                .dataFormat, field: "loginNames[\(index)]", "A login name has at most \(loginNameBytes) bytes.")
        }
    }
}
