import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

// Steps 11 and 12: read marks, deletions and recalls.
extension GroupStory {
    /// Step 11: all devices get a mark, also one that was offline; readers are counted and listed.
    func readsMessages() async throws {
        for person in [ann, bob, cid] { _ = try await person.client.markAllRead() }
        var ids: [MessageID] = []
        var seqs: [Int64] = []
        for number in 0..<5 {
            let sent = try await ann.channel(club).send("r\(number)")
            ids.append(sent.messageID)
            seqs.append(try #require(sent.seq))
        }
        for person in [bob, bobToo, cid, cidToo] { try await person.message("r4", in: club) }
        await cidToo.client.disconnect()
        let others = [ann, annToo, bobToo, cid]
        let marks = others.map(\.mark)
        let answer = try await bob.client.perform(SetReadMark(channel: club, messageID: ids[2]))
        #expect(answer.mark.seq == seqs[2])
        #expect(answer.unread == 2)
        for (person, mark) in zip(others, marks) {
            try await person.wait("Bob's mark", since: mark) {
                $0.row?.body.mark(of: Cast.bob.userID) == answer.mark.seq
            }
        }
        #expect(try await bob.client.unread().channels.map(\.unread) == [2])
        #expect(try await bob.client.unread().total == 2)

        try await cidToo.connect()
        let read = try await cidToo.channel(club).readMarks().first { $0.userID == Cast.bob.userID }
        #expect(read?.seq == seqs[2])
        #expect(read?.readAt == answer.mark.readAt)
        try await countsReaders(ids)
        try await movesNoMarkBack(ids, seqs)
    }

    private func countsReaders(_ ids: [MessageID]) async throws {
        _ = try await cid.channel(club).markRead(upTo: ids[2])
        let counts = try await ann.channel(club).readCounts(of: [ids[2], ids[3]])
        #expect(counts.map(\.readBy) == [2, 0])
        #expect(counts.map(\.unreadBy) == [1, 3])
        let first = try await ann.channel(club).readers(of: ids[2], limit: 1)
        let second = try await ann.channel(club).readers(of: ids[2], limit: 1, cursor: first.next)
        #expect((first.elements + second).map(\.userID) == [Cast.bob.userID, Cast.cid.userID])
        #expect(second.next == nil)
    }

    private func movesNoMarkBack(_ ids: [MessageID], _ seqs: [Int64]) async throws {
        let mark = ann.mark
        #expect(try await bob.client.perform(SetReadMark(channel: club, messageID: ids[0])).mark.seq == seqs[2])
        try await bob.channel(club).markRead()
        let last = seqs[4]
        try await ann.wait("the whole", since: mark) { ($0.row?.body.mark(of: Cast.bob.userID) ?? 0) >= last }
        let moved = told(ann, .readMarkMoved, since: mark).compactMap { $0.body.mark(of: Cast.bob.userID) }
        #expect(moved == [last])
    }

    /// Step 12: Cid deletes a message, a channel, everything: only Cid's copies go, and only Cid's devices are told.
    func deletesMessages() async throws {
        let id = try await ann.channel(club).send("for Cid to delete").messageID
        let others = try await bob.channel(club).history(limit: 100).events
        let direct = try await cid.client.startMessaging(with: Cast.ann.userID).channel
        try await cid.channel(direct).send("direct")
        let ofAnn = try await ann.channel(direct).history(limit: 100).events
        let mark = cidToo.mark
        try await cid.channel(club).delete([id])
        try await cidToo.wait("the deletion", since: mark) { $0.row?.name == EventName.messageDeleted.rawValue }
        await refuses(.messageNotFound) { try await cid.channel(club).messages([id]) }
        #expect(try await !cid.channel(club).history(limit: 100).events.contains { $0.messageID == id })

        try await cid.channel(club).deleteAll()
        try await cidToo.wait("the channel", since: mark) { $0.row?.body.cleared == [Cast.club] }
        #expect(try await cid.channel(club).history().events.isEmpty)
        #expect(try await cid.channel(club).get().unread == 0)
        #expect(try await !cid.channel(direct).history().events.isEmpty)

        try await cid.client.deleteEverything()
        try await cidToo.wait("everything", since: mark) { $0.row?.body.cleared?.contains(direct) == true }
        #expect(try await cid.client.messages(sent: .after, .distantPast).isEmpty)
        #expect(try await cid.client.channels().contains { $0.channel == Cast.club })
        #expect(try await bob.channel(club).history(limit: 100).events == others)
        #expect(try await ann.channel(direct).history(limit: 100).events == ofAnn)
        try await settle([ann, annToo, bob, bobToo, cid], "later", by: ann)
        for person in [ann, annToo, bob, bobToo] {
            #expect(told(person, .messageDeleted).isEmpty)
            #expect(told(person, .channelCleared).isEmpty)
        }
        #expect(try await cid.channel(club).history().events.compactMap(\.text) == ["later"])
    }

    /// Step 12: recalled silently a message is gone, otherwise a shell stays; both leave a row of type 1104.
    func recallsMessages() async throws {
        let foreign = try await ann.channel(club).send("Ann's").messageID
        let silent = try await bob.channel(club).send("vanishes").messageID
        let loud = try await bob.channel(club).send("leaves a shell").messageID
        let reply = try await ann.channel(club).send("to that", replyTo: loud).messageID
        #expect(try await bob.channel(club).recall([silent], isSilent: true).map(\.code) == [0])
        #expect(try await bob.channel(club).recall([loud]) == [MessageResult(messageID: loud)])
        for person in [ann, annToo, bob, bobToo, cid, cidToo, eve] {
            try await person.wait("the silent recall") { $0.row?.body.recalled == [silent] }
            try await person.wait("the other recall") { $0.row?.body.recalled == [loud] }
        }
        for person in [ann, bob, cid] {
            let log = try await person.channel(club).log().events
            #expect(!log.contains { $0.messageID == silent })
            let shell = try #require(log.first { $0.messageID == loud }?.body.sentMessage)
            #expect(shell.text.isEmpty)
            let recall = try #require(shell.recall)
            #expect(!recall.isSilent && recall.$at > 0)
            #expect(recall.byUserID == Cast.bob.userID && recall.byName == "Bob")
            let quoted = try #require(log.first { $0.messageID == reply }?.body.sentMessage?.replyTo)
            #expect(quoted.text.isEmpty && quoted.isRecalled == true)
            // The row of a silent recall is in no page either.
            let rows = log.filter { $0.body.messageType?.number == 1104 }
            #expect(rows.compactMap(\.body.recalled) == [[loud]])
        }
        await refuses(.messageNotFound) { try await bob.channel(club).recall([silent]) }
        // Admins may recall messages of others, unless the group forbids it.
        await refuses(.messageNotOwned) { try await cid.channel(club).recall([foreign]) }
        try await bob.channel(club).setProfile(ChannelProfile(moderatorsMayRecall: false))
        await refuses(.messageNotOwned) { try await bob.channel(club).recall([foreign]) }
    }
}
