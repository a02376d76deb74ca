import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The HTTP API: the same commands and rules, without a persistent session.
@Suite(.serialized, .timeLimit(.minutes(1))) struct HTTPTests {
    /// An answer over HTTP.
    private struct Answer {
        let status: Int
        let body: [String: Any]

        var entry: ErrorCode? {
            ((body["error"] as? [String: Any])?["code"] as? Int).flatMap { ErrorCode.find($0) }
        }
    }

    /// One hand-written request over a new socket.
    private func request(
        _ harness: ServerHarness, _ method: String, _ path: String, _ body: String, _ headers: [String: String]
    ) throws -> Answer {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(file >= 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: harness.server.port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
        }
        try #require(connected == 0)
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let text =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)"
        let bytes = Array(text.utf8)
        try #require(write(file, bytes, bytes.count) == bytes.count)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = read(file, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
        let parts = String(decoding: answer, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
        let status = try #require(parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let json = parts.count > 1 ? Data(parts[1].utf8) : Data("{}".utf8)
        return Answer(
            status: status, body: (try? JSONSerialization.jsonObject(with: json) as? [String: Any]) ?? [:])
    }

    private func post(
        _ harness: ServerHarness, _ path: String, _ body: String, _ headers: [String: String]
    ) throws -> Answer {
        try request(harness, "POST", path, body, headers)
    }

    private func get(_ harness: ServerHarness, _ path: String) throws -> Answer {
        try request(harness, "GET", path, "", [:])
    }

    private func guest(_ user: User, key: String? = nil) -> [String: String] {
        var headers = ["Roost-Guest": user.userID.rawValue, "Roost-Guest-Name": user.name]
        headers["Idempotency-Key"] = key
        return headers
    }

    @Test func `a message sent over HTTP arrives at connected clients, once per key`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        try await bob.channel(Cast.lobby).join()
        let body = #"{"channel":"lobby","text":"over HTTP"}"#
        let first = try post(harness, "/v1/message.send", body, guest(Cast.ann, key: "k1"))
        let again = try post(harness, "/v1/message.send", body, guest(Cast.ann, key: "k1"))
        #expect(first.status == 200)
        #expect(again.status == 200)
        #expect(first.body as NSDictionary == again.body as NSDictionary)
        let row = try await bob.message("over HTTP")
        #expect(row.messageID?.rawValue == first.body["messageID"] as? String)
        #expect(row.transID?.rawValue == "k1")
        try await bob.channel(Cast.lobby).send("end")
        try await bob.message("end")
        #expect(bob.texts(in: Cast.lobby) == ["over HTTP", "end"])

        // A key that the SDK has used is known over HTTP, too.
        let sent = try await bob.channel(Cast.lobby).send("by the SDK", transID: TransID(rawValue: "k2"))
        let same = try post(
            harness, "/v1/message.send", #"{"channel":"lobby","text":"by the SDK"}"#, guest(Cast.bob, key: "k2"))
        #expect(same.body["messageID"] as? String == sent.messageID.rawValue)
        let page = try post(harness, "/v1/message.list", #"{"channel":"lobby"}"#, guest(Cast.ann))
        #expect((page.body["events"] as? [Any])?.count == 3)
    }

    @Test(.firstPassOnly) func `refusals have a status and the error as JSON`() async throws {
        let harness = try await ServerHarness()
        let send = #"{"channel":"lobby","text":"hi"}"#
        let keyless = try post(harness, "/v1/message.send", send, guest(Cast.ann))
        #expect(keyless.status == 400)
        #expect(keyless.entry == .dataFormat)
        let nobody = try post(harness, "/v1/message.send", send, ["Idempotency-Key": "k"])
        #expect(nobody.status == 401)
        #expect(nobody.entry == .notAuthenticated)
        let forged = try post(
            harness, "/v1/message.send", send, ["Idempotency-Key": "k", "Authorization": "Bearer not.a.token"])
        #expect(forged.status == 401)
        let nowhere = try post(harness, "/v1/message.list", #"{"channel":"nowhere"}"#, guest(Cast.ann))
        #expect(nowhere.status == 404)
        #expect(nowhere.entry == .channelNotFound)
        let unknown = try post(harness, "/v1/no.such", "{}", guest(Cast.ann))
        #expect(unknown.status == 404)
        #expect(unknown.entry == .unknownOperation)
        #expect(try post(harness, "/v1/message.send", send, guest(Cast.ann, key: "k")).status == 200)
        let other = try post(
            harness, "/v1/message.send", #"{"channel":"lobby","text":"other"}"#, guest(Cast.ann, key: "k"))
        #expect(other.status == 409)
        #expect(other.entry == .duplicateTransID)
        let join = try post(harness, "/v1/channel.join", #"{"channel":"lobby"}"#, guest(Cast.ann))
        #expect(join.entry == .functionUnavailable)
        let broken = try post(harness, "/v1/message.send", "{", guest(Cast.ann, key: "k3"))
        #expect(broken.status == 400)
        #expect(try get(harness, "/nothing").status == 404)
    }

    @Test(.firstPassOnly) func `health and readiness are reported`() async throws {
        let harness = try await ServerHarness()
        #expect(try get(harness, "/healthz").body["alive"] as? Bool == true)
        let ready = try get(harness, "/readyz")
        #expect(ready.status == 200)
        #expect(ready.body["ready"] as? Bool == true)
        #expect(try get(harness, "/").body["server"] as? String == "roost")
        #expect(try get(harness, "/v1/connect").status == 426)
    }
}
