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
]
