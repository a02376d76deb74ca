import Foundation
import RoostTesting

/// A file that is made to do harm to what reads it.
struct Bomb {
    let name: String
    let bytes: [UInt8]
    /// The type that is claimed.
    let type: String?
    /// Whether it has to be kept without being shown: as bytes of any type, or as a picture of which only the size is known.
    var isOnlyKept = false

    init(_ name: String, _ bytes: [UInt8], _ type: String? = nil, isOnlyKept: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.type = type
        self.isOnlyKept = isOnlyKept
    }

    /// All of them. Those that need a valid picture of another type than PNG and GIF are there if libvips is installed.
    static func all(in folder: TemporaryFolder) throws -> [Bomb] {
        var bombs = floods() + compressed() + animations() + strangers()
        let png = SamplePicture.png(width: 300, height: 200)
        var valid = [("png", png), ("gif", SamplePicture.gif(width: 8, height: 8, frames: 20, frameWidth: 1))]
        if SamplePicture.hasVips {
            for name in [
                "a.jpg", "progressive.jpg[interlace]", "a.webp", "a.heic[compression=hevc]", "a.avif[compression=av1]",
            ] {
                valid.append((name, try SamplePicture.converted(png, to: name, in: folder)))
            }
        }
        if SampleVideo.hasFFmpeg {
            let source = "testsrc2=size=320x240:rate=10:duration=1"
            for (name, options) in [
                ("a.mp4", ["-c:v", "libx264", "-preset", "ultrafast"]), ("b.webm", ["-c:v", "libvpx"]),
            ] {
                valid.append((name, try SampleVideo.make(options, of: source, to: name, in: folder)))
            }
        }
        for (name, bytes) in valid { bombs += broken(name, bytes) + claims(name, bytes) }
        return bombs
    }

    /// Headers that claim more pixels than there are.
    private static func floods() -> [Bomb] {
        let data = SamplePicture.zlib(zeros: 4_000)
        let sides = [
            (50_000, 50_000), (10_001, 10_000), (100_000, 1), (1, 16_385), (16_384, 16_384), (999_999, 999_999),
        ]
        var bombs = sides.map { width, height in
            Bomb(
                "\(width)x\(height).png", SamplePicture.png(width: width, height: height, data: data), "image/png",
                isOnlyKept: true)
        }
        for (width, height) in [(Int(Int32.max), Int(Int32.max)), (Int(UInt32.max), 1), (0, 0), (0, 10)] {
            bombs.append(Bomb("\(width)x\(height).png", SamplePicture.png(width: width, height: height, data: data)))
        }
        for side in [1, 65_535] {
            bombs.append(
                Bomb("frame-\(side).gif", SamplePicture.gif(width: side, height: side, frames: 1, frameWidth: 65_535)))
        }
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        func webp(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + little(data.count + 12, 4) + Array("WEBP\(chunk)".utf8) + little(data.count, 4) + data
        }
        bombs.append(Bomb("canvas.webp", webp("VP8X", [0x10, 0, 0, 0] + little(0xFFFFFF, 3) + little(0xFFFFFF, 3))))
        bombs.append(Bomb("lossy.webp", webp("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F] + data)))
        bombs.append(Bomb("lossless.webp", webp("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x0F] + data)))
        return bombs
    }

    /// Few bytes that become many.
    private static func compressed() -> [Bomb] {
        let zeros = SamplePicture.zlib(zeros: 100_000_000)
        let text = Array("note\0\0".utf8) + zeros
        let row = SamplePicture.zlib(zeros: 700 * (700 * 3 + 1))
        func png(_ extra: [UInt8]) -> [UInt8] { SamplePicture.png(width: 700, height: 700, data: row, extra: extra) }
        // Large ones, within the limits of a picture.
        let side = 6_324
        let deep = SamplePicture.zlib(zeros: side * (side * 8 + 1))
        let plain = SamplePicture.zlib(zeros: side * (side * 3 + 1))
        return [
            Bomb("profile.png", png(SamplePicture.chunk("iCCP", Array("icc\0\0".utf8) + zeros))),
            Bomb("text.png", png(SamplePicture.chunk("zTXt", text))),
            Bomb("international.png", png(SamplePicture.chunk("iTXt", Array("note\0\u{1}\0\0\0".utf8) + zeros))),
            Bomb("texts.png", png((0..<2_000).flatMap { _ in SamplePicture.chunk("tEXt", Array("a\0b".utf8)) })),
            Bomb("large.png", SamplePicture.png(width: side, height: side, data: plain)),
            Bomb("deep.png", SamplePicture.png(width: side, height: side, depth: 16, colour: 6, data: deep)),
            Bomb(
                "interlaced.png",
                SamplePicture.png(width: side, height: side, depth: 16, colour: 6, isInterlaced: true, data: deep)),
            Bomb("more.png", SamplePicture.png(width: 9, height: 9, data: zeros)),
            Bomb("gzip.png", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + zeros.dropFirst(2), "image/png", isOnlyKept: true),
            Bomb("zip.jpg", Array("PK\u{3}\u{4}".utf8) + zeros, "image/jpeg", isOnlyKept: true),
        ]
    }

    private static func animations() -> [Bomb] {
        [
            Bomb("201.gif", SamplePicture.gif(frames: 201), isOnlyKept: true),
            Bomb("20000.gif", SamplePicture.gif(frames: 20_000), isOnlyKept: true),
            Bomb("canvas.gif", SamplePicture.gif(width: 6_000, height: 6_000, frames: 200)),
            Bomb(
                "endless.gif",
                Array(SamplePicture.gif(frames: 100).dropLast()) + [UInt8](repeating: 0x21, count: 100_000)),
        ]
    }

    /// Files that are not what they are called.
    private static func strangers() -> [Bomb] {
        let png = SamplePicture.png(width: 30, height: 20)
        let page = Array("<html><script>alert(1)</script>".utf8)
        func svg(_ body: String, _ attributes: String = "") -> [UInt8] {
            Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(body)</svg>".utf8)
        }
        let entities = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
        let laughs = Array("<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY a0 \"ha\">\(entities)]>".utf8) + svg("&a9;")
        let files = [
            ("huge.svg", svg("", "width=\"1e9\" height=\"1e9\"")), ("laughs.svg", laughs),
            ("outside.svg", svg("<image href=\"file:///etc/passwd\"/><image href=\"http://127.0.0.1:1/\"/>")),
        ]
        var bombs = files.flatMap { name, bytes in
            [Bomb(name, bytes, "image/svg+xml"), Bomb(name, bytes, "image/png", isOnlyKept: true)]
        }
        bombs += [
            Bomb("empty.png", [], "image/png", isOnlyKept: true), Bomb("empty", []), Bomb("one.png", [0x89]),
            Bomb("one.jpg", [0xFF], "image/jpeg", isOnlyKept: true), Bomb("signature.png", Array(png.prefix(8))),
            Bomb("signature.jpg", [0xFF, 0xD8, 0xFF]), Bomb("signature.gif", Array("GIF89a".utf8)),
            Bomb("signature.webp", Array("RIFF\0\0\0\0WEBP".utf8)),
            Bomb("signature.heic", Array("\0\0\0\u{18}ftypheic".utf8)),
            Bomb("box.avif", Array("\0\0\0\u{18}ftypavif".utf8) + [UInt8](repeating: 0xFF, count: 500)),
            Bomb("page.png", page, "image/png", isOnlyKept: true),
            Bomb("png.pdf", png, "application/pdf", isOnlyKept: true),
            Bomb("polyglot.png", png + Array("PK\u{3}\u{4}".utf8) + page),
            Bomb("polyglot.gif", Array("GIF89a/*".utf8) + page),
            Bomb("text.png", Array("#!/bin/sh\nexit\n".utf8), "image/png", isOnlyKept: true),
            Bomb("matrix.png", Array("2 2\n1 2\n3 4\n".utf8), "image/png", isOnlyKept: true),
            Bomb("postscript.jpg", Array("%!PS-Adobe-3.0\n(%pipe%id) run\n".utf8), "image/jpeg", isOnlyKept: true),
            Bomb(
                "magick.jpg", Array("push graphic-context\nfill 'url(https://127.0.0.1/|ls)'".utf8), "image/jpeg",
                isOnlyKept: true),
        ]
        return bombs
    }

    /// A valid picture that was cut off, and such with random changes.
    private static func broken(_ name: String, _ bytes: [UInt8]) -> [Bomb] {
        var random = SeededNumbers(for: name)
        var bombs = [30, bytes.count / 10, bytes.count / 2, bytes.count - 1].map { count in
            Bomb("\(count)-\(name)", Array(bytes.prefix(count)))
        }
        for number in 0..<8 {
            var changed = bytes
            for _ in 0...(number * number) {
                changed[Int.random(in: 12..<changed.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            bombs.append(Bomb("changed-\(number)-\(name)", changed))
        }
        return bombs
    }

    /// A valid picture with other sizes in its header, or with the same part over and over.
    private static func claims(_ name: String, _ bytes: [UInt8]) -> [Bomb] {
        var bombs: [Bomb] = []
        func replaced(_ offset: Int, _ sides: [UInt8]) -> [UInt8] {
            var changed = bytes
            changed.replaceSubrange(offset..<(offset + sides.count), with: sides)
            return changed
        }
        if let frame = bytes.indices.dropLast(9).first(where: {
            bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1])
        }),
            name.contains("jpg")
        {
            bombs.append(Bomb("60000-\(name)", replaced(frame + 5, [0xEA, 0x60, 0xEA, 0x60]), isOnlyKept: true))
            bombs.append(Bomb("65535-\(name)", replaced(frame + 5, [0xFF, 0xFF, 0xFF, 0xFF])))
            bombs.append(Bomb("6000-\(name)", replaced(frame + 5, [0x17, 0x70, 0x17, 0x70])))
        }
        if name.hasPrefix("progressive"),
            let scan = bytes.indices.dropLast().last(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        {
            let part = bytes[scan..<(bytes.count - 2)]
            let scans = (0..<min(100_000, 4_000_000 / part.count)).flatMap { _ in part }
            bombs.append(Bomb("scans-\(name)", bytes.prefix(scan) + scans + [0xFF, 0xD9]))
        }
        if let size = bytes.indices.dropLast(16).first(where: { bytes[$0...].starts(with: "ispe".utf8) }) {
            bombs.append(Bomb("size-\(name)", replaced(size + 8, [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])))
        }
        return bombs
    }
}
