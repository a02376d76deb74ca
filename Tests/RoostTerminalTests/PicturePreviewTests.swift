import Foundation
import RoostTerminal
import RoostWire
import Testing

/// Pictures in a terminal.
@Suite struct PicturePreviewTests {
    private static let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a BlurHash becomes the pixels that every decoder computes`() throws {
        let pixels = try #require(BlurHash(Self.hash)).pixels(width: 32, height: 16)
        #expect(pixels.count == 16 && pixels.allSatisfy { $0.count == 32 })
        let expected = [
            (0, 0, 135, 164, 177), (31, 0, 137, 166, 181), (16, 8, 158, 125, 108), (31, 15, 132, 142, 147),
            (0, 15, 135, 144, 147),
        ]
        for (x, y, red, green, blue) in expected {
            let pixel = pixels[y][x]
            // Decoders differ by one because of rounding.
            #expect(abs(Int(pixel.red) - red) <= 1)
            #expect(abs(Int(pixel.green) - green) <= 1)
            #expect(abs(Int(pixel.blue) - blue) <= 1)
        }
        let plain = try #require(BlurHash("00TNoS")).pixels(width: 2, height: 1)
        #expect(plain == [Array(repeating: Pixel(red: 255, green: 128, blue: 0), count: 2)])
        #expect(try #require(BlurHash(Self.hash)).pixels(width: 0, height: 1_000_000).isEmpty)
    }

    @Test func `what is no BlurHash is refused`() {
        let wrong = [
            "", "0", "00TSU", "00TSUB", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj",
            "00TS\u{1B}A", "00TSÜA", "~0TSUA", "20TSUA~~", String(repeating: "~", count: 100_000),
        ]
        for text in wrong { #expect(BlurHash(text) == nil, "\(text.prefix(40))") }
    }

    @Test func `half blocks have the colours that the terminal can show`() throws {
        let hash = try #require(BlurHash("00TNoS"))
        let full = text(PicturePreview.blocks(hash, hasTrueColors: true)).split(separator: "\n")
        #expect(full.count == 8)
        let block = "\u{1B}[0;38;2;255;128;0;48;2;255;128;0m▀"
        #expect(full.allSatisfy { $0 == String(repeating: block, count: 32) + "\u{1B}[0m" })
        let few = text(PicturePreview.blocks(hash, hasTrueColors: false))
        #expect(few.hasPrefix("\u{1B}[0;38;5;208;48;5;208m▀"))
    }

    @Test func `kitty gets a PNG in parts, iTerm2 any picture in one`() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 5_000)
        #expect(PicturePreview.isPNG(png) && !PicturePreview.isPNG([0xFF, 0xD8]))
        let parts = text(PicturePreview.kitty(png: png)).components(separatedBy: "\u{1B}\\")
        #expect(parts.count == 3 && parts.last == "\n")
        let first = "\u{1B}_Ga=T,f=100,q=2,c=32,m=1;"
        #expect(parts[0].hasPrefix(first) && parts[0].utf8.count == first.utf8.count + 4_096)
        #expect(parts[1].hasPrefix("\u{1B}_Gm=0;"))
        let sent = parts[0].dropFirst(first.count) + parts[1].dropFirst("\u{1B}_Gm=0;".count)
        #expect(Data(base64Encoded: String(sent)) == Data(png))
        #expect(
            text(PicturePreview.iterm([1, 2, 3]))
                == "\u{1B}]1337;File=inline=1;size=3;width=32;preserveAspectRatio=1:AQID\u{07}\n")
    }

    @Test func `the environment decides how pictures are shown`() {
        func choice(_ environment: [String: String], isTerminal: Bool = true) -> PicturePreview {
            PicturePreview(
                environment: environment.merging(["TERM": "xterm-256color"]) { own, _ in own },
                isTerminal: isTerminal)
        }
        #expect(choice(["KITTY_WINDOW_ID": "1"]) == .kitty)
        #expect(choice(["TERM": "xterm-kitty"]) == .kitty)
        #expect(choice(["TERM_PROGRAM": "iTerm.app"]) == .iterm)
        #expect(choice([:]) == .blocks)
        #expect(choice(["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"]) == .blocks)
        #expect(choice(["TERM": "dumb"]) == .none)
        #expect(choice(["NO_COLOR": "1", "KITTY_WINDOW_ID": "1"]) == .none)
        #expect(choice(["KITTY_WINDOW_ID": "1"], isTerminal: false) == .none)
        #expect(PicturePreview.hasTrueColors(environment: ["COLORTERM": "truecolor"]))
        #expect(!PicturePreview.hasTrueColors(environment: [:]))
    }

    @Test func `a file is shown with its name and a size that people read, without control characters`() {
        let sizes: [Int64: String] = [
            -1: "0 bytes", 0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1_000: "1 kB", 1_549: "1.5 kB",
            9_949: "9.9 kB", 9_960: "10 kB", 300_000: "300 kB", 999_499: "999 kB", 999_500: "1 MB",
            2_400_000: "2.4 MB", .max: "9.2 EB",
        ]
        for (bytes, text) in sizes { #expect(Printable.size(bytes) == text) }
        let durations: [(Int64, String)] = [
            (-1, "0:00"), (499, "0:00"), (59_500, "1:00"), (754_000, "12:34"), (3_723_000, "1:02:03"),
            (.max, "2562047788015:12:56"),
        ]
        for (ms, text) in durations { #expect(Printable.duration(ms) == text) }
        let file = FileReference(fileID: "f", name: "a\u{1B}[2J\u{202E}b.jpg", size: 2_400_000)
        #expect(file.line == "a\u{FFFD}[2J\u{FFFD}b.jpg, 2.4 MB")
        #expect(FileReference(fileID: "f").line == nil)
    }
}
