import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Thumbnails that the server has made, as far as the core knows of them.
@Suite struct ThumbnailsTests {
    private func club(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        await stage.forgetEvents()
        return stage
    }

    /// An upload of Ann's, of which the server has found out everything, and its thumbnail.
    private func upload(_ stage: Stage) async throws -> (file: FileReference, thumbnail: FileReference) {
        let create = CreateFile(
            name: "roof.jpg", size: 900, contentType: "image/jpeg", width: 1, height: 2, blurHash: "claimed")
        let id = try await stage.ann.perform(create).fileID
        let small = try #require(FileID(rawValue: String(id.rawValue.reversed())))
        var bytes = UploadedBytes(hash: Array(id.rawValue.utf8), contentType: "image/jpeg")
        (bytes.width, bytes.height, bytes.blurHash) = (4_000, 3_000, "LRTI:j;$fQ;$|co1fQo1fQfQfQfQ")
        bytes.thumbnail = UploadedBytes.Thumbnail(
            id: small, size: 50, hash: Array(small.rawValue.utf8), contentType: "image/jpeg", width: 640, height: 480)
        let key = try await stage.roost.core.completeUpload(
            id, of: Cast.ann.userID, bytes, storedAs: id.rawValue)
        #expect(key == id.rawValue)
        return (
            FileReference(
                fileID: id, name: "roof.jpg", contentType: "image/jpeg", size: 900, width: 4_000, height: 3_000,
                blurHash: bytes.blurHash),
            FileReference(
                fileID: small, name: "thumbnail.jpg", contentType: "image/jpeg", size: 50, width: 640, height: 480)
        )
    }

    private func image(_ file: FileReference, thumbnail: FileReference? = nil, type: String = "image") -> SendMessage {
        SendMessage(
            channel: Cast.club, type: type, file: FileReference(fileID: file.fileID),
            thumbnail: thumbnail.map { FileReference(fileID: $0.fileID) })
    }

    private func removed(_ stage: Stage) async throws -> [String] {
        try await stage.roost.core.removedBytes(limit: 100)
    }

    @Test(arguments: Backend.available)
    func `a picture sent without a thumbnail gets the one of the server, and both go with the message`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let (file, thumbnail) = try await upload(stage)
        // What the server has found out counts, not what was claimed.
        #expect(try await stage.ann.perform(GetFiles(fileIDs: [file.fileID])).files.map(\.file) == [file])
        let message = try await stage.ann.post(image(file))
        #expect(stage.bob.rows(of: Cast.club).last?.message?.file == file)
        #expect(stage.bob.rows(of: Cast.club).last?.message?.thumbnail == thumbnail)
        let found = try await stage.bob.perform(GetFiles(fileIDs: [file.fileID, thumbnail.fileID])).files
        #expect(Set(found.map(\.file)) == [file, thumbnail])
        #expect(try await stage.dee.perform(GetFiles(fileIDs: [thumbnail.fileID])).files.isEmpty)
        // A message that is used keeps its thumbnail when its time would be over.
        stage.roost.clock.advance(by: FileRules.unusedMs + 60_000)
        await stage.settle()
        #expect(try await stage.bob.perform(GetFiles(fileIDs: [thumbnail.fileID])).files.count == 1)
        // Somebody else sends the picture on.
        try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.dee.userID]))
        let pair = ChannelID(single: Cast.bob.userID, Cast.dee.userID)
        var again = image(file)
        again.channel = pair
        let second = try await stage.bob.post(again)
        #expect(stage.dee.rows(of: pair).last?.message?.thumbnail == thumbnail)
        try await stage.ann.recall(message, in: Cast.club)
        #expect(try await removed(stage).isEmpty)
        try await stage.bob.recall(second, in: pair)
        #expect(try await removed(stage) == [file.fileID, thumbnail.fileID].map(\.rawValue).sorted())
    }

    @Test(arguments: Backend.available)
    func `a picture sent with a thumbnail keeps it, and that of the server expires`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (file, thumbnail) = try await upload(stage)
        let own = try await stage.ann.file("own.png", "image/png")
        try await stage.ann.perform(image(file, thumbnail: own))
        #expect(stage.bob.rows(of: Cast.club).last?.message?.thumbnail == own)
        // A document has none.
        try await stage.ann.perform(image(file, type: "document"))
        #expect(stage.bob.rows(of: Cast.club).last?.message?.file == file)
        #expect(stage.bob.rows(of: Cast.club).last?.message?.thumbnail == nil)
        stage.roost.clock.advance(by: FileRules.unusedMs + 60_000)
        await stage.settle()
        #expect(try await removed(stage) == [thumbnail.fileID.rawValue])
        // From then on the picture has none.
        try await stage.ann.perform(image(file))
        #expect(stage.bob.rows(of: Cast.club).last?.message?.file == file)
        #expect(stage.bob.rows(of: Cast.club).last?.message?.thumbnail == nil)
    }

    @Test(arguments: Backend.available)
    func `an unused picture goes with its thumbnail`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (file, thumbnail) = try await upload(stage)
        try await stage.ann.perform(DeleteFile(fileID: file.fileID))
        #expect(try await removed(stage) == [file.fileID, thumbnail.fileID].map(\.rawValue).sorted())
        #expect(try await stage.ann.perform(GetFiles(fileIDs: [thumbnail.fileID])).files.isEmpty)
        let (second, other) = try await upload(stage)
        stage.roost.clock.advance(by: FileRules.unusedMs + 60_000)
        await stage.settle()
        let all = [file, thumbnail, second, other]
        #expect(try await removed(stage) == all.map(\.fileID.rawValue).sorted())
    }

    @Test(arguments: Backend.available)
    func `a schedule keeps the thumbnail of its picture`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (file, thumbnail) = try await upload(stage)
        let at = Date(milliseconds: stage.roost.clock.now + 3 * FileRules.unusedMs)
        try await stage.ann.perform(
            CreateSchedule(messages: [image(file).content], channels: [Cast.club], sendAt: at))
        stage.roost.clock.advance(by: 2 * FileRules.unusedMs)
        await stage.settle()
        #expect(try await removed(stage).isEmpty)
        stage.roost.clock.advance(by: FileRules.unusedMs)
        await stage.settle()
        #expect(stage.bob.rows(of: Cast.club).compactMap(\.message?.thumbnail) == [thumbnail])
    }
}
