import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Uploads and downloads over real sockets, through losses, cancellations and ends of the client.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct TransfersTests {
    private static let size = 20_000_000

    private func client(_ url: String, _ user: User, device: String = "phone", cache: FileCacheConfiguration? = nil)
        async throws -> ChatClient
    {
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID, name: user.name),
            deviceID: try #require(DeviceID(rawValue: device)))
        configuration.fileCache = cache
        let client = ChatClient(configuration: configuration)
        try await client.connect()
        return client
    }

    /// A client behind a proxy that cuts all connections after every so many bytes.
    private func cutting(
        _ harness: ServerHarness, every step: Int?, fromServer isDown: Bool = false, profile: FaultProfile = .healthy
    ) async throws -> (proxy: FaultProxy, traffic: Traffic, cutter: Task<Int, any Error>) {
        let traffic = Traffic()
        let proxy = try await FaultProxy.start(
            to: harness.port, seed: SeededNumbers.seed, profile: profile,
            listener: traffic.listen(cutting: step, fromServer: isDown))
        let cutter = Task {
            var count = 0
            for await _ in traffic.cuts {
                try await proxy.cutAll()
                count += 1
            }
            return count
        }
        return (proxy, traffic, cutter)
    }

    @Test func `an upload that is cut at every tenth is whole, and no cut costs more than one part [LR-30 L-64]`()
        async throws
    {
        let harness = try await ServerHarness()
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let (proxy, traffic, cutter) = try await cutting(harness, every: Self.size / 10)
        let ann = try await client(proxy.url(), Cast.ann)
        let log = ProgressLog()
        let file = try await ann.upload(LocalFile(path: path)) { log.note($0.completedBytes, of: $0.totalBytes) }
        traffic.stopCutting()
        let cuts = try await cutter.value
        #expect(cuts >= 9)
        #expect(traffic.up < Self.size + cuts * 4 * 1_024 * 1_024)
        #expect(file.size == Int64(Self.size))
        #expect(file.name == "film.bin")
        #expect(log.completed.first == 0 && log.completed.last == Int64(Self.size))
        #expect(log.total == Int64(Self.size))
        #expect(zip(log.completed, log.completed.dropFirst()).allSatisfy { $0 < $1 })
        #expect(log.completed.count >= 3)
        let direct = try await client(harness.url, Cast.ann, device: "desk")
        let copy = try await direct.download(file, to: harness.folder.path + "/copy.bin")
        #expect(try TransferFile.bytes(copy) == TransferFile.bytes(path))
        for client in [ann, direct] { await client.disconnect() }
        try await proxy.stop()
    }

    @Test func `a download that is cut continues where it was`() async throws {
        let harness = try await ServerHarness()
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let ann = try await client(harness.url, Cast.ann)
        let file = try await ann.upload(LocalFile(path: path))
        let (proxy, traffic, cutter) = try await cutting(harness, every: Self.size / 4, fromServer: true)
        let again = try await client(proxy.url(), Cast.ann, device: "desk")
        let log = ProgressLog()
        let target = harness.folder.path + "/copy.bin"
        try await again.download(file, to: target) { log.note($0.completedBytes, of: $0.totalBytes) }
        traffic.stopCutting()
        #expect(try await cutter.value >= 3)
        #expect(traffic.requests("GET /v1/files/\(file.fileID)") >= 3)
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(path))
        #expect(log.completed.first == 0 && log.completed.last == Int64(Self.size))
        #expect(zip(log.completed, log.completed.dropFirst()).allSatisfy { $0 < $1 })
        let names = try FileManager.default.contentsOfDirectory(atPath: harness.folder.path)
        #expect(!names.contains { $0.hasSuffix(".roost-part") })
        for client in [ann, again] { await client.disconnect() }
        try await proxy.stop()
    }

    @Test func `a transID continues the upload of a client that has ended, and makes one file`() async throws {
        let harness = try await ServerHarness()
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let (proxy, traffic, _) = try await cutting(harness, every: nil)
        let first = try await client(proxy.url(), Cast.ann)
        let key = first.makeTransID()
        let (halves, half) = AsyncStream.makeStream(of: Void.self)
        let begun = Task {
            try await first.upload(LocalFile(path: path), as: key) { progress in
                if progress.completedBytes > Int64(Self.size) * 3 / 4 { half.yield() }
            }
        }
        for await _ in halves { break }
        begun.cancel()
        // The last bytes may have been under way already.
        let end = await code { try await begun.value }
        #expect(end == nil || end == .cancelled)
        await first.disconnect()
        let before = traffic.up
        let second = try await client(proxy.url(), Cast.ann)
        let file = try await second.upload(LocalFile(path: path), as: key)
        #expect(traffic.up - before < Self.size / 2 + 4 * 1_024 * 1_024)
        let sent = traffic.up
        #expect(try await second.upload(LocalFile(path: path), as: key) == file)
        #expect(traffic.up - sent < 10_000, "it is there")
        let other = try TransferFile.make("other.bin", bytes: 10, in: harness.folder)
        #expect(await code { try await second.upload(LocalFile(path: other), as: key) } == .server(.duplicateTransID))
        let copy = try await second.download(file, to: harness.folder.path + "/copy.bin")
        #expect(try TransferFile.bytes(copy) == TransferFile.bytes(path))
        traffic.stopCutting()
        await second.disconnect()
        try await proxy.stop()
    }

    @Test func `a cancelled upload is deleted on the server [L-X5]`() async throws {
        let harness = try await ServerHarness(limits: ["uploads": 1])
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let small = try TransferFile.make("small.bin", bytes: 3, in: harness.folder)
        let slow = FaultProfile { $0.bytesPerSecond = 2_000_000 }
        let (proxy, traffic, _) = try await cutting(harness, every: nil, profile: slow)
        let ann = try await client(proxy.url(), Cast.ann)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let begun = Task {
            try await ann.upload(LocalFile(path: path)) { if $0.completedBytes > 0 { start.yield() } }
        }
        for await _ in starts { break }
        #expect(await code { try await ann.upload(LocalFile(path: small)) } == .server(.limitReached))
        begun.cancel()
        #expect(await code { try await begun.value } == .cancelled)
        try await until { await code { try await ann.upload(LocalFile(path: small)) } == nil }
        traffic.stopCutting()
        await ann.disconnect()
        try await proxy.stop()
    }

    @Test func `what cannot be uploaded fails before any byte is sent [L-61]`() async throws {
        let harness = try await ServerHarness(limits: ["fileBytes": 1_000])
        let (proxy, traffic, _) = try await cutting(harness, every: nil)
        let ann = try await client(proxy.url(), Cast.ann)
        let large = try TransferFile.make("large.bin", bytes: 1_001, in: harness.folder)
        let folder = harness.folder.path
        #expect(await code { try await ann.upload(LocalFile(path: folder + "/none.jpg")) } == .fileFailed)
        #expect(await code { try await ann.upload(LocalFile(path: folder)) } == .fileFailed)
        #expect(await code { try await ann.upload(LocalFile(path: "")) } == .fileFailed)
        #expect(await code { try await ann.upload(LocalFile(path: large, name: "")) } == .fileFailed)
        #expect(await code { try await ann.upload(LocalFile(path: large)) } == .server(.tooLarge))
        #expect(traffic.requests("PATCH") == 0 && traffic.requests("POST") == 0)
        let empty = try TransferFile.make("empty.bin", bytes: 0, in: harness.folder)
        let file = try await ann.upload(LocalFile(path: empty))
        #expect(file.size == 0)
        let copy = try await ann.download(file, to: folder + "/copy.bin")
        #expect(try TransferFile.bytes(copy).isEmpty)
        traffic.stopCutting()
        await ann.disconnect()
        try await proxy.stop()
    }

    @Test func `a file that is changed while it is uploaded fails clearly`() async throws {
        let harness = try await ServerHarness()
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let slow = FaultProfile { $0.bytesPerSecond = 2_000_000 }
        let (proxy, traffic, _) = try await cutting(harness, every: nil, profile: slow)
        let ann = try await client(proxy.url(), Cast.ann)
        let isChanged = Mutex(false)
        let fault = await #expect(throws: RoostError.self) {
            try await ann.upload(LocalFile(path: path)) { progress in
                let mustChange = isChanged.withLock { isChanged in
                    defer { if progress.completedBytes > 0 { isChanged = true } }
                    return progress.completedBytes > 0 && !isChanged
                }
                if mustChange { try? Data([1]).write(to: URL(fileURLWithPath: path)) }
            }
        }
        #expect(fault?.code == .fileFailed)
        #expect(fault?.message.contains("changed") == true)
        traffic.stopCutting()
        await ann.disconnect()
        try await proxy.stop()
    }

    @Test func `a stranger's download is refused with 1107, a member's is not`() async throws {
        let harness = try await ServerHarness()
        let path = try TransferFile.jpeg(in: harness.folder)
        let (ann, bob) = (try await client(harness.url, Cast.ann), try await client(harness.url, Cast.bob))
        let cid = try await client(harness.url, Cast.cid)
        let file = try await ann.upload(LocalFile(path: path))
        #expect(file.contentType == "image/jpeg")
        let target = harness.folder.path + "/copy.jpg"
        #expect(await code { try await bob.download(file, to: target) } == .server(.noPrivilege))
        let chat = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
        try await chat.send(.file(file, text: "The new roof"))
        try await bob.download(file, to: target)
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(path))
        #expect(await code { try await cid.download(file, to: target) } == .server(.noPrivilege))
        #expect(await code { try await cid.download(file) } == .server(.noPrivilege))
        #expect(await code { try await ann.deleteFile(file.fileID) } == .server(.noPrivilege))
        for client in [ann, bob, cid] { await client.disconnect() }
    }

    @Test func `another token is asked for once the server refuses one`() async throws {
        let harness = try await ServerHarness(isDevelopment: false)
        let made = try await Child.roost(
            ["token", "--data", harness.data, "--user", "ann"], in: harness.folder
        ).result()
        let good = try #require(made.output.first)
        let calls = Mutex(0)
        let ann = ChatClient(
            server: harness.url,
            credentials: .token {
                calls.withLock { calls in
                    calls += 1
                    return calls == 2 ? good + "x" : good
                }
            }, deviceID: "phone")
        try await ann.connect()
        let file = try await ann.upload(LocalFile(path: try TransferFile.jpeg(in: harness.folder)))
        #expect(file.contentType == "image/jpeg")
        #expect(calls.withLock { $0 } == 3)
        await ann.disconnect()
    }

    @Test func `the cache downloads once for two, keeps what is used, and outlives the client`() async throws {
        let harness = try await ServerHarness()
        let paths = try (1...3).map { try TransferFile.make("f\($0).bin", bytes: 400_000 + $0, in: harness.folder) }
        let ann = try await client(harness.url, Cast.ann)
        var files: [FileReference] = []
        for path in paths { files.append(try await ann.upload(LocalFile(path: path))) }
        let (proxy, traffic, _) = try await cutting(harness, every: nil)
        let folder = harness.folder.path + "/cache"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let stale = folder + "/.x.roost-part"
        try Data([1]).write(to: URL(fileURLWithPath: stale))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: stale)
        let cache = FileCacheConfiguration(folder: folder, bytes: 1_000_000)
        let desk = try await client(proxy.url(), Cast.ann, device: "desk", cache: cache)
        let first = files[0]
        #expect(await desk.cachedPath(of: first.fileID) == nil)
        #expect(!FileManager.default.fileExists(atPath: stale))
        async let one = desk.download(first)
        async let two = desk.download(first)
        let path = try await one
        #expect(try await two == path)
        #expect(path.hasSuffix(".bin"))
        #expect(traffic.requests("GET /v1/files/\(first.fileID)") == 1)
        #expect(try TransferFile.bytes(path) == TransferFile.bytes(paths[0]))
        try await desk.download(files[1])
        #expect(await desk.cachedPath(of: first.fileID) == path)
        try await desk.download(files[2])
        #expect(await desk.cachedPath(of: files[1].fileID) == nil, "the least recently used one made room")
        #expect(await desk.cachedPath(of: first.fileID) == path)
        await desk.disconnect()
        let next = try await client(proxy.url(), Cast.ann, device: "desk", cache: cache)
        #expect(try await next.download(first) == path)
        #expect(traffic.requests("GET /v1/files/\(first.fileID)") == 1)
        try await next.clean()
        #expect(!FileManager.default.fileExists(atPath: path))
        traffic.stopCutting()
        await ann.disconnect()
        try await proxy.stop()
    }
}
