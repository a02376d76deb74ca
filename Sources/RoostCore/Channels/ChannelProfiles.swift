import RoostWire

extension Transaction {
    mutating func setProfile(_ set: SetChannelProfile) throws -> Outcome {
        try checkPictures(of: set.profile)
        guard var channel = try channel(set.channel) else { throw WireError(.channelNotFound) }
        try checkMayChange(channel, set.profile)
        do {
            try ProfileRules.check(set.profile, limits: configuration.limits, isChange: true)
            try ProfileRules.check(set.profile, for: channel.kind)
        } catch {
            throw error.inside("profile")
        }
        let old = channel.settings
        let changed = ProfileRules.difference(set.profile, from: old)
        let new = ProfileRules.merge(changed, into: old)
        try check(changed, becoming: new, members: channel.members.count)
        guard changed != ChannelProfile() else {
            return try Outcome(
                answer: SetChannelProfile.Answer(
                    acknowledgement: Acknowledgement(
                        channel: channel.id, transID: try transID, sentAt: .init(milliseconds: batch.now)),
                    profile: changed))
        }
        channel.title = new.title
        channel.profile = ProfileBox(new)
        let row = try append(to: &channel) { _, _ in
            .channelProfileChanged(ChannelProfileChanged(profile: changed))
        }
        batch.channels[channel.id] = channel
        if !old.fileIDs.isEmpty || !new.fileIDs.isEmpty {
            use(new.fileIDs, by: .channel(channel.id))
            try flush()
            try releaseFiles(of: channel.id, except: new.fileIDs)
        }
        return try Outcome(
            answer: SetChannelProfile.Answer(
                acknowledgement: Acknowledgement(
                    channel: channel.id, seq: row.seq, transID: try transID, sentAt: .init(milliseconds: row.sentAt)),
                profile: changed))
    }

    /// Checks that the caller may change these settings of a channel.
    private func checkMayChange(_ channel: ChannelState, _ profile: ChannelProfile) throws {
        let actor = try actor
        if channel.kind == .open || channel.kind.isNews {
            guard actor.isOperator else {
                throw WireError(.noPrivilege, "Only an operator can change a channel of this kind.")
            }
            return
        }
        let me = actor.user.userID
        let role = try member(me, of: channel).role
        let privilege = ProfileRules.privilege(for: profile)
        let mayEdit = RoleRules.allows(privilege, role, profile: channel.settings)
        guard channel.kind != .group || mayEdit else { throw WireError(.noPrivilege) }
        if channel.isBlocked(me) { throw WireError(.blocked, "This user does not want to hear from you.") }
    }

    /// Checks limits of members that change against each other and against the number of members.
    private func check(
        _ changed: ChannelProfile, becoming new: ChannelProfile, members: Int
    ) throws(WireError) {
        if changed.minMembers != nil, let minimum = new.minMembers, members < minimum {
            throw WireError(
                .tooFewMembers, field: "profile.minMembers",
                "The channel has fewer members than \(minimum) already. Give a smaller \"minMembers\".")
        }
        if changed.maxMembers != nil, let maximum = new.maxMembers, members > maximum {
            throw WireError(
                .tooManyMembers, field: "profile.maxMembers",
                "The channel has more members than \(maximum) already. Give a larger \"maxMembers\".")
        }
        if let minimum = new.minMembers, let maximum = new.maxMembers, minimum > maximum {
            throw WireError(
                .dataFormat, field: changed.minMembers != nil ? "profile.minMembers" : "profile.maxMembers",
                "\"minMembers\" cannot be larger than \"maxMembers\".")
        }
    }

    private static let ringtones = Upsert(
        "member_details", ["channel", "user_id", "changed_at", "ringtone"], keys: ["channel", "user_id"])

    mutating func setPreference(_ set: SetChannelPreference) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        try checkPicture(set.imageURL, field: "imageURL")
        guard var channel = try channel(set.channel) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { throw WireError(.channelTypeMismatch, "An open channel has no members.") }
        var member = try member(me, of: channel)
        guard !channel.kind.isNews || set.nickname ?? "" == "" && set.imageURL ?? "" == "" else {
            throw WireError(
                .channelTypeMismatch, "The subscribers of news are not shown, so they have no nickname and no picture.")
        }
        try set.check()
        // What the other one sees.
        if set.nickname ?? "" != "" || set.imageURL ?? "" != "", channel.isBlocked(me) {
            throw WireError(.blocked, "This user does not want to hear from you.")
        }
        try flush()
        let ringtone =
            try connection.rows(
                "SELECT ringtone FROM member_details WHERE channel = \(channel.id) AND user_id = \(me)"
            ) { try $0.optionalText(0) }.first ?? nil
        let old = ChannelPreference(
            isMuted: member.flags.contains(.muted), ringtone: ringtone, nickname: member.appearance?.nickname,
            imageURL: member.appearance?.imageURL)
        let new = set.merged(into: old)
        var acknowledgement = Acknowledgement(
            channel: channel.id, transID: try transID, sentAt: .init(milliseconds: batch.now))
        if new != old {
            try lockMe()
            let user = batch.users[me]?.user ?? actor.user
            member.appearance = MemberAppearance(nickname: new.nickname, imageURL: new.imageURL)
            if new.isMuted { member.flags.insert(.muted) } else { member.flags.remove(.muted) }
            channel.members[me] = member
            let key = MemberKey(channel: channel.id, user: me)
            batch.changedMembers.insert(key)
            batch.put(
                [
                    .text(channel.id.rawValue), .text(me.rawValue), .int(batch.now), SQLValue(new.ringtone),
                ], Self.ringtones)
            if new.nickname != old.nickname || new.imageURL != old.imageURL {
                let body = MemberProfileChanged(
                    member: member.shown(user), hasNickname: new.nickname != nil,
                    hasChannelImage: new.imageURL != nil)
                let row = try append(to: &channel) { _, _ in .memberProfileChanged(body) }
                acknowledgement.seq = row.seq
                acknowledgement.$sentAt = row.sentAt
            }
            batch.channels[channel.id] = channel
            try append(to: me, body: .channelPreferenceChanged(PreferenceChanged(channel: channel.id, preference: new)))
            if new.imageURL != old.imageURL {
                let picture = [FileRules.fileID(in: new.imageURL)].compactMap(\.self)
                use(picture, by: .member(channel.id, me))
                try flush()
                try releaseFiles(of: me, in: channel.id, except: picture)
            }
        }
        return try Outcome(
            answer: SetChannelPreference.Answer(acknowledgement: acknowledgement, preference: new))
    }

    mutating func dismiss(_ dismiss: DismissChannel) throws -> Outcome {
        if let news = try channel(dismiss.channel), news.kind.isNews {
            return try dismissNews(news)
        }
        let channel = try group(dismiss.channel, for: .dismiss)
        try flush()
        return try dismissGroup(channel)
    }

    /// Dissolves a group; the batch must have been flushed.
    mutating func dismissGroup(_ group: ChannelState) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        var channel = group
        let invited = try connection.rows(
            """
            SELECT m.user_id FROM members m
            WHERE m.channel = \(channel.id) AND m.left_seq IS NOT NULL AND m.role = \(Role.invited.number)
            """
        ) { try $0.id(0) as UserID }
        let members = channel.members.keys.sorted()
        try load(users: Set(members + invited))
        let name = batch.users[me].flatMap { channel.members[me]?.shown($0.user).name } ?? actor.user.name
        for user in members { try remove(user, from: &channel, .dismissed) }
        for user in invited {
            batch.departed[MemberKey(channel: channel.id, user: user)] = NonMember(leftSeq: channel.seq + 1)
            noteDeparture(of: user, from: channel.id, .dismissed)
        }
        channel.dismissedAt = batch.now
        batch.channels[channel.id] = channel
        batch.changedChannels.insert(channel.id)
        let body = ChannelDismissed(channel: channel.id, byName: name)
        for user in members + invited {
            try append(to: user, body: .channelDismissed(body))
        }
        endSubscriptions(of: members, to: channel)
        if !channel.settings.fileIDs.isEmpty {
            try flush()
            try releaseFiles(of: channel.id, except: [])
        }
        return try outcome(in: channel.id)
    }
}
