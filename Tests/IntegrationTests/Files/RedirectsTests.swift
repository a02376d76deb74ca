import Foundation
import RoostTesting
import RoostWire
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Links to files that lead to an object store.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct RedirectsTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    private let bob = HTTPClient.Caller.guest(Cast.bob)

    /// Fetches a link as a browser does.
    private func fetch(_ url: String) async throws -> (bytes: [UInt8], response: HTTPURLResponse) {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: url)))
        return (Array(data), try #require(response as? HTTPURLResponse))
    }

    @Test func `a link leads to the object store, a download with a token does not`() async throws {
        let (objects, folder) = (try await S3Server.start(), try TemporaryFolder())
        let server = try await ServerProcess.start(
            data: folder.path, arguments: ["--files", objects.url, "--file-redirects"],
            under: ["/usr/bin/env", "ROOST_S3_ACCESS_KEY_ID=test", "ROOST_S3_SECRET_ACCESS_KEY=test-secret"])
        let http = HTTPClient(server)
        let bytes = SampleFile.bytes("a.png")
        let upload = try http.perform(CreateFile(name: "ü a.png", size: Int64(bytes.count)), from: ann)
        let part = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream", "Tus-Resumable": "1.0.0"]
        _ = try http.exchange("PATCH", upload.path, bytes, ann.headers.merging(part) { $1 })
        let sent = try http.perform(
            SendMessage(MessageContent(.image(FileReference(fileID: upload.fileID))), to: Cast.lobby),
            from: ann)
        let link = try #require(
            try http.perform(GetFiles(fileIDs: [upload.fileID]), from: bob).files.first?.link)

        let redirect = try http.exchange("GET", link, [], [:])
        let target = try #require(redirect.headers["location"])
        #expect(redirect.status == 307 && redirect.bytes.isEmpty)
        #expect(redirect.headers["cache-control"] == "private, max-age=30")
        #expect(target.hasPrefix("http://127.0.0.1:\(objects.port)/roost/test/bytes/"))
        #expect(target.contains("X-Amz-Expires=60&") && !target.contains("test-secret"))
        let (found, response) = try await fetch(target)
        #expect(found == bytes && response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "image/png")
        #expect(
            response.value(forHTTPHeaderField: "Content-Disposition") == "inline; filename*=UTF-8''%C3%BC%20a.png")
        let longer = target.replacingOccurrences(of: "&X-Amz-Expires=60", with: "&X-Amz-Expires=600")
        #expect(try await fetch(longer).response.statusCode == 403)

        // The page may play what comes from there.
        let page = try http.exchange("GET", "/", [], ["Accept": "text/html"])
        #expect(page.headers["content-security-policy"]?.contains("media-src 'self' blob: https:; ") == true)

        // Without a link the bytes come from the server; a link that is altered or whose right has ended leads nowhere.
        let direct = try http.exchange("GET", upload.path, [], bob.headers)
        #expect(direct.status == 200 && direct.bytes == bytes)
        #expect(try http.exchange("HEAD", link, [], [:]).status == 200)
        #expect(try http.exchange("GET", link + "0", [], [:]).headers["location"] == nil)
        let id = try #require(sent.messageID)
        try http.perform(RecallMessages(channel: Cast.lobby, messageIDs: [id]), from: ann)
        let gone = try http.exchange("GET", link, [], [:])
        #expect(gone.status == 404 && gone.headers["location"] == nil)
    }
}
