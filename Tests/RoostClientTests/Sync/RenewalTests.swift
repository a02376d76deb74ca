import RoostWire
import Testing

@testable import RoostClient

/// How a client renews its token before the old one expires and ends the connection.
@Suite struct RenewalTests {
    private static let ann = Names.ann
    private static let expiring = ServerFrame.event(
        Event(body: .ephemeral(.sessionExpiring(SessionExpiring(expiresAt: .init(milliseconds: 60_000))))))

    /// A client that is live with the token `t0`.
    private static func rig() throws -> Rig {
        var rig = Rig(me: ann) { $0.guest = nil }
        rig.token = "t0"
        rig.server.members = [Names.group]
        try rig.connect()
        try #require(rig.machine.phase == .live)
        return rig
    }

    /// The server announces that the token expires.
    private static func expire(_ rig: inout Rig) {
        rig.server.outbox.append(expiring)
        rig.carryToClient()
    }

    @Test func `a client that is informed of the expiry requests a token and continues with it`() throws {
        var rig = try Self.rig()
        rig.tokens = ["t1", "t2"]
        for (number, token) in ["t1", "t2"].enumerated() {
            Self.expire(&rig)
            #expect(rig.asked.count == number + 1)
            try rig.settle()
            #expect(rig.server.renewals.last == token)
            #expect(rig.machine.token == token)
            #expect(rig.machine.renewal == Renewal())
        }
        #expect(rig.server.commands == ["hello", "resume", "session.renew", "session.renew"])
        #expect(rig.opens == 1 && rig.closed.isEmpty)
        #expect(rig.states == [.connecting, .catchingUp, .live])
        // The app receives no event about it.
        #expect(rig.events.allSatisfy { if case .connected = $0 { true } else { false } })
    }

    @Test func `messages are sent while the token is renewed`() throws {
        var rig = try Self.rig()
        rig.tokens = ["t1"]
        Self.expire(&rig)
        let sent = rig.send("x", to: Names.group, transID: "a")
        try rig.settle()
        #expect((try? sent.result?.get()) != nil)
        #expect(rig.server.commands.suffix(2) == ["session.renew", "message.send"])
    }

    @Test func `without a token the client asks again after 2, 5, 10 and 20 s, and uses the first that it gets`()
        throws
    {
        var rig = try Self.rig()
        rig.tokens = [nil, "t0", nil, nil, "t1"]
        let start = rig.now
        Self.expire(&rig)
        var times: [Int64] = []
        while let retryAt = rig.machine.renewal.retryAt {
            times.append(retryAt - start)
            // Meanwhile the heartbeat continues.
            rig.input(.received(rig.machine.connection, []))
            #expect(rig.machine.wakeAt == retryAt)
            rig.wake()
        }
        #expect(times == [2_000, 7_000, 17_000, 37_000])
        #expect(rig.asked == Array(repeating: 1, count: 5))
        try rig.settle()
        #expect(rig.server.renewals == ["t1"])
        #expect(rig.machine.phase == .live && rig.opens == 1)
    }

    @Test func `a token that never changes is asked for five times, and its end is the end of the client`() throws {
        var rig = try Self.rig()
        rig.tokens = Array(repeating: "t0", count: 9)
        Self.expire(&rig)
        while rig.machine.renewal.retryAt != nil {
            rig.input(.received(rig.machine.connection, []))
            rig.wake()
        }
        #expect(rig.asked.count == 5)
        #expect(rig.server.renewals.isEmpty)
        #expect(rig.machine.phase == .live)
        rig.breakOff(.closed(CloseCode.notAuthenticated.rawValue))
        #expect(rig.machine.state == .connecting)
        rig.wake()
        #expect(rig.machine.phase == .offline)
        #expect(rig.machine.wakeAt == nil)
    }

    @Test func `the end of a token that was renewed is the end of the new one`() throws {
        for token in ["t0", "t1", "t2"] {
            var rig = try Self.rig()
            rig.tokens = ["t1"]
            Self.expire(&rig)
            try rig.settle()
            rig.breakOff(.closed(CloseCode.notAuthenticated.rawValue))
            rig.token = token
            rig.wake()
            try rig.settle()
            #expect(rig.machine.phase == (token == "t1" ? .offline : .live), "\(token)")
        }
    }

    @Test func `a refused token is not the last word`() throws {
        var rig = try Self.rig()
        rig.tokens = ["bad", "t1"]
        rig.server.refusedRenewals = 1
        Self.expire(&rig)
        try rig.settle()
        #expect(rig.machine.token == "t0")
        #expect(rig.machine.phase == .live)
        rig.wake()
        try rig.settle()
        #expect(rig.server.renewals == ["bad", "t1"])
        #expect(rig.machine.token == "t1" && rig.opens == 1)
    }

    @Test func `a renewal that is not answered is tried again`() throws {
        var rig = try Self.rig()
        rig.tokens = ["t1", "t1"]
        Self.expire(&rig)
        try rig.carryToServer()
        rig.server.outbox = []
        for _ in 0..<4 {
            rig.now += 9_000
            rig.input(.received(rig.machine.connection, []))
            rig.input(.tick)
        }
        #expect(rig.asked.count == 1)
        rig.wake()
        try rig.settle()
        #expect(rig.server.renewals == ["t1", "t1"])
        #expect(rig.machine.token == "t1" && rig.opens == 1)
    }

    @Test func `while the app looks for a token it is not asked again`() throws {
        var rig = try Self.rig()
        for _ in 0..<3 { Self.expire(&rig) }
        #expect(rig.asked == [1])
        rig.input(.token(1, "t1"))
        for _ in 0..<3 { Self.expire(&rig) }
        #expect(rig.asked == [1])
        try rig.settle()
        #expect(rig.server.renewals == ["t1"])
        // This one was not requested.
        rig.input(.token(1, "t2"))
        try rig.settle()
        #expect(rig.server.renewals == ["t1"])
        #expect(rig.machine.token == "t1")
    }

    @Test func `a token for a lost connection is not sent over the next one`() throws {
        var rig = try Self.rig()
        Self.expire(&rig)
        #expect(rig.asked == [1])
        rig.breakOff()
        #expect(rig.machine.renewal == Renewal())
        rig.token = "t1"
        try rig.comeBack()
        rig.input(.token(1, "t2"))
        try rig.settle()
        #expect(rig.server.renewals.isEmpty)
        #expect(rig.machine.token == "t1")
    }

    @Test func `a connection that is informed while it catches up renews at once`() throws {
        var rig = Rig(me: Self.ann) { $0.guest = nil }
        rig.token = "t0"
        rig.tokens = ["t1"]
        rig.input(.connect(Promise<Void>()))
        try rig.carryToServer()
        rig.carryToClient()
        #expect(rig.machine.phase == .catchingUp)
        Self.expire(&rig)
        #expect(try rig.wire.map { try WireCodec.decodeClientFrame($0).command.name } == ["resume", "session.renew"])
        try rig.settle()
        #expect(rig.machine.token == "t1" && rig.machine.phase == .live)
    }

    @Test func `a guest is asked for nothing, and neither is an app that went away`() throws {
        var guest = Rig(me: Self.ann)
        try guest.connect()
        Self.expire(&guest)
        #expect(guest.asked.isEmpty && guest.machine.phase == .live)

        for goes in [SyncInput.suspend, .disconnect(nil)] {
            var rig = try Self.rig()
            rig.tokens = [nil]
            Self.expire(&rig)
            #expect(rig.machine.wakeAt != nil)
            rig.input(goes)
            #expect(rig.machine.renewal == Renewal())
            #expect(rig.machine.wakeAt == nil)
        }
    }
}
