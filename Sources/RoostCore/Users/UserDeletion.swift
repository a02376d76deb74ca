import Logging
import RoostWire

/// What is erased of a deleted user, in this order.
private enum ErasurePhase: Int64 {
    /// Those who share a channel are told of the new name; then the user can leave.
    case telling
    /// The channels in which the user is or was a member.
    case channels
    /// Open channels, which have no members, and news, where an operator need not be one.
    case openChannels
    /// Forwarded messages, which name the author of the original.
    case forwards
    /// What belongs to the user alone.
    case ownRows
    /// The logs, answers and notifications of others.
    case logs, answers, outbox, notifications
    /// Reports by the user, and copies of messages in reports by others.
    case reports
    case done
}

/// A deleted user whose data is being erased.
private struct Erasure {
    var user: User
    var transID: TransID
    var deletesMessages: Bool
    var phase: ErasurePhase
    /// How far the phase is: the last channel, user or id.
    var position = ""
    /// How far it is at `position`; -1 if that is done.
    var seq: Int64 = -1

    static let upsert = Upsert(
        "user_deletions", ["user_id", "trans_id", "deletes_messages", "phase", "position", "seq"], keys: ["user_id"])

    var values: [SQLValue] {
        [
            .text(user.userID.rawValue), .text(transID.rawValue), .int(deletesMessages ? 1 : 0), .int(phase.rawValue),
            .text(position), .int(seq),
        ]
    }

    mutating func beginNextPhase() {
        phase = ErasurePhase(rawValue: phase.rawValue + 1) ?? .done
        (position, seq) = ("", -1)
    }
}

extension Transaction {
    mutating func deleteUser(_ delete: DeleteUser) throws -> Outcome {
        let id = try delete.userID ?? me
        try checkManagesAccount(of: id)
        guard try delete.deletesMessages == nil || actor.managesAccounts else {
            throw WireError(.noPrivilege, "Only an operator can choose whether the messages are deleted.")
        }
        try flush()
        _ = try users([id])

        // No errors are thrown from here on.
        try endAllLogins(of: id, isDeleted: true)
        for table in ["accounts", "api_keys", "login_networks", "operators"] as [Query] {
            try connection.execute("DELETE FROM \(table) WHERE user_id = \(id)")
        }
        try releaseFiles(of: id, except: [])
        try noteProfile(of: id, [.name, .image])
        let user = User(userID: id, name: configuration.deletedUserName)
        let erasure = Erasure(
            user: user, transID: try transID,
            deletesMessages: delete.deletesMessages ?? configuration.deletesMessagesOfDeletedUsers, phase: .telling)
        batch.put(erasure.values, Erasure.upsert)
        try flush()
        try connection.execute(
            """
            UPDATE users SET name = \(user.name), image_url = NULL, own_fields = 0, invites_from = 0,
                deleted_at = \(batch.now), deletes_messages = \(erasure.deletesMessages ? 1 : 0)
            WHERE id = \(id)
            """)
        batch.users[id] = nil
        batch.lockedUsers.remove(id)
        batch.deletedUsers.insert(id)
        return try outcome(in: nil)
    }

    /// The maximum number of rows read per turn.
    private static let erasedPerTurn = 200

    /// Continues to erase a deleted user.
    ///
    /// A turn and its progress are committed together. Of several servers, one works on a user at a time.
    /// - Returns: when the next turn is due.
    mutating func eraseDeletedUser() throws -> Int64? {
        let found = try connection.rows(
            """
            SELECT d.user_id, d.trans_id, d.deletes_messages, d.phase, d.position, d.seq FROM user_deletions d
            ORDER BY d.user_id LIMIT 1 \(.forUpdateSkipLocked)
            """
        ) { row in
            Erasure(
                user: User(userID: try row.id(0), name: configuration.deletedUserName), transID: try row.id(1),
                deletesMessages: try row.int(2) == 1, phase: ErasurePhase(rawValue: try row.int(3)) ?? .done,
                position: try row.text(4), seq: try row.int(5))
        }.first
        guard var erasure = found else { return nil }
        command = RunningCommand(
            actor: Actor(user: erasure.user, deviceID: "deletion", isOperator: false), transID: erasure.transID)
        defer { command = nil }
        batch.actors.insert(erasure.user.userID)
        switch erasure.phase {
        case .telling:
            let notices = try connection.rows(
                "SELECT 1 FROM profile_notices WHERE user_id = \(erasure.user.userID)"
            ) { try $0.int(0) }
            if notices.isEmpty { erasure.beginNextPhase() }
        case .channels: try eraseChannels(&erasure, isOpen: false)
        case .openChannels: try eraseChannels(&erasure, isOpen: true)
        case .forwards: try eraseForwards(&erasure)
        case .ownRows: if try eraseOwnRows(of: erasure.user.userID) { erasure.beginNextPhase() }
        case .logs: try eraseLogs(&erasure)
        case .answers: try eraseAnswers(&erasure)
        case .outbox: try eraseOutbox(&erasure)
        case .notifications: try eraseNotifications(&erasure)
        case .reports:
            let last = try eraseReports(
                of: erasure.user, deletesMessages: erasure.deletesMessages, after: erasure.position,
                most: Self.erasedPerTurn)
            if let last { erasure.position = last } else { erasure.beginNextPhase() }
        case .done: break
        }
        try flush()
        if erasure.phase == .done {
            try connection.execute("DELETE FROM user_deletions WHERE user_id = \(erasure.user.userID)")
            batch.add(.userErased(erasure.user.userID))
        } else {
            try connection.write([erasure.values], Erasure.upsert)
        }
        return batch.now
    }

    // Channels

    private mutating func eraseChannels(_ erasure: inout Erasure, isOpen: Bool) throws {
        let user = erasure.user.userID
        guard erasure.seq < 0 else { return try eraseRows(&erasure) }
        let next: Query =
            isOpen
            ? "SELECT c.id FROM channels c WHERE c.id > \(erasure.position) AND c.kind IN ('open', 'publicNews', 'corporateNews') ORDER BY c.id LIMIT 1"
            : """
            SELECT m.channel FROM members m WHERE m.user_id = \(user) AND m.channel > \(erasure.position)
            ORDER BY m.channel LIMIT 1
            """
        let found = try connection.rows(next) { try $0.id(0) as ChannelID }
        guard let id = found.first else { return erasure.beginNextPhase() }
        if !isOpen { try eraseMembership(of: user, in: id) }
        erasure.position = id.rawValue
        erasure.seq = 0
    }

    /// Ends a membership, except in a 1-on-1, and erases what belongs to it.
    private mutating func eraseMembership(of user: UserID, in id: ChannelID) throws {
        try load([id])
        if var channel = batch.channels[id], channel.dismissedAt == nil, channel.members[user] != nil {
            channel.members[user]?.appearance = nil
            channel.members[user]?.flags = []
            try leave(channel, user)
        }
        try flush()
        try releaseFiles(of: user, in: id)
        try connection.execute(
            """
            UPDATE members SET nickname = NULL, image_url = NULL, flags = 0 WHERE channel = \(id) AND user_id = \(user)
            """)
        try connection.execute(
            "UPDATE members SET role = 0 WHERE channel = \(id) AND user_id = \(user) AND left_seq IS NOT NULL")
        try connection.execute(
            "UPDATE member_details SET ringtone = NULL, cleared_seq = NULL WHERE channel = \(id) AND user_id = \(user)")
        for table in ["deletions", "mentions"] as [Query] {
            try connection.execute("DELETE FROM \(table) WHERE channel = \(id) AND user_id = \(user)")
        }
        if batch.channels[id]?.members[user] != nil { try loadCorrections([[.text(id.rawValue)]]) }
    }

    private mutating func leave(_ found: ChannelState, _ user: UserID) throws {
        var channel = found
        switch channel.kind {
        case .group where channel.members.count == 1: _ = try dismissGroup(channel)
        case .group:
            let successor = mayLeave(channel, user) ? nil : self.successor(of: user, in: channel)
            _ = try depart(from: channel, successor: successor, holdsKey: false)
        case _ where channel.kind.isNews:
            try remove(user, from: &channel, .left)
            channel.subscribers -= 1
            batch.channels[channel.id] = channel
        default:
            batch.changedMembers.insert(MemberKey(channel: channel.id, user: user))
            batch.channels[channel.id] = channel
            batch.changedChannels.insert(channel.id)
        }
    }

    /// The other member with the highest role who joined first.
    private func successor(of user: UserID, in channel: ChannelState) -> UserID? {
        channel.members.filter { $0.key != user }.min { left, right in
            (right.value.role.number, left.value.joinedSeq, left.key)
                < (left.value.role.number, right.value.joinedSeq, right.key)
        }?.key
    }

    /// Removes the name and picture from some rows of a channel's log, and deletes messages.
    private mutating func eraseRows(_ erasure: inout Erasure) throws {
        guard let id = ChannelID(rawValue: erasure.position) else { throw WireError(.internalFault) }
        let user = erasure.user.userID
        // The channel is locked before its rows are read, so that nobody else changes them.
        try load([id])
        let eraser = NameEraser(erasure.user)
        let rows = try connection.rows(
            """
            SELECT l.seq, l.sender, l.flags, l.frame, l.count FROM channel_log l
            WHERE l.channel = \(id) AND l.seq > \(erasure.seq) ORDER BY l.seq LIMIT \(Self.erasedPerTurn)
            """
        ) { row in
            let (seq, isOwn) = (try row.int(0), try row.optionalText(1) == user.rawValue)
            let frame = try row.erased(3, of: id, seq, count: row.int(4), isOwn: isOwn, by: eraser)
            return (seq: seq, isOwn: isOwn, flags: try row.int(2), frame: frame)
        }
        for row in rows {
            guard case .replaced(let frame, _) = row.frame else { continue }
            try connection.execute(
                "UPDATE channel_log SET frame = \(content: frame) WHERE channel = \(id) AND seq = \(row.seq)")
        }
        // Nobody else reads a user's own channel.
        let isOwn = id == ChannelID(single: user, user)
        if erasure.deletesMessages || isOwn {
            let own = rows.filter { $0.isOwn && !RowFlags(rawValue: $0.flags).contains(.recalled) }
            try deleteMessages(own.map(\.seq), in: id, of: erasure.user)
            let lost = own.filter { row in
                if case .replaced(_, isDamaged: true) = row.frame { true } else { false }
            }
            if !lost.isEmpty { try releaseFiles(of: lost.map(\.seq), in: id) }
        }
        erasure.seq = rows.count < Self.erasedPerTurn ? -1 : rows.last?.seq ?? -1
    }

    private mutating func deleteMessages(_ seqs: [Int64], in id: ChannelID, of user: User) throws {
        guard !seqs.isEmpty, var channel = batch.channels[id], !channel.kind.isNews else { return }
        let found = try connection.rows(
            """
            WITH k (seq) AS (\(keys: seqs.map { [.int($0)] })) SELECT \(LogRow.columns) FROM channel_log l
            WHERE l.channel = \(id) AND l.seq IN (SELECT seq FROM k)
            """, LogRow.init
        ).filter { row in
            guard case .channel(.messageSent) = row.event.body else { return false }
            return true
        }
        guard !found.isEmpty else { return }
        let shell = Recall(
            isSilent: true, at: .init(milliseconds: max(channel.lastSentAt, batch.now)), byUserID: user.userID,
            byName: user.name)
        _ = try recall(found, in: &channel, leaving: shell)
    }

    private mutating func eraseForwards(_ erasure: inout Erasure) throws {
        let last = (channel: erasure.position, seq: erasure.seq)
        let rows = try connection.rows(
            """
            SELECT f.channel, f.seq FROM forwards f
            WHERE f.channel > \(last.channel) OR f.channel = \(last.channel) AND f.seq > \(last.seq)
            ORDER BY f.channel, f.seq LIMIT \(Self.erasedPerTurn)
            """
        ) { (channel: try $0.id(0) as ChannelID, seq: try $0.int(1)) }
        guard !rows.isEmpty else { return erasure.beginNextPhase() }
        try load(Set(rows.map(\.channel)))
        let eraser = NameEraser(erasure.user)
        let frames = try connection.rows(
            """
            WITH k (channel, seq) AS (\(keys: rows.map { [.text($0.channel.rawValue), .int($0.seq)] }))
            SELECT DISTINCT l.channel, l.seq, l.frame, l.count FROM k
            JOIN channel_log l ON l.channel = k.channel AND l.seq = k.seq
            """
        ) { row in
            let (id, seq): (ChannelID, Int64) = (try row.id(0), try row.int(1))
            let frame = try row.erased(2, of: id, seq, count: row.int(3), isOwn: false, by: eraser)
            return (channel: id, seq: seq, frame: frame)
        }
        for row in frames {
            guard case .replaced(let frame, _) = row.frame else { continue }
            try connection.execute(
                "UPDATE channel_log SET frame = \(content: frame) WHERE channel = \(row.channel) AND seq = \(row.seq)")
        }
        if let end = rows.last, rows.count == Self.erasedPerTurn {
            (erasure.position, erasure.seq) = (end.channel.rawValue, end.seq)
        } else {
            erasure.beginNextPhase()
        }
    }

    // Other tables

    /// Deletes some rows that belong to a deleted user alone.
    /// - Returns: whether none are left.
    private mutating func eraseOwnRows(of user: UserID) throws -> Bool {
        let most = Self.erasedPerTurn
        let schedules: [ScheduleID] = try connection.rows(
            "SELECT id FROM schedules WHERE user_id = \(user) ORDER BY id LIMIT \(most)"
        ) { try $0.id(0) }
        for schedule in schedules {
            try releaseFiles(of: schedule, of: user)
            try connection.execute("DELETE FROM schedules WHERE user_id = \(user) AND id = \(schedule)")
        }
        // Files that were uploaded and not used.
        let files = try connection.rows(
            "SELECT id FROM files WHERE owner = \(user) AND expires_at IS NOT NULL ORDER BY id LIMIT \(most)"
        ) { try $0.text(0) }
        try deleteUnused(files)
        var isDone = schedules.count < most && files.count < most
        for (table, key) in [("user_log", "seq"), ("command_keys", "trans_id"), ("blocks", "blocked")]
            as [(Query, Query)]
        {
            let last = try connection.rows(
                "SELECT CAST(\(key) AS TEXT) FROM \(table) WHERE user_id = \(user) ORDER BY \(key) LIMIT \(most)"
            ) { try $0.text(0) }
            try connection.execute(
                """
                DELETE FROM \(table) WHERE user_id = \(user) AND \(key) IN (
                    SELECT x.\(key) FROM \(table) x WHERE x.user_id = \(user) ORDER BY x.\(key) LIMIT \(most))
                """)
            if last.count == most { isDone = false }
        }
        return isDone
    }

    private func eraseLogs(_ erasure: inout Erasure) throws {
        let last = (user: erasure.position, seq: erasure.seq)
        let eraser = NameEraser(erasure.user)
        let rows = try connection.rows(
            """
            SELECT user_id, seq, frame FROM user_log
            WHERE user_id > \(last.user) OR user_id = \(last.user) AND seq > \(last.seq)
            ORDER BY user_id, seq LIMIT \(Self.erasedPerTurn)
            """
        ) { row in
            let (user, seq): (UserID, Int64) = (try row.id(0), try row.int(1))
            let frame = try row.erased(2, by: eraser, { row.damage?.note("user_log", of: user.rawValue, seq, $0) })
            return (user: user.rawValue, seq: seq, frame: frame)
        }
        for row in rows {
            guard let frame = row.frame else { continue }
            try connection.execute(
                "UPDATE user_log SET frame = \(content: frame) WHERE user_id = \(row.user) AND seq = \(row.seq)")
        }
        if let end = rows.last, rows.count == Self.erasedPerTurn {
            (erasure.position, erasure.seq) = (end.user, end.seq)
        } else {
            erasure.beginNextPhase()
        }
    }

    private func eraseAnswers(_ erasure: inout Erasure) throws {
        // The position is a user id and a transID; a user id contains no space.
        let last = erasure.position.split(separator: " ", maxSplits: 1).map(String.init)
        let (lastUser, lastID) = (last.first ?? "", last.count == 2 ? last[1] : "")
        let eraser = NameEraser(erasure.user)
        let rows = try connection.rows(
            """
            SELECT user_id, trans_id, answer FROM command_keys
            WHERE user_id > \(lastUser) OR user_id = \(lastUser) AND trans_id > \(lastID)
            ORDER BY user_id, trans_id LIMIT \(Self.erasedPerTurn)
            """
        ) { row in
            (user: try row.text(0), transID: try row.text(1), answer: try row.erased(2, by: eraser, isEvent: false))
        }
        for row in rows {
            guard let answer = row.answer else { continue }
            try connection.execute(
                "UPDATE command_keys SET answer = \(content: answer) WHERE user_id = \(row.user) AND trans_id = \(row.transID)"
            )
        }
        if let end = rows.last, rows.count == Self.erasedPerTurn {
            erasure.position = end.user + " " + end.transID
        } else {
            erasure.beginNextPhase()
        }
    }

    private func eraseOutbox(_ erasure: inout Erasure) throws {
        let rows = try connection.rows(
            """
            SELECT o.id, o.items FROM push_outbox o WHERE o.id > \(erasure.position)
            ORDER BY o.id LIMIT \(Self.erasedPerTurn) \(.forUpdate)
            """
        ) { (id: try $0.text(0), items: try? $0.content(1)) }
        let eraser = NameEraser(erasure.user)
        for row in rows {
            guard let items = row.items else {
                logger.error("an item of the push outbox is unreadable, deleting it")
                try connection.execute("DELETE FROM push_outbox WHERE id = \(row.id)")
                continue
            }
            var isChanged = false
            let lines = try String(decoding: items, as: UTF8.self).split(separator: "\n").map { line in
                guard let item = try PushItem(line: line)?.erased(by: eraser) else { return String(line) }
                isChanged = true
                return item.line
            }
            guard isChanged else { continue }
            try connection.execute(
                "UPDATE push_outbox SET items = \(content: PushItem.encode(lines)) WHERE id = \(row.id)")
        }
        if let end = rows.last, rows.count == Self.erasedPerTurn {
            erasure.position = end.id
        } else {
            erasure.beginNextPhase()
        }
    }

    private func eraseNotifications(_ erasure: inout Erasure) throws {
        let eraser = NameEraser(erasure.user)
        let rows = try connection.rows(
            """
            SELECT id, event FROM pushes WHERE id > \(erasure.position) AND event IS NOT NULL
            ORDER BY id LIMIT \(Self.erasedPerTurn)
            """
        ) { row in
            (id: try row.text(0), event: try row.erased(1, by: eraser))
        }
        for row in rows {
            guard let event = row.event else { continue }
            try connection.execute("UPDATE pushes SET event = \(content: event) WHERE id = \(row.id)")
        }
        if let end = rows.last, rows.count == Self.erasedPerTurn {
            erasure.position = end.id
        } else {
            erasure.beginNextPhase()
        }
    }
}

/// What becomes of a row of a channel's log.
private enum ErasedRow {
    case kept
    case replaced([UInt8], isDamaged: Bool)
}

// Of a damaged row, the user's own or one that names the user, nothing is kept. What an encrypted one says nobody can tell.
extension SQLRow {
    /// The stored event of a row in a channel's log, without what identifies the user.
    fileprivate func erased(
        _ column: Int, of channel: ChannelID, _ seq: Int64, count: Int64, isOwn: Bool, by eraser: NameEraser
    ) throws -> ErasedRow {
        do {
            return try eraser.erased(event: json(column)).map { .replaced($0, isDamaged: false) } ?? .kept
        } catch {
            damage?.note("channel_log", of: channel.rawValue, seq, error)
            guard try isOwn || eraser.isNamed(in: blob(column)) else { return .kept }
            return .replaced(try Event.number(seq, of: channel, count: count), isDamaged: true)
        }
    }

    /// Other content without what identifies the user; nil if it stays as it is. A damaged one that names the user becomes empty.
    fileprivate func erased(
        _ column: Int, by eraser: NameEraser, isEvent: Bool = true, _ note: (any Error) -> Void = { _ in }
    ) throws -> [UInt8]? {
        do {
            let bytes = try json(column)
            return try isEvent ? eraser.erased(event: bytes) : eraser.erased(bytes)
        } catch {
            note(error)
            return try eraser.isNamed(in: blob(column)) ? [] : nil
        }
    }
}

extension PushItem {
    /// The item without the name and picture; nil if it does not contain them.
    fileprivate func erased(by eraser: NameEraser) throws -> PushItem? {
        switch self {
        case .relayed(let channel, let sender, let sentAt, let after, let frame):
            try eraser.erased(event: frame).map {
                .relayed(channel, by: sender, sentAt: sentAt, after: after, frame: $0)
            }
        case .own(let user, let device, let sentAt, let frame):
            try eraser.erased(event: frame).map { .own(user, except: device, sentAt: sentAt, frame: $0) }
        case .row, .recalled, .unreached: nil
        }
    }
}

/// Replaces the name of a deleted user in stored JSON, and removes the picture and what identifies the person.
struct NameEraser {
    private let id: String
    private let name: String
    private let needle: [UInt8]

    /// - Parameter user: the user, with the name to write instead.
    init(_ user: User) {
        id = user.userID.rawValue
        name = user.name
        needle = Array("\"\(id)\"".utf8)
    }

    /// The event without the name and picture; nil if it does not contain them.
    func erased(event bytes: [UInt8]) throws -> [UInt8]? {
        guard let json = try erased(bytes) else { return nil }
        let event = try WireCodec.decodeEvent(json)
        if case .unknown = event.body { return json }
        return try WireCodec.encode(event)
    }

    /// The JSON without the name and picture; nil if it does not contain them.
    func erased(_ bytes: [UInt8]) throws -> [UInt8]? {
        guard isNamed(in: bytes) else { return nil }
        let old = try JSONTree(bytes)
        let new = erased(old)
        return new == old ? nil : Array(new.text().utf8)
    }

    /// Whether the id of the user is in the bytes, as a string in JSON.
    func isNamed(in bytes: [UInt8]) -> Bool {
        guard let first = needle.first, bytes.count >= needle.count else { return false }
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first), found + needle.count <= bytes.count {
            if bytes[found..<found + needle.count].elementsEqual(needle) { return true }
            start = found + 1
        }
        return false
    }

    private func erased(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .array(let elements): return .array(elements.map(erased))
        case .object(var fields):
            let isSender = fields["senderID"] == .string(id)
            // The author of an event is named in its body.
            if isSender, fields["event"] != nil, case .object(var body)? = fields["body"] {
                replace(["senderName", "byName", "voterName"], remove: ["senderImageURL"], in: &body)
                fields["body"] = .object(body)
            }
            if isSender { replace(["senderName"], remove: ["senderImageURL"], in: &fields) }
            if fields["byUserID"] == .string(id) { replace(["byName"], remove: [], in: &fields) }
            if fields["userID"] == .string(id) {
                replace(["name"], remove: ["imageURL", "nickname", "phone", "email"], in: &fields)
                if fields["loginName"] != nil { fields["loginName"] = .string("") }
                if case .object(var profile)? = fields["profile"] {
                    replace(["name"], remove: [], in: &profile)
                    if profile["imageURL"] != nil { profile["imageURL"] = .string("") }
                    fields["profile"] = .object(profile)
                }
            }
            return .object(fields.mapValues(erased))
        default: return tree
        }
    }

    private func replace(_ names: [String], remove others: [String], in fields: inout [String: JSONTree]) {
        for key in names where fields[key] != nil { fields[key] = .string(name) }
        for key in others { fields[key] = nil }
    }
}

extension Writer {
    /// Removes what the files of the database still have of an erased user.
    func removeTraces(of user: UserID) {
        do {
            try database.removeTraces()
            logger.info("deleted user erased", metadata: ["user": "\(user)"])
        } catch {
            logger.error(
                "a deleted user's data may remain in the files of the database until the next start",
                metadata: ["user": "\(user)", "error": "\(error)"])
        }
    }
}
