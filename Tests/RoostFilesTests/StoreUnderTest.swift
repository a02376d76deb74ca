import Foundation
import NIOCore
import RoostFiles
import RoostTesting
import Synchronization

/// The storages that must behave alike.
enum Driver: String, CaseIterable, CustomStringConvertible {
    case folder = "a local folder"
    case s3 = "an object store"

    var description: String { rawValue }
}

/// An empty storage, and local files to store in it.
final class StoreUnderTest: Sendable {
    let store: any FileStore
    let folder: TemporaryFolder
    private let server: S3Server?

    init(_ driver: Driver) async throws {
        folder = try TemporaryFolder()
        let threads = FileThreads(count: 2)
        switch driver {
        case .folder:
            server = nil
            store = FileFolder(path: folder.path + "/store", threads: threads)
        case .s3:
            let server = try await S3Server.start()
            self.server = server
            store = try Self.s3(server, threads: threads)
        }
        try await store.prepare()
    }

    /// A storage in the bucket of a server.
    static func s3(
        _ server: S3Server, credentials: S3Credentials = S3Server.credentials, bucket: String = "roost",
        threads: FileThreads = FileThreads(count: 2)
    ) throws -> S3Store {
        var location = try S3Location(url: server.url)
        location.bucket = bucket
        return S3Store(location, credentials, threads: threads) { Int64(Date().timeIntervalSince1970 * 1_000) }
    }

    /// Stores bytes under a key.
    func store(_ bytes: Data, as key: String) async throws {
        try await Self.store(bytes, as: key, in: store, folder)
    }

    static func store(_ bytes: Data, as key: String, in store: any FileStore, _ folder: TemporaryFolder) async throws {
        let path = folder.path + "/" + UUID().uuidString
        try bytes.write(to: URL(fileURLWithPath: path))
        try await store.store(fileAt: path, size: Int64(bytes.count), as: key)
    }

    func read(_ key: String, _ range: Range<Int64>) async throws -> Data { try await Self.read(key, range, in: store) }

    static func read(_ key: String, _ range: Range<Int64>, in store: any FileStore) async throws -> Data {
        let bytes = Mutex(Data())
        try await store.read(key, in: range) { chunk in
            bytes.withLock { bytes in chunk.withUnsafeReadableBytes { bytes.append(contentsOf: $0) } }
        }
        return bytes.withLock { $0 }
    }

    /// Bytes of which no two blocks are the same.
    static func bytes(_ count: Int) -> Data {
        var data = Data(capacity: count + 64)
        var line: UInt64 = 1
        while data.count < count {
            line = line &* 6_364_136_223_846_793_005 &+ 1
            data.append(contentsOf: Array(repeating: "\(line) ", count: 50).joined().utf8)
        }
        return data.prefix(count)
    }
}

/// The kind of the storage's error that a call throws; nil if it throws none.
func failure(_ body: () async throws -> Void) async throws -> FileStoreError? {
    do {
        try await body()
        return nil
    } catch let error as FileStoreError {
        return error
    }
}
