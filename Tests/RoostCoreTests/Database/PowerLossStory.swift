import Foundation
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization

@testable import RoostCore

/// What a core has acknowledged, and what must therefore be in the database after a power loss.
final class DiskLedger: Sendable {
    enum Entry: Sendable {
        case message(ChannelID, seq: Int64, transID: String, sender: UserID, text: String)
        case recall(ChannelID, seq: Int64)
        case reaction(ChannelID, seq: Int64, by: UserID)
        case deletion(ChannelID, seq: Int64, by: UserID)
        case readMark(ChannelID, seq: Int64, of: UserID)
    }

    private struct State {
        var entries: [Entry] = []
        var refusals: [WireError] = []
        var transIDs = 0
        var epoch: String?
    }

    private let state = Mutex(State())
    private let disk: Mutex<SimulatedDisk>

    init(on disk: SimulatedDisk) { self.disk = Mutex(disk) }

    var entries: [Entry] { state.withLock { $0.entries } }
    var refusals: [WireError] { state.withLock { $0.refusals } }
    var epoch: String? { state.withLock { $0.epoch } }

    /// Notes acknowledgements from now on with another disk.
    func move(to disk: SimulatedDisk) { self.disk.withLock { $0 = disk } }

    func setEpoch(_ epoch: String) { state.withLock { $0.epoch = epoch } }

    /// A transID that no command has had, over restarts, too.
    func transID() -> String {
        state.withLock { state in
            state.transIDs += 1
            return "p-\(state.transIDs)"
        }
    }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.entries.append(entry)
            let count = state.entries.count
            disk.withLock { $0.acknowledge(count) }
        }
    }

    func add(_ refusal: WireError) { state.withLock { $0.refusals.append(refusal) } }

    /// Sends a text, and notes that it was acknowledged or refused.
    func send(_ text: String, to channel: ChannelID, from session: TestSession) async throws -> Acknowledgement? {
        let id = transID()
        do {
            let answer = try await session.send(text, to: channel, id: id)
            if let seq = answer.seq {
                add(.message(channel, seq: seq, transID: id, sender: session.userID, text: text))
            }
            return answer
        } catch let error as WireError {
            add(error)
            return nil
        }
    }
}

/// A real core on a simulated disk.
struct DiskCore {
    let database: SQLiteDatabase
    let stage: Stage
    /// The number of the last commit before.
    let before: Int64
    private let disk: SimulatedDisk

    /// - Parameters:
    ///   - checkpoint: after how many pages in the WAL SQLite copies it to the database.
    ///   - synchronous: nil for the setting of the server.
    init(on disk: SimulatedDisk, checkpoint: Int = 40, synchronous: String? = nil) async throws {
        self.disk = disk
        database = try SQLiteDatabase(directory: disk.path)
        _ = try database.pragma("wal_autocheckpoint = \(checkpoint)")
        if let synchronous { _ = try database.pragma("synchronous = \(synchronous)") }
        let core = try TestCore(database: database)
        before = try database.countCommits { [disk] in disk.note(commit: $0) }?.number ?? 0
        stage = try await Stage(core)
    }

    /// Stops the core and closes the database.
    func close() async throws {
        await stage.roost.core.stop()
        try database.close()
    }
}

/// A mixed story of four users, with checkpoints and restarts; its course depends on the seed.
enum PowerLossStory {
    static func play(
        on disk: SimulatedDisk, seed: String, steps: Int, synchronous: String? = nil
    ) async throws -> DiskLedger {
        let ledger = DiskLedger(on: disk)
        var random = SeededNumbers(for: "PowerLossStory \(seed)")
        var core = try await DiskCore(on: disk, synchronous: synchronous)
        ledger.setEpoch(core.stage.roost.core.epoch)
        try await core.stage.makeClub()
        try await core.stage.makePair()
        var sent: [(id: MessageID, seq: Int64)] = []
        for step in 1...steps {
            let stage = core.stage
            let last = sent.last
            switch random.int(0...11) {
            case 0...2:
                let answer = try await ledger.send("\(step) of Ann", to: Cast.club, from: stage.ann)
                if let id = answer?.messageID, let seq = answer?.seq { sent.append((id, seq)) }
            case 3:
                _ = try await ledger.send("\(step) of Bob", to: Cast.annAndBob, from: stage.bob)
            case 4...5:
                // Several in one commit.
                await withTaskGroup(of: Void.self) { group in
                    for (number, session) in [stage.ann, stage.bob, stage.cid, stage.bob, stage.cid].enumerated() {
                        group.addTask {
                            _ = try? await ledger.send("\(step), \(number)", to: Cast.club, from: session)
                        }
                    }
                }
            case 6:
                guard let last else { continue }
                let command = AddReaction(channel: Cast.club, messageID: last.id, emoji: random.pick(["👍", "🎉"]))
                try await stage.cid.perform(command, id: ledger.transID())
                ledger.add(.reaction(Cast.club, seq: last.seq, by: Cast.cid.userID))
            case 7:
                guard let last else { continue }
                let command = RecallMessages(channel: Cast.club, messageIDs: [last.id])
                try await stage.ann.perform(command, id: ledger.transID())
                ledger.add(.recall(Cast.club, seq: last.seq))
                sent.removeLast()
            case 8:
                guard let last else { continue }
                try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: last.seq), id: ledger.transID())
                ledger.add(.readMark(Cast.club, seq: last.seq, of: Cast.bob.userID))
            case 9:
                guard let first = sent.first else { continue }
                try await stage.cid.perform(DeleteMessages([first.id], in: Cast.club), id: ledger.transID())
                ledger.add(.deletion(Cast.club, seq: first.seq, by: Cast.cid.userID))
                sent.removeFirst()
            case 10: try core.database.removeTraces()
            default:
                try await core.close()
                core = try await DiskCore(on: disk, synchronous: synchronous)
            }
        }
        try await core.close()
        return ledger
    }
}

/// What is wrong with the files that a power loss has left.
struct ImageCheck {
    let ledger: DiskLedger
    /// How many entries of the ledger were acknowledged before.
    let acknowledged: Int
    /// The number of the last commit that was noted before.
    var noted: Int64 = 0

    /// Opens the files with a real core, and checks that everything acknowledged is there, that all is consistent, and
    /// that the core goes on.
    /// - Returns: what is wrong, in sentences.
    func problems(with files: [String: [UInt8]], as number: Int) async throws -> [String] {
        let disk = try SimulatedDisk(isRecorded: false)
        for (name, bytes) in files { try bytes.write(to: disk.path + "/" + name) }
        do {
            let core = try await DiskCore(on: disk)
            var problems = try entries(in: core.database) + logs(in: core.database)
            if core.before < noted { problems.append("commit \(noted) was noted, and \(core.before) is the last one") }
            problems += try await goOn(core.stage, [core.stage.ann, core.stage.bob, core.stage.cid][number % 3])
            try await core.close()
            return problems
        } catch {
            return ["it does not work: \(error)"]
        }
    }

    private func entries(in database: SQLiteDatabase) throws -> [String] {
        let entries = ledger.entries.prefix(acknowledged)
        return try database.write { connection in
            func exists(_ query: Query) throws -> Bool {
                try !connection.rows(query) { try $0.int(0) }.isEmpty
            }
            return try entries.filter { entry in
                switch entry {
                case .message(let channel, let seq, let transID, let sender, let text):
                    let rows = try connection.rows(
                        """
                        SELECT flags, frame FROM channel_log WHERE channel = \(channel.rawValue) AND seq = \(seq)
                        AND trans_id = \(transID) AND sender = \(sender.rawValue)
                        """
                    ) { (RowFlags(rawValue: try $0.int(0)), String(decoding: try $0.content(1), as: UTF8.self)) }
                    return !rows.contains { $0.contains(.recalled) || $1.contains("\"\(text)\"") }
                case .recall(let channel, let seq):
                    let flags = try connection.rows(
                        "SELECT flags FROM channel_log WHERE channel = \(channel.rawValue) AND seq = \(seq)"
                    ) { RowFlags(rawValue: try $0.int(0)) }
                    return flags.first?.contains(.recalled) != true
                case .reaction(let channel, let seq, let user):
                    // A recall takes the reactions away.
                    return try !exists(
                        """
                        SELECT 1 FROM reactions WHERE channel = \(channel.rawValue) AND seq = \(seq)
                        AND user_id = \(user.rawValue) UNION ALL
                        SELECT 1 FROM channel_log WHERE channel = \(channel.rawValue) AND seq = \(seq)
                        AND flags & \(RowFlags.recalled.rawValue) <> 0
                        """)
                case .deletion(let channel, let seq, let user):
                    return try !exists(
                        """
                        SELECT 1 FROM deletions WHERE channel = \(channel.rawValue) AND seq = \(seq)
                        AND user_id = \(user.rawValue)
                        """)
                case .readMark(let channel, let seq, let user):
                    return try !exists(
                        """
                        SELECT 1 FROM read_marks WHERE channel = \(channel.rawValue) AND seq >= \(seq)
                        AND user_id = \(user.rawValue)
                        """)
                }
            }.map { "not there any more: \($0)" }
        }
    }

    /// Whether SQLite finds no damage, and the rows of every log have the numbers 1, 2, 3 and so on.
    private func logs(in database: SQLiteDatabase) throws -> [String] {
        try database.write { connection in
            let damage = try connection.rows("PRAGMA integrity_check") { try $0.text(0) }.filter { $0 != "ok" }
            let gaps = try connection.rows(
                """
                SELECT id FROM channels c WHERE seq <> (SELECT COUNT(*) FROM channel_log WHERE channel = c.id)
                OR seq <> (SELECT COALESCE(MAX(seq), 0) FROM channel_log WHERE channel = c.id) UNION ALL
                SELECT id FROM users u WHERE seq <> (SELECT COUNT(*) FROM user_log WHERE user_id = u.id)
                OR seq <> (SELECT COALESCE(MAX(seq), 0) FROM user_log WHERE user_id = u.id) UNION ALL
                SELECT channel FROM channel_log WHERE channel NOT IN (SELECT id FROM channels)
                """
            ) { try $0.text(0) }
            return damage + gaps.map { "the numbers of the log of \($0) have gaps" }
        }
    }

    private func goOn(_ stage: Stage, _ session: TestSession) async throws -> [String] {
        var problems: [String] = []
        if acknowledged > 0, let epoch = ledger.epoch, epoch != stage.roost.core.epoch {
            problems.append("the epoch is another one")
        }
        for channel in try await session.list() {
            let log = try await session.log(of: channel.channel)
            let count = log.count { $0.isUnread(by: session.userID, mark: channel.readSeq ?? 0) }
            if channel.unread != count {
                problems.append("\(channel.unread ?? -1) unread in \(channel.channel), not \(count)")
            }
            let texts = log.compactMap(\.text).filter { !$0.isEmpty }
            if Set(texts).count != texts.count { problems.append("a message is twice in \(channel.channel)") }
        }
        // The club may not exist yet.
        let next = try channel("next")
        try await session.perform(CreateChannel(kind: .group, channel: next))
        if try await session.send("and on", to: next).seq != 1 { problems.append("it does not go on") }
        return problems + (try await sendAgain(stage))
    }

    /// Whoever sends the newest message once more gets the first answer.
    private func sendAgain(_ stage: Stage) async throws -> [String] {
        for case .message(let channel, let seq, let transID, let sender, let text)
            in ledger.entries.prefix(acknowledged).reversed()
        {
            guard let session = stage.all.first(where: { $0.userID == sender }) else { continue }
            let again = try await session.send(text, to: channel, id: transID)
            return again.seq == seq ? [] : ["a message sent again has another number: \(again.seq ?? 0)"]
        }
        return []
    }
}

extension [UInt8] {
    /// Writes a file without syncing it.
    func write(to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(self)) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
