import NIOCore
import RoostFiles
import RoostTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadSpoolTests {
    private let folder: TemporaryFolder
    private let spool: UploadSpool

    init() async throws {
        folder = try TemporaryFolder()
        spool = UploadSpool(path: folder.path + "/uploads", threads: FileThreads(count: 2))
        try await spool.prepare()
    }

    /// The bytes of a request, which tells how far it is.
    private struct Feed: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        private let chunks: AsyncThrowingStream<ByteBuffer, any Error>
        private let input: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
        private let steps: AsyncStream<Void>
        private let step: AsyncStream<Void>.Continuation

        init(_ texts: String...) {
            (chunks, input) = AsyncThrowingStream.makeStream()
            (steps, step) = AsyncStream.makeStream()
            for text in texts { add(text) }
        }

        func add(_ text: String) { input.yield(ByteBuffer(string: text)) }
        func end(_ error: (any Error)? = nil) { input.finish(throwing: error) }

        /// Waits until some chunks were taken and written: until the one after them is asked for.
        func written(_ count: Int) async {
            var asked = 0
            for await _ in steps {
                asked += 1
                if asked > count { return }
            }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
            let step: AsyncStream<Void>.Continuation

            mutating func next() async throws -> ByteBuffer? {
                step.yield()
                return try await chunks.next(isolation: #isolation)
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(chunks: chunks.makeAsyncIterator(), step: step)
        }
    }

    private struct Broken: Error {}

    private func append(_ texts: String..., at offset: Int64, size: Int64) async throws -> Int64 {
        let feed = Feed()
        for text in texts { feed.add(text) }
        feed.end()
        return try await spool.append(feed, to: "up1", at: offset, size: size)
    }

    private func shared(_ server: String) async throws -> UploadSpool {
        let path = UploadSpool.path(in: folder.path, server: server)
        let spool = UploadSpool(path: path, threads: FileThreads(count: 1))
        try await spool.prepare()
        return spool
    }

    private func content() async throws -> String {
        String(decoding: try await spool.digest(of: "up1").head, as: UTF8.self)
    }

    @Test func `an upload continues where it ended`() async throws {
        #expect(try await spool.offset(of: "up1") == 0)
        #expect(try await append("he", "llo", at: 0, size: 11) == 5)
        #expect(try await spool.offset(of: "up1") == 5)
        #expect(try await append(" world", at: 5, size: 11) == 11)
        #expect(try await content() == "hello world")
    }

    @Test func `bytes at another offset are refused and change nothing`() async throws {
        #expect(try await append("hello", at: 0, size: 11) == 5)
        for offset: Int64 in [0, 4, 6] {
            await #expect(throws: UploadError.wrongOffset) { _ = try await append("x", at: offset, size: 11) }
        }
        #expect(try await content() == "hello")
    }

    @Test func `a newer request replaces an older one`() async throws {
        let older = Feed("abc")
        let spool = spool
        let first = Task { try await spool.append(older, to: "up1", at: 0, size: 9) }
        await older.written(1)
        #expect(try await append("def", at: 3, size: 9) == 6)
        older.add("xyz")
        await #expect(throws: UploadError.replaced) { _ = try await first.value }
        #expect(try await content() == "abcdef")
    }

    @Test func `bytes beyond the size are refused, and those before are kept`() async throws {
        await #expect(throws: UploadError.tooLong) { _ = try await append("abc", "defg", at: 0, size: 5) }
        #expect(try await content() == "abc")
        #expect(try await append("de", at: 3, size: 5) == 5)
    }

    @Test func `bytes that arrived before a connection broke are kept`() async throws {
        let feed = Feed("abc")
        feed.end(Broken())
        await #expect(throws: Broken.self) { _ = try await spool.append(feed, to: "up1", at: 0, size: 9) }
        #expect(try await spool.offset(of: "up1") == 3)
    }

    @Test func `deleting an upload ends the request that adds to it`() async throws {
        let feed = Feed("abc")
        let spool = spool
        let request = Task { try await spool.append(feed, to: "up1", at: 0, size: 9) }
        await feed.written(1)
        try await spool.delete("up1")
        feed.add("def")
        await #expect(throws: UploadError.replaced) { _ = try await request.value }
        #expect(try await spool.offset(of: "up1") == 0)
        try await spool.delete("up1")
    }

    @Test func `uploads are listed by when they were last changed`() async throws {
        #expect(try await append("abc", at: 0, size: 9) == 3)
        #expect(try await spool.ids(changedBefore: .max) == ["up1"])
        #expect(try await spool.ids(changedBefore: 1) == [])
    }

    @Test func `servers that share a folder find the uploads of each other`() async throws {
        let (own, other) = try await (shared("one"), shared("two"))
        let feed = Feed("abc")
        feed.end()
        _ = try await other.append(feed, to: "up2", at: 0, size: 9)
        let siblings = try await own.siblings()
        #expect(siblings.count == 1)
        #expect(try await siblings.first?.ids(changedBefore: .max) == ["up2"])
        // The one of a server alone is none of theirs.
        #expect(try await spool.siblings().isEmpty)
    }
}
