import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The bytes of files over plain HTTP: tus 1.0.0, links, ranges and conditions.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct FilesOverHTTPTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    private let bob = HTTPClient.Caller.guest(Cast.bob)

    private func png(_ count: Int) -> [UInt8] {
        Array((SampleFile.bytes("a.png") + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }).prefix(count))
    }

    private func patch(
        _ http: HTTPClient, _ path: String, _ bytes: some Collection<UInt8>, at offset: Int,
        from caller: HTTPClient.Caller
    ) throws -> HTTPClient.Answer {
        var headers = caller.headers
        headers["Upload-Offset"] = "\(offset)"
        headers["Content-Type"] = "application/offset+octet-stream"
        headers["Tus-Resumable"] = "1.0.0"
        return try http.exchange("PATCH", path, Array(bytes), headers)
    }

    private func head(
        _ http: HTTPClient, _ path: String, from caller: HTTPClient.Caller
    ) throws -> HTTPClient.Answer {
        try http.exchange("HEAD", path, [], caller.headers.merging(["Tus-Resumable": "1.0.0"]) { $1 })
    }

    private func upload(
        _ http: HTTPClient, _ bytes: [UInt8], name: String = "a.png", type: String? = nil,
        from caller: HTTPClient.Caller
    ) throws -> FileID {
        let upload = try http.perform(CreateFile(name: name, size: Int64(bytes.count), contentType: type), from: caller)
        let answer = try patch(http, upload.path, bytes, at: 0, from: caller)
        if let error = answer.error { throw error }
        return upload.fileID
    }

    @Test func `a client of tus creates, continues, asks and deletes`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let options = try http.exchange("OPTIONS", "/v1/files", [], [:])
        #expect(options.status == 204 && options.headers["tus-version"] == "1.0.0")
        #expect(options.headers["tus-extension"] == "creation,creation-with-upload,expiration,termination")
        #expect(options.headers["tus-max-size"] == "104857600")
        let bytes = png(100_000)
        var headers = ann.headers
        headers["Tus-Resumable"] = "1.0.0"
        headers["Upload-Length"] = "100000"
        let name = Data("übung.png".utf8).base64EncodedString()
        headers["Upload-Metadata"] = "filename \(name),filetype aW1hZ2UvcG5n,x,y %%%"
        headers["Idempotency-Key"] = "key"
        let created = try http.exchange("POST", "/v1/files", [], headers)
        #expect(created.status == 201 && created.headers["tus-resumable"] == "1.0.0")
        let path = try #require(created.headers["location"])
        #expect(try http.exchange("POST", "/v1/files", [], headers).headers["location"] == path)
        #expect(created.headers["upload-expires"]?.hasSuffix(" GMT") == true)
        #expect(try head(http, path, from: ann).headers["upload-offset"] == "0")
        #expect(try patch(http, path, bytes.prefix(40_000), at: 0, from: ann).headers["upload-offset"] == "40000")
        let status = try head(http, path, from: ann)
        #expect(status.status == 200 && status.headers["upload-offset"] == "40000")
        #expect(status.headers["upload-length"] == "100000" && status.headers["cache-control"] == "no-store")
        for offset in [0, 39_999, 40_001] {
            let wrong = try patch(http, path, bytes.prefix(10), at: offset, from: ann)
            #expect(wrong.status == 409 && wrong.error?.entry == .uploadOffset)
        }
        #expect(try patch(http, path, bytes + [0], at: 40_000, from: ann).status == 413)
        #expect(try head(http, path, from: ann).headers["upload-offset"] == "40000")
        let done = try patch(http, path, bytes.dropFirst(40_000), at: 40_000, from: ann)
        #expect(done.status == 204 && done.headers["upload-offset"] == "100000")
        #expect(try head(http, path, from: ann).headers["upload-offset"] == "100000")
        #expect(try patch(http, path, [], at: 100_000, from: ann).status == 204)
        let id = try #require(FileID(rawValue: String(path.split(separator: "/").last ?? "")))
        let stored = try #require(try http.perform(GetFiles(fileIDs: [id]), from: ann).files.first)
        #expect(stored.file.name == "übung.png" && stored.file.contentType == "image/png")
        let other = ["Tus-Resumable": "1.0.0"]
        #expect(try http.exchange("DELETE", path, [], bob.headers.merging(other) { $1 }).status == 404)
        #expect(try http.exchange("DELETE", path, [], ann.headers.merging(other) { $1 }).status == 204)
        #expect(try head(http, path, from: ann).status == 404)
        #expect(try http.exchange("GET", stored.link, [], [:]).status == 404)
    }

    @Test func `one request creates and uploads`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let bytes = png(70_000)
        let headers = ann.headers.merging([
            "Upload-Length": "70000", "Content-Type": "application/offset+octet-stream",
        ]) { $1 }
        let created = try http.exchange("POST", "/v1/files", bytes, headers)
        #expect(created.status == 201 && created.headers["upload-offset"] == "70000")
        let path = try #require(created.headers["location"])
        let answer = try http.exchange("GET", path, [], ann.headers)
        #expect(answer.bytes == bytes && answer.headers["content-type"] == "image/png")
        // An empty file is complete at once.
        let empty = try http.exchange("POST", "/v1/files", [], ann.headers.merging(["Upload-Length": "0"]) { $1 })
        #expect(empty.status == 201)
        let nothing = try http.exchange("GET", try #require(empty.headers["location"]), [], ann.headers)
        #expect(nothing.status == 200 && nothing.bytes.isEmpty)
    }

    @Test func `a bad request for an upload is refused with what is wrong`() async throws {
        let harness = try await ServerHarness(limits: ["fileBytes": 1_000])
        let http = HTTPClient(harness)
        let table: [(String, [String: String], Int, Int)] = [
            ("POST", [:], 400, 6), ("POST", ["Upload-Length": "-1"], 400, 6), ("POST", ["Upload-Length": "x"], 400, 6),
            ("POST", ["Upload-Length": "99999999999999999999"], 400, 6), ("POST", ["Upload-Length": "1001"], 413, 7005),
            ("POST", ["Upload-Length": "1", "Upload-Metadata": "filename %%%"], 400, 6),
            ("POST", ["Upload-Length": "1", "Upload-Metadata": "filename a b"], 400, 6),
            ("POST", ["Upload-Length": "1", "Tus-Resumable": "0.2.2"], 412, 6),
            ("POST", ["Upload-Length": "1", "Idempotency-Key": "a b"], 400, 6),
        ]
        for (method, headers, status, code) in table {
            let answer = try http.exchange(method, "/v1/files", [], ann.headers.merging(headers) { $1 })
            #expect(answer.status == status && answer.error?.code == code, "\(headers)")
        }
        #expect(try http.exchange("POST", "/v1/files", [], ["Upload-Length": "1"]).status == 401)
        let path = try http.perform(CreateFile(name: "a", size: 10), from: ann).path
        var headers = ann.headers
        #expect(try http.exchange("PATCH", path, [1], headers).status == 415)
        headers["Content-Type"] = "application/offset+octet-stream"
        for offset in ["", "-1", "x", "1.5"] {
            headers["Upload-Offset"] = offset
            #expect(try http.exchange("PATCH", path, [1], headers).status == 400, "\(offset)")
        }
        for path in ["/v1/files/unknown", "/v1/files/..%2f..%2fsecret", "/v1/files/a%00b"] {
            for method in ["PATCH", "HEAD", "GET", "DELETE"] {
                headers["Upload-Offset"] = "0"
                let answer = try http.exchange(method, path, [], headers)
                #expect(answer.status == 404, "\(method) \(path)")
            }
        }
        // Of another user, it does not exist.
        #expect(try patch(http, path, [1], at: 0, from: bob).status == 404)
        #expect(try head(http, path, from: bob).status == 404)
    }

    @Test func `bytes that are not of the claimed type are a file of no type, which is saved and never shown`()
        async throws
    {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        _ = try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        let page = Array("<html><script>alert(1)</script>".utf8)
        let program: [UInt8] = [0x7F, 0x45, 0x4C, 0x46] + page
        let files: [([UInt8], String, String)] = [
            (page, "image/png", "image"), (program, "image/jpeg", "image"), (page, "video/mp4", "video"),
            (png(50), "text/plain", "image"), (Array("export const a = 1;\n".utf8), "video/mp2t", "video"),
            (Array("8BPS\0".utf8), "image/vnd.adobe.photoshop", "image"), (Array("MThd\0".utf8), "audio/midi", "voice"),
            (Array("BEGIN:VCALENDAR".utf8), "image/png", "contact"),
        ]
        for (bytes, type, kind) in files {
            let id = try upload(http, bytes, name: "a", type: type, from: ann)
            let answer = try http.exchange("GET", "/v1/files/\(id)", [], ann.headers)
            #expect(answer.status == 200 && answer.bytes == bytes, "\(type)")
            #expect(answer.headers["content-type"] == "application/octet-stream", "\(type)")
            #expect(answer.headers["content-disposition"]?.hasPrefix("attachment; ") == true, "\(type)")
            // A message that needs its kind refuses it; a document takes it.
            let file = FileReference(fileID: id)
            let refused = try http.refusal(SendMessage(channel: Cast.club, type: kind, file: file), from: ann)
            #expect(refused?.entry == .fileTypeRefused && refused?.message.contains("document") == true)
            try http.perform(SendMessage(channel: Cast.club, type: "document", file: file), from: ann)
        }
    }

    @Test func `the type of a file may have parameters and capital letters, or be empty`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        for (type, found) in [
            ("text/plain; charset=utf-8", "text/plain"), ("Text/CSV;header=present", "text/csv"), ("", "text/plain"),
            ("text/plain ; a", "text/plain"),
        ] {
            let id = try upload(http, Array("hello".utf8), name: "a", type: type, from: ann)
            let answer = try http.exchange("GET", "/v1/files/\(id)", [], ann.headers)
            #expect(answer.headers["content-type"] == found, "\(type)")
        }
        for type in ["text", "/", ";", "text/", "text/plain/x", "te xt/plain"] {
            let refused = try http.refusal(CreateFile(name: "a", size: 1, contentType: type), from: ann)
            #expect(refused?.field == "contentType", "\(type)")
        }
    }

    @Test func `a file can do nothing in a browser but be shown or saved`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)
        let files: [([UInt8], String?, String, Bool)] = [
            (png(50), nil, "image/png", true), (svg, "image/svg+xml", "image/svg+xml", false),
            (Array("<html>".utf8), "text/html", "text/html", false), (Array("hello".utf8), nil, "text/plain", false),
            (Array("%PDF-1.7".utf8), nil, "application/pdf", false),
            (Array("alert(1)".utf8), "text/javascript", "application/octet-stream", false),
            (Array("alert(1)".utf8), "Application/X-ECMAScript", "application/octet-stream", false),
            (Array("*{}".utf8), "Text/CSS", "application/octet-stream", false),
        ]
        for (bytes, type, found, isInline) in files {
            let name = "a\"; filename=b.exe\r\nSet-Cookie: x \u{202E}ü.png"
            let id = try upload(http, bytes, name: name, type: type, from: ann)
            let answer = try http.exchange("GET", "/v1/files/\(id)", [], ann.headers)
            #expect(answer.status == 200 && answer.headers["content-type"] == found)
            let disposition = try #require(answer.headers["content-disposition"])
            #expect(disposition.hasPrefix(isInline ? "inline; " : "attachment; "), "\(found)")
            #expect(disposition.hasSuffix("filename*=UTF-8''a%22%3B%20filename%3Db.exeSet-Cookie%3A%20x%20%C3%BC.png"))
            #expect(answer.headers["x-content-type-options"] == "nosniff" && answer.headers["set-cookie"] == nil)
            #expect(
                answer.headers["content-security-policy"]
                    == "default-src 'none'; sandbox; frame-ancestors 'none'")
        }
    }

    @Test func `a link is good for one file, one user and ten minutes, and only while the user may read the file`()
        async throws
    {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let bytes = png(500)
        let (id, other) = (try upload(http, bytes, from: ann), try upload(http, png(600), from: ann))
        let link = try #require(try http.perform(GetFiles(fileIDs: [id]), from: ann).files.first?.link)
        let answer = try http.exchange("GET", link, [], [:])
        #expect(answer.status == 200 && answer.bytes == bytes)
        let parts = link.split(separator: "?")
        let query = try #require(parts.last)
        var forged = [
            "/v1/files/\(other)?\(query)", link.replacing("user=ann", with: "user=bob"),
            link.replacing("signature=", with: "signature=0"), String(link.dropLast()), String(link.dropLast()) + "x",
            String(parts[0]), "\(parts[0])?signature=", link.replacing("until=", with: "until=0"),
            link.replacing("until=", with: "until=9"),
        ]
        if let end = link.last { forged.append(String(link.dropLast()) + (end == "0" ? "1" : "0")) }
        for path in forged {
            let answer = try http.exchange("GET", path, [], [:])
            #expect(answer.status == 401 && answer.error != nil, "\(path)")
        }
        // It stands for its user, whoever uses it: what the user may not read any more is gone.
        try http.perform(DeleteFile(fileID: id), from: ann)
        #expect(try http.exchange("GET", link, [], [:]).status == 404)
    }

    @Test func `a logout of all devices ends the links made before it`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let id = try upload(http, png(500), from: ann)
        func link() throws -> String {
            try #require(try http.perform(GetFiles(fileIDs: [id]), from: ann).files.first?.link)
        }
        let old = try link()
        #expect(try http.exchange("GET", old, [], [:]).status == 200)
        // Links are not bound to a device.
        let phone = try await harness.guest(Cast.ann, device: "phone")
        try http.perform(EndLogins(deviceID: "ann-phone"), from: ann)
        await phone.client.disconnect()
        #expect(try http.exchange("GET", old, [], [:]).status == 200)
        try http.perform(EndLogins(), from: ann)
        for method in ["GET", "HEAD"] { #expect(try http.exchange(method, old, [], [:]).status == 401) }
        let refused = try http.exchange("GET", old, [], [:]).error
        #expect(refused?.entry == .tokenExpired && refused?.message.contains("file.get") == true)
        // A link from the same millisecond counts as older.
        try await until { try http.exchange("GET", try link(), [], [:]).status == 200 }
        #expect(try http.exchange("GET", old, [], [:]).status == 401)
    }

    @Test func `ranges and conditions are answered as in RFC 9110`() async throws {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        let bytes = png(1_000)
        let id = try upload(http, bytes, from: ann)
        let path = "/v1/files/\(id)"
        func get(_ headers: [String: String]) throws -> HTTPClient.Answer {
            try http.exchange("GET", path, [], ann.headers.merging(headers) { $1 })
        }
        let tag = "\"\(id)\""
        #expect(try get([:]).headers["etag"] == tag)
        let parts: [(String, Range<Int>)] = [
            ("bytes=0-0", 0..<1), ("bytes=10-19", 10..<20), ("bytes=990-", 990..<1_000), ("bytes=-5", 995..<1_000),
            ("bytes=-5000", 0..<1_000), ("bytes=0-99999999999999999999", 0..<1_000),
        ]
        for (range, part) in parts {
            let answer = try get(["Range": range])
            #expect(answer.status == 206 && answer.bytes == Array(bytes[part]), "\(range)")
            #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/1000")
        }
        for range in ["bytes=1000-", "bytes=5000-6000", "bytes=-0", "bytes=99999999999999999999-"] {
            let answer = try get(["Range": range])
            #expect(answer.status == 416 && answer.headers["content-range"] == "bytes */1000", "\(range)")
        }
        for range in ["bytes=5-1", "bytes=a-b", "bytes=0-1,5-6", "lines=0-1", "bytes=-", "bytes=1"] {
            #expect(try get(["Range": range]).bytes == bytes, "\(range)")
        }
        #expect(try get(["Range": "bytes=0-0", "If-Range": tag]).status == 206)
        #expect(try get(["Range": "bytes=0-0", "If-Range": "\"x\""]).status == 200)
        #expect(try get(["If-None-Match": "\"x\", \(tag)"]).status == 304)
        #expect(try get(["If-None-Match": "*"]).status == 304)
        #expect(try get(["If-None-Match": "\"x\""]).status == 200)
        #expect(try get(["If-Match": "\"x\""]).status == 412)
        #expect(try get(["If-Match": tag]).status == 200)
    }

    @Test(.enabled(if: SamplePicture.hasVips))
    func `a picture over the limits is a file with a size and no thumbnail, as a picture and as a document`()
        async throws
    {
        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        _ = try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        let data = SamplePicture.zlib(zeros: 1_000)
        for (bytes, type) in [
            (SamplePicture.gif(frames: 250), "image/gif"),
            (SamplePicture.png(width: 1_080, height: 17_000, data: data), "image/png"),
            (SamplePicture.png(width: 12_000, height: 9_000, data: data), "image/png"),
        ] {
            for claimed in [type, "application/octet-stream", nil] {
                let id = try upload(http, bytes, name: "a", type: claimed, from: ann)
                let file = FileReference(fileID: id)
                for kind in ["image", "document"] {
                    try http.perform(SendMessage(channel: Cast.club, type: kind, file: file), from: ann)
                    let event = try http.perform(ListMessages(channel: Cast.club, limit: 1), from: ann).events.last
                    guard case .channel(.messageSent(let message)) = event?.body else { throw ExpectationFailure.other }
                    #expect(message.thumbnail == nil)
                    let sent = try #require(message.file)
                    #expect(sent.contentType == type && sent.width ?? 0 > 0 && sent.height ?? 0 > 0)
                }
            }
        }
    }
}
