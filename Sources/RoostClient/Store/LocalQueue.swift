import GRDB
import RoostWire

// The send queue.
extension LocalTransaction {
    /// Adds a message at the end of the queue; adding the same one again changes nothing.
    ///
    /// `serverTime` is given if there is a connection on which it is sent at once.
    /// - Throws: 1119 if another message in the queue has this transID.
    func enqueue(
        _ message: SendMessage, _ transID: TransID, at now: Int64, uploading file: LocalFile? = nil,
        serverTime: Int64? = nil
    ) throws {
        if let known = try LocalStore.queued(transID, db) {
            guard known.message == message else { throw RoostError(wire: WireError(.duplicateTransID)) }
            guard case .failed = known.state else { return }
            try discard(transID, in: message.channel)
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO sends (trans_id, channel, message, created_at, upload, tried_at) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            transID.rawValue, message.channel.rawValue, try Self.text(message), now, try file.map(Self.text),
            file == nil ? serverTime : nil,
        ])
        queueChanged(in: message.channel)
    }

    /// Moves a failed message to the end of the queue; returns what to send, or nil if it is not in the queue.
    func requeue(
        _ transID: TransID, with message: SendMessage?, serverTime: Int64? = nil
    ) throws -> QueuedMessage? {
        guard let old = try LocalStore.queued(transID, db), case .failed = old.state else { return nil }
        try discard(transID, in: old.message.channel)
        let new = message ?? old.message
        // Another message with the same file still needs it.
        let upload = new.file == old.message.file ? old.upload : nil
        try enqueue(new, transID, at: old.createdAt.milliseconds, uploading: upload, serverTime: serverTime)
        return QueuedMessage(
            transID: transID, message: new, createdAt: old.createdAt, order: db.lastInsertedRowID, state: .sending,
            upload: upload)
    }

    /// Notes that the file of a message is uploaded.
    func setUploaded(_ message: SendMessage, _ transID: TransID, serverTime: Int64?) throws {
        try db.cachedStatement(sql: "UPDATE sends SET message = ?, upload = NULL, tried_at = ? WHERE trans_id = ?")
            .execute(arguments: [try Self.text(message), serverTime, transID.rawValue])
        queueChanged(in: message.channel)
    }

    /// Notes that there is a connection: all waiting messages are sent from now on.
    ///
    /// It is noted once per connection and not per message, before the first one is sent.
    func noteTried(at serverTime: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE sends SET tried_at = ?
                WHERE tried_at IS NULL AND seq IS NULL AND error IS NULL AND upload IS NULL
                """
        ).execute(arguments: [serverTime])
    }

    /// Notes that a message is on the server's disk; if it is not stored in a log, it leaves the queue.
    func accept(_ message: SentMessage) throws {
        let id = message.channel
        if let seq = message.seq, try LocalStore.row(seq, in: id, db) == nil, try record(id).position ?? 0 < seq {
            try db.cachedStatement(sql: "UPDATE sends SET seq = ?, error = NULL WHERE trans_id = ?")
                .execute(arguments: [seq, message.transID.rawValue])
        } else {
            try discard(message.transID, in: id)
        }
        queueChanged(in: id)
    }

    func fail(_ send: FailedSend) throws {
        let error = StoredError(send.error)
        try db.cachedStatement(sql: "UPDATE sends SET error = ? WHERE trans_id = ? AND seq IS NULL")
            .execute(arguments: [try Self.text(error), send.transID.rawValue])
        queueChanged(in: send.channel)
    }

    /// Removes a message from the queue, if it is there: the user discarded it, or its row is stored.
    func discard(_ transID: TransID, in id: ChannelID) throws {
        try db.cachedStatement(sql: "DELETE FROM sends WHERE trans_id = ?").execute(arguments: [transID.rawValue])
        if db.changesCount > 0 { queueChanged(in: id) }
    }

    /// Removes accepted messages whose rows must have arrived by now, because they were removed from the log.
    func dropAccepted(upTo seq: Int64, in id: ChannelID) throws {
        try db.cachedStatement(sql: "DELETE FROM sends WHERE channel = ? AND seq <= ?")
            .execute(arguments: [id.rawValue, seq])
        if db.changesCount > 0 { queueChanged(in: id) }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireCodec.encode(value), as: UTF8.self)
    }
}

extension LocalStore {
    /// The waiting messages of a channel, in their order.
    static func queue(in id: ChannelID?, _ db: Database) throws -> [QueuedMessage] {
        let condition = id == nil ? "" : "WHERE channel = ?"
        let cursor = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT * FROM sends \(condition) ORDER BY number"),
            arguments: id.map { [$0.rawValue] } ?? [])
        var queue: [QueuedMessage] = []
        while let row = try cursor.next() {
            if let message = try queued(row) { queue.append(message) }
        }
        return queue
    }

    static func queued(_ transID: TransID, _ db: Database) throws -> QueuedMessage? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM sends WHERE trans_id = ?"), arguments: [transID.rawValue]
        ).flatMap(queued)
    }

    /// When the waiting messages were first sent, by the server's clock.
    static func triedAt(_ db: Database) throws -> [TransID: Int64] {
        let sql = "SELECT trans_id, tried_at FROM sends WHERE tried_at IS NOT NULL AND seq IS NULL AND error IS NULL"
        var tried: [TransID: Int64] = [:]
        let cursor = try Row.fetchCursor(db, sql: sql)
        while let row = try cursor.next() {
            if let transID = TransID(rawValue: row[0]) { tried[transID] = row[1] }
        }
        return tried
    }

    private static func queued(_ row: Row) throws -> QueuedMessage? {
        guard let transID = TransID(rawValue: row["trans_id"]) else { return nil }
        let json: String = row["message"]
        let error: String? = row["error"]
        let seq: Int64? = row["seq"]
        let upload: String? = row["upload"]
        let state: QueuedMessage.State
        if let seq {
            state = .sent(seq: seq)
        } else if let error {
            state = .failed(try WireCodec.decode(StoredError.self, from: Array(error.utf8)).error)
        } else {
            state = .sending
        }
        return QueuedMessage(
            transID: transID, message: try WireCodec.decode(SendMessage.self, from: Array(json.utf8)),
            createdAt: .init(milliseconds: row["created_at"]), order: row["number"], state: state,
            upload: try upload.map { try WireCodec.decode(LocalFile.self, from: Array($0.utf8)) })
    }
}

/// The stored reason for which a message failed.
private struct StoredError: Codable {
    var wire: WireError?
    var message: String
    var isRetryable: Bool
    /// False if nil.
    var isOutcomeUnknown: Bool?
    /// Absent for no: the file of the message is missing, or was changed.
    var isFileFailed: Bool?
    /// Absent for no.
    var isUploadFailed: Bool?

    init(_ error: RoostError) {
        wire = error.wire
        message = error.message
        isRetryable = error.isRetryable
        isOutcomeUnknown = error.code == .outcomeUnknown ? true : nil
        isFileFailed = error.code == .fileFailed ? true : nil
        isUploadFailed = error.code == .uploadFailed ? true : nil
    }

    var error: RoostError {
        if let wire { return RoostError(wire: wire) }
        return RoostError(code, message, isRetryable: isRetryable)
    }

    private var code: RoostError.Code {
        if isOutcomeUnknown == true { return .outcomeUnknown }
        if isFileFailed == true { return .fileFailed }
        return isUploadFailed == true ? .uploadFailed : .timedOut
    }
}
