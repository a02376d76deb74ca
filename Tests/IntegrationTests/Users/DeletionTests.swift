import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Deleting users, with real servers, clients and the command line.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DeletionTests {
    /// The files of a folder that contain a text.
    private static func files(in folder: String, with text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + path) else { return false }
            return bytes.firstRange(of: Data(text.utf8)) != nil
        }
    }

    @Test(.firstPassOnly)
    func `a user deletes their account: the device, the server, its files and log forget the person [L-X1]`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (data, phone) = (folder.path + "/data", folder.path + "/phone")
        let server = try Child.roost(
            ["serve", "--dev", "--data", data, "--port", "0", "--log-level", "debug"], in: folder)
        let url = String(try #require(await server.line()).dropFirst("ready ".count))
        try FileManager.default.createDirectory(atPath: phone, withIntermediateDirectories: true)
        let user = User(userID: Cast.ann.userID, name: "Xanthippe Quill")
        let ann = try await StoreClient(user, url: url, direct: url, store: try await LocalStore.open(phone + "/store"))
        let bob = try RecordingClient(url, .guest(Cast.bob.userID, name: "Bob"), device: "bob", positions: nil)
        try await ann.client.connect()
        try await bob.connect()
        let chat = ann.client.channel(try await ann.client.startMessaging(with: Cast.bob.userID).channel)
        try await chat.send("the text stays")
        try await ann.client.setName("Xanthippe Q")
        let own = ann.client.channel(try await ann.client.startMessaging(with: user.userID).channel)
        try await own.send("private note")
        try await ann.settle()
        #expect(try !Self.files(in: data, with: "Xanthippe").isEmpty)
        #expect(try !Self.files(in: phone, with: "private note").isEmpty)

        try await ann.client.deleteUser()
        for text in ["Xanthippe", "private note"] {
            #expect(try Self.files(in: phone, with: text).isEmpty, "\(text)")
        }
        var lines: [String] = []
        while let line = await server.errorLine() {
            lines.append(line)
            if line.contains("deleted user erased") { break }
        }
        for text in ["Xanthippe", "private note"] {
            #expect(try Self.files(in: data, with: text).isEmpty, "\(text)")
            #expect(!lines.contains { $0.contains(text) })
        }
        try await bob.wait("the new name") { event in
            guard case .event(let event, _) = event, case .user(.userProfileChanged(let change)) = event.body else {
                return false
            }
            return change.userID == user.userID && change.profile.name == "Deleted user"
        }
        let page = try await bob.client.channel(chat.id).history(from: .server)
        #expect(page.events.last?.text == "the text stays")
        if case .channel(.messageSent(let message))? = page.events.last?.body {
            #expect(message.senderName == "Deleted user")
        } else {
            Issue.record("the message is gone")
        }
        let again = try RecordingClient(url, .guest(user.userID, name: "Ann"), device: "other", positions: nil)
        do throws(RoostError) {
            try await again.client.connect()
            Issue.record("a deleted user has logged in")
        } catch {
            #expect(error.wire?.entry == .userDeleted && !error.isRetryable)
        }
        await bob.client.disconnect()
        await ann.stop()
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test(.firstPassOnly)
    func `the erasure of a user goes on after each kill -9 and tells everything once [L-X1]`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        var server = try await ServerProcess.start(data: data)
        let (ann, bob) = (HTTPClient.Caller.guest(User(userID: Cast.ann.userID, name: "Xanthippe Quill")), Cast.bob)
        var http = HTTPClient(server)
        for user in [Cast.bob, Cast.cid] { try http.perform(CreateChannel(kind: .own), from: .guest(user)) }
        let groups = try (0..<80).map { try #require(ChannelID(rawValue: "group-\($0)")) }
        for group in groups {
            try http.perform(
                CreateChannel(
                    kind: .group, channel: group, title: "Group", members: [Cast.bob.userID, Cast.cid.userID]),
                from: ann)
            for text in ["one", "two"] { try http.perform(SendMessage(channel: group, text: text), from: ann) }
        }
        #expect(try !Self.files(in: data, with: "Xanthippe").isEmpty)

        /// How many groups the user has left.
        func left() throws -> Int {
            try http.perform(ListChannels(limit: 100), from: .guest(bob)).channels.count { $0.memberCount == 2 }
        }
        try http.perform(DeleteUser(), from: ann)
        var seen: [Int] = []
        // While others are told of the name, while groups are left, and while their logs are rewritten.
        for wanted in [0, 0, 1, 20, 40, 60, 80, 80] {
            try await until { try left() >= wanted }
            seen.append(try left())
            server.kill()
            server = try await ServerProcess.start(data: data, port: server.port)
            http = HTTPClient(server)
        }
        #expect(seen == seen.sorted())
        try await until { try left() == groups.count && Self.files(in: data, with: "Xanthippe").isEmpty }
        for group in groups {
            let log = try http.perform(ListMessages(channel: group, limit: 50), from: .guest(bob))
            #expect(log.events.map(\.seq) == Array(1...Int64(log.events.count)))
            #expect(log.events.compactMap(\.text) == ["one", "two"])
            #expect(log.events.count { $0.name == EventName.memberLeft.rawValue } == 1)
        }
        let session = try RawSession(server)
        #expect(try session.hello(.guest(bob)) == nil)
        try session.send(#"{"id":"own","cmd":"resume","body":{"userSeq":0,"channels":[]}}"#)
        var own: Resume.Answer?
        while own == nil {
            switch try session.next() {
            case .result(_, let bytes): own = try WireCodec.decode(Resume.Answer.self, from: bytes)
            case .failure(_, let error): throw error
            default: continue
            }
        }
        #expect(own?.hasMore == false)
        #expect(own?.events.count { $0.name == EventName.userProfileChanged.rawValue } == 1)
        #expect(try http.refusal(GetUnread(), from: ann)?.entry == .userDeleted)
        #expect(server.stop() == 0)
    }

    @Test func `an operator deletes a user on the command line, whose messages go too if so told`() async throws {
        let harness = try await ServerHarness(options: ["--deleted-user-name", "Nobody"])
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let talk = try await ann.start(with: Cast.bob)
        try await talk.send("gone with ann")
        let token = try #require(
            try await Child.roost(
                ["token", "--data", harness.data, "--user", "op", "--operator"], in: harness.folder
            ).result().output.first)
        func delete(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(
                ["user", "delete", "--token", token] + arguments, server: harness.url, in: harness.folder
            ).result()
        }
        let unconfirmed = try await delete("ann")
        #expect(unconfirmed.status == 2)
        #expect(unconfirmed.errors.contains("--yes"))
        let unknown = try await delete("nobody", "--yes", "--json")
        #expect(unknown.status == 1 && unknown.errors.contains(#""code":7011,"#))
        #expect(try await delete("ann", "--messages", "--yes").output == ["deleted ann"])
        try await ann.wait("the end") { event in
            if case .disconnected(let error?) = event { error.message.contains("4403") } else { false }
        }
        // It is done in the background.
        let chat = bob.client.channel(talk.id)
        try await until { try await chat.history(from: .server).events.allSatisfy { $0.text == nil } }
        #expect(try await bob.client.users([Cast.ann.userID]).map(\.name) == ["Nobody"])
        #expect(try await bob.client.unread().total == 0)
        let refused = try HTTPClient(harness).post("unread.get", "{}", from: .guest(Cast.ann))
        #expect(refused.status == 403 && refused.error?.entry == .userDeleted)
        for person in [ann, bob] { await person.client.disconnect() }
    }
}
