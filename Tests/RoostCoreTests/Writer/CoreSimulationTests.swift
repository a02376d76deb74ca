import RoostSQLite
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Random histories of several devices and the core, with crashes of both; see ``CoreSimulation``.
@Suite struct CoreSimulationTests {
    private static let parts = 8
    private static let steps = 40

    @Test(arguments: 0..<parts)
    func `nothing acknowledged is lost, doubled or out of order, whatever breaks, crashes or fails`(
        part: Int
    ) throws {
        let count = TestLength.rounds(4_000, long: 1_000_000) / Self.parts
        let first = (SeededNumbers.seed &- 1) &* 0x1_0000_0000 &+ UInt64(part * count)
        var (commands, crashes) = ([String: Int](), 0)
        var stored = try SQLiteDatabase()
        for seed in first..<first + UInt64(count) {
            // A new database costs as much as a history.
            if seed % 100 == 0 { stored = try SQLiteDatabase() }
            let simulation = try CoreSimulation(seed: seed, in: stored)
            for _ in 0..<Self.steps { try simulation.step() }
            try simulation.end()
            let problems = try SimulationCheck(simulation).problems()
            #expect(problems.isEmpty, "seed \(seed): \(problems.prefix(5).joined(separator: "; "))")
            if !problems.isEmpty { break }
            for (name, times) in simulation.server.commands { commands[name, default: 0] += times }
            crashes += simulation.server.crashes
        }
        // The histories contain enough faults to be meaningful.
        #expect(crashes > count / 2)
        #expect(commands[Hello.name, default: 0] > count * 8)
        #expect(commands[SendMessage.name, default: 0] > count * 5)
        print("# \(count) histories, \(crashes) crashes, \(commands.values.reduce(0, +)) commands")
    }
}

/// What is wrong at the end of a simulation.
struct SimulationCheck {
    private let simulation: CoreSimulation
    private var server: SimulatedCore { simulation.server }

    init(_ simulation: CoreSimulation) { self.simulation = simulation }

    /// Compares what the devices were told with what is stored, and with what a new device would see.
    /// - Returns: what is wrong, in sentences.
    func problems() throws -> [String] {
        var found = simulation.problems + server.problems
        for device in simulation.devices { found += device.problems.map { "device \(device.number): \($0)" } }
        for (channel, owner) in [
            (simulation.hall, simulation.ann), (simulation.den, simulation.bob), (simulation.pair, simulation.ann),
        ] {
            let rows = try storedRows(of: channel)
            found += try numbering(rows, of: channel)
            found += answered(rows, in: channel)
            found += history(rows, of: channel)
            let log = try log(of: channel, as: owner)
            let terms = terms(in: log, of: channel)
            found += try members(terms, of: channel, owner)
            for user in [simulation.ann, simulation.bob, simulation.cid, simulation.dee] {
                found += try view(of: user, channel, terms[user.userID] ?? [])
            }
        }
        return found
    }

    private struct StoredRow {
        var seq: Int64
        var transID: String?
        var sender: String?
        var isRecalled: Bool
        var sentAt: Int64
    }

    private func storedRows(of channel: ChannelID) throws -> [StoredRow] {
        try server.rows(
            """
            SELECT seq, trans_id, sender, flags, sent_at FROM channel_log WHERE channel = \(channel.rawValue)
            ORDER BY seq
            """
        ) {
            StoredRow(
                seq: try $0.int(0), transID: try $0.optionalText(1), sender: try $0.optionalText(2),
                isRecalled: RowFlags(rawValue: try $0.int(3)).contains(.recalled), sentAt: try $0.int(4))
        }
    }

    private func numbering(_ rows: [StoredRow], of channel: ChannelID) throws -> [String] {
        var found: [String] = []
        let head = try server.rows("SELECT seq FROM channels WHERE id = \(channel.rawValue)") { try $0.int(0) }
        if rows.map(\.seq) != Array(0..<Int64(rows.count)).map({ $0 + 1 }) || head != [Int64(rows.count)] {
            found.append("the rows of \(channel) are \(rows.map(\.seq)), its head is \(head)")
        }
        if zip(rows, rows.dropFirst()).contains(where: { $0.sentAt > $1.sentAt }) {
            found.append("the times in \(channel) decrease")
        }
        let kinds = try server.rows(
            """
            SELECT k.seq FROM reaction_kinds k WHERE k.channel = \(channel.rawValue) AND k.count <> (
                SELECT COUNT(*) FROM reactions r WHERE r.channel = k.channel AND r.seq = k.seq AND r.emoji = k.emoji)
            """
        ) { try $0.int(0) }
        if !kinds.isEmpty { found.append("the reactions to rows \(kinds) of \(channel) are not counted right") }
        let keys = rows.compactMap { row in row.transID.map { "\(row.sender ?? "") \($0)" } }
        if Set(keys).count < keys.count { found.append("a command is stored twice in \(channel)") }
        return found
    }

    /// Compares the stored rows with the answers.
    private func answered(_ rows: [StoredRow], in channel: ChannelID) -> [String] {
        var found: [String] = []
        var (last, others): ([Int: Int64], [Int: Int64]) = ([:], [:])
        for operation in simulation.operations where operation.channel == channel {
            let user = simulation.devices[operation.device].user.userID.rawValue
            let row = rows.first { $0.transID == operation.id.rawValue && $0.sender == user }
            switch (operation.kind, operation.outcome) {
            case (.send, .accepted(let seq)):
                if row == nil || row?.seq != seq {
                    found.append("\(operation.id) is not row \(seq ?? 0) of \(channel)")
                }
                if let seq, let before = last[operation.device], seq < before {
                    found.append("\(operation.id) comes before what was sent before it")
                }
                last[operation.device] = seq
            case (.send, .refused(let code)):
                if row != nil { found.append("\(operation.id) is stored, although it was refused with \(code)") }
            case (.members, .accepted(let seq?)), (.react, .accepted(let seq?)):
                // What was refused first, without an answer that arrived, may come later.
                if server.refused.contains(operation.id.rawValue) { continue }
                if seq < others[operation.device] ?? 0 {
                    found.append("\(operation.id) comes before what was done before it")
                }
                others[operation.device] = seq
            case (.recall(let seq), .accepted):
                if rows.first(where: { $0.seq == seq })?.isRecalled != true {
                    found.append("row \(seq) of \(channel) is not recalled")
                }
            case (_, .pending): found.append("\(operation.id) was never answered")
            default: break
            }
        }
        return found
    }

    /// Whether one order explains what was sent and read.
    private func history(_ rows: [StoredRow], of channel: ChannelID) -> [String] {
        var history = LogHistory()
        for operation in simulation.operations where operation.channel == channel {
            switch (operation.kind, operation.outcome, operation.ended) {
            case (.send, .accepted(let seq?), let ended):
                history.append(seq, began: operation.began, ended: ended)
            case (.send, .unknown, _):
                let row = rows.first { $0.transID == operation.id.rawValue }
                if let row { history.append(row.seq, began: operation.began, ended: nil) }
            case (.read, .accepted(let head?), let ended?):
                history.read(head: head, began: operation.began, ended: ended)
            default: break
            }
        }
        return history.violations.map { "\(channel): \($0)" }
    }

    private func log(of channel: ChannelID, as user: User) throws -> [Event] {
        var events: [Event] = []
        while true {
            let page = try server.perform(
                ListMessages(channel: channel, after: events.last?.seq ?? 0, limit: 5), as: user)
            events += page.events
            guard page.hasAfter, !page.events.isEmpty else { return events }
        }
    }

    /// The rows between which each user was a member.
    private func terms(in log: [Event], of channel: ChannelID) -> [UserID: [ClosedRange<Int64>]] {
        var first: [UserID: Int64] = [:]
        let founders: [User] =
            switch channel {
            case simulation.pair: [simulation.ann, simulation.bob]
            default: [simulation.ann, simulation.bob, simulation.cid]
            }
        for user in founders { first[user.userID] = 0 }
        var terms: [UserID: [ClosedRange<Int64>]] = [:]
        func end(_ user: UserID, at seq: Int64) {
            if let from = first.removeValue(forKey: user) { terms[user, default: []].append(from...seq) }
        }
        for event in log {
            guard let seq = event.seq else { continue }
            switch event.body {
            case .channel(.memberInvited(let body)):
                for member in body.members where first[member.userID] == nil { first[member.userID] = seq }
            case .channel(.memberLeft(let body)): end(body.userID, at: seq)
            case .channel(.memberKicked(let body)): for member in body.members { end(member.userID, at: seq) }
            default: break
            }
        }
        for user in Array(first.keys) { end(user, at: .max) }
        return terms
    }

    private func members(
        _ terms: [UserID: [ClosedRange<Int64>]], of channel: ChannelID, _ owner: User
    ) throws -> [String] {
        let known = terms.filter { $0.value.last?.upperBound == .max }.keys.sorted()
        let listed = try server.perform(ListMembers(channel: channel), as: owner)
        let ids = listed.members.map(\.userID).sorted()
        return ids == known && listed.memberCount == known.count
            ? [] : ["the members of \(channel) are \(ids) (\(listed.memberCount)), not \(known)"]
    }

    /// What a user sees, and what the devices were shown.
    private func view(of user: User, _ channel: ChannelID, _ terms: [ClosedRange<Int64>]) throws -> [String] {
        var found: [String] = []
        let devices = simulation.devices.filter { $0.user == user }
        for device in devices {
            let rows = (device.received[channel] ?? []).union(device.rows[channel] ?? [])
            let wrong = rows.filter { seq in !terms.contains { $0.contains(seq) } }.sorted()
            if !wrong.isEmpty { found.append("device \(device.number) got rows \(wrong) of \(channel): \(terms)") }
        }
        guard terms.last?.upperBound == .max else {
            for device in devices where device.position(in: channel) != nil {
                found.append("device \(device.number) still follows \(channel)")
            }
            return found
        }
        let state = try server.perform(GetChannel(channel: channel), as: user)
        let log = try log(of: channel, as: user)
        found += try counts(state, log, user)
        for device in devices { found += missing(on: device, state, log) }
        return found + effects(of: user, state, log)
    }

    private func counts(_ state: Channel, _ log: [Event], _ user: User) throws -> [String] {
        var found: [String] = []
        let count = log.count { $0.isUnread(by: user.userID, mark: state.readSeq ?? 0) }
        let why = try server.perform(ExplainUnread(channel: state.channel), as: user).channels.first
        if state.unread != count || why?.unread != count {
            found.append(
                "\(user.userID) has \(state.unread ?? -1) unread in \(state.channel), explained as \(why?.unread ?? -1), not \(count)"
            )
        }
        let newest = log.last { $0.isMessage && $0.recall?.isSilent != true }
        if state.lastMessage?.seq != newest?.seq {
            found.append(
                "the last message of \(state.channel) is \(state.lastMessage?.seq ?? 0), not \(newest?.seq ?? 0)")
        }
        return found
    }

    private func missing(on device: SimulatedDevice, _ state: Channel, _ log: [Event]) -> [String] {
        let channel = state.channel
        var found: [String] = []
        if device.position(in: channel) != state.seq {
            found.append("device \(device.number) is not at the head of \(channel)")
        }
        let shown = Set(device.rows[channel] ?? [])
        let since = device.since[channel] ?? 0
        let missing = log.compactMap(\.seq).filter { $0 > since && !shown.contains($0) }
        if !missing.isEmpty { found.append("device \(device.number) was never shown rows \(missing) of \(channel)") }
        for event in log where event.recall == nil {
            guard let seq = event.seq, let text = device.texts[channel]?[seq], text != event.text else { continue }
            found.append("device \(device.number) was shown \(text) as row \(seq) of \(channel)")
        }
        return found
    }

    /// Whether what a user has done is to be seen.
    private func effects(of user: User, _ state: Channel, _ log: [Event]) -> [String] {
        var found: [String] = []
        var reactions: [String: (seq: Int64, emoji: String, isAdded: Bool)] = [:]
        let isAlone = simulation.devices.count { $0.user == user } == 1
        for operation in simulation.operations
        where operation.channel == state.channel && simulation.devices[operation.device].user == user {
            switch (operation.kind, operation.outcome) {
            case (.mark(let seq), .accepted):
                if state.readSeq ?? 0 < seq {
                    found.append("\(user.userID) has not read row \(seq) of \(state.channel)")
                }
            case (.delete(let seq), .accepted):
                if log.contains(where: { $0.seq == seq }) {
                    found.append("row \(seq) of \(state.channel) is not deleted")
                }
            case (.schedule(let text), .accepted):
                let count = log.count { $0.text == text }
                if count != 1 { found.append("\(text) was sent \(count) times") }
            case (.react(let seq, let emoji, let isAdded), let outcome) where isAlone:
                if operation.isAccepted { reactions["\(seq) \(emoji)"] = (seq, emoji, isAdded) }
                if outcome == .unknown { reactions["\(seq) \(emoji)"] = nil }
            default: break
            }
        }
        for reaction in reactions.values {
            guard let row = log.first(where: { $0.seq == reaction.seq }), row.recall == nil else { continue }
            let isThere = row.reactions?.kinds.contains { $0.isMine && $0.emoji == reaction.emoji } == true
            if isThere != reaction.isAdded {
                found.append("\(user.userID)'s \(reaction) of \(state.channel) is not so")
            }
        }
        return found
    }
}
