import Testing

@testable import RoostNATS

@Suite struct BusURLTests {
    @Test(arguments: [
        ("nats://localhost", ["nats://localhost:4222"], nil, nil, false),
        ("NATS://127.0.0.1:1/", ["nats://127.0.0.1:1"], nil, nil, false),
        ("nats://[::1]:5", ["nats://[::1]:5"], nil, nil, false),
        ("nats://u:p@a, nats://u:p@b:1", ["nats://a:4222", "nats://b:1"], "u", "p", false),
        ("nats://u:p%40q%2C@h", ["nats://h:4222"], "u", "p@q,", false),
        ("nats://u:p@q@h", ["nats://h:4222"], "u", "p@q", false),
        ("tls://token@bus.example.com", ["tls://bus.example.com:4222"], "token", nil, true),
        ("nats://@localhost", ["nats://localhost:4222"], nil, nil, false),
    ])
    func `the address of NATS servers is read`(
        text: String, servers: [String], user: String?, password: String?, isEncrypted: Bool
    ) throws {
        let url = try BusURL(text)
        #expect(url.servers == servers && url.isEncrypted == isEncrypted)
        #expect(url.login?.user == user && url.login?.password == password)
    }

    @Test(arguments: [
        "", ",", "localhost", "http://localhost", "nats://", "nats://localhost/x", "nats://localhost?a=b",
        "nats://u:geheim@h:x",
        "nats://localhost,", "nats://localhost,tls://localhost", "nats://u:geheim@a,nats://u:p@b", "nats://@h",
        "nats://geheim,x@h", "redis://u:geheim@h",
    ])
    func `what is no address is refused, and no password is repeated`(text: String) {
        let mistake = #expect(throws: BusURL.Mistake.self) { try BusURL(text) }
        #expect(mistake?.description.contains("--bus:") == true && mistake?.description.contains("heim") == false)
    }

    @Test func `a server on another machine needs a login`() throws {
        let mistake = #expect(throws: BusURL.Mistake.self) { try BusURL("nats://bus.example.com") }
        #expect(mistake?.description.contains("a user and a password") == true)
        #expect(throws: BusURL.Mistake.self) { try BusURL("nats://u:p@bus.example.com,nats://10.0.0.1") }
        #expect(throws: BusURL.Mistake.self) { try BusURL("nats://127.evil.example.com") }
    }
}
