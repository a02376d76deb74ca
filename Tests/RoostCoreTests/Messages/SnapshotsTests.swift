import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A reply never shows a reader messages from before their history begins.
@Suite struct SnapshotsTests {
    private let secret = "said before"

    /// The club with a message of Ann that also has `extras`, and with this setting for the history of newcomers.
    private func club(
        _ backend: Backend, _ profile: ChannelProfile?
    ) async throws -> (stage: Stage, parent: MessageID) {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        if let profile { try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: profile)) }
        let file = try await stage.ann.file()
        let parent = try await stage.ann.post(
            SendMessage(
                channel: Cast.club, type: "image", text: secret,
                mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)],
                file: file, thumbnail: file, extras: ["note": secret]))
        return (stage, parent)
    }

    private func invite(_ stage: Stage) async throws {
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
    }

    private func answer(_ stage: Stage, _ parent: MessageID) async throws -> MessageID {
        try await stage.bob.post(SendMessage(channel: Cast.club, text: "answer", replyTo: parent))
    }

    /// A reply as a session reads it: in pages of every kind, with `resume`, and as the newest message.
    private func found(_ id: MessageID, by session: TestSession) async throws -> [ReplySnapshot] {
        var rows = [try await session.row(id, in: Cast.club)]
        for list in [
            ListMessages(channel: Cast.club), ListMessages(channel: Cast.club, after: id.seq - 1),
            ListMessages(channel: Cast.club, around: id.seq), ListMessages(channel: Cast.club, aroundMessage: id),
        ] {
            rows.append(try await session.perform(list).events.first { $0.messageID == id })
        }
        for query in [
            QueryMessages(channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 50),
            QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 50),
            QueryMessages(time: .init(milliseconds: .max), direction: .before, limit: 50),
        ] {
            rows.append(try await session.perform(query).events.first { $0.messageID == id })
        }
        rows.append(try await session.replay(Cast.club).first { $0.messageID == id })
        rows.append(try await session.channel(Cast.club).lastMessage)
        rows.append(try await session.list().first { $0.channel == Cast.club }?.lastMessage)
        return try rows.map { try #require($0?.message?.replyTo) }
    }

    private func live(_ id: MessageID, of session: TestSession) -> ReplySnapshot? {
        session.events.first { $0.messageID == id }?.message?.replyTo
    }

    private func isEmpty(_ snapshot: ReplySnapshot) -> Bool {
        snapshot.text.isEmpty && snapshot.mentions == nil && snapshot.extras == nil && snapshot.file == nil
            && snapshot.thumbnail == nil && snapshot.location == nil
    }

    @Test(arguments: Backend.available)
    func `whoever clears a channel takes the quotations from nobody, however late the member has joined`(
        backend: Backend
    ) async throws {
        for profile in [nil, ChannelProfile(history: .last, historyRows: 5)] {
            let (stage, parent) = try await club(backend, profile)
            try await invite(stage)
            try await stage.dee.perform(DeleteMessages(allIn: Cast.club))
            let id = try await answer(stage, parent)
            for session in [stage.ann, stage.cid, stage.dee] { #expect(live(id, of: session)?.text == secret) }
            for session in [stage.ann, stage.cid] {
                #expect(try await found(id, by: session).allSatisfy { $0.text == secret })
            }
            // It holds for somebody who comes back, too.
            try await stage.dee.perform(LeaveChannel(channel: Cast.club))
            try await invite(stage)
            let later = try await answer(stage, parent)
            #expect(live(later, of: stage.ann)?.text == secret)
        }
    }

    @Test(arguments: Backend.available)
    func `if history is open to all, an answer shows its quotation to later members, too`(
        backend: Backend
    ) async throws {
        let (stage, parent) = try await club(backend, nil)
        let before = try await answer(stage, parent)
        try await invite(stage)
        let after = try await answer(stage, parent)
        for snapshot in try await found(after, by: stage.dee) { #expect(snapshot.text == secret) }
        #expect(try await stage.dee.row(before, in: Cast.club)?.message?.replyTo?.text == secret)
        #expect(live(after, of: stage.dee)?.text == secret)
        #expect(live(after, of: stage.dee)?.file != nil)
    }

    @Test(
        arguments: Backend.available,
        [
            ChannelProfile(history: .sinceJoin), ChannelProfile(history: .last, historyRows: 1),
        ])
    func `an answer to a message that a newcomer may not read quotes nothing, to anybody, live and in pages`(
        backend: Backend, profile: ChannelProfile
    ) async throws {
        let (stage, parent) = try await club(backend, profile)
        let between = try await stage.bob.post("between", to: Cast.club)
        let early = try await answer(stage, parent)
        #expect(live(early, of: stage.cid)?.text == secret)
        try await stage.bob.send("the newest", to: Cast.club)
        try await invite(stage)
        let id = try await answer(stage, parent)
        let told = try #require(live(id, of: stage.dee))
        #expect(isEmpty(told))
        #expect(told.messageID == parent && told.seq == parent.seq && told.type == "image")
        #expect(told.senderID == Cast.ann.userID && told.isRecalled == nil)
        for session in [stage.ann, stage.bob, stage.cid, stage.dee] {
            #expect(live(id, of: session) == told)
            for snapshot in try await found(id, by: session) { #expect(snapshot == told) }
        }
        // A message that all may read is quoted, and earlier quotations remain for users who could read them.
        let open = try await answer(stage, id)
        #expect(live(open, of: stage.dee)?.text == "answer")
        #expect(try await stage.cid.row(early, in: Cast.club)?.message?.replyTo?.text == secret)
        // Sent once more, it is the same message.
        let again = SendMessage(channel: Cast.club, text: "twice", replyTo: parent)
        let first = try await stage.bob.perform(again, id: "twice")
        #expect(try await stage.bob.perform(again, id: "twice") == first)
        #expect(try await stage.dee.row(try #require(first.messageID), in: Cast.club)?.message?.replyTo == told)
        // After a recall, the snapshot reports it.
        try await stage.ann.recall(parent, in: Cast.club)
        #expect(try await stage.dee.row(id, in: Cast.club)?.message?.replyTo?.isRecalled == true)
        // After the newcomer has left, replies quote older messages again.
        #expect(live(try await answer(stage, between), of: stage.cid)?.text == "")
        try await stage.dee.perform(LeaveChannel(channel: Cast.club))
        #expect(live(try await answer(stage, between), of: stage.cid)?.text == "between")
    }

    @Test(arguments: Backend.available)
    func `an answer from before the join that a newcomer may read quotes nothing that the newcomer may not`(
        backend: Backend
    ) async throws {
        // The reply is sent while everybody may read everything; the setting is changed later.
        let (stage, parent) = try await club(backend, nil)
        let id = try await answer(stage, parent)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .last, historyRows: 2)))
        try await invite(stage)
        for snapshot in try await found(id, by: stage.dee) {
            #expect(isEmpty(snapshot))
            #expect(snapshot.messageID == parent && snapshot.senderName == "Ann")
        }
        for snapshot in try await found(id, by: stage.bob) { #expect(snapshot.text == secret) }
        // A reply to that reply is readable, and quotes only that reply's text.
        let second = try await stage.bob.post(SendMessage(channel: Cast.club, text: "second", replyTo: id))
        #expect(try await stage.dee.row(second, in: Cast.club)?.message?.replyTo?.text == "answer")
    }

    @Test(arguments: Backend.available)
    func `clearing the history for oneself takes no quotation from the others`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let parent = try await stage.ann.post(secret, to: Cast.annAndBob)
        try await stage.ann.perform(DeleteMessages(allIn: Cast.annAndBob))
        let id = try await stage.bob.post(SendMessage(channel: Cast.annAndBob, text: "answer", replyTo: parent))
        #expect(try await stage.bob.row(id, in: Cast.annAndBob)?.message?.replyTo?.text == secret)
        #expect(stage.bob.events.last { $0.messageID == id }?.message?.replyTo?.text == secret)
    }
}
