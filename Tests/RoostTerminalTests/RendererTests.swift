import Testing

@testable import RoostTerminal

/// A terminal that knows only what the renderer writes, to check that differences add up.
private struct Paper {
    var rows: [[String]]
    var column = 0
    var row = 0

    init(_ size: ScreenSize) { rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows) }

    mutating func write(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let first = rest.first {
            if let order = rest.prefixMatch(of: #/\u{1B}\[([0-9;?]*)([A-Za-z])/#) {
                rest = rest[order.range.upperBound...]
                let numbers = order.1.split(separator: ";").compactMap { Int($0) }
                switch order.2 {
                case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
                case "J": rows = rows.map { $0.map { _ in " " } }
                default: break
                }
                continue
            }
            rest = rest.dropFirst()
            let width = CharacterWidth.columns(of: first)
            rows[row][column] = String(first)
            if width == 2 { rows[row][column + 1] = "" }
            column += width
        }
    }
}

/// Frames and their differences.
@Suite(.seeded) struct RendererTests {
    @Test func `an unchanged frame writes nothing`() {
        var screen = Screen(size: ScreenSize(columns: 10, rows: 2))
        screen.put("hello", column: 0, row: 0)
        var renderer = Renderer(hasColors: true)
        #expect(!renderer.render(screen).isEmpty)
        #expect(renderer.render(screen).isEmpty)
        renderer.forget()
        #expect(!renderer.render(screen).isEmpty)
    }

    @Test func `only what differs is written`() {
        var screen = Screen(size: ScreenSize(columns: 20, rows: 3))
        screen.put("one two three", column: 0, row: 1)
        var renderer = Renderer(hasColors: true)
        _ = renderer.render(screen)
        screen.put("TWO", column: 4, row: 1)
        #expect(String(decoding: renderer.render(screen), as: UTF8.self) == "\u{1B}[?25l\u{1B}[2;5HTWO")
        screen.cursor = Screen.Position(column: 3, row: 2)
        #expect(String(decoding: renderer.render(screen), as: UTF8.self) == "\u{1B}[3;4H\u{1B}[?25h")
    }

    @Test func `without colours there are none, and the rest stays`() {
        var screen = Screen(size: ScreenSize(columns: 10, rows: 1))
        screen.put("x", Style(color: .red, isBold: true), column: 0, row: 0)
        var plain = Renderer(hasColors: false)
        #expect(String(decoding: plain.render(screen), as: UTF8.self).contains("\u{1B}[0;1mx"))
        var colored = Renderer(hasColors: true)
        #expect(String(decoding: colored.render(screen), as: UTF8.self).contains("\u{1B}[0;1;31mx"))
    }

    @Test func `any row of frames leaves the terminal with the last one`() {
        var generator = Seeded(5)
        let alphabet = Array("ab 漢👍🏽é")
        for _ in 0..<60 {
            let size = ScreenSize(columns: 12, rows: 4)
            var renderer = Renderer(hasColors: true)
            var paper = Paper(size)
            var screen = Screen(size: size)
            for _ in 0..<12 {
                for _ in 0..<3 {
                    let text = String((0..<6).compactMap { _ in alphabet.randomElement(using: &generator) })
                    let style: Style = Bool.random(using: &generator) ? .bold : .plain
                    screen.put(
                        text, style, column: Int.random(in: 0..<12, using: &generator),
                        row: Int.random(in: 0..<4, using: &generator))
                }
                paper.write(renderer.render(screen))
                #expect(paper.rows == screen.rows.map { $0.map(\.text) })
            }
        }
    }
}
