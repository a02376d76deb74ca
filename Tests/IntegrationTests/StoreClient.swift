import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A user with a store on one device, and a second device without a store, which queries the server for comparison.
final class StoreClient: Sendable {
    let user: User
    let client: ChatClient
    let store: LocalStore
    private let truth: ChatClient

    /// - Parameters:
    /// - url: the URL for the device with the store.
    /// - direct: the URL for the other device.
    init(_ user: User, url: String, direct: String, store: LocalStore, device: String = "phone") async throws {
        func configuration(_ url: String, _ device: String) throws -> ClientConfiguration {
            ClientConfiguration(
                server: url, credentials: .guest(user.userID, name: user.name),
                deviceID: try #require(DeviceID(rawValue: device)))
        }
        self.user = user
        self.store = store
        var phone = try configuration(url, device)
        phone.store = store
        phone.keepsTryingToConnect = true
        client = ChatClient(configuration: phone)
        truth = ChatClient(configuration: try configuration(direct, device + "-truth"))
        try await truth.connect()
    }

    /// Waits until all sends are stored on the server, and the local store has everything from the server.
    func settle() async throws {
        let changes = client.changes()
        try await untilEqual(changes, "the queue of \(user.userID)") { (Set(try await self.store.queue()), []) }
        let heads = try await channels().mapValues(\.seq)
        try await untilEqual(changes, "the positions of \(user.userID)") {
            let known = await self.client.positions?.channels ?? []
            return (Set(known.map { "\($0.channel) \($0.seq)" }), Set(heads.map { "\($0.key) \($0.value)" }))
        }
        // Its change of the store comes after everything that is waiting to be stored.
        for id in heads.keys { try await client.channel(id).markRead(upTo: 0) }
        try await untilEqual(changes, "the list of \(user.userID)") {
            let here = try await self.store.channels(limit: .max).map(Line.init)
            return (Set(here), Set(try await self.channels().values.map(Line.init)))
        }
    }

    /// Compares the rows of all channels, as read offline, with those on the server.
    /// - Returns: the rows of each channel.
    func check() async throws -> [ChannelID: [Event]] {
        await client.disconnect()
        var all: [ChannelID: [Event]] = [:]
        for (id, channel) in try await channels() {
            let log = try await log(of: id)
            #expect(log.compactMap(\.seq) == (0..<channel.seq).map { $0 + 1 }, "\(id) has no gap")
            let rows = log.filter { EventName(rawValue: $0.name)?.isShown == true }
            var here: [Event] = []
            var page: HistoryPage
            repeat {
                page = try await client.channel(id).history(before: here.first?.seq, limit: 100)
                here = page.events + here
            } while page.hasBefore && !page.events.isEmpty
            #expect(!page.hasBefore, "\(user.userID) has \(id) to its beginning")
            #expect(here.compactMap(\.seq) == rows.compactMap(\.seq), "the rows of \(id) at \(user.userID)")
            #expect(here == rows, "what the rows of \(id) say at \(user.userID)")
            all[id] = log
        }
        return all
    }

    func stop() async {
        await client.disconnect()
        await truth.disconnect()
    }

    /// The user's channels on the server.
    func channels() async throws -> [ChannelID: Channel] {
        var channels: [ChannelID: Channel] = [:]
        var after: String?
        repeat {
            let page = try await truth.channels(limit: 100, cursor: after)
            for channel in page { channels[channel.channel] = channel }
            after = page.next
        } while after != nil
        return channels
    }

    private func log(of id: ChannelID) async throws -> [Event] {
        var rows: [Event] = []
        while true {
            let page = try await truth.channel(id).log(after: rows.last?.seq ?? 0, limit: 100)
            rows += page.events
            if !page.hasAfter { return rows }
        }
    }

    /// The visible data of an entry in the channel list.
    private struct Line: Hashable {
        let id: ChannelID
        let seq: Int64
        let unread: Int?
        let mentions: Int?
        let last: Event?
        let memberCount: Int

        init(_ channel: Channel) {
            id = channel.channel
            seq = channel.seq
            unread = channel.unread
            mentions = channel.mentions
            last = channel.lastMessage
            // Subscribers of news are not disclosed.
            memberCount = channel.kind.isNews ? 0 : channel.memberCount
        }
    }

    /// Compares again after each commit of the store, until local and server data are equal.
    private func untilEqual<T: Hashable>(
        _ changes: LocalChanges, _ what: String, _ look: () async throws -> (here: Set<T>, there: Set<T>)
    ) async throws {
        var last = try await look()
        if last.here == last.there { return }
        for await _ in changes {
            last = try await look()
            if last.here == last.there { return }
        }
        let (more, less) = (last.here.subtracting(last.there), last.there.subtracting(last.here))
        throw ExpectationFailure(
            description: "\(what), state \(await client.state): \(Array(more)) instead of \(Array(less))")
    }
}
