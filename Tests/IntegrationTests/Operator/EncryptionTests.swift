import Foundation
import RoostClient
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A real server that encrypts what users write.
@Suite(.serialized, .timeLimit(.minutes(3))) struct EncryptionTests {
    /// A data folder with a file of keys beside it, and the options for a server with them.
    private struct Place {
        let folder: TemporaryFolder
        /// The options that choose the store.
        let store: [String]
        var keyFile: String { folder.path + "/keys" }
        var data: String { folder.path + "/data" }

        init() throws {
            folder = try TemporaryFolder()
            store = try Store.serveArguments()
        }

        /// Writes a file of keys, each of one repeated digit.
        func write(_ digits: String..., mode: Int = 0o600) throws {
            let text = digits.map { String(repeating: $0, count: 64) + "\n" }.joined()
            try Data(text.utf8).write(to: URL(fileURLWithPath: keyFile))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keyFile)
        }

        func start(isEncrypted: Bool = true) async throws -> ServerProcess {
            try await ServerProcess.start(
                data: data, arguments: store + (isEncrypted ? ["--encryption-key", keyFile] : []))
        }

        /// What a server says that does not start.
        func refusal(isEncrypted: Bool = true) async throws -> String {
            let options = isEncrypted ? ["--encryption-key", keyFile] : []
            let result = try await Child.roost(
                ["serve", "--dev", "--data", data, "--port", "0", "--log-level", "warning"] + store + options,
                in: folder
            ).result()
            #expect(result.status == 1 && result.output.isEmpty)
            return result.errors
        }

        /// Whether the files of the data folder or the tables contain a text, after the server has stopped.
        func holds(_ text: String) throws -> Bool {
            if let url = store.last {
                let database = try Postgres.open(url)
                defer { try? database.close() }
                if try StoredBytes.contain(text, inTablesOf: database) { return true }
            }
            return try StoredBytes.contain(text, inFolder: data)
        }
    }

    private func client(_ server: ServerProcess, _ user: User) async throws -> RecordingClient {
        let client = try RecordingClient(
            server.url, .guest(user.userID, name: user.name), device: user.userID.rawValue, positions: nil)
        try await client.connect()
        return client
    }

    @Test
    func
        `with a key, members read texts that the stored files and tables do not contain, and messages say that they are encrypted [L-100]`()
        async throws
    {
        let place = try Place()
        try place.write("a")
        var server = try await place.start()
        var ann = try await client(server, Cast.ann)
        let bob = try await client(server, Cast.bob)
        let chat = try await ann.start(with: Cast.bob)
        let text = "The keys are under the third flowerpot."
        try await chat.send(text)
        for person in [ann, bob] {
            #expect(try await person.message(text, in: chat.id).message?.isEncrypted == true)
            let page = try await person.channel(chat.id).history(from: .server)
            #expect(page.events.map(\.message?.text) == [text] && page.events.map(\.message?.isEncrypted) == [true])
            let last = try await person.channel(chat.id).get().lastMessage
            #expect(last?.message?.text == text && last?.message?.isEncrypted == true)
        }
        #expect(server.stop() == 0)
        #expect(try !place.holds("flowerpot"))
        // Titles are not encrypted, so the search finds what is there.
        server = try await place.start()
        ann = try await client(server, Cast.ann)
        #expect(try await ann.channel(chat.id).history(from: .server).events.map(\.message?.text) == [text])
        _ = try await ann.client.createGroup(title: "Flowerpots", members: [Cast.bob.userID])
        #expect(server.stop() == 0)
        #expect(try place.holds("Flowerpots"))
    }

    @Test
    func `encryption can be switched on later, the key can be changed, and no server starts without the keys in use`()
        async throws
    {
        let place = try Place()
        var expected: [String] = []
        for (text, keys) in [("plain", []), ("first key", ["a"]), ("second key", ["b", "a"])] {
            if keys.count == 1 { try place.write("a") } else if keys.count == 2 { try place.write("b", "a") }
            let server = try await place.start(isEncrypted: !keys.isEmpty)
            let ann = try await client(server, Cast.ann)
            try await ann.channel(Cast.lobby).join()
            try await ann.channel(Cast.lobby).send(text)
            expected.append(text)
            let events = try await ann.channel(Cast.lobby).history(from: .server).events
            #expect(events.map(\.message?.text) == expected)
            #expect(events.map(\.message?.isEncrypted) == expected.map { $0 == "plain" ? nil : true })
            #expect(server.stop() == 0)
        }
        #expect(try place.holds("plain") && !place.holds("first key") && !place.holds("second key"))
        #expect(try await place.refusal(isEncrypted: false).contains("Start with --encryption-key FILE"))
        for key in ["a", "b", "c"] {
            try place.write(key)
            #expect(try await place.refusal().contains("Add that key to the file, on a line after the first one."))
        }
    }

    @Test(.firstPassOnly)
    func `a file of keys that is missing, readable by others or malformed is refused, and not shown`()
        async throws
    {
        let place = try Place()
        #expect(try await place.refusal().contains("openssl rand -hex 32"))
        try place.write("a", mode: 0o640)
        #expect(try await place.refusal().contains("chmod 600 \(place.keyFile)"))
        for text in ["", "abc", String(repeating: "a", count: 63), String(repeating: "A", count: 64)] {
            try place.write()
            try Data(text.utf8).write(to: URL(fileURLWithPath: place.keyFile))
            let refusal = try await place.refusal()
            #expect(refusal.contains("at least 64 digits of 0-9 and a-f") && !refusal.contains("aaaa"))
        }
        try place.write("a", "b")
        let most = String(repeating: String(repeating: "a", count: 64) + "\n", count: 33)
        try Data(most.utf8).write(to: URL(fileURLWithPath: place.keyFile))
        #expect(try await place.refusal().contains("more than 32 keys"))
        #expect(!FileManager.default.fileExists(atPath: place.data + "/roost.sqlite"))
    }
}

extension Event {
    /// The message that it carries.
    fileprivate var message: Message? {
        if case .channel(.messageSent(let message)) = body { message } else { nil }
    }
}
