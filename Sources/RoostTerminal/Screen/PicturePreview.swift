package import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a terminal shows a picture.
package enum PicturePreview: String, CaseIterable, Sendable {
    /// The graphics protocol of kitty; it takes PNG.
    case kitty
    /// The inline images of iTerm2.
    case iterm
    /// Half blocks in colour, from the BlurHash.
    case blocks
    /// Not at all.
    case none

    /// The best way for a terminal by its environment; none without a terminal or colours. Nothing is asked of the
    /// terminal.
    package init(environment: [String: String], isTerminal: Bool) {
        let kind = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? ""
        let isMultiplexed = ["screen", "tmux"].contains { kind.hasPrefix($0) } || environment["TMUX"] != nil
        if !isTerminal || kind.isEmpty || kind == "dumb" || environment["NO_COLOR"]?.isEmpty == false {
            self = .none
        } else if isMultiplexed {
            self = .blocks
        } else if environment["KITTY_WINDOW_ID"] != nil || kind == "xterm-kitty" || kind == "xterm-ghostty" {
            self = .kitty
        } else if program == "iTerm.app" || program == "WezTerm" {
            self = .iterm
        } else {
            self = .blocks
        }
    }

    /// Whether a terminal shows 24-bit colours by its environment; otherwise it is given its palette of 256.
    package static func hasTrueColors(environment: [String: String]) -> Bool {
        ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    }

    /// Whether bytes are a PNG by their signature.
    package static func isPNG(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// The sequence that shows a PNG of any size in kitty, 32 columns wide.
    package static func kitty(png: [UInt8]) -> [UInt8] {
        let text = Array(Data(png).base64EncodedString().utf8)
        var output: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + 4_096, text.count)
            let head = start == 0 ? "a=T,f=100,q=2,c=\(columns)," : ""
            output += Array("\u{1B}_G\(head)m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end]
            output += Array("\u{1B}\\".utf8)
            start = end
        } while start < text.count
        return output + [0x0A]
    }

    /// The sequence that shows a picture of any format in iTerm2, 32 columns wide.
    package static func iterm(_ bytes: [UInt8]) -> [UInt8] {
        let head = "\u{1B}]1337;File=inline=1;size=\(bytes.count);width=\(columns);preserveAspectRatio=1:"
        return Array((head + Data(bytes).base64EncodedString() + "\u{07}\n").utf8)
    }

    /// The lines of half blocks that show a BlurHash; empty if it is not one.
    package static func blocks(_ hash: BlurHash, hasTrueColors: Bool) -> [UInt8] {
        var output = ""
        for line in lines(of: hash) {
            for halves in line { output += "\u{1B}[0;\(halves.codes(hasTrueColors: hasTrueColors))m▀" }
            output += "\u{1B}[0m\n"
        }
        return Array(output.utf8)
    }

    /// The size of a picture of half blocks, in columns and lines.
    static let (columns, rows) = (32, 8)

    /// A BlurHash as half blocks, cut to a width in columns.
    static func lines(of hash: BlurHash, width: Int = columns) -> [[Style.Halves]] {
        let pixels = hash.pixels(width: columns, height: rows * 2)
        return stride(from: 0, to: pixels.count - 1, by: 2).map { row in
            zip(pixels[row], pixels[row + 1]).prefix(max(0, width)).map { Style.Halves(upper: $0, lower: $1) }
        }
    }
}

extension FileReference {
    /// Its name, duration and size, such as `roof.mp4, 0:12, 2.4 MB`, with no control characters; nil if none is known.
    package var line: String? {
        let parts = [name.map(Printable.safe), durationMs.map(Printable.duration), size.map(Printable.size)]
            .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Printable {
    /// Formats a duration in ms for people, such as `0:07`, `12:30` or `1:02:03`.
    package static func duration(_ ms: Int64) -> String {
        let seconds = max(0, ms) / 1_000 + (max(0, ms) % 1_000 >= 500 ? 1 : 0)
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":" + padded(seconds % 60)
    }

    /// Formats a size in bytes for people, such as `2.4 MB`; a kB has 1,000 bytes.
    package static func size(_ bytes: Int64) -> String {
        var (unit, tenths) = (0, Double(max(0, bytes)))
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
        guard tenths >= 1_000 else { return bytes == 1 ? "1 byte" : "\(max(0, bytes)) bytes" }
        // Rounding must not show 1000 of a unit.
        while unit + 1 < units.count, tenths >= 999.5 {
            tenths /= 1_000
            unit += 1
        }
        if tenths >= 9.95 { return "\(Int(tenths.rounded())) \(units[unit])" }
        let rounded = Int((tenths * 10).rounded())
        return "\(rounded / 10)\(rounded % 10 == 0 ? "" : ".\(rounded % 10)") \(units[unit])"
    }
}
