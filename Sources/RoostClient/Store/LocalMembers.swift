import GRDB
import RoostWire

// Members and their read marks.
extension LocalTransaction {
    /// Stores the members that came with a channel, which are all of them unless it has more.
    func storeMembers(_ channel: Channel) throws {
        if channel.members.count >= channel.memberCount {
            let marks = Dictionary(
                try LocalStore.members(of: channel.channel, db).map { ($0.userID, $0.readSeq) },
                uniquingKeysWith: max)
            try db.cachedStatement(sql: "DELETE FROM members WHERE channel = ?")
                .execute(arguments: [channel.channel.rawValue])
            for var member in channel.members {
                member.readSeq = ReadRules.merge(marks[member.userID] ?? 0, member.readSeq)
                try put(member, in: channel.channel)
            }
        } else {
            try storeMembers(channel.members, of: channel.channel)
        }
        change.members.insert(channel.channel)
    }

    /// Stores some of a channel's members.
    func storeMembers(_ members: [Member], of id: ChannelID) throws {
        for var member in members {
            let known = try LocalStore.member(member.userID, of: id, db)
            member.readSeq = ReadRules.merge(known?.readSeq ?? 0, member.readSeq)
            try put(member, in: id)
        }
        change.members.insert(id)
    }

    private func put(_ member: Member, in id: ChannelID) throws {
        guard member.role.isMember else { return try drop(member.userID, from: id) }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO members (channel, user_id, member) VALUES (?, ?, ?)")
            .execute(arguments: [
                id.rawValue, member.userID.rawValue, String(decoding: try WireCodec.encode(member), as: UTF8.self),
            ])
    }

    private func drop(_ user: UserID, from id: ChannelID) throws {
        try db.cachedStatement(sql: "DELETE FROM members WHERE channel = ? AND user_id = ?")
            .execute(arguments: [id.rawValue, user.rawValue])
    }

    private func editMember(_ user: UserID, of id: ChannelID, _ body: (inout Member) -> Void) throws {
        guard var member = try LocalStore.member(user, of: id, db) else { return }
        body(&member)
        try put(member, in: id)
    }

    /// Applies a row's changes of the members.
    func changeMembers(of id: ChannelID, by event: Event) throws {
        let seq = event.seq ?? 0
        switch event.body {
        case .channel(.memberInvited(let invited)):
            for user in invited.members where try LocalStore.member(user.userID, of: id, db) == nil {
                let role = invited.roles?.first { $0.userID == user.userID }?.role ?? .participant
                try put(Member(user, role: role, readSeq: seq), in: id)
            }
        case .channel(.memberJoined(let joined)):
            if try LocalStore.member(joined.member.userID, of: id, db) == nil {
                try put(Member(joined.member, role: .participant, readSeq: seq), in: id)
            }
        case .channel(.memberLeft(let left)):
            try drop(left.userID, from: id)
            if let successor = left.successor { try setRole(.admin, of: successor, in: id) }
        case .channel(.memberKicked(let removed)), .channel(.memberBanned(let removed)):
            for user in removed.members { try drop(user.userID, from: id) }
        case .channel(.memberRoleChanged(let changed)):
            for member in changed.members { try setRole(member.role, of: member.userID, in: id) }
        case .channel(.memberProfileChanged(let changed)):
            try editMember(changed.member.userID, of: id) { member in
                member.name = changed.member.name
                member.imageURL = changed.member.imageURL
                member.hasNickname = changed.hasNickname ? true : nil
                member.hasChannelImage = changed.hasChannelImage ? true : nil
            }
        default: return
        }
        try applyLaterProfiles(to: event, in: id)
        change.members.insert(id)
    }

    /// By how much clocks of servers may differ, in ms.
    private static let clockSkew: Int64 = 5_000

    /// Gives the members that a row names what they have perhaps taken after it: rows of two logs have no order.
    private func applyLaterProfiles(to event: Event, in id: ChannelID) throws {
        let named: [UserID]
        switch event.body {
        case .channel(.memberInvited(let invited)): named = invited.members.map(\.userID)
        case .channel(.memberJoined(let joined)): named = [joined.member.userID]
        case .channel(.memberProfileChanged(let changed)): named = [changed.member.userID]
        default: return
        }
        let sentAt = max(0, event.$sentAt ?? 0)
        for user in named {
            let later = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT name, image_url FROM profile_changes WHERE user_id = ? AND changed_at >= ?"),
                arguments: [user.rawValue, sentAt - Self.clockSkew])
            guard let later else { continue }
            try editMember(user, of: id) { $0.apply(UserProfile(name: later[0], imageURL: later[1])) }
            // It may have a name of its own in this channel.
            want(id)
        }
    }

    /// Applies the new name or picture of a user in all channels.
    /// - Parameter time: In ms since 1970, by the server's clock.
    func changeMembers(by changed: UserProfileChanged, at time: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO profile_changes (user_id, changed_at, name, image_url) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET changed_at = excluded.changed_at,
                    name = coalesce(excluded.name, name), image_url = coalesce(excluded.image_url, image_url)
                """
        ).execute(arguments: [changed.userID.rawValue, time, changed.profile.name, changed.profile.imageURL])
        // The rows of the user's own log go after that time, too.
        try db.cachedStatement(sql: "DELETE FROM profile_changes WHERE changed_at < ?")
            .execute(arguments: [max(0, time) - RetentionRules.userLog])
        let channels = try String.fetchAll(
            db.cachedStatement(sql: "SELECT channel FROM members WHERE user_id = ? ORDER BY channel"),
            arguments: [changed.userID.rawValue])
        for id in channels.compactMap(ChannelID.init(rawValue:)) {
            try editMember(changed.userID, of: id) { $0.apply(changed.profile) }
            try edit(id) { record in
                for index in record.snapshot?.members.indices ?? 0..<0
                where record.snapshot?.members[index].userID == changed.userID {
                    record.snapshot?.members[index].apply(changed.profile)
                }
            }
            change.members.insert(id)
            change.channels.insert(id)
        }
    }

    private func setRole(_ role: Role, of user: UserID, in id: ChannelID) throws {
        if user == me { try edit(id) { $0.snapshot?.role = role } }
        try editMember(user, of: id) { $0.role = role }
    }

    /// Moves the read mark of every member at least to this row.
    func moveMarks(upTo seq: Int64, in id: ChannelID) throws {
        for member in try LocalStore.members(of: id, db) where member.readSeq < seq {
            try editMember(member.userID, of: id) { $0.readSeq = seq }
        }
        change.members.insert(id)
    }

    /// Stores read marks that moved; one that is smaller than the known mark is ignored.
    func move(_ moved: ReadMarksMoved, in id: ChannelID) throws {
        for mark in moved.marks {
            try editMember(mark.userID, of: id) { member in
                guard mark.seq > member.readSeq else { return }
                member.readSeq = mark.seq
                member.readAt = mark.readAt
            }
            if mark.userID == me { try moveMark(to: mark.seq, in: id, isConfirmed: true) }
        }
        change.members.insert(id)
    }
}

extension LocalStore {
    static func members(of id: ChannelID, _ db: Database) throws -> [Member] {
        let cursor = try String.fetchCursor(
            db.cachedStatement(sql: "SELECT member FROM members WHERE channel = ? ORDER BY user_id"),
            arguments: [id.rawValue])
        var members: [Member] = []
        while let json = try cursor.next() {
            members.append(try WireCodec.decode(Member.self, from: Array(json.utf8)))
        }
        return members
    }

    static func member(_ user: UserID, of id: ChannelID, _ db: Database) throws -> Member? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT member FROM members WHERE channel = ? AND user_id = ?"),
            arguments: [id.rawValue, user.rawValue]
        ).map { try WireCodec.decode(Member.self, from: Array($0.utf8)) }
    }
}
