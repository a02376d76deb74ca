import Foundation
public import RoostWire

/// A file of this device to upload.
///
/// The file must stay where it is, unchanged, until it is uploaded.
public struct LocalFile: Codable, Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The name to show, 1 to 200 UTF-16 units; the last part of the path if nil.
    public var name: String?
    /// The media type, such as `image/jpeg`; derived from the name if nil.
    public var contentType: String?
    /// The width of a picture or video in pixels, given together with the height.
    public var width: Int?
    /// The height of a picture or video in pixels, given together with the width.
    public var height: Int?
    /// The duration of a video or a voice message in ms.
    public var durationMs: Int64?
    /// A BlurHash of a picture or video.
    public var blurHash: String?

    /// Creates a reference to a file of this device.
    public init(
        path: String, name: String? = nil, contentType: String? = nil, width: Int? = nil, height: Int? = nil,
        durationMs: Int64? = nil, blurHash: String? = nil
    ) {
        self.path = path
        self.name = name
        self.contentType = contentType
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.blurHash = blurHash
    }

    /// The name to show: that of the file if none was given.
    var shownName: String { FileRules.name(name ?? path) }

    /// The media type: by the name if none was given.
    var shownType: String? { contentType ?? Self.types[Self.suffix(of: shownName)] }

    /// The reference in a message that is still waiting for the file.
    var placeholder: FileReference { FileReference(fileID: "local", name: shownName, contentType: shownType) }

    private static func suffix(of name: String) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() ?? ""
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "avif": "image/avif", "svg": "image/svg+xml", "mp4": "video/mp4", "m4v": "video/mp4",
        "mov": "video/quicktime", "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac",
        "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac",
        "amr": "audio/amr", "pdf": "application/pdf", "zip": "application/zip", "txt": "text/plain",
        "vcf": "text/vcard", "html": "text/html", "json": "application/json", "csv": "text/csv",
    ]

    /// The content of a message with this file, by its media type: a picture, a video, a voice message, a contact, or
    /// otherwise a document.
    public func content(_ reference: FileReference, text: String = "") -> MessageContent {
        let type = FileRules.mediaType(shownType ?? "")
        return switch type {
        case _ where type.hasPrefix("image/") && type != "image/svg+xml": .image(reference, text: text)
        case _ where type.hasPrefix("video/"): .video(reference, text: text)
        case _ where type.hasPrefix("audio/"): .voice(reference, text: text)
        case "text/vcard": .contact(reference, text: text)
        default: .document(reference, text: text)
        }
    }
}

/// Blocking access to files of this device; never on an event loop or a thread of a task.
enum LocalFiles {
    static let changed = RoostError(.fileUnreadable, "The file was changed or deleted while it was read. Try again.")

    static func read(_ path: String, at offset: Int64, count: Int) throws -> Data {
        guard let handle = FileHandle(forReadingAtPath: path) else { throw missing(path) }
        defer { try? handle.close() }
        do {
            try handle.seek(toOffset: UInt64(offset))
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw RoostError(.fileUnreadable, "The file cannot be read: \(error.localizedDescription)")
        }
    }

    static func missing(_ path: String) -> RoostError {
        let name = FileRules.name(path)
        return RoostError(.fileUnreadable, "There is no file \"\(name)\", or it cannot be read.")
    }

    /// The size of a file, and when it was changed.
    /// - Throws: `RoostError` `.fileUnreadable` if it is missing, unreadable or not a file.
    static func status(of path: String) throws(RoostError) -> (size: Int64, changedAt: Date?) {
        let manager = FileManager.default
        guard let attributes = try? manager.attributesOfItem(atPath: path), manager.isReadableFile(atPath: path) else {
            throw missing(path)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw RoostError(.fileUnreadable, "\"\(FileRules.name(path))\" is not a file.")
        }
        return ((attributes[.size] as? NSNumber)?.int64Value ?? 0, attributes[.modificationDate] as? Date)
    }
}
