import RoostWire

/// The form of an id, found by trying which strings its type accepts, so that the rule is only in RoostWire.
struct IDForm {
    /// A regular expression of ECMA-262 that a valid id matches as a whole.
    var pattern: String
    /// The number of bytes.
    var lengths: ClosedRange<Int>

    /// Longer ids are not tried.
    private static let maxBytes = 300

    /// A number of characters of a set, in any order.
    private struct Run {
        var letters: [UInt8]
        var lengths: ClosedRange<Int>

        var pattern: String {
            let count = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound),\(lengths.upperBound)"
            return "[\(IDForm.letterClass(letters))]{\(count)}"
        }
    }

    /// Tries strings as ids of a type.
    static func of<ID: Identifier>(_ type: ID.Type) throws -> IDForm {
        func takes(_ text: String) -> Bool { ID(rawValue: text) != nil }
        let run = try run("\(type)") { takes($0) }
        let marks = (0...0x7F).filter { !run.letters.contains($0) && takes("a\(letter($0))a") }
        guard let mark = marks.first else { return IDForm(pattern: "^\(run.pattern)$", lengths: run.lengths) }
        guard marks.count == 1 else { throw Missing("\(type) joins two ids in several ways: \(marks.map(letter))") }
        // Two ids with a separator, as in the id of a 1-on-1.
        let half = try Self.run("half of a \(type)") { takes("\($0)\(letter(mark))\($0)") }
        let pair = "\(half.pattern)\(letter(mark))\(half.pattern)"
        let least = min(run.lengths.lowerBound, half.lengths.lowerBound * 2 + 1)
        let most = max(run.lengths.upperBound, half.lengths.upperBound * 2 + 1)
        return IDForm(pattern: "^(?:\(run.pattern)|\(pair))$", lengths: least...most)
    }

    /// The length in bytes of a frame's id that need not be a transID.
    static func frameIDLengths() throws -> ClosedRange<Int> {
        try lengths("the id of a frame") { id in
            let frame = JSONTree.object(["id": .string(id), "cmd": .string(GetUnread.name)])
            return (try? WireCodec.decodeClientFrame(Array(frame.text().utf8))) != nil
        }
    }

    private static func letter(_ byte: UInt8) -> String { String(UnicodeScalar(byte)) }

    private static func lengths(_ what: String, _ takes: (String) -> Bool) throws -> ClosedRange<Int> {
        let lengths = (0...maxBytes).filter { takes(String(repeating: "a", count: $0)) }
        guard let first = lengths.first, let last = lengths.last, last < maxBytes,
            lengths.count == last - first + 1
        else { throw Missing("\(what) has no bounds of its length: \(lengths)") }
        return first...last
    }

    private static func run(_ what: String, _ takes: (String) -> Bool) throws -> Run {
        let lengths = try lengths(what, takes)
        func repeated(_ letter: String) -> Bool { takes(String(repeating: letter, count: lengths.lowerBound)) }
        guard !repeated("\u{E9}") else { throw Missing("\(what) takes letters that are not ASCII") }
        return Run(letters: (0...0x7F).filter { repeated(letter($0)) }, lengths: lengths)
    }

    /// The contents of a character class: ranges of digits and letters, `-` at the end.
    private static func letterClass(_ letters: [UInt8]) -> String {
        func kind(_ byte: UInt8) -> Int {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): 2
            case UInt8(ascii: "a")...UInt8(ascii: "z"): 3
            default: 0
            }
        }
        var text = ""
        var rest = letters[...]
        while let first = rest.first {
            var last = first
            while kind(first) != 0, rest.contains(last + 1), kind(last + 1) == kind(first) { last += 1 }
            rest = rest.drop { $0 <= last }
            if first == last {
                if first != UInt8(ascii: "-") { text += (#"\]^"#.utf8.contains(first) ? #"\"# : "") + letter(first) }
            } else {
                text += letter(first) + "-" + letter(last)
            }
        }
        return text + (letters.contains(UInt8(ascii: "-")) ? "-" : "")
    }
}
