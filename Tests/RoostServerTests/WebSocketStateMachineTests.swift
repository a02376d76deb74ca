import RoostWire
import Testing

@testable import RoostServer

private typealias Machine = WebSocketSession.StateMachine
private typealias Frame = WebSocketSession.Frame
private typealias CloseFrame = WebSocketSession.CloseFrame

@Suite struct WebSocketStateMachineTests {
    private static func machine(live: Bool = true) -> Machine {
        var machine = Machine(
            limits: Machine.Limits(
                preAuthFrameBytes: 8 * 1024, frameBytes: 64 * 1024, fragments: 16, pingsPerSecond: 10, commands: 32))
        if live {
            _ = machine.receive(text(hello), now: 0)
            machine.welcome()
        }
        return machine
    }

    private static let hello = #"{"id":"h","cmd":"hello","body":{"version":1,"guest":{"userID":"ann"},"deviceID":"d"}}"#

    private static func text(_ text: String) -> Frame { Frame(opcode: 1, payload: Array(text.utf8)) }

    private static func send(_ id: String) -> Frame {
        text(#"{"id":"\#(id)","cmd":"message.send","body":{"channel":"lobby","text":"x"}}"#)
    }

    private static func read(_ id: String) -> Frame { text(#"{"id":"\#(id)","cmd":"unread.get","body":{}}"#) }

    /// Feeds frames and returns the code of the first close; nil if there is none.
    private static func code(_ frames: [Frame], live: Bool = true) -> UInt16? {
        var machine = machine(live: live)
        for frame in frames {
            if case .close(let closeFrame) = machine.receive(frame, now: 0) { return closeFrame.code }
        }
        return nil
    }

    private static func id(_ action: Machine.Action) -> String? {
        if case .submit(let frame) = action { return frame.id }
        return nil
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let frames: @Sendable () -> [WebSocketSession.Frame]
        let code: UInt16
        var testDescription: String { name }
    }

    private static let payload = Array(#"{"id":"1","cmd":"unread.get","body":{}}"#.utf8)

    static let broken: [Row] =
        [
            Row(
                name: "an unmasked frame", frames: { [Frame(opcode: 1, isMasked: false, payload: payload)] }, code: 1002
            ),
            Row(
                name: "a reserved bit", frames: { [Frame(hasReservedBits: true, opcode: 1, payload: payload)] },
                code: 1002),
            Row(name: "a continuation out of the blue", frames: { [Frame(opcode: 0, payload: payload)] }, code: 1002),
            Row(
                name: "a new message inside a fragmented one",
                frames: { [Frame(isFinal: false, opcode: 1, payload: payload), Frame(opcode: 1, payload: payload)] },
                code: 1002),
            Row(name: "a fragmented ping", frames: { [Frame(isFinal: false, opcode: 9, payload: [])] }, code: 1002),
            Row(
                name: "a ping of 126 bytes",
                frames: { [Frame(opcode: 9, payload: [UInt8](repeating: 0x78, count: 126))] }, code: 1002),
            Row(name: "half a close code", frames: { [Frame(opcode: 8, payload: [3])] }, code: 1002),
            Row(
                name: "a close reason that is not UTF-8",
                frames: { [Frame(opcode: 8, payload: [3, 0xE8, 0xFF])] }, code: 1007),
            Row(name: "a binary frame", frames: { [Frame(opcode: 2, payload: [0])] }, code: 1003),
            Row(name: "an overlong UTF-8 form", frames: { [Frame(opcode: 1, payload: [0xC0, 0xAF])] }, code: 1007),
            Row(name: "a UTF-8 surrogate", frames: { [Frame(opcode: 1, payload: [0xED, 0xA0, 0x80])] }, code: 1007),
            Row(
                name: "UTF-8 that is broken behind eight good bytes",
                frames: { [Frame(opcode: 1, payload: Array("12345678".utf8) + [0xE2, 0x82])] }, code: 1007),
            Row(
                name: "a message of more than 64 KiB in fragments",
                frames: {
                    let part = [UInt8](repeating: 0x78, count: 33_000)
                    return [Frame(isFinal: false, opcode: 1, payload: part), Frame(opcode: 0, payload: part)]
                }, code: 1009),
            Row(
                name: "17 fragments",
                frames: {
                    [Frame(isFinal: false, opcode: 1, payload: [0x78])]
                        + (1...16).map { _ in Frame(isFinal: false, opcode: 0, payload: [0x78]) }
                }, code: 1008),
            Row(
                name: "11 pings in a second", frames: { (1...11).map { _ in Frame(opcode: 9, payload: []) } },
                code: 1008),
            Row(
                name: "three unreadable frames in a row", frames: { ["{", "[]", "nonsense"].map(text) }, code: 1008),
        ]
        + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
            Row(name: "opcode \(opcode)", frames: { [Frame(opcode: opcode, payload: payload)] }, code: 1002)
        }

    @Test(arguments: broken)
    func `a frame that breaks a rule closes with the code of that rule`(row: Row) {
        #expect(Self.code(row.frames()) == row.code)
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] as [UInt16])
    func `a close code that is not to be sent is a protocol error`(code: UInt16) {
        #expect(Self.code([Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)])]) == 1002)
    }

    @Test(arguments: [1000, 1001, 1011, 3000, 4999] as [UInt16])
    func `a good close is answered in kind`(code: UInt16) {
        #expect(Self.code([Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)])]) == code)
    }

    @Test func `a close without a code is answered without one`() {
        var machine = Self.machine()
        #expect(machine.receive(Frame(opcode: 8, payload: []), now: 0) == .close(CloseFrame(replyingTo: nil)))
    }

    @Test func `before the welcome only hello is accepted`() {
        #expect(Self.code([Self.read("1")], live: false) == 4401)
        #expect(Self.code([Self.text(Self.hello), Self.read("1")], live: false) == 4401)
        #expect(Self.code([Self.text("nonsense")], live: false) == 4401)
        #expect(Self.code([Frame(opcode: 1, payload: [UInt8](repeating: 0x78, count: 9_000))], live: false) == 1009)
    }

    @Test func `another version of the protocol is refused with the one that is spoken`() {
        var machine = Self.machine(live: false)
        let other = Self.hello.replacing(#""version":1"#, with: #""version":2"#)
        guard case .close(let closeFrame) = machine.receive(Self.text(other), now: 0) else {
            Issue.record("it was not closed")
            return
        }
        #expect(closeFrame.code == 1002)
        #expect(closeFrame.error?.id == "h")
        #expect(closeFrame.error?.error.entry == .protocolVersion)
        #expect(closeFrame.error?.error.message.contains("version 1") == true)
    }

    @Test func `a ping between fragments is answered and the message arrives`() {
        var machine = Self.machine()
        #expect(machine.receive(Frame(isFinal: false, opcode: 1, payload: Array(Self.payload[..<10])), now: 0) == .none)
        #expect(machine.receive(Frame(opcode: 9, payload: [7]), now: 0) == .pong([7]))
        #expect(Self.id(machine.receive(Frame(opcode: 0, payload: Array(Self.payload[10...])), now: 0)) == "1")
    }

    @Test func `ten pings of every second are answered`() {
        var machine = Self.machine()
        for second in 0..<5 {
            for _ in 0..<10 {
                #expect(machine.receive(Frame(opcode: 9, payload: []), now: Int64(second) * 1_000) == .pong([]))
            }
        }
    }

    @Test func `unreadable frames with a good one between them are answered`() {
        var machine = Self.machine()
        for _ in 0..<5 {
            for _ in 0..<2 {
                guard case .answer(let answer) = machine.receive(Self.text("{"), now: 0) else {
                    Issue.record("it was not answered")
                    return
                }
                #expect(answer.id == nil)
            }
            #expect(Self.id(machine.receive(Self.send("a"), now: 0)) == "a")
        }
    }

    @Test(arguments: [
        (#"{"id":"a","cmd":"message.send","body":{"channel":"lobby","text":"cut \ud83d"}}"#, 1001),
        (#"{"id":"a","cmd":7}"#, 6), (#"{"id":"a","cmd":"unread.get","body":[]}"#, 6),
        (#"{"id":"a","cmd":"unread.get","body":{"x":1,"x":2}}"#, 6),
    ])
    func `a frame with an id is answered with it, however often it comes`(json: String, code: Int) {
        var machine = Self.machine()
        for _ in 0..<5 {
            guard case .answer(let answer) = machine.receive(Self.text(json), now: 0) else {
                Issue.record("it was not answered")
                return
            }
            #expect(answer.id == "a")
            #expect(answer.error.code == code)
        }
    }

    @Test func `a command that changes something needs a transID`() {
        var machine = Self.machine()
        guard case .answer(let answer) = machine.receive(Self.send("not a key"), now: 0) else {
            Issue.record("it was not answered")
            return
        }
        #expect(answer.id == "not a key")
        #expect(answer.error.entry == .dataFormat)
    }

    @Test func `sends run together and a read waits for them`() {
        var machine = Self.machine()
        #expect(Self.id(machine.receive(Self.send("a"), now: 0)) == "a")
        #expect(Self.id(machine.receive(Self.send("b"), now: 0)) == "b")
        #expect(machine.receive(Self.read("c"), now: 0) == .none)
        #expect(machine.receive(Self.send("d"), now: 0) == .none)
        machine.answered()
        #expect(machine.next() == nil)
        machine.answered()
        #expect(machine.next()?.id == "c")
        #expect(machine.next() == nil)
        machine.answered()
        #expect(machine.next()?.id == "d")
        #expect(machine.next() == nil)
    }

    @Test func `a renewal waits for the commands before it, and those behind it wait`() {
        var machine = Self.machine()
        let renewal = Self.text(#"{"id":"n","cmd":"session.renew","body":{"token":"x"}}"#)
        #expect(Self.id(machine.receive(Self.send("a"), now: 0)) == "a")
        #expect(machine.receive(renewal, now: 0) == .none)
        #expect(machine.receive(Self.send("b"), now: 0) == .none)
        #expect(machine.next() == nil)
        machine.answered()
        #expect(machine.next()?.id == "n")
        #expect(machine.next() == nil)
        machine.answered()
        #expect(machine.next()?.id == "b")
    }

    @Test func `at 32 commands reading from the socket pauses, and below 16 it resumes`() {
        var machine = Self.machine()
        for index in 1...31 { _ = machine.receive(Self.send("\(index)"), now: 0) }
        #expect(!machine.isPaused)
        _ = machine.receive(Self.read("32"), now: 0)
        #expect(machine.isPaused)
        for _ in 1...16 { machine.answered() }
        #expect(machine.load == 16)
        #expect(machine.isPaused)
        machine.answered()
        #expect(!machine.isPaused)
    }

    @Test func `no command begins while much of what was answered waits to be read`() {
        var machine = Self.machine()
        #expect(Self.id(machine.receive(Self.send("a"), now: 0)) == "a")
        machine.hold(true)
        #expect(machine.isPaused)
        #expect(machine.receive(Self.send("b"), now: 0) == .none)
        #expect(machine.receive(Self.read("c"), now: 0) == .none)
        machine.answered()
        #expect(machine.next() == nil)
        #expect(machine.load == 2)
        machine.hold(false)
        #expect(!machine.isPaused)
        #expect(machine.next()?.id == "b")
        #expect(machine.next() == nil)
        machine.answered()
        #expect(machine.next()?.id == "c")
        machine.hold(true)
        machine.close()
        #expect(!machine.isPaused)
    }

    @Test func `what came before the client closed its side is still answered`() {
        var machine = Self.machine()
        _ = machine.receive(Self.send("a"), now: 0)
        _ = machine.receive(Self.read("b"), now: 0)
        #expect(machine.endInput() == .none)
        machine.answered()
        #expect(machine.next()?.id == "b")
        #expect(!machine.isFinished)
        machine.answered()
        #expect(machine.isFinished)
    }

    @Test func `a client that closes its side with nothing pending is released`() {
        var idle = Self.machine()
        #expect(idle.endInput() == .close(CloseFrame(replyingTo: nil)))
        var silent = Self.machine(live: false)
        #expect(silent.endInput() == .end)
        var late = Self.machine(live: false)
        _ = late.receive(Self.text(Self.hello), now: 0)
        #expect(late.endInput() == .none)
        #expect(!late.isFinished)
        late.welcome()
        #expect(late.isFinished)
    }

    @Test func `after the close only the client's close counts`() {
        var machine = Self.machine()
        machine.close()
        #expect(machine.receive(Self.send("a"), now: 0) == .none)
        #expect(machine.receive(Frame(opcode: 9, payload: []), now: 0) == .none)
        #expect(machine.receive(Frame(opcode: 8, payload: [3, 0xE8]), now: 0) == .end)
    }

    @Test func `fragments and commands are held until they are complete and answered`() {
        var machine = Self.machine()
        #expect(machine.heldBytes == 0)
        let whole = Self.send("t1").payload
        _ = machine.receive(Frame(isFinal: false, opcode: 1, payload: Array(whole.prefix(20))), now: 0)
        #expect(machine.heldBytes == 20)
        let first = machine.receive(Frame(opcode: 0, payload: Array(whole.dropFirst(20))), now: 0)
        #expect(Self.id(first) == "t1" && machine.heldBytes == whole.count)
        // A reading command waits, and what is refused is not held.
        let reading = Self.read("r1")
        #expect(machine.receive(reading, now: 0) == .none)
        _ = machine.receive(Self.send("a b"), now: 0)
        #expect(machine.heldBytes == whole.count + reading.payload.count)
        machine.answered()
        #expect(machine.next()?.id == "r1" && machine.heldBytes == reading.payload.count)
        machine.answered()
        #expect(machine.heldBytes == 0)
        _ = machine.receive(Self.send("t2"), now: 0)
        machine.close()
        machine.answered()
        #expect(machine.heldBytes == 0)
    }
}
