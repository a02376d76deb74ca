import Foundation
import RoostClient
import RoostWire
import Testing

@testable import RoostTerminal

/// Width, wrapping and harmlessness of text.
@Suite(.seeded) struct TextTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｆｕｌｌ", 8), ("한국", 4), ("👍", 2), ("👍🏽", 2),
            ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("⏳", 2), ("✓", 1), ("✗", 1), ("●", 1), ("נ", 1), ("ก็", 1),
            ("1️⃣", 2),
        ] as [(String, Int)])
    func `the width of a text matches that of a terminal`(text: String, columns: Int) {
        #expect(CharacterWidth.columns(of: text) == columns)
    }

    @Test func `the wide ranges ascend and do not touch`() {
        for (one, other) in zip(wideCharacters, wideCharacters.dropFirst()) {
            #expect(one.upperBound < other.lowerBound)
        }
    }

    @Test func `lines are broken at blanks and never too wide`() {
        #expect(StyledText("the quick brown fox").wrapped(to: 10).map(\.string) == ["the quick", "brown fox"])
        #expect(StyledText("unbreakable").wrapped(to: 4).map(\.string) == ["unbr", "eaka", "ble"])
        #expect(StyledText("漢字漢字").wrapped(to: 5).map(\.string) == ["漢字", "漢字"])
        #expect(StyledText("").wrapped(to: 5).map(\.string) == [""])
        #expect(StyledText("漢").wrapped(to: 1).map(\.string) == ["…"])
        #expect(StyledText("a very long title").truncated(to: 7).string == "a very…")
        var generator = Seeded(3)
        let alphabet = Array("ab  漢👍🏽é\u{301}\u{200B}\u{1B}-")
        for _ in 0..<500 {
            let text = String((0..<40).compactMap { _ in alphabet.randomElement(using: &generator) })
            let width = Int.random(in: 1...20, using: &generator)
            for line in StyledText(text).wrapped(to: width) { #expect(line.columns <= width) }
            #expect(StyledText(text).truncated(to: width).columns <= width)
        }
    }

    @Test func `orders to a terminal in a foreign text come out as signs, and lines stay lines`() {
        #expect(Printable.safe("a\u{1B}]52;c;aGk=\u{07}b") == "a\u{FFFD}]52;c;aGk=\u{FFFD}b")
        #expect(Printable.lines("one\r\ntwo\n\u{1B}[2Jthree") == ["one", "two", "\u{FFFD}[2Jthree"])
        #expect(Printable.safe("user\u{202E}gpj.exe") == "user\u{FFFD}gpj.exe")
        #expect(Printable.safe("a\u{2066}b \u{2068}قط\u{2069} joined") == "a\u{FFFD}b قط joined")
    }

    @Test func `whatever a text holds, no control character reaches the terminal`() {
        var generator = Seeded(11)
        let nasty: [Unicode.Scalar] = [
            "\u{1B}", "\u{9B}", "\u{07}", "[", "]", "2", "J", ";", "\u{202E}", "\u{200D}", "\u{FE0F}", "\u{301}", "\r",
            "\n", "\u{0}",
            "\u{90}", "👍", "漢", "a", "\u{E0041}", "\u{2028}",
        ]
        for round in 0..<1_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                if round.isMultiple(of: 2), let scalar = nasty.randomElement(using: &generator) {
                    text.append(scalar)
                } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x3000, using: &generator)) {
                    text.append(scalar)
                }
            }
            var screen = Screen(size: ScreenSize(columns: 20, rows: 3))
            // Straight into the screen, as if somebody had forgotten to clean it.
            screen.put(String(text), column: 0, row: 1)
            for line in Printable.lines(String(text)) { screen.put(line, column: 0, row: 2) }
            for row in screen.rows {
                #expect(row.count == 20)
                for cell in row { #expect(!cell.text.unicodeScalars.contains(where: Printable.isDangerous)) }
            }
            var renderer = Renderer(hasColors: true)
            let bytes = String(decoding: renderer.render(screen), as: UTF8.self)
            // All escapes are the renderer's own: colours, places and clearing.
            #expect(
                bytes.replacing(#/\u{1B}\[[0-9;?]*[mHJhl]/#.matchingSemantics(.unicodeScalar), with: "").unicodeScalars
                    .allSatisfy {
                        $0.value >= 0x20 && $0 != "\u{9B}"
                    })
        }
    }
}

/// The field of a conversation.
@Suite struct LineFieldTests {
    private func field(_ text: String) -> LineField {
        var field = LineField()
        field.insert(text)
        return field
    }

    @Test func `characters go in and out at the cursor, whole`() {
        var field = field("a👨‍👩‍👧b")
        field.moveLeft()
        field.deleteBackward()
        #expect(field.text == "ab" && field.cursor == 1)
        field.insert("e")
        field.insert("\u{301}")
        #expect(field.text == "ae\u{301}b" && field.cursor == 2 && field.utf16Cursor == 3)
        field.deleteForward()
        #expect(field.text == "ae\u{301}")
    }

    @Test func `the cursor moves by words and lines`() {
        var field = field("one two\nthree four")
        field.moveUp()
        #expect(field.cursor == 7)
        field.moveWordLeft()
        #expect(field.cursor == 4)
        field.deleteWordBackward()
        #expect(field.text == "two\nthree four")
        field.moveDown()
        field.deleteToLineEnd()
        #expect(field.text == "two\n")
        field.moveUp()
        field.moveToLineEnd()
        field.deleteToLineEnd()
        #expect(field.text == "two")
        field.deleteToLineStart()
        #expect(field.text == "")
    }

    @Test func `what was sent comes back with the arrow, and what was being written after it`() {
        var field = field("first")
        field.finish()
        field.insert("second")
        field.finish()
        field.insert("draft")
        field.moveUp()
        #expect(field.text == "second")
        field.moveUp()
        field.moveUp()
        #expect(field.text == "first")
        field.moveDown()
        field.moveDown()
        #expect(field.text == "draft")
        field.moveDown()
        #expect(field.text == "draft")
    }

    @Test func `a paste keeps its lines and loses its control characters`() {
        var field = LineField()
        field.paste("a\r\nb\rc\td\u{1B}[2J\u{07}")
        #expect(field.text == "a\nb\nc    d[2J")
    }
}

/// The words of the full-screen chat.
@Suite struct TerminalTextTests {
    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], ["de_DE.UTF-8"]), (["LANG": "de_DE", "LC_ALL": "ko_KR"], ["ko_KR"]),
            (["LANG": "de_DE", "LC_ALL": ""], ["de_DE"]),
            (["LANG": "de_DE", "LANGUAGE": "fr:ar"], ["fr", "ar", "de_DE"]),
            (["LANG": "C.UTF-8", "LANGUAGE": "ar"], []), (["LC_MESSAGES": "POSIX"], []), ([:], []),
        ] as [([String: String], [String])])
    func `the environment names the languages`(environment: [String: String], languages: [String]) {
        #expect(TerminalText.languages(of: environment) == languages)
    }

    @Test func `the first language that has words is chosen, otherwise English`() {
        #expect(Words.preferred(["fr_FR", "zh_TW.UTF-8", "de"]).code == "zh-Hant")
        #expect(Words.preferred(["fr"]).code == "en" && Words.preferred([]).code == "en")
    }

    @Test func `days and times are written as the language does`() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        let day = Date(timeIntervalSince1970: 1_795_910_400)
        #expect(TerminalText.english.day(day, in: zone) == "Sun 29 Nov 2026")
        #expect(TerminalText.german.day(day, in: zone) == "So, 29. Nov. 2026")
        #expect(TerminalText.traditionalChinese.day(day, in: zone) == "2026年11月29日 週日")
        #expect(TerminalText.arabic.day(day, in: zone) == "الأحد 29 نوفمبر 2026")
        #expect(TerminalText.english.when(day, now: day + 86_400, in: zone) == "29 Nov")
        #expect(TerminalText.english.when(day, now: day + 60, in: zone) == "00:00")
    }

    @Test func `names in a line cannot control the terminal`() {
        let text = TerminalText.arabic.line(.recalledBy, ["name": .text("A\u{1B}[2J\u{202E}b")])
        #expect(text == "سحب A\u{FFFD}[2J\u{FFFD}b هذه الرسالة")
    }
}

/// Slash commands and their completion.
@Suite struct SlashCommandTests {
    @Test func `commands are parsed, and a wrong one throws`() throws {
        let bob = try #require(UserID(rawValue: "bob"))
        #expect(try SlashCommand("/open @bob") == .open(bob))
        #expect(try SlashCommand("/dm bob") == .open(bob))
        #expect(try SlashCommand("/group Club bob") == .group(title: "Club", members: [bob]))
        #expect(try SlashCommand("/join the lobby") == .join("the lobby"))
        for line in [
            "/open", "/open a b", "/join", "/group Club", "/invite", "/nonsense", "/", "/open a\u{1B}b", "/react",
            "/react ok", "/react 👍 👍", "/pins 0", "/pins first", "/pins 1 2",
        ] {
            #expect(throws: SlashCommand.UsageError.self) { try SlashCommand(line) }
        }
        #expect(try SlashCommand("/react 👍🏽") == .react("👍🏽"))
        #expect(try SlashCommand("/pins") == .pins(nil) && SlashCommand("/pins 2") == .pins(2))
        #expect(error("/pins 0") == "Usage: /pins [NUMBER]")
        #expect(error("/open a b", TerminalText.german) == "Aufruf: /open USER")
        #expect(error("/nonsense").hasPrefix("There is no command /nonsense. /help lists all commands"))
        for entry in SlashCommand.entries {
            let line = entry.name + (entry.arguments.isEmpty ? "" : " x y")
            if !["/open", "/react", "/pins"].contains(entry.name) {
                #expect(throws: Never.self) { try SlashCommand(line) }
            }
        }
        #expect(!SlashCommand.isCommand("//etc/passwd") && SlashCommand.message("//etc") == "/etc")
    }

    private func error(_ line: String, _ words: Words<TerminalText> = TerminalText.english) -> String {
        do throws(SlashCommand.UsageError) {
            _ = try SlashCommand(line)
            return ""
        } catch {
            return error.message(in: words)
        }
    }

    @Test func `tab completes commands, users and channels`() {
        #expect(Completion("/re", users: [], channels: []).candidates == ["/react", "/retry"])
        let users = Completion("/open b", users: ["ann", "bob", "bobby"], channels: ["blog"])
        #expect(users.candidates == ["bob", "bobby"] && users.common == "bob" && users.start == 6)
        #expect(Completion("/join l", users: ["lea"], channels: ["lobby"]).candidates == ["lobby"])
        #expect(Completion("/group Club a", users: ["ann"], channels: []).candidates == ["ann"])
        #expect(Completion("/group a", users: ["ann"], channels: []).candidates.isEmpty)
        #expect(Completion("/quit x", users: ["x1"], channels: ["x2"]).candidates.isEmpty)
    }
}
