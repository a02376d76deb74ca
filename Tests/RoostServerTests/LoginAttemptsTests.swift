import HTTPTypes
import Testing

@testable import RoostServer

/// Which address a wrong password counts for.
@Suite struct LoginAttemptsTests {
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
