import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct UsersTests {
    @Test(arguments: Backend.available)
    func `known users are returned with name and picture, unknown ones are left out`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = [Cast.bob.userID, try user("nobody").userID, Cast.ann.userID, Cast.ann.userID]
        #expect(try await stage.dee.perform(GetUsers(userIDs: ids)).users == [Cast.ann, Cast.bob])
        #expect(try await stage.dee.refusal(GetUsers(userIDs: []))?.entry == .dataFormat)
        let many = Array(repeating: Cast.ann.userID, count: 101)
        #expect(try await stage.dee.refusal(GetUsers(userIDs: many))?.entry == .dataFormat)
        #expect(try await stage.dee.perform(GetUsers(userIDs: Array(many.prefix(100)))).users == [Cast.ann])
    }

    @Test(arguments: Backend.available)
    func `a login with a new name renames the user everywhere`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("as Ann", to: Cast.annAndBob)
        let anna = User(userID: Cast.ann.userID, name: "Anna \"😀\"", imageURL: "https://example.org/a.png")
        let session = try await stage.roost.session(anna, device: "tablet")
        #expect(session.welcome?.user == anna)
        try await session.send("as Anna", to: Cast.annAndBob)
        #expect(try await stage.bob.perform(GetUsers(userIDs: [anna.userID])).users == [anna])
        #expect(try await stage.bob.channel(Cast.annAndBob).members.first?.name == anna.name)
        let names = try await stage.bob.log(of: Cast.annAndBob).map { event in
            if case .channel(.messageSent(let message)) = event.body { message.senderName } else { "" }
        }
        #expect(names == ["Ann", anna.name])
    }

    @Test(arguments: Backend.available)
    func `users are compared as bytes`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let lower = try await roost.session(user("ann"))
        let upper = try await roost.session(user("ANN"))
        let answer = try await lower.perform(CreateChannel(kind: .single, members: [upper.userID]))
        #expect(answer.channel?.rawValue == "ANN:ann")
        #expect(try await lower.channel(#require(answer.channel)).memberCount == 2)
        #expect(try await upper.refusal(GetChannel(channel: channel("ann:ann")))?.entry == .channelNotFound)
    }
}
