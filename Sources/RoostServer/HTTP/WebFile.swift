import Crypto
import Foundation
import NIOCore

/// A file of the page, as a browser gets it.
package struct WebFile: Sendable {
    /// The content, which all responses share.
    let buffer: ByteBuffer
    /// The content, compressed with gzip; nil if that does not make it smaller.
    let gzip: ByteBuffer?
    /// The media type, for the header `Content-Type`.
    package let mediaType: String
    /// The entity tag: another one for other bytes. It is weak, since the content may be compressed or not.
    package let tag: String
    /// Whether a file with this name never changes, because the name has a hash of the content.
    package let isFinal: Bool

    /// A file with this name and content.
    package init(_ name: String, _ bytes: [UInt8], gzip: [UInt8] = []) {
        buffer = ByteBuffer(bytes: bytes)
        self.gzip = gzip.isEmpty || gzip.count >= bytes.count ? nil : ByteBuffer(bytes: gzip)
        mediaType =
            Self.mediaTypes[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
        isFinal = name.hasPrefix("chunks/")
        tag = "W/\"\(Data(SHA256.hash(data: bytes).prefix(12)).base64EncodedString())\""
    }

    /// The content.
    package var bytes: [UInt8] { Array(buffer.readableBytesView) }

    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "png": "image/png", "svg": "image/svg+xml", "ts": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    /// Reads a file from a folder; nil if there is none with this path.
    ///
    /// The path comes from the network. It must consist of plain names, and lead to nothing outside of the folder, also
    /// by a symbolic link.
    package static func read(_ path: String, inFolder folder: String) -> WebFile? {
        guard path.wholeMatch(of: #/[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/#) != nil,
            let root = realPath(folder), let place = realPath(folder + "/" + path), place.hasPrefix(root + "/"),
            let data = FileManager.default.contents(atPath: place)
        else { return nil }
        return WebFile(path, Array(data))
    }

    /// The path without symbolic links; nil if there is nothing.
    private static func realPath(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}
