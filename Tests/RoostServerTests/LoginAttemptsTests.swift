import HTTPTypes
import RoostWire
import Testing

@testable import RoostServer

/// What a wrong password counts for.
@Suite struct LoginAttemptsTests {
    private static let begin: Int64 = 1_000_000_000

    /// Tries passwords; nil if one is right, 601 if it is wrong, 1004 if it is not checked.
    private struct Door {
        let attempts: LoginAttempts

        init(maxWindows: Int = 100_000) { attempts = LoginAttempts(maxWindows: maxWindows) }

        func code(
            _ login: String, from address: String?, isKnown: Bool = false, isRight: Bool = false, after ms: Int64 = 0
        ) async -> Int? {
            do throws(WireError) {
                let isRight = try await attempts.check(
                    login, from: address, isKnown: isKnown, now: LoginAttemptsTests.begin + ms
                ) { () throws(WireError) in isRight }
                return isRight ? nil : 601
            } catch {
                return error.code
            }
        }

        /// Tries wrong passwords.
        func guess(_ count: Int, _ login: String, from address: String?, isKnown: Bool = false) async {
            for _ in 0..<count { #expect(await code(login, from: address, isKnown: isKnown) == 601) }
        }
    }

    @Test func `guesses from one network lock an account for that network only, and for 15 minutes`() async {
        let door = Door()
        await door.guess(10, "ann", from: "198.51.100.1")
        #expect(await door.code("Ann", from: "198.51.100.1", isRight: true) == 1004)
        #expect(await door.code("ann", from: "192.0.2.1", isRight: true) == nil)
        #expect(await door.code("ann", from: nil, isRight: true) == nil)
        #expect(await door.code("ann", from: "198.51.100.1", isRight: true, after: 899_999) == 1004)
        #expect(await door.code("ann", from: "198.51.100.1", isRight: true, after: 900_000) == nil)
    }

    @Test func `guesses from many networks lock an account for new networks, and not for known ones`() async {
        let door = Door()
        for network in 0..<10 { await door.guess(10, "ann", from: "198.51.100.\(network)") }
        for isRight in [false, true] {
            #expect(await door.code("ann", from: "203.0.113.1", isRight: isRight) == 1004)
        }
        #expect(await door.code("ann", from: "192.0.2.1", isKnown: true, isRight: true) == nil)
        #expect(await door.code("ann", from: nil, isRight: true) == nil)
        // A known network has no more than its own count.
        await door.guess(10, "ann", from: "192.0.2.1", isKnown: true)
        #expect(await door.code("ann", from: "192.0.2.1", isKnown: true, isRight: true) == 1004)
        // Other accounts are not concerned.
        #expect(await door.code("bob", from: "203.0.113.1", isRight: true) == nil)
    }

    @Test func `a network has 50 guesses for all accounts, except for those that are known there`() async {
        let door = Door()
        for user in 0..<5 { await door.guess(10, "user\(user)", from: "2001:db8::\(user)") }
        #expect(await door.code("ann", from: "2001:db8::9", isRight: true) == 1004)
        #expect(await door.code("ann", from: "2001:db8::9", isKnown: true, isRight: true) == nil)
        #expect(await door.code("ann", from: "2001:db8:0:1::1", isRight: true) == nil)
        await door.guess(10, "bob", from: "2001:db8::9", isKnown: true)
    }

    @Test func `a right password takes back what was counted, but not the guesses of others`() async {
        let door = Door()
        for _ in 0..<30 {
            await door.guess(9, "ann", from: "192.0.2.1", isKnown: true)
            #expect(await door.code("ann", from: "192.0.2.1", isKnown: true, isRight: true) == nil)
        }
        for _ in 0..<60 { #expect(await door.code("ann", from: "192.0.2.2", isRight: true) == nil) }
        for network in 0..<10 { await door.guess(9, "bob", from: "198.51.100.\(network)") }
        #expect(await door.code("bob", from: "192.0.2.2", isRight: true) == nil)
        await door.guess(10, "bob", from: "203.0.113.1")
        #expect(await door.code("bob", from: "203.0.113.2", isRight: true) == 1004)
    }

    @Test func `a password that could not be checked does not count`() async {
        let door = Door()
        for _ in 0..<60 {
            await #expect(throws: WireError.self) {
                _ = try await door.attempts.check("ann", from: "192.0.2.1", now: Self.begin) {
                    () throws(WireError) in throw WireError(.tooManyRequests)
                }
            }
        }
        await door.guess(10, "ann", from: "192.0.2.1")
    }

    @Test
    func `backends that do not name an address have ten guesses for an account, and as many accounts as they like`()
        async
    {
        let door = Door()
        for user in 0..<20 { await door.guess(10, "user\(user)", from: nil) }
        #expect(await door.code("user0", from: nil, isRight: true) == 1004)
        #expect(await door.code("user0", from: "192.0.2.1", isRight: true) == nil)
    }

    @Test func `a full table forgets those with the fewest guesses and refuses nobody`() async {
        let door = Door(maxWindows: 300)
        await door.guess(10, "ann", from: "198.51.100.1")
        for number in 0..<2_000 {
            #expect(await door.code("user\(number)", from: "2001:db8:\(number)::1") == 601)
        }
        #expect(await door.code("bob", from: "192.0.2.1", isRight: true) == nil)
        #expect(await door.code("ann", from: "198.51.100.1", isRight: true) == 1004)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0"),
        ("2001:db8::1", "2001:db8:0:0"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8:1:2::", "2001:db8:1:2"),
        ("fe80::1%eth0", "fe80:0:0:0"), ("", ""), (":", "0:0:0:0"),
    ])
    func `of an IPv6 address the network counts`(address: String, network: String) {
        #expect(LoginAttempts.network(of: address).split(separator: ":") == network.split(separator: ":"))
    }

    @Test func `behind a proxy the address of a client is the last one that the proxy names`() throws {
        var configuration = ServerConfiguration(host: "::1", port: 0)
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        func address(_ values: String...) -> String? {
            var fields = HTTPFields()
            for value in values { fields.append(HTTPField(name: name, value: value)) }
            return configuration.forwardedAddress(in: fields)
        }
        #expect(address("192.0.2.1") == nil)
        configuration.isBehindProxy = true
        #expect(address("192.0.2.1") == "192.0.2.1")
        #expect(address("198.51.100.7, 192.0.2.1") == "192.0.2.1")
        #expect(address("198.51.100.7", "192.0.2.2 ,  2001:db8::1 ") == "2001:db8::1")
        for wrong in ["", ",", "unknown", "192.0.2.1, nobody"] { #expect(address(wrong) == nil) }
        #expect(address() == nil)
    }

    @Test(arguments: [
        ("198.51.100.7:40000", "198.51.100.7"), ("192.0.2.1, 198.51.100.7:1", "198.51.100.7"),
        ("[2001:db8::1]:443", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("198.51.100.7:", nil), ("198.51.100.7:http", nil),
        ("198.51.100.7:123456", nil), ("[2001:db8::1]443", nil), ("[2001:db8::1", nil), ("[]:443", nil), ("[", nil),
        ("]:1", nil), (":443", nil), ("[192.0.2.1]x", nil), ("localhost:80", nil),
    ])
    func `a port behind the address does not matter`(value: String, address: String?) {
        var configuration = ServerConfiguration(host: "::1", port: 0)
        configuration.isBehindProxy = true
        #expect(configuration.forwardedAddress([value]) == address)
    }
}
