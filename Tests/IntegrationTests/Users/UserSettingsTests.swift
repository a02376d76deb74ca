import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

/// The settings of a user in the SDK, the model and the command line.
@MainActor @Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct UserSettingsTests {
    @Test func `the model shows the settings, changes them, and follows the user's other devices`() async throws {
        let server = try await TestServer.start()
        let phone = try server.disconnectedClient(Cast.bob)
        let model = UserSettingsModel(client: phone)
        model.start()
        #expect(model.settings == nil)
        #expect(await !model.setInvites(from: .nobody))
        #expect(model.problem != nil)
        model.dismissProblem()
        #expect(model.problem == nil)
        try await phone.connect()
        try await until { model.settings == UserSettings(invitesFrom: .everybody) }
        #expect(await model.setInvites(from: .nobody))
        try await until { model.settings?.invitesFrom == .nobody }
        let tablet = try await server.client(Cast.bob)
        #expect(try await tablet.settings() == UserSettings(invitesFrom: .nobody))
        try await tablet.setInvites(from: .contacts)
        try await until { model.settings?.invitesFrom == .contacts }
        // A change while there is no connection is there after it.
        await phone.disconnect()
        try await tablet.setInvites(from: .everybody)
        try await phone.connect()
        try await until { model.settings?.invitesFrom == .everybody }
        model.stop()
        for client in [phone, tablet] { await client.disconnect() }
        await server.stop()
    }

    @Test func `a stranger's group is an invitation, which the user accepts`() async throws {
        let server = try await TestServer.start()
        let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
        try await bob.setInvites(from: .contacts)
        let group = try await ann.createGroup(title: "Club", members: [Cast.bob.userID])
        #expect(group.memberCount == 1)
        await #expect(throws: RoostError.self) { try await bob.channel(group.channel).send("x") }
        try await bob.channel(group.channel).answerInvitation(isAccepted: true)
        try await bob.channel(group.channel).send("here I am")
        #expect(try await ann.channel(group.channel).get().memberCount == 2)
        for client in [ann, bob] { await client.disconnect() }
        await server.stop()
    }

    @Test func `user settings prints and changes them on the command line`() async throws {
        let harness = try await ServerHarness()
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(
                ["user", "settings", "--as", "ann"] + arguments, server: harness.url, in: harness.folder
            )
            .result()
        }
        #expect(try await roost().output == ["invites from everybody"])
        let set = try await roost("--invites-from", "contacts")
        #expect(set.status == 0 && set.output == ["done"], "\(set.errors)")
        #expect(try await roost().output == ["invites from contacts"])
        #expect(try await roost("--json").output == [#"{"invitesFrom":"contacts"}"#])
    }
}
