import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Scripts that only transcripts are made of: clients replay them, while the snapshots of `ReplayTests` know no recalls
/// and deletions.
let transcriptScripts = [
    ReplayScript("recalls") { stage, _ in
        let unread = try await stage.bob.post("unread", to: Cast.club)
        try await stage.cid.perform(SendMessage(channel: Cast.club, text: "answer", replyTo: unread))
        try await stage.bob.perform(RecallMessages(channel: Cast.club, messageIDs: [unread]))
        let read = try await stage.ann.post("read", to: Cast.club)
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [read]))
        let last = try await stage.bob.post("last", to: Cast.annAndBob)
        try await stage.bob.perform(RecallMessages(channel: Cast.annAndBob, messageIDs: [last]))
        try await stage.ann.send("after it", to: Cast.annAndBob)
    },
    ReplayScript("recalls without a trace") { stage, _ in
        let first = try await stage.bob.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        try await stage.cid.perform(SendMessage(channel: Cast.club, text: "answer", replyTo: first))
        try await stage.bob.perform(RecallMessages(channel: Cast.club, messageIDs: [first, second], isSilent: true))
        let last = try await stage.ann.post("last", to: Cast.annAndBob)
        try await stage.ann.perform(RecallMessages(channel: Cast.annAndBob, messageIDs: [last], isSilent: true))
    },
    ReplayScript("recalls by a moderator, of a mention") { stage, _ in
        let mention = SendMessage(
            channel: Cast.club, text: "@Cid", mentions: [Mention(userID: Cast.cid.userID, start: 0, length: 4)])
        let id = try #require(try await stage.bob.perform(mention).messageID)
        try await stage.bob.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [id]))
    },
    ReplayScript("deleting messages for oneself") { stage, _ in
        let read = try await stage.ann.post("read", to: Cast.club)
        let unread = try await stage.ann.post("unread", to: Cast.club)
        try await stage.ann.send("last", to: Cast.club)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: read.seq))
        try await stage.bob.perform(DeleteMessages([read, unread], in: Cast.club))
        let own = try await stage.cid.post("own", to: Cast.club)
        try await stage.cid.perform(DeleteMessages([own], in: Cast.club))
    },
    ReplayScript("sending after what was unread is deleted or recalled") { stage, _ in
        let first = try await stage.ann.post("first", to: Cast.club)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: first.seq - 1))
        try await stage.bob.perform(DeleteMessages([first], in: Cast.club))
        try await stage.bob.send("with nothing unread", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.annAndBob)
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob, seq: second.seq - 1))
        try await stage.bob.perform(RecallMessages(channel: Cast.annAndBob, messageIDs: [second]))
        try await stage.ann.send("with nothing unread", to: Cast.annAndBob)
    },
    ReplayScript("clearing") { stage, _ in
        try await stage.ann.send("unread", to: Cast.club)
        try await stage.bob.perform(DeleteMessages(allIn: Cast.club))
        try await stage.ann.send("after it", to: Cast.club)
        try await stage.cid.perform(DeleteMessages(allIn: Cast.club))
    },
    ReplayScript("marking as unread") { stage, _ in
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.bob.perform(UnsetReadMark(channel: Cast.club))
        try await stage.ann.send("unread, too", to: Cast.club)
        try await stage.bob.perform(UnsetReadMark(channel: Cast.annAndBob))
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob))
        try await stage.cid.perform(UnsetReadMark(channel: Cast.club))
        try await stage.cid.perform(SetAllReadMarks())
    },
    ReplayScript("a message to oneself") { stage, _ in
        try await stage.ann.perform(CreateChannel(kind: .own))
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        let id = try await stage.ann.post("a note", to: own)
        try await stage.ann.perform(AddReaction(channel: own, messageID: id, emoji: "👍"))
        try await stage.ann.perform(DeleteMessages([id], in: own))
    },
    ReplayScript("recalling pinned messages") { stage, _ in
        var ids: [MessageID] = []
        for text in ["one", "two", "three"] { ids.append(try await stage.ann.post(text, to: Cast.club)) }
        for id in ids { try await stage.bob.pin(id) }
        try await stage.ann.recall(ids[0], in: Cast.club)
        try await stage.ann.recall(ids[2], in: Cast.club, isSilent: true)
        try await stage.cid.delete(ids[1], in: Cast.club)
    },
    ReplayScript("recalling an answer and what it answers") { stage, _ in
        let first = try await stage.ann.post("first", to: Cast.club)
        let answer = try await stage.bob.post(SendMessage(channel: Cast.club, text: "answer", replyTo: first))
        try await stage.cid.perform(SendMessage(channel: Cast.club, text: "to the answer", replyTo: answer))
        try await stage.bob.recall(answer, in: Cast.club)
        try await stage.ann.recall(first, in: Cast.club)
    },
    ReplayScript("recalling votes") { stage, _ in
        let open = try await stage.ann.sendVote(.between(2))
        try await stage.bob.cast(1, in: open)
        let closed = try await stage.bob.sendVote(.between(2))
        try await stage.bob.perform(CloseVote(channel: Cast.club, messageID: closed))
        try await stage.ann.recall(open, in: Cast.club)
        try await stage.bob.recall(closed, in: Cast.club, isSilent: true)
    },
    ReplayScript("recalling in a hidden channel") { stage, _ in
        let club = try await stage.ann.post("shows it again", to: Cast.club)
        let pair = try await stage.ann.post("hello", to: Cast.annAndBob)
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        try await stage.bob.perform(HideChannel(channel: Cast.annAndBob))
        try await stage.ann.recall(club, in: Cast.club)
        try await stage.ann.recall(pair, in: Cast.annAndBob, isSilent: true)
    },
    ReplayScript("recalling an operator's announcement") { stage, boss in
        let first = try #require(
            try await boss.perform(AnnounceMessage(channel: Cast.club, text: "at noon")).messageID)
        try await stage.bob.perform(AddReaction(channel: Cast.club, messageID: first, emoji: "👍"))
        try await boss.perform(AnnounceMessage(channel: Cast.annAndBob, text: "at noon"))
        try await boss.recall(first, in: Cast.club)
    },
    ReplayScript("mentions that are read, deleted and recalled") { stage, _ in
        func mention() async throws -> MessageID {
            try await stage.ann.post(
                SendMessage(
                    channel: Cast.club, text: "@Bob", mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)]
                ))
        }
        let read = try await mention()
        let (deleted, recalled) = (try await mention(), try await mention())
        _ = try await mention()
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: read.seq))
        try await stage.bob.delete(deleted, in: Cast.club)
        try await stage.ann.recall(recalled, in: Cast.club)
    },
    ReplayScript("reactions to what some have deleted") { stage, _ in
        let id = try await stage.ann.post("react", to: Cast.club)
        try await stage.bob.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        try await stage.bob.delete(id, in: Cast.club)
        try await stage.cid.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        try await stage.cid.perform(RemoveReaction(channel: Cast.club, messageID: id, emoji: "👍"))
    },
    ReplayScript("messages of several kinds") { stage, _ in
        for type in ["screenshotTaken", "messageCopied", "messageSaved"] {
            try await stage.ann.perform(SendMessage(channel: Cast.club, type: type))
        }
        try await stage.bob.perform(
            SendMessage(channel: Cast.club, type: "sticker", text: "cat-7", extras: ["pack": "1"]))
        try await stage.bob.perform(
            SendMessage(channel: Cast.annAndBob, type: "location", location: Location(latitude: 1, longitude: 2)))
        try await stage.ann.perform(
            SendMessage(
                channel: Cast.annAndBob, type: "callReceived", call: CallNotice(callID: "c", kind: .voice)))
    },
    ReplayScript("a muted channel with mentions") { stage, _ in
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        try await stage.ann.perform(
            SendMessage(
                channel: Cast.club, text: "@Bob", mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)]))
        try await stage.bob.perform(UnsetReadMark(channel: Cast.annAndBob))
        try await stage.bob.perform(SetChannelPreference(channel: Cast.annAndBob, isMuted: true))
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: false))
    },
    ReplayScript("a ban that ends") { stage, _ in
        let end = stage.roost.clock.now + 60_000
        try await stage.ann.perform(
            BanMembers(channel: Cast.club, members: [Cast.cid.userID], bannedUntil: .init(milliseconds: end)))
        try await stage.ann.send("without Cid", to: Cast.club)
        stage.roost.clock.advance(by: 60_001)
        await stage.settle()
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.cid.send("back", to: Cast.club)
    },
    ReplayScript("newcomers who see nothing before them") { stage, _ in
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        let before = try await stage.bob.post("before", to: Cast.club)
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.bob.perform(SendMessage(channel: Cast.club, text: "answer", replyTo: before))
        try await stage.dee.send("hello", to: Cast.club)
        try await stage.bob.recall(before, in: Cast.club)
    },
    ReplayScript("newcomers who see the last rows") { stage, _ in
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .last, historyRows: 2)))
        for text in ["one", "two"] { try await stage.bob.send(text, to: Cast.club) }
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.ann.send("three", to: Cast.club)
        try await stage.dee.perform(SetReadMark(channel: Cast.club))
    },
    ReplayScript("names and pictures of a channel and of a profile") { stage, _ in
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, nickname: "Bobby"))
        try await stage.bob.perform(
            SetUserProfile(profile: UserProfile(name: "Robert", imageURL: "https://example.org/r.png")))
        try await stage.bob.send("by Bobby", to: Cast.club)
        try await stage.bob.send("by Robert", to: Cast.annAndBob)
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, nickname: ""))
        try await stage.bob.perform(SetUserProfile(profile: UserProfile(imageURL: "")))
    },
    ReplayScript("ballots that change, and a vote without any") { stage, _ in
        let id = try await stage.ann.sendVote(.between(3, choices: 2, canChange: true))
        try await stage.ann.cast(0, 1, in: id)
        try await stage.ann.cast(2, in: id)
        try await stage.bob.cast(2, in: id)
        try await stage.ann.cast(in: id)
        try await stage.ann.perform(CloseVote(channel: Cast.club, messageID: id))
        _ = try await stage.bob.sendVote(
            .between(2, isSecret: true, closesAt: stage.roost.clock.now + 5), in: Cast.annAndBob)
        stage.roost.clock.advance(by: 5)
        await stage.settle()
    },
    ReplayScript("forwarding with a notice") { stage, _ in
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(noticesForwards: true)))
        let first = try await stage.ann.post("first", to: Cast.club)
        let answer = try await stage.bob.post(SendMessage(channel: Cast.club, text: "answer", replyTo: first))
        try await stage.bob.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [first, answer], channels: [Cast.annAndBob]))
        try await stage.ann.recall(first, in: Cast.club)
    },
    ReplayScript("schedules for a channel that their owner leaves") { stage, _ in
        let at = stage.at(60_001)
        try await stage.bob.schedule(["later"], to: [Cast.club, Cast.annAndBob], at: at)
        try await stage.bob.schedule(["nowhere"], to: [Cast.club], at: at)
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.pass(60_001, until: 2, at: stage.bob)
    },
    ReplayScript("blocking while something is unread") { stage, _ in
        try await stage.bob.send("unread", to: Cast.annAndBob)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob))
        try await stage.ann.perform(UnblockUser(userID: Cast.bob.userID))
        try await stage.bob.send("heard again", to: Cast.annAndBob)
    },
    ReplayScript("clearing what has reactions and votes") { stage, _ in
        let id = try await stage.ann.post("react", to: Cast.club)
        let vote = try await stage.ann.sendVote(.between(2, canChange: true))
        try await stage.bob.perform(DeleteMessages(allIn: Cast.club))
        try await stage.cid.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        try await stage.cid.cast(1, in: vote)
        try await stage.ann.send("after it", to: Cast.club)
    },
    ReplayScript("a 1-on-1 that both end") { stage, _ in
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.bob.perform(EndChannel(channel: Cast.annAndBob))
        let id = try await stage.bob.post("from the beginning", to: Cast.annAndBob)
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob))
        try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, text: "answer", replyTo: id))
        try await stage.ann.perform(UnsetReadMark(channel: Cast.annAndBob))
    },
    ReplayScript("reacting to, recalling and deleting what was there before") { stage, _ in
        let ids = try await stage.ann.log(of: Cast.club).compactMap(\.messageID)
        let pair = try #require(try await stage.ann.log(of: Cast.annAndBob).compactMap(\.messageID).first)
        for session in [stage.ann, stage.bob] {
            try await session.perform(AddReaction(channel: Cast.club, messageID: ids[1], emoji: "👍"))
        }
        try await stage.ann.perform(RemoveReaction(channel: Cast.club, messageID: ids[1], emoji: "👍"))
        try await stage.bob.perform(SendMessage(channel: Cast.club, text: "answer", replyTo: ids[0]))
        try await stage.ann.recall(ids[0], in: Cast.club)
        try await stage.cid.delete(ids[2], in: Cast.club)
        try await stage.ann.pin(ids[1])
        try await stage.bob.recall(pair, in: Cast.annAndBob, isSilent: true)
    },
    ReplayScript("leaving a group that goes on to a successor") { stage, _ in
        try await stage.ann.perform(LeaveChannel(channel: Cast.club, successor: Cast.cid.userID))
        try await stage.cid.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.bob.send("without Ann", to: Cast.club)
    },
    ReplayScript("inviting with everything read, and a new name at once") { stage, _ in
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.dee.perform(SetUserProfile(profile: UserProfile(name: "Delia")))
        try await stage.ann.send("welcome", to: Cast.club)
    },
    ReplayScript("clearing what is marked as unread") { stage, _ in
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.bob.perform(UnsetReadMark(channel: Cast.club))
        try await stage.bob.perform(DeleteMessages(allIn: Cast.club))
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        try await stage.ann.perform(SendMessage(channel: Cast.club, type: "messageCopied"))
    },
]
