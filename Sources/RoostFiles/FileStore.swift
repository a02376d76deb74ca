package import NIOCore

/// The storage for the bytes of files: a local folder or an object store.
///
/// Bytes are stored under a key once and never change. All functions may be called at the same time; of two calls that
/// store the same key, either may win, because they store the same bytes.
package protocol FileStore: Sendable {
    /// Checks that the storage can be used, at the start of the server.
    /// - Throws: `FileStoreError`.
    func prepare() async throws(FileStoreError)

    /// Stores the content of a local file. The bytes can be read as soon as it returns, and never in part before; they
    /// survive a crash. The local file may be gone afterwards.
    /// - Throws: `FileStoreError`; the local file is then unchanged.
    func store(fileAt path: String, size: Int64, as key: String) async throws(FileStoreError)

    /// Reads a range of the bytes, in order. The next chunk is read after `receive` has returned for the last one.
    /// - Throws: `FileStoreError`, `.missing` if there is nothing under this key, or the error of `receive`.
    func read(
        _ key: String, in range: Range<Int64>, _ receive: @escaping @Sendable (ByteBuffer) async throws -> Void
    ) async throws

    /// The number of bytes under a key; nil if there is nothing under it.
    /// - Throws: `FileStoreError`.
    func size(of key: String) async throws(FileStoreError) -> Int64?

    /// A link with which anybody may read the bytes from the storage for some time; nil if it gives none.
    /// - Parameters:
    ///   - disposition: the header `Content-Disposition` of the answer.
    ///   - lifetime: in seconds.
    func link(to key: String, contentType: String, disposition: String, lifetime: Int64) -> String?

    /// Deletes bytes; it succeeds if there is nothing under this key.
    /// - Throws: `FileStoreError`.
    func delete(_ key: String) async throws(FileStoreError)

    /// Returns keys with bytes that were stored before a time, in the order of the keys: at most `limit`, after the key
    /// `last`.
    /// - Parameter time: in ms since 1970.
    /// - Throws: `FileStoreError`.
    func keys(after last: String, limit: Int, storedBefore time: Int64) async throws(FileStoreError) -> [String]
}

/// An error of the storage for files.
package struct FileStoreError: Error, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// There is nothing under this key.
        case missing
        /// There is no space left.
        case full
        /// The storage cannot be reached, or refuses access.
        case unavailable
    }

    package let kind: Kind
    /// A sentence for the operator, without secrets.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
