import RoostWire
import Testing

@testable import RoostClient

@Suite struct SendLanesTests {
    let ann = Names.ann
    let group = Names.group

    private func rig() throws -> Rig {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        return rig
    }

    private func isFailed(_ promise: Promise<SentMessage>) -> Bool {
        if case .failure = promise.result { true } else { false }
    }

    @Test func `sends are pipelined, each names the unanswered one before, and each ends in a result [JCB-20]`() throws
    {
        var rig = try rig()
        let promises = (1...5).map { rig.send("\($0)", to: group, transID: "t\($0)") }
        let frames = try rig.wire.map { try WireCodec.decodeClientFrame($0) }
        let afters = frames.map { frame -> String? in
            if case .write(.sendMessage(let send)) = frame.command { send.after?.rawValue } else { "no send" }
        }
        #expect(afters == [nil, "t1", "t2", "t3", "t4"])
        try rig.settle()
        #expect(rig.server.texts(group) == ["1", "2", "3", "4", "5"])
        #expect(promises.compactMap { try? $0.result?.get().seq } == [1, 2, 3, 4, 5])
        let sent = rig.events.compactMap { if case .sent(let answer) = $0 { answer.transID.rawValue } else { nil } }
        #expect(sent == ["t1", "t2", "t3", "t4", "t5"])
        _ = rig.send("6", to: group, transID: "t6")
        let last = try WireCodec.decodeClientFrame(try #require(rig.wire.last))
        guard case .write(.sendMessage(let send)) = last.command else {
            Issue.record("no send")
            return
        }
        // An acknowledged message is on disk.
        #expect(send.after == nil)
    }

    @Test func `a definite refusal fails only that one, and the next ones keep their order`() throws {
        var rig = try rig()
        let texts = ["1", "bad", "3", "bad too", "5", "6"]
        let promises = texts.enumerated().map { rig.send($1, to: group, transID: "t\($0)") }
        try rig.settle()
        #expect(rig.server.texts(group) == ["1", "3", "5", "6"])
        #expect(promises.map(isFailed) == [false, true, false, true, false, false])
        let failed = rig.events.compactMap { if case .sendFailed(let send) = $0 { send.text } else { nil } }
        #expect(failed == ["bad", "bad too"])
    }

    @Test func `a refusal that may pass is tried again in order, after the time that the server names`() throws {
        var rig = try rig()
        rig.server.refusals = [WireError(.databaseAccess, retryAfterMs: 700)]
        let start = rig.now
        let promises = (1...4).map { rig.send("\($0)", to: group, transID: "t\($0)") }
        try rig.settle()
        #expect(rig.server.texts(group) == [])
        rig.wake()
        try rig.settle()
        #expect(rig.now >= start + 700)
        #expect(rig.server.texts(group) == ["1", "2", "3", "4"])
        #expect(promises.allSatisfy { (try? $0.result?.get()) != nil })
    }

    @Test func `a refusal that never passes is handed to the caller in the end`() throws {
        var rig = try rig()
        rig.server.refusals = Array(repeating: WireError(.databaseAccess), count: 8)
        let promise = rig.send("x", to: group, transID: "t")
        let next = rig.send("y", to: group, transID: "u")
        for _ in 0..<12 {
            try rig.settle()
            rig.wake()
        }
        try rig.settle()
        #expect(isFailed(promise))
        #expect((try? next.result?.get()) != nil)
        #expect(rig.server.texts(group) == ["y"])
    }

    @Test func `what was not acknowledged is sent again after a loss, and never doubled`() throws {
        var rig = try rig()
        let promises = (1...6).map { rig.send("\($0)", to: group, transID: "t\($0)") }
        try rig.carryToServer(3)
        rig.carryToClient(2)
        rig.breakOff()
        try rig.comeBack()
        #expect(rig.server.texts(group) == ["1", "2", "3", "4", "5", "6"])
        #expect(promises.allSatisfy { (try? $0.result?.get()) != nil })
        #expect(rig.rows(of: group) == Array(1...6))
    }

    @Test func `what is sent while offline is transmitted after the missed rows have arrived`() throws {
        var rig = try rig()
        rig.breakOff()
        rig.server.write("missed", to: group, by: Names.ben.userID)
        let promise = rig.send("mine", to: group, transID: "t")
        try rig.comeBack()
        #expect(rig.server.texts(group) == ["missed", "mine"])
        #expect((try? promise.result?.get().seq) == 2)
        #expect(rig.server.commands.suffix(3) == ["hello", "resume", "message.send"])
    }

    @Test func `a server that forgot what it acknowledged is not asked about it`() throws {
        var rig = try rig()
        rig.send("1", to: group, transID: "t1")
        try rig.settle()
        rig.server.accepted = [:]
        let promise = rig.send("2", to: group, transID: "t2")
        try rig.settle()
        #expect((try? promise.result?.get()) != nil)
        #expect(rig.server.commands.suffix(2) == ["message.send", "message.send"])
    }

    @Test func `behind a send that is acknowledged while the next one is on its way the order stays`() throws {
        var rig = try rig()
        let promises = (1...3).map { rig.send("\($0)", to: group, transID: "t\($0)") }
        // The first is stored and acknowledged, the second is refused for now, so the third is out of order.
        try rig.carryToServer(1)
        rig.server.refusals = [WireError(.databaseAccess, retryAfterMs: 100)]
        rig.carryToClient()
        try rig.settle()
        #expect(rig.server.texts(group) == ["1"])
        rig.send("4", to: group, transID: "t4")
        rig.wake()
        try rig.settle()
        #expect(rig.server.texts(group) == ["1", "2", "3", "4"])
        #expect(promises.allSatisfy { (try? $0.result?.get()) != nil })
    }

    @Test(arguments: [6, 8]) func `what was on its way is sent again by itself for less than seven days`(
        days: Int64
    ) throws {
        var rig = try rig()
        let (before, lost) = (rig.send("1", to: group, transID: "t1"), rig.send("2", to: group, transID: "t2"))
        // The first message is stored, and its answer is lost.
        try rig.carryToServer(1)
        rig.breakOff()
        let later = rig.send("3", to: group, transID: "t3")
        rig.server.time = days * 86_400_000
        try rig.comeBack()
        #expect((try? later.result?.get()) != nil)
        guard days > 7 else {
            #expect([before, lost].allSatisfy { (try? $0.result?.get()) != nil })
            #expect(rig.server.texts(group) == ["1", "2", "3"])
            return
        }
        for promise in [before, lost] {
            guard case .failure(let error) = promise.result else {
                Issue.record("it was sent again")
                continue
            }
            #expect(error.code == .outcomeUnknown && !error.isRetryable)
        }
        let failed = rig.events.compactMap { if case .sendFailed(let send) = $0 { send.text } else { nil } }
        #expect(failed == ["1", "2"])
        #expect(rig.server.texts(group) == ["1", "3"])
        // The row of the message that had arrived is present.
        #expect(rig.rows(of: group) == [1, 2])
        // A retry uses the old key, so a server that still knows the key recognises it.
        let again = (rig.send("1", to: group, transID: "t1"), rig.send("2", to: group, transID: "t2"))
        try rig.settle()
        #expect((try? again.0.result?.get().seq) == 1)
        #expect((try? again.1.result?.get().seq) == 3)
        #expect(rig.server.texts(group) == ["1", "3", "2"])
    }

    @Test func `what waited on a connection that lasted for weeks is sent again after it`() throws {
        var rig = try rig()
        let weeks: Int64 = 30 * 86_400_000
        rig.now += weeks
        let promise = rig.send("1", to: group, transID: "t1")
        rig.breakOff()
        rig.server.time = weeks
        try rig.comeBack()
        #expect((try? promise.result?.get()) != nil)
        #expect(rig.server.texts(group) == ["1"])
    }

    @Test(arguments: [6, 8])
    func `a command that writes is sent again by itself for less than seven days, one that reads always`(
        days: Int64
    ) throws {
        var rig = try rig()
        let (write, read) = (Promise<[UInt8]>(), Promise<[UInt8]>())
        let create = CreateChannel(kind: .group, title: "Tea")
        rig.input(.perform(create.any, id: "t1", write))
        rig.input(.perform(GetChannel(channel: group).any, id: "r1", read))
        rig.breakOff()
        rig.server.time = days * 86_400_000
        try rig.comeBack()
        #expect((try? read.result?.get()) != nil)
        #expect(rig.server.commands.contains(CreateChannel.name) == (days < 7))
        if days > 7, case .failure(let error) = write.result {
            #expect(error.code == .outcomeUnknown)
        } else {
            #expect(days < 7 && (try? write.result?.get()) != nil)
        }
    }

    @Test func `more sends than fit the window wait for their turn`() throws {
        var rig = try rig()
        for number in 1...300 { rig.send("\(number)", to: group, transID: "t\(number)") }
        #expect(rig.wire.count == SendLanes.window)
        try rig.settle()
        #expect(rig.server.texts(group) == (1...300).map { "\($0)" })
    }

    @Test func `the same send requested twice is sent once, another text with its key is refused`() throws {
        var rig = try rig()
        let first = rig.send("x", to: group, transID: "t")
        let second = rig.send("x", to: group, transID: "t")
        let other = rig.send("y", to: group, transID: "t")
        #expect(rig.wire.count == 1)
        try rig.settle()
        #expect((try? first.result?.get()) != nil)
        #expect((try? second.result?.get()) != nil)
        guard case .failure(let error) = other.result else {
            Issue.record("it was sent")
            return
        }
        #expect(error.code == .server(.duplicateTransID))
    }

    @Test func `a text that the rules forbid never leaves [J-35]`() throws {
        var rig = try rig()
        let promises = ["", " \n ", String(repeating: "x", count: 8_001)].enumerated().map {
            rig.send($1, to: group, transID: "t\($0)")
        }
        #expect(promises.allSatisfy(isFailed))
        #expect(rig.wire.isEmpty)
    }

    @Test func `a send without a row is not named as the one before, and the order of the others stays [L-60]`() throws
    {
        var rig = try rig()
        let promises = [nil, 2, nil, 6, nil, 1].enumerated().map { index, attributes in
            rig.send(
                SendMessage(
                    channel: group, type: attributes.map { _ in "custom" }, text: "\(index)", attributes: attributes),
                transID: "t\(index)")
        }
        let afters = try rig.wire.map { frame -> String? in
            guard case .write(.sendMessage(let send)) = try WireCodec.decodeClientFrame(frame).command else {
                return "no send"
            }
            return send.after?.rawValue
        }
        #expect(afters == [nil, "t0", "t0", "t2", "t2", "t4"])
        try rig.settle()
        #expect(rig.server.texts(group) == ["0", "2", "4", "5"])
        #expect(promises.allSatisfy { (try? $0.result?.get()) != nil })
        _ = rig.send(SendMessage(channel: group, type: "custom", attributes: 2), transID: "t6")
        try rig.settle()
        _ = rig.send("7", to: group, transID: "t7")
        guard case .write(.sendMessage(let send)) = try WireCodec.decodeClientFrame(try #require(rig.wire.last)).command
        else {
            Issue.record("no send")
            return
        }
        #expect(send.after == nil)
    }

    @Test func `a send of any kind that cannot be never leaves, and all of it is handed back`() throws {
        var rig = try rig()
        let place = Location(latitude: 91, longitude: 0)
        let file = FileReference(fileID: "f")
        let wrong = [
            SendMessage(channel: group, type: "image"),
            SendMessage(channel: group, type: "text", text: "x", file: file),
            SendMessage(channel: group, type: "location", location: place), SendMessage(channel: group, type: "recipe"),
            SendMessage(channel: group, type: "custom"), SendMessage(channel: group, text: "x", category: ""),
        ]
        let promises = wrong.enumerated().map { rig.send($1, transID: "t\($0)") }
        #expect(promises.allSatisfy(isFailed))
        #expect(rig.wire.isEmpty)
        let failed = rig.events.compactMap { if case .sendFailed(let send) = $0 { send.message } else { nil } }
        #expect(failed == wrong)
    }

    @Test func `sends with a time limit give up after it`() throws {
        var rig = Rig(me: ann) { $0.sendTimeout = 5_000 }
        rig.server.members = [group]
        try rig.connect()
        rig.isReachable = false
        rig.breakOff()
        let promise = rig.send("x", to: group, transID: "t")
        let start = rig.now
        while promise.result == nil, rig.now < start + 60_000 { rig.wake() }
        guard case .failure(let error) = promise.result else {
            Issue.record("it waits")
            return
        }
        #expect(error.code == .timedOut)
    }
}
