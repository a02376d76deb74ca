import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Files over real sockets: a server process, its folder, and clients of it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, bytes: Int) throws -> LocalFile {
        let path = folder.path + "/" + name
        var random = SeededNumbers(for: name)
        var data = Data(SampleFile.bytes(name))
        while data.count < bytes { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
        try data.prefix(max(bytes, SampleFile.bytes(name).count)).write(to: URL(fileURLWithPath: path))
        return LocalFile(path: path)
    }

    private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// The names of all files below a folder of the server.
    private func stored(_ harness: ServerHarness, _ part: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: harness.data + "/files/" + part)?.allObjects as? [String]
        return (found ?? []).map { String($0.split(separator: "/").last ?? "") }.filter { $0.count == 32 }.sorted()
    }

    @Test func `a file reaches the other members, byte for byte, and nobody else [JCB-7 J-40 J-42 J-69 L-77]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let dee = try await harness.guest(Cast.dee)
        let chat = try await ann.start(with: Cast.bob)
        let photo = try file("roof.png", bytes: 300_000)
        let steps = Mutex<[TransferProgress]>([])
        var described = photo
        described.customField = "{\"place\":\"Taipei\"}"
        let picture = try await ann.client.upload(described) { progress in steps.withLock { $0.append(progress) } }
        #expect(picture.name == "roof.png" && picture.contentType == "image/png" && picture.size == 300_000)
        #expect(picture.customField == described.customField && picture.path == "/v1/files/\(picture.fileID)")
        #expect(try await ann.client.files([picture.fileID]).first?.file == picture)
        let progress = steps.withLock { $0 }
        #expect(progress.first?.completedBytes == 0 && progress.last?.fraction == 1)
        #expect(progress.map(\.completedBytes) == progress.map(\.completedBytes).sorted())
        #expect(progress.allSatisfy { $0.totalBytes == 300_000 })
        let sent = try await chat.send(.image(picture, text: "the roof"))
        let row = try await bob.message("the roof", in: chat.id)
        guard case .channel(.messageSent(let message)) = row.body else { throw ExpectationFailure.other }
        #expect(row.messageID == sent.messageID && message.file == picture && message.type == "image")
        let target = folder.path + "/copy.png"
        try await bob.client.download(picture, to: target)
        #expect(try content(target) == content(photo.path))
        do {
            try await dee.client.download(picture, to: folder.path + "/stolen.png")
            Issue.record("a stranger may not read the file")
        } catch {
            #expect(error.code == .server(.noPrivilege))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["copy.png", "roof.png"])
        #expect(try await dee.client.files([picture.fileID]).isEmpty)
    }

    @Test func `a channel gets a picture with progress, and loses it [L-31 L-32]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let club = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        let steps = Mutex<[Double]>([])
        let channel = ann.channel(club.channel)
        let picture = try await channel.setAvatar(try file("club.jpg", bytes: 300_000)) { progress in
            steps.withLock { $0.append(progress.fraction) }
        }
        let progress = steps.withLock { $0 }
        #expect(progress == progress.sorted() && progress.count { $0 == 1 } == 1 && progress.last == 1)
        let shown = try await bob.channel(Cast.club).get().profile?.avatar
        let id = try #require(FileRules.fileID(in: shown))
        #expect(id == picture.fileID)
        let target = folder.path + "/copy.jpg"
        try await bob.client.download(FileReference(fileID: id), to: target)
        #expect(try content(target) == content(folder.path + "/club.jpg"))
        try await channel.removeAvatar()
        #expect(try await bob.channel(Cast.club).get().profile?.avatar == nil)
        #expect(try await bob.client.files([id]).isEmpty)
        try await until { stored(harness, "bytes").isEmpty }
    }

    @Test
    func
        `each kind of file is posted with its file, its thumbnail and the app's data [J-41 J-68 L-54 L-55 L-56 L-58 L-59 XC-14]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let chat = try await ann.start(with: Cast.bob)
        let small = try file("small.jpg", bytes: 900)
        func check(_ reference: FileReference, _ local: LocalFile) async throws {
            let target = folder.path + "/copy"
            try await bob.client.download(reference, to: target)
            #expect(try content(target) == content(local.path), "\(local.path)")
        }
        // The label with which the old tutorial sends films.
        let movie = LocalFile(path: try file("film.mp4", bytes: 5_000).path, contentType: "video/mov")
        let files: [(String, LocalFile, String, Bool)] = [
            ("image", try file("roof.png", bytes: 5_000), "image/png", true), ("video", movie, "video/mp4", true),
            ("voice", try file("note.ogg", bytes: 5_000), "audio/ogg", false),
            ("contact", try file("dee.vcf", bytes: 5_000), "text/vcard", true),
            ("document", try file("plan.pdf", bytes: 5_000), "application/pdf", false),
        ]
        for (type, local, found, takesThumbnail) in files {
            let reference = try await ann.client.upload(local)
            let thumbnail = takesThumbnail ? try await ann.client.upload(small) : nil
            let sent = try await chat.send(
                MessageContent(type: type, text: type, file: reference, thumbnail: thumbnail),
                extras: ["customField": "7", "duration": "00:05:30"])
            let row = try await bob.message(type, in: chat.id)
            guard case .channel(.messageSent(let message)) = row.body else { throw ExpectationFailure.other }
            #expect(row.messageID == sent.messageID && row.senderID == Cast.ann.userID && message.type == type)
            #expect(message.extras == ["customField": "7", "duration": "00:05:30"])
            let stored = try #require(message.file)
            #expect(stored == reference && stored.contentType == found && stored.size == 5_000)
            try await check(stored, local)
            #expect(message.thumbnail == thumbnail)
            if let thumbnail = message.thumbnail { try await check(thumbnail, small) }
        }
    }

    @Test func `after a recall the bytes are in no file of the server`() async throws {
        let harness = try await ServerHarness(isFile: true)
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let chat = try await ann.start(with: Cast.bob)
        let secret = "the-secret-of-\(UUID().uuidString)"
        let path = folder.path + "/secret.txt"
        try Data(secret.utf8).write(to: URL(fileURLWithPath: path))
        func isFound() throws -> Bool {
            let names = FileManager.default.enumerator(atPath: harness.data)?.allObjects as? [String] ?? []
            return names.contains { name in
                let data = try? Data(contentsOf: URL(fileURLWithPath: harness.data + "/" + name))
                return data?.range(of: Data(secret.utf8)) != nil
            }
        }
        let file = try await ann.client.upload(LocalFile(path: path))
        let sent = try await chat.send(.document(file))
        #expect(try isFound())
        try await bob.client.download(file, to: folder.path + "/copy.txt")
        try await chat.recall([sent.messageID])
        try await until { try !isFound() }
        #expect(stored(harness, "bytes").isEmpty && stored(harness, "uploads").isEmpty)
        do {
            try await bob.client.download(file, to: folder.path + "/again.txt")
            Issue.record("it was recalled")
        } catch {
            #expect(error.code == .server(.noPrivilege))
        }
    }

    @Test func `a server that is killed during uploads shows none of them, and they continue`() async throws {
        let harness = try await ServerHarness(isFile: true, isRecorded: false)
        let ann = try await harness.guest(Cast.ann)
        let chat = try await ann.start(with: Cast.ann)
        let (begun, step) = AsyncStream.makeStream(of: Void.self)
        let client = ann.client
        let uploads = try (0..<50).map { number in
            let photo = try file("roof-\(number).jpg", bytes: 3_000_000)
            return Task {
                try await client.upload(photo) { progress in
                    if progress.completedBytes > 0 { step.yield() }
                }
            }
        }
        var count = 0
        for await _ in begun {
            count += 1
            if count > 5 { break }
        }
        harness.kill()
        for key in stored(harness, "bytes") {
            let path = "\(harness.data)/files/bytes/\(key.prefix(2))/\(key)"
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 3_000_000)
        }
        try await harness.start()
        var files: [FileReference] = []
        for upload in uploads { files.append(try await upload.value) }
        #expect(stored(harness, "bytes").count == files.count && stored(harness, "uploads").isEmpty)
        let target = folder.path + "/copy.jpg"
        try await ann.client.download(files[7], to: target)
        #expect(try content(target) == content(folder.path + "/roof-7.jpg"))
        try await chat.send("still here")
    }
}
