import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

// Steps 1, 2 and 14: accounts, connections and profiles.
extension GroupStory {
    private static let phone = "+491701234567"

    /// Runs a command about accounts, with the password of a user.
    private func account(
        _ verb: String, _ arguments: [String], password user: User, by token: String
    ) async throws -> Child.Result {
        let path = harness.folder.path + "/\(user.userID).txt"
        try Self.password(of: user).write(toFile: path, atomically: true, encoding: .utf8)
        let all = ["account", verb, "--json", "--token", token, "--password-file", path] + arguments
        return try await Child.roost(all, server: harness.url, in: harness.folder).result()
    }

    /// Step 1: the command line registers and authenticates.
    func registersAccounts() async throws {
        let boss = try await Self.token(harness, "--user", "boss", "--operator")
        for user in [Cast.ann, Cast.bob, Cast.cid] {
            let id = user.userID.rawValue
            let phone = user == Cast.bob ? ["--phone", Self.phone] : []
            let arguments = [id, "--user-id", id, "--display-name", user.name] + phone
            let made = try await account("register", arguments, password: user, by: boss)
            #expect(made.status == 0, "\(made.errors)")
            #expect(try made.objects().first?["userID"] as? String == id)
        }
        let good = try await account("check", ["ann"], password: Cast.ann, by: boss)
        #expect(good.status == 0, "\(good.errors)")
        let refusals = [
            (603, try await account("register", ["ann"], password: Cast.ann, by: boss)),
            (601, try await account("check", ["ann"], password: Cast.bob, by: boss)),
            (602, try await account("check", ["nobody"], password: Cast.bob, by: boss)),
        ]
        for (code, result) in refusals {
            #expect(result.status == 1)
            #expect(try Child.object(result.errors)["code"] as? Int == code)
        }
    }

    /// A client that keeps its data in a store.
    private func client(_ credentials: Credentials, _ store: LocalStore) -> ChatClient {
        var configuration = ClientConfiguration(server: harness.url, credentials: credentials, deviceID: "tablet")
        configuration.store = store
        return ChatClient(configuration: configuration)
    }

    /// Step 1: a wrong password is 1, and the data of another user 6000 until it is cleaned.
    func changesTheUserOfADevice() async throws {
        let wrong = try RecordingClient(
            harness.url, .password("not the password", of: "ann"), device: "wrong", positions: nil)
        await refuses(.wrongCredentials) { try await wrong.client.connect() }
        let file = harness.folder.path + "/tablet.sqlite"
        do {
            let store = try await LocalStore.open(file)
            let client = client(.password(Self.password(of: Cast.ann), of: "ann"), store)
            try await client.connect()
            #expect(try await client.account().userID == Cast.ann.userID)
            await client.disconnect()
            try store.close()
        }
        let store = try await LocalStore.open(file)
        let client = client(.password(Self.password(of: Cast.bob), of: "bob"), store)
        await refuses(.notCurrentUser) { try await client.connect() }
        #expect(try await store.owner == Cast.ann.userID)
        try await client.clean()
        #expect(try await store.owner == nil)
        try await client.connect()
        #expect(try await store.owner == Cast.bob.userID)
        await client.disconnect()
    }

    /// Step 1: users are found by phone number and login name; a number that is not one is 8.
    func findsUsers() async throws {
        let client = ann.client
        try await ann.connect()
        #expect(try await client.account().source == .registered)
        let byPhone = try await client.findUsers(phones: [Self.phone, "+491700000000"])
        #expect(byPhone.map(\.userID) == [Cast.bob.userID])
        #expect(byPhone.first?.phone == Self.phone)
        let byName = try await client.findUsers(loginNames: ["bob", "unknown"])
        #expect(byName.map(\.userID) == [Cast.bob.userID])
        #expect(byName.first?.canChat == true)
        await refuses(.numberFormat) { try await client.findUsers(phones: ["0170 1234567"]) }
        await client.disconnect()
    }

    /// Step 2: nothing works before connecting; then each device registers its token.
    func connectsDevices() async throws {
        let http = HTTPClient(harness)
        let early = try http.refusal(JoinChannel(channel: Cast.lobby), from: fayCaller)
        #expect(early?.entry == .functionUnavailable)
        if let early { codes.note(early.code) }
        for person in everybody + [cidAway] {
            #expect(await code { try await person.client.send([.text("too early")], to: [Cast.club]) } == .notConnected)
            #expect(await person.client.state != .live)
            let mark = person.mark
            try await person.connect()
            try await person.wait("connected", since: mark) { if case .connected = $0 { true } else { false } }
            for await state in person.client.states where state == .live { break }
        }
        let devices = [(ann, "ann-1"), (annToo, "ann-2"), (cid, "cid-1"), (cidToo, "cid-2"), (bob, "bob-1")]
        for (person, token) in devices + [(dee, "dee-1"), (eve, "eve-1"), (fay, "fay-1")] {
            try await person.client.setPushAddress(PushAddress(gateway: .webhook, token: token))
        }
        let away = PushAddress(gateway: .webhook, token: "cid-3", voipToken: "cid-3-calls")
        try await cidAway.client.setPushAddress(away)
        #expect(try await cidAway.client.device().address == away)
        #expect(try await bob.client.device().address?.token == "bob-1")
        let second = PushAddress(gateway: .webhook, token: "bob-2")
        try await bobToo.client.setPushAddress(second, removesOthers: true)
        #expect(try await bob.client.device().address == nil)
        #expect(try await bobToo.client.device().address == second)
        let all = try await cid.client.devices()
        #expect(all.map(\.deviceID) == ["cid-1", "cid-2", "cid-3"])
    }

    /// Step 14: own devices and the users of the same channels get one event per change, strangers none.
    func changesTheUserProfile() async throws {
        let marks = everybody.map(\.mark)
        let path = try TransferFile.jpeg("face.jpg", in: harness.folder)
        let steps = ProgressLog()
        #expect(try await ann.client.setName("Annabel") == UserProfile(name: "Annabel"))
        try await waitForProfile(UserProfile(name: "Annabel"), since: marks)
        let file = try await ann.client.setAvatar(LocalFile(path: path)) { progress in
            steps.note(progress.completedBytes, of: progress.totalBytes)
        }
        #expect(steps.completed.last == steps.total)
        let picture = UserProfile(imageURL: FileRules.reference(to: file.fileID))
        try await waitForProfile(picture, since: marks)
        #expect(try await bob.client.users([Cast.ann.userID]).first?.imageURL == picture.imageURL)
        try await ann.client.removeAvatar()
        try await waitForProfile(UserProfile(imageURL: ""), since: marks)
        #expect(try await bob.client.files([file.fileID]).isEmpty)
        let changes = [UserProfile(name: "Annabel"), picture, UserProfile(imageURL: "")]
        try await settle([ann, annToo, bob, bobToo, cid, cidToo, eve], "after the profile", by: ann)
        // Dee was a member once; Fay never shared a channel with Ann.
        try await fay.start(with: Cast.dee).send("between strangers")
        for person in [dee, fay] { try await person.message("between strangers") }
        for (person, mark) in zip(everybody, marks) {
            let found = told(person, .userProfileChanged, since: mark).compactMap {
                $0.body.profile(of: Cast.ann.userID)
            }
            #expect(found == (isStranger(person) ? [] : changes))
        }
    }

    private func isStranger(_ person: RecordingClient) -> Bool { person === dee || person === fay }

    /// Waits until a change of Ann has reached everybody else: of changes at once, they are told together.
    private func waitForProfile(_ profile: UserProfile, since marks: [Int]) async throws {
        for (person, mark) in zip(everybody, marks) where !isStranger(person) {
            try await person.wait("Ann's profile", since: mark) { $0.row?.body.profile(of: "ann") == profile }
        }
    }
}
