import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// Compares the model server, on which the simulations depend, with a real core: both get the same commands of the same
/// users, and the results for one user are compared frame by frame.
///
/// Not compared are times, random ids, names, and the numbers of members or messages, which the model does not have,
/// and the position of an answer among the events, because a core delivers them separately.
@Suite struct ModelServerTests {
    @Test(arguments: 0..<4) func `the model server sends what the server sends`(part: Int) async throws {
        var seen: Set<String> = []
        for seed in Seeds.of(part: part, stride: 100, TestLength.rounds(5, long: 1_000)) {
            let pair = try await Pair(seed: seed)
            for _ in 0..<150 where !pair.differs { try await pair.step() }
            guard !pair.differs else { return }
            seen.formUnion(pair.seen)
        }
        // The histories contain enough faults to be meaningful.
        let events = [
            "message.sent", "message.relayed", "message.recalled", "message.deleted", "member.invited",
            "member.kicked", "channel.joined", "channel.left", "readMark.moved", "row.removed",
        ]
        let resets = ["reset epoch", "reset ahead", "reset tooFar", "reset gone"]
        let refusals: [ErrorCode] = [
            .dataFormat, .invalidContent, .channelNotFound, .channelTypeMismatch, .notMember, .orderBroken,
            .duplicateTransID,
        ]
        let wanted = events + resets + refusals.map { "refused \($0.code)" }
        #expect(Set(wanted).subtracting(seen).isEmpty)
    }

    @Test func `missed rows come in the same pages`() async throws {
        let pair = try await Pair(seed: Seeds.of(part: 4, stride: 100, 1)[0], resumeRows: 10_000)
        for number in 0..<1_100 { try await pair.write(to: pair.groups[number % 2]) }
        await pair.compare("1,100 rows", "", "")
        var positions = pair.groups.map { ChannelPosition(channel: $0, seq: 0) }
        var pages = 0
        while pages < 10, !pair.differs {
            pages += 1
            let resume = Resume(epoch: pair.model.epoch, userSeq: 0, channels: positions)
            let page = try #require(try await pair.perform(resume, pair.line))
            for event in page.events {
                for index in positions.indices where positions[index].channel == event.channel {
                    positions[index].seq = event.seq ?? 0
                }
            }
            if !page.hasMore { break }
        }
        #expect(pages == 3)
        #expect(positions.map(\.seq) == [550, 550])
    }

    @Test func `both keep the same of the user's own log, and report missing rows in the same way`() async throws {
        let pair = try await Pair(seed: Seeds.of(part: 5, stride: 100, 1)[0])
        for _ in 0..<4 { try await pair.changeMembership() }
        for round in 0..<2 {
            let end = Int64(pair.model.userLog.count)
            for userSeq in [nil, 0, 1, end - 1, end, end + 1] {
                try await pair.perform(Resume(epoch: pair.model.epoch, userSeq: userSeq), pair.line)
            }
            if round == 0 { await pair.forgetOwn() }
            try await pair.changeMembership()
        }
        #expect(!pair.differs && pair.seen.isSuperset(of: ["reset tooFar", "reset ahead", "channel.left"]))
    }
}

/// The model and a real core, and the commands for both. Ann's frames are compared; Ben stands for all other users.
private final class Pair {
    var model = ModelServer(me: Names.ann)
    let groups = ["a", "b"].map(Names.channel)
    /// The differences, and the kinds of things that happened.
    private(set) var differs = false
    private(set) var seen: Set<String> = []

    private let name: String
    private let core: TestCore
    private let ben: TestSession
    private var ann: TestSession?
    private var random: SeededNumbers
    private var number = 0
    private var steps: [String] = []
    private let lobby = Names.lobby
    private let gained = Names.channel("gained")
    private let nowhere = Names.channel("nowhere")
    /// Whether Ann has ever been a member of the channel that she joins and leaves.
    private var knowsGained = false
    private var sent: [(id: String, message: SendMessage)] = []
    private var messageIDs: [ChannelID: [Int64: MessageID]] = [:]

    init(seed: UInt64, resumeRows: Int = 6) async throws {
        name = Seeds.name(seed)
        random = SeededNumbers(seed: seed)
        core = try TestCore(
            limits: Limits(
                pageRows: 60, resumeRows: resumeRows, sendsPerSecond: 0, channelSendsPerSecond: 0,
                commandsPerSecond: 0))
        ben = try await core.session(Names.ben)
        model.pageRows = 60
        model.farRows = Int64(resumeRows)
        // A row of the server itself.
        model.resumeRows = 500
        try await connect()
        for group in groups {
            model.create(group)
            try await ben.perform(
                CreateChannel(kind: .group, channel: group, title: "T", members: [Names.ann.userID]))
        }
        await compare("Ben makes groups with Ann", "", "")
        try await ben.perform(CreateChannel(kind: .group, channel: gained, title: "G"))
        model.open.insert(lobby)
        try await write(to: lobby)
    }

    // MARK: Steps

    func step() async throws {
        let channel = [groups[0], groups[1], groups[0], groups[1], lobby, gained, nowhere][roll(7)]
        let group = groups[roll(2)]
        switch roll(24) {
        case 0...3:
            let target = [group, group, lobby, gained][roll(4)]
            try await write(to: target)
            await compare("Ben writes to \(target)", "", "")
        case 4...7: try await send()
        case 8...9: try await sendAgain()
        case 10...12: try await list(channel)
        case 13...15: try await resume()
        case 16: try await recall(in: group)
        case 17: try await delete(in: group)
        case 18...19: try await read(channel)
        case 20: try await perform(GetChannel(channel: channel), line)
        case 21:
            // A channel that no longer exists for her may not be created again.
            let target = roll(3) > 0 ? lobby : roll(2) == 0 || !knowsGained ? group : gained
            try await perform(JoinChannel(channel: target)) { "\($0.channel) \($0.kind) \($0.seq)" }
        case 22: try await changeMembership()
        default:
            if ann == nil {
                try await connect()
            } else if roll(3) == 0 {
                disconnect()
            }
        }
    }

    func write(to channel: ChannelID) async throws {
        number += 1
        let key = Names.transID("b\(number)")
        model.write("Ben's \(number)", to: channel, by: Names.ben.userID, transID: key)
        note(try await ben.send("Ben's \(number)", to: channel, id: key.rawValue))
    }

    private func connect() async throws {
        let session = try await core.session(Names.ann)
        ann = session
        let welcome = try #require(session.welcome)
        model.epoch = welcome.epoch
        model.connect()
        let hello = Hello(guest: Guest(userID: Names.ann.userID), deviceID: Names.device)
        try model.receive(WireCodec.encodeClientFrame(ClientFrame(id: "h", command: .hello(hello))))
        let answers = model.outbox.compactMap { frame -> Welcome? in
            guard case .result(_, let body) = frame else { return nil }
            return try? WireCodec.decode(Welcome.self, from: body)
        }
        await compare(
            "Ann connects", answers.map { "\($0.user.userID) \($0.userSeq) \($0.limits.pageRows)" }.joined(),
            "\(welcome.user.userID) \(welcome.userSeq) \(welcome.limits.pageRows)")
    }

    private func disconnect() {
        guard let session = ann else { return }
        core.disconnect(session)
        ann = nil
        model.disconnect()
        steps.append("Ann disconnects")
    }

    private func send() async throws {
        number += 1
        let target = [groups[0], groups[1], groups[0], groups[1], lobby, knowsGained ? gained : lobby][roll(6)]
        var message = SendMessage(channel: target, text: "own \(number)")
        switch roll(10) {
        case 0...1:
            message = SendMessage(channel: target, type: "custom", text: "passing", attributes: [2, 2, 8][roll(3)])
        case 2: message = SendMessage(channel: target, type: "recipe", text: "Eggs")
        case 3: message = SendMessage(channel: target, text: "")
        default: break
        }
        switch roll(6) {
        case 0: message.after = Names.transID("nobody")
        case 1...3: message.after = sent.last.flatMap { TransID(rawValue: $0.id) }
        default: break
        }
        let id = "t\(number)"
        if let answer = try await perform(message, id: id, line) {
            sent.append((id, message))
            note(answer)
        }
    }

    /// The same message with the same transID, or a different one with it.
    private func sendAgain() async throws {
        guard !sent.isEmpty else { return }
        var (id, message) = sent[roll(sent.count)]
        message.after = roll(3) == 0 ? Names.transID("nobody") : message.after
        if roll(3) == 0 { message.text += " and more" }
        try await perform(message, id: id, line)
    }

    private func list(_ channel: ChannelID) async throws {
        var list = ListMessages(channel: channel, limit: [nil, 0, 1, 2, 3, 5, 60, 61][roll(8)])
        switch roll(10) {
        case 0...2: list.before = position(in: channel)
        case 3...5: list.after = position(in: channel)
        case 6...7: list.around = position(in: channel)
        case 8: (list.before, list.after) = (position(in: channel), 1)
        default: break
        }
        try await perform(list) { page in
            (["\(page.hasBefore) \(page.hasAfter) \(page.seq)"] + page.events.compactMap(Self.line))
                .joined(separator: "\n")
        }
    }

    private func resume() async throws {
        let epoch = [model.epoch, model.epoch, model.epoch, nil, "another"][roll(5)]
        let end = Int64(model.userLog.count)
        let userSeq = [nil, 0, end, end, end - 1, end + 1, -1][roll(7)]
        let named = [groups[0], groups[1], lobby, gained, nowhere].filter { _ in roll(3) > 0 }.shuffled(using: &random)
        let positions = named.map { ChannelPosition(channel: $0, seq: position(in: $0)) }
        let onlyNamed = [nil, false, true][roll(3)]
        try await perform(Resume(epoch: epoch, userSeq: userSeq, channels: positions, onlyNamed: onlyNamed), line)
    }

    private func recall(in group: ChannelID) async throws {
        let isOwn = roll(2) == 0
        guard let session = isOwn ? ann : ben, let row = message(in: group, isOwn: isOwn), let seq = row.seq,
            let id = messageIDs[group]?[seq]
        else { return }
        let isSilent = roll(2) == 0
        model.recall(seq, in: group, isSilent: isSilent, by: isOwn ? Names.ann.userID : Names.ben.userID)
        try await session.perform(RecallMessages(channel: group, messageIDs: [id], isSilent: isSilent))
        await compare("\(isOwn ? "Ann" : "Ben") recalls \(seq) in \(group), silently: \(isSilent)", "", "")
    }

    private func delete(in group: ChannelID) async throws {
        guard let session = ann, let row = message(in: group, isOwn: nil), let seq = row.seq,
            let id = messageIDs[group]?[seq]
        else { return }
        model.delete(seq, in: group)
        try await session.perform(DeleteMessages([id], in: group))
        await compare("Ann deletes \(seq) in \(group)", "", "")
    }

    private func read(_ channel: ChannelID) async throws {
        let seq = roll(3) == 0 ? nil : position(in: channel)
        try await perform(SetReadMark(channel: channel, seq: seq)) { answer in
            "\(answer.channel) \(answer.mark.userID) \(answer.mark.seq) \(answer.unread)"
        }
    }

    func changeMembership() async throws {
        if model.members.contains(gained) {
            model.kick(from: gained, by: Names.ben.userID)
            try await ben.perform(KickMembers(channel: gained, members: [Names.ann.userID]))
            await compare("Ben removes Ann", "", "")
        } else {
            knowsGained = true
            model.invite(to: gained, by: Names.ben.userID)
            try await ben.perform(InviteMembers(channel: gained, members: [Names.ann.userID]))
            await compare("Ben invites Ann", "", "")
        }
    }

    /// Advances the time so far that the users' own logs are purged completely.
    func forgetOwn() async {
        model.forgetOwn()
        core.clock.advance(by: RetentionRules.userLog)
        await compare("time passes", "", "")
    }

    // MARK: Comparison

    /// Sends a command of Ann's to both, if she is connected, and compares the answers.
    @discardableResult
    func perform<C: Command>(
        _ command: C, id: String? = nil, _ line: (C.Answer) -> String
    ) async throws -> C.Answer? {
        guard let session = ann else { return nil }
        number += 1
        let id = id ?? "n\(number)"
        let frame = ClientFrame(id: id, command: try AnyCommand(name: C.name, body: WireCodec.encode(command)))
        try model.receive(WireCodec.encodeClientFrame(frame))
        var ours: [String] = []
        for frame in model.outbox {
            switch frame {
            case .result(_, let body): ours.append(line(try WireCodec.decode(C.Answer.self, from: body)))
            case .failure(_, let error): ours.append("refused \(error.code)")
            case .event: break
            }
        }
        var answer: C.Answer?
        let theirs: String
        do {
            let given = try await session.perform(command, id: id)
            answer = given
            theirs = line(given)
        } catch let error as WireError {
            theirs = "refused \(error.code)"
            seen.insert(theirs)
        }
        await compare("\(id) \(command)", ours.joined(separator: "\n"), theirs)
        return answer
    }

    /// Compares two answers, and the events that Ann has received since the last comparison.
    func compare(_ step: String, _ ours: String, _ theirs: String) async {
        await core.settle()
        steps.append(step)
        let told = model.outbox.compactMap { frame -> String? in
            guard case .event(let event) = frame else { return nil }
            return Self.line(event)
        }
        model.outbox = []
        let events = ann?.drainEvents() ?? []
        for event in events { seen.insert(event.name) }
        let heard = events.compactMap(Self.line)
        guard !differs, ours != theirs || told != heard else { return }
        differs = true
        Issue.record(
            """
            \(name), step \(steps.count): \(steps.suffix(5).joined(separator: "\n"))
            the double answers:
            \(ours)
            the server answers:
            \(theirs)
            the double tells:
            \(told.joined(separator: "\n"))
            the server tells:
            \(heard.joined(separator: "\n"))
            """)
    }

    private func line(_ answer: Acknowledgement) -> String {
        "\(answer.channel?.rawValue ?? "-") \(answer.seq ?? 0) \(answer.transID)"
    }

    private func line(_ channel: Channel) -> String {
        guard channel.kind != .open else { return "\(channel.channel) open \(channel.seq)" }
        return
            "\(channel.channel) \(channel.kind) \(channel.role ?? .none) \(channel.seq) read \(channel.readSeq ?? 0) "
            + "unread \(channel.unread ?? 0) purged \(channel.purgedTo ?? 0) "
            + "last \(channel.lastMessage.flatMap(Self.line) ?? "-")"
    }

    func line(_ page: Resume.Answer) -> String {
        for event in page.events { seen.insert(event.name) }
        for reset in page.resets { seen.insert("reset \(reset.reason)") }
        var lines = ["\(page.epoch) \(page.hasMore) \(page.userSeq)"]
        lines += page.events.compactMap(Self.line)
        lines += page.channels.map { "head \($0.channel) \($0.seq)" }
        lines += page.marks.map { "mark \($0.channel) \($0.seq) \($0.unread) \($0.mentions ?? 0)" }
        lines += page.resets.map { "reset \($0.reason) \($0.channel?.rawValue ?? "-") \($0.seq)" }
        return lines.joined(separator: "\n")
    }

    /// The compared part of an event; nil for one that the model does not know.
    private static func line(_ event: Event) -> String? {
        let prefix = "\(event.channel?.rawValue ?? "-") \(event.seq ?? event.userSeq ?? 0) \(event.name)"
        let sender = event.senderID?.rawValue ?? "-"
        switch event.body {
        case .channel(.messageSent(let message)):
            let recall = message.recall.map { "recalled by \($0.byUserID?.rawValue ?? "-") \($0.isSilent)" } ?? ""
            return "\(prefix) \(sender) \(event.transID?.rawValue ?? "-") \(message.type) \(message.text) \(recall)"
        case .ephemeral(.messageRelayed(let message)):
            return "\(prefix) \(sender) \(event.transID?.rawValue ?? "-") \(message.type) \(message.text)"
        case .channel(.messageRecalled(let recalled)):
            let messages = recalled.messages.map { "\($0.seq) of \($0.senderID?.rawValue ?? "-")" }
            return "\(prefix) \(sender) \(messages) \(recalled.isSilent)"
        case .channel(.memberKicked(let removed)): return "\(prefix) \(sender) \(removed.members.map(\.userID))"
        case .channel(.memberInvited(let invited)): return "\(prefix) \(sender) \(invited.members.map(\.userID))"
        case .user(.channelJoined(let joined)):
            let reason = joined.reason.map { "\($0)" } ?? "-"
            return "\(prefix) \(joined.channel) \(joined.kind) \(joined.role) \(joined.fromSeq) \(reason)"
        case .user(.channelLeft(let left)): return "\(prefix) \(left.channel) \(left.reason.map { "\($0)" } ?? "-")"
        case .user(.messageDeleted(let deleted)):
            return "\(prefix) \(deleted.channel) \(deleted.messages.map(\.seq)) \(deleted.unread)"
        case .ephemeral(.readMarkMoved(let moved)):
            // The double has no marks of other users.
            guard moved.marks.contains(where: { $0.userID == Names.ann.userID }) else { return nil }
            return "\(prefix) \(moved.marks.map { "\($0.userID) \($0.seq)" })"
        case .ephemeral(.channelActiveCountChanged): return nil
        default: return prefix
        }
    }

    // MARK: Random choices

    private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    /// A position in a log; sometimes one before its start or after its end.
    private func position(in channel: ChannelID) -> Int64 {
        let head = model.head(channel)
        return [
            0, head, head, head - 1, head + 1, head + 5, -1, Int64(roll(Int(head) + 1)), Int64(roll(Int(head) + 1)),
        ][
            roll(9)]
    }

    /// A message of a group that Ann sees and nobody has recalled: her own, one of Ben's, or any.
    private func message(in group: ChannelID, isOwn: Bool?) -> Event? {
        (model.rows[group] ?? []).filter { row in
            guard case .channel(.messageSent(let message)) = row.body, model.isVisible(row) else { return false }
            return message.recall == nil
                && (isOwn ?? (row.senderID == Names.ann.userID)) == (row.senderID == Names.ann.userID)
        }.randomElement(using: &random)
    }

    private func note(_ answer: Acknowledgement) {
        if let channel = answer.channel, let seq = answer.seq {
            messageIDs[channel, default: [:]][seq] = answer.messageID
        }
    }
}
