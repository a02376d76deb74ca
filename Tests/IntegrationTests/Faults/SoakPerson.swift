import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization

/// A user of a soak, who does one thing after the other until the round is over.
final class SoakPerson: Sendable {
    private enum Act: String, CaseIterable {
        case send, react, unreact, recall, delete, read, type, query, reconnect, resume, leave, create, file, download

        /// How often it is done, compared with the others.
        var weight: Int {
            switch self {
            case .send: 44
            case .read, .query: 10
            case .react, .type: 8
            case .reconnect: 4
            case .unreact, .recall, .delete: 3
            case .resume, .leave, .download: 2
            case .file, .create: 1
            }
        }

        /// Each as often as its weight says.
        static let all = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    /// A message that this user was shown.
    private struct Shown {
        let channel: ChannelID
        let message: MessageID
        let sender: UserID?
    }

    private struct State {
        var newest: [Shown] = []
        /// The newest files that this user was shown.
        var files: [FileReference] = []
        var positions: SyncPositions?
    }

    /// How long a user waits on average before the next act.
    private static let pause = 1_000

    let user: User
    /// The groups of the soak that the user is in, and the 1-on-1s.
    private let groups: [ChannelID]
    private let singles: [ChannelID]
    private let others: [UserID]
    private let url: String
    private let folder: TemporaryFolder
    private let record: SoakRecord
    private let boss: ChatClient
    private let state = Mutex(State())

    init(
        _ user: User, groups: [ChannelID], singles: [ChannelID], others: [UserID], url: String,
        folder: TemporaryFolder, record: SoakRecord, boss: ChatClient
    ) {
        self.user = user
        self.groups = groups
        self.singles = singles
        self.others = others
        self.url = url
        self.folder = folder
        self.record = record
        self.boss = boss
    }

    /// Creates a client of this user.
    func client(device: String, positions: SyncPositions? = nil) throws -> ChatClient {
        guard let device = DeviceID(rawValue: device) else { throw ExpectationFailure.other }
        var configuration = ClientConfiguration(server: url, credentials: .guest(user.userID), deviceID: device)
        configuration.positions = positions
        configuration.keepsTryingToConnect = true
        return ChatClient(configuration: configuration)
    }

    /// Connects where the last round has ended, acts until the end of the round, and disconnects.
    func run(until end: ContinuousClock.Instant, _ random: SeededNumbers) async {
        var random = random
        do {
            let client = try client(device: "phone", positions: state.withLock { $0.positions })
            let events = client.events()
            let reader = Task { await read(events) }
            try await client.connect()
            while true {
                let pause = Duration.milliseconds(Int.random(in: 0...2 * Self.pause, using: &random))
                if ContinuousClock.now + pause >= end { break }
                try await Task.sleep(for: pause)
                guard let act = Act.all.randomElement(using: &random) else { break }
                do {
                    try await perform(act, client, &random)
                    record.did(act.rawValue)
                } catch {
                    record.note(error, in: act.rawValue)
                }
            }
            let positions = await client.positions
            state.withLock { $0.positions = positions }
            await client.disconnect()
            reader.cancel()
            await reader.value
        } catch {
            record.fault("\(user.userID) could not take part: \(error)")
        }
    }

    private func perform(_ act: Act, _ client: ChatClient, _ random: inout SeededNumbers) async throws {
        switch act {
        case .send: try await send(.text(Self.text(&random)), client, &random)
        case .react, .unreact, .recall, .delete: try await change(act, client, &random)
        case .read:
            guard let channel = (groups + singles).randomElement(using: &random) else { return }
            try await client.channel(channel).markRead()
        case .type:
            guard let channel = groups.randomElement(using: &random) else { return }
            client.channel(channel).keystroke()
        case .query: try await query(client, &random)
        case .reconnect:
            await client.disconnect()
            try await client.connect()
        case .resume: try await resume(client)
        case .leave:
            guard let group = groups.randomElement(using: &random) else { return }
            try await client.channel(group).leave()
            try await boss.channel(group).invite([user.userID])
        case .create: try await create(client, &random)
        case .file: try await upload(client, &random)
        case .download:
            guard let file = state.withLock({ $0.files }).randomElement(using: &random) else { return }
            let path = folder.path + "/\(user.userID)-copy"
            try await client.download(file, to: path)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private static func text(_ random: inout SeededNumbers) -> String {
        String(repeating: "word ", count: Int.random(in: 1...40, using: &random))
    }

    private func send(_ content: MessageContent, _ client: ChatClient, _ random: inout SeededNumbers) async throws {
        guard let channel = (groups + groups + singles).randomElement(using: &random) else { return }
        let start = ContinuousClock.now
        record.note(try await client.channel(channel).send(content), since: start)
    }

    /// Changes a message of a group that was shown lately.
    private func change(_ act: Act, _ client: ChatClient, _ random: inout SeededNumbers) async throws {
        let newest = state.withLock { $0.newest }
        let mine = newest.filter { $0.sender == user.userID }
        guard let shown = (act == .recall ? mine : newest).randomElement(using: &random) else { return }
        let channel = client.channel(shown.channel)
        let emoji = ["👍", "❤️", "😀"].randomElement(using: &random) ?? "👍"
        switch act {
        case .react: try await channel.react(with: emoji, to: shown.message)
        case .unreact: try await channel.removeReaction(emoji, from: shown.message)
        case .recall: try await channel.recall([shown.message])
        default: try await channel.delete([shown.message])
        }
    }

    private func query(_ client: ChatClient, _ random: inout SeededNumbers) async throws {
        guard let group = groups.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try await client.channel(group).history(limit: 100)
        case 1: _ = try await client.channels(limit: 100)
        case 2: _ = try await client.unread()
        case 3: _ = try await client.channel(group).members(limit: 100)
        case 4: _ = try await client.messages(sent: .before, Date(), limit: 50)
        default: _ = try await client.channel(group).history(around: 10, limit: 50)
        }
    }

    /// Continues on a second device where the first one was at the start of the round.
    private func resume(_ client: ChatClient) async throws {
        let old = state.withLock { $0.positions }
        let positions = await client.positions
        if old == nil { state.withLock { $0.positions = positions } }
        let tablet = try self.client(device: "tablet", positions: old)
        let events = tablet.events()
        let reader = Task { await read(events) }
        try await tablet.connect()
        await tablet.disconnect()
        reader.cancel()
        await reader.value
    }

    private func create(_ client: ChatClient, _ random: inout SeededNumbers) async throws {
        guard record.mayCreate, let other = others.randomElement(using: &random) else { return }
        let channel = try await client.createGroup(title: "one more", members: [other]).channel
        record.created(channel, by: user.userID)
        for number in 0..<3 {
            let start = ContinuousClock.now
            record.note(try await client.channel(channel).send("\(number)"), since: start)
        }
    }

    private func upload(_ client: ChatClient, _ random: inout SeededNumbers) async throws {
        let path = folder.path + "/\(user.userID).pdf"
        let size = Int.random(in: 1_000...60_000, using: &random)
        try Data(SampleFile.bytes("soak.pdf") + Array(repeating: 0x20, count: size)).write(
            to: URL(fileURLWithPath: path))
        let file = try await client.upload(LocalFile(path: path))
        try await send(.document(file), client, &random)
    }

    /// Notes what one sequence of events shows, and that no row comes twice or out of order.
    private func read(_ events: ClientEvents) async {
        var last: [ChannelID: Int64] = [:]
        for await event in events {
            switch event {
            case .lagged: record.fault("\(user.userID) lags")
            case .reset(let reset):
                // Channels that were left, and more missed rows than the server replays.
                if reset.reason == .epoch || reset.reason == .ahead { record.fault("\(user.userID): \(reset)") }
            case .event(let event, _):
                guard let channel = event.channel, let seq = event.seq else { continue }
                if seq <= last[channel] ?? 0 {
                    record.fault("\(user.userID) was shown \(channel) \(seq) after \(last[channel] ?? 0)")
                }
                last[channel] = seq
                guard let message = event.messageID, groups.contains(channel) else { continue }
                state.withLock { state in
                    state.newest.append(Shown(channel: channel, message: message, sender: event.senderID))
                    if state.newest.count > 30 { state.newest.removeFirst() }
                    guard case .channel(.messageSent(let message)) = event.body, let file = message.file else { return }
                    state.files.append(file)
                    if state.files.count > 30 { state.files.removeFirst() }
                }
            default: continue
            }
        }
    }
}
