import GRDB
import RoostWire

extension ChannelRecord {
    /// Whether the channel list shows it.
    var isListed: Bool {
        guard let snapshot, snapshot.kind != .open, snapshot.role?.isMember == true else { return false }
        // News is never the last message of its channel, but makes a hidden channel visible.
        return hiddenTo < 0 || max(snapshot.lastMessage?.seq ?? 0, newestPiece ?? 0) > hiddenTo
    }
}

// The rows of the channel list.
extension LocalTransaction {
    /// Stores a channel as the server returned it.
    ///
    /// - Parameters:
    ///   - hasAllMembers: whether all `members` were requested, and not only the first ones for a title.
    ///   - since: the newest row of the user's log at the time of the request.
    ///   - isListed: whether it was in the channel list, so that it is not hidden.
    func apply(_ channel: Channel, hasAllMembers: Bool, since userSeq: Int64, isListed: Bool = false) throws {
        let id = channel.channel
        var record = try record(id)
        let old = record.snapshot
        // An older answer that arrives late is ignored; a row of the user's log may have changed what it says.
        guard old.map({ $0.seq <= channel.seq || record.isStale }) ?? true else { return }
        var new = channel
        new.members = hasAllMembers || old == nil ? channel.members : Self.firstMembers(old, channel)
        new.readSeq = max(channel.readSeq ?? 0, record.mark)
        record.isStale = record.userSeq > userSeq || channel.seq < record.staleSeq ?? 0
        if !record.isStale { record.staleSeq = nil }
        if isListed {
            record.hiddenTo = -1
        } else if !record.isStale {
            if channel.isHidden == true {
                record.hiddenTo = max(record.hiddenTo, channel.seq)
            } else if record.isHiddenUnknown == true {
                record.hiddenTo = -1
            }
            record.isHiddenUnknown = nil
        }
        // The first answer may include news that came after the channel was hidden.
        let hasNews = old.map { channel.count > $0.count } ?? (channel.isHidden != true)
        if channel.kind.isNews, hasNews { record.newestPiece = channel.seq }
        record.snapshot = new
        let behind = channel.seq
        try edit(id) { $0 = record }
        if record.isStale { wanted.insert(id) } else { wanted.remove(id) }
        if hasAllMembers { try storeMembers(channel) }
        if let last = new.lastMessage { try refreshLast(last, in: id) }
        for event in try LocalStore.rows(in: id, after: behind, db) { try update(id, with: event, isShown: true) }
        if record.mark > channel.readSeq ?? 0 { try settleUnread(in: id) }
        try settlePurge(channel)
        change.channels.insert(id)
    }

    private static func firstMembers(_ old: Channel?, _ new: Channel) -> [Member] {
        guard let old, old.members.count >= new.members.count, old.memberCount == new.memberCount else {
            return new.members
        }
        return old.members
    }

    /// A last message that was cleared or deleted here meanwhile does not count.
    private func refreshLast(_ last: Event, in id: ChannelID) throws {
        guard let seq = last.seq else { return }
        let floor = try record(id).floor
        let isGone = try isDeleted(seq, in: id)
        if isGone || seq <= floor { try settleLast(in: id) }
    }

    /// Updates the row of the channel list with a row of the log, if that is newer.
    func update(_ id: ChannelID, with event: Event, isShown: Bool) throws {
        guard let seq = event.seq, let known = try record(id).snapshot, seq > known.seq else { return }
        let flags = LocalRowFlags(event, me: me)
        try edit(id) { record in
            guard var channel = record.snapshot else { return }
            channel.seq = seq
            if let sentAt = event.sentAt { channel.lastActivityAt = max(channel.lastActivityAt, sentAt) }
            if channel.kind != .open, isShown {
                if flags.contains(.counts), seq > record.mark { channel.unread = (channel.unread ?? 0) + 1 }
                if flags.contains(.mentions), seq > record.mark { channel.mentions = (channel.mentions ?? 0) + 1 }
                // Sending may have moved the read mark at the server. The log does not say whether it did, but it makes
                // no difference: the user's own messages do not count.
            }
            if flags.contains(.last), isShown { channel.lastMessage = event }
            if flags.contains(.counts), channel.kind.isNews { record.newestPiece = seq }
            Self.change(&channel, by: event.body, at: seq)
            record.snapshot = channel
        }
        try changeMembers(of: id, by: event)
        change.channels.insert(id)
    }

    /// Applies a row's changes of members and settings.
    private static func change(_ channel: inout Channel, by body: EventBody, at seq: Int64) {
        switch body {
        case .channel(.messageSent(let message)): channel.count = max(channel.count, message.count)
        case .channel(.messageAnnounced(let announcement)): channel.count = max(channel.count, announcement.count)
        case .channel(.memberInvited(let invited)):
            channel.memberCount = invited.memberCount
            for user in invited.members {
                let role = invited.roles?.first { $0.userID == user.userID }?.role ?? .participant
                add(Member(user, role: role, readSeq: seq), to: &channel)
            }
        case .channel(.memberJoined(let joined)):
            channel.memberCount = joined.memberCount
            add(Member(joined.member, role: .participant, readSeq: seq), to: &channel)
        case .channel(.memberLeft(let left)):
            channel.memberCount = left.memberCount
            channel.members.removeAll { $0.userID == left.userID }
        case .channel(.memberKicked(let removed)), .channel(.memberBanned(let removed)):
            channel.memberCount = removed.memberCount
            channel.members.removeAll { member in removed.members.contains { $0.userID == member.userID } }
        case .channel(.memberRoleChanged(let changed)): channel.memberCount = changed.memberCount
        case .channel(.memberProfileChanged(let changed)):
            for index in channel.members.indices where channel.members[index].userID == changed.member.userID {
                channel.members[index].name = changed.member.name
                channel.members[index].imageURL = changed.member.imageURL
                channel.members[index].hasNickname = changed.hasNickname ? true : nil
                channel.members[index].hasChannelImage = changed.hasChannelImage ? true : nil
            }
        case .channel(.channelProfileChanged(let changed)):
            if let title = changed.profile.title { channel.title = title.isEmpty ? nil : title }
            var settings = changed.profile
            settings.title = nil
            let merged = ProfileRules.merge(settings, into: channel.profile ?? ChannelProfile())
            channel.profile = merged == ChannelProfile() ? nil : merged
        default: break
        }
    }

    private static func add(_ member: Member, to channel: inout Channel) {
        guard channel.members.count < 100, !channel.members.contains(where: { $0.userID == member.userID }) else {
            return
        }
        let index = channel.members.firstIndex { member.userID < $0.userID } ?? channel.members.endIndex
        channel.members.insert(member, at: index)
    }

    /// Counts the unread messages from the rows; if rows are missing, requests the channel from the server.
    func settleUnread(in id: ChannelID) throws {
        let record = try record(id)
        guard let channel = record.snapshot, channel.kind != .open else { return }
        let mark = record.mark
        if mark >= channel.seq { return try setUnread(0, 0, in: id) }
        // The snapshot may be newer than the rows.
        guard record.covers(after: mark), record.position ?? 0 >= channel.seq else { return want(id) }
        try setUnread(
            try LocalStore.count(in: id, after: mark, .counts, db),
            try LocalStore.count(in: id, after: mark, .mentions, db), in: id)
    }

    private func setUnread(_ unread: Int, _ mentions: Int, in id: ChannelID) throws {
        try edit(id) { record in
            record.snapshot?.unread = unread
            record.snapshot?.mentions = mentions == 0 ? nil : mentions
        }
        change.channels.insert(id)
    }

    /// Finds the last message; if rows are missing, requests the channel from the server.
    func settleLast(in id: ChannelID) throws {
        let record = try record(id)
        guard record.snapshot != nil else { return }
        let first = record.newest?.first ?? .max
        if let last = try LocalStore.newestMessage(in: id, from: first, db) {
            try edit(id) { $0.snapshot?.lastMessage = last }
        } else if first <= record.floor + 1 {
            try edit(id) { $0.snapshot?.lastMessage = nil }
        } else {
            want(id)
        }
        change.channels.insert(id)
    }

    /// Marks the channel to be read again.
    func want(_ id: ChannelID) {
        wanted.insert(id)
        // An answer to an earlier request may not include the cause.
        _ = try? edit(id) { record in
            record.isStale = true
            record.staleSeq = max(record.staleSeq ?? 0, record.position ?? 0, record.snapshot?.seq ?? 0)
        }
    }

    /// Moves the user's read mark, confirmed by the server or not yet.
    func moveMark(to seq: Int64, in id: ChannelID, isConfirmed: Bool) throws {
        let before = try record(id).mark
        try edit(id) { record in
            if isConfirmed {
                let known = record.snapshot?.readSeq ?? 0
                record.snapshot?.readSeq = max(known, seq)
                // Without a snapshot there is no other place to store it.
                if record.snapshot != nil, let pending = record.pendingMark, pending <= seq { record.pendingMark = nil }
            } else {
                record.pendingMark = max(record.pendingMark ?? 0, seq)
            }
        }
        if try record(id).mark > before { try settleUnread(in: id) }
        change.channels.insert(id)
    }

    /// Stores the user's read marks from `resume`, which include the rows up to `heads`.
    func apply(_ marks: [OwnMark], heads: [ChannelID: Int64]) throws {
        if hasLostOwnRows {
            // A channel that was joined meanwhile: no later row reports it.
            for id in heads.keys where try record(id).snapshot == nil { want(id) }
        }
        for mark in marks {
            let record = try record(mark.channel)
            guard let channel = record.snapshot else { continue }
            try edit(mark.channel) { $0.snapshot?.isMarkedUnread = mark.isMarkedUnread }
            let isWhole = record.covers(after: max(mark.seq, record.mark))
            try edit(mark.channel) { $0.snapshot?.readSeq = max(mark.seq, channel.readSeq ?? 0) }
            if isWhole || mark.seq < record.mark {
                try settleUnread(in: mark.channel)
            } else if channel.seq <= heads[mark.channel] ?? 0 {
                try setUnread(mark.unread, mark.mentions ?? 0, in: mark.channel)
            } else {
                want(mark.channel)
            }
            change.channels.insert(mark.channel)
        }
    }
}

extension Member {
    init(_ user: User, role: Role, readSeq: Int64) {
        self.init(
            userID: user.userID, name: user.name, imageURL: user.imageURL, role: role, readSeq: readSeq,
            readAt: .init(milliseconds: 0))
    }
}
