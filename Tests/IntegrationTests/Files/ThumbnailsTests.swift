import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Thumbnails over real sockets, made by libvips.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ThumbnailsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], _ name: String) throws -> LocalFile {
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return LocalFile(path: path)
    }

    @Test(.enabled(if: SamplePicture.hasVips))
    func `a picture sent without a thumbnail gets one, and with one keeps it [L-54]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let dee = try await harness.guest(Cast.dee)
        let chat = try await ann.start(with: Cast.bob)
        let plain = try SamplePicture.converted(
            SamplePicture.png(width: 900, height: 600), to: "roof.jpg[strip]", in: folder)
        let local = try write(SamplePicture.jpeg(plain, orientation: 6, description: "secret-garden"), "roof.jpg")
        let picture = try await ann.client.upload(local)
        #expect(picture.width == 600 && picture.height == 900 && picture.blurHash?.utf8.count == 28)
        func sent(_ text: String, _ content: MessageContent) async throws -> Message {
            try await chat.send(content)
            guard case .channel(.messageSent(let message)) = try await bob.message(text, in: chat.id).body else {
                throw ExpectationFailure.other
            }
            return message
        }
        let message = try await sent("without", .image(picture, text: "without"))
        #expect(message.file == picture)
        let thumbnail = try #require(message.thumbnail)
        #expect(thumbnail.contentType == "image/jpeg" && thumbnail.width == 427 && thumbnail.height == 640)
        let copies = (folder.path + "/copy.jpg", folder.path + "/small.jpg")
        try await bob.client.download(picture, to: copies.0)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: copies.0)) == Data(contentsOf: URL(fileURLWithPath: local.path)))
        try await bob.client.download(thumbnail, to: copies.1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copies.1))
        #expect(Int64(bytes.count) == thumbnail.size && bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(bytes.range(of: Data("secret-garden".utf8)) == nil && bytes.range(of: Data("Exif".utf8)) == nil)
        #expect(try await dee.client.files([picture.fileID, thumbnail.fileID]).isEmpty)
        let own = try await ann.client.upload(try write(SamplePicture.png(width: 60, height: 40), "own.png"))
        let second = try await sent("with", MessageContent(type: "image", text: "with", file: picture, thumbnail: own))
        #expect(second.thumbnail == own && own.width == 60)
        // Where there is nothing to make smaller, there is no thumbnail.
        #expect(try await sent("small", .image(own, text: "small")).thumbnail == nil)
        // A broken picture is still a file, with what its sender says of it.
        let broken = try await ann.client.upload(try write(SampleFile.bytes("broken.png"), "broken.png"))
        #expect(try await sent("broken", .image(broken, text: "broken")).thumbnail == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: harness.thumbnails) == [])
    }

    @Test(.enabled(if: SampleVideo.hasFFmpeg && SamplePicture.hasVips))
    func `a video sent without a thumbnail gets a picture of it, its size and its duration [L-55]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let chat = try await ann.start(with: Cast.bob)
        let bytes = try SampleVideo.make(["-c:v", "libx264", "-preset", "ultrafast"], to: "made.mp4", in: folder)
        var local = try write(bytes, "film.mp4")
        (local.width, local.height, local.durationMs) = (1, 2, 3)
        let video = try await ann.client.upload(local)
        #expect(video.width == 1_280 && video.height == 720 && video.blurHash?.utf8.count == 28)
        #expect((1_900...2_200).contains(video.durationMs ?? 0))
        try await chat.send(.video(video, text: "the roof"))
        guard case .channel(.messageSent(let message)) = try await bob.message("the roof", in: chat.id).body else {
            throw ExpectationFailure.other
        }
        #expect(message.file == video)
        let thumbnail = try #require(message.thumbnail)
        #expect(thumbnail.contentType == "image/jpeg" && thumbnail.width == 640 && thumbnail.height == 360)
        try await bob.client.download(thumbnail, to: folder.path + "/small.jpg")
        let small = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/small.jpg"))
        #expect(small.starts(with: [0xFF, 0xD8, 0xFF]) && Int64(small.count) == thumbnail.size)
        // A broken one is still a file, with what its sender says of it.
        var half = try write(Array(bytes.prefix(bytes.count / 2)), "half.mp4")
        half.durationMs = 7
        let broken = try await ann.client.upload(half)
        #expect(broken.durationMs == 7 && broken.width == nil)
    }

    @Test func `without libvips a server says how to install it, and keeps pictures as they are`() async throws {
        let server = try Child.roost(
            ["serve", "--dev", "--data", folder.path + "/data", "--port", "0"], environment: ["PATH": folder.path],
            in: folder)
        var url = ""
        while let line = await server.line() {
            if line.hasPrefix("ready ") {
                url = String(line.dropFirst(6))
                break
            }
        }
        let ann = try RecordingClient(url, .guest(Cast.ann.userID, name: "Ann"), device: "ann", positions: nil)
        try await ann.connect()
        let chat = try await ann.start(with: Cast.ann)
        let picture = try await ann.client.upload(try write(SamplePicture.png(width: 900, height: 600), "roof.png"))
        try await chat.send(.image(picture, text: "the roof"))
        let row = try await ann.message("the roof", in: chat.id)
        guard case .channel(.messageSent(let message)) = row.body else { throw ExpectationFailure.other }
        #expect(message.file == picture && message.thumbnail == nil && picture.width == nil)
        server.signal(SIGTERM)
        let lines = await server.result().errors.split(separator: "\n").filter { $0.contains("thumbnails") }
        #expect(lines.count == 1 && lines.first?.contains("apt-get install libvips-tools") == true, "\(lines)")
    }
}
