import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Notifications that devices show, and that are withdrawn when the message was read elsewhere or recalled.
@Suite struct WithdrawalsTests {
    /// The cast, with a phone and a tablet of Bob's that are not connected, and a connected device.
    private func stage(_ roost: TestCore) async throws -> Stage {
        let stage = try await Stage(roost)
        try await stage.makePair()
        try await stage.makeClub()
        for device in ["phone", "tablet"] as [DeviceID] { try await setAddress(of: Cast.bob, device, on: roost) }
        await stage.forgetEvents()
        return stage
    }

    private func setAddress(
        of user: User, _ device: DeviceID, _ gateway: PushGateway = .webhook, on roost: TestCore
    ) async throws {
        var address = PushAddress(gateway: gateway, token: "\(user.userID)-\(device)")
        if gateway == .web {
            address.token = "https://fcm.googleapis.com/\(device)"
            (address.publicKey, address.authSecret) = (
                String(repeating: "A", count: 87), String(repeating: "A", count: 22)
            )
        }
        let actor = Actor(user: user, deviceID: device, isOperator: false)
        let reply = await roost.core.handle(SetDeviceAddress(address: address).any, id: roost.transID(), from: actor)
        if case .refused(let error) = reply { throw error }
    }

    /// The notifications that devices get, which show them.
    private func pushes(_ roost: TestCore, to gateway: PushGateway = .webhook) async throws -> [PushRequest] {
        try await roost.pushes(to: gateway, showsThem: true).sent.sorted { $0.token < $1.token }
    }

    private func rows(_ database: any SQLDatabase) async throws -> Int64? {
        try await database.read { try $0.rows("SELECT COUNT(*) FROM shown_pushes") { try $0.int(0) }.first }
    }

    @Test(arguments: Backend.available)
    func `what was read on another device is withdrawn, once from each device that shows it`(
        backend: Backend
    ) async throws {
        let stage = try await stage(try TestCore(backend))
        let roost = stage.roost
        var shown: [PushPayload] = []
        for text in ["one", "two", "three"] {
            try await stage.ann.send(text, to: Cast.club)
            shown += try await pushes(roost).filter { $0.token == "bob-phone" }.map(\.payload)
        }
        let other = try await stage.ann.send("other", to: Cast.annAndBob)
        shown += try await pushes(roost).filter { $0.token == "bob-phone" }.map(\.payload)
        #expect(shown.map(\.text) == ["one", "two", "three", "other"])
        let second = try #require(shown[1].seq)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: second))
        let first = try await pushes(roost)
        #expect(first.map(\.token) == ["bob-phone", "bob-tablet"])
        let payload = try #require(first.first?.payload)
        #expect(payload.kind == .withdrawal && payload.event == "readMark.moved" && payload.userID == Cast.bob.userID)
        #expect(payload.channel == Cast.club && payload.seq == second && payload.messageID == nil)
        #expect(payload.text == nil && payload.senderID == nil && payload.title == nil && payload.body.isEmpty)
        #expect(payload.unread == 1 && payload.badge == 2)
        #expect(shown.map(payload.withdraws) == [true, true, false, false])
        // Nothing is withdrawn twice, and a mark that does not move withdraws nothing.
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: second))
        #expect(try await pushes(roost).isEmpty)
        try await stage.bob.perform(SetAllReadMarks())
        let rest = try await pushes(roost).filter { $0.token == "bob-phone" }.map(\.payload)
        #expect(rest.compactMap(\.channel).sorted() == [Cast.annAndBob, Cast.club].sorted())
        #expect(rest.allSatisfy { $0.badge == 0 })
        #expect(shown.map { one in rest.contains { $0.withdraws(one) } } == [true, true, true, true])
        #expect(shown.last?.seq == other.seq)
    }

    @Test(arguments: Backend.available)
    func `a recalled message is withdrawn from all who show it, and nothing else is`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await stage(try TestCore(database: database, resource: resource))
        let roost = stage.roost
        try await setAddress(of: Cast.cid, "phone", on: roost)
        let sent = try await stage.ann.send("oops", to: Cast.club)
        let kept = try await stage.ann.send("kept", to: Cast.club)
        let shown = try await pushes(roost).map(\.payload)
        #expect(shown.count == 6)
        let id = try #require(sent.messageID)
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [id]))
        let withdrawn = try await pushes(roost)
        #expect(withdrawn.map(\.token) == ["bob-phone", "bob-tablet", "cid-phone"])
        for payload in withdrawn.map(\.payload) {
            #expect(payload.event == "message.recalled" && payload.messageID == id && payload.seq == sent.seq)
            #expect(payload.text == nil && payload.unread == 1)
            #expect(
                Set(shown.filter(payload.withdraws).map(\.seq)) == [sent.seq]
                    && shown.filter { $0.userID == payload.userID && $0.seq == kept.seq }.allSatisfy {
                        !payload.withdraws($0)
                    })
        }
        #expect(try await rows(database) == 3)
        // What is still shown goes when the device is removed, or the notification is too old.
        for device in ["phone", "tablet"] as [DeviceID] {
            _ = await roost.core.handle(
                RemoveDevice().any, id: roost.transID(),
                from: Actor(user: Cast.bob, deviceID: device, isOperator: false))
        }
        #expect(try await rows(database) == 1)
        await stage.settle()
        roost.clock.advance(by: 8 * 86_400_000)
        await stage.settle()
        #expect(try await rows(database) == 0)
    }

    @Test(arguments: Backend.available)
    func `what was read or recalled while its notification was on its way is withdrawn`(backend: Backend) async throws {
        let stage = try await stage(try TestCore(backend))
        let core = stage.roost.core
        let first = try await stage.ann.send("read", to: Cast.annAndBob)
        let second = try await stage.ann.send("recalled", to: Cast.club)
        await stage.settle()
        var ends: [(push: LeasedPush, end: PushEnd)] = []
        for push in try await core.leasePushes(of: .webhook, limit: 10, for: 60_000) {
            if case .send(let request) = try await core.request(for: push) { ends.append((push, .sent(request))) }
        }
        #expect(ends.count == 4)
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: first.seq))
        let id = try #require(second.messageID)
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [id]))
        #expect(try await pushes(stage.roost).isEmpty)
        try await core.endPushes(ends)
        let withdrawn = try await pushes(stage.roost).map(\.payload)
        #expect(
            withdrawn.map(\.event).sorted() == [
                "message.recalled", "message.recalled", "readMark.moved", "readMark.moved",
            ])
    }

    @Test(arguments: Backend.available)
    func `recalling many messages that nobody shows holds up no notification`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await stage(try TestCore(database: database, resource: resource))
        var ids: [MessageID] = []
        for number in 0..<40 {
            ids.append(try #require(try await stage.ann.send("\(number)", to: Cast.club).messageID))
            // Some are shown.
            if number < 3 { _ = try await pushes(stage.roost) }
        }
        _ = try await stage.roost.pushes()
        #expect(try await rows(database) == 6)
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: ids))
        let lines = try await database.read { connection in
            try connection.rows("SELECT items FROM push_outbox") {
                String(decoding: try $0.content(0), as: UTF8.self).split(separator: "\n").count
            }
        }
        #expect(lines.reduce(0, +) <= 3)
        let withdrawn = try await pushes(stage.roost)
        #expect(withdrawn.count == 6 && withdrawn.allSatisfy { $0.payload.event == "message.recalled" })
        withExtendedLifetime(resource) {}
    }

    @Test func `a connected device, a browser and one without an address get no withdrawal`() async throws {
        let stage = try await stage(try TestCore())
        let roost = stage.roost
        try await setAddress(of: Cast.bob, "browser", .web, on: roost)
        try await setAddress(of: Cast.bob, "laptop", on: roost)
        let sent = try await stage.ann.send("hello", to: Cast.club)
        #expect(try await pushes(roost).count == 3)
        #expect(try await pushes(roost, to: .web).count == 1)
        _ = try await roost.session(Cast.bob, device: "tablet")
        try await setAddress(of: Cast.cid, "laptop", on: roost)
        let push = try await stage.ann.send("more", to: Cast.annAndBob)
        await stage.settle()
        for leased in try await roost.core.leasePushes(of: .webhook, limit: 10, for: 60_000) {
            let isLaptop = leased.device == "laptop"
            try await roost.core.endPushes([(leased, isLaptop ? .gone(token: "bob-laptop") : .done)])
        }
        for (channel, seq) in [(Cast.club, sent.seq), (Cast.annAndBob, push.seq)] {
            try await stage.bob.perform(SetReadMark(channel: channel, seq: seq))
        }
        #expect(try await pushes(roost).map(\.token) == ["bob-phone"])
        #expect(try await pushes(roost, to: .web).isEmpty)
    }
}
