/// The media type of bytes, by the signature at their beginning.
package enum FileSignatures {
    /// What the beginning of the bytes says.
    package enum Finding: Hashable, Sendable {
        /// It is the signature of this media type.
        case type(String)
        /// It is text, of any kind.
        case text
        /// It is no signature that is known here.
        case unknown
    }

    /// A signature: bytes at an offset, and perhaps others at a second one.
    private struct Signature {
        var type: String
        var parts: [(offset: Int, bytes: [UInt8])]

        init(_ type: String, _ bytes: [UInt8], at offset: Int = 0, and more: (offset: Int, text: String)? = nil) {
            self.type = type
            parts = [(offset, bytes)] + (more.map { [($0.offset, Array($0.text.utf8))] } ?? [])
        }

        init(_ type: String, _ text: String, at offset: Int = 0, and more: (offset: Int, text: String)? = nil) {
            self.init(type, Array(text.utf8), at: offset, and: more)
        }

        func matches(_ head: [UInt8]) -> Bool {
            parts.allSatisfy { part in head.dropFirst(part.offset).starts(with: part.bytes) }
        }
    }

    // The first match counts. Sources: the registrations of the media types, and the formats' own specifications.
    private static let all: [Signature] = [
        Signature("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("image/jpeg", [0xFF, 0xD8, 0xFF]),
        Signature("image/gif", "GIF87a"), Signature("image/gif", "GIF89a"),
        Signature("image/webp", "RIFF", and: (8, "WEBP")),
        Signature("audio/wav", "RIFF", and: (8, "WAVE")),
        Signature("video/x-msvideo", "RIFF", and: (8, "AVI ")),
        Signature("audio/mp4", "ftypM4A", at: 4), Signature("video/quicktime", "ftypqt", at: 4),
        Signature("video/3gpp", "ftyp3g", at: 4), Signature("video/mp4", "ftyp", at: 4),
        Signature("video/quicktime", "moov", at: 4), Signature("video/quicktime", "mdat", at: 4),
        Signature("video/webm", [0x1A, 0x45, 0xDF, 0xA3]),
        Signature("audio/ogg", "OggS"), Signature("audio/flac", "fLaC"), Signature("audio/mpeg", "ID3"),
        Signature("audio/aac", [0xFF, 0xF1]), Signature("audio/aac", [0xFF, 0xF9]),
        Signature("audio/mpeg", [0xFF, 0xFB]), Signature("audio/mpeg", [0xFF, 0xF3]),
        Signature("audio/mpeg", [0xFF, 0xF2]), Signature("audio/mpeg", [0xFF, 0xFA]),
        Signature("audio/mpeg", [0xFF, 0xE2]), Signature("audio/mpeg", [0xFF, 0xE3]), Signature("audio/amr", "#!AMR"),
        Signature("image/tiff", [0x49, 0x49, 0x2A, 0x00]), Signature("image/tiff", [0x4D, 0x4D, 0x00, 0x2A]),
        Signature("image/bmp", "BM", and: (6, "\0\0\0\0")),
        Signature("application/pdf", "%PDF-"), Signature("application/zip", [0x50, 0x4B, 0x03, 0x04]),
        Signature("application/gzip", [0x1F, 0x8B]),
        Signature("application/x-7z-compressed", [0x37, 0x7A, 0xBC, 0xAF]),
        Signature("application/x-executable", [0x7F, 0x45, 0x4C, 0x46]),
        Signature("application/vnd.microsoft.portable-executable", "MZ"),
        Signature("text/vcard", "BEGIN:VCARD"),
    ]

    /// Looks at the first bytes of a file; 512 are enough.
    package static func find(in head: [UInt8]) -> Finding {
        if let type = picture(inContainer: head) { return .type(type) }
        if let found = all.first(where: { $0.matches(head) }) { return .type(found.type) }
        let sample = head.prefix(512)
        let isText = !sample.isEmpty && sample.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        return isText ? .text : .unknown
    }

    /// The media type with which a file is stored: the claimed one, if the bytes do not contradict it, otherwise
    /// `application/octet-stream`.
    ///
    /// A picture, a sound or a video must have the signature of one of its family; any other type must not have the
    /// signature of one of these. Types of which the bytes say nothing are as claimed, and are never shown inline.
    package static func type(of head: [UInt8], claimed: String?) -> String {
        let finding = find(in: head)
        guard let claimed, claimed != anyType else {
            switch finding {
            case .type(let type): return type
            case .text: return "text/plain"
            case .unknown: return anyType
            }
        }
        switch finding {
        case .type(let type):
            if type == claimed { return claimed }
            guard isMedia(type) || isMedia(claimed) else { return claimed }
            guard isSameFamily(type, claimed) else { return anyType }
            // A container such as MP4 may have sound only; only the claim says so.
            return type.split(separator: "/").last == claimed.split(separator: "/").last ? claimed : type
        case .text, .unknown: return isMedia(claimed) && !isText(claimed) ? anyType : claimed
        }
    }

    /// The brands of ISO 23008-12 and AV1 that say what a picture is.
    private static let pictureBrands = [
        "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic", "hevc": "image/heic",
        "hevx": "image/heic", "hevm": "image/heic", "hevs": "image/heic", "avif": "image/avif", "avis": "image/avif",
    ]
    /// The brands of pictures of any kind.
    private static let anyPictureBrands: Set = ["mif1", "mif2", "msf1", "miaf"]

    /// The type of a picture in an ISO container, by its brand, or by those with which it says that it is compatible.
    private static func picture(inContainer head: [UInt8]) -> String? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, size)
        func brand(at offset: Int) -> String { String(decoding: head[offset..<offset + 4], as: UTF8.self) }
        let main = brand(at: 8)
        if let type = pictureBrands[main] { return type }
        let others = end < 20 ? [] : stride(from: 16, through: end - 4, by: 4).map(brand)
        let isPicture = anyPictureBrands.contains(main)
        // Films may be compatible with them, too; then they say so first.
        guard isPicture || !others.contains(where: filmBrands.contains) else { return nil }
        return others.lazy.compactMap { pictureBrands[$0] }.first ?? (isPicture ? "image/heic" : nil)
    }

    private static let filmBrands: Set = ["isom", "iso2", "mp41", "mp42", "avc1", "qt  ", "M4V ", "M4A "]

    private static let anyType = "application/octet-stream"

    private static func isMedia(_ type: String) -> Bool {
        ["image/", "audio/", "video/"].contains { type.hasPrefix($0) }
    }

    /// Whether this picture type is text, which has no signature.
    private static func isText(_ type: String) -> Bool { type == "image/svg+xml" }

    /// Whether both are pictures, or both are sounds or videos: these share containers.
    private static func isSameFamily(_ type: String, _ claimed: String) -> Bool {
        if type.hasPrefix("image/") || claimed.hasPrefix("image/") {
            return type.hasPrefix("image/") && claimed.hasPrefix("image/")
        }
        return isMedia(type) && isMedia(claimed)
    }

    /// Whether a browser may show a file of this type on a page: pictures, sounds and videos that cannot contain
    /// scripts. Everything else is downloaded.
    package static func isShownInline(_ type: String) -> Bool {
        isMedia(type) && type != "image/svg+xml"
    }
}
