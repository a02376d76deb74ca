package import RoostWire

/// What is known of the bytes of an upload once all of them have arrived.
///
/// What is nil stays as the client claimed it.
package struct UploadedBytes: Sendable {
    /// The SHA-256 of the bytes.
    package var hash: [UInt8]
    /// The media type that the bytes confirm.
    package var contentType: String
    package var width: Int?
    package var height: Int?
    package var durationMs: Int64?
    package var blurHash: String?
    /// A small picture that stands for the file; its bytes are stored under its id.
    package var thumbnail: Thumbnail?

    package init(hash: [UInt8], contentType: String) {
        self.hash = hash
        self.contentType = contentType
    }

    /// A small picture that the server has made.
    package struct Thumbnail: Sendable {
        package var id: FileID
        package var size: Int64
        /// The SHA-256 of its bytes.
        package var hash: [UInt8]
        package var contentType: String
        package var width: Int
        package var height: Int

        package init(id: FileID, size: Int64, hash: [UInt8], contentType: String, width: Int, height: Int) {
            self.id = id
            self.size = size
            self.hash = hash
            self.contentType = contentType
            self.width = width
            self.height = height
        }

        /// Its name, to save it under.
        var name: String { contentType == "image/jpeg" ? "thumbnail.jpg" : "thumbnail.webp" }
    }
}

extension Transaction {
    /// Completes an upload whose bytes are stored. If the same bytes are stored already, it shares them. Its thumbnail
    /// becomes a file of its own, of the same user.
    /// - Parameters:
    ///   - key: the key of the bytes, which nothing else has.
    ///   - spool: the spool that they come from; nil if no other server may use the database.
    /// - Returns: the key of the bytes to keep.
    /// - Throws: `WireError` 1107 if the upload does not exist any more, 7025 if another server has its bytes.
    mutating func completeUpload(
        _ id: FileID, of user: UserID, _ bytes: UploadedBytes, storedAs key: String, from spool: String?
    ) throws -> String {
        try flush()
        let found = try connection.rows(
            "SELECT \(FileRow.columns) FROM files f WHERE f.id = \(id) AND f.owner = \(user) \(.forUpdate)",
            FileRow.init
        ).first
        guard let found else { throw FileRow.missing() }
        if let key = found.key { return key }
        guard spool == nil || found.spool == spool else { throw WireError(.uploadOffset) }
        let same = try connection.rows(
            """
            SELECT f.bytes_key FROM files f WHERE f.hash = \(blob: bytes.hash) AND f.bytes_key IS NOT NULL
            ORDER BY f.created_at LIMIT 1 \(.forUpdate)
            """
        ) { try $0.text(0) }.first
        let key = same ?? key
        if let thumbnail = bytes.thumbnail {
            let row: [SQLValue] = [
                .text(thumbnail.id.rawValue), .text(user.rawValue), .text(thumbnail.name),
                .text(thumbnail.contentType), .int(thumbnail.size), .int(Int64(thumbnail.width)),
                .int(Int64(thumbnail.height)), .int(batch.now), SQLValue(found.expiresAt),
                .text(thumbnail.id.rawValue), .blob(thumbnail.hash),
            ]
            try connection.write([row], Self.thumbnails)
        }
        let (width, height) = (bytes.width ?? found.width, bytes.height ?? found.height)
        try connection.execute(
            """
            UPDATE files SET bytes_key = \(key), hash = \(blob: bytes.hash), content_type = \(bytes.contentType),
                width = \(width.map(Int64.init)), height = \(height.map(Int64.init)),
                duration = \(bytes.durationMs ?? found.durationMs), blur_hash = \(bytes.blurHash ?? found.blurHash),
                thumbnail = \(bytes.thumbnail?.id.rawValue)
            WHERE id = \(id)
            """)
        return key
    }

    private static let thumbnails = Upsert(
        "files",
        [
            "id", "owner", "name", "content_type", "size", "width", "height", "created_at", "expires_at", "bytes_key",
            "hash",
        ])

    /// The maximum number of files deleted per turn.
    private static let expiredPerTurn = 100

    /// Deletes files that nothing has used in time.
    /// - Returns: when to run again, in ms since 1970; the current time if there may be more.
    mutating func deleteExpiredFiles() throws -> Int64? {
        let expired = try connection.rows(
            """
            SELECT f.id FROM files f WHERE f.expires_at <= \(batch.now)
            ORDER BY f.expires_at LIMIT \(Self.expiredPerTurn)
            """
        ) { try $0.text(0) }
        if !expired.isEmpty {
            try deleteUnused(expired)
            // What is used does not expire any more.
            let keys = expired.map { [SQLValue.text($0)] }
            try connection.execute(
                "WITH k (id) AS (\(keys: keys)) UPDATE files SET expires_at = NULL WHERE id IN (SELECT id FROM k)")
        }
        return expired.count < Self.expiredPerTurn ? batch.now + configuration.retentionInterval : batch.now
    }
}

/// Files, for the transport that moves their bytes.
extension Core {
    /// Returns a file that a user may read.
    /// - Throws: `WireError` 1107 if it does not exist or the user may not read it.
    package func file(_ id: FileID, for actor: Actor) async throws(WireError) -> FileRow {
        try await read(as: actor) { try $0.file(id) }
    }

    /// Returns an own upload, finished or not.
    /// - Throws: `WireError` 1107 if it does not exist or belongs to somebody else.
    package func upload(_ id: FileID, of actor: Actor) async throws(WireError) -> FileRow {
        try await read(as: actor) { try $0.upload(id) }
    }

    /// Completes an upload whose bytes are stored.
    /// - Parameter key: the key of the bytes, which nothing else has.
    /// - Returns: the key of the bytes to keep: if it is another one, the same bytes were stored already.
    /// - Throws: `WireError` 1107 if the upload does not exist any more, 7025 if another server has taken it over, 1003 if
    ///   the database cannot be reached.
    package func completeUpload(
        _ id: FileID, of user: UserID, _ bytes: UploadedBytes, storedAs key: String
    ) async throws(WireError) -> String {
        let kept = try await write(as: user) { [spool] in
            Array(try $0.completeUpload(id, of: user, bytes, storedAs: key, from: spool).utf8)
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Deletes an own upload of which the bytes were refused.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func discardUpload(_ id: FileID, of user: UserID) async throws(WireError) {
        _ = try await write(as: user) { transaction in
            try transaction.flush()
            try transaction.deleteUnused([id.rawValue])
            return []
        }
    }

    /// Returns keys of bytes that no file has any more, at most `limit`.
    package func removedBytes(limit: Int) async throws -> [String] {
        try await readAll { connection in
            try connection.rows("SELECT bytes_key FROM file_removals ORDER BY bytes_key LIMIT \(limit)") {
                try $0.text(0)
            }
        }
    }

    /// Returns those of these ids that are not those of unfinished uploads.
    package func endedUploads(_ ids: [String]) async throws -> Set<String> {
        guard !ids.isEmpty else { return [] }
        let rows = ids.map { [SQLValue.text($0)] }
        let unfinished = try await readAll { connection in
            try connection.rows(
                """
                WITH k (id) AS (\(keys: rows)) SELECT k.id FROM k
                WHERE EXISTS (SELECT 1 FROM files f WHERE f.id = k.id AND f.bytes_key IS NULL)
                """
            ) { try $0.text(0) }
        }
        return Set(ids).subtracting(unfinished)
    }

    /// Returns those of these keys that no file has, neither finished nor not.
    package func unknownBytes(_ keys: [String]) async throws -> Set<String> {
        guard !keys.isEmpty else { return [] }
        let rows = keys.map { [SQLValue.text($0)] }
        let known = try await readAll { connection in
            try connection.rows(
                """
                WITH k (id) AS (\(keys: rows)) SELECT k.id FROM k
                WHERE EXISTS (SELECT 1 FROM files f WHERE f.bytes_key = k.id)
                OR EXISTS (SELECT 1 FROM files f WHERE f.id = k.id)
                """
            ) { try $0.text(0) }
        }
        return Set(keys).subtracting(known)
    }

    /// Notes that the storage has deleted these bytes.
    package func forgetRemovedBytes(_ keys: [String]) async throws(WireError) {
        guard !keys.isEmpty else { return }
        let rows = keys.map { [SQLValue.text($0)] }
        _ = try await write(as: Self.itself) { transaction in
            try transaction.connection.execute(
                """
                WITH k (id) AS (\(keys: rows)) DELETE FROM file_removals WHERE bytes_key IN (SELECT id FROM k)
                """)
            return []
        }
    }
}
