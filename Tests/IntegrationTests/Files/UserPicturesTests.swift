import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// The name and the picture of a user, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct UserPicturesTests {
    private func picture(of user: User, _ client: ChatClient) async throws -> FileID? {
        FileRules.fileID(in: try await client.users([user.userID]).first?.imageURL)
    }

    @Test func `a user gets a picture with progress, which others can download, and loses it [L-96 L-97]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let dee = try await harness.guest(Cast.dee)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        _ = try await ann.client.startMessaging(with: Cast.bob.userID)
        let path = try TransferFile.jpeg(in: harness.folder)
        let steps = Mutex<[Double]>([])
        let file = try await ann.client.setAvatar(LocalFile(path: path)) { progress in
            steps.withLock { $0.append(progress.fraction) }
        }
        let progress = steps.withLock { $0 }
        #expect(progress == progress.sorted() && progress.count { $0 == 1 } == 1 && progress.last == 1)
        let reference = FileRules.reference(to: file.fileID)
        let set = EventBody.user(
            .userProfileChanged(UserProfileChanged(userID: Cast.ann.userID, profile: UserProfile(imageURL: reference))))
        for client in [ann, bob] {
            try await client.wait("the picture", untilAll: { $0.count { $0.row?.body == set } == 1 })
        }
        #expect(try await picture(of: Cast.ann, bob.client) == file.fileID)
        let target = harness.folder.path + "/copy.jpg"
        try await bob.client.download(file, to: target)
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(path))
        try await ann.client.removeAvatar()
        let removed = EventBody.user(
            .userProfileChanged(UserProfileChanged(userID: Cast.ann.userID, profile: UserProfile(imageURL: ""))))
        for client in [ann, bob] {
            try await client.wait("no picture", untilAll: { $0.count { $0.row?.body == removed } == 1 })
        }
        #expect(try await picture(of: Cast.ann, bob.client) == nil)
        #expect(try await bob.client.files([file.fileID]).isEmpty)
        // A user who shares no channel with Ann is not told.
        #expect(dee.events.allSatisfy { $0.row?.name != EventName.userProfileChanged.rawValue })
        await #expect(throws: RoostError.self) {
            try await ann.client.setAvatar(LocalFile(path: harness.folder.path + "/none.jpg"))
        }
    }

    @Test(.firstPassOnly) func `user set changes name and picture on the command line`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
        }
        let path = try TransferFile.jpeg(in: harness.folder)
        let set = try await roost("user", "set", "--as", "ann", "--display-name", "Ann Lee", "--picture", path)
        #expect(set.status == 0 && set.output == ["done"], "\(set.errors)")
        let file = try #require(try await picture(of: Cast.ann, bob.client))
        #expect(try await bob.client.files([file]).count == 1)
        #expect(try await roost("user", "list", "--as", "bob", "ann").output == ["ann  Ann Lee"])
        let again = try await roost("user", "set", "--as", "ann", "--display-name", "Ann Lee")
        #expect(again.output == ["nothing changed"])
        #expect(try await roost("user", "set", "--as", "ann", "--no-picture").status == 0)
        #expect(try await picture(of: Cast.ann, bob.client) == nil)
        #expect(try await roost("user", "set", "--as", "ann", "--picture", "/none.jpg").status == 1)
    }
}
