package import RoostWire

extension Transaction {
    mutating func createFile(_ create: CreateFile) throws -> Outcome {
        let me = try me
        let limits = configuration.limits
        try FileRules.check(create, limits: limits)
        try flush()
        // The user's row is locked, so that several processes cannot exceed the limits together.
        try lockMe()
        let used = try connection.rows(
            """
            SELECT CAST(COALESCE(SUM(size), 0) AS \(.int)),
                CAST(COALESCE(SUM(CASE WHEN bytes_key IS NULL THEN 1 ELSE 0 END), 0) AS \(.int))
            FROM files WHERE owner = \(me)
            """
        ) { (bytes: try $0.int(0), uploads: try $0.int(1)) }.first
        let isVisitor = try actor.host != nil
        let most = isVisitor ? min(limits.fileBytesPerUser, Self.maxVisitorBytes) : limits.fileBytesPerUser
        guard let used, create.size <= most - used.bytes else {
            throw WireError(
                .limitReached, field: "size",
                "All your files can have at most \(most) bytes together. Recall some of them first.")
        }
        guard used.uploads < Int64(limits.uploads) else {
            throw WireError(
                .limitReached,
                "You have the maximum of \(limits.uploads) unfinished uploads. Finish or delete one of them first.")
        }
        let id = FileID(random: effects.random(), effects.random())
        let expiresAt = batch.now + FileRules.unusedMs
        let type = create.contentType.map(FileRules.mediaType).flatMap { $0.isEmpty ? nil : $0 }
        batch.put(
            [
                .text(id.rawValue), .text(me.rawValue), .text(FileRules.name(create.name)),
                SQLValue(type), .int(create.size),
                SQLValue(create.width.map(Int64.init)), SQLValue(create.height.map(Int64.init)),
                SQLValue(create.durationMs), SQLValue(create.blurHash), .int(batch.now), .int(expiresAt),
                SQLValue(create.customField),
            ], Self.files)
        let file = FileReference(
            fileID: id, name: FileRules.name(create.name), contentType: type, size: create.size, width: create.width,
            height: create.height, durationMs: create.durationMs, blurHash: create.blurHash,
            customField: create.customField)
        return try Outcome(
            answer: FileUpload(
                transID: try transID, fileID: id, path: file.path, expiresAt: .init(milliseconds: expiresAt),
                file: file))
    }

    private static let files = Upsert(
        "files",
        [
            "id", "owner", "name", "content_type", "size", "width", "height", "duration", "blur_hash", "created_at",
            "expires_at", "custom_field",
        ])

    mutating func deleteFile(_ delete: DeleteFile) throws -> Outcome {
        let me = try me
        try flush()
        let own = try connection.rows(
            "SELECT id FROM files f WHERE f.id = \(delete.fileID) AND f.owner = \(me) \(.forUpdate)"
        ) { try $0.text(0) }
        guard !own.isEmpty, try deleteUnused([delete.fileID.rawValue]) > 0 else {
            throw WireError(.noPrivilege, "There is no such file of yours, or it is in use.")
        }
        return try outcome(in: nil)
    }

    /// Completes the files of a content from their uploads; the batch is flushed if it has any.
    ///
    /// It must be called before any state of a channel is read, because a flush changes it.
    /// - Throws: `WireError` 1107 if the user may not read a file, 7022 if not all of its bytes have arrived, 7023 if it
    ///   does not fit the type of message.
    mutating func completingFiles(of content: MessageContent) throws -> MessageContent {
        let ids = content.fileIDs
        guard !ids.isEmpty else { return content }
        try flush()
        let keys = ids.map { [SQLValue.text($0.rawValue)] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT \(FileRow.columns) FROM files f
            WHERE f.id IN (SELECT id FROM k) AND \(FileRow.isReadable(by: try me, at: batch.now)) \(.forUpdate)
            """, FileRow.init)
        let made = try thumbnails(of: rows)
        let found = Dictionary((rows + made).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return try completed(content, from: found)
    }

    /// The thumbnails that the server has made of files. If a user may read a file, then also its thumbnail.
    private func thumbnails(of files: [FileRow]) throws -> [FileRow] {
        let keys = files.compactMap(\.thumbnail).map { [SQLValue.text($0.rawValue)] }
        guard !keys.isEmpty else { return [] }
        return try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT \(FileRow.columns) FROM files f
            WHERE f.id IN (SELECT id FROM k) AND f.bytes_key IS NOT NULL \(.forUpdate)
            """, FileRow.init)
    }

    /// Checks that the user may use the uploaded pictures of a profile; the batch is flushed if there are any.
    /// - Throws: `WireError` 1107 if the user may not read a file, 7022 if not all of its bytes have arrived, 7023 if it
    ///   is not a picture.
    mutating func checkPictures(of profile: ChannelProfile?) throws {
        try checkPicture(profile?.avatar, field: "profile.avatar")
        try checkPicture(profile?.background, field: "profile.background")
    }

    /// The same for one picture; anything but an uploaded one is not checked.
    mutating func checkPicture(_ reference: String?, field: String) throws {
        guard let reference, reference.hasPrefix("file:") else { return }
        do {
            guard let id = FileRules.fileID(in: reference) else { throw FileRow.missing() }
            let content = MessageContent(.image(FileReference(fileID: id)))
            _ = try completingFiles(of: content)
        } catch let error as WireError {
            throw WireError(ErrorCode.find(error.code) ?? .internalFault, field: field, error.message)
        }
    }

    private func completed(_ content: MessageContent, from rows: [FileID: FileRow]) throws -> MessageContent {
        var content = content
        if case .vote(var vote, let type) = content.payload {
            vote.options = try vote.options.enumerated().map { index, option in
                do {
                    return try completed(option, from: rows)
                } catch let error as WireError {
                    throw error.inside("vote.options[\(index)]")
                }
            }
            content.payload = .vote(vote, type: type)
            return content
        }
        var fields = content.payload.fields
        if let file = fields.file {
            let row = try row(file.fileID, "file", rows)
            guard FileRules.fits(row.contentType, content.type) else {
                throw WireError(
                    .fileTypeRefused, field: "file",
                    "A message of the type \"\(content.type)\" cannot have a file of the type \"\(row.contentType)\". "
                        + "Send it as a document.")
            }
            fields.file = row.reference
        }
        if let thumbnail = fields.thumbnail {
            let row = try row(thumbnail.fileID, "thumbnail", rows)
            guard row.contentType.hasPrefix("image/") else {
                throw WireError(.fileTypeRefused, field: "thumbnail", "A thumbnail must be a picture.")
            }
            fields.thumbnail = row.reference
        } else if content.takesThumbnail, let made = fields.file.flatMap({ rows[$0.fileID]?.thumbnail }) {
            fields.thumbnail = rows[made]?.reference
        }
        content.payload.fields = fields
        return content
    }

    private func row(_ id: FileID, _ field: String, _ rows: [FileID: FileRow]) throws -> FileRow {
        guard let row = rows[id] else { throw FileRow.missing(field: field) }
        guard row.key != nil else {
            throw WireError(
                .uploadIncomplete, field: field, "Not all bytes of this file have arrived. Continue its upload first.")
        }
        return row
    }
}

extension MessageContent {
    /// Whether it gets the thumbnail that the server has made, if it has none of its own.
    fileprivate var takesThumbnail: Bool {
        switch payload {
        case .image, .video, .news: true
        case .text, .sticker, .voice, .contact, .document, .location, .screenshotTaken, .messageCopied,
            .messagesForwarded, .messageSaved, .callReceived, .callCancelled, .callRecorded, .custom, .customQuiet,
            .customUncounted, .vote, .other:
            false
        }
    }
}

extension Reads {
    func getFiles(_ get: GetFiles) throws -> [UInt8] {
        guard (1...100).contains(get.fileIDs.count) else {
            throw WireError(.dataFormat, field: "fileIDs", "\"fileIDs\" must name 1 to 100 files.")
        }
        let keys = get.fileIDs.map { [SQLValue.text($0.rawValue)] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT \(FileRow.columns) FROM files f
            WHERE f.id IN (SELECT id FROM k) AND f.bytes_key IS NOT NULL AND \(FileRow.isReadable(by: me, at: now)) ORDER BY f.id
            """, FileRow.init)
        let until = now + FileLinks.validMs
        let files = rows.map { row in
            StoredFile(
                file: row.reference, link: configuration.fileLinks.link(to: row.id, for: me, until: until),
                linkExpiresAt: .init(milliseconds: until))
        }
        return try WireCodec.encode(GetFiles.Answer(files: files))
    }

    /// Returns a file that the user may read.
    /// - Throws: `WireError` 1107.
    func file(_ id: FileID) throws -> FileRow {
        let found = try connection.rows(
            """
            SELECT \(FileRow.columns) FROM files f
            WHERE f.id = \(id) AND f.bytes_key IS NOT NULL AND \(FileRow.isReadable(by: me, at: now))
            """, FileRow.init)
        guard let row = found.first else { throw FileRow.missing() }
        return row
    }

    /// Returns an own upload, finished or not.
    /// - Throws: `WireError` 1107.
    func upload(_ id: FileID) throws -> FileRow {
        let found = try connection.rows(
            "SELECT \(FileRow.columns) FROM files f WHERE f.id = \(id) AND f.owner = \(me)", FileRow.init)
        guard let row = found.first else { throw FileRow.missing() }
        return row
    }
}

/// Creates the links with which files can be downloaded without a token.
package struct FileLinks: Sendable {
    /// How long a link is valid, in ms.
    package static let validMs: Int64 = 600_000

    private let make: @Sendable (FileID, UserID, Int64) -> String

    /// - Parameter make: returns the path and query for a file, the user who may read it, and a time in ms since 1970.
    package init(_ make: @escaping @Sendable (FileID, UserID, Int64) -> String) { self.make = make }

    func link(to file: FileID, for user: UserID, until: Int64) -> String { make(file, user, until) }
}

/// A row of the table `files`.
package struct FileRow: Sendable {
    package var id: FileID
    package var owner: UserID
    package var name: String
    /// The media type, as claimed until the upload is complete.
    package var contentType: String
    package var size: Int64
    package var width: Int?
    package var height: Int?
    package var durationMs: Int64?
    package var blurHash: String?
    package var customField: String?
    /// The key of the bytes in the storage; nil until all of them have arrived.
    package var key: String?
    /// When it is deleted if nothing uses it, in ms since 1970.
    package var expiresAt: Int64?
    /// The thumbnail that the server has made of it. It is gone if nothing used it in time.
    package var thumbnail: FileID?
    /// The spool that has the bytes until all have arrived; nil as long as there are none, or a server is alone.
    package var spool: String?

    /// The type of bytes of which nothing is known.
    package static let anyType = "application/octet-stream"

    /// The columns of the alias `f`, in the order that the initializer reads them.
    static let columns: Query = """
        f.id, f.owner, f.name, f.content_type, f.size, f.width, f.height, f.duration, f.blur_hash, f.bytes_key,
        f.expires_at, f.thumbnail, f.custom_field, f.spool
        """

    init(_ row: any SQLRow) throws {
        id = try row.id(0)
        owner = try row.id(1)
        name = try row.text(2)
        contentType = try row.optionalText(3) ?? Self.anyType
        size = try row.int(4)
        width = try row.optionalInt(5).map { Int(clamping: $0) }
        height = try row.optionalInt(6).map { Int(clamping: $0) }
        durationMs = try row.optionalInt(7)
        blurHash = try row.optionalText(8)
        key = try row.optionalText(9)
        expiresAt = try row.optionalInt(10)
        thumbnail = try row.optionalText(11).flatMap(FileID.init(rawValue:))
        customField = try row.optionalText(12)
        spool = try row.optionalText(13)
    }

    /// The file as messages contain it.
    var reference: FileReference {
        FileReference(
            fileID: id, name: name, contentType: contentType, size: size, width: width, height: height,
            durationMs: durationMs, blurHash: blurHash, customField: customField)
    }

    /// The only error for files that do not exist and files that the user may not read.
    static func missing(field: String? = nil) -> WireError {
        WireError(.noPrivilege, field: field, "There is no such file, or you may not read it.")
    }

    /// The condition for the files `f` that a user may read: own ones that nothing uses, those of messages that the
    /// user may read, those of own schedules, and the pictures of users, and of channels that the user can see and their
    /// members.
    ///
    /// Snapshots in replies grant nothing: they are gone with the message that they quote.
    static func isReadable(by user: UserID, at now: Int64) -> Query {
        """
        ((f.owner = \(user) AND NOT EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.id))
            OR EXISTS (SELECT 1 FROM file_uses u
                JOIN channels c ON c.id = u.holder AND c.dismissed_at IS NULL
                JOIN channel_log l ON l.channel = u.holder AND l.seq = u.seq
                LEFT JOIN members m ON m.channel = u.holder AND m.user_id = \(user)
                WHERE u.file = f.id AND u.kind = \(FileUse.messageKind) AND u.seq > c.purged_seq
                AND (c.kind = 'open' AND NOT (\(Reads.isBanned(at: now))) OR m.left_seq IS NULL AND u.seq > m.floor_seq)
                AND \(RowFlags.isIntact("l.flags"))
                AND NOT EXISTS (SELECT 1 FROM deletions x
                    WHERE x.channel = u.holder AND x.user_id = \(user) AND x.seq = u.seq))
            OR EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.id AND u.kind = \(FileUse.scheduleKind)
                AND u.holder = \(user))
            OR EXISTS (SELECT 1 FROM file_uses u
                JOIN channels c ON c.id = u.holder AND c.dismissed_at IS NULL
                LEFT JOIN members m ON m.channel = u.holder AND m.user_id = \(user)
                WHERE u.file = f.id AND u.kind IN (\(FileUse.channelKind), \(FileUse.memberKind))
                AND (c.kind IN ('open', 'publicNews', 'corporateNews')
                    OR m.user_id IS NOT NULL AND (m.left_seq IS NULL OR m.role = \(Role.invited.number))))
            OR EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.id AND u.kind = \(FileUse.userKind)))
        """
    }
}
