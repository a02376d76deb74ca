import RoostWire
import Testing

@testable import RoostClient

/// How often the typing of this user is sent.
@Suite struct OwnTypingTests {
    private func rig() throws -> Rig {
        var rig = Rig(me: Names.ann)
        rig.server.members = [Names.group]
        try rig.connect()
        try #require(rig.machine.phase == .live)
        rig.server.commands = []
        return rig
    }

    /// One edit of the field, and the time since the previous one in ms.
    private func type(_ rig: inout Rig, after pause: Int64 = 0) throws {
        rig.now += pause
        rig.input(.keystroke(Names.group))
        try rig.settle()
    }

    @Test func `while the user types, the others are informed at once and then every three seconds`() throws {
        var rig = try rig()
        try type(&rig)
        #expect(rig.server.commands == ["typing.start"])
        for _ in 1...29 { try type(&rig, after: 100) }
        #expect(rig.server.commands == ["typing.start"])
        try type(&rig, after: 100)
        #expect(rig.server.commands == ["typing.start", "typing.start"])
    }

    @Test func `five seconds after the last edit, the others are informed that typing has ended`() throws {
        var rig = try rig()
        try type(&rig)
        try type(&rig, after: 2_000)
        #expect(rig.machine.wakeAt == rig.now + 5_000)
        rig.now += 4_999
        rig.input(.tick)
        try rig.settle()
        #expect(rig.server.commands == ["typing.start"])
        rig.wake()
        try rig.settle()
        #expect(rig.server.commands == ["typing.start", "typing.end"])
        rig.input(.tick)
        rig.input(.stopTyping(Names.group))
        try rig.settle()
        #expect(rig.server.commands == ["typing.start", "typing.end"])
        try type(&rig)
        #expect(rig.server.commands == ["typing.start", "typing.end", "typing.start"])
    }

    @Test func `the end is sent when the field is emptied, and only once`() throws {
        var rig = try rig()
        rig.input(.stopTyping(Names.group))
        try type(&rig)
        rig.input(.stopTyping(Names.group))
        rig.input(.stopTyping(Names.group))
        try rig.settle()
        #expect(rig.server.commands == ["typing.start", "typing.end"])
    }

    @Test func `a message ends typing without an event, and the next edit is sent at once`() throws {
        var rig = try rig()
        try type(&rig)
        rig.send("hello", to: Names.group, transID: "t")
        try rig.settle()
        rig.now += 5_000
        rig.input(.tick)
        try type(&rig)
        #expect(rig.server.commands == ["typing.start", "message.send", "typing.start"])
    }

    @Test func `without a connection nothing is sent, then or later`() throws {
        var rig = try rig()
        try type(&rig)
        rig.breakOff()
        try type(&rig)
        try rig.comeBack()
        rig.now += 5_000
        rig.input(.tick)
        try rig.settle()
        #expect(!rig.server.commands.contains("typing.end"))
        #expect(rig.server.commands.filter { $0 == "typing.start" }.count == 1)
        try type(&rig)
        #expect(rig.server.commands.filter { $0 == "typing.start" }.count == 2)
    }
}
