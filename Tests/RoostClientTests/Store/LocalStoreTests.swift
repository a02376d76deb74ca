import Foundation
import GRDB
import RoostWire
import Synchronization
import Testing

@testable import RoostClient

/// The file of a store: its user, the process that has it open, and what happens if it is damaged.
@Suite struct LocalStoreTests {
    /// A folder that is deleted after the test.
    private final class Folder: Sendable {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.path + "/roost-store-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var file: String { path + "/ann.sqlite" }

        /// The contents of all files in the folder.
        func bytes() throws -> Data {
            try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: Data()) { all, name in
                all.append(FileManager.default.contents(atPath: path + "/" + name) ?? Data())
            }
        }
    }

    private let folder: Folder
    private let text = "a text that stands nowhere else"

    init() throws { folder = try Folder() }

    private func edit(_ store: LocalStore, _ body: @escaping @Sendable (LocalTransaction) throws -> Void) throws {
        try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try body(transaction)
            _ = try transaction.finish()
        }
    }

    private func fill(_ store: LocalStore) throws {
        let message = SendMessage(channel: Names.group, text: text)
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.epoch("e"))
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.enqueue(message, Names.transID("t1"), at: 7)
            try transaction.enqueue(message, Names.transID("t2"), at: 8)
            for seq in 1...200 {
                try transaction.apply(.event(.event(Self.row(Int64(seq), "row \(seq)"), isPast: false)))
            }
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 200)))
        }
    }

    private static func row(_ seq: Int64, _ text: String, by sender: UserID = Names.ben.userID) -> Event {
        Event(
            channel: Names.group, seq: seq, senderID: sender, sentAt: .init(milliseconds: seq),
            body: .channel(
                .messageSent(
                    Message(
                        messageID: MessageID(sentAt: seq, seq: seq, salt: 0), content: MessageContent(text: text),
                        senderName: "n", count: seq))))
    }

    @Test func `what is written is synced to the disk`() async throws {
        let store = try await LocalStore.open(folder.file)
        let synchronous = try await store.database.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        #expect(synchronous == 2)
    }

    @Test func `a file is open once, and again after it was closed`() async throws {
        let store = try await LocalStore.open(folder.file)
        let error = await #expect(throws: RoostError.self) { _ = try await LocalStore.open(folder.file) }
        #expect(error?.code == .storeInUse)
        try store.close()
        try await LocalStore.open(folder.file).close()
    }

    @Test func `a folder that is not there is a clear error`() async throws {
        let error = await #expect(throws: RoostError.self) { _ = try await LocalStore.open(folder.path + "/no/x") }
        #expect(error?.code == .storeFailed)
        #expect(error?.message.contains("folder") == true)
    }

    @Test func `a store of a newer version is refused and left as it is`() async throws {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        try await store.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')") }
        try store.close()
        let error = await #expect(throws: RoostError.self) { _ = try await LocalStore.open(folder.file) }
        #expect(error?.code == .storeFailed)
        #expect(error?.message.contains("newer") == true)
        let queue = try DatabaseQueue(path: folder.file)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rows") } == 200)
    }

    @Test func `two clients cannot have one store`() async throws {
        let store = try LocalStore.inMemory()
        func client() -> ChatClient {
            var configuration = ClientConfiguration(
                server: "http://127.0.0.1:1", credentials: .guest(Names.ann.userID), deviceID: Names.device)
            configuration.store = store
            return ChatClient(configuration: configuration)
        }
        let first = client()
        let error = await #expect(throws: RoostError.self) { try await client().connect() }
        #expect(error?.code == .storeInUse)
        #expect(first.store === store)
        let other = await #expect(throws: RoostError.self) { try await store.clean() }
        #expect(other?.code == .storeInUse)
    }

    @Test func `another user is refused with 6000 until the store was cleaned`() async throws {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        #expect(try await store.owner == Names.ann.userID)
        var configuration = ClientConfiguration(
            server: "http://127.0.0.1:1", credentials: .guest(Names.ben.userID), deviceID: Names.device)
        configuration.store = store
        let client = ChatClient(configuration: configuration)
        let error = await #expect(throws: RoostError.self) { try await client.connect() }
        #expect(error?.code == .server(6000))
        try await client.clean()
        #expect(try await store.owner == nil)
        #expect(try await store.queue().isEmpty)
        let next = await #expect(throws: RoostError.self) { try await client.connect() }
        #expect(next?.code == .unreachable)
    }

    @Test func `the queue keeps when a message was first sent, and that its outcome is unknown`()
        async throws
    {
        let store = try await LocalStore.open(folder.file)
        let message = SendMessage(channel: Names.group, text: "x")
        let file = LocalFile(path: "/photo")
        let error = RoostError(.outcomeUnknown, "It may have been sent.")
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.enqueue(message, Names.transID("offline"), at: 1)
            try transaction.enqueue(message, Names.transID("online"), at: 2, serverTime: 50)
            try transaction.enqueue(message, Names.transID("file"), at: 3, uploading: file, serverTime: 50)
            try transaction.enqueue(message, Names.transID("failed"), at: 4, serverTime: 50)
            try transaction.fail(
                FailedSend(transID: Names.transID("failed"), message: message, error: error))
        }
        func tried() throws -> [TransID: Int64] { try store.database.read(LocalStore.kept).triedAt }
        #expect(try tried() == [Names.transID("online"): 50])
        // A connection succeeds, then another one.
        try edit(store) { try $0.apply(.tried(at: 70)) }
        try edit(store) { try $0.apply(.tried(at: 90)) }
        #expect(try tried() == [Names.transID("online"): 50, Names.transID("offline"): 70])
        // The file exists, and the user retries the failed message.
        try edit(store) { transaction in
            try transaction.setUploaded(message, Names.transID("file"), serverTime: 95)
            let failed = try LocalStore.queued(Names.transID("failed"), transaction.db)
            #expect(failed?.state == .failed(error))
            _ = try transaction.requeue(Names.transID("failed"), with: nil, serverTime: 95)
        }
        #expect(
            try tried() == [
                Names.transID("online"): 50, Names.transID("offline"): 70, Names.transID("file"): 95,
                Names.transID("failed"): 95,
            ])
    }

    @Test func `rows that share one transID are all kept, live and from a page`() async throws {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        let several = [1, 2, 3].map { (number: Int64) in
            var row = Self.row(200 + number, "several \(number)", by: Names.ann.userID)
            row.transID = Names.transID("many")
            return row
        }
        try edit(store) { transaction in
            for row in several { try transaction.apply(.event(.event(row, isPast: false))) }
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 200, to: 203)))
        }
        #expect(try await store.page(of: Names.group, before: nil, limit: 3).page.events == several)
        // No queued message was treated as one of them.
        #expect(try await store.queue().map(\.transID.rawValue) == ["t1", "t2"])
    }

    @Test func `after cleaning no text is left in any file`() async throws {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        try await store.setDraft(Draft(text: text), in: Names.group)
        #expect(try folder.bytes().range(of: Data(text.utf8)) != nil)
        try await store.clean()
        #expect(try folder.bytes().range(of: Data(text.utf8)) == nil)
        #expect(try folder.bytes().range(of: Data("row 17".utf8)) == nil)
    }

    @Test(arguments: ["head", "rows", "nonsense", "marker"])
    func `a damaged store is created again, and unsent messages are saved if they can be read`(damage: String)
        async throws
    {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        try await store.setDraft(Draft(text: "draft"), in: Names.group)
        try await store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        let root = try await store.database.read { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'rows'") ?? 0
        }
        try store.close()
        let handle = try #require(FileHandle(forUpdatingAtPath: folder.file))
        let junk = Data(repeating: 0xA5, count: 4_096)
        switch damage {
        case "head": try handle.write(contentsOf: Data(repeating: 0xA5, count: 64))
        case "rows":
            try handle.seek(toOffset: UInt64((root - 1) * 4_096))
            try handle.write(contentsOf: junk)
        case "nonsense": try handle.truncate(atOffset: 0); try handle.write(contentsOf: junk + junk)
        default: _ = FileManager.default.createFile(atPath: folder.file + ".damaged", contents: nil)
        }
        try handle.close()
        if damage == "rows" {
            // The damage is detected on reading; the next opening creates a new file.
            let sick = try await LocalStore.open(folder.file)
            let error = await #expect(throws: RoostError.self) {
                _ = try await sick.page(of: Names.group, before: nil, limit: 50)
            }
            #expect(error?.code == .storeFailed && error?.isRetryable == false)
            try sick.close()
        }
        let fresh = try await LocalStore.open(folder.file)
        let recovery = try #require(fresh.recovery)
        let canBeRead = damage == "rows" || damage == "marker"
        #expect(recovery.savedMessages == (canBeRead ? 2 : 0))
        #expect(recovery.hasLostMessages == !canBeRead)
        #expect(try await fresh.queue().map(\.transID.rawValue) == (canBeRead ? ["t1", "t2"] : []))
        #expect(try await fresh.owner == (canBeRead ? Names.ann.userID : nil))
        #expect(try await fresh.draft(in: Names.group)?.text == (canBeRead ? "draft" : nil))
        #expect(try await fresh.page(of: Names.group, before: nil, limit: 50).page.events.isEmpty)
        try fresh.close()
        let again = try await LocalStore.open(folder.file)
        #expect(again.recovery == nil)
    }

    @Test func `a full disk fails the commit, and the client returns to the position of the store`() async throws {
        let store = try await LocalStore.open(folder.file)
        try fill(store)
        let events = Multicast<ClientEvent>(limit: 100, lagged: .lagged)
        let writer = StoreWriter(store, events: events, states: Multicast(limit: 100, lagged: nil))
        let told = Inputs()
        writer.submit = { told.append($0) }
        try await store.database.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        let big = Self.row(201, String(repeating: "x", count: 200_000))
        let done = Promise<Void>()
        writer.put([.event(.event(big, isPast: false)), .finish { done.complete(.success(())) }])
        try await done.value
        // The wait ends after the client was informed.
        #expect(told.rewinds == [200])
        #expect(try await store.page(of: Names.group, before: nil, limit: 1).page.events.last?.seq == 200)
        let error = await #expect(throws: RoostError.self) {
            try await writer.edit {
                try $0.enqueue(
                    SendMessage(channel: Names.group, text: String(repeating: "x", count: 200_000)),
                    Names.transID("t9"), at: 0)
            }
        }
        #expect(error?.code == .storeFailed && error?.isRetryable == true)
        #expect(try await store.queue().count == 2)
    }

    private final class Inputs: Sendable {
        private let inputs = Mutex<[SyncInput]>([])

        func append(_ input: SyncInput) { inputs.withLock { $0.append(input) } }

        /// The positions in the group to which the client was told to return.
        var rewinds: [Int64] {
            inputs.withLock { inputs in
                inputs.compactMap {
                    if case .rewind(let positions, _) = $0 { positions?.channels.first?.seq ?? 0 } else { nil }
                }
            }
        }
    }

    // MARK: Pages

    private func page(_ seqs: ClosedRange<Int64>, before: Int64? = nil, hasBefore: Bool, head: Int64) -> StoredAnswer? {
        StoredAnswer(
            .read(.listMessages(ListMessages(channel: Names.group, before: before, limit: 50))),
            ListMessages.Answer(
                events: seqs.map { Self.row($0, "\($0)") }, hasBefore: hasBefore, hasAfter: before != nil, seq: head,
                from: hasBefore ? seqs.lowerBound : 1, to: before.map { $0 - 1 } ?? head),
            since: 0)
    }

    @Test func `pages come from the store where it has no gap, and report where it has one`() async throws {
        let store = try LocalStore.inMemory()
        let newest = try #require(page(151...200, hasBefore: true, head: 200))
        let older = try #require(page(51...100, before: 101, hasBefore: true, head: 200))
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 200, to: 200)))
            try newest.put(into: transaction)
            try older.put(into: transaction)
        }
        let first = try await store.page(of: Names.group, before: nil, limit: 50)
        #expect(first.isWhole && first.page.events.compactMap(\.seq) == Array(151...200))
        #expect(first.page.hasBefore && !first.page.hasAfter)
        let hole = try await store.page(of: Names.group, before: 151, limit: 50)
        #expect(!hole.isWhole && hole.page.events.isEmpty && hole.page.hasBefore)
        let part = try await store.page(of: Names.group, before: 101, limit: 60)
        #expect(!part.isWhole && part.page.events.compactMap(\.seq) == Array(51...100))
        let filler = try #require(page(101...150, before: 151, hasBefore: true, head: 200))
        let oldest = try #require(page(1...50, before: 51, hasBefore: false, head: 200))
        try edit(store) { transaction in
            try filler.put(into: transaction)
            try oldest.put(into: transaction)
        }
        let all = try await store.page(of: Names.group, before: nil, limit: 500)
        #expect(all.isWhole && all.page.events.compactMap(\.seq) == Array(1...200) && !all.page.hasBefore)
        let next = try await store.page(of: Names.group, after: 20, limit: 30)
        #expect(next.isWhole && next.page.events.compactMap(\.seq) == Array(21...50) && next.page.hasAfter)
        let end = try await store.page(of: Names.group, after: 200, limit: 30)
        #expect(end.isWhole && end.page.events.isEmpty && !end.page.hasAfter)
    }

    @Test func `pages count what shows, also of rows that an earlier version has stored`() async throws {
        let store = try await LocalStore.open(folder.file)
        @Sendable func reaction(_ seq: Int64) -> Event {
            let change = ReactionChanged(
                messageID: MessageID(sentAt: 1, seq: 2, salt: 0), seq: 2, emoji: "👍", count: Int(seq), byName: "Ben")
            return Event(
                channel: Names.group, seq: seq, senderID: Names.ben.userID, sentAt: .init(milliseconds: seq),
                body: .channel(.reactionAdded(change)))
        }
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            for seq in 1...70 {
                let row = (3...62).contains(seq) ? reaction(Int64(seq)) : Self.row(Int64(seq), "\(seq)")
                try transaction.apply(.event(.event(row, isPast: false)))
            }
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 70)))
        }
        func check(_ store: LocalStore) async throws {
            let newest = try await store.page(of: Names.group, before: nil, limit: 9)
            #expect(newest.isWhole && newest.page.events.compactMap(\.seq) == [2] + Array(63...70))
            #expect(newest.page.from == 2 && newest.page.to == 70 && newest.page.hasBefore)
            let older = try await store.page(of: Names.group, before: 63, limit: 9)
            #expect(older.isWhole && older.page.events.compactMap(\.seq) == [1, 2])
            #expect(older.page.from == 1 && older.page.to == 62 && !older.page.hasBefore)
            let newer = try await store.page(of: Names.group, after: 1, limit: 2)
            #expect(newer.isWhole && newer.page.events.compactMap(\.seq) == [2, 63])
            #expect(newer.page.from == 2 && newer.page.to == 63 && newer.page.hasAfter)
        }
        try await check(store)
        // As it was before the flag.
        try await store.database.write { db in
            try db.execute(sql: "UPDATE rows SET flags = flags & ~32; DROP INDEX shown_rows")
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '4'")
        }
        try store.close()
        try await check(try await LocalStore.open(folder.file))
    }

    @Test func `for a channel that is not followed, the store has what was read, and never reports it as complete`()
        async throws
    {
        let store = try LocalStore.inMemory()
        let newest = try #require(page(151...200, hasBefore: true, head: 200))
        try edit(store) { try newest.put(into: $0) }
        let known = try await store.page(of: Names.group, before: nil, limit: 50)
        #expect(!known.isWhole && known.page.events.compactMap(\.seq) == Array(151...200))
        let older = try await store.page(of: Names.group, before: 190, limit: 20)
        #expect(older.isWhole && older.page.events.compactMap(\.seq) == Array(170...189))
    }

    @Test func `a page that was read before a recall does not bring the text back`() async throws {
        let store = try LocalStore.inMemory()
        let late = try #require(page(1...5, hasBefore: false, head: 5))
        let recall = Event(
            channel: Names.group, seq: 6, senderID: Names.ben.userID, sentAt: .init(milliseconds: 6),
            body: .channel(
                .messageRecalled(
                    MessagesRecalled(
                        messages: [
                            RecalledMessage(
                                messageID: MessageID(sentAt: 3, seq: 3, salt: 0), seq: 3, senderID: Names.ben.userID,
                                wasCounted: true)
                        ], isSilent: false, byName: "Ben"))))
        try edit(store) { transaction in
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 5, to: 5)))
            try transaction.apply(.event(.event(recall, isPast: false)))
            try late.put(into: transaction)
        }
        let rows = try await store.page(of: Names.group, before: nil, limit: 50).page.events
        #expect(rows.compactMap(\.seq) == Array(1...5))
        #expect(rows[2].recall?.byName == "Ben")
        if case .channel(.messageSent(let message)) = rows[2].body { #expect(message.text.isEmpty) }
    }

    private static func purge(_ seq: Int64, upTo end: Int64) -> Event {
        Event(
            channel: Names.group, seq: seq, sentAt: .init(milliseconds: 6),
            body: .channel(.channelPurged(ChannelPurged(upTo: end, count: end))))
    }

    private static func answer(_ seq: Int64, to parent: Int64) throws -> Event {
        var row = row(seq, "answer")
        guard case .channel(.messageSent(var message)) = row.body else { return row }
        message.replyTo = ReplySnapshot(of: Self.row(parent, "secret"))
        row.body = .channel(.messageSent(message))
        return row
    }

    private static func channel(at seq: Int64, unread: Int, last: Event?, purgedTo: Int64? = nil) -> Channel {
        Channel(
            channel: Names.group, kind: .group, memberCount: 1,
            members: [
                Member(userID: Names.ben.userID, name: "Ben", role: .admin, readSeq: 1, readAt: .init(milliseconds: 7))
            ], seq: seq,
            count: seq, unread: unread, readSeq: 0, role: .participant, lastMessage: last,
            lastActivityAt: .init(milliseconds: 5),
            purgedTo: purgedTo)
    }

    @Test func `rows that the server purges are removed, and no late answer brings them back`() async throws {
        let store = try LocalStore.inMemory()
        let answer = try Self.answer(5, to: 2)
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
            for seq in 1...4 { try transaction.apply(.event(.event(Self.row(Int64(seq), "secret"), isPast: false))) }
            try transaction.apply(.event(.event(answer, isPast: false)))
            try transaction.apply(Self.channel(at: 5, unread: 5, last: answer), hasAllMembers: true, since: 0)
            try transaction.enqueue(SendMessage(channel: Names.group, text: "not sent"), Names.transID("t1"), at: 7)
        }
        let page = ListMessages.Answer(
            events: [Self.row(2, "secret"), Self.row(3, "secret"), Self.row(4, "secret"), answer], hasBefore: true,
            hasAfter: false, seq: 5, from: 2, to: 5)
        let late = try #require(
            StoredAnswer(.read(.listMessages(ListMessages(channel: Names.group, limit: 4))), page, since: 0))
        let change = try await store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.apply(.event(.event(Self.purge(6, upTo: 3), isPast: false)))
            return try transaction.finish()
        }
        let told = try #require(change.rows[Names.group])
        #expect(told.clearedTo == 3 && told.rewritten.compactMap(\.seq) == [5])
        #expect(told.appended.compactMap(\.seq) == [6] && change.channels.contains(Names.group))
        for round in 0..<2 {
            let rows = try await store.page(of: Names.group, before: nil, limit: 50)
            #expect(rows.page.events.compactMap(\.seq) == [4, 5] && !rows.page.hasBefore && rows.isWhole)
            guard case .channel(.messageSent(let message)) = rows.page.events[1].body else { throw CancellationError() }
            #expect(message.replyTo?.isRecalled == true && message.replyTo?.text == "", "\(round)")
            let known = try await store.channels([Names.group])[Names.group]
            let channel = try #require(known?.channel)
            #expect(channel.unread == 2 && channel.readSeq == 3 && channel.lastMessage == rows.page.events[1])
            #expect(known?.isListed == true)
            #expect(try await store.members(of: Names.group).map(\.readSeq) == [3])
            #expect(try await store.queue().map(\.message.text) == ["not sent"])
            // A page, and a snapshot taken before it.
            try edit(store) { transaction in
                try late.put(into: transaction)
                try transaction.apply(Self.channel(at: 5, unread: 5, last: answer), hasAllMembers: true, since: 0)
            }
        }
        // All rows are removed; the channel stays in the list.
        try edit(store) { transaction in
            try transaction.apply(.event(.event(Self.purge(7, upTo: 6), isPast: false)))
        }
        let empty = try await store.channels([Names.group])[Names.group]
        #expect(empty?.isListed == true && empty?.channel.lastMessage == nil && empty?.channel.unread == 0)
        #expect(try await store.page(of: Names.group, before: nil, limit: 9).page.events.isEmpty)
    }

    @Test func `a device that was offline too long to receive what has changed its rows forgets them`()
        async throws
    {
        let store = try LocalStore.inMemory()
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
            for seq in 1...5 { try transaction.apply(.event(.event(Self.row(Int64(seq), "secret"), isPast: false))) }
            let last = Self.row(5, "secret")
            try transaction.apply(Self.channel(at: 5, unread: 5, last: last), hasAllMembers: true, since: 0)
            let reset = Reset(channel: Names.group, seq: 90, reason: .tooFar)
            try transaction.apply(.event(.reset(reset)))
        }
        // What has changed them, as a recall, is among the rows that do not come.
        #expect(try await store.page(of: Names.group, before: 6, limit: 9).page.events.isEmpty)
        try edit(store) { transaction in
            let last = Self.row(89, "young")
            try transaction.apply(
                Self.channel(at: 90, unread: 1, last: last, purgedTo: 88), hasAllMembers: true, since: 0)
        }
        #expect(try await store.page(of: Names.group, before: 6, limit: 9).page.events.isEmpty)
        let channel = try #require(try await store.channels([Names.group])[Names.group]?.channel)
        #expect(channel.lastMessage?.seq == 89 && channel.readSeq == 88)
    }

    @Test func `a read mark stops at the newest row, so that what follows is unread`() async throws {
        let store = try LocalStore.inMemory()
        try fill(store)
        var configuration = ClientConfiguration(
            server: "http://127.0.0.1:1", credentials: .guest(Names.ann.userID), deviceID: Names.device)
        configuration.store = store
        let client = ChatClient(configuration: configuration)
        try await client.channel(Names.group).markRead(upTo: .max)
        let record = try #require(try await store.database.read { try LocalStore.record(Names.group, $0) })
        #expect(record.mark == 200)
    }

    @Test func `deletions, clearings and marks of an earlier log do not apply to new rows with the same numbers`()
        async throws
    {
        let store = try LocalStore.inMemory()
        let snapshot = Channel(
            channel: Names.group, kind: .group, memberCount: 1, members: [], seq: 9, count: 9, unread: 9, readSeq: 0,
            role: .participant, lastActivityAt: .init(milliseconds: 9))
        try edit(store) { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
            for seq in 1...9 { try transaction.apply(.event(.event(Self.row(Int64(seq), "old"), isPast: false))) }
            try transaction.apply(.snapshot(snapshot, since: 0))
            try transaction.clear(Names.group, to: 7)
            try transaction.delete([8], in: Names.group)
            try transaction.moveMark(to: 9, in: Names.group, isConfirmed: true)
            try transaction.apply(.event(.reset(Reset(channel: Names.group, seq: 6, reason: .epoch))))
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 6, to: 6)))
            for seq in 7...8 { try transaction.apply(.event(.event(Self.row(Int64(seq), "new"), isPast: false))) }
        }
        let rows = try await store.page(of: Names.group, before: nil, limit: 50).page.events
        #expect(rows.compactMap(\.seq) == [7, 8])
        let record = try #require(try await store.database.read { try LocalStore.record(Names.group, $0) })
        #expect(record.mark == 0)
        #expect(record.isStale)
    }

    @Test func `stretches join where they touch`() {
        var record = ChannelRecord()
        record.add(10, 20)
        record.add(30, 40)
        record.add(1, 5)
        #expect(record.stretches.map(\.first) == [1, 10, 30])
        record.add(21, 29)
        #expect(record.stretches == [.init(first: 1, last: 5), .init(first: 10, last: 40)])
        record.add(3, 12)
        #expect(record.stretches == [.init(first: 1, last: 40)])
        record.add(5, 4)
        record.add(41, .max)
        #expect(record.stretches == [.init(first: 1, last: 40)])
    }

    @Test func `a log that restarts at the row where it was does not continue`() {
        let position = ChannelPosition(channel: Names.group, seq: 14)
        let positions = SyncPositions(epoch: "e1", userSeq: 0, channels: [position])
        var book = LogBook(positions, notesMoves: true)
        let key = LogKey.channel(Names.group)
        #expect(book.change(key) { $0.accept(15) })
        book.change(key) { $0.reset(to: 15) }
        #expect(book.drainMoves()[key] == LogMove(from: 15, to: 15))
    }

    @Test func `moves of a log are merged, and a new start replaces them`() {
        let first = LogMove(from: 3, to: 7)
        #expect(first.then(LogMove(from: 7, to: 9)) == LogMove(from: 3, to: 9))
        #expect(first.then(LogMove(from: 20, to: 20)) == LogMove(from: 20, to: 20))
    }
}
