import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct PageSizeTests {
    @Test(arguments: Backend.available)
    func `a page of long messages stays below 256 KiB and loses no row`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        let text = String(repeating: "語", count: 8_000)
        for _ in 0..<30 { try await ann.send(text, to: Cast.lobby) }

        var seqs: [Int64] = []
        var page = try await ann.perform(ListMessages(channel: Cast.lobby, limit: 100))
        #expect(page.events.count < 30)
        seqs = page.events.compactMap(\.seq)
        while page.hasBefore {
            page = try await ann.perform(ListMessages(channel: Cast.lobby, before: seqs.first, limit: 100))
            seqs = page.events.compactMap(\.seq) + seqs
        }
        #expect(seqs == Array(1...30))
    }

    @Test(arguments: Backend.available)
    func `a user who only comes over HTTP can make channels and is known to others`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let bob = try await roost.session(Cast.bob)
        let ann = Actor(user: Cast.ann, deviceID: bob.actor.deviceID, isOperator: false)
        let reply = await roost.core.handle(
            .createChannel(CreateChannel(kind: .single, members: [Cast.bob.userID])), id: "h-1", from: ann)
        #expect(try reply.decode(Acknowledgement.self).channel == Cast.annAndBob)
        #expect(try await bob.perform(ListUsers(userIDs: [Cast.ann.userID])).users == [Cast.ann])
    }
}
