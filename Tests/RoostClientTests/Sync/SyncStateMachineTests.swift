import RoostWire
import Testing

@testable import RoostClient

@Suite struct SyncStateMachineTests {
    let ann = Names.ann
    let ben = Names.ben.userID
    let group = Names.group
    let lobby = Names.lobby

    @Test func `a first connect sends hello, starts at the newest positions, and is live without old rows [J-5]`()
        throws
    {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        rig.server.write("old", to: group, by: ben)
        let connected = Promise<Void>()
        rig.input(.connect(connected))
        #expect(rig.states == [.connecting])
        try rig.settle()
        #expect(rig.states == [.connecting, .catchingUp, .live])
        #expect((try? connected.result?.get()) != nil)
        #expect(rig.server.commands == ["hello", "resume"])
        #expect(rig.rows(of: group).isEmpty)
        #expect(rig.machine.logs.positions?.channels == [ChannelPosition(channel: group, seq: 1)])
        #expect(rig.machine.user == ann)
    }

    @Test
    func `after a loss everything missed arrives once, in order, in pages, and the backlog is counted [J-6 JCB-19]`()
        throws
    {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        try rig.settle()
        rig.breakOff()
        for number in 2...9 { rig.server.write("\(number)", to: group, by: ben) }
        try rig.comeBack()
        #expect(rig.rows(of: group) == Array(1...9))
        let counts = rig.events.compactMap {
            if case .backlogDelivered(.messages, let count) = $0 { count } else { nil }
        }
        #expect(counts == [8])
        let past = rig.events.compactMap { if case .event(_, let isPast) = $0 { isPast } else { nil } }
        #expect(past == [false] + Array(repeating: true, count: 8))
    }

    @Test func `more channels than one frame can name are all caught up with`() throws {
        var rig = Rig(me: ann)
        let many = (0..<1_100).compactMap { ChannelID(rawValue: "c-\($0)-" + String(repeating: "x", count: 50)) }
        rig.server.members.formUnion(many)
        rig.server.resumeRows = 500
        try rig.connect()
        rig.breakOff()
        for channel in many { rig.server.write("news", to: channel, by: ben) }
        try rig.comeBack()
        let told = rig.events.compactMap { if case .event(let event, _) = $0 { event.channel } else { nil } }
        #expect(told.count == many.count)
        #expect(Set(told) == Set(many))
        #expect(rig.states.last == .live)
    }

    @Test func `a thousand channels with the longest ids are resumed in several frames, and nothing is missed`() throws
    {
        var rig = Rig(me: ann)
        let others = (0..<1_000).map { "u\($0)-".padding(to: 64) }
        let many = others.compactMap { other in
            UserID(rawValue: "a".padding(to: 64)).flatMap { me in
                UserID(rawValue: other).map { ChannelID(single: me, $0) }
            }
        }.sorted()
        #expect(many.count == 1_000)
        #expect(many.allSatisfy { $0.rawValue.utf8.count == 129 })
        rig.server.members.formUnion(many)
        rig.server.resumeRows = 500
        for channel in many { rig.server.write("old", to: channel, by: ben) }
        try rig.connect()
        rig.breakOff()
        // In the last of them: one has news, one was lost without a word, one is another one under the same id, one
        // was read on another device.
        let (news, lost, other, read) = (many[999], many[998], many[997], many[996])
        rig.server.write("new", to: news, by: ben)
        rig.server.members.remove(lost)
        rig.server.rows[other] = []
        rig.server.marks[read] = 1
        rig.events = []
        rig.wake()
        var named: [[ChannelID]] = []
        while !rig.wire.isEmpty || !rig.server.outbox.isEmpty {
            for bytes in rig.wire {
                #expect(bytes.count <= Limits().frameBytes)
                guard case .read(.resume(let resume)) = try WireCodec.decodeClientFrame(bytes).command else { continue }
                named.append(resume.channels.map(\.channel))
            }
            try rig.carryToServer()
            rig.carryToClient()
        }
        #expect(rig.machine.phase == .live)
        #expect(named.count == 3)
        #expect(named.joined().sorted() == many)
        #expect(rig.rows(of: news) == [2])
        #expect(rig.events.contains { if case .left(lost) = $0 { true } else { false } })
        #expect(
            rig.events.contains {
                if case .reset(Reset(channel: other, seq: 0, reason: .ahead)) = $0 { true } else { false }
            })
        let marks = rig.events.compactMap { if case .readMarks(let marks) = $0 { marks } else { nil } }
        #expect(marks.count == 1)
        #expect(marks.first?.contains(OwnMark(channel: read, seq: 1, unread: 0)) == true)
        #expect(marks.first?.contains { $0.channel == news && $0.unread == 2 } == true)
    }

    @Test func `marks of every page of a resume are delivered`() throws {
        var rig = Rig(me: ann)
        let many = (0..<1_500).compactMap { ChannelID(rawValue: "c-\($0)") }
        rig.server.members.formUnion(many)
        for channel in many {
            rig.server.write("old", to: channel, by: ben)
            rig.server.marks[channel] = 1
        }
        try rig.connect()
        rig.breakOff()
        rig.events = []
        try rig.comeBack()
        let marks = rig.events.compactMap { if case .readMarks(let marks) = $0 { marks } else { nil } }
        #expect(marks.map { $0.map(\.channel) } == [many.sorted()])
    }

    @Test func `a resume that is refused as too early is requested again on the same connection`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.breakOff()
        rig.server.write("1", to: group, by: ben)
        rig.server.resumeRefusals = [WireError(.tooManyRequests, retryAfterMs: 700)]
        rig.wake()
        try rig.settle()
        #expect(rig.machine.phase == .catchingUp)
        let start = rig.now
        #expect(rig.machine.wakeAt == start + 700)
        let opens = rig.opens
        rig.wake()
        try rig.settle()
        #expect(rig.now == start + 700)
        #expect(rig.opens == opens)
        #expect(rig.machine.phase == .live)
        #expect(rig.rows(of: group) == [1])
    }

    @Test func `saved positions are gone on from by the next client [J-6]`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        try rig.settle()
        let positions = rig.machine.logs.positions
        var second = Rig(me: ann, positions: positions)
        second.server = rig.server
        second.server.disconnect()
        second.server.write("2", to: group, by: ben)
        second.server.write("3", to: group, by: ben)
        try second.connect()
        #expect(second.rows(of: group) == [2, 3])
    }

    @Test func `a jump holds the later rows, asks for the range, and releases in order`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        rig.server.write("2", to: group, by: ben)
        rig.server.outbox.removeAll()
        rig.server.write("3", to: group, by: ben)
        rig.carryToClient()
        #expect(rig.rows(of: group).isEmpty)
        rig.server.write("4", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3, 4])
        #expect(rig.server.commands == ["hello", "resume", "resume"])
    }

    @Test func `a range larger than a page is fetched page by page`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        for number in 1...30 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.outbox.removeFirst(29)
        try rig.settle()
        #expect(rig.rows(of: group) == Array(1...30))
    }

    @Test func `the heartbeat reveals a lost last row, of a channel and of the user's own log`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("lost", to: group, by: ben)
        rig.server.append(.user(.channelHidden(ChannelsHidden(channels: [], isAll: true))))
        rig.server.outbox.removeAll()
        rig.server.heartbeat()
        try rig.settle()
        #expect(rig.rows(of: group) == [1])
        #expect(rig.userRows == [1])
    }

    @Test func `rows that come twice are handed over once`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        let event = rig.server.write("1", to: group, by: ben)
        rig.server.outbox += [.event(event), .event(event)]
        try rig.settle()
        #expect(rig.rows(of: group) == [1])
    }

    @Test func `a channel gained while away is followed from the row at which it was gained`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.breakOff()
        for number in 1...4 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.invite(to: group)
        for number in 5...12 { rig.server.write("\(number)", to: group, by: ben) }
        try rig.comeBack()
        #expect(rig.rows(of: group) == Array(5...13))
        #expect(rig.userRows == [1])
    }

    @Test func `a channel gained while connected is followed at once`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        rig.server.invite(to: group)
        rig.server.write("2", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [2, 3])
        #expect(rig.machine.logs[.channel(group)]?.seq == 3)
    }

    @Test func `a lost word of a channel gained is looked up as soon as anything of the channel is heard`() throws {
        for isRow in [true, false] {
            var rig = Rig(me: ann)
            try rig.connect()
            rig.server.write("1", to: group, by: ben)
            rig.server.invite(to: group)
            rig.server.write("2", to: group, by: ben)
            rig.server.outbox = []
            if isRow { rig.server.write("3", to: group, by: ben) } else { rig.server.heartbeat() }
            try rig.settle()
            #expect(rig.rows(of: group) == (isRow ? [2, 3, 4] : [2, 3]))
            #expect(rig.userRows == [1])
        }
    }

    @Test func `rows of a channel that is not the user's are forgotten`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        let event = rig.server.write("1", to: group, by: ben)
        rig.server.outbox = [.event(event)]
        try rig.settle()
        #expect(rig.rows(of: group).isEmpty)
        #expect(rig.machine.logs.channels.isEmpty)
        #expect(rig.machine.gapped.isEmpty)
    }

    @Test func `rows that arrive live while catching up wait for those before them [J-20]`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.breakOff()
        for number in 1...7 { rig.server.write("\(number)", to: group, by: ben) }
        rig.wake()
        try rig.carryToServer()
        rig.carryToClient()
        rig.server.write("8", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == Array(1...8))
    }

    @Test func `a client participates in an open channel again after a loss, and gets its missed rows [J-9]`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.server.write("before", to: lobby, by: ben)
        rig.input(.perform(.move(.joinChannel(JoinChannel(channel: lobby))), id: "j", Promise<[UInt8]>()))
        try rig.settle()
        rig.server.write("2", to: lobby, by: ben)
        try rig.settle()
        rig.breakOff()
        rig.server.write("3", to: lobby, by: ben)
        try rig.comeBack()
        rig.server.write("4", to: lobby, by: ben)
        try rig.settle()
        #expect(rig.rows(of: lobby) == [2, 3, 4])
    }

    @Test func `leaving an open channel is reported and forgets it [JCB-3]`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.input(.perform(.move(.joinChannel(JoinChannel(channel: lobby))), id: "j", Promise<[UInt8]>()))
        try rig.settle()
        rig.input(.perform(.write(.leaveChannel(LeaveChannel(channel: lobby))), id: "l", Promise<[UInt8]>()))
        try rig.settle()
        #expect(rig.events.contains { if case .left(lobby) = $0 { true } else { false } })
        #expect(rig.machine.logs.positions?.openChannels == [])
    }

    @Test func `rows that come between the answer to a join and its sending are not lost`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.input(.perform(.move(.joinChannel(JoinChannel(channel: lobby))), id: "j", Promise<[UInt8]>()))
        try rig.carryToServer()
        let answer = rig.server.outbox.removeFirst()
        rig.server.write("1", to: lobby, by: ben)
        rig.server.outbox.append(answer)
        rig.server.write("2", to: lobby, by: ben)
        try rig.settle()
        #expect(rig.rows(of: lobby) == [1, 2])
    }

    @Test func `another epoch voids all positions and is reported`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        for number in 1...5 { rig.server.write("\(number)", to: group, by: ben) }
        try rig.settle()
        rig.breakOff()
        rig.server.restore(epoch: "e2")
        try rig.comeBack()
        let resets = rig.events.compactMap { if case .reset(let reset) = $0 { reset } else { nil } }
        #expect(resets.contains(Reset(channel: group, seq: 3, reason: .epoch)))
        #expect(resets.contains { $0.channel == nil && $0.reason == .epoch })
        rig.server.write("4 again", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3, 4, 5, 4])
        #expect(rig.machine.logs.epoch == "e2")
    }

    @Test func `a read mark beyond the newest row is asked for once`() throws {
        var rig = Rig(me: ann) { $0.hasStore = true }
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        try rig.settle()
        rig.input(.mark(group, 1_000))
        try rig.settle()
        #expect(rig.server.commands.filter { $0 == SetReadMark.name }.count == 1)
        #expect(rig.machine.maintenance.marks.isEmpty)
    }

    @Test func `a mention by another user is reported once, one's own is not [JCB-18]`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        for (seq, sender) in [(1, ben), (2, ann.userID)] {
            let message = Message(
                messageID: MessageID(sentAt: 1, seq: Int64(seq), salt: 0),
                content: MessageContent(text: "@Ann", mentions: [Mention(userID: ann.userID)]), senderName: "n",
                count: 1)
            rig.server.outbox.append(
                .event(Event(channel: group, seq: Int64(seq), senderID: sender, body: .channel(.messageSent(message)))))
        }
        rig.carryToClient()
        let mentions = rig.events.compactMap { if case .mentioned(_, let event) = $0 { event.seq } else { nil } }
        #expect(mentions == [1])
    }

    @Test func `every row of a messaging channel and every read mark is a channel update [JCB-17]`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("1", to: group, by: ben)
        rig.server.outbox.append(
            .event(Event(channel: group, body: .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [], moved: 1))))))
        try rig.settle()
        let updates = rig.events.compactMap { if case .channelUpdated(let id) = $0 { id } else { nil } }
        #expect(updates == [group, group])
    }

    @Test func `a wrong token ends it permanently, and connect throws the reason [JCB-2]`() throws {
        var rig = Rig(me: ann)
        let connected = Promise<Void>()
        rig.input(.connect(connected))
        rig.server.outbox.append(.failure(id: "hello", error: WireError(.wrongCredentials)))
        rig.carryToClient()
        guard case .failure(let error) = connected.result else {
            Issue.record("connect succeeded")
            return
        }
        #expect(error.code == .refused)
        #expect(error.wire?.entry == .wrongCredentials)
        #expect(!error.isRetryable)
        #expect(rig.machine.phase == .offline)
        #expect(rig.machine.wakeAt == nil)
    }

    @Test func `an expired token is fetched anew once, and the same one again ends it`() throws {
        var rig = Rig(me: ann) { $0.guest = nil }
        let connected = Promise<Void>()
        rig.machine.handle(.connect(connected), now: 0)
        rig.machine.handle(.opened(1, token: "old"), now: 0)
        rig.machine.handle(
            .received(1, [.failure(id: "hello", error: WireError(.tokenExpired))]), now: 10)
        #expect(connected.result == nil)
        let wakeAt = try #require(rig.machine.wakeAt)
        rig.machine.handle(.tick, now: wakeAt)
        _ = rig.machine.drainActions()
        rig.machine.handle(.opened(rig.machine.connection, token: "old"), now: wakeAt)
        for action in rig.machine.drainActions() {
            if case .finish(let promise, let result) = action { promise.complete(result) }
        }
        guard case .failure(let error) = connected.result else {
            Issue.record("connect goes on")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func `three new tokens may be refused after a logout, the fourth ends it`() throws {
        var rig = Rig(me: ann) { $0.guest = nil }
        let connected = Promise<Void>()
        rig.machine.handle(.connect(connected), now: 0)
        var times: [Int64] = []
        var now: Int64 = 0
        while times.count < 4 {
            times.append(now)
            rig.machine.handle(.opened(rig.machine.connection, token: "token \(times.count)"), now: now)
            rig.machine.handle(
                .received(rig.machine.connection, [.failure(id: "hello", error: WireError(.tokenExpired))]), now: now)
            guard let wakeAt = rig.machine.wakeAt else { break }
            #expect(connected.result == nil)
            now = wakeAt
            rig.machine.handle(.tick, now: now)
            _ = rig.machine.drainActions()
        }
        for action in rig.machine.drainActions() {
            if case .finish(let promise, let result) = action { promise.complete(result) }
        }
        guard case .failure(let error) = connected.result else {
            Issue.record("connect goes on")
            return
        }
        #expect(error.code == .refused)
        // Tokens are issued in whole seconds.
        #expect(times.count == 4 && now >= 1_000)
    }

    @Test(arguments: CloseCode.allCases) func `a close code decides whether the client reconnects`(code: CloseCode)
        throws
    {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.breakOff(.closed(code.rawValue))
        if code.mayReconnect {
            #expect(rig.machine.state == .connecting)
            try rig.comeBack()
            #expect(rig.machine.phase == .live)
        } else {
            #expect(rig.machine.phase == .offline)
            #expect(rig.machine.wakeAt == nil)
        }
    }

    @Test func `without a server a first connect fails at once, and a patient one keeps trying`() throws {
        var rig = Rig(me: ann)
        rig.isReachable = false
        let connected = Promise<Void>()
        rig.input(.connect(connected))
        guard case .failure(let error) = connected.result else {
            Issue.record("connect goes on")
            return
        }
        #expect(error.code == .unreachable)

        var patient = Rig(me: ann) { $0.keepsTryingToConnect = true }
        patient.isReachable = false
        let later = Promise<Void>()
        patient.input(.connect(later))
        for _ in 0..<20 { patient.wake() }
        #expect(later.result == nil)
        #expect(patient.opens > 10)
        patient.isReachable = true
        try patient.comeBack()
        #expect(patient.machine.phase == .live)
        #expect((try? later.result?.get()) != nil)
    }

    @Test func `reconnects keep half a second between attempts, and goaway's delay`() throws {
        for seed in 0..<50 {
            var rig = Rig(me: ann, seed: UInt64(seed))
            try rig.connect()
            rig.now += 100
            rig.server.outbox.append(.event(Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: 7_000))))))
            rig.carryToClient()
            let told = rig.now
            rig.breakOff(.closed(CloseCode.restart.rawValue))
            var until = try #require(rig.machine.wakeAt)
            #expect(until >= told + 7_000)
            rig.isReachable = false
            for _ in 0..<8 {
                rig.wake()
                let next = try #require(rig.machine.wakeAt)
                #expect(next >= until + 500)
                #expect(next <= until + 30_500)
                until = next
            }
        }
    }

    @Test func `silence for a heartbeat and ten seconds is a dead connection`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.now += 34_000
        rig.input(.tick)
        #expect(rig.machine.phase == .live)
        rig.input(.received(rig.machine.connection, []))
        rig.now += 34_999
        rig.input(.tick)
        #expect(rig.machine.phase == .live)
        rig.now += 1
        rig.input(.tick)
        #expect(rig.machine.state == .connecting)
        #expect(rig.closed.count == 1)
        try rig.comeBack()
        #expect(rig.machine.phase == .live)
    }

    @Test func `a server that owes an answer may be silent for ten seconds`() throws {
        for isSend in [true, false] {
            var rig = Rig(me: ann)
            rig.server.members = [group]
            try rig.connect()
            rig.now += 20_000
            if isSend {
                rig.input(.send(SendMessage(channel: group, text: "x"), Names.transID("t"), Promise()))
            } else {
                rig.input(.perform(.read(.getUnread(GetUnread())), id: "r", Promise()))
            }
            let due = try #require(rig.machine.wakeAt)
            #expect(due <= rig.now + 10_000)
            rig.now += 9_999
            rig.input(.tick)
            #expect(rig.machine.phase == .live)
            rig.now += 1
            rig.input(.tick)
            #expect(rig.machine.state == .connecting)
            try rig.comeBack()
            // No answer is pending any more: silence is allowed again for a heartbeat and ten seconds.
            rig.now += 34_000
            rig.input(.tick)
            #expect(rig.machine.phase == .live)
        }
    }

    @Test func `what the user does cuts a long wait short, but not below two seconds, nor what the server asked for`()
        throws
    {
        for seed in 0..<50 {
            var rig = Rig(me: ann, seed: UInt64(seed))
            rig.server.members = [group]
            try rig.connect()
            rig.isReachable = false
            rig.breakOff(.closed(nil))
            for _ in 0..<8 { rig.wake() }
            let tried = rig.now
            rig.now += 100
            rig.input(.send(SendMessage(channel: group, text: "x"), Names.transID("t"), Promise()))
            let until = try #require(rig.machine.wakeAt)
            #expect(until <= tried + 2_000)
            rig.now = until
            rig.input(.tick)
            rig.input(.perform(.read(.getUnread(GetUnread())), id: "r", Promise()))
            #expect(try #require(rig.machine.wakeAt) <= rig.now + 2_000)

            var asked = Rig(me: ann, seed: UInt64(seed))
            try asked.connect()
            asked.server.outbox.append(.event(Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: 7_000))))))
            asked.carryToClient()
            let told = asked.now
            asked.breakOff(.closed(CloseCode.restart.rawValue))
            asked.input(.perform(.read(.getUnread(GetUnread())), id: "r", Promise()))
            #expect(try #require(asked.machine.wakeAt) >= told + 7_000)
        }
    }

    @Test func `a change of the network restarts a hanging attempt, but not a recent one`() throws {
        var rig = Rig(me: ann) { $0.keepsTryingToConnect = true }
        rig.input(.connect(Promise()))
        rig.now += 1_999
        rig.input(.network(isUsable: true))
        #expect(rig.opens == 1)
        #expect(rig.closed.isEmpty)
        rig.now += 1
        rig.input(.network(isUsable: true))
        #expect(rig.closed.count == 1)
        #expect(try #require(rig.machine.wakeAt) <= rig.now + 1_000)
        try rig.comeBack()
        #expect(rig.opens == 2)
        rig.now += 5_000
        rig.input(.network(isUsable: true))
        #expect(rig.machine.phase == .live)
    }

    @Test func `an input of an old connection has no effect`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        let old = rig.machine.connection
        rig.breakOff()
        try rig.comeBack()
        let event = rig.server.write("1", to: group, by: ben)
        rig.server.outbox = []
        rig.input(.received(old, [.event(event)]))
        rig.input(.lost(old, .closed(nil)))
        #expect(rig.rows(of: group).isEmpty)
        #expect(rig.machine.phase == .live)
    }

    @Test func `a read that was on its way is asked again after a reconnect`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        let promise = Promise<[UInt8]>()
        rig.input(.perform(.read(.getUnread(GetUnread())), id: "r1", promise))
        rig.breakOff()
        #expect(promise.result == nil)
        try rig.comeBack()
        #expect((try? promise.result?.get()) != nil)
    }

    @Test func `a command without an answer times out, also without a connection`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.isReachable = false
        let promise = Promise<[UInt8]>()
        rig.input(.perform(.read(.getUnread(GetUnread())), id: "r1", promise))
        rig.breakOff()
        let start = rig.now
        while promise.result == nil, rig.now < start + 60_000 { rig.wake() }
        guard case .failure(let error) = promise.result else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == .timedOut)
        #expect(rig.now >= start + 30_000)
    }

    @Test func `a command that waits because the store cannot be written ends with the failure of the store`() throws {
        var rig = Rig(me: ann)
        try rig.connect()
        rig.isReachable = false
        let promise = Promise<[UInt8]>()
        rig.input(.perform(.read(.getUnread(GetUnread())), id: "r1", promise))
        let failure = RoostError(.storeFailed, "The local store cannot be written.", isRetryable: true)
        let start = rig.now
        while promise.result == nil, rig.now < start + 60_000 {
            rig.input(.rewind(nil, failure))
            rig.wake()
        }
        guard case .failure(let error) = promise.result else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == .storeFailed)
    }

    @Test func `without connect every verb is refused at once`() throws {
        var rig = Rig(me: ann)
        let read = Promise<[UInt8]>()
        rig.input(.perform(.read(.getUnread(GetUnread())), id: "r", read))
        let send = rig.send("x", to: group, transID: "t")
        guard case .failure(let first) = read.result, case .failure(let second) = send.result else {
            Issue.record("it waits")
            return
        }
        #expect(first.code == .notConnected)
        #expect(second.code == .notConnected)
    }

    @Test func `disconnect fails what waits and keeps the positions`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        let send = rig.send("x", to: group, transID: "t")
        rig.input(.disconnect(nil))
        guard case .failure(let error) = send.result else {
            Issue.record("it waits")
            return
        }
        #expect(error.code == .disconnected)
        #expect(rig.closed == [.normal])
        rig.server.write("while away", to: group, by: ben)
        try rig.connect()
        #expect(rig.rows(of: group) == [1])
    }

    @Test func `a range that cannot be read ends in a reset, and the rest continues`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        rig.server.write("lost", to: group, by: ben)
        rig.server.outbox = []
        rig.server.write("2", to: group, by: ben)
        rig.carryToClient()
        let frame = try WireCodec.decodeClientFrame(try #require(rig.wire.last))
        rig.wire = []
        rig.input(
            .received(rig.machine.connection, [.failure(id: frame.id, error: WireError(.channelNotFound))]))
        #expect(rig.events.contains { if case .reset(let reset) = $0 { reset.reason == .gone } else { false } })
    }

    @Test func `a purge of the user's own log is reported once, also if a gap is found while live`() throws {
        var rig = Rig(me: ann) { $0.hasStore = true }
        rig.server.members = [group]
        try rig.connect()
        rig.server.append(.user(.channelHidden(ChannelsHidden(channels: [], isAll: true))))
        rig.server.append(.user(.channelHidden(ChannelsHidden(channels: [], isAll: true))))
        rig.server.outbox.removeAll()
        rig.server.forgetOwn()
        rig.server.heartbeat()
        try rig.settle()
        // It connects again, so that it receives the state of all channels.
        try rig.comeBack()
        for _ in 0..<3 {
            rig.server.heartbeat()
            try rig.settle()
        }
        let resets = rig.events.compactMap { if case .reset(let reset) = $0 { reset } else { nil } }
        #expect(resets == [Reset(seq: 2, reason: .tooFar)])
        #expect(rig.userRows.isEmpty && rig.machine.logs.user.seq == 2)
        #expect(rig.server.commands == ["hello", "resume", "resume", "hello", "resume"])
        rig.server.append(.user(.channelHidden(ChannelsHidden(channels: [], isAll: true))))
        try rig.settle()
        #expect(rig.userRows == [3])
    }

    @Test func `a channel that cannot be read again is lost, unless the user's own log has moved since`() throws {
        var rig = Rig(me: ann) { $0.hasStore = true }
        rig.server.members = [group]
        rig.server.write("1", to: group, by: ben)
        try rig.connect()
        func lost(_ rig: Rig) -> Int { rig.events.count { if case .left(group) = $0 { true } else { false } } }
        // The user joined again while the request was in transit.
        rig.server.members = []
        rig.input(.want([group]))
        try rig.carryToServer()
        rig.server.members = [group]
        let refusal = rig.server.outbox
        rig.server.outbox = []
        rig.server.append(.user(.channelHidden(ChannelsHidden(channels: [], isAll: true))))
        rig.server.outbox += refusal
        try rig.settle()
        #expect(lost(rig) == 0 && rig.machine.logs[.channel(group)]?.seq == 1)
        // No row reports it.
        rig.server.members = []
        rig.input(.want([group]))
        try rig.settle()
        #expect(lost(rig) == 1 && rig.machine.logs[.channel(group)] == nil)
    }

    @Test func `messages queued after one that is discarded offline are sent with the next connection`() throws {
        var rig = Rig(me: ann) { $0.hasStore = true }
        rig.server.members = [group]
        try rig.connect()
        rig.breakOff()
        rig.send("away", to: group, transID: "t1")
        let second = rig.send("here", to: group, transID: "t2")
        let cancelled = Promise<Void>()
        rig.input(.cancel(Names.transID("t1"), cancelled))
        #expect((try? cancelled.result?.get()) != nil)
        try rig.comeBack()
        try rig.settle()
        #expect((try? second.result?.get()) != nil)
    }

    @Test(arguments: [Int64.min, -1, .max]) func `a server's time that means nothing cannot trap`(time: Int64) throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        rig.server.time = time
        try rig.connect()
        let promise = rig.send("1", to: group, transID: "t1")
        rig.breakOff()
        try rig.comeBack()
        #expect((try? promise.result?.get()) != nil)
    }

    @Test func `numbers from the network cannot trap`() throws {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        for number in [Int64.min, -1, 0, .max, .max - 1] {
            rig.server.outbox.append(.event(Event(channel: group, seq: number, body: .unknown("x"))))
            rig.server.outbox.append(.event(Event(userSeq: number, body: .unknown("x"))))
            rig.server.outbox.append(
                .event(
                    Event(
                        body: .ephemeral(
                            .positions(
                                Positions(userSeq: number, channels: [ChannelPosition(channel: group, seq: number)])))))
            )
            rig.server.outbox.append(.event(Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: Int(number)))))))
            let ended = ChannelsHidden(channels: [ChannelPosition(channel: group, seq: number)], isAll: false)
            rig.server.append(.user(.channelEnded(ended)))
        }
        try rig.settle()
        for _ in 0..<20 {
            rig.wake()
            try rig.settle()
        }
        // Nothing of it was treated as a row, and everything continues with the next connection.
        rig.breakOff()
        try rig.comeBack()
        #expect(rig.machine.phase == .live)
        rig.server.write("after", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1])
        #expect(rig.userRows.prefix(5) == [1, 2, 3, 4, 5])
        #expect(rig.machine.logs.user.seq == Int64(rig.server.userLog.count))
    }
}

extension String {
    /// This text, padded with letters to a length.
    fileprivate func padding(to length: Int) -> String { self + String(repeating: "x", count: max(0, length - count)) }
}
