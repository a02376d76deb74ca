import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The life of a group: steps 3 to 7, 10 to 12 and 15 of the story SC-002, without bytes and push.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LoftechsTests {
    @Test func `a group lives from its creation to its dismissal, on two devices of one user`() async throws {
        let story = try await LoftechsStory()
        try await story.makesASingleChannel()
        try await story.makesAGroup()
        try await story.setsPreferencesAndProfile()
        try await story.membersComeAndGo()
        try await story.sendsEveryKindOfMessage()
        try await story.answersMessages()
        try await story.queriesMessages()
        try await story.readsMessages()
        try await story.deletesMessages()
        try await story.recallsMessages()
        try await story.dismissesTheGroup()
    }
}

/// Ann, Bob and Cid with two devices each, and Dee and Eve, on one server.
private struct LoftechsStory {
    let harness: ServerHarness
    let (ann, annToo): (RecordingClient, RecordingClient)
    let (bob, bobToo): (RecordingClient, RecordingClient)
    let (cid, cidToo): (RecordingClient, RecordingClient)
    let dee: RecordingClient
    let eve: RecordingClient
    let eveUser: User
    let club = Cast.club

    init() async throws {
        harness = try await ServerHarness()
        ann = try await harness.guest(Cast.ann)
        annToo = try await harness.guest(Cast.ann, device: "2")
        bob = try await harness.guest(Cast.bob)
        bobToo = try await harness.guest(Cast.bob, device: "2")
        cid = try await harness.guest(Cast.cid)
        cidToo = try await harness.guest(Cast.cid, device: "2")
        dee = try await harness.guest(Cast.dee)
        eveUser = try makeUser("eve", "Eve")
        eve = try await harness.guest(eveUser)
    }

    var everybody: [RecordingClient] { [ann, annToo, bob, bobToo, cid, cidToo, dee, eve] }

    private func code<T>(_ body: () async throws(RoostError) -> T) async -> RoostError.Code? { await refusal(body) }

    /// Waits until these users have received one more message in the club, so that all earlier events have arrived.
    private func settle(_ people: [RecordingClient], _ text: String, by person: RecordingClient) async throws {
        try await person.channel(club).send(text)
        for person in people { try await person.message(text, in: club) }
    }

    /// The events with a name that a client has received since `mark`.
    private func told(_ person: RecordingClient, _ name: EventName, since mark: Int) -> [Event] {
        person.events.dropFirst(mark).compactMap(\.row).filter { $0.name == name.rawValue }
    }

    // Step 3.
    func makesASingleChannel() async throws {
        let first = try await ann.client.startMessaging(with: Cast.bob.userID).channel
        #expect(try await ann.client.startMessaging(with: Cast.bob.userID).channel == first)
        #expect(first == Cast.annAndBob)
        try await ann.channel(first).send("single")
        for person in [ann, annToo, bob, bobToo] {
            try await person.message("single", in: first)
            #expect(told(person, .channelJoined, since: 0).count == 1)
        }
        let single = ann.channel(first)
        #expect(await code { () throws(RoostError) in try await single.leave() } == .server(1104))
        #expect(await code { () throws(RoostError) in try await single.kick([Cast.bob.userID]) } == .server(1104))
        #expect(await code { () throws(RoostError) in try await single.dismiss() } == .server(1104))
        #expect(
            await code { () throws(RoostError) in try await single.setRole(.admin, of: Cast.bob.userID) }
                == .server(1104))
    }

    // Step 4.
    func makesAGroup() async throws {
        let members = [Cast.bob.userID, Cast.cid.userID]
        let made = try await ann.client.createGroup(title: "Club", channel: club, members: members)
        #expect(made.channel == club)
        #expect(made.memberCount == 3)
        for person in [ann, annToo, bob, bobToo, cid, cidToo] {
            let found = try await person.wait("the club") { $0.row?.body.joined?.channel == Cast.club }
            let joined = try #require(found.row?.body.joined)
            #expect(joined.memberCount == 3)
            #expect(joined.title == "Club")
            #expect(joined.reason == .created)
        }
        #expect(
            await code { () throws(RoostError) in try await ann.client.createGroup(channel: club, members: members) }
                == .server(1102))
        #expect(
            await code { () throws(RoostError) in
                try await ann.client.createGroup(channel: Cast.annAndBob, members: members)
            } == .server(1101))
    }

    // Step 5.
    func setsPreferencesAndProfile() async throws {
        let marks = everybody.map(\.mark)
        _ = try await ann.channel(club).mute()
        _ = try await ann.channel(club).setPreference(ringtone: "signal")
        let all = try await ann.channel(club).setPreference(nickname: "Annie")
        #expect(all == ChannelPreference(isMuted: true, ringtone: "signal", nickname: "Annie"))
        try await settle([ann, annToo, bob, cid], "preferences", by: ann)
        let expected = [
            ChannelPreference(isMuted: true), ChannelPreference(isMuted: true, ringtone: "signal"), all,
        ]
        for (person, mark) in zip(everybody, marks) {
            let changes = told(person, .channelPreferenceChanged, since: mark).compactMap { event in
                if case .user(.channelPreferenceChanged(let body)) = event.body { body.preference } else { nil }
            }
            let isAnn = person === ann || person === annToo
            #expect(changes == (isAnn ? expected : []))
        }
        for person in [bob, cid] {
            #expect(told(person, .memberProfileChanged, since: marks[0]).count <= 1)
            let line = try await person.event(.memberProfileChanged, in: club)
            guard case .channel(.memberProfileChanged(let body)) = line.body else { throw ExpectationFailure.other }
            #expect(body.member.name == "Annie")
        }

        let mark = cid.mark
        let changes = [
            ChannelProfile(title: "New"), ChannelProfile(avatar: "a"), ChannelProfile(avatar: ""),
            ChannelProfile(customAttributes: 3),
        ]
        for change in changes { #expect(try await ann.channel(club).setProfile(change) == change) }
        try await settle([ann, annToo, bob, cid], "profile", by: ann)
        for person in [ann, annToo, bob, cid] {
            let profiles = told(person, .channelProfileChanged, since: 0).compactMap { event in
                if case .channel(.channelProfileChanged(let body)) = event.body { body.profile } else { nil }
            }
            #expect(profiles == changes)
        }
        #expect(told(cid, .channelProfileChanged, since: mark).count == 4)
        // From here on, muting has no effect and there are no nicknames.
        _ = try await ann.channel(club).setPreference(isMuted: false, nickname: "")
    }

    // Step 6.
    func membersComeAndGo() async throws {
        #expect(
            await code { () throws(RoostError) in try await bob.channel(club).kick([Cast.cid.userID]) }
                == .server(1107))
        try await ann.channel(club).invite([NewMember(Cast.dee.userID)], joinMethod: .userCode)
        let first = try await ann.channel(club).members(limit: 2)
        #expect(first.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(first.next != nil)
        let rest = try await ann.channel(club).members(limit: 2, cursor: first.next)
        #expect(rest.map(\.userID) == [Cast.cid.userID, Cast.dee.userID])
        #expect(rest.last?.joinMethod == .userCode)
        #expect(rest.last?.byUserID == Cast.ann.userID)
        #expect(rest.next == nil)
        try await dee.channel(club).leave()
        guard case .channel(.memberLeft(let left)) = try await bob.event(.memberLeft, in: club).body else {
            throw ExpectationFailure.other
        }
        #expect(left.userID == Cast.dee.userID)
        #expect(left.memberCount == 3)

        try await ann.channel(club).setRole(.moderator, of: Cast.bob.userID)
        #expect(await code { () throws(RoostError) in try await ann.channel(club).leave() } == .server(1107))
        try await ann.channel(club).setRole(.admin, of: Cast.bob.userID)
        let roles = try await cid.wait("both roles", since: 0) { $0.row?.body.role == .admin }
        #expect(try #require(roles.row).body.updates == .role)
        try await ann.channel(club).leave()
        let gone = try await cid.wait("Ann left") { $0.row?.body.leaver == Cast.ann.userID }
        #expect(try #require(gone.row).body.updates == .members)
        try await annToo.wait("Ann left, on the other device") { event in
            if case .left(let channel) = event { channel == Cast.club } else { false }
        }
        try await bob.channel(club).invite([Cast.ann.userID])

        try await bob.channel(club).ban([Cast.dee.userID])
        _ = try await bob.channel(club).setProfile(ChannelProfile(canJoin: true))
        #expect(
            await code { () throws(RoostError) in try await dee.channel(club).becomeMember() } == .server(1107))
        #expect(
            await code { () throws(RoostError) in try await bob.channel(club).invite([Cast.dee.userID]) }
                == .server(1107))

        try await bob.channel(club).invite([NewMember(eveUser.userID, role: .invited)])
        try await eve.wait("the invitation") { $0.row?.name == EventName.channelInvited.rawValue }
        #expect(try await eve.client.invitations().map(\.channel) == [club])
        try await eve.channel(club).answerInvitation(isAccepted: true)
        guard case .channel(.memberJoined(let joined)) = try await cid.event(.memberJoined, in: club).body else {
            throw ExpectationFailure.other
        }
        #expect(joined.member.userID == eveUser.userID)
        #expect(joined.isAnswer)
        #expect(joined.memberCount == 4)
        try await settle([ann, annToo, bob, bobToo, cid, cidToo, eve], "members", by: bob)
    }

    /// A kind of message, and how it is delivered: stored, last message, live, unread.
    private struct Kind {
        var send: SendMessage
        var isStored = true
        var isTold = true
        var isLast = true
        var isCounted = true
    }

    private func kinds() async throws -> [Kind] {
        let client = ann.client
        let (image, small) = (try await client.uploadSample("a.png"), try await client.uploadSample("small.jpg"))
        let (video, poster) = (try await client.uploadSample("a.mp4"), try await client.uploadSample("poster.jpg"))
        let (voice, contact) = (try await client.uploadSample("a.ogg"), try await client.uploadSample("a.vcf"))
        let document = try await client.uploadSample("a.pdf")
        func send(
            _ type: String, _ text: String = "", mentions: [Mention]? = nil, file: FileReference? = nil,
            thumbnail: FileReference? = nil, location: Location? = nil, attributes: Int? = nil
        ) -> SendMessage {
            SendMessage(
                channel: club, type: type, text: text, mentions: mentions, file: file, thumbnail: thumbnail,
                location: location, attributes: attributes)
        }
        func custom(_ bits: Int) -> SendMessage { send("custom", attributes: bits) }
        return [
            Kind(send: send("text", "@Cid", mentions: [Mention(userID: Cast.cid.userID, start: 0, length: 4)])),
            Kind(send: send("sticker", ":)")), Kind(send: send("image", file: image, thumbnail: small)),
            Kind(send: send("video", file: video, thumbnail: poster)), Kind(send: send("voice", file: voice)),
            Kind(send: send("location", location: Location(latitude: 25, longitude: 121.5, address: "Taipei"))),
            Kind(send: send("contact", file: contact)), Kind(send: send("document", file: document)),
            Kind(send: custom(1), isLast: false, isCounted: false),
            Kind(send: custom(2), isStored: false, isLast: false, isCounted: false),
            Kind(send: custom(4), isStored: false, isLast: false, isCounted: false),
            Kind(send: custom(8), isStored: false, isTold: false, isLast: false, isCounted: false),
            Kind(send: custom(16 | 1), isLast: false), Kind(send: custom(32 | 1), isCounted: false),
            Kind(send: custom(63)), Kind(send: send("customQuiet"), isLast: false, isCounted: false),
            Kind(send: send("customUncounted"), isCounted: false),
        ]
    }

    // Step 7.
    func sendsEveryKindOfMessage() async throws {
        for kind in try await kinds() {
            let (type, mark) = (kind.send.content.type, cid.mark)
            let before = try await cid.channel(club).get()
            let sent = try await ann.client.perform(kind.send)
            let id = try #require(sent.messageID)
            #expect((sent.seq != nil) == kind.isStored, "\(type)")
            for person in kind.isTold ? [annToo, bob, cid, cidToo] : [] {
                let found = try await person.wait(type, since: 0) { $0.row?.messageID == id }
                let event = try #require(found.row)
                #expect((event.seq != nil) == kind.isStored, "\(type)")
                let message = try #require(event.body.message)
                #expect(message.type == type)
                #expect(message.text == kind.send.text)
                #expect(message.mentions == kind.send.mentions)
                #expect(message.file == kind.send.file)
                #expect(message.thumbnail == kind.send.thumbnail)
                #expect(message.location == kind.send.location)
                #expect(message.attributes == kind.send.attributes)
            }
            if kind.send.mentions != nil {
                try await cid.wait("the mention", since: mark) {
                    if case .mentioned(_, let event) = $0 { event.messageID == id } else { false }
                }
            }
            let isMentioned = cid.events.dropFirst(mark).contains {
                if case .mentioned(_, let event) = $0 { event.messageID == id } else { false }
            }
            #expect(isMentioned == (kind.send.mentions != nil), "\(type)")
            let after = try await cid.channel(club).get()
            #expect((after.lastMessage?.messageID == id) == kind.isLast, "\(type)")
            #expect(try #require(after.unread) - (before.unread ?? 0) == (kind.isCounted ? 1 : 0), "\(type)")
            let stored = try await cid.channel(club).history(limit: 5).events.contains { $0.messageID == id }
            #expect(stored == kind.isStored, "\(type)")
            if !kind.isTold {
                try await settle([cid], "after \(id)", by: ann)
                #expect(!cid.events.contains { $0.row?.messageID == id })
            }
        }
        let long = SendMessage(channel: club, text: String(repeating: "x", count: 8_001))
        #expect(await code { () throws(RoostError) in try await ann.client.perform(long) } == .server(1001))
    }

    func answersMessages() async throws {
        let file = try await ann.client.uploadSample()
        let picture = SendMessage(channel: club, type: "image", file: file)
        let image = try #require(try await ann.client.perform(picture).messageID)
        let text = try await bob.channel(club).send("nice", replyTo: image).messageID
        var back = picture
        back.replyTo = text
        let reply = try #require(try await ann.client.perform(back).messageID)
        let events = try await cid.channel(club).messages([text, reply])
        let parents = events.compactMap(\.body.message?.replyTo)
        #expect(parents.map(\.messageID) == [image, text])
        #expect(parents.map(\.type) == ["image", "text"])
        #expect(parents.first?.file == file)
        #expect(parents.last?.text == "nice")
        #expect(parents.last?.senderID == Cast.bob.userID)
        let single = try await ann.channel(Cast.annAndBob).send("elsewhere").messageID
        #expect(
            await code { () throws(RoostError) in try await ann.channel(club).send("x", replyTo: single) }
                == .server(1118))
    }

    // Step 10.
    func queriesMessages() async throws {
        for number in 0..<25 { try await ann.channel(club).send("q\(number)") }
        let page = try await bob.channel(club).history(limit: 100)
        let log = page.events
        let middle = try #require(log.first { $0.text == "q12" })
        let (seq, time) = (try #require(middle.seq), try #require(middle.sentAt))
        let before = try await bob.channel(club).history(before: seq, limit: 10).events
        #expect(before.compactMap(\.text).suffix(10) == (2...11).map { "q\($0)" })
        let after = try await bob.channel(club).history(after: seq, limit: 10).events
        #expect(after.compactMap(\.text) == (13...22).map { "q\($0)" })
        let earlier = try await bob.channel(club).messages(sent: .before, time, limit: 10)
        let later = try await bob.channel(club).messages(sent: .after, time, limit: 10)
        #expect(earlier.count >= 10 && earlier.allSatisfy { ($0.sentAt ?? time) < time })
        #expect(!later.isEmpty && later.allSatisfy { ($0.sentAt ?? time) > time })

        // In all channels, up to the last message.
        var all: [Event] = []
        var next: String?
        repeat {
            let answer = try await bob.client.messages(sent: .after, .distantPast, limit: 10, cursor: next)
            all += answer
            next = answer.next
        } while next != nil
        let places = all.map { "\($0.channel?.rawValue ?? "") \($0.seq ?? 0)" }
        #expect(Set(places).count == places.count)
        #expect(Set(all.compactMap(\.channel)) == [club, Cast.annAndBob])
        #expect(all.filter { $0.channel == club }.compactMap(\.seq) == (1...(page.events.last?.seq ?? 0)).map { $0 })
        #expect(
            await code { () throws(RoostError) in
                try await bob.channel(club).messages(sent: .after, .distantPast, limit: 101)
            }
                == .server(6))
    }

    // Step 11.
    func readsMessages() async throws {
        for person in [ann, bob, cid] { _ = try await person.client.markAllRead() }
        var ids: [MessageID] = []
        var seqs: [Int64] = []
        for number in 0..<5 {
            let sent = try await ann.channel(club).send("r\(number)")
            ids.append(sent.messageID)
            seqs.append(try #require(sent.seq))
        }
        for person in [bob, bobToo, cid] { try await person.message("r4", in: club) }
        await cid.client.disconnect()
        let marks = [ann, annToo, bobToo].map(\.mark)
        let answer = try await bob.client.perform(SetReadMark(channel: club, messageID: ids[2]))
        #expect(answer.mark.seq == seqs[2])
        #expect(answer.unread == 2)
        for (person, mark) in zip([ann, annToo, bobToo], marks) {
            try await person.wait("Bob's mark", since: mark) {
                $0.row?.body.mark(of: Cast.bob.userID) == answer.mark.seq
            }
        }
        #expect(try await bob.client.unread().channels == [ChannelUnread(channel: club, unread: 2)])
        #expect(try await bob.client.unread().total == 2)

        try await cid.connect()
        let read = try await cid.channel(club).readMarks().first { $0.userID == Cast.bob.userID }
        #expect(read?.seq == seqs[2])
        #expect(read?.readAt == answer.mark.readAt)
        _ = try await cid.channel(club).markRead(upTo: ids[2])
        let counts = try await ann.channel(club).readCounts(of: [ids[2], ids[3]])
        #expect(counts.map(\.readBy) == [2, 0])
        #expect(counts.map(\.unreadBy) == [1, 3])
        let first = try await ann.channel(club).readers(of: ids[2], limit: 1)
        let second = try await ann.channel(club).readers(of: ids[2], limit: 1, cursor: first.next)
        #expect((first.elements + second).map(\.userID) == [Cast.bob.userID, Cast.cid.userID])
        #expect(second.next == nil)

        let mark = ann.mark
        #expect(try await bob.client.perform(SetReadMark(channel: club, messageID: ids[0])).mark.seq == seqs[2])
        try await bob.channel(club).markRead()
        let last = seqs[4]
        try await ann.wait("the whole", since: mark) { ($0.row?.body.mark(of: Cast.bob.userID) ?? 0) >= last }
        let moved = told(ann, .readMarkMoved, since: mark).compactMap { $0.body.mark(of: Cast.bob.userID) }
        #expect(moved == [seqs[4]])
    }

    // Step 12, for the user only.
    func deletesMessages() async throws {
        let id = try await ann.channel(club).send("for Cid to delete").messageID
        let other = try await bob.channel(club).history(limit: 100).events
        let mark = cidToo.mark
        try await cid.channel(club).delete([id])
        try await cidToo.wait("the deletion", since: mark) { $0.row?.name == EventName.messageDeleted.rawValue }
        #expect(await code { () throws(RoostError) in try await cid.channel(club).messages([id]) } == .server(1118))
        #expect(try await !cid.channel(club).history(limit: 100).events.contains { $0.messageID == id })

        try await cid.channel(club).deleteAll()
        try await cidToo.wait("the channel", since: mark) { $0.row?.body.cleared == [Cast.club] }
        #expect(try await cid.channel(club).history().events.isEmpty)
        #expect(try await cid.channel(club).get().unread == 0)

        let direct = try await cid.client.startMessaging(with: Cast.ann.userID).channel
        try await cid.channel(direct).send("direct")
        try await cid.client.deleteEverything()
        try await cidToo.wait("everything", since: mark) { $0.row?.body.cleared?.contains(direct) == true }
        #expect(try await cid.channel(direct).history().events.isEmpty)
        #expect(try await ann.channel(direct).history().events.count == 1)
        #expect(try await cid.client.channels().contains { $0.channel == Cast.club })
        #expect(try await bob.channel(club).history(limit: 100).events == other)
        for person in [ann, annToo, bob] {
            #expect(told(person, .messageDeleted, since: 0).isEmpty)
            #expect(told(person, .channelCleared, since: 0).isEmpty)
        }
        try await settle([cid], "later", by: ann)
        #expect(try await cid.channel(club).history().events.compactMap(\.text) == ["later"])
    }

    // Step 12, for everybody.
    func recallsMessages() async throws {
        let foreign = try await ann.channel(club).send("Ann's").messageID
        let silent = try await bob.channel(club).send("vanishes").messageID
        let loud = try await bob.channel(club).send("leaves a shell").messageID
        #expect(try await bob.channel(club).recall([silent], isSilent: true).map(\.code) == [0])
        let answer = try await bob.channel(club).recall([loud])
        #expect(answer == [MessageResult(messageID: loud)])
        for person in [ann, annToo, bobToo, cid] {
            try await person.wait("both recalls") { $0.row?.body.recalled == [silent] }
            try await person.wait("both recalls") { $0.row?.body.recalled == [loud] }
        }
        for person in [ann, bob, cid] {
            let log = try await person.channel(club).history().events
            #expect(!log.contains { $0.messageID == silent })
            let shell = try #require(log.first { $0.messageID == loud }?.body.message)
            #expect(shell.text.isEmpty)
            let recall = try #require(shell.recall)
            #expect(!recall.isSilent)
            #expect(recall.byUserID == Cast.bob.userID)
            #expect(recall.byName == "Bob")
            #expect(recall.$at > 0)
            #expect(log.filter { $0.body.recalled != nil }.count == 2)
            #expect(log.contains { $0.body.messageType?.number == 1104 })
        }
        #expect(
            await code { () throws(RoostError) in try await bob.channel(club).recall([silent]) } == .server(1118))
        // Moderators and admins may recall messages of others, unless the group forbids it.
        _ = try await bob.channel(club).setProfile(ChannelProfile(moderatorsMayRecall: false))
        for person in [bob, cid] {
            #expect(
                await code { () throws(RoostError) in try await person.channel(club).recall([foreign]) }
                    == .server(1113))
        }
    }

    // Step 15.
    func dismissesTheGroup() async throws {
        try await bob.channel(club).dismiss()
        for person in [ann, annToo, bob, bobToo, cid, cidToo, eve] {
            try await person.event(.channelDismissed)
        }
        for person in [ann, bob, cid, eve] {
            let channel = person.channel(club)
            #expect(await code { () throws(RoostError) in try await channel.send("x") } == .server(1105))
            #expect(await code { () throws(RoostError) in try await channel.get() } == .server(1105))
            #expect(await code { () throws(RoostError) in try await channel.history() } == .server(1105))
            #expect(await code { () throws(RoostError) in try await channel.leave() } == .server(1105))
        }
        for person in everybody {
            let mark = person.mark
            await person.client.disconnect()
            try await person.wait("disconnected without an error", since: mark) { event in
                if case .disconnected(nil) = event { true } else { false }
            }
        }
    }
}

extension EventBody {
    fileprivate var joined: ChannelJoined? { if case .user(.channelJoined(let body)) = self { body } else { nil } }

    fileprivate var leaver: UserID? { if case .channel(.memberLeft(let body)) = self { body.userID } else { nil } }

    /// The new role, if the event is a change of one member's role.
    fileprivate var role: Role? {
        if case .channel(.memberRoleChanged(let body)) = self { body.members.first?.role } else { nil }
    }

    fileprivate var updates: ChannelUpdate { ChannelUpdate(of: self) }

    fileprivate var message: Message? {
        switch self {
        case .channel(.messageSent(let message)), .ephemeral(.messageRelayed(let message)): message
        default: nil
        }
    }

    fileprivate func mark(of user: UserID) -> Int64? {
        guard case .ephemeral(.readMarkMoved(let body)) = self else { return nil }
        return body.marks.first { $0.userID == user }?.seq
    }

    fileprivate var cleared: [ChannelID]? {
        if case .user(.channelCleared(let body)) = self { body.channels.map(\.channel) } else { nil }
    }

    fileprivate var recalled: [MessageID]? {
        if case .channel(.messageRecalled(let body)) = self { body.messages.map(\.messageID) } else { nil }
    }
}
