package import RoostWire

/// Which of several servers has the bytes of an unfinished upload.
package enum UploadHolder: Hashable, Sendable {
    /// This one. A server that is alone has all of them.
    case here
    /// None that still runs: whichever gets the first byte takes the upload over.
    case nobody
    /// Another one, and where it can be reached; nil if it has not said so yet.
    case other(spool: String, url: String?)
}

extension Core {
    /// Names the bytes of unfinished uploads that this server has; nil if no other one may use the database.
    package var spool: String? { isAlone ? nil : configuration.node?.spool }

    /// Finds the server that has the bytes of an unfinished upload, as it was read.
    package func holder(of upload: FileRow, for actor: Actor) async throws(WireError) -> UploadHolder {
        guard let spool, upload.spool != spool else { return .here }
        guard let other = upload.spool else { return .nobody }
        return try await read(as: actor) { reads in
            // A server that was started again may be there twice until its old row is removed.
            let urls = try reads.connection.rows(
                "SELECT url FROM nodes WHERE spool = \(other) ORDER BY seen_at DESC LIMIT 1"
            ) { try $0.optionalText(0) }
            return urls.first.map { .other(spool: other, url: $0) } ?? .nobody
        }
    }

    /// Makes this server the one that has the bytes of an unfinished upload, if no other one that runs has them.
    /// - Parameter upload: as it was read when nobody had them.
    /// - Returns: false if that has changed, or the upload has ended.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func hold(_ upload: FileRow) async throws(WireError) -> Bool {
        guard let spool else { return true }
        return try await write(as: upload.owner) { transaction in
            try transaction.hold(upload, in: spool) ? [1] : []
        } == [1]
    }
}

extension Transaction {
    fileprivate func hold(_ upload: FileRow, in spool: String) throws -> Bool {
        let found = try connection.rows(
            """
            SELECT f.spool FROM files f WHERE f.id = \(upload.id) AND f.bytes_key IS NULL
            AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.spool = f.spool) \(.forUpdate)
            """
        ) { try $0.optionalText(0) }
        guard let current = found.first, current == upload.spool else { return false }
        try connection.execute("UPDATE files SET spool = \(spool) WHERE id = \(upload.id)")
        return true
    }
}
