import Foundation
import RoostTesting
import RoostWire
import Testing

/// Who is connected to which of two servers, as notifications show it.
@Suite(.serialized, .needsPostgres, .firstPassOnly, .timeLimit(.minutes(3))) struct ServerConnectionsTests {
    /// Two servers with a webhook, and a group of Ann, Bob and Cid. Bob has an address on the device that connects, Cid on
    /// one that never does.
    private struct Place {
        let pair: ServerPair
        let receiver: PushReceiver
        let ann: HTTPClient.Caller
        let bob: HTTPClient.Caller
        private let folder = try? TemporaryFolder()

        init() async throws {
            receiver = try await PushReceiver.start()
            let path = try #require(folder).path + "/push.json"
            let json = #"{"webhook": {"url": "\#(receiver.url)", "secret": "0123456789abcdef0123456789abcdef"}}"#
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data(json.utf8), attributes: [.posixPermissions: 0o600]))
            pair = try await ServerPair(options: ["--push", path])
            ann = try await pair.caller(Cast.ann)
            bob = try await pair.caller(Cast.bob, device: "op")
            let cid = try await pair.caller(Cast.cid)
            let http = HTTPClient(pair.servers[0])
            for (user, caller) in [(Cast.bob, bob), (Cast.cid, cid)] {
                try http.perform(
                    SetDeviceAddress(address: PushAddress(gateway: .webhook, token: user.userID.rawValue)), from: caller
                )
            }
            try http.perform(
                CreateChannel(
                    kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)]),
                from: ann)
            // Both are notified of that.
            await receiver.wait(for: 2)
        }

        func connect(_ server: Int) throws -> RawSession {
            let session = try RawSession(pair.servers[server])
            let error = try session.hello(bob)
            #expect(error == nil)
            return session
        }

        /// Sends a message and waits until Cid is notified of it.
        func send(_ text: String, at server: Int) async throws {
            try HTTPClient(pair.servers[server]).perform(SendMessage(channel: Cast.club, text: text), from: ann)
            try await wait(for: text, of: Cast.cid)
        }

        func wait(for text: String, of user: User) async throws {
            while true {
                let count = receiver.received.count
                if try texts(of: user).contains(text) { return }
                await receiver.wait(for: count + 1)
            }
        }

        func texts(of user: User) throws -> [String] {
            try receiver.received.map { try WireCodec.decode(PushDelivery.self, from: $0.body) }
                .filter { $0.token == user.userID.rawValue }.compactMap(\.roost.body).dropFirst().map { $0 }
        }
    }

    @Test func `a device that is connected to the other server is not notified until it has left`() async throws {
        let place = try await Place()
        let session = try place.connect(1)
        for number in 0..<10 { try await place.send("\(number)", at: number % 2) }
        let http = HTTPClient(place.pair.servers[0])
        let head = try http.perform(GetChannel(channel: Cast.club), from: place.bob).seq
        try http.perform(SetReadMark(channel: Cast.club, seq: head), from: place.bob)
        // Afterwards the server notes the end of the connection.
        try session.sayGoodbye()
        var count = 0
        while try place.texts(of: Cast.bob).last?.hasPrefix("after") != true {
            count += 1
            try await place.send("after \(count)", at: 0)
        }
        #expect(try place.texts(of: Cast.bob).allSatisfy { Int($0) == nil })
        for server in place.pair.servers { #expect(server.stop() == 0) }
    }

    @Test func `what a device has missed whose server hangs or is killed is pushed once`() async throws {
        let place = try await Place()
        let first = try place.connect(1)
        try await place.send("received", at: 0)
        place.pair.servers[1].freeze()
        try await place.send("missed while it hung", at: 0)
        try await place.wait(for: "missed while it hung", of: Cast.bob)
        place.pair.servers[1].thaw()
        // Its connections are closed, because they lack what was written in the meantime.
        while (try? first.next()) != nil {}
        let second = try place.connect(1)
        try await place.send("received again", at: 0)
        place.pair.servers[1].kill()
        try await place.send("missed when it was killed", at: 0)
        try await place.wait(for: "missed when it was killed", of: Cast.bob)
        try await place.send("later", at: 0)
        try await place.wait(for: "later", of: Cast.bob)
        let texts = try place.texts(of: Cast.bob).filter { $0 == "later" || $0.hasPrefix("missed") }
        #expect(texts == ["missed while it hung", "missed when it was killed", "later"])
        withExtendedLifetime(second) {}
        #expect(place.pair.servers[0].stop() == 0)
    }
}
