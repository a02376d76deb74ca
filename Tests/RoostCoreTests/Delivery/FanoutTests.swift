import RoostCore
import RoostTesting
import RoostWire
import Testing

private final class Listener {
    var got: [String] = []
}

/// One lane with a few listeners.
private final class Lane {
    var fanout = Fanout<Listener>(lane: 0)
    var listeners: [UInt64: Listener] = [:]

    func apply(_ deliveries: Delivery...) {
        for delivery in deliveries {
            fanout.apply(
                delivery, find: { self.listeners[$0] },
                send: { $0.got.append(String(decoding: $1, as: UTF8.self)) },
                reply: { listener, id, _ in listener.got.append("reply \(id)") },
                end: { listener, error in listener.got.append("end \(error.code)") })
        }
    }

    func attach(_ number: UInt64, _ user: User, userSeq: Int64 = 0, _ channels: ChannelPosition...) -> Listener {
        let listener = Listener()
        listeners[number] = listener
        apply(.attach(SessionID(lane: 0, number: number), user: user.userID, userSeq: userSeq, channels: channels))
        return listener
    }
}

private func event(_ text: String, _ receivers: Receivers) -> Delivery { .event(Array(text.utf8), to: receivers) }

private func row(_ text: String, _ log: LogID, _ seq: Int64) -> Delivery {
    .row(Array(text.utf8), of: log, seq: seq)
}

@Suite struct FanoutTests {
    private let club = ChannelPosition(channel: Cast.club, seq: 4)

    @Test func `an event reaches every session that follows its channel and nobody else`() {
        let lane = Lane()
        let phone = lane.attach(1, Cast.ann, club)
        let tablet = lane.attach(2, Cast.ann, club)
        let bob = lane.attach(3, Cast.bob, club)
        let cid = lane.attach(4, Cast.cid)
        lane.apply(
            row("all", .channel(Cast.club), 5), event("others", .others(Cast.club, except: Cast.ann.userID)),
            row("own", .user(Cast.ann.userID), 1), row("nowhere", .channel(Cast.lobby), 1))
        #expect(phone.got == ["all", "own"])
        #expect(tablet.got == ["all", "own"])
        #expect(bob.got == ["all", "others"])
        #expect(cid.got.isEmpty)
    }

    @Test func `a session that is unsubscribed, withdrawn or gone gets nothing more`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, club)
        let bob = lane.attach(2, Cast.bob, club)
        let cid = lane.attach(3, Cast.cid, club)
        let lobby = SessionID(lane: 0, number: 3)
        lane.apply(
            .participate(lobby, Cast.lobby, at: SubscriptionPlace(seq: 0, userSeq: 0)),
            row("lobby", .channel(Cast.lobby), 1))
        lane.apply(.withdraw(lobby, Cast.lobby), row("lost", .channel(Cast.lobby), 2))
        lane.apply(
            .unsubscribe(Cast.ann.userID, Cast.club, at: SubscriptionPlace(seq: 4, userSeq: 1)),
            row("one", .channel(Cast.club), 5))
        lane.fanout.detach(2)
        lane.apply(row("two", .channel(Cast.club), 6), row("bob", .user(Cast.bob.userID), 1))
        #expect(ann.got.isEmpty)
        #expect(bob.got == ["one"])
        #expect(cid.got == ["lobby", "one", "two"])
        #expect(lane.fanout.sessionCount == 2)
        lane.fanout.detach(2)
        #expect(lane.fanout.positions(of: 2) == nil)
    }

    @Test func `a subscription covers all sessions of the user except those of another lane`() {
        let lane = Lane()
        let phone = lane.attach(1, Cast.ann)
        let tablet = lane.attach(2, Cast.ann)
        lane.apply(
            row("in", .user(Cast.ann.userID), 1),
            .subscribe(Cast.ann.userID, Cast.club, at: SubscriptionPlace(seq: 7, userSeq: 1)),
            row("x", .channel(Cast.club), 8))
        lane.apply(
            .participate(SessionID(lane: 1, number: 1), Cast.lobby, at: SubscriptionPlace(seq: 0, userSeq: 0)),
            row("y", .channel(Cast.lobby), 1))
        lane.apply(.reply(SessionID(lane: 1, number: 1), id: "a", .accepted([])))
        lane.apply(.reply(SessionID(lane: 0, number: 1), id: "b", .accepted([])))
        lane.apply(.subscribe(Cast.bob.userID, Cast.club, at: SubscriptionPlace(seq: 7, userSeq: 1)))
        #expect(phone.got == ["in", "x", "reply b"])
        #expect(tablet.got == ["in", "x"])
    }

    @Test func `a session that is not attached yet gets its replies`() {
        let lane = Lane()
        let listener = Listener()
        lane.listeners[9] = listener
        lane.apply(.reply(SessionID(lane: 0, number: 9), id: "hello", .refused(WireError(.blocked))))
        lane.apply(row("x", .user(Cast.ann.userID), 1))
        #expect(listener.got == ["reply hello"])
        lane.listeners[9] = nil
        lane.apply(.attach(SessionID(lane: 0, number: 9), user: Cast.ann.userID, userSeq: 0, channels: [club]))
        #expect(lane.fanout.sessionCount == 0)
    }

    @Test func `the heartbeat tells the user's head, and the heads of channels that changed since the last one`() {
        let lane = Lane()
        let lobby = ChannelPosition(channel: Cast.lobby, seq: 10)
        _ = lane.attach(1, Cast.ann, userSeq: 3, club, lobby)
        _ = lane.attach(2, Cast.bob, club)
        #expect(lane.fanout.positions(of: 1) == nil)
        lane.apply(row("x", .channel(Cast.club), 5), row("y", .user(Cast.ann.userID), 4))
        lane.apply(row("x", .channel(Cast.club), 6))
        let head = ChannelPosition(channel: Cast.club, seq: 6)
        #expect(lane.fanout.positions(of: 1) == Positions(userSeq: 4, channels: [head]))
        #expect(lane.fanout.positions(of: 1) == nil)
        #expect(lane.fanout.positions(of: 2) == Positions(userSeq: 0, channels: [head]))
        #expect(lane.fanout.positions(of: 2) == nil)
        lane.apply(row("x", .channel(Cast.lobby), 11), event("typing", .channel(Cast.club)))
        #expect(lane.fanout.positions(of: 1)?.channels == [ChannelPosition(channel: Cast.lobby, seq: 11)])
        #expect(lane.fanout.positions(of: 2) == nil)
        #expect(lane.fanout.positions(of: 3) == nil)
        lane.apply(row("y", .user(Cast.ann.userID), 5))
        #expect(lane.fanout.positions(of: 1) == Positions(userSeq: 5, channels: []))
        #expect(lane.fanout.positions(of: 2) == nil)
    }

    @Test func `the heads of a session never miss a change, even if other sessions ask in between`() {
        let lane = Lane()
        var random = SeededNumbers(1)
        let ids: [UInt64] = [1, 2, 3]
        for (id, user) in zip(ids, Cast.all) { _ = lane.attach(id, user, club) }
        var told: [UInt64: Int64] = [1: 4, 2: 4, 3: 4]
        var head: Int64 = 4
        for _ in 0..<2_000 {
            if random.int(0...2) == 0 {
                head += 1
                lane.apply(row("x", .channel(Cast.club), head))
            } else {
                let id = random.pick(ids)
                let heads = lane.fanout.positions(of: id)?.channels ?? []
                #expect(heads.map(\.seq) == (told[id] == head ? [] : [head]), "\(seed)")
                told[id] = head
            }
        }
    }
}
