import Testing

@testable import RoostCore

/// The checksum of stored content.
@Suite struct StoredContentTests {
    @Test func `the checksum is the usual CRC-32, whatever the length`() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
        #expect(CRC32.of(Array("The quick brown fox jumps over the lazy dog".utf8)) == 0x414F_A339)
        #expect(CRC32.of(Array("xx123456789".utf8), from: 2) == 0xCBF4_3926)
    }

    @Test func `what was stored is read as it was`() throws {
        for text in ["{}", "", "r club 7 \nr club 8 ", "[1]", "\u{2}\u{2}", String(repeating: "ä", count: 999)] {
            #expect(try StoredContent.opened(StoredContent.framed(Array(text.utf8))) == Array(text.utf8))
        }
    }

    @Test func `every changed bit, and every cut, is noticed`() throws {
        let stored = StoredContent.framed(Array(#"{"event":"message.sent","seq":7,"body":{"text":"hello"}}"#.utf8))
        for index in stored.indices {
            for bit in 0..<8 {
                var changed = stored
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: DatabaseFailure.self, "byte \(index), bit \(bit)") { try event(changed) }
            }
            #expect(throws: DatabaseFailure.self, "cut at \(index)") { try event(Array(stored.prefix(index))) }
        }
    }

    /// Reads a row of a log.
    private func event(_ stored: [UInt8]) throws -> [UInt8] { try OneValue(stored: stored).json(0) }

    private struct OneValue: SQLRow {
        let stored: [UInt8]

        func int(_ column: Int) throws -> Int64 { throw DatabaseFailure(.corrupt, "no number") }
        func text(_ column: Int) throws -> String { throw DatabaseFailure(.corrupt, "no text") }
        func blob(_ column: Int) throws -> [UInt8] { stored }
        func isNull(_ column: Int) -> Bool { false }
    }

    @Test func `content that was stored before there were checksums is read if it can be content`() throws {
        for text in [#"{"a":[1,{"b":"ü"}]}"#, "[]", "r club 7 \nu ann - 5 {}", ""] {
            #expect(try StoredContent.opened(Array(text.utf8)) == Array(text.utf8))
        }
        for text in [#"{"a":"x""y"}"#, #"{"a":1"#, "{}{}", "[1,]", "7", "\u{1}x", "\u{0}"] {
            #expect(throws: DatabaseFailure.self, "\(text)") { try StoredContent.opened(Array(text.utf8)) }
        }
    }
}
