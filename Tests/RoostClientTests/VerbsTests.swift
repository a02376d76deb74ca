import RoostWire
import Testing
import WireExamples

@testable import RoostClient

/// The pure parts of the verbs: which command a call becomes, and when a sequence of pages ends.
@Suite struct VerbsTests {
    private let group = Names.group
    private let file = FileReference(fileID: "f", name: "n.jpg", contentType: "image/jpeg", size: 1)
    private let message = MessageID(sentAt: 1, seq: 1, salt: 0)

    @Test func `every command of an app can be carried out; three are the client's own`() throws {
        var names: Set<String> = []
        for exchange in try Examples.exchanges() {
            let command = exchange.frame.command
            let isOwn = [Hello.name, RenewSession.name, Resume.name].contains(exchange.name)
            #expect(command.value.any == command)
            #expect((type(of: command.value).reach == .client) == isOwn, "\(exchange.name)")
            names.insert(exchange.name)
        }
        #expect(names == Set(AnyCommand.names))
    }

    @Test func `every kind of content is a send that the rules allow [L-51 L-60 LO-9]`() throws {
        let contents: [MessageContent] =
            [
                .text("x", mentions: [Mention(userID: Names.ben.userID, start: 0, length: 1)]), .sticker("pack,1"),
                .image(file, thumbnail: file, text: "below"), .video(file, thumbnail: file), .voice(file),
                .contact(file, thumbnail: file), .document(file, text: "read it"),
                .location(Location(latitude: 1, longitude: 2, address: "there")),
                .custom([.stored, .live], text: "x"), .customQuiet(text: "x"), .customUncounted(),
            ] + MessageNotice.allCases.map { .notice($0) }
            + CallMessage.allCases.map { .call($0, CallNotice(callID: "c-1", kind: .video)) }
        #expect(Set(contents.map(\.type)) == Set(MessageRules.types))
        for content in contents {
            let send = SendMessage(
                content, to: group, replyTo: message, extras: ["a": "b"], category: "c")
            try MessageRules.check(send, limits: Limits())
            #expect(send.channel == group)
            #expect(send.type ?? "text" == content.type)
            #expect(send.text == content.text)
            #expect(send.mentions == content.mentions)
            #expect(send.file == content.file)
            #expect(send.thumbnail == content.thumbnail)
            #expect(send.location == content.location)
            #expect(send.attributes == content.attributes)
            #expect(send.call == content.call)
            #expect(send.replyTo == message)
            #expect(send.extras == ["a": "b"])
            #expect(send.category == "c")
            #expect(send.after == nil)
        }
    }

    @Test func `a plain text names no type, and its frame is the short one`() throws {
        let send = SendMessage(.text("hi"), to: group)
        #expect(send == SendMessage(channel: group, text: "hi"))
        #expect(send.hasOnlyText)
    }

    @Test func `the ways of delivery are the bits of the wire [EN-8]`() {
        let all: CustomDelivery = [.stored, .live, .whereOpen, .pushed, .unread, .lastMessage]
        #expect(all.rawValue == MessageBehaviour.allAttributes)
        func behaviour(_ delivery: CustomDelivery) -> MessageBehaviour {
            MessageBehaviour(attributes: delivery.rawValue)
        }
        #expect(behaviour(.stored).isStored)
        #expect(behaviour(.live).isRealtime)
        #expect(behaviour(.whereOpen).isForOpenChannel)
        #expect(behaviour(.pushed).isPushed)
        #expect(behaviour(.unread).countsAsUnread)
        #expect(behaviour(.lastMessage).isLastMessage)
        #expect(!behaviour([.live, .whereOpen, .pushed]).isStored)
    }

    @Test func `batches follow their cursor, and end with the last one or one that does not move [L-35]`() {
        func batch(next: String?) -> QueryChannels.Answer {
            QueryChannels.Answer(channels: [], batch: 1, batchTotal: 2, next: next, asOf: .init(milliseconds: 9))
        }
        let first = QueryChannels(kinds: [.group], changedSince: .init(milliseconds: 5), limit: 30, withMembers: true)
        let second = first.following(batch(next: "x"))
        #expect(second?.cursor == "x")
        #expect(second?.kinds == [.group])
        #expect(second?.$changedSince == 5)
        #expect(second?.limit == 30)
        #expect(second?.withMembers == true)
        #expect(second?.following(batch(next: nil)) == nil)
        #expect(second?.following(batch(next: "x")) == nil)
        #expect(second?.following(batch(next: "y"))?.cursor == "y")
    }

    @Test func `read marks follow members who join, are removed or banned [L-80]`() {
        var marks = ReadMarks()
        let (ann, ben, cat) = (Names.ann, Names.ben, Names.user("cat"))
        marks.apply(members: [
            Member(userID: ann.userID, name: "Ann", role: .admin, readSeq: 3, readAt: .init(milliseconds: 0))
        ])
        marks.apply(
            Event(seq: 4, body: .channel(.memberJoined(MemberJoined(member: ben, memberCount: 2, isAnswer: false)))))
        marks.apply(
            Event(seq: 5, body: .channel(.memberJoined(MemberJoined(member: cat, memberCount: 3, isAnswer: true)))))
        marks.apply(
            Event(seq: 6, body: .channel(.memberInvited(MembersInvited(members: [], memberCount: 3, invited: [cat])))))
        #expect(marks.readSeq(of: ben.userID) == 4)
        #expect(marks.unreadBy(seq: 6, viewer: ann.userID) == 2)
        marks.apply(Event(seq: 7, body: .channel(.memberKicked(MembersRemoved(members: [ben], memberCount: 2)))))
        marks.apply(Event(seq: 8, body: .channel(.memberBanned(MembersRemoved(members: [cat], memberCount: 1)))))
        #expect(marks.readSeq(of: ben.userID) == nil)
        #expect(marks.readSeq(of: cat.userID) == nil)
    }

    @Test func `a live sequence passes over holes, in a page and between pages [L-83]`() {
        func row(_ seq: Int64) -> Event { Event(channel: group, seq: seq, body: .unknown("row")) }
        func page(_ rows: [Int64], hasAfter: Bool, seq: Int64) -> ListMessages.Answer {
            ListMessages.Answer(
                events: rows.map(row), hasBefore: false, hasAfter: hasAfter, seq: seq, from: 1, to: rows.last ?? seq)
        }
        func drain(_ order: inout PageThenLive) -> [Int64] {
            var rows: [Int64] = []
            while let event = order.next() {
                if case .event(let event, _) = event, let seq = event.seq { rows.append(seq) }
            }
            return rows
        }
        var order = PageThenLive(after: 0)
        order.append(page([2, 5], hasAfter: true, seq: 12))
        order.append(page([9], hasAfter: true, seq: 12))
        order.append(page([], hasAfter: true, seq: 12))
        #expect(drain(&order) == [2, 5, 9])
        #expect(order.wantsPageAfter == nil)
        order.append(.event(row(13), isPast: false))
        order.append(.event(Event(channel: group, seq: 14, body: .channel(.rowRemoved(RowRemoved()))), isPast: true))
        order.append(.event(row(15), isPast: true))
        #expect(drain(&order) == [13, 14, 15])
        // The client skipped 16 to 19: one read of the log shows that the user may not see them.
        order.append(.event(row(20), isPast: true))
        #expect(drain(&order) == [])
        #expect(order.wantsPageAfter == 15)
        order.append(page([20], hasAfter: false, seq: 20))
        #expect(drain(&order) == [20])
        #expect(order.wantsPageAfter == nil)
    }

    @Test func `an empty page does not make a sequence request pages forever`() {
        var order = PageThenLive(after: 0)
        order.append(ListMessages.Answer(events: [], hasBefore: false, hasAfter: false, seq: 2, from: 1, to: 2))
        order.append(.event(Event(channel: group, seq: 6, body: .unknown("row")), isPast: false))
        #expect(order.next() == nil)
        #expect(order.wantsPageAfter == 2)
        order.append(ListMessages.Answer(events: [], hasBefore: false, hasAfter: false, seq: 2, from: 1, to: 2))
        #expect(order.wantsPageAfter == nil)
        guard case .event(let event, _) = order.next() else {
            Issue.record("the row is lost")
            return
        }
        #expect(event.seq == 6)
        #expect(order.wantsPageAfter == nil)
    }
}
