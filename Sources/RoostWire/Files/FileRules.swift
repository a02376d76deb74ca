/// What a file may be. Pure rules, the same in the server and the SDK.
public enum FileRules {
    /// How long a file that nothing uses is kept, in ms: a day.
    public static let unusedMs: Int64 = 86_400_000

    /// The only error for files that do not exist and files that the caller may not read.
    package static let missing = WireError(.noPrivilege, "There is no such file, or you may not read it.")

    /// The path of a file's bytes on the server.
    public static func path(of id: FileID) -> String { "/v1/files/\(id)" }

    /// The value for a channel's picture or background that is an uploaded file.
    public static func reference(to id: FileID) -> String { "file:\(id)" }

    /// The file of a picture or background; nil if it is not an uploaded file.
    public static func fileID(in reference: String?) -> FileID? {
        guard let reference, reference.hasPrefix("file:") else { return nil }
        return FileID(rawValue: String(reference.dropFirst(5)))
    }

    /// Checks a command that creates a file.
    /// - Throws: `WireError` 7005 if it is too large, 6 if another field is not allowed.
    public static func check(_ create: CreateFile, limits: Limits) throws(WireError) {
        guard create.size >= 0 else {
            throw WireError(.dataFormat, field: "size", "\"size\" cannot be negative.")
        }
        guard create.size <= limits.fileBytes else {
            throw WireError(
                .tooLarge, field: "size", "A file can have at most \(limits.fileBytes) bytes. This one is larger.")
        }
        if let contentType = create.contentType, !contentType.isEmpty, !isMediaType(mediaType(contentType)) {
            throw WireError(
                .dataFormat, field: "contentType", "\"contentType\" must be a media type such as image/jpeg.")
        }
        guard (create.width == nil) == (create.height == nil) else {
            throw WireError(
                .dataFormat, field: create.width == nil ? "height" : "width",
                "Give both \"width\" and \"height\", or neither.")
        }
        for (name, length) in [("width", create.width), ("height", create.height)] {
            if let length, !(1...100_000).contains(length) {
                throw WireError(.dataFormat, field: name, "\"\(name)\" must be 1 to 100000.")
            }
        }
        if let duration = create.durationMs, duration < 0 {
            throw WireError(.dataFormat, field: "durationMs", "\"durationMs\" cannot be negative.")
        }
        if let blurHash = create.blurHash, !isBlurHash(blurHash) {
            throw WireError(.dataFormat, field: "blurHash", "\"blurHash\" must have 6 to 100 ASCII characters.")
        }
        if let field = create.customField { try TextRules.checkReference(field, "customField", most: 1_000) }
    }

    /// Whether this is a media type without parameters: two tokens of RFC 9110, at most 255 bytes.
    static func isMediaType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 255 else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "!#$&^_.+-".utf8.contains(byte)
                    }
                }
        }
    }

    private static func isBlurHash(_ text: String) -> Bool {
        (6...100).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The name to show for a file: the last part of a path, without control characters and characters that change
    /// the direction of the text, at most 200 UTF-16 units; `file` if nothing is left.
    public static func name(_ text: String) -> String {
        let last = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let plain = String(
            String.UnicodeScalarView(
                last.unicodeScalars.filter { scalar in
                    scalar.properties.generalCategory != .control && !isDirectional(scalar)
                }))
        let name = MessageContent.beginning(of: plain, length: 200)
        let isEmpty = name.isEmpty || name == "." || name == ".." || name.utf8.count > 800
        return isEmpty ? "file" : name
    }

    /// Whether this is one of the characters of Unicode that set the direction of text: with them, `exe.jpg` can be
    /// made to look like another name.
    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The usual name of a media type: lowercase, without parameters, with the common misnomers corrected.
    public static func mediaType(_ type: String) -> String {
        let essence = type.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        let type = String(essence.drop { $0 == " " }.prefix { $0 != " " }).lowercased()
        return switch type {
        case "image/jpg", "image/pjpeg": "image/jpeg"
        case "video/mov": "video/quicktime"
        case "audio/mp3": "audio/mpeg"
        case "audio/x-wav", "audio/wave": "audio/wav"
        case "text/x-vcard", "text/directory": "text/vcard"
        default: type
        }
    }

    /// Whether a file of this media type can be the file of a message of this type.
    public static func fits(_ contentType: String, _ type: String) -> Bool {
        switch type {
        case "image", ChannelKind.publicNews.rawValue, ChannelKind.corporateNews.rawValue:
            contentType.hasPrefix("image/")
        case "video": contentType.hasPrefix("video/")
        // A recorder may put sound without pictures into a container for videos.
        case "voice": contentType.hasPrefix("audio/") || ["video/mp4", "video/webm"].contains(contentType)
        case "contact": contentType == "text/vcard"
        default: true
        }
    }
}

extension MessageContent {
    /// The ids of the files in it, with those of the options of a vote.
    package var fileIDs: [FileID] {
        switch payload {
        case .text, .sticker, .location, .screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved,
            .callReceived, .callCancelled, .callRecorded, .custom, .customQuiet, .customUncounted:
            []
        case .vote(let vote, _): vote.options.flatMap(\.fileIDs)
        case .image, .video, .voice, .contact, .document, .news, .other:
            [file?.fileID, thumbnail?.fileID].compactMap { $0 } + (payload.vote?.options.flatMap(\.fileIDs) ?? [])
        }
    }
}
