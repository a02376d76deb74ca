import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RoostFiles
import RoostTesting
import Testing

/// What an object store may do that a folder does not.
@Suite(.timeLimit(.minutes(1))) struct S3StoreTests {
    private let text = Data("The quick brown fox".utf8)
    private let server: S3Server
    private let store: S3Store
    private let folder: TemporaryFolder

    init() async throws {
        server = try await S3Server.start()
        store = try StoreUnderTest.s3(server)
        folder = try TemporaryFolder()
    }

    private func put(_ bytes: Data, _ key: String = "abc1") async throws {
        try await StoreUnderTest.store(bytes, as: key, in: store, folder)
    }

    private func get(_ range: Range<Int64>) async throws -> Data {
        try await StoreUnderTest.read("abc1", range, in: store)
    }

    @Test func `a busy object store is asked three times`() async throws {
        try await server.answer(#"{"fail": 2}"#)
        try await put(text)
        #expect(try await server.answer(#"{"fail": 3}"#) == ["PUT": 3])
        let error = try await failure { try await put(text, "abc2") }
        #expect(error?.kind == .unavailable)
        #expect(error?.description == "Cannot store a file: http://127.0.0.1:\(server.port) answered 503 (SlowDown).")
        #expect(try await server.answer(#"{}"#) == ["PUT": 3])
        #expect(try await get(0..<19) == text)
    }

    @Test(arguments: [(507, "InsufficientStorage"), (507, ""), (403, "QuotaExceeded")])
    func `an object store without space is full, and is asked once`(status: Int, code: String) async throws {
        try await server.answer(#"{"fail": 9, "status": \#(status), "code": "\#(code)"}"#)
        #expect(try await failure { try await put(text) }?.kind == .full)
        #expect(try await server.answer("{}") == ["PUT": 1])
    }

    @Test func `a clock that differs is learnt from the refusal`() async throws {
        try await server.answer(#"{"skew": 7200}"#)
        try await put(text)
        #expect(try await server.answer(#"{"skew": 7200}"#) == ["PUT": 2])
        #expect(try await get(0..<19) == text)
        #expect(try await server.answer(#"{"skew": 7200}"#) == ["GET": 1])
    }

    @Test func `a connection that breaks during a reading is replaced for the rest`() async throws {
        let bytes = StoreUnderTest.bytes(1_000_000)
        try await put(bytes)
        try await server.answer(#"{"fail": 4, "method": "GET", "cut": true}"#)
        #expect(try await get(100..<1_000_000) == bytes[100...])
        #expect(try await server.answer("{}") == ["GET": 5])
    }

    @Test func `a file of several parts that fails is aborted and not visible`() async throws {
        try await server.answer(#"{"method": "PUT", "after": 1, "fail": 9, "status": 403, "code": "AccessDenied"}"#)
        let error = try await failure { try await put(StoreUnderTest.bytes(17 << 20)) }
        #expect(
            error?.description
                == "Cannot store a part of a file: the keys do not have the right to do this in the bucket \"roost\".")
        #expect(try await server.answer("{}") == ["POST": 1, "PUT": 2, "DELETE": 1])
        #expect(try await failure { _ = try await get(0..<1) }?.kind == .missing)
        #expect(try await store.keys(after: "", limit: 10, storedBefore: .max) == [])
    }

    @Test func `a file is stored although the answer to its completion is lost`() async throws {
        let bytes = StoreUnderTest.bytes(17 << 20)
        try await server.answer(
            #"{"method": "POST", "after": 1, "fail": 1, "lost": true, "status": 500, "code": "InternalError"}"#)
        try await put(bytes)
        #expect(try await get(0..<17 << 20) == bytes)
    }

    @Test func `keys are listed over several answers`() async throws {
        for number in 0..<5 { try await put(text, "abc\(number)") }
        try await server.answer(#"{"page": 2}"#)
        let keys = try await store.keys(after: "abc0", limit: 10, storedBefore: .max)
        #expect(keys == ["abc1", "abc2", "abc3", "abc4"])
        #expect(try await server.answer("{}") == ["GET": 2])
    }

    @Test func `the start says plainly that there is no bucket, or that the keys are wrong`() async throws {
        let address = "http://127.0.0.1:\(server.port)"
        let none = try StoreUnderTest.s3(server, bucket: "other")
        #expect(
            try await failure { try await none.prepare() }?.description
                == "Cannot use the bucket \"other\" for files: there is no bucket \"other\" at \(address).")
        let keys = [("nobody", "test-secret", "InvalidAccessKeyId"), ("test", "wrong-secret", "SignatureDoesNotMatch")]
        for (accessKey, secretKey, code) in keys {
            let credentials = S3Credentials(accessKey: accessKey, secretKey: secretKey)
            let error = try await failure {
                try await StoreUnderTest.s3(server, credentials: credentials).prepare()
            }
            #expect(
                error?.description
                    == "Cannot use the bucket \"roost\" for files: \(address) does not accept the keys (\(code)). Check both keys."
            )
        }
        try await store.prepare()
    }

    @Test func `a bucket in another region is told, and a redirect not followed`() async throws {
        try await server.answer(#"{"fail": 1, "status": 301, "code": "PermanentRedirect", "region": "eu-west-1"}"#)
        #expect(
            try await failure { try await store.prepare() }?.description
                == "Cannot use the bucket \"roost\" for files: the bucket \"roost\" is in the region \"eu-west-1\", "
                + "not in \"us-east-1\". Set region=eu-west-1.")
        #expect(try await server.answer("{}") == ["GET": 1])
    }

    @Test func `an object store that is down is unavailable, and is used again once it is up`() async throws {
        server.stop()
        let error = try await failure { try await put(text) }
        #expect(error?.kind == .unavailable)
        let start = "Cannot store a file: http://127.0.0.1:\(server.port) cannot be reached ("
        #expect(error?.description.hasPrefix(start) == true)
        #expect(try await failure { try await store.prepare() }?.kind == .unavailable)
        let second = try await S3Server.start(port: server.port)
        try await put(text)
        #expect(try await get(0..<19) == text)
        second.stop()
        #expect(try await failure { _ = try await get(0..<19) }?.kind == .unavailable)
    }

    @Test func `anybody can read a file with a link to it, but no other file`() async throws {
        try await put(text)
        try await put(text, "abc2")
        let link = try #require(
            store.link(to: "abc1", contentType: "text/plain", disposition: "attachment", lifetime: 60))
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: link), timeout: .seconds(20))
        #expect(answer.status == .ok)
        #expect(String(buffer: try await answer.body.collect(upTo: 100)) == "The quick brown fox")
        let other = link.split(separator: "abc1").joined(separator: "abc2")
        let refusal = try await HTTPClient.shared.execute(HTTPClientRequest(url: other), timeout: .seconds(20))
        #expect(refusal.status == .forbidden)
        _ = try await refusal.body.collect(upTo: 10_000)
    }
}
