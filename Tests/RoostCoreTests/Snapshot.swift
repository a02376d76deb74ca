import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The state that one user's client shows: read from the server once, then updated only by events.
struct Snapshot: Equatable {
    struct Person: Equatable {
        /// The name to show in this channel.
        var name: String
        var role: Role?
        var readSeq: Int64
    }

    struct Row: Equatable {
        var kind: ChannelKind
        var title: String?
        var profile = ChannelProfile()
        var preference = ChannelPreference()
        /// The user's own role.
        var role: Role?
        var memberCount: Int
        var seq: Int64
        var count: Int64
        var lastMessage: Event?
        var lastActivityAt: Int64
        var isHidden = false
        /// All rows of the log that the user may read, or those since the user joined.
        var log: [Event] = []
        /// The members; nil if they have to be requested: the members and their marks follow from events
        /// only if the client has the whole log.
        var people: [UserID: Person]?
        /// The row after which the log is known; 0 if everything is known that the user may read.
        var since: Int64 = 0
        /// The user's own mark.
        var readSeq: Int64
        var typing: Set<UserID> = []
        /// The pinned messages, the newest pin first; nil if they have to be requested, as the past is unknown.
        var pins: [MessageID]? = []

        func unread(of user: UserID, mark: Int64) -> Int {
            log.filter { $0.isMessage && $0.senderID != user && ($0.seq ?? 0) > mark }.count
        }
    }

    var user: UserID
    var rows: [ChannelID: Row] = [:]
    /// The members whose name is one of the channel.
    private var nicknames: [ChannelID: Set<UserID>] = [:]
    var userSeq: Int64 = 0
    /// The rows of the user's own log.
    var own: [Event] = []
    /// The channels to which the user is invited and has not answered.
    var invitations: Set<ChannelID> = []
    /// The users whom the user has blocked.
    var blocked: Set<UserID> = []
    var settings = UserSettings()
    /// What the user has scheduled.
    var schedules: [ScheduleID: Schedule] = [:]

    /// The number of unread messages outside muted channels.
    var total: Int {
        rows.values.reduce(0) { $0 + ($1.preference.isMuted ? 0 : $1.unread(of: user, mark: $1.readSeq)) }
    }

    /// The channel list: channels that are not hidden, the newest activity first.
    var list: [ChannelID] {
        rows.filter { !$0.value.isHidden }.sorted {
            ($1.value.lastActivityAt, $0.key) < ($0.value.lastActivityAt, $1.key)
        }.map(\.key)
    }

    /// Reads everything from the server.
    init(of session: TestSession) async throws {
        user = session.userID
        let page = try await session.perform(Resume(userSeq: 0))
        userSeq = page.userSeq
        own = page.events
        let list = try await session.list()
        for id in page.channels.map(\.channel) {
            let channel = try await session.channel(id)
            let isShown = list.contains { $0.channel == id }
            var people: [UserID: Person] = [:]
            for member in channel.members {
                if member.hasNickname == true { nicknames[id, default: []].insert(member.userID) }
                people[member.userID] = Person(name: member.name, role: member.role, readSeq: member.readSeq)
            }
            rows[id] = Row(
                kind: channel.kind, title: channel.title, profile: channel.profile ?? ChannelProfile(),
                preference: channel.preference ?? ChannelPreference(), role: channel.role,
                memberCount: channel.kind.isNews ? 0 : channel.memberCount, seq: channel.seq, count: channel.count,
                lastMessage: channel.lastMessage, lastActivityAt: channel.$lastActivityAt, isHidden: !isShown,
                log: try await session.log(of: id).map(\.withPlainReactions), people: people,
                readSeq: try #require(channel.readSeq),
                pins: channel.kind.isNews
                    ? [] : try await session.perform(ListPins(channel: id)).pins.map(\.messageID))
            if channel.seq > 0, rows[id]?.log.first?.seq != 1 || channel.kind.isNews { rows[id]?.people = nil }
            #expect(channel.unread == rows[id]?.unread(of: user, mark: channel.readSeq ?? 0))
            #expect(people[user]?.readSeq == (channel.kind.isNews ? nil : channel.readSeq))
            #expect(people[user]?.role == (channel.kind.isNews ? nil : channel.role))
        }
        let invited = try await session.perform(QueryChannels(roles: [.invited], limit: 100))
        invitations = Set(invited.channels.map(\.channel))
        blocked = Set(try await session.perform(ListBlockedUsers()).users.map(\.user.userID))
        settings = try await session.perform(GetUserSettings())
        for schedule in try await session.perform(ListSchedules(limit: 100)).schedules {
            schedules[schedule.scheduleID] = schedule
        }
        #expect(list.map(\.channel) == self.list)
        #expect(try await session.perform(GetUnread()).total == total)
    }

    /// Applies one event, as a client would.
    mutating func apply(_ event: Event) {
        if let seq = event.userSeq {
            #expect(seq == userSeq + 1)
            userSeq = seq
            own.append(event)
        }
        switch event.body {
        case .user(.channelJoined(let joined)): join(joined, event)
        case .user(.channelInvited(let invited)): invitations.insert(invited.channel)
        case .user(.channelLeft(let left)): lose(left.channel)
        case .user(.channelDismissed(let dismissed)): lose(dismissed.channel)
        case .user(.channelPreferenceChanged(let changed)): rows[changed.channel]?.preference = changed.preference
        case .user(.userBlocked(let change)):
            blocked.insert(change.user.userID)
            // The other user's mark is no longer shown, and has to be requested afterwards.
            rows[ChannelID(single: user, change.user.userID)]?.people?[change.user.userID]?.readSeq = 0
        case .user(.userProfileChanged(let changed)):
            guard let name = changed.profile.name else { return }
            for id in rows.keys where nicknames[id]?.contains(changed.userID) != true {
                rows[id]?.people?[changed.userID]?.name = name
            }
        case .user(.userUnblocked(let change)):
            blocked.remove(change.user.userID)
            rows[ChannelID(single: user, change.user.userID)]?.people = nil
        case .user(.scheduleCreated(let schedule)), .user(.scheduleChanged(let schedule)):
            schedules[schedule.scheduleID] = schedule
        case .user(.scheduleCancelled(let cancelled)): schedules[cancelled.scheduleID] = nil
        case .user(.scheduleSent(let sent)): schedules[sent.scheduleID] = nil
        case .user(.userSettingsChanged(let changed)): settings = changed
        case .user(.channelHidden(let hidden)): hide(hidden, clears: false)
        case .user(.channelEnded(let ended)): hide(ended, clears: true)
        default:
            guard let id = event.channel, var row = rows[id] else {
                Issue.record("an event of a channel that the user does not have: \(event.name)")
                return
            }
            row.apply(event, user: user)
            rows[id] = row
            if case .channel(.memberProfileChanged(let changed)) = event.body {
                if changed.hasNickname {
                    nicknames[id, default: []].insert(changed.member.userID)
                } else {
                    nicknames[id]?.remove(changed.member.userID)
                }
            }
        }
    }

    private mutating func lose(_ channel: ChannelID) {
        rows[channel] = nil
        invitations.remove(channel)
    }

    private mutating func join(_ joined: ChannelJoined, _ event: Event) {
        invitations.remove(joined.channel)
        var people: [UserID: Person]?
        if joined.fromSeq == 0 {
            people = [:]
            for member in joined.members {
                let role = member.userID == user ? joined.role : nil
                people?[member.userID] = Person(name: member.name, role: role, readSeq: 0)
            }
        }
        rows[joined.channel] = Row(
            kind: joined.kind, title: joined.title, profile: joined.profile ?? ChannelProfile(), role: joined.role,
            memberCount: joined.kind.isNews ? 0 : joined.memberCount, seq: joined.fromSeq, count: joined.count,
            lastActivityAt: event.$sentAt ?? 0, isHidden: joined.isHidden, people: people,
            since: joined.fromSeq, readSeq: joined.kind.isNews ? joined.fromSeq : 0,
            pins: joined.fromSeq == 0 ? [] : nil)
    }

    private mutating func hide(_ hidden: ChannelsHidden, clears: Bool) {
        for position in hidden.channels {
            guard var row = rows[position.channel] else { continue }
            row.isHidden = true
            if clears {
                row.log.removeAll { ($0.seq ?? 0) <= position.seq }
                row.pins?.removeAll { $0.seq <= position.seq }
                row.lastMessage = nil
                row.readSeq = max(row.readSeq, position.seq)
                row.forgetPast(upTo: position.seq)
                if row.seq > 0 { row.people = nil }
            }
            rows[position.channel] = row
        }
    }
}

extension Snapshot.Row {
    fileprivate mutating func apply(_ event: Event, user: UserID) {
        if let next = event.seq {
            #expect(next == seq + 1)
            seq = next
            lastActivityAt = max(lastActivityAt, event.$sentAt ?? 0)
        }
        switch event.body {
        case .channel(.messageSent(let message)):
            if let sender = event.senderID {
                typing.remove(sender)
                readBySending(sender, user: user)
            }
            add(event, count: message.count)
        case .channel(.messageAnnounced(let announcement)): add(event, count: announcement.count)
        case .channel(.memberInvited(let invited)):
            if let sender = event.senderID, mark(of: sender, user: user) == seq - 1 {
                move(sender, to: seq, user: user)
            }
            for member in invited.members {
                let role = invited.roles?.first { $0.userID == member.userID }?.role ?? .participant
                add(member, as: role, user: user)
            }
            memberCount = invited.memberCount
            log.append(event)
        case .channel(.memberJoined(let joined)):
            add(joined.member, as: .participant, user: user)
            memberCount = joined.memberCount
            log.append(event)
        case .channel(.memberLeft(let left)):
            remove(left.userID)
            if let successor = left.successor { setRole(of: successor, to: .admin, user: user) }
            memberCount = left.memberCount
            log.append(event)
        case .channel(.memberKicked(let removed)), .channel(.memberBanned(let removed)):
            for member in removed.members { remove(member.userID) }
            memberCount = removed.memberCount
            log.append(event)
        case .channel(.memberRoleChanged(let changed)):
            // The role `none` is that of a user whose ban or invitation has ended: not a member before or after.
            for member in changed.members where member.role.isMember {
                setRole(of: member.userID, to: member.role, user: user)
            }
            memberCount = changed.memberCount
            log.append(event)
        case .channel(.memberProfileChanged(let changed)):
            people?[changed.member.userID]?.name = changed.member.name
            log.append(event)
        case .channel(.channelProfileChanged(let changed)):
            var settings = profile
            settings.title = title
            settings = ProfileRules.merge(changed.profile, into: settings)
            title = settings.title
            settings.title = nil
            profile = settings
            log.append(event)
        case .channel(.voteCast), .channel(.voteClosed): log.append(event)
        case .channel(.reactionAdded), .channel(.reactionRemoved):
            log = log.map { $0.after(event, viewer: user).withPlainReactions } + [event]
        case .channel(.pinAdded(let pin)):
            if log.contains(where: { $0.messageID == pin.messageID }) { pins?.insert(pin.messageID, at: 0) }
            log.append(event)
        case .channel(.pinRemoved(let pin)):
            pins?.removeAll { $0 == pin.messageID }
            log.append(event)
        case .channel(.channelPurged(let purged)):
            pins?.removeAll { $0.seq <= purged.upTo }
            log = log.filter { ($0.seq ?? 0) > purged.upTo }.map { $0.afterPurge(upTo: purged.upTo) } + [event]
            lastMessage = (lastMessage?.seq ?? 0) > purged.upTo ? lastMessage?.afterPurge(upTo: purged.upTo) : nil
            forgetPast(upTo: purged.upTo)
            move(user, to: purged.upTo, user: user)
            // A client without the whole log has to request the others.
            people = nil
        case .ephemeral(.readMarkMoved(let moved)):
            for mark in moved.marks { move(mark.userID, to: mark.seq, user: user) }
        case .ephemeral(.typingStarted(let change)): typing.insert(change.userID)
        case .ephemeral(.typingEnded(let change)): typing.remove(change.userID)
        // The number of connected members is not stored.
        case .ephemeral(.channelActiveCountChanged): break
        default: Issue.record("an event that the test does not know: \(event.name)")
        }
    }

    /// Rows up to this one can no longer be read, so unknown rows before it are not missing.
    fileprivate mutating func forgetPast(upTo seq: Int64) { if seq >= since { since = 0 } }

    private mutating func add(_ member: User, as role: Role, user: UserID) {
        people?[member.userID] = Snapshot.Person(name: member.name, role: role, readSeq: seq)
        if member.userID == user { readSeq = seq }
    }

    private mutating func remove(_ member: UserID) {
        people?[member] = nil
        typing.remove(member)
    }

    private mutating func setRole(of member: UserID, to role: Role, user: UserID) {
        people?[member]?.role = role
        if member == user { self.role = role }
    }

    private mutating func add(_ event: Event, count: Int64) {
        self.count = count
        if event.body.behaviour?.isLastMessage == true { lastMessage = event }
        isHidden = false
        log.append(event)
    }

    /// Sending moves the sender's mark if nothing before the message is unread.
    private mutating func readBySending(_ sender: UserID, user: UserID) {
        guard let mark = mark(of: sender, user: user), unread(of: sender, mark: mark) == 0 else { return }
        move(sender, to: seq, user: user)
    }

    private func mark(of member: UserID, user: UserID) -> Int64? {
        member == user ? readSeq : people?[member]?.readSeq
    }

    private mutating func move(_ member: UserID, to seq: Int64, user: UserID) {
        if let old = people?[member]?.readSeq { people?[member]?.readSeq = max(old, seq) }
        if member == user { readSeq = max(readSeq, seq) }
    }
}

extension Snapshot {
    /// Reduces both to the state known from their events, if one of them does not know a channel's past or its roles.
    mutating func reduce(to other: Snapshot) {
        for (id, row) in rows {
            guard let known = other.rows[id] else { continue }
            if known.people == nil { rows[id]?.people = nil }
            if known.pins == nil { rows[id]?.pins = nil }
            if known.since > 0 {
                rows[id]?.since = known.since
                rows[id]?.log = row.log.filter { ($0.seq ?? 0) > known.since }
                if (row.lastMessage?.seq ?? 0) <= known.since { rows[id]?.lastMessage = nil }
            }
            for (user, person) in known.people ?? [:] where person.role == nil { rows[id]?.people?[user]?.role = nil }
        }
    }
}

extension Snapshot.Row {
    /// The names of the fields that differ, with both values.
    func differences(to other: Snapshot.Row?) -> [String] {
        guard let other else { return ["missing"] }
        return zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { old, new in
            let (old, new) = (old, "\(new.value)")
            return "\(old.value)" == new ? nil : "\(old.label ?? ""): \(old.value) is not \(new)"
        }
    }
}
