import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct RepliesTests {
    private func stage(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        return stage
    }

    private func answer(_ text: String, to parent: MessageID?) -> SendMessage {
        SendMessage(channel: Cast.club, text: text, replyTo: parent)
    }

    @Test(arguments: Backend.available)
    func `a message of any kind can answer any other, with a snapshot made by the server [L-62 LO-10]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, nickname: "Annie"))
        let kinds = try await SendMessage.everyKind(in: Cast.club, from: stage.ann)
        let children = try await SendMessage.everyKind(in: Cast.club, from: stage.cid)
        for parent in kinds {
            stage.roost.clock.advance(by: 1)
            let id = try await stage.ann.post(parent)
            let original = try #require(stage.bob.rows(of: Cast.club).last)
            for child in children {
                var child = child
                child.replyTo = id
                try await stage.cid.perform(child)
                let message = try #require(stage.bob.rows(of: Cast.club).last?.message)
                #expect(message.carries(child))
                let snapshot = try #require(message.replyTo)
                let expected = ReplySnapshot(
                    messageID: id, seq: try #require(original.seq), senderID: Cast.ann.userID, senderName: "Annie",
                    sentAt: .init(milliseconds: stage.roost.clock.now),
                    content: MessageContent(
                        type: parent.content.type, text: parent.text, mentions: parent.mentions,
                        file: parent.file, thumbnail: parent.thumbnail, location: parent.location,
                        extras: parent.extras))
                #expect(snapshot == expected, "\(child.content.type) to \(parent.content.type)")
            }
        }
        // After a recall, the snapshots lose their content.
        let parent = try await stage.ann.post(kinds[2])
        var image = kinds[2]
        image.replyTo = parent
        let child = try await stage.bob.post(image)
        try await stage.ann.recall(parent, in: Cast.club)
        let snapshot = try #require(try await stage.cid.row(child, in: Cast.club)?.message?.replyTo)
        #expect(snapshot.messageID == parent)
        #expect(snapshot.isRecalled == true)
        #expect(snapshot.text.isEmpty)
        #expect(snapshot.file == nil && snapshot.thumbnail == nil && snapshot.extras == nil && snapshot.mentions == nil)
        #expect(try await stage.cid.row(child, in: Cast.club)?.message?.file == image.file)
    }

    @Test(arguments: Backend.available)
    func `a message that the user cannot read cannot be answered`(backend: Backend) async throws {
        let stage = try await stage(backend)
        try await stage.makePair()
        let here = try await stage.ann.post("here", to: Cast.club)
        let deleted = try await stage.ann.post("deleted by Bob", to: Cast.club)
        let shell = try await stage.ann.post("recalled", to: Cast.club)
        let gone = try await stage.ann.post("recalled silently", to: Cast.club)
        let elsewhere = try await stage.bob.post("in the 1-on-1", to: Cast.annAndBob)
        let relayed = try await stage.ann.post(
            SendMessage(channel: Cast.club, type: "custom", text: "x", attributes: 2))
        try await stage.bob.delete(deleted, in: Cast.club)
        try await stage.ann.recall(shell, in: Cast.club)
        try await stage.ann.recall(gone, in: Cast.club, isSilent: true)
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        let seq = try await stage.bob.channel(Cast.club).seq
        let forged = [
            MessageID(sentAt: 0, seq: 1, salt: 0), MessageID(sentAt: 0, seq: seq, salt: 0),
            MessageID(sentAt: 0, seq: seq + 1, salt: 0), MessageID(sentAt: 0, seq: 0, salt: 0),
            MessageID(sentAt: -1, seq: -1, salt: .max),
        ]
        for parent in [deleted, shell, gone, elsewhere, relayed] + forged {
            #expect(try await stage.bob.refusal(answer("x", to: parent))?.entry == .messageNotFound, "\(parent)")
        }
        for parent in [here, deleted] { #expect(try await stage.cid.refusal(answer("x", to: parent)) == nil) }
        #expect(try await stage.bob.channel(Cast.club).seq == seq + 2)
        #expect(try await stage.bob.channel(Cast.club).count == 6)
    }

    @Test(arguments: Backend.available)
    func `neither a newcomer nor a user who has cleared the channel can answer earlier messages`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let old = try await stage.ann.post("old", to: Cast.club)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.cid.perform(DeleteMessages(allIn: Cast.club))
        #expect(try await stage.dee.refusal(answer("x", to: old))?.entry == .messageNotFound)
        #expect(try await stage.cid.refusal(answer("x", to: old))?.entry == .messageNotFound)
        #expect(try await stage.bob.refusal(answer("x", to: old)) == nil)
    }

    @Test(arguments: Backend.available)
    func `a snapshot is one message deep and holds the beginning of a long text`(backend: Backend) async throws {
        let stage = try await stage(backend)
        // 499 units, then a pair that would be cut in two.
        let text = "@Bob" + String(repeating: "a", count: 495) + "😀 @Cid"
        let mentions = [
            Mention(userID: Cast.bob.userID, start: 0, length: 4),
            Mention(userID: Cast.cid.userID, start: 502, length: 4),
        ]
        let first = try await stage.ann.post(SendMessage(channel: Cast.club, text: text, mentions: mentions))
        let second = try await stage.bob.post(answer("second", to: first))
        try await stage.cid.perform(answer("third", to: second))
        let rows = stage.ann.rows(of: Cast.club)
        let long = try #require(rows[1].message?.replyTo)
        #expect(long.text == String(text.prefix(499)))
        #expect(long.mentions == [mentions[0]])
        let third = try #require(rows[2].message?.replyTo)
        #expect(third.messageID == second)
        #expect(third.text == "second")
        #expect(rows.count == 3)
        try await stage.ann.recall(first, in: Cast.club)
        #expect(try await stage.ann.row(second, in: Cast.club)?.message?.replyTo?.isRecalled == true)
        #expect(try await stage.ann.log(of: Cast.club)[2] == rows[2])
    }

    @Test(arguments: Backend.available)
    func `an announcement is answered as a line without a sender`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        let line = try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "Maintenance"))
        let id = try #require(line.messageID)
        let child = try await stage.bob.post(answer("when?", to: id))
        let snapshot = try #require(stage.ann.rows(of: Cast.club).last?.message?.replyTo)
        #expect(
            snapshot
                == ReplySnapshot(
                    messageID: id, seq: 1, sentAt: line.sentAt, content: MessageContent(text: "Maintenance")))
        try await stage.ann.recall(id, in: Cast.club)
        #expect(try await stage.cid.row(child, in: Cast.club)?.message?.replyTo?.text == "")
    }

    @Test(arguments: Backend.available)
    func `answers in an open channel and to a message of the same moment work`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let parent = try await stage.ann.post("question", to: Cast.lobby)
        try await stage.bob.perform(SendMessage(channel: Cast.lobby, text: "answer", replyTo: parent))
        let row = try #require(try await stage.cid.log(of: Cast.lobby).last)
        #expect(row.message?.replyTo?.messageID == parent)
        #expect(row.message?.replyTo?.text == "question")
        let nowhere = try channel("nowhere")
        let refusal = try await stage.bob.refusal(SendMessage(channel: nowhere, text: "x", replyTo: parent))
        #expect(refusal?.entry == .channelNotFound)
        #expect(try await stage.bob.refusal(GetChannel(channel: nowhere))?.entry == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `an answer names its message once, and the server tells the rest of it [C-L16]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let parent = try await stage.ann.post("parent", to: Cast.club)
        let child = try await stage.bob.post(SendMessage(channel: Cast.club, text: "child", replyTo: parent))
        let grandchild = try await stage.cid.post(SendMessage(channel: Cast.club, text: "leaf", replyTo: child))
        var snapshots: [ReplySnapshot?] = []
        for id in [child, grandchild] {
            snapshots.append(try await stage.ann.row(id, in: Cast.club)?.message?.replyTo)
        }
        #expect(snapshots.map { $0?.messageID } == [parent, child])
        #expect(snapshots.map { $0?.text } == ["parent", "child"])
        #expect(snapshots.map { $0?.senderID } == [Cast.ann.userID, Cast.bob.userID])
        #expect(snapshots.map { $0?.type } == ["text", "text"])
        #expect(snapshots.map { $0?.sentAt.milliseconds } == [stage.roost.clock.now, stage.roost.clock.now])
        for wrong in [MessageID(sentAt: 1, seq: parent.seq, salt: 1), MessageID(sentAt: 1, seq: 99, salt: 1)] {
            let answer = SendMessage(channel: Cast.club, text: "x", replyTo: wrong)
            #expect(try await stage.bob.refusal(answer)?.entry == .messageNotFound)
        }
    }
}
