import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Uploads of which the parts reach different servers.
@Suite(.serialized, .needsPostgres, .firstPassOnly, .timeLimit(.minutes(2))) struct SharedUploadsTests {
    private static let size = 300_000
    private static let bytes = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 23) }

    /// Two servers, and who uploads.
    private struct Place {
        let pair: ServerPair
        let ann: HTTPClient.Caller
        let http: [HTTPClient]

        init(options: [String] = []) async throws {
            pair = try await ServerPair(options: options)
            ann = try await pair.caller(Cast.ann)
            http = pair.servers.map { HTTPClient($0) }
        }

        func create(at server: Int = 0, size: Int = SharedUploadsTests.size) throws -> FileUpload {
            try http[server].perform(CreateFile(name: "a.txt", size: Int64(size)), from: ann)
        }

        func headers(_ caller: HTTPClient.Caller? = nil, offset: Int) -> [String: String] {
            (caller ?? ann).headers.merging([
                "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
                "Tus-Resumable": "1.0.0",
            ]) { $1 }
        }

        /// Sends a part of the file.
        func patch(
            _ upload: FileUpload, _ range: Range<Int>, at server: Int, _ more: [String: String] = [:]
        ) throws -> HTTPClient.Answer {
            try http[server].exchange(
                "PATCH", upload.path, Array(SharedUploadsTests.bytes[range]),
                headers(offset: range.lowerBound).merging(more) { $1 })
        }

        func head(_ upload: FileUpload, at server: Int) throws -> HTTPClient.Answer {
            try http[server].exchange("HEAD", upload.path, [], ann.headers.merging(["Tus-Resumable": "1.0.0"]) { $1 })
        }

        func offset(of upload: FileUpload, at server: Int) throws -> String? {
            try head(upload, at: server).headers["upload-offset"]
        }

        /// How many bytes of an upload each server has, by the names of their folders.
        func kept(_ upload: FileUpload) throws -> [String: Int] {
            let folder = pair.folder.path + "/files"
            var kept: [String: Int] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("uploads-") {
                let path = "\(folder)/\(name)/\(upload.fileID)"
                guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
                kept[name] = (found[.size] as? NSNumber)?.intValue
            }
            return kept
        }

        /// Begins to send a part at a server, with so many of its bytes.
        func begin(
            _ upload: FileUpload, _ count: Int, of length: Int, at server: Int, offset: Int = 0
        ) throws -> HTTPClient {
            let http = HTTPClient(pair.servers[server])
            let lines = headers(offset: offset).map { "\($0.key): \($0.value)\r\n" }.joined()
            try http.begin(
                "PATCH \(upload.path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\(lines)\r\n"
                    + String(decoding: SharedUploadsTests.bytes[..<count], as: UTF8.self))
            return http
        }

        func waitUntilKept(_ count: Int, of upload: FileUpload) async throws {
            while try kept(upload).values.contains(count) == false {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        func download(_ upload: FileUpload, at server: Int) throws -> [UInt8] {
            try http[server].exchange("GET", upload.path, [], ann.headers).bytes
        }

        func stop() { for server in pair.servers { #expect(server.stop() == 0) } }
    }

    @Test func `the parts of an upload may reach any server, and one of them has all bytes`() async throws {
        let place = try await Place()
        let upload = try place.create(at: 0)
        #expect(try place.offset(of: upload, at: 0) == "0" && place.offset(of: upload, at: 1) == "0")
        for number in 0..<3 {
            let range = number * 100_000..<(number + 1) * 100_000
            // The first one goes to the server that did not create it.
            let answer = try place.patch(upload, range, at: (number + 1) % 2)
            #expect(answer.status == 204 && answer.headers["upload-offset"] == "\(range.upperBound)")
            #expect(answer.headers["tus-resumable"] == "1.0.0" && answer.headers["upload-expires"] != nil)
            for server in 0..<2 {
                let head = try place.head(upload, at: server)
                #expect(head.status == 200 && head.headers["upload-offset"] == "\(range.upperBound)")
                #expect(head.headers["upload-length"] == "\(Self.size)" && head.headers["roost-upload-holder"] == nil)
            }
            if number < 2 { #expect(try Array(place.kept(upload).values) == [range.upperBound]) }
        }
        #expect(try place.kept(upload).isEmpty)
        // Sent twice, to either, the last part is accepted once more, as everything is there.
        for server in 0..<2 {
            #expect(try place.patch(upload, Self.size..<Self.size, at: server).status == 204)
            #expect(try place.download(upload, at: server) == Self.bytes)
        }
        place.stop()
    }

    @Test func `what is refused is refused by any server, with the same error`() async throws {
        let place = try await Place()
        let upload = try place.create()
        #expect(try place.patch(upload, 0..<1_000, at: 0).status == 204)
        let bob = try await place.pair.caller(Cast.bob)
        for server in 0..<2 {
            let again = try place.patch(upload, 0..<1_000, at: server)
            #expect(again.status == 409 && again.error?.entry == .uploadOffset)
            #expect(again.headers["content-type"] == "application/json")
            let long = try place.http[server].exchange(
                "PATCH", upload.path, Self.bytes, place.headers(offset: 1_000))
            #expect(long.status == 413 && long.error?.entry == .tooLarge)
            let type = try place.patch(upload, 1_000..<2_000, at: server, ["Content-Type": "text/plain"])
            #expect(type.status == 415 && type.error?.entry == .dataFormat)
            // A stranger learns nothing of it.
            for method in ["PATCH", "HEAD", "DELETE"] {
                let stranger = try place.http[server].exchange(
                    method, upload.path, [], place.headers(bob, offset: 1_000))
                #expect(stranger.status == 404, "\(method)")
                let nobody = try place.http[server].exchange(
                    method, upload.path, [], place.headers(.nobody, offset: 1_000))
                #expect(nobody.status == 401, "\(method)")
            }
            #expect(try place.offset(of: upload, at: server) == "1000")
        }
        place.stop()
    }

    @Test func `an upload that is deleted at another server leaves nothing on the disk`() async throws {
        let place = try await Place()
        for server in 0..<2 {
            let upload = try place.create()
            #expect(try place.patch(upload, 0..<1_000, at: 0).status == 204)
            let headers = place.ann.headers.merging(["Idempotency-Key": "delete-\(server)"]) { $1 }
            for _ in 0..<2 {
                #expect(try place.http[server].exchange("DELETE", upload.path, [], headers).status == 204)
            }
            while try !place.kept(upload).isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
            for other in 0..<2 { #expect(try place.head(upload, at: other).status == 404) }
        }
        place.stop()
    }

    @Test func `bytes are passed on as they come, and those that came before a broken connection are kept`()
        async throws
    {
        let place = try await Place()
        let upload = try place.create()
        #expect(try place.patch(upload, 0..<0, at: 0).status == 204)
        do {
            let slow = try place.begin(upload, 70_000, of: Self.size, at: 1)
            try await place.waitUntilKept(70_000, of: upload)
            withExtendedLifetime(slow) {}
        }
        // The other server may still be about to hear of the end.
        var answer = try place.patch(upload, 70_000..<Self.size, at: 1)
        while answer.status == 409 {
            #expect(try place.offset(of: upload, at: 1) == "70000")
            answer = try place.patch(upload, 70_000..<Self.size, at: 1)
        }
        #expect(answer.status == 204)
        #expect(try place.download(upload, at: 0) == Self.bytes)
        place.stop()
    }

    @Test func `what ends a request in the middle of its body ends it at every server, and no more than that`()
        async throws
    {
        let place = try await Place()
        for _ in 0..<3 {
            // Refused at once, while the client still sends.
            let upload = try place.create()
            #expect(try place.patch(upload, 0..<1_000, at: 0).status == 204)
            let wrong = try place.begin(upload, 70_000, of: 200_000, at: 1, offset: 5)
            #expect(try wrong.answer().error?.entry == .uploadOffset)
            // Deleted meanwhile.
            let slow = try place.begin(upload, 70_000, of: 200_000, at: 1, offset: 1_000)
            try await place.waitUntilKept(71_000, of: upload)
            #expect(try place.http[0].exchange("DELETE", upload.path, [], place.ann.headers).status == 204)
            #expect(try slow.answer().status == 404)
            #expect(try place.head(upload, at: 1).status == 404)
        }
        // Its server dies.
        let upload = try place.create()
        #expect(try place.patch(upload, 0..<1_000, at: 0).status == 204)
        let slow = try place.begin(upload, 70_000, of: 200_000, at: 1, offset: 1_000)
        try await place.waitUntilKept(71_000, of: upload)
        place.pair.servers[0].kill()
        #expect(try slow.answer().status == 503)
        #expect(try place.http[1].request("GET", "/healthz", "", [:]).status == 200)
        #expect(place.pair.servers[1].stop() == 0)
    }

    @Test func `an upload that is created with its first bytes is created once, and its bytes are those of one server`()
        async throws
    {
        let place = try await Place()
        func post(_ count: Int, at server: Int) throws -> HTTPClient.Answer {
            var headers = place.headers(offset: 0)
            headers["Upload-Length"] = "\(Self.size)"
            headers["Idempotency-Key"] = "one"
            return try place.http[server].exchange("POST", "/v1/files", Array(Self.bytes[..<count]), headers)
        }
        let made = try post(100_000, at: 0)
        #expect(made.status == 201 && made.headers["upload-offset"] == "100000")
        let upload = try made.decode(FileUpload.self)
        // Sent again, it says that there are bytes already, and takes nothing away.
        for server in 0..<2 {
            #expect(try post(100_000, at: server).error?.entry == .uploadOffset)
            #expect(try post(0, at: server).headers["location"] == upload.path)
            #expect(try place.offset(of: upload, at: server) == "100000")
        }
        #expect(try place.kept(upload).values.sorted() == [100_000])
        #expect(try place.patch(upload, 100_000..<Self.size, at: 1).status == 204)
        #expect(try place.download(upload, at: 0) == Self.bytes)
        // An empty file is complete at once.
        var headers = place.headers(offset: 0)
        headers["Upload-Length"] = "0"
        #expect(try place.http[1].exchange("POST", "/v1/files", [], headers).headers["upload-offset"] == "0")
        place.stop()
    }

    @Test func `a body whose size is not known is passed on, too`() async throws {
        let place = try await Place()
        let upload = try place.create(size: 10)
        #expect(try place.patch(upload, 0..<3, at: 0).status == 204)
        let http = HTTPClient(place.pair.servers[1])
        let lines = place.headers(offset: 3).map { "\($0.key): \($0.value)\r\n" }.joined()
        let rest = String(decoding: Self.bytes[3..<10], as: UTF8.self)
        try http.begin(
            "PATCH \(upload.path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\(lines)\r\n"
                + "7\r\n\(rest)\r\n0\r\n\r\n")
        #expect(try http.answer().headers["upload-offset"] == "10")
        #expect(try place.download(upload, at: 0) == Array(Self.bytes[..<10]))
        place.stop()
    }

    @Test func `an upload goes on from its first byte if its server has ended, and the old bytes do not come back`()
        async throws
    {
        let place = try await Place()
        let upload = try place.create()
        #expect(try place.patch(upload, 0..<100_000, at: 0).status == 204)
        #expect(place.pair.servers[0].stop() == 0)
        #expect(try place.offset(of: upload, at: 1) == "0")
        // What does not begin there does not take it over: its server may be back in a moment.
        #expect(try place.patch(upload, 100_000..<200_000, at: 1).error?.entry == .uploadOffset)
        let back = try await ServerProcess.start(
            data: place.pair.servers[0].data, isDevelopment: false, arguments: place.pair.arguments)
        #expect(try place.offset(of: upload, at: 1) == "100000")
        #expect(back.stop() == 0)
        #expect(try place.patch(upload, 0..<50_000, at: 1).headers["upload-offset"] == "50000")
        let again = try await ServerProcess.start(
            data: place.pair.servers[0].data, isDevelopment: false, arguments: place.pair.arguments)
        let http = HTTPClient(again)
        let head = try http.exchange("HEAD", upload.path, [], place.ann.headers)
        #expect(head.headers["upload-offset"] == "50000")
        #expect(place.pair.servers[1].stop() == 0)
        // It had 100,000 bytes itself, which do not count any more.
        #expect(try http.exchange("HEAD", upload.path, [], place.ann.headers).headers["upload-offset"] == "0")
        #expect(try http.exchange("PATCH", upload.path, Self.bytes, place.headers(offset: 0)).status == 204)
        #expect(try http.exchange("GET", upload.path, [], place.ann.headers).bytes == Self.bytes)
        #expect(again.stop() == 0)
    }

    @Test func `a server that was frozen does not finish an upload that another one has taken over`() async throws {
        let place = try await Place()
        let upload = try place.create()
        let slow = try place.begin(upload, 70_000, of: Self.size, at: 0)
        try await place.waitUntilKept(70_000, of: upload)
        place.pair.servers[0].freeze()
        // Until it counts as dead, nobody knows whether it goes on.
        var head = try place.head(upload, at: 1)
        while head.status != 200 {
            #expect(head.status == 503 && head.headers["retry-after"] != nil)
            head = try place.head(upload, at: 1)
        }
        #expect(head.headers["upload-offset"] == "0")
        #expect(try place.patch(upload, 0..<1_000, at: 1).status == 204)
        place.pair.servers[0].thaw()
        // It may have closed the connection, which has made no progress.
        try? slow.begin(String(decoding: Self.bytes[70_000...], as: UTF8.self))
        if let answer = try? slow.answer() { #expect(answer.status >= 400) }
        for server in 0..<2 { #expect(try place.offset(of: upload, at: server) == "1000") }
        #expect(try place.patch(upload, 1_000..<Self.size, at: 0).status == 204)
        #expect(try place.download(upload, at: 1) == Self.bytes)
        place.stop()
    }

    @Test func `bytes that arrive after another server has taken an upload over are refused`() async throws {
        let place = try await Place()
        let (upload, other) = (try place.create(), try place.create())
        let slow = try place.begin(upload, 70_000, of: Self.size, at: 0)
        try await place.waitUntilKept(70_000, of: upload)
        #expect(try place.patch(other, 0..<1_000, at: 1).status == 204)
        let database = try Postgres.open(place.pair.arguments[1])
        try database.write { connection in
            try connection.execute(
                """
                UPDATE files SET spool = (SELECT o.spool FROM files o WHERE o.id = \(other.fileID))
                WHERE id = \(upload.fileID)
                """)
        }
        try slow.begin(String(decoding: Self.bytes[70_000...], as: UTF8.self))
        #expect(try slow.answer().error?.entry == .uploadOffset)
        #expect(try place.offset(of: upload, at: 0) == "0")
        #expect(try place.patch(upload, 0..<Self.size, at: 0).status == 204)
        #expect(try place.download(upload, at: 1) == Self.bytes)
        place.stop()
    }

    @Test func `if a server cannot be reached, its uploads wait, and nobody else is asked to take them`() async throws {
        // Another service listens there, which takes everything.
        let stranger = try await PushReceiver.start()
        for url in ["http://127.0.0.1:1", "http://127.0.0.1:\(stranger.port)"] {
            let place = try await Place(options: ["--internal-url", url])
            let upload = try place.create()
            #expect(try place.patch(upload, 0..<1_000, at: 0).status == 204)
            for answer in [try place.head(upload, at: 1), try place.patch(upload, 1_000..<2_000, at: 1)] {
                #expect(answer.status == 503 && answer.headers["retry-after"] == "2")
            }
            #expect(try place.patch(upload, 1_000..<2_000, at: 1).error?.entry == .fileStoreUnavailable)
            // A client may name itself another server: that is passed on to none, and changes nothing here.
            let named = ["Roost-Upload-Holder": "x"]
            #expect(try place.patch(upload, 1_000..<2_000, at: 1, named).status == 503)
            #expect(try place.patch(upload, 1_000..<2_000, at: 0, named).status == 204)
            // It can be deleted all the same.
            #expect(try place.http[1].exchange("DELETE", upload.path, [], place.ann.headers).status == 204)
            #expect(try place.head(upload, at: 0).status == 404)
            place.stop()
        }
        #expect(!stranger.received.isEmpty)
    }
}
