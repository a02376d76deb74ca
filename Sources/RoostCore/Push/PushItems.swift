import Logging
import RoostWire

/// A part of a commit that triggers push notifications.
///
/// The items of a commit are one row of the table `push_outbox`, written by the same transaction. A task of the writer
/// then finds the devices to notify, page by page, and writes a row of the table `pushes` for each.
enum PushItem: Hashable {
    /// A row of a channel's log, for its members with an id after `after`.
    case row(ChannelID, seq: Int64, after: String)
    /// An event that is not stored, for the members of a channel with an id after `after`.
    case relayed(ChannelID, by: UserID, sentAt: Int64, after: String, frame: [UInt8])
    /// An event of a user's log, for the user's devices but the one that caused it.
    case own(UserID, except: DeviceID?, sentAt: Int64, frame: [UInt8])
    /// A message that was recalled, for the devices that show it.
    case recalled(ChannelID, seq: Int64)
    /// What was sent from a time up to another one to a device that did not answer any more.
    case unreached(UserID, DeviceID, since: Int64, until: Int64)
}

extension PushItem {
    // One line per item, with words between spaces. Ids have no spaces, and an encoded event has no line break.
    var line: String {
        switch self {
        case .row(let channel, let seq, let after): "r \(channel) \(seq) \(after)"
        case .relayed(let channel, let sender, let sentAt, let after, let frame):
            "e \(channel) \(sender) \(sentAt) \(after) \(String(decoding: frame, as: UTF8.self))"
        case .own(let user, let device, let sentAt, let frame):
            "u \(user) \(device?.rawValue ?? "") \(sentAt) \(String(decoding: frame, as: UTF8.self))"
        case .recalled(let channel, let seq): "w \(channel) \(seq)"
        case .unreached(let user, let device, let since, let until): "m \(user) \(device) \(since) \(until)"
        }
    }

    /// Several lines, as they are stored.
    static func encode(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    init?(line: Substring) {
        let kind = line.prefix(2)
        let words = line.dropFirst(2).split(
            separator: " ", maxSplits: kind == "e " ? 4 : kind == "u " || kind == "m " ? 3 : 2,
            omittingEmptySubsequences: false
        ).map(String.init)
        switch kind {
        case "r ":
            guard words.count == 3, let channel = ChannelID(rawValue: words[0]), let seq = Int64(words[1]) else {
                return nil
            }
            self = .row(channel, seq: seq, after: words[2])
        case "e ":
            guard words.count == 5, let channel = ChannelID(rawValue: words[0]),
                let sender = UserID(rawValue: words[1]), let sentAt = Int64(words[2])
            else { return nil }
            self = .relayed(channel, by: sender, sentAt: sentAt, after: words[3], frame: Array(words[4].utf8))
        case "u ":
            guard words.count == 4, let user = UserID(rawValue: words[0]), let sentAt = Int64(words[2]) else {
                return nil
            }
            self = .own(
                user, except: DeviceID(rawValue: words[1]), sentAt: sentAt, frame: Array(words[3].utf8))
        case "w ":
            guard words.count == 2, let channel = ChannelID(rawValue: words[0]), let seq = Int64(words[1]) else {
                return nil
            }
            self = .recalled(channel, seq: seq)
        case "m ":
            // Before schema 27 there was no end.
            guard words.count >= 3, let user = UserID(rawValue: words[0]), let device = DeviceID(rawValue: words[1]),
                let since = Int64(words[2]), let until = words.count == 3 ? .max : Int64(words[3])
            else { return nil }
            self = .unreached(user, device, since: since, until: until)
        default: return nil
        }
    }
}

// Noting what makes notifications.
extension Transaction {
    /// Whether any device may have an address. Another process may have given one to the first device.
    var hasDevices: Bool { batch.features.pushes.known.hasDevices || isShared }

    /// Notes a row of a channel's log, if it makes notifications.
    mutating func notePush(of body: ChannelRowBody, _ channel: ChannelID, _ seq: Int64) {
        guard hasDevices, EventBody.channel(body).behaviour?.isPushed == true else { return }
        batch.features.pushes.items.append(.row(channel, seq: seq, after: ""))
    }

    /// Notes a message that is not stored.
    mutating func notePush(of message: Message, _ channel: ChannelID, _ sentAt: Int64) throws {
        guard hasDevices, let command else { return }
        let sender = command.actor.user.userID
        let event = Event(
            channel: channel, senderID: sender, transID: command.transID, sentAt: .init(milliseconds: sentAt),
            body: .ephemeral(.messageRelayed(message)))
        batch.features.pushes.items.append(
            .relayed(channel, by: sender, sentAt: sentAt, after: "", frame: try WireCodec.encode(event)))
    }

    /// Notes a row of a user's log, if it makes notifications.
    mutating func notePush(of body: UserRowBody, to user: UserID, _ frame: [UInt8]) {
        guard hasDevices, EventBody.user(body).behaviour?.isPushed == true else { return }
        // A 1-on-1 is hidden until there is a message.
        if case .channelJoined(let joined) = body, joined.isHidden { return }
        var device: DeviceID?
        if let actor = command?.actor, actor.user.userID == user {
            // Who has created a channel knows it, on every device.
            if case .channelJoined = body { return }
            device = actor.deviceID
        }
        batch.features.pushes.items.append(.own(user, except: device, sentAt: batch.now, frame: frame))
    }

    /// Writes what was noted, at the end of a transaction.
    mutating func writePushes() throws {
        guard !batch.features.pushes.items.isEmpty else { return }
        if !batch.features.pushes.known.hasDevices {
            guard try !connection.rows("SELECT 1 FROM devices LIMIT 1", { try $0.int(0) }).isEmpty else { return }
            batch.features.pushes.known.hasDevices = true
        }
        // The rows of one ms sort by the number of their batch.
        let id = TransID(now: batch.now, random: batch.caches.batches << 24 | effects.random() & 0xFF_FFFF)
        batch.put(
            [.text(id.rawValue), .content(PushItem.encode(batch.features.pushes.items.map(\.line)))], Self.outbox)
        batch.schedule(at: batch.now)
    }

    private static let outbox = Upsert("push_outbox", ["id", "items"])
}

/// A device to notify.
struct PushTarget {
    var user: UserID
    var device: DeviceID
    var gateway: String
    var channel: ChannelID?
    var seq: Int64?
    var sentAt: Int64
    var frame: [UInt8]?
    /// Why what the device shows is to go; nil if it is to show something.
    var withdrawal: Withdrawal?

    var key: DeviceKey { DeviceKey(user: user, device: device) }

    /// A row of a channel, for a device.
    struct Row: Hashable {
        var key: DeviceKey
        var channel: ChannelID
        var seq: Int64
    }

    /// What it is about; nil for an event that is in no channel, and for a withdrawal.
    var row: Row? {
        guard withdrawal == nil, let channel, let seq else { return nil }
        return Row(key: key, channel: channel, seq: seq)
    }
}

extension PushTarget {
    fileprivate init(row: any SQLRow) throws {
        user = try row.id(0)
        device = try row.id(1)
        gateway = try row.text(2)
        channel = try row.optionalID(3)
        seq = try row.optionalInt(4)
        sentAt = try row.int(5)
    }
}

// Finding the devices.
extension Transaction {
    /// The maximum numbers of rows of the outbox, of their items, and of members per turn.
    private static let rowsPerTurn = 100
    private static let itemsPerTurn = 200
    private static let membersPerTurn = 500

    /// Finds the devices to notify for the oldest items of the outbox.
    ///
    /// There is a row for each batch, and a turn takes many of them, because most have few items. The notifications and
    /// the progress are committed together, so a device gets each once. A device that is connected is
    /// left out.
    /// - Returns: when the next turn is due.
    mutating func expandPushes() throws -> Int64? {
        let rows = try connection.rows(
            "SELECT id, items FROM push_outbox ORDER BY id LIMIT \(Self.rowsPerTurn) \(.forUpdateSkipLocked)"
        ) { row in
            (id: try row.text(0), lines: Self.lines(try? row.content(1)))
        }
        guard !rows.isEmpty else { return nil }
        var items: [PushItem] = []
        for line in rows.lazy.flatMap(\.lines).prefix(Self.itemsPerTurn) {
            guard let item = PushItem(line: line) else { break }
            items.append(item)
        }
        if items.isEmpty || rows.contains(where: \.lines.isEmpty) {
            logger.error("an item of the push outbox is unreadable, skipping it")
        }
        let turn = try targets(of: items)
        try add(turn.targets)
        try remove(turn.done, of: rows, left: turn.left)
        return batch.now
    }

    private static func lines(_ items: [UInt8]?) -> [Substring] {
        String(decoding: items ?? [], as: UTF8.self).split(separator: "\n")
    }

    /// Removes the first items of the outbox, of which the last one may leave a rest.
    private func remove(_ count: Int, of rows: [(id: String, lines: [Substring])], left: PushItem?) throws {
        var count = count
        var done: [[SQLValue]] = []
        for (id, lines) in rows {
            // A row without items is damaged.
            guard count > 0 || lines.isEmpty else { break }
            let isLast = count <= lines.count && !lines.isEmpty
            let rest = (isLast ? left.map { [$0.line] } ?? [] : []) + lines.dropFirst(count).map(String.init)
            count -= lines.isEmpty ? 0 : min(count, lines.count)
            if rest.isEmpty {
                done.append([.text(id)])
            } else {
                try connection.execute(
                    "UPDATE push_outbox SET items = \(content: PushItem.encode(rest)) WHERE id = \(id)")
            }
        }
        guard !done.isEmpty else { return }
        try connection.execute(
            "WITH k (id) AS (\(keys: done)) DELETE FROM push_outbox WHERE id IN (SELECT id FROM k)")
    }

    /// Writes notifications for devices, but those that are connected to any server.
    mutating func add(_ targets: [PushTarget]) throws {
        guard !targets.isEmpty else { return }
        let connected = try connected(Set(targets.map(\.key)))
        let waiting = try waiting(targets)
        let targets = targets.filter { !connected.contains($0.key) && !($0.row.map(waiting.contains) ?? false) }
        guard !targets.isEmpty else { return }
        let now = batch.now
        let rows: [[SQLValue]] = targets.enumerated().map { index, target in
            [
                .text(
                    UUIDText.make(
                        at: now, batch: batch.caches.batches, number: index, random: effects.random())),
                .text(target.gateway),
                .text(target.user.rawValue), .text(target.device.rawValue), SQLValue(target.channel?.rawValue),
                SQLValue(target.seq), target.frame.map(SQLValue.content) ?? .null, .int(target.sentAt), .int(now),
                .int(0), SQLValue(target.withdrawal?.rawValue),
            ]
        }
        try connection.write(rows, Self.pushes)
        batch.add(.pushesAdded)
    }

    /// Those of some notifications that wait already. With several servers, what a device has missed may be found by its
    /// message and by the end of its session.
    private func waiting(_ targets: [PushTarget]) throws -> Set<PushTarget.Row> {
        let rows = Set(targets.compactMap(\.row))
        guard journal.hasOthers, !rows.isEmpty else { return [] }
        let keys = rows.map { $0.key.values + [.text($0.channel.rawValue), .int($0.seq)] }
        return Set(
            try connection.rows(
                """
                WITH k (user_id, device_id, channel, seq) AS (\(keys: keys))
                SELECT p.user_id, p.device_id, p.channel, p.seq FROM k JOIN pushes p
                ON p.user_id = k.user_id AND p.device_id = k.device_id AND p.channel = k.channel AND p.seq = k.seq
                WHERE p.withdrawal IS NULL
                """
            ) { row in
                let key = DeviceKey(user: try row.id(0), device: try row.id(1))
                return PushTarget.Row(key: key, channel: try row.id(2), seq: try row.int(3))
            })
    }

    private static let pushes = Upsert(
        "pushes",
        [
            "id", "gateway", "user_id", "device_id", "channel", "seq", "event", "created_at", "due_at", "attempts",
            "withdrawal",
        ])

    /// Returns the devices for the first items.
    /// - Returns: also how many items are done, and the rest of the last one of them.
    private func targets(of items: [PushItem]) throws -> (targets: [PushTarget], done: Int, left: PushItem?) {
        guard let first = items.first else { return ([], 1, nil) }
        switch first {
        case .own:
            let own = items.prefix { if case .own = $0 { true } else { false } }
            return (try ownTargets(Array(own)), own.count, nil)
        case .relayed(let channel, let sender, let sentAt, let after, let frame):
            let (last, isAll) = try page(of: channel, after: after)
            let targets = try members(
                "SELECT \(channel), \(Int64.max), \(sentAt), \(sender), 0", after, last, frame: frame)
            let left = PushItem.relayed(channel, by: sender, sentAt: sentAt, after: last, frame: frame)
            return (targets, 1, isAll ? nil : left)
        case .row(let channel, let seq, let after):
            let (rows, isWhole) = try rowsOfOneTurn(items)
            if isWhole { return (try members(of: rows, "", nil), rows.count, nil) }
            let (last, isAll) = try page(of: channel, after: after)
            let targets = try members(of: [(channel, seq)], after, last)
            return (targets, 1, isAll ? nil : .row(channel, seq: seq, after: last))
        case .recalled: return try withdrawnTargets(items)
        case .unreached: return try unreachedTargets(items)
        }
    }

    /// The devices that show the first recalled messages.
    private func withdrawnTargets(
        _ items: [PushItem]
    ) throws -> (targets: [PushTarget], done: Int, left: PushItem?) {
        var targets: [PushTarget] = []
        var done = 0
        for case .recalled(let channel, let seq) in items.prefix(while: {
            if case .recalled = $0 { true } else { false }
        }) where targets.count < Self.membersPerTurn {
            let (found, isAll) = try withdraw(seq, in: channel, most: Self.membersPerTurn - targets.count)
            targets += found
            done += 1
            if !isAll { return (targets, done, .recalled(channel, seq: seq)) }
        }
        return (targets, done, nil)
    }

    /// The first rows whose channels have few enough members together; otherwise the first one alone, in pages.
    private func rowsOfOneTurn(_ items: [PushItem]) throws -> (rows: [(ChannelID, Int64)], isWhole: Bool) {
        var rows: [(ChannelID, Int64)] = []
        for case .row(let channel, let seq, let after) in items.prefix(while: {
            if case .row = $0 { true } else { false }
        }) {
            if !after.isEmpty { break }
            rows.append((channel, seq))
        }
        let keys = Set(rows.map(\.0)).map { [SQLValue.text($0.rawValue)] }
        guard !keys.isEmpty else { return ([], false) }
        let counts = Dictionary(
            try connection.rows(
                "WITH k (id) AS (\(keys: keys)) SELECT id, member_count FROM channels WHERE id IN (SELECT id FROM k)"
            ) { (try $0.id(0) as ChannelID, Int(clamping: try $0.int(1))) }, uniquingKeysWith: { first, _ in first })
        var sum = 0
        let few = rows.prefix { row in
            sum += counts[row.0] ?? 0
            return sum <= Self.membersPerTurn
        }
        return (Array(few), !few.isEmpty)
    }

    /// The last user of a page of members, and whether it is the last page.
    private func page(of channel: ChannelID, after: String) throws -> (last: String, isAll: Bool) {
        let users = try connection.rows(
            """
            SELECT user_id FROM members WHERE channel = \(channel) AND user_id > \(after)
            ORDER BY user_id LIMIT \(Self.membersPerTurn)
            """
        ) { try $0.text(0) }
        return (users.last ?? after, users.count < Self.membersPerTurn)
    }

    private func members(of rows: [(ChannelID, Int64)], _ after: String, _ last: String?) throws -> [PushTarget] {
        // The order of the commit is that of the numbers.
        let keys = rows.enumerated().map { [SQLValue.text($1.0.rawValue), .int($1.1), .int(Int64($0))] }
        return try members(
            """
            SELECT l.channel, l.seq, l.sent_at, l.sender, k.number
            FROM (SELECT DISTINCT channel, seq, number FROM k) k
            JOIN channel_log l ON l.channel = k.channel AND l.seq = k.seq
            """, keys: keys, after, last, frame: nil)
    }

    /// The devices of the members of channels to be notified of rows, which `rows` selects: channel,
    /// row, time, sender, and a number for their order.
    ///
    /// These are members other than the sender who may read the row, have not read it, and have not muted the channel.
    private func members(
        _ rows: Query, keys: [[SQLValue]] = [], _ after: String, _ last: String?, frame: [UInt8]?
    ) throws -> [PushTarget] {
        var query: Query = keys.isEmpty ? "WITH " : "WITH k (channel, seq, number) AS (\(keys: keys)), "
        query.append(
            """
            l (channel, seq, sent_at, sender, number) AS (\(rows))
            SELECT d.user_id, d.device_id, d.gateway, l.channel, l.seq, l.sent_at FROM l
            JOIN members m ON m.channel = l.channel AND m.left_seq IS NULL
            JOIN devices d ON d.user_id = m.user_id AND d.gateway IS NOT NULL AND d.address_at <= l.sent_at
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE (l.sender IS NULL OR l.sender <> m.user_id) AND m.floor_seq < l.seq AND COALESCE(r.seq, 0) < l.seq
            AND m.flags % 2 = 0 AND m.user_id > \(after)
            """)
        if let last { query.append(" AND m.user_id <= \(last)") }
        query.append(" ORDER BY l.number, d.user_id, d.device_id")
        return try connection.rows(query) { row in
            var target = try PushTarget(row: row)
            if let frame { (target.seq, target.frame) = (nil, frame) }
            return target
        }
    }

    private func ownTargets(_ items: [PushItem]) throws -> [PushTarget] {
        var keys: [[SQLValue]] = []
        for case .own(let user, _, _, _) in items { keys.append([.text(user.rawValue)]) }
        let devices = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys))
            SELECT d.user_id, d.device_id, d.gateway, NULL, NULL, d.address_at FROM devices d
            WHERE d.user_id IN (SELECT id FROM k) AND d.gateway IS NOT NULL ORDER BY d.user_id, d.device_id
            """, PushTarget.init)
        let byUser = Dictionary(grouping: devices, by: \.user)
        var targets: [PushTarget] = []
        for case .own(let user, let acting, let sentAt, let frame) in items {
            for var target in byUser[user] ?? [] where target.device != acting && target.sentAt <= sentAt {
                (target.sentAt, target.frame) = (sentAt, frame)
                targets.append(target)
            }
        }
        return targets
    }
}

/// The text of a UUID, version 7 of RFC 9562: those of one ms sort by their batch and their number.
private enum UUIDText {
    static func make(at time: Int64, batch: UInt64, number: Int, random: UInt64) -> String {
        var digits: [UInt8] = []
        HexDigits.append(UInt64(bitPattern: time) << 16 | 0x7000 | batch & 0xFFF, digits: 16, to: &digits)
        let low = UInt64(number & 0x3FFF) << 48 | random & 0xFFFF_FFFF_FFFF
        HexDigits.append(low | 1 << 63, digits: 16, to: &digits)
        for index in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: index) }
        return String(decoding: digits, as: UTF8.self)
    }
}
