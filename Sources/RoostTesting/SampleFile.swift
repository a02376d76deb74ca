package import RoostClient
import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Small files with the signature of their type, for tests that send files.
package enum SampleFile {
    /// The bytes of a file with this name: a signature by its suffix, and the name.
    package static func bytes(_ name: String) -> [UInt8] {
        let signature: [UInt8] =
            switch name.split(separator: ".").last {
            case "png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            case "jpg": [0xFF, 0xD8, 0xFF, 0xE0]
            case "mp4": [0, 0, 0, 0x18] + Array("ftypisom".utf8)
            case "ogg": Array("OggS".utf8)
            case "pdf": Array("%PDF-1.7\n".utf8)
            case "vcf": Array("BEGIN:VCARD\r\n".utf8)
            default: []
            }
        return signature + Array(name.utf8)
    }

    /// Writes such a file into a folder.
    package static func write(_ name: String, in folder: TemporaryFolder) throws -> LocalFile {
        let path = folder.path + "/" + name
        try Data(bytes(name)).write(to: URL(fileURLWithPath: path))
        return LocalFile(path: path)
    }
}

extension ChatClient {
    /// Uploads a small file of the type that its name suggests.
    package func uploadSample(_ name: String = "photo.jpg") async throws -> FileReference {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await upload(try SampleFile.write(name, in: folder))
    }
}
