/// Pictures for tests, written by hand.
package enum SamplePicture {
    /// A PNG with a gradient, or with a transparent one.
    package static func png(width: Int, height: Int, hasAlpha: Bool = false) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let pixel = [x * 255 / max(1, width - 1), y * 255 / max(1, height - 1), (x ^ y) & 0xFF, (x + y) & 0xFF]
                rows += pixel.prefix(hasAlpha ? 4 : 3).map { UInt8($0) }
            }
        }
        return png(width: width, height: height, colour: hasAlpha ? 6 : 2, data: zlib(rows))
    }

    /// A PNG with any header.
    /// - Parameters:
    ///   - colour: 2 for RGB, 6 for RGB with transparency.
    ///   - data: the compressed rows.
    ///   - extra: chunks before the rows.
    package static func png(
        width: Int, height: Int, depth: UInt8 = 8, colour: UInt8 = 2, isInterlaced: Bool = false, data: [UInt8],
        extra: [UInt8] = []
    ) -> [UInt8] {
        let header = bigEndian(width) + bigEndian(height) + [depth, colour, 0, 0, isInterlaced ? 1 : 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + extra + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    /// A chunk of a PNG.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + data
        return bigEndian(data.count) + named + bigEndian(Int(crc(named)))
    }

    /// A zlib stream with these bytes, not compressed.
    package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, rest) = ([UInt8]([0x78, 0x01]), bytes[...])
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for part in [size, ~size] { stream += [UInt8(part & 0xFF), UInt8(part >> 8)] }
            stream += block
        } while !rest.isEmpty
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + bigEndian(high << 16 | low)
    }

    /// A zlib stream with this many zeros, compressed to less than a hundredth.
    package static func zlib(zeros count: Int) -> [UInt8] {
        var (stream, bits, length) = ([UInt8]([0x78, 0x01]), 0, 0)
        func add(_ value: Int, _ width: Int, mostFirst: Bool) {
            for index in 0..<width {
                let bit = mostFirst ? value >> (width - 1 - index) & 1 : value >> index & 1
                bits |= bit << length
                length += 1
                if length == 8 {
                    stream.append(UInt8(bits))
                    (bits, length) = (0, 0)
                }
            }
        }
        // One block with the fixed codes: a zero, and then the same again, 258 at a time.
        add(0b1, 1, mostFirst: false)
        add(0b01, 2, mostFirst: false)
        let repeats = (count - 1) / 258
        for _ in 0..<(count - repeats * 258) { add(0x30, 8, mostFirst: true) }
        for _ in 0..<repeats {
            add(0b1100_0101, 8, mostFirst: true)
            add(0, 5, mostFirst: true)
        }
        add(0, 7, mostFirst: true)
        if length > 0 { stream.append(UInt8(bits)) }
        return stream + bigEndian(count % 65_521 << 16 | 1)
    }

    /// A GIF with frames of one pixel, or of any claimed size.
    package static func gif(width: Int = 1, height: Int = 1, frames: Int, frameWidth: Int? = nil) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
        var bytes = Array("GIF89a".utf8) + little(width) + little(height) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let side = frameWidth.map(little) ?? [1, 0]
        for _ in 0..<frames {
            bytes += [0x21, 0xF9, 4, 0, 1, 0, 0, 0, 0x2C, 0, 0, 0, 0] + side + side + [0, 2, 2, 0x44, 0x01, 0]
        }
        return bytes + [0x3B]
    }

    /// A JPEG with the place and the position of the camera, and a description.
    /// - Parameter orientation: 1 to 8; with 6, the picture has to be turned by a quarter to the right.
    package static func jpeg(_ jpeg: [UInt8], orientation: Int, description: String) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            little(tag, 2) + little(type, 2) + little(count, 4) + value
        }
        let text = Array(description.utf8) + [0]
        let places = (first: 8, gps: 8 + 2 + 3 * 12 + 4, text: 8 + 2 + 3 * 12 + 4 + 2 + 2 * 12 + 4)
        let latitude = places.text + text.count
        var tiff = Array("II*\0".utf8) + little(places.first, 4) + little(3, 2)
        tiff += entry(0x010E, 2, text.count, little(places.text, 4))
        tiff += entry(0x0112, 3, 1, little(orientation, 4))
        tiff += entry(0x8825, 4, 1, little(places.gps, 4)) + little(0, 4) + little(2, 2)
        tiff += entry(1, 2, 2, Array("N\0\0\0".utf8))
        tiff += entry(2, 5, 3, little(latitude, 4)) + little(0, 4) + text
        for number in [47, 1, 22, 1, 33, 1] { tiff += little(number, 4) }
        let exif = Array("Exif\0\0".utf8) + tiff
        let size = exif.count + 2
        return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + exif + jpeg.dropFirst(2)
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}

// iOS has no `Process`.
#if os(macOS) || os(Linux)
    import Foundation

    extension SamplePicture {
        /// Whether libvips is installed.
        package static var hasVips: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/vips") }

        /// Converts a picture with libvips: the name of the result says into what, and with which options.
        package static func converted(_ bytes: [UInt8], to name: String, in folder: TemporaryFolder) throws -> [UInt8] {
            let (source, target) = (
                folder.path + "/source", folder.path + "/" + (name.split(separator: "[").first ?? "")
            )
            try Data(bytes).write(to: URL(fileURLWithPath: source))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/vips")
            process.arguments = ["copy", source, folder.path + "/" + name]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return Array(try Data(contentsOf: URL(fileURLWithPath: target)))
        }
    }

    /// Videos for tests, made by ffmpeg.
    package enum SampleVideo {
        /// Whether ffmpeg is installed.
        package static var hasFFmpeg: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") }

        /// Makes a video.
        /// - Parameters:
        ///   - options: those of ffmpeg for the result.
        ///   - source: a source of pictures in ffmpeg's words.
        ///   - name: the name of the result, which says what it is.
        package static func make(
            _ options: [String], of source: String = "testsrc2=size=1280x720:rate=10:duration=2", to name: String,
            in folder: TemporaryFolder
        ) throws -> [UInt8] {
            let target = folder.path + "/" + name
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
            process.arguments =
                ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source] + options
                + ["-pix_fmt", "yuv420p", target]
            try process.run()
            process.waitUntilExit()
            return Array(try Data(contentsOf: URL(fileURLWithPath: target)))
        }
    }
#endif
