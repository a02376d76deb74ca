import Foundation
import RoostWire
import Testing
import WireExamples

/// What the reference documents leave open in their tables and ids, and how ours reads it.
@Suite struct ReferenceTests {
    @Test func `a dash in the table of types is a no, and an option is what the bits of the message say [C-L22]`()
        throws
    {
        #expect(try #require(MessageType.numbered(1001)).countsAsUnread == .unspecified)
        #expect(try #require(MessageType.numbered(1101)).isStored == .unspecified)
        for type in MessageType.all where type.name != "custom" {
            for attributes in [nil, 0, 63] {
                let what = type.behaviour(attributes: attributes)
                #expect(what.isStored == (type.isStored == .yes), "\(type.name)")
                #expect(what.isLastMessage == (type.isLastMessage == .yes), "\(type.name)")
                #expect(what.isRealtime == (type.isRealtime == .yes), "\(type.name)")
                #expect(what.isPushed == (type.isPushed == .yes), "\(type.name)")
                #expect(what.countsAsUnread == (type.countsAsUnread == .yes), "\(type.name)")
            }
        }
        let custom = try #require(MessageType.named("custom"))
        for bits in 1...63 {
            let what = custom.behaviour(attributes: bits)
            // What counts or is the last message is stored, too.
            #expect(what.isStored == (bits & (1 | 16 | 32) != 0), "\(bits)")
            #expect(what.isRealtime == (bits & (2 | 4) != 0), "\(bits)")
            #expect(what.isPushed == (bits & 8 != 0), "\(bits)")
            #expect(what.countsAsUnread == (bits & 16 != 0), "\(bits)")
            #expect(what.isLastMessage == (bits & 32 != 0), "\(bits)")
        }
    }

    @Test func `numbers that the reference leaves out belong to no type [C-L23]`() {
        let gaps = [
            9, 10, 11, 12, 13, 14, 100, 109, 220, 225, 1000, 1014, 1016, 1019, 1107, 1205, 2004, 2501, 2506, 3003,
        ]
        for number in gaps { #expect(MessageType.numbered(number) == nil, "\(number)") }
        let used = Set(MessageType.all.map(\.number))
        #expect(used.isDisjoint(with: gaps))
        let families = [
            1...8, 101...108, 201...206, 221...224, 1001...1018, 1101...1106, 1201...1204, 2001...2003, 3000...3002,
        ]
        #expect(Set(families.joined()).subtracting(used) == [1014, 1016])
        #expect(used.isSubset(of: Set(families.joined())))
    }

    @Test func `ids are text everywhere, and a number is refused [C-Z5]`() throws {
        var frames: [[UInt8]] = []
        for exchange in try Examples.exchanges() {
            frames += [try WireCodec.encodeClientFrame(exchange.frame), exchange.answer]
        }
        for notice in try Examples.notices() { frames.append(try WireCodec.encode(notice.event)) }
        var count = 0
        for frame in frames { count += check(try JSONSerialization.jsonObject(with: Data(frame))) }
        #expect(count > 200)
        let numbers = [
            #"{"channel":5}"#, #"{"channel":"c","messageID":5}"#, #"{"channel":"c","userID":5,"role":"admin"}"#,
        ]
        #expect(throws: (any Error).self) { try WireCodec.decode(GetChannel.self, from: Array(numbers[0].utf8)) }
        #expect(throws: (any Error).self) { try WireCodec.decode(ListReaders.self, from: Array(numbers[1].utf8)) }
        #expect(throws: (any Error).self) { try WireCodec.decode(SetMemberRole.self, from: Array(numbers[2].utf8)) }
    }

    /// Checks the ids of a tree, and answers how many there are.
    private func check(_ tree: Any) -> Int {
        if let list = tree as? [Any] { return list.reduce(0) { $0 + check($1) } }
        guard let object = tree as? [String: Any] else { return 0 }
        var count = 0
        for (key, value) in object where key != "extras" {
            if key == "id" || key == "channel" || key.hasSuffix("ID") {
                #expect(value is String, "\(key) in \(object)")
                count += 1
            } else if key.hasSuffix("IDs") {
                #expect(value is [String], "\(key) in \(object)")
                count += 1
            }
            count += check(value)
        }
        return count
    }
}
