import RoostWire
import Testing

@testable import RoostServer

/// Passwords that are guessed first.
@Suite struct WeakPasswordsTests {
    @Test(arguments: [
        "password", "PASSWORD", "Password1", "password123", "password2024", "Password!", "P@ssw0rd", "pa$$w0rd1!",
        "12345678", "1234567890", "23456789", "87654321", "00000000", "abcdefgh", "qwertyuiop", "QWERTZUI", "lkjhgfdsa",
        "iloveyou", "ILoveYou2", "letmein!!", "sunshine", "welcome1", "admin123", "football12345678", "aaaaaaaa",
        "!!!!!!!!", "ababababab", "12341234", "ああああ", "        ", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
        "\t\n \u{A0}\u{2003}\u{200B}\u{3164}", " password ",
    ])
    func `a password that is guessed first is refused`(password: String) {
        #expect(WeakPasswords.isWeak(password))
    }

    @Test(arguments: [
        "correct horse", "the password of Ann", "new password", "long enough", "gr\u{FC}\u{DF}e ann", "tr0ub4dor&3xyz",
        "passwordless-tea", "12345678x9", "kettle42lamp", "山田太郎と花子", "p4ssagetoindia",
    ])
    func `any other password is taken`(password: String) {
        #expect(!WeakPasswords.isWeak(password))
    }

    @Test func `what the user is called is no password`() throws {
        let names: [String?] = ["Ann.Miller@example.com", "u-9c3e51d7", nil, ""]
        for password in ["ann.miller@example.com", "ANN.MILLER", "U-9C3E51D7"] {
            #expect(throws: WireError.self) { try WeakPasswords.check(password, of: names) }
        }
        try WeakPasswords.check("ann.miller has a kettle", of: names)
        #expect(WeakPasswords.isWeak("+491701234567", of: ["+491701234567"]))
    }

    @Test func `the refusal names the field and not the password`() {
        let error = #expect(throws: WireError.self) { try WeakPasswords.check("iloveyou", of: []) }
        #expect(
            error?.entry == .dataFormat && error?.field == "password" && error?.message.contains("iloveyou") == false)
    }
}
