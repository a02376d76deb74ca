#if os(Linux)
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The work on one picture; it blocks its thread.
    struct PictureJob {
        let file: String
        /// Its working folder.
        let folder: String
        /// The part of libvips that reads pictures of this type.
        let loader: String
        let tools: PictureTools
        let end: ContinuousClock.Instant

        /// - Throws: `FileStoreError` with the reason if the picture cannot be read.
        func run() throws(FileStoreError) -> Thumbnailer.Finding {
            let header = try PictureHeader(
                output(tools.header(of: file, in: folder, until: end), "its header"), hasMetadata: true)
            guard header.loader == loader else {
                throw FileStoreError(.unavailable, "its header is one for \(header.loader)")
            }
            if let problem = Thumbnailer.problem(width: header.width, height: header.height, frames: header.frames) {
                return .refused(problem)
            }
            var facts = PictureFacts(width: header.width, height: header.height)
            if header.isTurned { swap(&facts.width, &facts.height) }
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
            let small = "small.ppm"
            _ = try output(tools.squeeze(file, made: made, to: small, in: folder, until: end), "its pixels")
            facts.blurHash = try blurHash(folder + "/" + small)
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

        /// Reads a picture in the form "portable pixmap": `P6`, width, height and 255, then the bytes.
        private func blurHash(_ path: String) throws(FileStoreError) -> String? {
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
