#if os(Linux)
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The work on one picture or video; it blocks its thread.
    struct PictureJob {
        let file: String
        /// Its working folder.
        let folder: String
        let tools: PictureTools
        let end: ContinuousClock.Instant

        /// - Parameters:
        ///   - loader: the part of libvips that reads pictures of this type.
        ///   - isOver: called with the limit that the picture exceeds, if there is one.
        /// - Throws: `FileStoreError` with the reason if the picture cannot be read.
        func look(
            atPicture loader: String, isOver: (String) -> Void
        ) throws(FileStoreError) -> Thumbnailer.Finding {
            let header = try PictureHeader(
                output(tools.header(of: file, in: folder, until: end), "its header"), hasMetadata: true)
            guard header.loader == loader else {
                throw FileStoreError(.unavailable, "its header is one for \(header.loader)")
            }
            var facts = PictureFacts(width: header.width, height: header.height)
            if header.isTurned { swap(&facts.width, &facts.height) }
            if let problem = Thumbnailer.problem(width: header.width, height: header.height, frames: header.frames) {
                // Its pixels are not read. Its size is known from the header.
                isOver(problem)
                return max(facts.width, facts.height) <= Thumbnailer.maxReported ? .facts(facts) : .unknown
            }
            let bytes = try LocalFile.status(of: file)?.size ?? 0
            var made: String?
            if !Thumbnailer.isSmall(width: facts.width, height: facts.height, bytes: bytes) {
                // JPEG has no transparency; WebP has.
                let (name, type, options) =
                    header.hasAlpha
                    ? ("thumbnail.webp", "image/webp", "[Q=75,strip]")
                    : ("thumbnail.jpg", "image/jpeg", "[Q=80,strip,optimize_coding]")
                _ = try output(tools.shrink(file, to: name + options, in: folder, until: end), "its pixels")
                facts.thumbnail = try thumbnail(name, type)
                made = name
            }
            facts.blurHash = try blurHash(made: made)
            return .facts(facts)
        }

        /// - Parameter demuxer: the part of ffmpeg that reads videos of this type.
        /// - Throws: `FileStoreError` with the reason if the video cannot be read.
        func look(atVideo demuxer: String) throws(FileStoreError) -> Thumbnailer.Finding {
            var facts = try VideoDescription(
                output(tools.describe(file, demuxer, in: folder, until: end), "its description")
            ).facts
            let name = "thumbnail.jpg"
            _ = try output(tools.poster(of: file, demuxer, to: name, in: folder, until: end), "its frames")
            facts.thumbnail = try thumbnail(name, "image/jpeg")
            facts.blurHash = try blurHash(made: name)
            return .facts(facts)
        }

        private func output(_ ending: HelperProcess.Ending, _ what: String) throws(FileStoreError) -> [UInt8] {
            if ending.isDone { return ending.output }
            let reason = ending.isLate ? "it took too long" : ending.complaint
            throw FileStoreError(.unavailable, "\(what) cannot be read: \(reason)")
        }

        private func thumbnail(_ name: String, _ type: String) throws(FileStoreError) -> PictureFacts.Thumbnail {
            let path = folder + "/" + name
            let size = try PictureHeader(
                output(tools.size(of: name, in: folder, until: end), "its thumbnail"), hasMetadata: false)
            let (hash, head) = try UploadSpool.digest(at: path)
            // A program that a picture has taken over could write anything.
            guard FileSignatures.find(in: head) == .type(type), let status = try LocalFile.status(of: path) else {
                throw FileStoreError(.unavailable, "its thumbnail is no picture")
            }
            return PictureFacts.Thumbnail(
                path: path, size: status.size, hash: hash, contentType: type, width: size.width, height: size.height)
        }

        /// The BlurHash of the picture, or of one in the working folder.
        private func blurHash(made: String?) throws(FileStoreError) -> String? {
            let small = "small.ppm"
            _ = try output(tools.squeeze(file, made: made, to: small, in: folder, until: end), "its pixels")
            // It has the form "portable pixmap": `P6`, width, height and 255, then the bytes.
            let path = folder + "/" + small
            let bytes = try LocalFile.open(path, O_RDONLY | O_NONBLOCK) { descriptor throws(FileStoreError) in
                Array(try LocalFile.read(8_192, at: 0, descriptor, path).readableBytesView)
            }
            let pixels = bytes.suffix(32 * 32 * 3)
            let lines = bytes.dropLast(pixels.count).split(separator: UInt8(ascii: "\n")).filter {
                $0.first != UInt8(ascii: "#")
            }
            guard lines.map({ String(decoding: $0, as: UTF8.self) }) == ["P6", "32 32", "255"] else { return nil }
            return BlurHash.encode(width: 32, height: 32, rgb: Array(pixels))
        }
    }

    /// What `ffprobe` says about a video: a line each for `width`, `height`, `rotation` and `duration`, all numbers.
    struct VideoDescription {
        let facts: PictureFacts

        init(_ output: [UInt8]) throws(FileStoreError) {
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
            func number(_ name: String) -> Double? {
                lines.first { $0.hasPrefix(name + "=") }.flatMap { Double($0.dropFirst(name.count + 1)) }
            }
            guard let width = number("width").flatMap({ Int(exactly: $0) }), width > 0,
                let height = number("height").flatMap({ Int(exactly: $0) }), height > 0,
                Thumbnailer.problem(width: width, height: height, frames: 1) == nil
            else { throw FileStoreError(.unavailable, "it has no pictures, or too large ones") }
            let isTurned = abs(number("rotation") ?? 0).truncatingRemainder(dividingBy: 180) == 90
            var facts = PictureFacts(width: isTurned ? height : width, height: isTurned ? width : height)
            if let seconds = number("duration"), seconds >= 0, seconds < 1e9 {
                facts.durationMs = Int64((seconds * 1_000).rounded())
            }
            self.facts = facts
        }
    }

    /// What `vipsheader` says about a picture.
    ///
    /// Its first line is `name: 4000x3000 uchar, 3 bands, srgb, jpegload`. The others may contain anything that is in the
    /// picture, so nothing that protects the server is taken from them.
    struct PictureHeader {
        var width: Int
        var height: Int
        var hasAlpha: Bool
        var loader: String
        var frames = 1
        /// Whether it has to be turned by a quarter to be shown.
        var isTurned = false

        init(_ output: [UInt8], hasMetadata: Bool) throws(FileStoreError) {
            let lines = output.split(separator: UInt8(ascii: "\n"))
            let first = String(decoding: lines.first ?? [], as: UTF8.self)
            let parts = first.split(separator: " ").map { $0.filter { $0 != "," } }
            let sides = parts.count == 7 ? parts[1].split(separator: "x").compactMap { Int($0) } : []
            guard sides.count == 2, sides[0] > 0, sides[1] > 0, let bands = Int(parts[3]) else {
                throw FileStoreError(.unavailable, "it has no size")
            }
            (width, height, loader) = (sides[0], sides[1], parts[6])
            hasAlpha = bands == 2 || bands > 3 && parts[5] != "cmyk"
            guard hasMetadata else { return }
            func number(_ name: String) -> Int? {
                lines.dropFirst().lazy.map { String(decoding: $0, as: UTF8.self) }.first { $0.hasPrefix(name) }
                    .flatMap { Int($0.dropFirst(name.count)) }
            }
            frames = number("n-pages: ") ?? 1
            isTurned = (5...8).contains(number("orientation: ") ?? 1)
        }
    }
#endif
