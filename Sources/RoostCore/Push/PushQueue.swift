package import RoostWire

/// A push notification that a process is about to send to one device.
package struct LeasedPush: Codable, Hashable, Sendable {
    /// A UUID.
    package var id: String
    package var user: UserID
    package var device: DeviceID
    var channel: ChannelID?
    var seq: Int64?
    /// The event, unless it is a row of the channel's log; empty if it cannot be read.
    var event: [UInt8]?
    /// When what it notifies of happened, in ms since 1970.
    package var createdAt: Int64
    /// How often it has been tried, with this time.
    package var attempts: Int
    /// Why what the device shows is to go; nil if it is to show something.
    var withdrawal: Withdrawal?
}

/// What has become of a push notification.
package enum PushEnd: Sendable {
    /// It was sent, as this request.
    case sent(PushRequest)
    /// It is not to be sent.
    case done
    /// The service does not know this token any more.
    case gone(token: String)
    /// It is to be sent by another service now.
    case moved(PushGateway)
    /// It can be tried again at this time, in ms since 1970.
    case later(Int64)
}

extension Core {
    /// The user in whose name the server itself works; it shares no turn with a user.
    static let itself: UserID = "."

    /// Returns notifications to send, at most `limit`, oldest first. If this process does not end them in time, another
    /// one gets them.
    /// - Parameter time: how long this process may take, in ms.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func leasePushes(
        of gateway: PushGateway, limit: Int, for time: Int64
    ) async throws(WireError) -> [LeasedPush] {
        let bytes = try await write(as: Self.itself) { try WireCodec.encode(try $0.leasePushes(gateway, limit, time)) }
        do {
            return try WireCodec.decode([LeasedPush].self, from: bytes)
        } catch {
            throw WireError(.internalFault)
        }
    }

    /// When the next notification of a service is due, in ms since 1970; nil if there is none.
    package func nextPush(of gateway: PushGateway) async throws -> Int64? {
        try await readAll { connection in
            try connection.rows("SELECT MIN(due_at) FROM pushes WHERE gateway = \(gateway.rawValue)") {
                try $0.optionalInt(0)
            }.first ?? nil
        }
    }

    /// Ends all leases, at the start of the only process of a database.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func releasePushes() async throws(WireError) {
        guard isAlone else { return }
        _ = try await write(as: Self.itself) { transaction in
            let now = transaction.batch.now
            try transaction.connection.execute("UPDATE pushes SET due_at = \(now) WHERE due_at > \(now)")
            return []
        }
    }

    /// Notes what has become of notifications.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func endPushes(_ ends: [(push: LeasedPush, end: PushEnd)]) async throws(WireError) {
        guard !ends.isEmpty else { return }
        _ = try await write(as: Self.itself) { transaction in
            try transaction.end(ends)
            return []
        }
    }

    /// Completes a notification with what it shows now.
    package func request(for push: LeasedPush) async throws(WireError) -> PushRequest.Decision {
        let actor = Actor(
            user: User(userID: push.user, name: User.usualName(of: push.user)), deviceID: push.device, isOperator: false
        )
        do throws(WireError) {
            return try await read(as: actor) { try $0.request(for: push) }
        } catch {
            if ErrorCode.userDeleted ~= error { return .skip("the user was deleted") }
            guard ErrorCode.userBanned ~= error else { throw error }
            return .skip("the user is banned")
        }
    }
}

extension Transaction {
    fileprivate func leasePushes(_ gateway: PushGateway, _ limit: Int, _ time: Int64) throws -> [LeasedPush] {
        let pushes = try connection.rows(
            """
            SELECT p.id, p.user_id, p.device_id, p.channel, p.seq, p.event, p.created_at, p.attempts,
                p.withdrawal FROM pushes p
            WHERE p.gateway = \(gateway.rawValue) AND p.due_at <= \(batch.now)
            ORDER BY p.due_at, p.id LIMIT \(limit) \(.forUpdateSkipLocked)
            """
        ) { row in
            LeasedPush(
                id: try row.text(0), user: try row.id(1), device: try row.id(2), channel: try row.optionalID(3),
                seq: try row.optionalInt(4), event: row.isNull(5) ? nil : (try? row.content(5)) ?? [],
                createdAt: try row.int(6),
                attempts: Int(clamping: try row.int(7)) + 1,
                withdrawal: try row.optionalText(8).flatMap(Withdrawal.init(rawValue:)))
        }
        guard !pushes.isEmpty else { return [] }
        try connection.execute(
            """
            WITH k (id) AS (\(keys: pushes.map { [.text($0.id)] }))
            UPDATE pushes SET due_at = \(batch.now + time), attempts = attempts + 1 WHERE id IN (SELECT id FROM k)
            """)
        return pushes
    }

    fileprivate mutating func end(_ ends: [(push: LeasedPush, end: PushEnd)]) throws {
        var done: [[SQLValue]] = []
        var sent: [PushRequest] = []
        for (push, end) in ends {
            switch end {
            case .sent(let request):
                done.append([.text(push.id)])
                sent.append(request)
            case .done: done.append([.text(push.id)])
            case .gone(let token):
                done.append([.text(push.id)])
                try removeToken(token, of: push.device, push.user)
            case .moved(let gateway):
                batch.add(.pushesAdded)
                try connection.execute(
                    "UPDATE pushes SET gateway = \(gateway.rawValue), due_at = \(batch.now) WHERE id = \(push.id)")
            case .later(let time):
                try connection.execute("UPDATE pushes SET due_at = \(time) WHERE id = \(push.id)")
            }
        }
        try noteShown(sent)
        guard !done.isEmpty else { return }
        try connection.execute("WITH k (id) AS (\(keys: done)) DELETE FROM pushes WHERE id IN (SELECT id FROM k)")
    }
}
