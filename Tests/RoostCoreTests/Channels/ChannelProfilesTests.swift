import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The settings of a channel, which all members share.
@Suite struct ChannelProfilesTests {
    private func set(
        _ profile: ChannelProfile, by session: TestSession, in channel: ChannelID = Cast.club
    ) async throws -> SetChannelProfile.Answer {
        try await session.perform(SetChannelProfile(channel: channel, profile: profile))
    }

    private func club(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        await stage.forgetEvents()
        return stage
    }

    @Test(arguments: Backend.available)
    func `a new subject reaches every member, and nothing else is sent with it [L-29 L-30 LCB-7 LR-5]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        _ = try await set(ChannelProfile(customAttributes: 3, avatar: "a", canJoin: true), by: stage.ann)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let answer = try await set(ChannelProfile(title: "Readers"), by: stage.bob)
        #expect(answer.profile == ChannelProfile(title: "Readers"))
        #expect(answer.acknowledgement.seq == 2)
        #expect(stage.heard(.channelProfileChanged) == [Cast.ann, Cast.bob, Cast.cid])
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            let row = try #require(session.events.first)
            #expect(session.events.count == 1)
            #expect(row.channel == Cast.club)
            #expect(row.seq == 2)
            #expect(row.senderID == Cast.bob.userID)
            #expect(row.transID == answer.acknowledgement.transID)
            #expect(
                row.body
                    == .channel(
                        .channelProfileChanged(ChannelProfileChanged(profile: ChannelProfile(title: "Readers")))))
            #expect(row.body.messageType?.number == 1008)
        }
        // The other settings stay.
        let channel = try await stage.cid.channel(Cast.club)
        #expect(channel.title == "Readers")
        #expect(channel.profile == ChannelProfile(customAttributes: 3, avatar: "a", canJoin: true))
        #expect(try await stage.ann.list().first?.title == "Readers")
        #expect(try await stage.ann.log(of: Cast.club).last?.seq == 2)
        // An empty subject removes it, and the members' names are shown again.
        let removed = try await set(ChannelProfile(title: ""), by: stage.ann)
        #expect(removed.profile == ChannelProfile(title: ""))
        #expect(try await stage.bob.channel(Cast.club).title == nil)
        let command = SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "x"))
        #expect(try await stage.dee.refusal(command)?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(command)?.entry == .notMember)
        let none = SetChannelProfile(channel: Cast.club, profile: ChannelProfile())
        #expect(try await stage.bob.refusal(none)?.entry == .noProfileToSet)
    }

    @Test(arguments: Backend.available)
    func `a profile change carries only the changed keys, in one row however many there are`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        _ = try await set(ChannelProfile(title: "Club", avatar: "a", background: "b"), by: stage.ann)
        await stage.forgetEvents()
        let answer = try await set(
            ChannelProfile(title: "Club", customAttributes: 1, avatar: "", background: "c", canJoin: false),
            by: stage.ann)
        let changed = ChannelProfile(customAttributes: 1, avatar: "", background: "c")
        #expect(answer.profile == changed)
        #expect(
            stage.bob.rows(of: Cast.club).map(\.body) == [.channel(.channelProfileChanged(.init(profile: changed)))])
        // Nothing differs: nothing is written and the answer names no key.
        let same = try await set(ChannelProfile(title: "Club", customAttributes: 1), by: stage.ann)
        #expect(same.profile == ChannelProfile())
        #expect(same.acknowledgement.seq == nil)
        #expect(try await stage.ann.channel(Cast.club).seq == 2)
        let channel = try await stage.cid.channel(Cast.club)
        #expect(channel.profile == ChannelProfile(customAttributes: 1, background: "c"))
        // If everything is at its default again, there is no profile at all.
        _ = try await set(ChannelProfile(customAttributes: 0, background: ""), by: stage.ann)
        #expect(try await stage.cid.channel(Cast.club).profile == nil)
    }

    @Test(arguments: Backend.available)
    func `the app's own bits reach all members as they were set [L-33]`(backend: Backend) async throws {
        let stage = try await club(backend)
        for bits in [3, Int64.max, 1 << 40] {
            await stage.forgetEvents()
            let changed = ChannelProfile(customAttributes: bits)
            #expect(try await set(changed, by: stage.cid).profile == changed)
            #expect(stage.heard(.channelProfileChanged) == [Cast.ann, Cast.bob, Cast.cid])
            #expect(stage.ann.events.map(\.body) == [.channel(.channelProfileChanged(.init(profile: changed)))])
            for session in [stage.ann, stage.bob, stage.cid] {
                #expect(try await session.channel(Cast.club).profile?.customAttributes == bits)
            }
        }
        let negative = SetChannelProfile(channel: Cast.club, profile: ChannelProfile(customAttributes: -1))
        #expect(try await stage.ann.refusal(negative)?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `a background reaches all members, in a 1-on-1 too [L-108]`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.makePair()
        await stage.forgetEvents()
        let changed = ChannelProfile(background: "files/7")
        _ = try await set(changed, by: stage.bob)
        #expect(stage.heard(.channelProfileChanged) == [Cast.ann, Cast.bob, Cast.cid])
        let row = try #require(stage.cid.rows(of: Cast.club).first)
        #expect(row.body == .channel(.channelProfileChanged(ChannelProfileChanged(profile: changed))))
        #expect(row.body.messageType?.number == 1015)
        #expect(try await stage.cid.channel(Cast.club).profile == changed)
        // A background changes neither a channel's last message nor its unread count.
        #expect(try await stage.cid.channel(Cast.club).unread == 0)
        _ = try await set(changed, by: stage.bob, in: Cast.annAndBob)
        #expect(try await stage.ann.channel(Cast.annAndBob).profile == changed)
        #expect(stage.cid.rows(of: Cast.annAndBob).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a channel can let only its managers change what it shows, and only admins change its rules`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        func refusal(_ profile: ChannelProfile, _ session: TestSession) async throws -> ErrorCode? {
            try await session.refusal(SetChannelProfile(channel: Cast.club, profile: profile))?.entry
        }
        for rule in [
            ChannelProfile(canJoin: true), ChannelProfile(editors: .moderators), ChannelProfile(history: .sinceJoin),
            ChannelProfile(minMembers: 2), ChannelProfile(maxMembers: 9), ChannelProfile(moderatorsMayRecall: false),
            ChannelProfile(pinners: .moderators), ChannelProfile(title: "both", canJoin: true),
        ] {
            #expect(try await refusal(rule, stage.cid) == .noPrivilege, "\(rule)")
            #expect(try await refusal(rule, stage.bob) == .noPrivilege, "\(rule)")
        }
        #expect(try await refusal(ChannelProfile(title: "by Cid"), stage.cid) == nil)
        _ = try await set(ChannelProfile(editors: .moderators), by: stage.ann)
        for shown in [
            ChannelProfile(title: "x"), ChannelProfile(customAttributes: 1), ChannelProfile(avatar: "a"),
            ChannelProfile(background: "b"),
        ] {
            await stage.forgetEvents()
            #expect(try await refusal(shown, stage.cid) == .noPrivilege, "\(shown)")
            #expect(stage.all.allSatisfy { $0.events.isEmpty })
            #expect(try await refusal(shown, stage.bob) == nil, "\(shown)")
        }
    }

    @Test(arguments: Backend.available)
    func `a kind of channel has only the settings that make sense in it`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        try await stage.ann.send("x", to: Cast.lobby)
        let all: [(ChannelProfile, pair: ErrorCode?, open: ErrorCode?)] = [
            (ChannelProfile(title: "x"), .channelTypeMismatch, nil),
            (ChannelProfile(avatar: "x"), .channelTypeMismatch, nil),
            (ChannelProfile(background: "x"), nil, nil), (ChannelProfile(customAttributes: 7), nil, nil),
            (ChannelProfile(canJoin: true), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(editors: .moderators), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(history: .sinceJoin), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(minMembers: 2), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(maxMembers: 2), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(moderatorsMayRecall: false), .channelTypeMismatch, .channelTypeMismatch),
            (ChannelProfile(pinners: .moderators), .channelTypeMismatch, .channelTypeMismatch),
        ]
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        for (profile, pair, open) in all {
            for (channel, code) in [(Cast.annAndBob, pair), (own, pair)] {
                let command = SetChannelProfile(channel: channel, profile: profile)
                #expect(try await stage.ann.refusal(command)?.code == code?.code, "\(channel) \(profile)")
            }
            let command = SetChannelProfile(channel: Cast.lobby, profile: profile)
            #expect(try await stage.ann.refusal(command)?.entry == .noPrivilege, "\(profile)")
            #expect(try await operatorSession.refusal(command)?.code == open?.code, "\(profile)")
        }
        #expect(try await stage.ann.channel(Cast.lobby).title == "x")
        #expect(try await stage.ann.perform(ListOpenChannels(keyword: "x")).channels.count == 1)
    }

    @Test(arguments: Backend.available)
    func `limits that the present members exceed are refused, and others hold for later members`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        func refusal(_ profile: ChannelProfile) async throws -> ErrorCode? {
            try await stage.ann.refusal(SetChannelProfile(channel: Cast.club, profile: profile))?.entry
        }
        #expect(try await refusal(ChannelProfile(minMembers: 4)) == .tooFewMembers)
        #expect(try await refusal(ChannelProfile(maxMembers: 2)) == .tooManyMembers)
        #expect(try await refusal(ChannelProfile(minMembers: 3, maxMembers: 3)) == nil)
        #expect(try await refusal(ChannelProfile(maxMembers: 501)) == .dataFormat)
        let invite = InviteMembers(channel: Cast.club, members: [Cast.dee.userID])
        #expect(try await stage.ann.refusal(invite)?.entry == .tooManyMembers)
        #expect(try await stage.cid.refusal(LeaveChannel(channel: Cast.club))?.entry == .tooFewMembers)
        #expect(try await stage.cid.refusal(EndChannel(channel: Cast.club))?.entry == .tooFewMembers)
        let kick = KickMembers(channel: Cast.club, members: [Cast.cid.userID])
        #expect(try await stage.ann.refusal(kick)?.entry == .tooFewMembers)
        let ban = BanMembers(channel: Cast.club, members: [Cast.cid.userID])
        #expect(try await stage.ann.refusal(ban)?.entry == .tooFewMembers)
        // An invitation alone makes nobody a member; accepting it would.
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        let accept = AnswerInvitation(channel: Cast.club, isAccepted: true)
        #expect(try await stage.dee.refusal(accept)?.entry == .tooManyMembers)
        #expect(try await refusal(ChannelProfile(maxMembers: 4)) == nil)
        try await stage.dee.perform(accept)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 4)
        // A limit that contradicts the other one.
        #expect(try await refusal(ChannelProfile(minMembers: 5)) == .tooFewMembers)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await refusal(ChannelProfile(minMembers: 1, maxMembers: 3)) == nil)
    }

    @Test(arguments: Backend.available)
    func `newcomers read from where the channel lets them, and other members are not affected`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        for number in 1...4 { try await stage.ann.send("\(number)", to: Cast.club) }
        func rejoin(_ profile: ChannelProfile) async throws -> [String] {
            _ = try await set(profile, by: stage.ann)
            try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
            let texts = try await stage.dee.log(of: Cast.club).compactMap(\.text)
            #expect(try await stage.dee.unread(Cast.club) == 0)
            try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.dee.userID]))
            return texts
        }
        #expect(try await rejoin(ChannelProfile(history: .sinceJoin)) == [])
        #expect(try await rejoin(ChannelProfile(history: .all)) == ["1", "2", "3", "4"])
        // The newest five rows: the change itself, a removal, an invitation, a change and another removal lie above.
        try await stage.ann.send("5", to: Cast.club)
        try await stage.ann.send("6", to: Cast.club)
        #expect(try await rejoin(ChannelProfile(history: .last, historyRows: 2)) == ["6"])
        #expect(try await stage.cid.log(of: Cast.club).compactMap(\.text).count == 6)
        // The same after joining and after accepting.
        _ = try await set(ChannelProfile(canJoin: true, history: .sinceJoin), by: stage.ann)
        try await stage.dee.perform(BecomeMember(channel: Cast.club))
        #expect(try await stage.dee.log(of: Cast.club).map(\.name) == [EventName.memberJoined.rawValue])
        #expect(try await stage.dee.channel(Cast.club).lastMessage == nil)
        try await stage.ann.send("7", to: Cast.club)
        _ = try await set(ChannelProfile(history: .all), by: stage.ann)
        #expect(try await stage.dee.log(of: Cast.club).compactMap(\.text) == ["7"])
        #expect(try await stage.dee.refusal(ListMessages(channel: Cast.club, before: 2)) == nil)
        #expect(try await stage.dee.perform(ListMessages(channel: Cast.club, before: 3)).events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a channel's picture is one type, its background and all other settings another [C-L20]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let changes: [(ChannelProfile, Int)] = [
            (ChannelProfile(avatar: "pictures/1"), 1009), (ChannelProfile(background: "pictures/2"), 1015),
            (ChannelProfile(customAttributes: 3), 1015), (ChannelProfile(canJoin: true), 1015),
            (ChannelProfile(maxMembers: 9), 1015), (ChannelProfile(avatar: ""), 1009),
            (ChannelProfile(background: ""), 1015),
        ]
        for (profile, number) in changes {
            try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: profile))
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.body == .channel(.channelProfileChanged(ChannelProfileChanged(profile: profile))))
            #expect(row.body.messageType?.number == number)
        }
        let rest = ChannelProfile(customAttributes: 3, canJoin: true, maxMembers: 9)
        #expect(try await stage.cid.channel(Cast.club).profile == rest)
    }
}

/// A user's own settings in a channel.
@Suite struct ChannelPreferencesTests {
    private func club(_ backend: Backend) async throws -> (Stage, tablet: TestSession) {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        await stage.forgetEvents()
        return (stage, tablet)
    }

    @Test(arguments: Backend.available)
    func `a user's settings arrive complete on all of the user's devices and on nobody else's [L-25 LR-4 LO-5]`(
        backend: Backend
    ) async throws {
        let (stage, tablet) = try await club(backend)
        try await stage.ann.perform(
            SetChannelPreference(channel: Cast.club, ringtone: "sounds/bell", nickname: "Annie"))
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let all = ChannelPreference(isMuted: true, ringtone: "sounds/bell", nickname: "Annie")
        let answer = try await stage.ann.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        #expect(answer.preference == all)
        #expect(answer.acknowledgement.seq == nil)
        for device in [stage.ann, tablet] {
            let row = try #require(device.events.first)
            #expect(device.events.count == 1)
            #expect(row.userSeq != nil && row.seq == nil)
            #expect(row.transID == answer.acknowledgement.transID)
            #expect(
                row.body == .user(.channelPreferenceChanged(PreferenceChanged(channel: Cast.club, preference: all))))
            #expect(row.body.messageType == .channelPreferenceChanged)
        }
        for session in [stage.bob, stage.cid, stage.dee] { #expect(session.events.isEmpty) }
        // A device that was offline reads it in the user's log; each user sees only their own settings.
        #expect(try await stage.ann.perform(Resume(userSeq: 0)).events.last?.body == tablet.events.first?.body)
        #expect(try await stage.ann.channel(Cast.club).preference == all)
        #expect(try await stage.ann.list().first?.preference == all)
        #expect(try await stage.bob.channel(Cast.club).preference == nil)
        // An empty one is removed; if all are at their defaults, no event is sent.
        let bare = try await stage.ann.perform(
            SetChannelPreference(channel: Cast.club, isMuted: false, ringtone: "", nickname: ""))
        #expect(bare.preference == ChannelPreference())
        #expect(try await stage.ann.channel(Cast.club).preference == nil)
    }

    @Test(arguments: Backend.available)
    func `a muted channel does not count in the badge, but is still delivered live and counted on its own`(
        backend: Backend
    ) async throws {
        let (stage, tablet) = try await club(backend)
        try await stage.makePair()
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        try await stage.bob.send("quiet", to: Cast.club)
        try await stage.bob.send("loud", to: Cast.annAndBob)
        #expect(tablet.rows(of: Cast.club).map(\.text) == ["quiet"])
        #expect(try await stage.ann.unread(Cast.club) == 1)
        let unread = try await stage.ann.perform(GetUnread())
        #expect(unread.total == 1)
        #expect(unread.muted == 1)
        #expect(
            unread.channels == [
                ChannelUnread(channel: Cast.annAndBob, unread: 1, count: 1),
                ChannelUnread(channel: Cast.club, unread: 1, isMuted: true, count: 1),
            ])
        #expect(try await stage.ann.perform(ListChannels()).totalUnread == 1)
        #expect(try await stage.cid.perform(GetUnread()).total == 1)
        // A push sender reads this flag; each member has their own.
        #expect(try await stage.ann.channel(Cast.club).preference?.isMuted == true)
        #expect(try await stage.bob.channel(Cast.club).preference == nil)
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, isMuted: false))
        #expect(try await stage.ann.perform(GetUnread()).total == 2)
    }

    @Test(arguments: Backend.available)
    func `a preference without a value is refused, and an unchanged one writes nothing`(
        backend: Backend
    ) async throws {
        let (stage, _) = try await club(backend)
        #expect(try await stage.ann.refusal(SetChannelPreference(channel: Cast.club))?.entry == .noPreferenceToSet)
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, isMuted: true, nickname: "Annie"))
        await stage.forgetEvents()
        let again = SetChannelPreference(channel: Cast.club, isMuted: true, nickname: "Annie")
        let answer = try await stage.ann.perform(again)
        #expect(answer.preference == ChannelPreference(isMuted: true, nickname: "Annie"))
        #expect(answer.acknowledgement.seq == nil)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        let command = SetChannelPreference(channel: Cast.club, isMuted: true)
        #expect(try await stage.dee.refusal(command)?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(command)?.entry == .notMember)
        try await stage.ann.send("x", to: Cast.lobby)
        let open = SetChannelPreference(channel: Cast.lobby, isMuted: true)
        #expect(try await stage.ann.refusal(open)?.entry == .channelTypeMismatch)
        let own = try await stage.ann.perform(CreateChannel(kind: .own))
        let muted = SetChannelPreference(channel: try #require(own.channel), isMuted: true)
        #expect(try await stage.ann.perform(muted).preference.isMuted)
    }

    @Test(arguments: Backend.available)
    func `a nickname is shown to all members and with the next message [L-28 LCB-6]`(backend: Backend) async throws {
        let (stage, tablet) = try await club(backend)
        try await stage.ann.send("as Ann", to: Cast.club)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let answer = try await stage.ann.perform(SetChannelPreference(channel: Cast.club, nickname: "Annie"))
        #expect(answer.acknowledgement.seq == 2)
        let shown = User(userID: Cast.ann.userID, name: "Annie")
        let changed = MemberProfileChanged(member: shown, hasNickname: true, hasChannelImage: false)
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            #expect(session.rows(of: Cast.club).map(\.body) == [.channel(.memberProfileChanged(changed))])
        }
        #expect(stage.dee.events.isEmpty)
        for device in [stage.ann, tablet] { #expect(device.events(named: .channelPreferenceChanged).count == 1) }
        #expect(stage.heard(.channelPreferenceChanged) == [Cast.ann])
        let member = try await stage.bob.perform(ListMembers(channel: Cast.club)).members.first
        #expect(member?.name == "Annie")
        #expect(member?.hasNickname == true)
        try await stage.ann.send("as Annie", to: Cast.club)
        let names = try await stage.bob.log(of: Cast.club).compactMap { $0.message?.senderName }
        #expect(names == ["Ann", "Annie"])
        // The nickname is for this channel only, and an empty one removes it.
        try await stage.makePair()
        #expect(try await stage.bob.channel(Cast.annAndBob).members.first?.name == "Ann")
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, nickname: ""))
        #expect(try await stage.bob.channel(Cast.club).members.first?.name == "Ann")
        #expect(try await stage.bob.channel(Cast.club).members.first?.hasNickname == nil)
    }

    @Test(arguments: Backend.available)
    func `the pictures of a user and of a member come with the next message [L-102]`(backend: Backend) async throws {
        let (stage, _) = try await club(backend)
        let portrait = User(userID: Cast.ann.userID, name: "Ann", imageURL: "https://example.org/ann.png")
        let phone = try await stage.roost.session(portrait, device: "phone")
        try await phone.send("one", to: Cast.club)
        try await phone.perform(SetChannelPreference(channel: Cast.club, imageURL: "https://example.org/club.png"))
        try await phone.send("two", to: Cast.club)
        try await stage.makePair()
        try await phone.send("three", to: Cast.annAndBob)
        func pictures(_ channel: ChannelID) async throws -> [String?] {
            try await stage.bob.log(of: channel).compactMap(\.message).map(\.senderImageURL)
        }
        #expect(
            try await pictures(Cast.club) == ["https://example.org/ann.png", "https://example.org/club.png"])
        #expect(try await pictures(Cast.annAndBob) == ["https://example.org/ann.png"])
        let member = try await stage.bob.channel(Cast.club).members.first
        #expect(member?.imageURL == "https://example.org/club.png")
        #expect(member?.hasChannelImage == true)
    }

    @Test(arguments: Backend.available)
    func `a member who comes back has no settings left from before`(backend: Backend) async throws {
        let (stage, _) = try await club(backend)
        try await stage.bob.perform(
            SetChannelPreference(
                channel: Cast.club, isMuted: true, ringtone: "bell", nickname: "Bobby", imageURL: "b.png"))
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
        #expect(try await stage.bob.channel(Cast.club).preference == nil)
        #expect(try await stage.ann.channel(Cast.club).members.map(\.name) == ["Ann", "Bob", "Cid"])
    }
}
