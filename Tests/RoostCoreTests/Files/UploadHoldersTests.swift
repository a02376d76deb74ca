import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Which of several servers has the bytes of an unfinished upload.
@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct UploadHoldersTests {
    private static let ann = Actor(user: Cast.ann, deviceID: "d0", isOperator: false)

    private func makeUpload(_ servers: SeveralCores) async throws -> FileID {
        try await servers.session(Cast.ann, at: 0).perform(CreateFile(name: "a", size: 3)).fileID
    }

    private func row(_ id: FileID, _ servers: SeveralCores, at server: Int = 0) async throws -> FileRow {
        try await servers.cores[server].core.upload(id, of: Self.ann)
    }

    /// Who has an upload, as each server says.
    private func holders(of upload: FileRow, _ servers: SeveralCores) async throws -> [UploadHolder] {
        var holders: [UploadHolder] = []
        for server in servers.cores { holders.append(try await server.core.holder(of: upload, for: Self.ann)) }
        return holders
    }

    /// The numbers of those servers that get an upload, when all of these ask at the same time.
    private func takers(of upload: FileRow, _ servers: SeveralCores, _ asking: [Int]) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in asking {
                group.addTask { try await servers.cores[number].core.hold(upload) ? number : nil }
            }
            return try await group.reduce(into: []) { takers, number in if let number { takers.append(number) } }
        }
    }

    private func complete(
        _ id: FileID, _ servers: SeveralCores, at server: Int, hash: [UInt8], storedAs key: String
    ) async throws -> String {
        try await servers.cores[server].core.completeUpload(
            id, of: Cast.ann.userID, UploadedBytes(hash: hash, contentType: "text/plain"), storedAs: key)
    }

    private func other(_ number: Int) -> UploadHolder {
        .other(spool: "spool \(number)", url: "http://server-\(number)")
    }

    @Test func `one of several servers gets an upload that nobody has, and the others know which`() async throws {
        let servers = try await SeveralCores()
        let id = try await makeUpload(servers)
        let fresh = try await row(id, servers)
        #expect(try await holders(of: fresh, servers) == [.nobody, .nobody, .nobody])
        let winners = try await takers(of: fresh, servers, [0, 1, 2])
        #expect(winners.count == 1)
        let winner = try #require(winners.first)
        let held = try await row(id, servers, at: 1)
        #expect(try await holders(of: held, servers) == (0..<3).map { $0 == winner ? .here : other(winner) })
        // What was read before does not take it away, and neither does anybody while its server is there.
        #expect(try await takers(of: fresh, servers, [0, 1, 2]).isEmpty)
    }

    @Test func `one of the others gets an upload whose server has ended`() async throws {
        let servers = try await SeveralCores()
        let id = try await makeUpload(servers)
        #expect(try await takers(of: try await row(id, servers), servers, [2]) == [2])
        let held = try await row(id, servers)
        try servers.execute("DELETE FROM nodes WHERE spool = 'spool 2'")
        #expect(try await holders(of: held, servers) == [.nobody, .nobody, .here])
        let winners = try await takers(of: held, servers, [0, 1])
        #expect(winners.count == 1)
        let winner = try #require(winners.first)
        let now = try await row(id, servers)
        #expect(try await holders(of: now, servers) == (0..<3).map { $0 == winner ? .here : other(winner) })
        #expect(now.spool == "spool \(winner)")
    }

    @Test func `a server that was started again finds its uploads, at its new address`() async throws {
        let servers = try await SeveralCores()
        let id = try await makeUpload(servers)
        #expect(try await takers(of: try await row(id, servers), servers, [1]) == [1])
        // The row of a server that was killed stays for a while.
        try servers.execute(
            """
            INSERT INTO nodes (id, address, version, schema, settings, beat, seen_at, spool, url)
            SELECT 'again', address, version, schema, settings, 0, seen_at + 1, spool, 'http://again' FROM nodes
            WHERE spool = 'spool 1'
            """)
        let found = try await servers.cores[0].core.holder(of: try await row(id, servers), for: Self.ann)
        #expect(found == .other(spool: "spool 1", url: "http://again"))
    }

    @Test func `an address that a server learns later is known at once`() async throws {
        let servers = try await SeveralCores(count: 2)
        let id = try await makeUpload(servers)
        #expect(try await takers(of: try await row(id, servers), servers, [1]) == [1])
        let held = try await row(id, servers)
        for url in [nil, "http://late"] {
            await withCheckedContinuation { continuation in
                servers.cores[1].core.note(address: "x", url: url) { continuation.resume() }
            }
            let found = try await servers.cores[0].core.holder(of: held, for: Self.ann)
            #expect(found == .other(spool: "spool 1", url: url))
        }
    }

    @Test func `nobody gets an upload that is finished or gone`() async throws {
        let servers = try await SeveralCores(count: 2)
        let id = try await makeUpload(servers)
        let fresh = try await row(id, servers)
        #expect(try await takers(of: fresh, servers, [0]) == [0])
        _ = try await complete(id, servers, at: 0, hash: [1], storedAs: "key")
        #expect(try await takers(of: fresh, servers, [0, 1]).isEmpty)
        try await servers.session(Cast.ann, at: 1).perform(DeleteFile(fileID: id), id: "delete")
        #expect(try await takers(of: fresh, servers, [0, 1]).isEmpty)
    }

    @Test func `a server that has lost an upload cannot complete it, and nobody stores it twice`() async throws {
        let servers = try await SeveralCores(count: 2)
        let id = try await makeUpload(servers)
        #expect(try await takers(of: try await row(id, servers), servers, [0]) == [0])
        let held = try await row(id, servers)
        try servers.execute("DELETE FROM nodes WHERE spool = 'spool 0'")
        #expect(try await takers(of: held, servers, [1]) == [1])
        await #expect(throws: WireError(.uploadOffset)) {
            try await complete(id, servers, at: 0, hash: [6], storedAs: "late")
        }
        #expect(try await row(id, servers).key == nil)
        #expect(try await complete(id, servers, at: 1, hash: [1], storedAs: "first") == "first")
        // Whoever has stored it once more keeps the first bytes, which have the hash of the row.
        for server in 0..<2 {
            #expect(try await complete(id, servers, at: server, hash: [6], storedAs: "second") == "first")
        }
        #expect(try servers.count("SELECT COUNT(*) FROM files WHERE hash = \(blob: [6])") == 0)
    }

    @Test func `a server that was taken for dead and returns keeps its uploads until another one has them`()
        async throws
    {
        let servers = try await SeveralCores(count: 2)
        let id = try await makeUpload(servers)
        #expect(try await takers(of: try await row(id, servers), servers, [0]) == [0])
        let held = try await row(id, servers)
        try servers.execute("UPDATE nodes SET spool = 'x' WHERE spool = 'spool 0'")
        #expect(try await holders(of: held, servers) == [.here, .nobody])
        // It is there again before the other one has asked for the upload.
        try servers.execute("UPDATE nodes SET spool = 'spool 0' WHERE spool = 'x'")
        #expect(try await takers(of: held, servers, [1]).isEmpty)
        #expect(try await holders(of: held, servers) == [.here, other(0)])
    }

    @Test func `a server that is alone has all uploads, and notes nothing`() async throws {
        let roost = try TestCore()
        let ann = try await roost.session(Cast.ann, device: "d0")
        let id = try await ann.perform(CreateFile(name: "a", size: 3)).fileID
        var upload = try await roost.core.upload(id, of: Self.ann)
        // As a server of several has left it.
        for spool in [nil, "other"] {
            upload.spool = spool
            #expect(try await roost.core.holder(of: upload, for: Self.ann) == .here)
            #expect(try await roost.core.hold(upload))
        }
        #expect(try await roost.core.upload(id, of: Self.ann).spool == nil)
    }
}
