import RoostFiles
package import RoostServer

/// A storage for files in a temporary folder, which is deleted with the last reference to this value.
package final class TestFiles: Sendable {
    private let folder: TemporaryFolder
    /// The storage, for a server.
    package let storage: FileStorage

    /// - Parameter secret: the secret of the server, which signs links.
    package init(secret: [UInt8]) throws {
        folder = try TemporaryFolder()
        let threads = FileThreads(count: 2)
        storage = FileStorage(
            spool: UploadSpool(path: folder.path + "/uploads", threads: threads),
            store: FileFolder(path: folder.path, threads: threads), linkKey: FileLinkKey(secrets: [secret]))
    }

    /// The path of the folder.
    package var path: String { folder.path }
}
