import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A device's copy of the channels of its user, built only from live events and `resume`.
private struct Copy {
    var viewer: UserID
    var epoch: String?
    var userSeq: Int64 = 0
    /// The newest known row of each channel.
    var heads: [ChannelID: Int64] = [:]
    /// The row after which the device knows a channel: where its user joined.
    var since: [ChannelID: Int64] = [:]
    /// The rows to show.
    var rows: [ChannelID: [Int64: Event]] = [:]
    /// The position up to which rows are missing; a purge must explain this.
    private var unexplained: [ChannelID: Int64] = [:]
    private var isCatchingUp = false

    init(of user: User) { viewer = user.userID }

    mutating func apply(_ event: Event) {
        if let seq = event.userSeq {
            #expect(seq == userSeq + 1)
            userSeq = seq
        }
        switch event.body {
        case .user(.channelJoined(let joined)):
            heads[joined.channel] = joined.fromSeq
            since[joined.channel] = joined.fromSeq
            rows[joined.channel] = [:]
        case .user(.channelLeft(let left)): forget(left.channel)
        case .user(.channelDismissed(let dismissed)): forget(dismissed.channel)
        case .user(.channelEnded(let body)), .user(.channelCleared(let body)):
            for place in body.channels where heads[place.channel] != nil {
                heads[place.channel] = max(heads[place.channel] ?? 0, place.seq)
                rows[place.channel] = rows[place.channel]?.filter { $0.key > place.seq }
            }
        case .user(.messageDeleted(let body)):
            for message in body.messages { rows[body.channel]?[message.seq] = nil }
        default: add(event)
        }
    }

    private mutating func forget(_ channel: ChannelID) {
        heads[channel] = nil
        since[channel] = nil
        rows[channel] = nil
    }

    private mutating func add(_ event: Event) {
        guard let channel = event.channel, let seq = event.seq, let head = heads[channel], seq > head else { return }
        if isCatchingUp, seq > head + 1 {
            unexplained[channel] = seq - 1
        } else {
            #expect(seq == head + 1, "\(channel)")
        }
        heads[channel] = seq
        switch event.body {
        case .channel(.rowRemoved): return
        case .channel(.messageRecalled(let body)):
            guard let at = event.sentAt else { return }
            let recall = Recall(
                isSilent: body.isSilent, at: at, byUserID: event.senderID, byName: body.byName, byRole: body.byRole)
            for message in body.messages {
                for (seq, row) in rows[channel] ?? [:] {
                    guard case .channel(.messageSent(let answer)) = row.body else { continue }
                    rows[channel]?[seq]?.body = .channel(.messageSent(answer.afterRecall(of: message.messageID)))
                }
                switch rows[channel]?[message.seq]?.body {
                case _ where body.isSilent: rows[channel]?[message.seq] = nil
                case .channel(.messageSent(let old))?:
                    rows[channel]?[message.seq]?.body = .channel(.messageSent(old.recalled(recall)))
                case .channel(.messageAnnounced(let old))?:
                    rows[channel]?[message.seq]?.body = .channel(.messageAnnounced(old.recalled(recall)))
                default: break
                }
            }
            if body.isSilent { return }
        case .channel(.reactionAdded(let body)), .channel(.reactionRemoved(let body)):
            if let message = rows[channel]?[body.seq] {
                rows[channel]?[body.seq] = message.after(event, viewer: viewer)
            }
        case .channel(.channelPurged(let purged)):
            if unexplained[channel] ?? 0 <= purged.upTo { unexplained[channel] = nil }
            rows[channel] = rows[channel]?.filter { $0.key > purged.upTo }.mapValues {
                $0.afterPurge(upTo: purged.upTo)
            }
        default: if event.recall?.isSilent == true { return }
        }
        rows[channel]?[seq] = event
    }

    /// Fetches what was missed.
    mutating func resume(_ session: TestSession) async throws {
        isCatchingUp = true
        defer { isCatchingUp = false }
        var known: Set<ChannelID> = []
        var page: Resume.Answer
        repeat {
            known = Set(heads.keys)
            let places = heads.map { ChannelPosition(channel: $0.key, seq: $0.value) }
            page = try await session.perform(Resume(epoch: epoch, userSeq: userSeq, channels: places))
            epoch = page.epoch
            for event in page.events { apply(event) }
            #expect(page.resets.allSatisfy { $0.reason == .gone })
        } while page.hasMore || !known.isSuperset(of: heads.keys)
        #expect(page.userSeq == userSeq)
        #expect(unexplained.filter { heads[$0.key] != nil }.isEmpty)
        for place in page.channels where heads[place.channel] != nil { #expect(heads[place.channel] == place.seq) }
    }
}

/// Random commands of users, and the invariants that must always hold.
private struct History {
    /// A sent message: the number in its text, and whether it may be the last message.
    private struct Sent {
        var number: Int
        var author: UserID?
        var isLast: Bool
    }

    private let stage: Stage
    private let operatorSession: TestSession
    private var tablet: TestSession?
    private var copies: [Copy]
    private var away = Copy(of: Cast.ann)
    private var random: SeededNumbers
    private var channels = [Cast.club, Cast.annAndBob, Cast.lobby]
    private var messages: [ChannelID: [MessageID]] = [:]
    private var sent: [MessageID: Sent] = [:]
    private var recalled: Set<Int> = []
    /// News that will expire.
    private var ending: [(number: Int, at: Int64)] = []
    /// A forwarded text exists more than once, so a recall or a deletion does not remove all of it.
    private var copied: Set<Int> = []
    private var votes: [ChannelID: [MessageID]] = [:]
    private var deleted: [UserID: Set<Int>] = [:]
    /// The commands that were accepted at least once.
    private(set) var taken: Set<String> = []
    private var files: [FileID] = []
    private var number = 0

    init(_ roost: TestCore, number: UInt64) async throws {
        stage = try await Stage(roost)
        // Each user has a login that can be ended.
        for user in Cast.all {
            let access = Access(
                tokenID: "lost", issuedAt: roost.clock.now, expiresAt: roost.clock.now + 365 * 86_400_000)
            roost.disconnect(try await roost.session(user, device: "lost", access: access))
        }
        operatorSession = try await roost.session(user("op"), isOperator: true)
        tablet = try await roost.session(Cast.ann, device: "tablet")
        copies = Cast.all.map(Copy.init(of:))
        random = SeededNumbers(number)
        try await stage.makeClub()
        try await stage.makePair()
        let den = try RoostCoreTests.channel("den")
        try await stage.dee.perform(CreateChannel(kind: .group, channel: den, members: stage.all.map(\.userID)))
        channels.append(den)
        let offers = try RoostCoreTests.channel("offers")
        try await operatorSession.perform(CreateChannel(kind: .publicNews, channel: offers))
        try await stage.bob.perform(BecomeMember(channel: offers))
        channels += [offers, offers]
        try await applyEvents()
    }

    private func isRecalled(_ tokens: Set<Int>) -> Bool { !tokens.isDisjoint(with: recalled) }

    /// The numbers `#n.` in a text.
    private func tokens(_ bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        var value: Int?
        for byte in bytes {
            if byte == UInt8(ascii: "#") {
                value = 0
            } else if let old = value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                value = old * 10 + Int(byte - UInt8(ascii: "0"))
            } else {
                if byte == UInt8(ascii: "."), let value { found.insert(value) }
                value = nil
            }
        }
        return found
    }

    /// Lets every device apply the events that it has received.
    private mutating func applyEvents() async throws {
        // Between the commands, votes that are due are closed and expired news are withdrawn.
        await stage.settle()
        for end in ending where end.at <= stage.roost.clock.now && !copied.contains(end.number) {
            recalled.insert(end.number)
        }
        ending.removeAll { $0.at <= stage.roost.clock.now }
        for (index, session) in stage.all.enumerated() {
            for event in session.drainEvents() {
                copies[index].apply(event)
                #expect(!isRecalled(tokens(try WireCodec.encode(event))), "\(seed), \(event)")
            }
        }
        if let tablet { for event in tablet.drainEvents() { away.apply(event) } }
        // A purged message is missing like a recalled one.
        for (id, rows) in copies.flatMap(\.rows) {
            let ends = rows.values.compactMap {
                if case .channel(.channelPurged(let purged)) = $0.body { purged.upTo } else { nil }
            }
            guard let end = ends.max() else { continue }
            for message in messages[id] ?? [] where message.seq <= end {
                if let number = sent[message]?.number, !copied.contains(number) { recalled.insert(number) }
            }
        }
    }

    private func check(_ error: WireError?, _ what: String) {
        guard let error else { return }
        #expect(![ErrorCode.internalFault.code, 1000, 1003].contains(error.code), "\(seed), \(what): \(error)")
    }

    /// One step. A refused command must change nothing; the devices' copies show this.
    mutating func step() async throws {
        stage.roost.clock.advance(by: Int64(random.int(0...2)))
        if random.int(0...9) == 0 { try await toggleTablet() }
        let index = random.int(0...3)
        let actor = index == 0 && random.int(0...1) == 0 ? tablet ?? stage.ann : stage.all[index]
        // Mostly a channel of the actor's, sometimes one that the actor may not read.
        let own = copies[index].heads.keys.sorted()
        let channel = random.pick(own.isEmpty || random.int(0...9) == 0 ? channels : own)
        let message = random.pick(messages[channel] ?? [MessageID(sentAt: 0, seq: 1, salt: 0)])
        switch random.int(0...28) {
        case 27...28: try await react(to: message, in: channel, by: actor)
        case 26: try await broadcast(to: channel, from: actor)
        case 20: try await forward(message, in: channel, by: actor)
        case 21: try await vote(in: channel, by: actor)
        case 0...7: try await send(from: actor, to: channel)
        case 8...9: try await recall(message, in: channel, by: actor)
        case 10...11: try await delete(message, in: channel, by: actor)
        case 12: try await random.int(0...1) == 0 ? announce(in: channel) : sendMany(from: actor, to: channel)
        case 22: try await publish(by: actor)
        case 13...14: try await run(mark(channel, message), by: actor)
        case 15: try await follow(channel, actor)
        default: try await run(any(channel, message), by: actor)
        }
        try await applyEvents()
    }

    /// Dismisses the groups, with a user who is allowed to.
    mutating func dismissGroups() async throws {
        for channel in channels {
            for session in stage.all { try await run(DismissChannel(channel: channel), by: session) }
        }
        try await applyEvents()
    }

    /// Ann's tablet disconnects, or connects again and fetches what it has missed.
    private mutating func toggleTablet() async throws {
        if let tablet {
            stage.roost.disconnect(tablet)
            self.tablet = nil
        } else {
            let session = try await stage.roost.session(Cast.ann, device: "tablet")
            try await away.resume(session)
            tablet = session
        }
    }

    private mutating func run(_ command: any Command, by actor: TestSession) async throws {
        let refusal = try await actor.refusal(command)
        check(refusal, "\(command)")
        if refusal == nil { taken.insert(type(of: command).name) }
    }

    private mutating func file(of actor: TestSession) async throws -> FileReference {
        let (file, unused) = (try await actor.file(), try await actor.file())
        files.append(file.fileID)
        try await run(DeleteFile(fileID: unused.fileID), by: actor)
        return file
    }

    private mutating func note(_ answer: Acknowledgement, _ channel: ChannelID, _ author: UserID?, isLast: Bool) {
        guard let id = answer.messageID else { return }
        sent[id] = Sent(number: number, author: author, isLast: isLast)
        messages[channel, default: []].append(id)
    }

    private mutating func send(from actor: TestSession, to channel: ChannelID) async throws {
        number += 1
        var send = SendMessage(channel: channel)
        if random.int(0...2) == 0 { send = random.pick(try await SendMessage.everyKind(in: channel, from: actor)) }
        send.text = "#\(number). text"
        if send.mentions != nil || send.hasOnlyText && random.int(0...2) == 0 {
            send.mentions = [Mention(userID: random.pick(stage.all).userID)]
        }
        if send.attributes != nil { send.content.payload = .custom(attributes: random.int(1...63)) }
        if random.int(0...2) == 0 { send.replyTo = (messages[channel] ?? []).randomElement(using: &random) }
        do {
            let answer = try await actor.perform(send)
            taken.insert(SendMessage.name)
            let type = try #require(MessageType.named(send.type ?? "text"))
            note(answer, channel, actor.userID, isLast: type.behaviour(attributes: send.attributes).isLastMessage)
        } catch let error as WireError {
            check(error, "\(send)")
        }
    }

    private mutating func sendMany(from actor: TestSession, to channel: ChannelID) async throws {
        let first = number + 1
        number += 3
        let contents = (first...number).map { MessageContent(text: "#\($0). one of several") }
        let command = SendMany(messages: contents, channels: [try RoostCoreTests.channel("x:y"), channel])
        do {
            let answer = try await actor.perform(command)
            taken.insert(SendMany.name)
            for result in answer.results {
                guard let id = result.messageID else { continue }
                sent[id] = Sent(number: first + result.index, author: actor.userID, isLast: true)
                messages[result.channel, default: []].append(id)
            }
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    /// Sends a broadcast to all users or to a channel's members, with a pause; mostly to the end.
    private mutating func broadcast(to channel: ChannelID, from actor: TestSession) async throws {
        number += 1
        let segment: BroadcastSegment = random.pick([
            .everybody, .members(of: channel),
            // More than fits into one turn, so that it can be paused.
            .users(stage.all.map(\.userID) + (0..<20).compactMap { UserID(rawValue: "stranger-\($0)") }),
        ])
        let command = CreateBroadcast(
            senderID: actor.userID, messages: [MessageContent(text: "#\(number). to many")], segment: segment)
        do {
            let id = try await operatorSession.perform(command).broadcast.broadcastID
            taken.insert(CreateBroadcast.name)
            // Before anybody has received it, or in the middle.
            for _ in 0..<number % 3 { await stage.roost.turn() }
            for command in [PauseBroadcast(broadcastID: id), ResumeBroadcast(broadcastID: id)] as [any Command] {
                try await run(command, by: operatorSession)
            }
            if random.int(0...3) == 0 { try await run(CancelBroadcast(broadcastID: id), by: operatorSession) }
            try await stage.roost.pass(id, at: operatorSession)
            try await run(GetBroadcast(broadcastID: id), by: operatorSession)
            try await run(ListBroadcasts(limit: 2), by: operatorSession)
            copied.insert(number)
            for event in stage.all.flatMap(\.events) where event.transID?.rawValue == "broadcast:\(id)" {
                guard let channel = event.channel, let id = event.messageID, sent[id] == nil else { continue }
                sent[id] = Sent(number: number, author: actor.userID, isLast: true)
                messages[channel, default: []].append(id)
                if !channels.contains(channel) { channels.append(channel) }
            }
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    private mutating func forward(_ message: MessageID, in channel: ChannelID, by actor: TestSession) async throws {
        let ids = some(message, in: channel, &random)
        let targets = Set([random.pick(channels), random.pick(channels), channel]).sorted()
        let command = ForwardMessages(channel: channel, messageIDs: ids, channels: targets)
        do {
            let answer = try await actor.perform(command)
            taken.insert(ForwardMessages.name)
            #expect(answer.results.count == ids.count * targets.count)
            for result in answer.results where result.code == 0 {
                guard let original = sent[ids[result.index]], let copy = result.messageID else { continue }
                copied.insert(original.number)
                for user in deleted.keys { deleted[user]?.remove(original.number) }
                // Forwarded news become a text.
                let isLast = original.isLast || channel.rawValue == "offers"
                sent[copy] = Sent(number: original.number, author: actor.userID, isLast: isLast)
                messages[result.channel, default: []].append(copy)
                try await run(GetOrigin(channel: result.channel, messageID: copy), by: actor)
            }
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    /// Creates a vote, or does something with one.
    private mutating func vote(in channel: ChannelID, by actor: TestSession) async throws {
        guard let known = votes[channel], random.int(0...4) > 0 else {
            number += 1
            let hasPicture = random.int(0...1) == 0
            let second =
                hasPicture
                ? MessageContent(type: "image", text: "#\(number). b", file: try await file(of: actor))
                : MessageContent(text: "#\(number). b")
            let ask = CreateVote(
                channel: channel, subject: "#\(number). which",
                vote: Vote(
                    options: [MessageContent(text: "#\(number). a"), second], isSecret: random.int(0...3) == 0,
                    results: random.pick([.live, .atEnd]), canChange: random.int(0...1) == 0,
                    closesAt: random.int(0...2) == 0 ? .init(milliseconds: stage.roost.clock.now + 20) : nil))
            do {
                let answer = try await actor.perform(ask)
                taken.insert(CreateVote.name)
                note(answer, channel, actor.userID, isLast: second.type == "text")
                if let id = answer.messageID {
                    votes[channel, default: []].append(id)
                    // Its author may close it.
                    if random.int(0...5) == 0 {
                        try await run(CloseVote(channel: channel, messageID: id), by: actor)
                    }
                }
            } catch let error as WireError {
                check(error, "\(ask)")
            }
            return
        }
        let id = random.pick(known)
        let options = (0..<random.int(0...1)).map { _ in random.int(0...1) }
        try await run(CastVote(channel: channel, messageID: id, options: options), by: actor)
        switch random.int(0...9) {
        case 0: try await run(CloseVote(channel: channel, messageID: id), by: actor)
        case 1: await stage.settle()
        case 2...4: try await run(ListVotes(channel: channel), by: actor)
        case 5...6: try await run(GetVotes(channel: channel, messageIDs: [id]), by: actor)
        default: try await run(ListBallots(channel: channel, messageID: id), by: actor)
        }
    }

    /// Adds an emoji to a message or pins it, takes that back, or lists the reactions or the pins.
    private mutating func react(to message: MessageID, in channel: ChannelID, by actor: TestSession) async throws {
        // A few messages get all reactions.
        let last = messages[channel]?.suffix(3).randomElement(using: &random) ?? message
        let id = random.pick([message, last, last])
        let emoji = random.pick(["👍", "❤️", "❤", "♥", "❤\u{FE0E}"])
        switch random.int(0...10) {
        case 0...3: try await run(AddReaction(channel: channel, messageID: id, emoji: emoji), by: actor)
        case 4...5: try await run(RemoveReaction(channel: channel, messageID: id, emoji: emoji), by: actor)
        case 6: try await run(ListReactions(channel: channel, messageID: id), by: actor)
        case 7...8: try await run(AddPin(channel: channel, messageID: id), by: actor)
        case 9: try await run(RemovePin(channel: channel, messageID: id), by: actor)
        default: try await run(ListPins(channel: channel), by: actor)
        }
    }

    private mutating func announce(in channel: ChannelID) async throws {
        number += 1
        let command = AnnounceMessage(channel: channel, text: "#\(number). line")
        do {
            note(try await operatorSession.perform(command), channel, nil, isLast: true)
            taken.insert(AnnounceMessage.name)
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    private mutating func publish(by reader: TestSession) async throws {
        let offers = try RoostCoreTests.channel("offers")
        number += 1
        let end = random.int(0...1) == 0 ? stage.roost.clock.now + Int64(random.int(1...20)) : nil
        let command = PublishNews(
            channel: offers, text: "#\(number). news", validUntil: end.map { .init(milliseconds: $0) })
        note(try await operatorSession.perform(command), offers, nil, isLast: false)
        taken.insert(PublishNews.name)
        if let end { ending.append((number: number, at: end)) }
        try await run(ListNews(), by: reader)
        if random.int(0...1) == 0 { try await run(BecomeMember(channel: offers), by: reader) }
    }

    private func some(_ message: MessageID, in channel: ChannelID, _ random: inout SeededNumbers) -> [MessageID] {
        let others = (0..<random.int(0...3)).compactMap { _ in messages[channel]?.randomElement(using: &random) }
        return Array(Set([message] + others)).sorted()
    }

    private mutating func recall(_ message: MessageID, in channel: ChannelID, by actor: TestSession) async throws {
        let own = (messages[channel] ?? []).filter { sent[$0]?.author == actor.userID }
        let ids = some(own.randomElement(using: &random) ?? message, in: channel, &random)
        let command = RecallMessages(channel: channel, messageIDs: ids, isSilent: random.pick([nil, true, false]))
        do {
            let answer = try await actor.perform(command)
            taken.insert(RecallMessages.name)
            for result in answer.results where result.code == 0 {
                if let number = sent[result.messageID]?.number, !copied.contains(number) { recalled.insert(number) }
            }
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    private mutating func delete(_ message: MessageID, in channel: ChannelID, by actor: TestSession) async throws {
        let command =
            switch random.int(0...14) {
            case 0: DeleteMessages.everything
            case 1: DeleteMessages(allIn: channel)
            default: DeleteMessages(some(message, in: channel, &random), in: channel)
            }
        do {
            let answer = try await actor.perform(command)
            taken.insert(DeleteMessages.name)
            for result in answer.results where result.code == 0 {
                if let number = sent[result.messageID]?.number, !copied.contains(number) {
                    deleted[actor.userID, default: []].insert(number)
                }
            }
        } catch let error as WireError {
            check(error, "\(command)")
        }
    }

    /// Two commands, the second of which requires the first.
    private mutating func follow(_ channel: ChannelID, _ actor: TestSession) async throws {
        let other = random.pick(stage.all)
        switch random.int(0...2) {
        case 0:
            let asked = NewMember(other.userID, role: .invited)
            var place = channel
            if random.int(0...1) == 0 {
                // A group in which the actor has the right.
                place = try RoostCoreTests.channel("own-\(channels.count)")
                channels.append(place)
                try await run(CreateChannel(kind: .group, channel: place), by: actor)
            }
            try await run(InviteMembers(channel: place, members: [asked]), by: actor)
            try await run(AnswerInvitation(channel: place, isAccepted: random.int(0...3) > 0), by: other)
            if place != channel {
                try await run(SetMemberRole(channel: place, userID: other.userID, role: .moderator), by: actor)
            }
        case 1: try await schedule(channel, actor)
        default:
            try await run(BanMembers(channel: channel, members: [other.userID]), by: actor)
            try await run(UnbanMembers(channel: channel, members: [other.userID]), by: actor)
        }
    }

    private var schedulesVote = false

    /// Schedules something that is never due, changes it, and mostly cancels it.
    private mutating func schedule(_ channel: ChannelID, _ actor: TestSession) async throws {
        let sendAt = stage.roost.clock.now + 86_400_000
        let content = MessageContent(text: "later")
        schedulesVote.toggle()
        let create =
            schedulesVote
            ? CreateSchedule(
                channels: [channel], sendAt: .init(milliseconds: sendAt), subject: "later?", vote: .between(2))
            : CreateSchedule(messages: [content], channels: [channel], sendAt: .init(milliseconds: sendAt))
        try await run(create, by: actor)
        try await run(ListSchedules(limit: 1), by: actor)
        guard let id = try await actor.perform(ListSchedules()).schedules.last?.scheduleID else { return }
        try await run(ChangeSchedule(scheduleID: id, channels: [random.pick(channels)]), by: actor)
        if random.int(0...3) > 0 { try await run(CancelSchedule(scheduleID: id), by: actor) }
    }

    private mutating func mark(_ channel: ChannelID, _ message: MessageID) -> any Command {
        switch random.int(0...3) {
        case 0: SetReadMark(channel: channel, messageID: message)
        case 1:
            SetReadMark(channel: channel, time: .init(milliseconds: stage.roost.clock.now - Int64(random.int(0...40))))
        default: SetReadMark(channel: channel, seq: Int64(random.int(0...30)))
        }
    }

    /// Any of the other commands.
    private mutating func any(_ channel: ChannelID, _ message: MessageID) throws -> any Command {
        let user = random.pick(stage.all).userID
        let role = random.pick(Role.allCases)
        let flag = random.int(0...1) == 0
        switch random.int(0...41) {
        case 41:
            return flag ? GetUserSettings() : SetUserSettings(invitesFrom: random.pick(InvitesFrom.allCases))
        case 40:
            return random.pick([
                ListLogins(), EndLogins(deviceID: "lost"), GetAccount(),
                FindUsers(userIDs: [user], loginNames: ["nobody"]),
            ])
        case 38:
            let address = PushAddress(gateway: .webhook, token: random.pick(["one", "two", "three"]))
            return flag ? GetDevice() : SetDeviceAddress(address: address, removesOthers: random.pick([nil, true]))
        case 39:
            return random.pick([
                SetDeviceSettings(mutesAll: flag), RemoveDevice(), ListDevices(), RemoveDevice(deviceID: "tablet"),
            ])
        case 0: return BlockUser(userID: user)
        case 1, 2: return UnblockUser(userID: user)
        case 3: return flag ? ListBlockedUsers() : SetUserProfile(profile: UserProfile(name: "P\(number)"))
        case 4:
            let id = try RoostCoreTests.channel("g\(number)-\(random.int(0...99))")
            channels.append(id)
            return CreateChannel(
                kind: .group, channel: id,
                members: random.pick([[user], stage.all.map(\.userID)]).map {
                    NewMember($0, role: flag ? nil : role)
                })
        case 5:
            channels.append(ChannelID(single: user, Cast.dee.userID))
            return CreateChannel(kind: .single, members: [user])
        case 6:
            return random.pick([
                GetUsers(userIDs: [user]), GetFiles(fileIDs: [files.last ?? "none"]), CreateReport(userID: user),
            ])
        case 7: return GetChannel(channel: channel, withMembers: flag)
        case 8: return ListChannels(limit: random.int(1...3))
        case 9: return QueryChannels(changedSince: .init(milliseconds: stage.roost.clock.now - 10), withMembers: flag)
        case 10: return ListOpenChannels()
        case 11: return JoinChannel(channel: flag ? Cast.lobby : channel)
        case 12: return LeaveChannel(channel: channel, successor: flag ? user : nil)
        case 13: return HideChannel(channel: flag ? channel : nil)
        case 14: return EndChannel(channel: random.int(0...5) == 0 ? nil : channel)
        case 15:
            let history = random.pick([nil, HistoryVisibility.all, .sinceJoin, .last])
            return SetChannelProfile(
                channel: channel,
                profile: ChannelProfile(
                    title: "T\(number)", canJoin: flag, history: history, historyRows: history == .last ? 3 : nil,
                    moderatorsMayRecall: random.pick([nil, true, false])))
        case 16:
            return SetChannelPreference(channel: channel, isMuted: flag, nickname: random.pick(["", "N\(number)"]))
        case 17: return random.int(0...2) == 0 ? DismissChannel(channel: channel) : SetAllReadMarks()
        case 18...20:
            return InviteMembers(channel: channel, members: [NewMember(user, role: flag ? nil : role)])
        case 21: return AnswerInvitation(channel: channel, isAccepted: flag)
        case 22: return BecomeMember(channel: channel)
        case 36: return flag ? CreateFile(name: "a", size: 1) : DeleteFile(fileID: random.pick(files + ["none"]))
        case 23: return KickMembers(channel: channel, members: [user])
        case 24: return BanMembers(channel: channel, members: [user])
        case 25: return UnbanMembers(channel: channel, members: [user])
        case 26, 35: return SetMemberRole(channel: channel, userID: user, role: role)
        case 27: return flag ? ListMembers(channel: channel) : ListMemberReads(channel: channel)
        case 28: return flag ? ListMessages(channel: channel, aroundMessage: message) : ListReadMarks(channel: channel)
        case 29:
            return QueryMessages(
                channel: flag ? channel : nil, time: .init(milliseconds: stage.roost.clock.now - 5), direction: .before,
                limit: 7)
        case 30: return flag ? GetMessages(channel: channel, messageIDs: [message]) : GetUnread()
        case 31:
            return flag
                ? ListReaders(channel: channel, messageID: message)
                : CountReads(channel: channel, messageIDs: [message])
        case 32: return SetAllReadMarks()
        case 33: return UnsetReadMark(channel: channel)
        case 34: return flag ? StartTyping(channel: channel) : EndTyping(channel: channel)
        default: return flag ? ExplainUnread(channel: channel) : Resume(userSeq: 0)
        }
    }

    /// Checks everything that must be true at any time.
    mutating func check(_ comment: String) async throws {
        if tablet == nil { try await toggleTablet() }
        let tablet = try #require(tablet)
        for (session, copy) in zip(stage.all + [tablet], copies + [away]) {
            try await check(session, copy, "\(comment), \(session.userID) \(session.actor.deviceID)")
        }
        // Ann's devices have the same rows for the time when both were connected.
        let phone = copies[0]
        #expect(phone.userSeq == away.userSeq)
        #expect(phone.heads == away.heads)
        #expect(phone.rows == away.rows, "\(comment)")
        try await checkWire(comment)
    }

    private func check(_ session: TestSession, _ copy: Copy, _ comment: String) async throws {
        let me = session.userID
        let page = try await session.perform(Resume(userSeq: 0))
        #expect(page.events.compactMap(\.userSeq) == (0..<Int64(page.events.count)).map { $0 + 1 })
        #expect(page.userSeq == copy.userSeq, "\(comment)")
        #expect(Set(page.channels.map(\.channel)) == Set(copy.heads.keys), "\(comment)")
        var expected: [ChannelUnread] = []
        for id in page.channels.map(\.channel) {
            let comment = "\(comment), \(id)"
            let channel = try await session.channel(id)
            let log = try await session.log(of: id)
            #expect(copy.heads[id] == channel.seq, "\(comment)")
            // The device has the rows that it would read now.
            let shown = log.filter { ($0.seq ?? 0) > copy.since[id] ?? 0 }.map(\.withPlainReactions)
            try await checkReactions(log, id, session, comment)
            if !channel.kind.isNews { try await checkPins(log, id, session, comment) }
            let kept = (copy.rows[id] ?? [:]).sorted { $0.key < $1.key }.map(\.value.withPlainReactions)
            if kept != shown {
                Issue.record("\(comment): \(zip(kept, shown).first { $0 != $1 }.map { "\($0)" } ?? "rows differ")")
            }
            try await checkDense(id, channel, log, session, comment)
            // The count equals a recount, and its explanation adds up.
            let mark = try #require(channel.readSeq)
            let unread = log.filter { $0.isUnread(by: me, mark: mark) }
            let mentions = unread.count { $0.mentions(me) }
            #expect(channel.unread == unread.count, "\(comment)")
            #expect(channel.mentions ?? 0 == mentions, "\(comment)")
            let answer = try await session.perform(ExplainUnread(channel: id))
            let why = try #require(answer.channels.first)
            #expect(why.count - why.readCount - why.own - why.recalled - why.deleted == Int64(why.unread), "\(comment)")
            #expect(why.unread == unread.count && why.mentions == mentions, "\(comment)")
            #expect(why.count == channel.count && why.readSeq == mark, "\(comment)")
            let candidates = log.filter { row in row.messageID.flatMap { sent[$0]?.isLast } ?? false }
            #expect(channel.lastMessage == candidates.last?.withoutReactions, "\(comment)")
            let isMuted = channel.preference?.isMuted == true
            #expect(why.isMuted == isMuted)
            #expect(why.isMarkedUnread == (channel.isMarkedUnread == true))
            if !unread.isEmpty || channel.isMarkedUnread == true {
                expected.append(
                    ChannelUnread(
                        channel: id, unread: unread.count, mentions: mentions > 0 ? mentions : nil,
                        isMuted: isMuted ? true : nil, isMarkedUnread: channel.isMarkedUnread, count: channel.count))
            }
        }
        try await checkTotals(expected.sorted { $0.channel < $1.channel }, session, comment)
    }

    /// The number of reactions equals a recount.
    private func checkReactions(
        _ log: [Event], _ channel: ChannelID, _ session: TestSession, _ comment: String
    ) async throws {
        for row in log {
            guard let id = row.messageID, let kinds = row.reactions?.kinds else { continue }
            let told = try await session.perform(ListReactions(channel: channel, messageID: id)).reactions
            #expect(!kinds.isEmpty && row.recall == nil, "\(comment)")
            for kind in kinds {
                let users = told.filter { ReactionRules.key(of: $0.emoji) == ReactionRules.key(of: kind.emoji) }
                #expect(kind.count == Set(users.map(\.userID)).count && kind.count == users.count, "\(comment)")
                #expect(kind.isMine == users.contains { $0.userID == session.userID }, "\(comment)")
            }
            #expect(told.count == kinds.reduce(0) { $0 + $1.count }, "\(comment)")
        }
    }

    /// The pinned messages are those of the log that can be read, the one that was pinned last first.
    private func checkPins(
        _ log: [Event], _ channel: ChannelID, _ session: TestSession, _ comment: String
    ) async throws {
        let readable = Set(log.filter { $0.recall == nil }.compactMap(\.messageID))
        var expected: [MessageID] = []
        for row in log {
            switch row.body {
            case .channel(.pinAdded(let pin)): expected.insert(pin.messageID, at: 0)
            case .channel(.pinRemoved(let pin)): expected.removeAll { $0 == pin.messageID }
            default: continue
            }
        }
        let pins = try await session.perform(ListPins(channel: channel)).pins.map(\.messageID)
        #expect(pins == expected.filter(readable.contains), "\(comment)")
    }

    /// The numbers of a log have no gap, and resuming from any position gives the rest of it.
    private func checkDense(
        _ id: ChannelID, _ channel: Channel, _ log: [Event], _ session: TestSession, _ comment: String
    ) async throws {
        let all = try await session.replay(id)
        let seqs = all.compactMap(\.seq)
        #expect(seqs.last ?? channel.seq == channel.seq, "\(comment)")
        if let first = seqs.first { #expect(seqs == Array(first...channel.seq), "\(comment)") }
        let visible = all.filter { $0.name != "row.removed" && !$0.isOfSilentRecall }
        #expect(visible == log.map(\.withoutReactions), "\(comment)")
        let place = Int64(number) % (channel.seq + 1)
        let rest = try await session.replay(id, after: place)
        #expect(rest == all.filter { ($0.seq ?? 0) > place }, "\(comment)")
        var count: Int64 = 0
        for row in log {
            guard case .channel(.messageSent(let message)) = row.body else { continue }
            #expect(message.count >= count && message.count <= channel.count)
            count = message.count
        }
    }

    private func checkTotals(_ expected: [ChannelUnread], _ session: TestSession, _ comment: String) async throws {
        func sum(_ isMuted: Bool) -> Int {
            expected.filter { ($0.isMuted == true) == isMuted }.reduce(0) { $0 + $1.unread }
        }
        let mentions = expected.reduce(0) { $0 + ($1.mentions ?? 0) }
        let unread = try await session.perform(GetUnread())
        #expect(unread.channels == expected, "\(comment)")
        #expect(unread.total == sum(false), "\(comment)")
        #expect(unread.muted ?? 0 == sum(true), "\(comment)")
        #expect(unread.mentions ?? 0 == mentions, "\(comment)")
        let why = try await session.perform(ExplainUnread())
        #expect([why.total, why.muted, why.mentions] == [sum(false), sum(true), mentions], "\(comment)")
        #expect(why.channels.map(\.channel) == expected.map(\.channel), "\(comment)")
        let list = try await session.perform(ListChannels(limit: 100))
        #expect(list.totalUnread == sum(false), "\(comment)")
        for channel in list.channels {
            let known = expected.first { $0.channel == channel.channel }
            #expect(channel.unread == known?.unread ?? 0, "\(comment)")
        }
        let marks = try await session.perform(Resume()).marks
        #expect(marks.map(\.unread) == expected.map(\.unread), "\(comment)")
        #expect(marks.map(\.mentions) == expected.map(\.mentions), "\(comment)")
    }

    /// No answer contains anything that was recalled, or a message that its reader has deleted.
    private func checkWire(_ comment: String) async throws {
        for session in stage.all {
            var commands: [AnyCommand] = [
                .read(.listChannels(ListChannels(limit: 100))), .read(.queryChannels(QueryChannels(withMembers: true))),
                .read(.queryMessages(QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 100))),
                .read(.queryMessages(QueryMessages(time: .init(milliseconds: .max), direction: .before, limit: 100))),
                .read(
                    .queryMessages(
                        QueryMessages(time: .init(milliseconds: 0), direction: .after, category: "app", limit: 100))),
                .read(.resume(Resume(userSeq: 0, channels: channels.map { ChannelPosition(channel: $0, seq: 0) }))),
            ]
            for (channel, ids) in messages {
                commands += [
                    .read(.getMessages(GetMessages(channel: channel, messageIDs: Array(ids.suffix(100))))),
                    .read(.listMessages(ListMessages(channel: channel, limit: 100))),
                    .read(.getChannel(GetChannel(channel: channel))),
                ]
            }
            for command in commands {
                let reply = await stage.roost.core.handle(command, id: "read", from: session.actor)
                guard case .accepted(let json) = reply else { continue }
                #expect(!isRecalled(tokens(json)), "\(comment), \(session.userID): \(command)")
                guard case .read(.queryMessages) = command else { continue }
                let hidden = deleted[session.userID] ?? []
                for event in try WireCodec.decode(QueryMessages.Answer.self, from: json).events {
                    guard let number = event.messageID.flatMap({ sent[$0]?.number }) else { continue }
                    #expect(!hidden.contains(number), "\(comment), \(session.userID)")
                }
            }
        }
    }

    /// The writer's state, queried with marks that do not move; the writer may have to read it from the database.
    func checkWriter(_ stage: Stage, _ comment: String) async throws {
        for session in stage.all {
            for id in try await session.perform(Resume()).channels.map(\.channel) {
                let answer = try await session.perform(SetReadMark(channel: id, seq: 0))
                #expect(answer.unread == (try await session.recount(id)), "\(comment), \(id) of \(session.userID)")
            }
        }
    }

    func checkWriter(_ comment: String) async throws { try await checkWriter(stage, comment) }
}

@Suite struct HistoriesTests {
    @Test(arguments: Backend.available)
    func `whatever users do, counts are recounts, logs are dense, devices agree and nothing hidden is on the wire`(
        backend: Backend
    ) async throws {
        var taken: Set<String> = []
        // Commands that are rarely possible may need some more steps.
        let isWhole = { taken.count == AnyCommand.names.count - 1 }
        let isMemory = backend == .memory
        let rounds = TestLength.rounds(isMemory ? 15 : 3, long: isMemory ? 200 : 20)
        for round in 0..<(isMemory ? max(80, rounds) : rounds) where round < rounds || !isWhole() {
            let comment = "\(seed), round \(round)"
            let (database, resource) = try backend.makeDatabase()
            let roost = try TestCore(database: database)
            var history = try await History(roost, number: UInt64(1_000 + round))
            for step in 1...60 {
                try await history.step()
                if step % 30 == 0 { try await history.check("\(comment), step \(step)") }
            }
            // An actor with the right is rarely picked.
            if round % 4 == 3 {
                try await history.dismissGroups()
                try await history.check("\(comment), dismissed")
            }
            try await history.checkWriter(comment)
            await roost.core.stop()
            let later = try await Stage(try TestCore(database: database))
            try await history.checkWriter(later, "\(comment), restarted")
            await later.roost.core.stop()
            taken.formUnion(history.taken)
            withExtendedLifetime(resource) {}
        }
        // These come from an operator, or over HTTP, or end a user.
        let others: Set = [
            "hello", "session.renew", "user.setAccess", "user.delete", "key.create", "key.list", "key.revoke",
            "push.test", "account.register", "report.list", "report.close",
            "account.authenticate", "account.logIn", "account.set", "account.signUp", "visitor.start",
        ]
        if isMemory { #expect(Set(AnyCommand.names).subtracting(taken) == others, "\(seed)") }
    }

    @Test(arguments: Backend.available)
    func `the same holds while old rows are purged`(backend: Backend) async throws {
        let isMemory = backend == .memory
        let rounds = TestLength.rounds(isMemory ? 12 : 3, long: isMemory ? 60 : 20)
        for round in 0..<rounds {
            let comment = "\(seed), round \(round)"
            let (database, resource) = try backend.makeDatabase()
            var policies: [ChannelKind: RetentionPolicy] = [:]
            for kind in ChannelKind.allCases {
                switch round % 3 {
                case 0: policies[kind] = RetentionPolicy(keepLast: Int64(round % 7 + 1))
                case 1: policies[kind] = RetentionPolicy(keepFor: Int64(round % 5 * 4 + 2))
                default: policies[kind] = RetentionPolicy(keepFor: 6, keepLast: 2)
                }
            }
            let roost = try TestCore(database: database, retention: policies)
            var history = try await History(roost, number: UInt64(5_000 + round))
            for step in 1...60 {
                try await history.step()
                if step % 30 == 0 { try await history.check("\(comment), step \(step)") }
            }
            try await history.checkWriter(comment)
            await roost.core.stop()
            let later = try await Stage(try TestCore(database: database))
            try await history.checkWriter(later, "\(comment), restarted")
            await later.roost.core.stop()
            withExtendedLifetime(resource) {}
        }
    }
}
