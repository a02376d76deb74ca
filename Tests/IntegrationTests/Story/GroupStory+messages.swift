import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The text and the picture of step 7, which later steps forward and download.
struct StoryPicture {
    var text: MessageID
    var image: MessageID
    var file: FileReference
    var thumbnail: FileReference
    /// The paths of what was uploaded.
    var (filePath, thumbnailPath): (String, String)
}

// Steps 7 to 10: messages of every kind, to several channels, at a later time, and queries.
extension GroupStory {
    /// The webhook's token for Cid's device that is away.
    static let awayToken = "cid-3"

    /// Closes the connection of Cid's third device.
    ///
    /// The server may not notice that at once, so messages are sent until it is notified of one.
    func leavesOneDeviceBehind() async throws {
        await cidAway.client.disconnect()
        let chat = try await eve.start(with: Cast.cid)
        var number = 0
        while try pushes.all(to: Self.awayToken).isEmpty {
            try await chat.send("are you away? \(number)")
            number += 1
        }
    }

    /// A kind of message and the five flags of its delivery: stored, last message, live, pushed, unread.
    private struct Kind {
        var content: MessageContent
        var isStored = true
        var isLast = true
        var isTold = true
        var isPushed = true
        var isCounted = true
    }

    private func kinds(_ picture: FileReference, _ thumbnail: FileReference) async throws -> [Kind] {
        let client = ann.client
        let (video, poster) = (try await client.uploadSample("a.mp4"), try await client.uploadSample("poster.jpg"))
        let (voice, contact) = (try await client.uploadSample("a.ogg"), try await client.uploadSample("a.vcf"))
        let document = try await client.uploadSample("a.pdf")
        let place = Location(latitude: 25, longitude: 121.5, address: "Taipei")
        func custom(
            _ delivery: CustomDelivery, stored: Bool = false, last: Bool = false, told: Bool = true,
            pushed: Bool = false, counted: Bool = false
        ) -> Kind {
            Kind(
                content: .custom(delivery), isStored: stored, isLast: last, isTold: told, isPushed: pushed,
                isCounted: counted)
        }
        return [
            Kind(content: .text("@Cid", mentions: [Mention(userID: Cast.cid.userID, start: 0, length: 4)])),
            Kind(content: .sticker("pack,3013,2")),
            Kind(content: .image(picture, thumbnail: thumbnail)),
            Kind(content: .video(video, thumbnail: poster)), Kind(content: .voice(voice)),
            Kind(content: .location(place)), Kind(content: .contact(contact)), Kind(content: .document(document)),
            // What is stored is also told, so that the log has no gap.
            custom(.stored, stored: true), custom(.live), custom(.whereOpen),
            custom(.pushed, told: false, pushed: true), custom(.unread, stored: true, counted: true),
            custom(.lastMessage, stored: true, last: true),
            custom(CustomDelivery(rawValue: 63), stored: true, last: true, pushed: true, counted: true),
            Kind(content: .customQuiet(text: "3001"), isLast: false, isPushed: false, isCounted: false),
            Kind(content: .customUncounted(text: "3002"), isCounted: false),
        ]
    }

    /// Step 7: each kind is stored, last, live, pushed and unread as its type says.
    func sendsEveryKindOfMessage() async throws -> StoryPicture {
        let paths = (try largePicture("roof.jpg"), try TransferFile.jpeg("small.jpg", in: harness.folder))
        let file = try await ann.client.upload(LocalFile(path: paths.0))
        let thumbnail = try await ann.client.upload(LocalFile(path: paths.1))
        var pushed: Set<MessageID> = []
        var sent: [String: MessageID] = [:]
        for kind in try await kinds(file, thumbnail) {
            let id = try await send(kind)
            sent["\(kind.content.type) \(kind.content.attributes ?? 0)"] = id
            if kind.isPushed { pushed.insert(id) }
        }
        #expect(sent.count == 17)
        let notified = try pushes.messages(to: Self.awayToken).filter(sent.values.contains)
        #expect(notified.count == pushed.count && Set(notified) == pushed)
        await refuses(.invalidContent) { try await ann.channel(club).send(String(repeating: "x", count: 8_001)) }
        let tag = [Mention(userID: Cast.dee.userID, start: 0, length: 4)]
        await refuses(.notAllMembers) { try await ann.channel(club).send("@Dee", mentions: tag) }
        return StoryPicture(
            text: try #require(sent["text 0"]), image: try #require(sent["image 0"]), file: file, thumbnail: thumbnail,
            filePath: paths.0, thumbnailPath: paths.1)
    }

    /// Sends a message of a kind and checks its flags.
    private func send(_ kind: Kind) async throws -> MessageID {
        let (type, mark) = (kind.content.type, cid.mark)
        let before = try await cid.channel(club).get()
        let sent = try await ann.client.perform(SendMessage(kind.content, to: club))
        let id = try #require(sent.messageID)
        #expect((sent.seq != nil) == kind.isStored, "\(type)")
        for person in kind.isTold ? [annToo, bob, cid, cidToo] : [] {
            let found = try await person.wait(type) { $0.row?.messageID == id }
            let event = try #require(found.row)
            #expect((event.seq != nil) == kind.isStored, "\(type)")
            #expect(event.body.sentMessage?.content == kind.content)
            #expect(event.body.messageType?.name == type)
        }
        if kind.content.mentions != nil {
            try await cid.wait("the mention", since: mark) {
                if case .mentioned(_, let event) = $0 { event.messageID == id } else { false }
            }
        }
        let after = try await cid.channel(club).get()
        #expect((after.lastMessage?.messageID == id) == kind.isLast, "\(type)")
        #expect(try #require(after.unread) - (before.unread ?? 0) == (kind.isCounted ? 1 : 0), "\(type)")
        let isFound = try await cid.channel(club).history(limit: 5).events.contains { $0.messageID == id }
        #expect(isFound == kind.isStored, "\(type)")
        if !kind.isTold {
            try await settle([cid], "after \(id)", by: ann)
            #expect(!cid.events.contains { $0.row?.messageID == id })
        }
        if kind.isPushed {
            let push = try await pushes.push(of: id, to: Self.awayToken)
            #expect(push.type == type && push.channel == club && push.senderName == "Ann")
            #expect(push.isMention == (kind.content.mentions == nil ? nil : true))
        }
        return id
    }

    /// Step 7: pictures answer texts, texts answer pictures, and an unknown parent is 1118.
    func answersMessages() async throws {
        let file = try await ann.client.uploadSample()
        let image = try await ann.channel(club).send(.image(file)).messageID
        let text = try await bob.channel(club).send("nice", replyTo: image).messageID
        let reply = try await ann.channel(club).send(.image(file), replyTo: text).messageID
        let events = try await cid.channel(club).messages([text, reply])
        let parents = events.compactMap(\.body.sentMessage?.replyTo)
        #expect(parents.map(\.messageID) == [image, text])
        #expect(parents.map(\.type) == ["image", "text"])
        #expect(parents.first?.file == file)
        #expect(parents.last?.text == "nice")
        #expect(parents.last?.senderID == Cast.bob.userID)
        let single = try await ann.channel(Cast.annAndBob).send("elsewhere").messageID
        await refuses(.messageNotFound) { try await ann.channel(club).send("x", replyTo: single) }
    }

    /// Step 8: three messages to two channels in one command, once.
    func broadcastsMessages() async throws {
        let texts = ["many 1", "many 2", "many 3"]
        let (contents, targets) = (texts.map { MessageContent.text($0) }, [club, Cast.annAndBob])
        let key = ann.client.makeTransID()
        let results = try await ann.client.send(contents, to: targets, transID: key)
        #expect(results.map(\.code) == [0, 0, 0, 0, 0, 0])
        codes.note(0)
        #expect(results.map(\.channel) == [club, club, club, Cast.annAndBob, Cast.annAndBob, Cast.annAndBob])
        #expect(try await ann.client.send(contents, to: targets, transID: key) == results)
        await refuses(.duplicateTransID) { try await ann.client.send(contents, to: [club], transID: key) }
        for channel in targets {
            try await settle([annToo, bob, bobToo], "after many in \(channel)", in: channel, by: ann)
            let rows = try await bob.channel(channel).history(limit: 10).events.compactMap(\.text)
            #expect(rows.filter(texts.contains) == texts)
            for person in [annToo, bob, bobToo] {
                #expect(person.texts(in: channel).filter(texts.contains) == texts)
            }
        }
    }

    private func settle(
        _ people: [RecordingClient], _ text: String, in channel: ChannelID, by person: RecordingClient
    ) async throws {
        try await person.channel(channel).send(text)
        for person in people { try await person.message(text, in: channel) }
    }

    /// Step 8: two messages to two channels are four, files included; the same transID makes no others.
    func forwardsMessages(_ picture: StoryPicture) async throws {
        let withCid = try await ann.start(with: Cast.cid).id
        let key = ann.client.makeTransID()
        let (ids, targets) = ([picture.text, picture.image], [Cast.annAndBob, withCid])
        let results = try await ann.channel(club).forward(ids, to: targets, transID: key)
        #expect(results.map(\.code) == [0, 0, 0, 0])
        #expect(try await ann.channel(club).forward(ids, to: targets, transID: key) == results)
        for (person, channel, copies) in [(bob, Cast.annAndBob, results[0...1]), (cid, withCid, results[2...3])] {
            try await settle([person], "after the copies in \(channel)", in: channel, by: ann)
            let found = person.events.compactMap(\.row).filter { $0.channel == channel }
                .filter { $0.body.sentMessage?.isForwarded == true }
            #expect(found.map(\.messageID) == copies.map(\.messageID))
            #expect(found.map(\.senderID) == [Cast.ann.userID, Cast.ann.userID])
            let messages = found.compactMap(\.body.sentMessage)
            #expect(messages.map(\.text) == ["@Cid", ""])
            #expect(messages.first?.mentions == nil)
            #expect(messages.last?.file == picture.file && messages.last?.thumbnail == picture.thumbnail)
            let copy = try #require(copies.last?.messageID)
            #expect(try await person.channel(channel).origin(of: copy).messageID == picture.image)
        }
        let target = harness.folder.path + "/copy-of-copy.jpg"
        try await cid.client.download(picture.file, to: target)
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(picture.filePath))
    }

    /// Step 9: own devices get the schedule, which is sent once through a restart; 30 s and 31 days are 1008.
    func schedulesMessages() async throws {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceNow: seconds) }
        let (texts, target) = (["later 1", "later 2"], [Cast.annAndBob])
        let contents = texts.map { MessageContent.text($0) }
        await refuses(.scheduleTime) { try await ann.client.schedule(contents, to: target, at: date(30)) }
        await refuses(.scheduleTime) { try await ann.client.schedule(contents, to: target, at: date(31 * 86_400)) }
        // Late enough that it is not due before the server has restarted, however slow this machine is.
        let schedule = try await ann.client.schedule(contents, to: target, at: date(600))
        #expect(schedule.messages == contents && schedule.channels == target)
        for device in [ann, annToo] {
            #expect(try await device.event(.scheduleCreated).body == .user(.scheduleCreated(schedule)))
        }
        let marks = everybody.map(\.mark)
        harness.kill()
        // The clock of a process cannot be moved, so from now on times may be near, and the schedule is moved instead.
        try await harness.start(with: ["--limit", "scheduleMinMs=1"])
        for (person, mark) in zip(everybody, marks) {
            try await person.wait("connected again", since: mark) { if case .connected = $0 { true } else { false } }
        }
        #expect(try await ann.client.schedules().elements == [schedule])
        try await soonest(whenLate: .server(.scheduleTime)) { seconds in
            try await ann.client.changeSchedule(schedule.scheduleID, at: date(seconds))
        }
        for device in [ann, annToo] {
            let sent = try #require(try await device.event(.scheduleSent).body.scheduleSent)
            #expect(sent.scheduleID == schedule.scheduleID)
            #expect(sent.results.map(\.code) == [0, 0])
        }
        try await settle([bob, bobToo], "after the schedule", in: Cast.annAndBob, by: ann)
        for device in [bob, bobToo] {
            #expect(device.texts(in: Cast.annAndBob).filter(texts.contains) == texts)
            #expect(device.events.allSatisfy { $0.row?.name.hasPrefix("schedule.") != true })
        }
        #expect(
            try await bob.channel(Cast.annAndBob).history().events.compactMap(\.text).filter(texts.contains) == texts)
        #expect(try await ann.client.schedules().isEmpty)
    }

    /// Step 10: ten messages before and after one, then everything in all channels, page by page.
    func queriesMessages() async throws {
        for number in 0..<25 { try await ann.channel(club).send("q\(number)") }
        let log = try await bob.channel(club).history(limit: 100).events
        let middle = try #require(log.first { $0.text == "q12" })
        let (seq, time) = (try #require(middle.seq), try #require(middle.sentAt))
        let before = try await bob.channel(club).history(before: seq, limit: 10).events
        #expect(before.compactMap(\.text) == (2...11).map { "q\($0)" })
        let after = try await bob.channel(club).history(after: seq, limit: 10).events
        #expect(after.compactMap(\.text) == (13...22).map { "q\($0)" })
        let earlier = try await bob.channel(club).messages(sent: .before, time, limit: 10)
        let later = try await bob.channel(club).messages(sent: .after, time, limit: 10)
        // Rows of one moment are never split, so there may be more than ten.
        #expect(earlier.count >= 10 && earlier.allSatisfy { ($0.sentAt ?? time) < time })
        #expect(!later.isEmpty && later.allSatisfy { ($0.sentAt ?? time) > time })

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
        let last = try #require(log.last?.seq)
        #expect(all.filter { $0.channel == club }.compactMap(\.seq) == (1...last).map { $0 })
        let types = Set(all.compactMap(\.body.messageType).map(\.number))
        #expect(types.isSuperset(of: [1, 3000, 1003, 1004, 1005, 1007, 1010]))
        await refuses(.dataFormat) { try await bob.channel(club).messages(sent: .after, .distantPast, limit: 101) }
    }

    /// Step 10: a picture and its thumbnail in one call, with progress; a stranger gets neither.
    func downloadsFiles(_ picture: StoryPicture) async throws {
        let paths = ["copy.jpg", "copy-small.jpg"].map { harness.folder.path + "/" + $0 }
        var states: [Int: [FileTransfer.State]] = [:]
        for await transfer in bob.client.transfers([
            .download(picture.file, to: paths[0]), .download(picture.thumbnail, to: paths[1]),
        ]) {
            states[transfer.id, default: []].append(transfer.state)
        }
        for (id, source) in [picture.filePath, picture.thumbnailPath].enumerated() {
            let bytes = (states[id] ?? []).compactMap { state in
                if case .downloading(let progress) = state { Int(progress.completedBytes) } else { nil }
            }
            let copy = try TransferFile.bytes(paths[id])
            #expect(copy == (try TransferFile.bytes(source)))
            #expect(bytes == bytes.sorted() && bytes.last == copy.count)
            #expect(states[id]?.last == .downloaded(path: paths[id]))
        }
        for file in [picture.file, picture.thumbnail] {
            await refuses(.noPrivilege) { try await fay.client.download(file, to: harness.folder.path + "/none.jpg") }
        }
    }
}
