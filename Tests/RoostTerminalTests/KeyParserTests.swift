import Testing

@testable import RoostTerminal

/// The keys of a terminal, byte by byte.
@Suite(.seeded) struct KeyParserTests {
    private func keys(_ text: String) -> [Key] {
        var parser = KeyParser()
        return parser.parse(Array(text.utf8)) + parser.flush()
    }

    @Test(
        arguments: [
            ("a", [Key.text("a")]), ("hi Bob", [.text("hi Bob")]), ("é漢👍🏽", [.text("é漢👍🏽")]), ("\r", [.enter]),
            ("\n", [.altEnter]), ("\u{1B}\r", [.altEnter]), ("\t", [.tab]), ("\u{1B}[Z", [.backTab]),
            ("\u{7F}", [.backspace]),
            ("\u{08}", [.backspace]), ("\u{1B}\u{7F}", [.altBackspace]), ("\u{03}", [.control("c")]),
            ("\u{1A}", [.control("z")]), ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]), ("\u{1B}[1;3A\u{1B}[1;3B", [.altUp, .altDown]),
            ("\u{1B}[1;5C\u{1B}[1;5D\u{1B}[1;5F", [.wordRight, .wordLeft, .controlEnd]),
            ("\u{1B}[H\u{1B}[4~\u{1B}[1~\u{1B}[3~", [.home, .end, .home, .delete]),
            ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}OP\u{1B}[11~", [.function(1), .function(1)]),
            ("\u{1B}b\u{1B}f", [.alt("b"), .alt("f")]), ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\u{1B}[<64;10;5M\u{1B}[<65;10;5M\u{1B}[<0;1;1M\u{1B}[<64;1;1m", [.wheelUp, .wheelDown]),
            ("\u{1B}[I\u{1B}[O", [.focusIn, .focusOut]),
            ("\u{1B}[200~two\r\nlines\u{1B}[31m\u{1B}[201~x", [.paste("two\r\nlines\u{1B}[31m"), .text("x")]),
            ("\u{1B}[99;99~\u{1B}[?1;2c\u{1B}[12;3Rx", [.function(3), .text("x")]),
            ("\u{1B}]52;c;aGk=\u{07}a\u{1B}]0;t\u{1B}\\b", [.text("ab")]), ("\u{1B}[27;3;13~", [.altEnter]),
        ] as [(String, [Key])])
    func `what a terminal sends is the key that was pressed`(bytes: String, expected: [Key]) {
        #expect(keys(bytes) == expected)
    }

    @Test func `the same keys come out however the bytes are cut`() {
        let text = "a\u{1B}[1;3Aé漢\u{1B}[200~p\u{1B}[20q\u{1B}[201~\u{1B}Ob\r"
        let bytes = Array(text.utf8)
        var whole = KeyParser()
        let expected = whole.parse(bytes).filter { $0 != .text("") }
        var single = KeyParser()
        var keys: [Key] = []
        for byte in bytes {
            for key in single.parse([byte]) {
                if case .text(let more) = key, case .text(let text)? = keys.last {
                    keys[keys.count - 1] = .text(text + more)
                } else {
                    keys.append(key)
                }
            }
        }
        #expect(keys == expected)
        #expect(expected.contains(.paste("p\u{1B}[20q")))
    }

    @Test func `an escape byte waits for more input and is the Escape key if none follows`() {
        var parser = KeyParser()
        #expect(parser.parse([0x1B]).isEmpty && parser.isWaiting)
        #expect(parser.flush() == [.escape])
        #expect(!parser.isWaiting && parser.flush().isEmpty)
    }

    @Test func `broken text and endless sequences are passed over`() {
        var parser = KeyParser()
        #expect(parser.parse([0xFF, 0xC3, 0x28, 0xE2, 0x82, UInt8(ascii: "a")]) == [.text("(a")])
        #expect(parser.parse([0xC2, 0x9B, UInt8(ascii: "b")]) == [.text("b")])
        #expect(parser.parse(Array("\u{1B}]".utf8) + Array(repeating: 0x61, count: 5_000)).count == 1)
        #expect(
            parser.parse(Array("\u{1B}[".utf8) + Array(repeating: 0x31, count: 40) + [0x7A]).last == .text("1111111z"))
        var paste = KeyParser()
        let large = Array(repeating: UInt8(ascii: "x"), count: KeyParser.maximumPaste + 10)
        let keys = paste.parse(Array("\u{1B}[200~".utf8) + large + Array("\u{1B}[201~".utf8))
        #expect(keys == [.paste(String(repeating: "x", count: KeyParser.maximumPaste))])
    }

    @Test func `random bytes never trap, and never come out as control characters`() {
        var generator = Seeded(7)
        for _ in 0..<2_000 {
            var parser = KeyParser()
            let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator)
                    : [0x1B, 0x5B, 0x3B, 0x32, 0x4D].randomElement(using: &generator) ?? 0
            }
            for case .text(let text) in parser.parse(bytes) + parser.flush() {
                #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
            }
        }
    }
}
