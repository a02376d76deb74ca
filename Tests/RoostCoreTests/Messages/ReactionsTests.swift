import RoostCore
import RoostTesting
import RoostWire
import Testing

extension TestSession {
    @discardableResult
    func react(
        _ emoji: String, to message: MessageID, in channel: ChannelID = Cast.club, id: String? = nil
    ) async throws -> Acknowledgement {
        try await perform(AddReaction(channel: channel, messageID: message, emoji: emoji), id: id)
    }

    @discardableResult
    func removeReaction(
        _ emoji: String, from message: MessageID, in channel: ChannelID = Cast.club, id: String? = nil
    ) async throws -> Acknowledgement {
        try await perform(RemoveReaction(channel: channel, messageID: message, emoji: emoji), id: id)
    }

    /// What a message shows of reactions: `👍 2` or, where this user is one of them, `[👍 2]`.
    func reactions(to message: MessageID, in channel: ChannelID = Cast.club) async throws -> [String] {
        try await row(message, in: channel)?.shownReactions ?? []
    }

    /// The reactions and their users, as `👍 Ann`.
    func reactors(
        _ message: MessageID, emoji: String? = nil, in channel: ChannelID = Cast.club
    ) async throws -> [String] {
        try await perform(ListReactions(channel: channel, messageID: message, emoji: emoji)).reactions
            .map { "\($0.emoji) \($0.name)" }
    }
}

extension Event {
    var shownReactions: [String] {
        (reactions?.kinds ?? []).map { $0.isMine ? "[\($0.emoji) \($0.count)]" : "\($0.emoji) \($0.count)" }
    }

    var reactionChanged: ReactionChanged? {
        switch body {
        case .channel(.reactionAdded(let change)), .channel(.reactionRemoved(let change)): change
        default: nil
        }
    }
}

@Suite struct ReactionsTests {
    private func stage(_ backend: Backend) async throws -> (Stage, MessageID) {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        await stage.forgetEvents()
        return (stage, id)
    }

    private func code(_ session: TestSession, _ emoji: String, _ message: MessageID) async throws -> ErrorCode? {
        try await session.refusal(AddReaction(channel: Cast.club, messageID: message, emoji: emoji))?.entry
    }

    @Test(arguments: Backend.available)
    func `a reaction is a row for everybody, and pages and single messages tell the counts and the reader's own`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let before = try await stage.cid.channel(Cast.club)

        let answer = try await stage.bob.react("👍", to: id)

        for session in [stage.ann, stage.bob, stage.cid, tablet] {
            let row = try #require(session.rows(of: Cast.club).last)
            #expect(row.name == "reaction.added" && row.seq == 2 && row.seq == answer.seq)
            #expect(row.senderID == Cast.bob.userID && row.transID == answer.transID)
            #expect(
                row.reactionChanged == ReactionChanged(messageID: id, seq: 1, emoji: "👍", count: 1, byName: "Bob"))
            #expect(try await session.log(of: Cast.club).last == row)
            #expect(session.rows(of: Cast.club).count == 1)
        }
        #expect(stage.dee.events.isEmpty)
        try await stage.ann.react("👍", to: id)
        try await stage.ann.react("🎉", to: id)

        #expect(try await stage.ann.reactions(to: id) == ["[👍 2]", "[🎉 1]"])
        #expect(try await stage.bob.reactions(to: id) == ["[👍 2]", "🎉 1"])
        #expect(try await stage.cid.reactions(to: id) == ["👍 2", "🎉 1"])
        // The same in every page, up to date with the newest row.
        let expected = try await stage.bob.row(id, in: Cast.club)
        #expect(expected?.reactions?.head == 4)
        let newest = try await stage.bob.perform(ListMessages(channel: Cast.club))
        let around = try await stage.bob.perform(ListMessages(channel: Cast.club, aroundMessage: id))
        let byTime = try await stage.bob.perform(
            QueryMessages(channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 10))
        let back = try await stage.bob.perform(
            QueryMessages(time: .init(milliseconds: .max), direction: .before, limit: 10))
        for page in [newest.events, around.events, byTime.events, back.events] {
            #expect(page.first { $0.messageID == id } == expected)
            #expect(page.filter { $0.reactions != nil }.count == 1)
        }
        // The row itself is the same for all users; the rows after it report the rest.
        let replayed = try await stage.bob.replay(Cast.club)
        #expect(replayed.first?.reactions == nil)
        let followed = replayed.reduce(try #require(replayed.first)) { $0.after($1, viewer: Cast.bob.userID) }
        #expect(followed == expected)
        // Nothing is unread, no mark moves, and the last message stays.
        let after = try await stage.cid.channel(Cast.club)
        #expect(after.unread == before.unread && after.count == before.count && after.readSeq == before.readSeq)
        #expect(after.lastMessage == before.lastMessage && after.members == before.members)
        #expect(try await stage.cid.recount(Cast.club) == 1)
    }

    @Test(arguments: Backend.available)
    func `adding a reaction that is there or removing one that is not changes nothing and makes no row`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        let first = try await stage.bob.react("❤️", to: id, id: "one")
        // With and without U+FE0F it is one emoji, in its first spelling.
        #expect(try await stage.bob.react("❤", to: id).seq == nil)
        #expect(try await stage.bob.react("❤️", to: id).seq == nil)
        #expect(try await stage.cid.removeReaction("❤️", from: id).seq == nil)
        #expect(try await stage.bob.removeReaction("👍", from: id).seq == nil)
        #expect(try await stage.bob.channel(Cast.club).seq == first.seq)
        #expect(try await stage.bob.reactions(to: id) == ["[❤️ 1]"])
        try await stage.cid.react("❤", to: id)
        #expect(try await stage.bob.reactions(to: id) == ["[❤️ 2]"])
        #expect(stage.ann.rows(of: Cast.club).last?.reactionChanged?.emoji == "❤️")
        try await stage.bob.removeReaction("❤", from: id, id: "back")
        #expect(stage.ann.rows(of: Cast.club).last?.name == "reaction.removed")
        #expect(stage.ann.rows(of: Cast.club).last?.reactionChanged?.count == 1)
        #expect(try await stage.bob.reactions(to: id) == ["❤️ 1"])
        // Two emoji that only look alike are two reactions.
        try await stage.bob.react("❤\u{FE0E}", to: id)
        try await stage.bob.react("♥", to: id)
        #expect(try await stage.bob.row(id, in: Cast.club)?.reactions?.kinds.count == 3)
        // Removing the last reaction removes the emoji; used again, it comes after the others.
        try await stage.cid.removeReaction("❤️", from: id)
        #expect(try await stage.bob.row(id, in: Cast.club)?.reactions?.kinds.count == 2)
        try await stage.cid.react("❤", to: id)
        #expect(try await stage.bob.reactions(to: id).last == "❤ 1")
        // With the same keys nothing happens again, whatever has happened since.
        let seq = try await stage.bob.channel(Cast.club).seq
        #expect(try await stage.bob.react("❤️", to: id, id: "one") == first)
        #expect(
            try await stage.bob.refusal(
                RemoveReaction(channel: Cast.club, messageID: id, emoji: "👍"), id: "back")?.entry == .duplicateTransID)
        #expect(try await stage.bob.channel(Cast.club).seq == seq)
    }

    @Test(arguments: Backend.available)
    func `reactions sent twice happen once, after a restart too`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        let added = try await stage.bob.react("👍", to: id, id: "add")
        let again = try await stage.bob.react("👍", to: id, id: "again")
        let removed = try await stage.bob.removeReaction("👍", from: id, id: "remove")
        func repeated(_ session: TestSession) async throws {
            #expect(try await session.react("👍", to: id, id: "add") == added)
            #expect(try await session.react("👍", to: id, id: "again") == again)
            #expect(try await session.removeReaction("👍", from: id, id: "remove") == removed)
            #expect(try await session.channel(Cast.club).seq == 3)
            #expect(try await session.reactions(to: id) == [])
            let other = AddReaction(channel: Cast.club, messageID: id, emoji: "🎉")
            #expect(try await session.refusal(other, id: "add")?.entry == .duplicateTransID)
            #expect(try await session.refusal(other, id: "again")?.entry == .duplicateTransID)
        }
        try await repeated(stage.bob)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        try await repeated(later.bob)
        try await later.cid.react("🎉", to: id)
        #expect(try await later.bob.reactions(to: id) == ["🎉 1"])
        await later.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a message has at most 20 different emoji, and any number of users has each`(backend: Backend) async throws {
        let (stage, id) = try await stage(backend)
        let faces = (0..<21).compactMap { Unicode.Scalar(0x1F600 + UInt32($0)).map { String(Character($0)) } }
        for (number, face) in faces.prefix(20).enumerated() {
            try await (number.isMultiple(of: 2) ? stage.ann : stage.bob).react(face, to: id)
        }
        #expect(try await code(stage.ann, faces[20], id) == .limitReached)
        #expect(try await code(stage.cid, faces[20], id) == .limitReached)
        try await stage.cid.react(faces[19], to: id)
        try await stage.ann.removeReaction(faces[0], from: id)
        try await stage.cid.react(faces[20], to: id)
        let kinds = try #require(try await stage.cid.row(id, in: Cast.club)?.reactions?.kinds)
        #expect(kinds.map(\.emoji) == Array(faces.dropFirst()))
        #expect(kinds.map(\.count) == Array(repeating: 1, count: 18) + [2, 1])
        // The limit is the server's.
        let small = try await Stage(.memory, limits: Limits(channelSendsPerSecond: 0, reactionKinds: 1))
        try await small.makeClub()
        let other = try await small.ann.post("hello", to: Cast.club)
        #expect(small.ann.welcome?.limits.reactionKinds == 1)
        try await small.ann.react("👍", to: other)
        #expect(try await code(small.bob, "🎉", other) == .limitReached)
    }

    @Test(arguments: Backend.available)
    func `a text that cannot be a reaction is refused and told to nobody`(backend: Backend) async throws {
        let (stage, id) = try await stage(backend)
        for emoji in ["", " ", "\n", "👍👍", "ab", "\u{301}", "\u{200D}", String(repeating: "x", count: 65), "a\u{0}"] {
            #expect(try await code(stage.bob, emoji, id) == .dataFormat, "\(emoji.debugDescription)")
            let remove = RemoveReaction(channel: Cast.club, messageID: id, emoji: emoji)
            #expect(try await stage.bob.refusal(remove)?.entry == .dataFormat)
            let list = ListReactions(channel: Cast.club, messageID: id, emoji: emoji)
            #expect(try await stage.bob.refusal(list)?.entry == .dataFormat)
        }
        let row = try await stage.bob.react("👍", to: id).seq ?? 0
        let forged = MessageID(sentAt: 0, seq: 1, salt: 7)
        // A reaction is not a message.
        for other in [forged, MessageID(sentAt: 0, seq: row, salt: 0), MessageID(sentAt: 0, seq: .max, salt: 0)] {
            #expect(try await code(stage.bob, "👍", other) == .messageNotFound)
            #expect(
                try await stage.bob.refusal(ListReactions(channel: Cast.club, messageID: other))?.entry
                    == .messageNotFound)
        }
        for after in ["", "x", "0", "-1", "9223372036854775808"] {
            let list = ListReactions(channel: Cast.club, messageID: id, cursor: after)
            #expect(try await stage.bob.refusal(list)?.entry == .dataFormat, "\(after)")
        }
        for limit in [0, -1, 101] {
            let list = ListReactions(channel: Cast.club, messageID: id, limit: limit)
            #expect(try await stage.bob.refusal(list)?.entry == .dataFormat, "\(limit)")
        }
        #expect(stage.ann.rows(of: Cast.club).count == 1)
    }

    @Test(arguments: Backend.available)
    func `the reactions of a message come in pages, the oldest first, and also those of one emoji alone`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        try await stage.cid.perform(SetChannelPreference(channel: Cast.club, nickname: "Cidney"))
        for (session, emoji) in [
            (stage.cid, "👍"), (stage.ann, "❤️"), (stage.bob, "👍"), (stage.ann, "👍"), (stage.bob, "❤"),
        ] {
            stage.roost.clock.advance(by: 5)
            try await session.react(emoji, to: id)
        }
        let all = ["👍 Cidney", "❤️ Ann", "👍 Bob", "👍 Ann", "❤️ Bob"]
        #expect(try await stage.bob.reactors(id) == all)
        #expect(try await stage.bob.reactors(id, emoji: "👍") == ["👍 Cidney", "👍 Bob", "👍 Ann"])
        #expect(try await stage.bob.reactors(id, emoji: "❤") == ["❤️ Ann", "❤️ Bob"])
        #expect(try await stage.bob.reactors(id, emoji: "🎉") == [])
        let last = try await stage.bob.perform(ListReactions(channel: Cast.club, messageID: id)).reactions.last
        #expect(last?.userID == Cast.bob.userID && last?.$reactedAt == stage.roost.clock.now)
        var seen: [String] = []
        var cursor: String?
        repeat {
            let page = try await stage.bob.perform(
                ListReactions(channel: Cast.club, messageID: id, limit: 2, cursor: cursor))
            seen += page.reactions.map { "\($0.emoji) \($0.name)" }
            // Reactions that are added or removed meanwhile do not move the rows of later pages.
            if cursor == nil {
                try await stage.cid.removeReaction("👍", from: id)
                try await stage.cid.react("👍", to: id)
            }
            cursor = page.next
        } while cursor != nil
        #expect(seen == all + ["👍 Cidney"])
    }

    @Test(arguments: Backend.available)
    func `recalled, deleted and purged messages have no reactions`(backend: Backend) async throws {
        let (stage, id) = try await stage(backend)
        let kept = try await stage.ann.post("kept", to: Cast.club)
        for message in [id, kept] { try await stage.bob.react("👍", to: message) }
        // For a user who has deleted the message, its reactions are no longer visible either; for the others they are.
        try await stage.cid.delete(kept, in: Cast.club)
        #expect(try await code(stage.cid, "👍", kept) == .messageNotFound)
        #expect(
            try await stage.cid.refusal(ListReactions(channel: Cast.club, messageID: kept))?.entry == .messageNotFound)
        #expect(try await stage.cid.log(of: Cast.club).allSatisfy { $0.messageID != kept })
        #expect(try await stage.ann.reactions(to: kept) == ["👍 1"])
        for isSilent in [false, true] {
            let message = isSilent ? kept : id
            try await stage.ann.recall(message, in: Cast.club, isSilent: isSilent)
            #expect(try await code(stage.bob, "🎉", message) == .messageNotFound)
            let remove = RemoveReaction(channel: Cast.club, messageID: message, emoji: "👍")
            #expect(try await stage.bob.refusal(remove)?.entry == .messageNotFound)
            #expect(
                try await stage.bob.refusal(ListReactions(channel: Cast.club, messageID: message))?.entry
                    == .messageNotFound)
        }
        #expect(try await stage.bob.log(of: Cast.club).allSatisfy { $0.reactions == nil })
        #expect(try await stage.bob.row(id, in: Cast.club)?.message?.isShell == true)
    }

    @Test(arguments: Backend.available)
    func `purged messages lose their reactions, and the others keep theirs`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, retention: [.group: RetentionPolicy(keepLast: 1)])
        let stage = try await Stage(roost)
        try await stage.makeClub()
        let first = try await stage.ann.post("first", to: Cast.club)
        try await stage.bob.react("👍", to: first)
        let second = try await stage.ann.post("second", to: Cast.club)
        try await stage.bob.react("🎉", to: second)
        stage.roost.clock.advance(by: 10)
        await stage.settle()
        #expect(try await code(stage.bob, "👍", first) == .messageNotFound)
        #expect(try await stage.bob.reactions(to: second) == ["[🎉 1]"])
        #expect(try await stage.bob.reactors(second) == ["🎉 Bob"])
        await roost.core.stop()
        let left = try await database.read { connection in
            try connection.rows("SELECT seq FROM reactions UNION ALL SELECT seq FROM reaction_kinds") { try $0.int(0) }
        }
        #expect(left == [second.seq, second.seq])
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `only a user who may read a message may react, and the reactions of a former member stay`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        try await stage.cid.react("👍", to: id)
        #expect(try await code(stage.dee, "👍", id) == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await code(stage.cid, "👍", id) == .notMember)
        #expect(try await stage.bob.reactions(to: id) == ["👍 1"])
        #expect(try await stage.bob.reactors(id) == ["👍 Cid"])
        // A newcomer who may not see the past cannot react to it, and gets only the id of a message in it.
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await code(stage.dee, "👍", id) == .messageNotFound)
        #expect(
            try await stage.dee.refusal(ListReactions(channel: Cast.club, messageID: id))?.entry == .messageNotFound)
        try await stage.bob.react("🎉", to: id)
        #expect(try await stage.dee.log(of: Cast.club).last?.reactionChanged?.messageID == id)
        // In a 1-on-1, a blocked user can neither react nor remove a reaction.
        try await stage.makePair()
        let pair = try await stage.ann.post("hello", to: Cast.annAndBob)
        try await stage.bob.react("👍", to: pair, in: Cast.annAndBob)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        for command in [
            AddReaction(channel: Cast.annAndBob, messageID: pair, emoji: "🎉"),
            RemoveReaction(channel: Cast.annAndBob, messageID: pair, emoji: "👍"),
        ] as [any Command] {
            #expect(try await stage.bob.refusal(command)?.entry == .blocked)
        }
        // An operator who is not a member cannot react.
        let boss = try await stage.roost.session(user("op"), isOperator: true)
        #expect(try await code(boss, "👍", id) == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `every reader of an open channel may react, to an operator's line too, and nobody reacts to news`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let boss = try await stage.roost.session(user("op"), isOperator: true)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let id = try await stage.ann.post("hello", to: Cast.lobby)
        try await stage.dee.react("👍", to: id, in: Cast.lobby)
        #expect(stage.ann.rows(of: Cast.lobby).last?.reactionChanged?.count == 1)
        #expect(try await stage.ann.reactions(to: id, in: Cast.lobby) == ["👍 1"])
        let line = try #require(
            try await boss.perform(AnnounceMessage(channel: Cast.lobby, text: "hear, hear")).messageID)
        try await stage.dee.react("🎉", to: line, in: Cast.lobby)
        #expect(try await stage.dee.reactions(to: line, in: Cast.lobby) == ["[🎉 1]"])
        #expect(try await stage.dee.reactors(line, in: Cast.lobby) == ["🎉 Dee"])

        let offers = try channel("offers")
        try await boss.perform(CreateChannel(kind: .publicNews, channel: offers))
        try await stage.ann.perform(BecomeMember(channel: offers))
        let piece = try #require(try await boss.perform(PublishNews(channel: offers, text: "cake")).messageID)
        for (session, code) in [(stage.ann, 1104), (stage.bob, 1105)] {
            for command in [
                AddReaction(channel: offers, messageID: piece, emoji: "👍"),
                RemoveReaction(channel: offers, messageID: piece, emoji: "👍"),
                ListReactions(channel: offers, messageID: piece),
            ] as [any Command] {
                #expect(try await session.refusal(command)?.code == code)
            }
        }
    }

    @Test(arguments: Backend.available)
    func `a reaction does not bring a hidden channel back, and pages stay within their limit of size`(backend: Backend)
        async throws
    {
        let (stage, id) = try await stage(backend)
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        try await stage.bob.react("👍", to: id)
        #expect(try await stage.cid.list().isEmpty)
        // Long emoji on long messages.
        let long = String(repeating: "語", count: 6_000)
        let mark = String(repeating: "\u{301}", count: 30)
        var ids: [MessageID] = []
        for _ in 0..<20 {
            let message = try await stage.ann.post(long, to: Cast.club)
            ids.append(message)
            for emoji in ["👍", "🎉", "❤"] { try await stage.bob.react(emoji + mark, to: message) }
        }
        var seen: [MessageID] = []
        var before: Int64?
        var hasMore = true
        while hasMore {
            let page = try await stage.ann.perform(ListMessages(channel: Cast.club, before: before, limit: 100))
            #expect(try WireCodec.encode(page).count <= 257 * 1_024)
            for row in page.events where ids.contains(row.messageID ?? id) { #expect(row.reactions?.kinds.count == 3) }
            seen = page.events.compactMap(\.messageID) + seen
            (before, hasMore) = (page.events.first?.seq, page.hasBefore)
        }
        #expect(seen == [id] + ids)
        #expect(try await stage.ann.refusal(GetMessages(channel: Cast.club, messageIDs: ids + [id]))?.code == nil)
    }

    @Test(arguments: Backend.available)
    func `a commit that fails leaves no reaction, and what is tried again happens once`(
        backend: Backend
    ) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        try await stage.bob.react("👍", to: id)
        await stage.forgetEvents()
        for command in [
            AddReaction(channel: Cast.club, messageID: id, emoji: "🎉"),
            RemoveReaction(channel: Cast.club, messageID: id, emoji: "👍"),
        ] as [any Command] {
            database.failCommits(.full, .full)
            #expect(try await stage.bob.refusal(command, id: type(of: command).name) != nil)
            #expect(try await stage.bob.reactions(to: id) == ["[👍 1]"])
            #expect(try await stage.bob.reactors(id) == ["👍 Bob"])
        }
        await stage.settle()
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        try await stage.bob.react("🎉", to: id, id: "reaction.add")
        try await stage.bob.removeReaction("👍", from: id, id: "reaction.remove")
        #expect(try await stage.bob.reactions(to: id) == ["[🎉 1]"])
        #expect(stage.ann.rows(of: Cast.club).count == 2)
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `many who react at the same time are all counted, each once`(backend: Backend) async throws {
        let (stage, id) = try await stage(backend)
        try await reactConcurrently([stage.ann, stage.bob, stage.cid], id, rounds: 20)
        try await checkCounts(stage.bob, id)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `two servers on one database count alike`() async throws {
        let url = try Postgres.makeSchema()
        let one = try TestCore(database: Postgres.open(url))
        let two = try TestCore(database: Postgres.open(url), clock: one.clock)
        let stage = try await Stage(one, and: two)
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        try await reactConcurrently([stage.ann, stage.bob, stage.cid], id, rounds: 10)
        for session in [stage.ann, stage.bob] { try await checkCounts(session, id) }
        await one.core.stop()
        await two.core.stop()
    }

    private func reactConcurrently(_ sessions: [TestSession], _ id: MessageID, rounds: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in sessions {
                for round in 0..<rounds {
                    group.addTask {
                        let emoji = ["👍", "❤️", "❤"][round % 3]
                        if round % 4 == 3 {
                            try await session.removeReaction(emoji, from: id)
                        } else {
                            try await session.react(emoji, to: id)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Checks that the counts equal a recount and match the rows.
    private func checkCounts(_ session: TestSession, _ id: MessageID) async throws {
        let shown = try #require(try await session.row(id, in: Cast.club))
        let told = try await session.perform(ListReactions(channel: Cast.club, messageID: id)).reactions
        for kind in shown.reactions?.kinds ?? [] {
            #expect(Set(told.filter { $0.emoji == kind.emoji }.map(\.userID)).count == kind.count)
        }
        #expect(told.count == (shown.reactions?.kinds ?? []).reduce(0) { $0 + $1.count })
        let log = try await session.log(of: Cast.club)
        let first = try #require(log.first { $0.messageID == id }).withoutReactions
        let followed = log.reduce(first) { $0.after($1, viewer: session.userID) }
        #expect(followed.withPlainReactions == shown.withPlainReactions)
    }
}
