import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// `roost file`, and the commands that send files.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct FileCommandsTests {
    private func roost(_ harness: ServerHarness, _ arguments: String...) async throws -> Child.Result {
        try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
    }

    private func id(_ result: Child.Result) throws -> String {
        try #require(result.output.first?.split(separator: " ").first.map(String.init))
    }

    @Test func `put, info, get and delete`() async throws {
        let harness = try await ServerHarness()
        let picture = try TransferFile.jpeg(in: harness.folder)
        let text = try TransferFile.make("notes.bin", bytes: 5_000_000, in: harness.folder)
        let put = try await roost(harness, "file", "put", "--as", "ann", "--json", picture, text)
        #expect(put.status == 0, "\(put.errors)")
        #expect(put.errors.isEmpty)
        let objects = try put.objects()
        #expect(objects.map { $0["name"] as? String } == ["roof.jpg", "notes.bin"])
        #expect(objects.first?["contentType"] as? String == "image/jpeg")
        let ids = objects.compactMap { $0["fileID"] as? String }
        try #require(ids.count == 2)
        let info = try await roost(harness, "file", "info", "--as", "ann", ids[0], ids[1])
        #expect(info.output.count == 2)
        #expect(info.output.contains { $0.contains("5000000 bytes") && $0.contains("/v1/files/") })
        let target = harness.folder.path + "/copy.bin"
        let got = try await roost(harness, "file", "get", "--as", "ann", ids[1], target)
        #expect(got.status == 0, "\(got.errors)")
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(text))
        let piped = try await roost(harness, "file", "get", "--as", "ann", ids[0], "-")
        #expect(piped.status == 0)
        #expect(piped.output.joined().contains("roof.jpg"))
        let kept = try await roost(harness, "file", "get", "--as", "ann", ids[0], harness.folder.path)
        #expect(kept.status == 1 && kept.errors.contains("exists already"))
        let stranger = try await roost(harness, "file", "get", "--as", "bob", ids[0], target)
        #expect(stranger.status == 1)
        let deleted = try await roost(harness, "file", "delete", "--as", "ann", ids[0])
        #expect(deleted.output == ["deleted \(ids[0])"])
        #expect(try await roost(harness, "file", "info", "--as", "ann", ids[0]).status == 1)
        let missing = try await roost(harness, "file", "put", "--as", "ann", "/none.jpg", picture)
        #expect(missing.status == 1)
        #expect(missing.output.count == 1, "the other file is uploaded")
        #expect(missing.errors.contains("/none.jpg"))
    }

    @Test func `lines show a file with its size, JSON has it as on the wire, and show draws it`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann)
        let picture = try TransferFile.jpeg(in: harness.folder)
        let chat = try await bob.start(with: Cast.ann)
        let file = try await bob.client.upload(
            LocalFile(path: picture, width: 40, height: 30, blurHash: "00TNoS"))
        _ = try await bob.channel(chat.id).enqueue(.file(file, text: "The new roof")).sent
        for verb in ["history", "tail"] {
            let arguments = [verb, "--as", "ann", "--to", "bob"]
            let rest = verb == "tail" ? ["--after", "0", "--limit", "1"] : []
            let lines = try await Child.roost(
                arguments + rest, server: harness.url, in: harness.folder
            ).result()
            let line = "Bob: [image] roof.jpg, \(file.size ?? 0) bytes The new roof"
            #expect(lines.output.contains { $0.contains(line) })
            let rows = try await Child.roost(
                arguments + rest + ["--json"], server: harness.url, in: harness.folder
            ).result().objects()
            let row = try #require(rows.last)
            let shown = try #require(row["file"] as? [String: Any])
            #expect(shown["fileID"] as? String == file.fileID.rawValue)
            #expect(shown["contentType"] as? String == "image/jpeg" && shown["width"] as? Int == 40)
            #expect(shown["blurHash"] as? String == "00TNoS")
            #expect(row.keys.contains("thumbnail"))
        }
        let id = file.fileID.rawValue
        let piped = try await roost(harness, "file", "show", "--as", "ann", id)
        #expect(piped.status == 0 && piped.output.count == 1, "\(piped.errors)")
        #expect(piped.output.first?.contains("roof.jpg") == true)
        let blocks = try await roost(harness, "file", "show", "--as", "ann", "--preview", "kitty", id)
        #expect(blocks.output.count == 9 && blocks.output.last?.contains("48;5;208m▀") == true)
        let inline = try await roost(harness, "file", "show", "--as", "ann", "--preview", "iterm", id)
        #expect(inline.output.last?.hasPrefix("\u{1B}]1337;File=inline=1;") == true)
        #expect(try await roost(harness, "file", "show", "--as", "cid", id).status == 1)
    }

    @Test func `send uploads a file and sends it as what it is`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let picture = try TransferFile.jpeg(in: harness.folder)
        let notes = try TransferFile.make("notes.bin", bytes: 10, in: harness.folder)
        let sent = try await roost(
            harness, "send", "--as", "ann", "--to", "bob", "--file", picture, "The", "new", "roof")
        #expect(sent.status == 0, "\(sent.errors)")
        let other = try await roost(harness, "message", "send", "--as", "ann", "--to", "bob", "--file", notes)
        #expect(other.status == 0, "\(other.errors)")
        let rows = try await bob.channel("ann:bob").history(from: .server).events
        let messages = rows.compactMap { event in
            if case .channel(.messageSent(let message)) = event.body { message } else { nil }
        }
        #expect(messages.map(\.type) == ["image", "document"])
        #expect(messages.map { $0.file?.name } == ["roof.jpg", "notes.bin"])
        #expect(messages.first?.text == "The new roof")
        let none = try await roost(harness, "send", "--as", "ann", "--to", "bob", "--file", "/none.jpg")
        #expect(none.status == 1)
        #expect(none.errors.contains("/none.jpg"))
        #expect(try await roost(harness, "send", "--as", "ann", "--to", "bob").status == 2)
        let both = try await roost(harness, "message", "send", "--to", "bob", "--file", notes, "--file-id", "x")
        #expect(both.status == 2)
    }
}
