import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Clients that read or send next to nothing.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct SlowClientsTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)

    private func upload(_ bytes: [UInt8], _ http: HTTPClient) throws -> FileID {
        let upload = try http.perform(CreateFile(name: "a.bin", size: Int64(bytes.count)), from: ann)
        let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
        let answer = try http.exchange("PATCH", upload.path, bytes, ann.headers.merging(headers) { $1 })
        try #require(answer.status == 204)
        return upload.fileID
    }

    private func download(_ link: String, _ server: ServerProcess) throws -> HTTPClient {
        let client = HTTPClient(server)
        try client.begin("GET \(link) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
    }

    @Test func `the server ends although downloads are not read and uploads do not come`() async throws {
        let harness = try await ServerHarness(isRecorded: false)
        let http = HTTPClient(harness)
        let file = try upload([UInt8](repeating: 7, count: 20_000_000), http)
        let link = try #require(try http.perform(GetFiles(fileIDs: [file]), from: ann).files.first?.link)
        let readers = try (0..<3).map { _ in try download(link, harness.server) }
        let part = try http.perform(CreateFile(name: "b.bin", size: 1_000_000), from: ann)
        let writer = HTTPClient(harness)
        let fields = ann.headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        try writer.begin(
            "PATCH \(part.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nUpload-Offset: 0\r\n"
                + "Content-Type: application/offset+octet-stream\r\n\(fields)\r\nbeginning")
        // An unfinished head, and a connection that only asked whether the server is alive.
        let silent = HTTPClient(harness)
        try silent.begin("GET /readyz HTTP/1.1\r\nHo")
        #expect(try HTTPClient(harness).exchange("GET", "/healthz", [], [:]).status == 200)
        #expect(try http.exchange("GET", "/healthz", [], [:]).status == 200)
        // It says that it ends within 30 s. One that does not is killed, and that is no exit with 0.
        let server = harness.server
        DispatchQueue.global().asyncAfter(deadline: .now() + 40) { server.kill() }
        #expect(server.stop() == 0)
        withExtendedLifetime((readers, writer, silent)) {}
    }

    @Test func `downloads that are not read do not keep those of others waiting`() async throws {
        let harness = try await ServerHarness(options: ["--behind-proxy"], isRecorded: false)
        let http = HTTPClient(harness)
        let bytes = [UInt8](repeating: 7, count: 20_000_000)
        let file = try upload(bytes, http)
        let link = try #require(try http.perform(GetFiles(fileIDs: [file]), from: ann).files.first?.link)
        var readers = try (0..<40).map { _ in try download(link, harness.server) }
        // Eight are being sent; this user's next one waits, and another user's does not.
        let bob = HTTPClient.Caller.guest(Cast.bob)
        try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)
        try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        let content = MessageContent(type: "document", file: FileReference(fileID: file))
        try http.perform(SendMessage(content, to: Cast.annAndBob), from: ann)
        let theirs = try #require(try http.perform(GetFiles(fileIDs: [file]), from: bob).files.first?.link)
        #expect(try http.exchange("GET", theirs, [], [:]).bytes == bytes)
        // When the others go away, this user's are sent again.
        readers.removeAll()
        #expect(try HTTPClient(harness).exchange("GET", link, [], [:]).bytes == bytes)
        #expect(harness.stop() == 0)
    }

    private func waitForASecond() async throws {
        let second = Int(Date().timeIntervalSince1970)
        try await until { Int(Date().timeIntervalSince1970) > second + 1 }
    }

    @Test func `a ban ends the downloads and uploads that are running`() async throws {
        let harness = try await ServerHarness(isRecorded: false)
        let http = HTTPClient(harness)
        let size = 20_000_000
        let file = try upload([UInt8](repeating: 7, count: size), http)
        let link = try #require(try http.perform(GetFiles(fileIDs: [file]), from: ann).files.first?.link)
        let fields = ann.headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let byLink = try download(link, harness.server)
        let byName = HTTPClient(harness)
        try byName.begin("GET /v1/files/\(file) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        let part = try http.perform(CreateFile(name: "b.bin", size: 1_000_000), from: ann)
        let half = String(repeating: "x", count: 500_000)
        let writer = HTTPClient(harness)
        try writer.begin(
            "PATCH \(part.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nUpload-Offset: 0\r\n"
                + "Content-Type: application/offset+octet-stream\r\n\(fields)\r\n\(half)")
        try await until {
            try http.exchange("HEAD", part.path, [], ann.headers).headers["upload-offset"] == "500000"
        }

        let chief = try await harness.operatorRecordingClient()
        try await chief.client.setAccess(of: Cast.ann.userID, canChat: false)
        try await waitForASecond()
        try writer.begin(half)
        let refused = try writer.answer()
        #expect(refused.status == 403 && refused.error?.entry == .userBanned)
        #expect(byLink.drain() < size && byName.drain() < size)
        try await chief.client.setAccess(of: Cast.ann.userID, canChat: true)
        // The upload is not whole: it can be continued now.
        let offset = try http.exchange("HEAD", part.path, [], ann.headers).headers["upload-offset"]
        #expect(offset.flatMap { Int($0) }.map { $0 < 1_000_000 } == true)
        #expect(try http.exchange("GET", link, [], [:]).bytes.count == size)
    }
}
