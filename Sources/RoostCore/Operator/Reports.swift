import Logging
import RoostWire

/// What a report keeps beside its columns.
private struct ReportContent: Codable {
    var message: Event?
    var before: [Event]?
    var category: String?
    var text: String?
    var note: String?
}

extension Actor {
    /// Checks that this is an operator, before any other check.
    /// - Throws: `WireError` 1107.
    fileprivate func checkHandlesReports() throws(WireError) {
        guard isOperator else {
            throw WireError(
                .noPrivilege, "Only an operator handles reports. Create a token with: roost token --operator.")
        }
    }
}

extension Transaction {
    private static let reports = Upsert(
        "reports", ["id", "reporter", "target", "user_id", "channel", "at", "content"], keys: ["id"])

    mutating func createReport(_ create: CreateReport) throws -> Outcome {
        let me = try me
        if let category = create.category { try TextRules.checkName(category, "category") }
        if let text = create.text { try checkRemark(text, "text") }
        let (target, user, content) = try reported(by: create)
        guard user != me else {
            throw WireError(
                .dataFormat, field: create.userID == nil ? "messageID" : "userID", "You cannot report yourself.")
        }
        let known = try connection.rows(
            "SELECT 1 FROM reports WHERE reporter = \(me) AND target = \(target)"
        ) { try $0.int(0) }
        guard known.isEmpty else { return try outcome(in: create.channel) }
        let most = configuration.limits.reportsPerDay
        let today = try connection.rows(
            "SELECT COUNT(*) FROM reports WHERE reporter = \(me) AND at > \(batch.now - 86_400_000)"
        ) { try $0.int(0) }
        guard today.first ?? 0 < Int64(most) else {
            throw WireError(.limitReached, "You have made \(most) reports in 24 hours, the maximum. Try again later.")
        }
        batch.put(
            [
                .text(try newReportID()), .text(me.rawValue), .text(target), SQLValue(user?.rawValue),
                SQLValue(create.channel?.rawValue), .int(batch.now), .content(try WireCodec.encode(content)),
            ], Self.reports)
        return try outcome(in: create.channel)
    }

    /// What a report is about, its user, and the copies that it keeps.
    private mutating func reported(
        by create: CreateReport
    ) throws -> (target: String, user: UserID?, content: ReportContent) {
        let me = try me
        var content = ReportContent(category: create.category, text: create.text)
        switch (create.channel, create.messageID, create.userID) {
        case (let id?, let messageID?, nil):
            try flush()
            guard let channel = try channel(id) else { throw WireError(.channelNotFound) }
            if channel.kind != .open { _ = try member(me, of: channel) }
            let (message, flags) = try message(messageID, of: channel, for: me)
            guard !flags.contains(.recalled) else {
                throw WireError(.messageNotFound, "The message was recalled.")
            }
            content.message = message
            content.before = try rows(before: messageID.seq, in: channel, for: me)
            return ("\(id) \(messageID)", message.senderID, content)
        case (nil, nil, let reported?):
            _ = try users([reported], locked: false)
            try flush()
            return (reported.rawValue, reported, content)
        default:
            throw WireError(
                .dataFormat, field: create.channel == nil ? "userID" : "messageID",
                "Name either a message, with \"channel\" and \"messageID\", or a user, with \"userID\".")
        }
    }

    /// An id that is greater than those of all other reports: the time, and 64 random bits.
    private func newReportID() throws -> String {
        // The ids of reports that are made in the same ms ascend too.
        let newest = try connection.rows("SELECT COALESCE(MAX(id), '') FROM reports") { row in
            try Int64(row.text(0).prefix(12), radix: 16)
        }
        var id: [UInt8] = []
        let time = max(batch.now, (newest.first.flatMap(\.self) ?? -1) + 1)
        HexDigits.append(UInt64(bitPattern: time), digits: 12, to: &id)
        HexDigits.append(effects.random(), digits: 16, to: &id)
        return String(decoding: id, as: UTF8.self)
    }

    private func checkRemark(_ text: String, _ field: String) throws(WireError) {
        var limits = configuration.limits
        limits.textLength = CreateReport.textLength
        try TextRules.check(text, field: field, limits: limits)
    }

    /// The messages and lines before a row that a user can read, ascending.
    private func rows(before seq: Int64, in channel: ChannelState, for user: UserID) throws -> [Event] {
        let most = 100
        var shown: [Event] = []
        var end = seq
        // Reactions and ballots are rows, too: as many are looked at as for a page of history.
        for _ in 0..<(Reads.maxExamined / most) {
            let rows = try connection.rows(
                """
                SELECT l.seq, l.frame FROM channel_log l WHERE l.channel = \(channel.id) AND l.seq < \(end)
                AND l.seq > \(channel.floor(of: user)) AND \(Reads.isVisible(to: user, in: channel.id))
                ORDER BY l.seq DESC LIMIT \(most)
                """
            ) { (seq: try $0.int(0), frame: try $0.frame(1, of: channel.id, $0.int(0))) }
            for row in try rows.filter({ try Event.isShown($0.frame) }).prefix(CreateReport.rowsBefore - shown.count) {
                shown.append(try WireCodec.decodeEvent(row.frame))
            }
            guard shown.count < CreateReport.rowsBefore, rows.count == most, let last = rows.last else { break }
            end = last.seq
        }
        return shown.reversed()
    }

    mutating func closeReport(_ close: CloseReport) throws -> Outcome {
        let actor = try actor
        try actor.checkHandlesReports()
        if let note = close.note { try checkRemark(note, "note") }
        try flush()
        let found = try connection.rows(
            "SELECT closed_at, content FROM reports WHERE id = \(close.reportID) \(.forUpdate)"
        ) { row in
            (
                isClosed: !row.isNull(0),
                content: try WireCodec.decode(ReportContent.self, from: try row.content(1))
            )
        }.first
        guard var found else { throw WireError(.reportNotFound) }
        guard !found.isClosed else { return try outcome(in: nil) }
        found.content.note = close.note
        try connection.execute(
            """
            UPDATE reports SET closed_at = \(batch.now), closed_by = \(actor.user.userID),
                content = \(content: try WireCodec.encode(found.content)) WHERE id = \(close.reportID)
            """)
        return try outcome(in: nil)
    }

    /// Deletes some reports that were closed up to a time, oldest first.
    /// - Returns: how many it has deleted.
    func deleteClosedReports(upTo time: Int64, most: Int) throws -> Int {
        let keys = try connection.rows(
            "SELECT id FROM reports WHERE closed_at <= \(time) ORDER BY closed_at, id LIMIT \(most)"
        ) { [SQLValue.text(try $0.text(0))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            "WITH k (id) AS (\(keys: keys)) DELETE FROM reports WHERE id IN (SELECT id FROM k)")
        return keys.count
    }

    /// Deletes reports by a deleted user, and removes the user's name, or all of the user's messages, from others.
    /// - Returns: the last of the reports that it has looked at; nil if there are no more.
    func eraseReports(of user: User, deletesMessages: Bool, after position: String, most: Int) throws -> String? {
        let eraser = NameEraser(user)
        let rows = try connection.rows(
            "SELECT id, reporter, content FROM reports WHERE id > \(position) ORDER BY id LIMIT \(most)"
        ) { row -> (id: String, reporter: String, content: [UInt8], isLost: Bool) in
            let (id, reporter) = (try row.text(0), try row.text(1))
            do {
                return (id, reporter, try row.content(2), false)
            } catch {
                logger.error("report unreadable", metadata: ["report": "\(id)"])
                return (id, reporter, [], try eraser.isNamed(in: row.blob(2)))
            }
        }
        for row in rows {
            if row.isLost || row.reporter == user.userID.rawValue {
                try connection.execute("DELETE FROM reports WHERE id = \(row.id)")
                continue
            }
            if row.content.isEmpty { continue }
            var content = try WireCodec.decode(
                ReportContent.self, from: try eraser.erased(row.content) ?? row.content)
            if deletesMessages {
                if content.message?.senderID == user.userID { content.message = nil }
                content.before?.removeAll { $0.senderID == user.userID }
            }
            let erased = try WireCodec.encode(content)
            guard erased != row.content else { continue }
            try connection.execute("UPDATE reports SET content = \(content: erased) WHERE id = \(row.id)")
        }
        return rows.count < most ? nil : rows.last?.id
    }
}

extension Reads {
    func listReports(_ list: ListReports) throws -> [UInt8] {
        try actor.checkHandlesReports()
        let limit = try limit(list.limit, default: 20, most: 50)
        let after = try cursor(list.cursor) { $0.utf8.count == 28 ? $0 : nil } ?? ""
        let state: Query = list.isClosed == true ? "IS NOT NULL" : "IS NULL"
        let found = try connection.rows(
            """
            SELECT r.id, r.at, r.reporter, COALESCE(u.name, r.reporter), u.image_url, r.user_id,
                COALESCE(t.name, r.user_id), t.image_url, r.channel, r.closed_at, r.closed_by, r.content
            FROM reports r LEFT JOIN users u ON u.id = r.reporter LEFT JOIN users t ON t.id = r.user_id
            WHERE r.closed_at \(state) AND r.id > \(after) ORDER BY r.id LIMIT \(limit + 1)
            """
        ) { row in
            let stored = try row.content(11)
            let content = try WireCodec.decode(ReportContent.self, from: stored)
            let user = try row.optionalID(5) as UserID?
            let report = Report(
                reportID: try row.text(0), at: try row.time(1),
                byUser: User(userID: try row.id(2), name: try row.text(3), imageURL: try row.optionalText(4)),
                user: try user.map { User(userID: $0, name: try row.text(6), imageURL: try row.optionalText(7)) },
                channel: try row.optionalID(8), message: content.message, before: content.before,
                category: content.category, text: content.text, closedAt: try row.optionalTime(9),
                closedBy: try row.optionalID(10), note: content.note)
            return (report: report, bytes: stored.count)
        }
        let (page, next) = page(found, limit: limit, bytes: \.bytes, cursor: \.report.reportID)
        return try WireCodec.encode(ListReports.Answer(reports: page.map(\.report), next: next))
    }
}
