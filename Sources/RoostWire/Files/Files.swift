#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file that was uploaded.
///
/// A command only needs the `fileID`: the server fills in the other fields from the upload, and replaces what a
/// command gives for them.
public struct FileReference: Codable, Hashable, Sendable {
    /// The id of the upload.
    public var fileID: FileID
    /// The name to show, 1 to 200 UTF-16 units, without a folder.
    public var name: String?
    /// The media type that the first bytes confirm, such as `image/jpeg`: at most 255 bytes.
    public var contentType: String?
    /// The size in bytes.
    public var size: Int64?
    /// The width of a picture or video in pixels.
    public var width: Int?
    /// The height of a picture or video in pixels.
    public var height: Int?
    /// The duration of a video or a voice message in ms.
    public var durationMs: Int64?
    /// A BlurHash of a picture or video, to show until its bytes are there: 6 to 100 ASCII characters.
    public var blurHash: String?
    /// A free field of the app, given with the upload.
    public var customField: String?

    /// Creates a value with these fields.
    public init(
        fileID: FileID, name: String? = nil, contentType: String? = nil, size: Int64? = nil, width: Int? = nil,
        height: Int? = nil, durationMs: Int64? = nil, blurHash: String? = nil, customField: String? = nil
    ) {
        self.fileID = fileID
        self.name = name
        self.contentType = contentType
        self.size = size
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.blurHash = blurHash
        self.customField = customField
    }

    /// The path of the bytes on the server, for those who may read the file: `/v1/files/` and the id.
    public var path: String { FileRules.path(of: fileID) }
}

/// Creates a file, whose bytes the client then uploads.
///
/// The answer contains the path for the bytes. They are sent with tus 1.0.0 (see "Files"), in one request or in
/// several that continue where the last one was interrupted. The file can be sent in a message once all bytes have
/// arrived. If no message uses it by `expiresAt`, the server deletes it.
///
/// The command is refused with 7005 if the file is larger than `limits.fileBytes`, and with 7018 if the user would have more
/// than `limits.fileBytesPerUser` bytes or `limits.uploads` unfinished uploads.
public struct CreateFile: WriteCommand {
    /// What the server answers.
    public typealias Answer = FileUpload
    /// The name on the wire.
    public static let name = "file.create"
    /// The name to show. Folders and control characters are removed, and it is cut to 200 UTF-16 units.
    public var name: String
    /// The size in bytes, 0 or more.
    public var size: Int64
    /// The media type, such as `image/jpeg`, at most 255 bytes; if absent, it is derived from the first bytes.
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

    /// Creates a value with these fields.
    public init(
        name: String, size: Int64, contentType: String? = nil, width: Int? = nil, height: Int? = nil,
        durationMs: Int64? = nil, blurHash: String? = nil, customField: String? = nil
    ) {
        self.name = name
        self.size = size
        self.contentType = contentType
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.blurHash = blurHash
        self.customField = customField
    }
}

/// A file whose bytes can be uploaded.
public struct FileUpload: Codable, Hashable, Sendable {
    /// The key of the command.
    public var transID: TransID
    /// The id of the file.
    public var fileID: FileID
    /// The path for the bytes on this server, `/v1/files/` and the id.
    public var path: String
    /// When the server deletes the file if nothing uses it.
    @Timestamp public var expiresAt: Date
    /// The file as it was described: name, size, media type if it was given, and `customField`.
    public var file: FileReference

    /// Creates a value with these fields.
    public init(transID: TransID, fileID: FileID, path: String, expiresAt: Date, file: FileReference) {
        self.transID = transID
        self.fileID = fileID
        self.path = path
        self.expiresAt = expiresAt
        self.file = file
    }
}

/// Reads files that the caller may read, with links to download them.
///
/// A user may read the files of the messages that the user may read, and own files that nothing uses yet. Other ids
/// are left out of the answer, whether they exist or not.
public struct GetFiles: ReadCommand {
    /// The name on the wire.
    public static let name = "file.get"
    /// 1 to 100 ids.
    public var fileIDs: [FileID]

    /// Creates a value with these fields.
    public init(fileIDs: [FileID]) {
        self.fileIDs = fileIDs
    }

    /// The files that the caller may read, ordered by id.
    public struct Answer: Codable, Hashable, Sendable {
        /// The files that the caller may read, ordered by id.
        public var files: [StoredFile]

        /// Creates a value with these fields.
        public init(files: [StoredFile]) {
            self.files = files
        }
    }
}

/// A file with a link to download it.
public struct StoredFile: Codable, Hashable, Sendable {
    /// What the file is: id, name, type, size.
    public var file: FileReference
    /// The path and query from which this user can download it without a token until `linkExpiresAt`. Anybody who has
    /// the link can use it, as long as this user may read the file and has not logged out all devices since.
    public var link: String
    /// When the link expires.
    @Timestamp public var linkExpiresAt: Date

    /// Creates a value with these fields.
    public init(file: FileReference, link: String, linkExpiresAt: Date) {
        self.file = file
        self.link = link
        self.linkExpiresAt = linkExpiresAt
    }
}

/// Deletes an own file that nothing uses, such as an upload that was cancelled.
///
/// It is refused with 1107 if the file does not exist, belongs to somebody else, or is used.
public struct DeleteFile: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "file.delete"
    /// A file that the caller has uploaded.
    public var fileID: FileID

    /// Creates a value with these fields.
    public init(fileID: FileID) {
        self.fileID = fileID
    }
}
