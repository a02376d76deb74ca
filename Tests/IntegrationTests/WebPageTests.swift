import Crypto
import Foundation
import RoostTesting
import Testing

/// The page of a real `roost serve`, and the options about it.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct WebPageTests {
    private let browser = ["Accept": "text/html"]

    private func text(_ answer: HTTPClient.Answer) -> String { String(decoding: answer.bytes, as: UTF8.self) }

    @Test func `the server shows its page to a browser, and says to programs what they need to log in`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let page = try http.exchange("GET", "/", [], browser)
        #expect(page.status == 200 && text(page).contains("<title>Roost</title>"))
        #expect(page.headers["content-security-policy"]?.contains("script-src 'self'; ") == true)
        #expect(page.headers["x-frame-options"] == "DENY")
        let module = try http.exchange("GET", "/web/roost.js", [], [:])
        #expect(module.status == 200 && module.headers["content-type"] == "text/javascript; charset=utf-8")
        let here = try http.exchange("GET", "/", [], ["Accept": "application/json"])
        #expect(
            text(here)
                == #"{"server":"roost","protocol":1,"connect":"/v1/connect","guests":true,"passwords":false,"signUp":false,"keepsLogins":true}"#
        )
    }

    @Test func `the key for notifications to browsers is at the root`() async throws {
        let folder = try TemporaryFolder()
        let key = P256.Signing.PrivateKey()
        func write(_ text: String, to name: String) throws -> String {
            let path = folder.path + "/" + name
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return path
        }
        let pem = try write(key.pemRepresentation, to: "vapid.pem")
        let push = try write(#"{"web":{"key":"\#(pem)","subject":"mailto:ops@example.com"}}"#, to: "push.json")
        let harness = try await ServerHarness(isDevelopment: false, options: ["--push", push])
        let http = HTTPClient(harness)
        let here = try JSONDecoder().decode(Here.self, from: Data(try http.exchange("GET", "/", [], [:]).bytes))
        #expect(!here.guests)
        let base64 = try #require(here.webPushKey).replacing("-", with: "+").replacing("_", with: "/") + "="
        #expect(Data(base64Encoded: base64) == key.publicKey.x963Representation)
    }

    private struct Here: Decodable {
        var guests: Bool
        var webPushKey: String?
    }

    @Test func `the page comes from a folder, or is turned off, and others may frame it`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/app", withIntermediateDirectories: true)
        let file = URL(filePath: folder.path + "/app/index.html")
        try Data("<p>one".utf8).write(to: file)
        let options = ["--web-folder", folder.path, "--frame-ancestor", "https://example.com"]
        let harness = try await ServerHarness(options: options)
        let http = HTTPClient(harness)
        let page = try http.exchange("GET", "/", [], browser)
        #expect(text(page) == "<p>one")
        #expect(page.headers["content-security-policy"]?.contains("frame-ancestors https://example.com; ") == true)
        #expect(page.headers["x-frame-options"] == nil)
        try Data("<p>two".utf8).write(to: file)
        #expect(text(try http.exchange("GET", "/", [], browser)) == "<p>two")
        #expect(try http.exchange("GET", "/web/roost.js", [], [:]).status == 404)

        let bare = try await ServerHarness(options: ["--no-web"])
        let without = HTTPClient(bare.server)
        #expect(text(try without.exchange("GET", "/", [], browser)).hasPrefix(#"{"server":"roost","#))
        #expect(try without.exchange("GET", "/web/roost.js", [], [:]).status == 404)
    }
}
