import RoostWire

/// A file of this device that can be uploaded.
///
/// If a message of the queue waits for it, only its path is kept, so the file must stay where it is until the message
/// was sent or discarded.
public struct LocalFile: Codable, Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The name to show, 1 to 200 UTF-16 units; the last part of the path if absent.
    public var name: String?
    /// The media type, such as `image/jpeg`; derived from the extension of the name if absent.
    public var contentType: String?
    /// The width of a picture or video in pixels, 1 to 100,000; given together with the height.
    public var width: Int?
    /// The height of a picture or video in pixels, 1 to 100,000; given together with the width.
    public var height: Int?
    /// The duration of a video or a voice message in ms, 0 or more.
    public var durationMs: Int64?
    /// A BlurHash of a picture or video: 6 to 100 ASCII characters.
    public var blurHash: String?
    /// A free field of the app for everybody who may read the file: at most 1,000 bytes without control characters.
    public var customField: String?
    /// The path of a smaller picture that stands for the file in a message; `enqueue(uploading:)` uploads it, too.
    public var thumbnail: String?

    /// Makes a reference to a file of this device.
    public init(
        path: String, name: String? = nil, contentType: String? = nil, width: Int? = nil, height: Int? = nil,
        durationMs: Int64? = nil, blurHash: String? = nil, customField: String? = nil, thumbnail: String? = nil
    ) {
        self.path = path
        self.name = name
        self.contentType = contentType
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.blurHash = blurHash
        self.customField = customField
        self.thumbnail = thumbnail
    }

    /// The name to show, as it is given or by the path.
    package var displayName: String { name ?? String(path.split(separator: "/").last ?? "file") }

    /// The media type, as it is given or by the extension of the name; nil if neither is known.
    package var mediaType: String? {
        (contentType ?? MediaTypes.ofName(displayName) ?? MediaTypes.ofName(path)).map(FileRules.mediaType)
    }

    /// The command that creates its upload.
    func creation(size: Int64) -> CreateFile {
        CreateFile(
            name: displayName, size: size, contentType: mediaType, width: width, height: height,
            durationMs: durationMs, blurHash: blurHash, customField: customField)
    }

    /// What stands for the file in a message that still waits for it.
    var placeholder: FileReference {
        FileReference(
            fileID: "local", name: displayName, contentType: mediaType, width: width, height: height,
            durationMs: durationMs, blurHash: blurHash, customField: customField)
    }

    /// Its thumbnail as a file of its own.
    var thumbnailFile: LocalFile? { thumbnail.map { LocalFile(path: $0) } }
}

/// The media types of common extensions.
enum MediaTypes {
    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "heif": "image/heif", "avif": "image/avif", "bmp": "image/bmp", "tif": "image/tiff",
        "tiff": "image/tiff", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
        "3gp": "video/3gpp", "m4a": "audio/mp4", "mp3": "audio/mpeg", "wav": "audio/wav", "aac": "audio/aac",
        "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "caf": "audio/x-caf",
        "amr": "audio/amr", "vcf": "text/vcard", "pdf": "application/pdf", "zip": "application/zip",
        "txt": "text/plain", "csv": "text/csv", "json": "application/json",
    ]

    /// The extension of a name, in lowercase: 1 to 8 letters and digits; nil if there is none.
    static func fileExtension(_ name: String) -> String? {
        let parts = (name.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, (1...8).contains(last.utf8.count),
            last.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        return last.lowercased()
    }

    static func ofName(_ name: String) -> String? { fileExtension(name).flatMap { types[$0] } }

    /// The shortest usual extension of a media type, by the alphabet.
    static func fileExtension(ofType type: String) -> String? {
        types.filter { $0.value == type }.keys.min { ($0.count, $0) < ($1.count, $1) }
    }
}
