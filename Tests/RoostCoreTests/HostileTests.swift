import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Faults that a hostile or merely busy client could trigger once.
@Suite struct HostileTests {
    @Test(arguments: Backend.available)
    func `chains of sends into two channels at once are not broken by each other`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        let rooms = [Cast.lobby, Cast.club]
        for round in 1...50 {
            // Both sends of a round may meet in one batch; each names the one before it in its own channel.
            let acknowledgements = try await withThrowingTaskGroup(of: Acknowledgement.self) { group in
                for room in rooms {
                    group.addTask {
                        try await ann.send(
                            "\(round)", to: room, id: "\(room)-\(round)",
                            after: round > 1 ? TransID(rawValue: "\(room)-\(round - 1)") : nil)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(acknowledgements.map(\.seq) == [Int64(round), Int64(round)])
        }
    }

    @Test(arguments: Backend.available)
    func `a login without a name keeps the name that was given before`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        _ = try await roost.session(Cast.ann)
        let nameless = try await roost.session(User(userID: Cast.ann.userID, name: Cast.ann.userID.rawValue))
        #expect(nameless.welcome?.user == Cast.ann)
        let sent = try await nameless.send("hi", to: Cast.lobby)
        let page = try await nameless.perform(ListMessages(channel: Cast.lobby, aroundMessage: sent.messageID))
        guard case .channel(.messageSent(let message)) = page.events.first?.body else {
            Issue.record("the message is not there")
            return
        }
        #expect(message.senderName == "Ann")
    }

    @Test(arguments: Backend.available)
    func `the channels of a user and the joined channels of a connection are limited`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend, limits: Limits(channelsPerUser: 2, openChannelsPerConnection: 1))
        let ann = try await roost.session(Cast.ann)
        let bob = try await roost.session(Cast.bob)
        _ = try await roost.session(Cast.cid)
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]))
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let third = try await ann.refusal(CreateChannel(kind: .group, members: [Cast.cid.userID]))
        #expect(third?.entry == .tooManyChannels)
        let invited = try await bob.refusal(InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        #expect(invited?.entry == .tooManyChannels)
        #expect(try await bob.perform(ListChannels()).channels.count == 1)

        try await ann.perform(JoinChannel(channel: Cast.lobby))
        let other = try #require(ChannelID(rawValue: "other"))
        #expect(try await ann.refusal(JoinChannel(channel: other))?.entry == .limitReached)
        try await ann.perform(JoinChannel(channel: Cast.lobby))
    }

    @Test(arguments: Backend.available)
    func `inviting only users who are there already makes no group`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        _ = try await roost.session(Cast.bob)
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let refusal = try await ann.refusal(InviteMembers(channel: Cast.annAndBob, members: [Cast.bob.userID]))
        #expect(refusal?.entry == .dataFormat)
        #expect(try await ann.perform(ListChannels()).channels.map(\.channel) == [Cast.annAndBob])
    }

    @Test(arguments: Backend.available)
    func `texts, numbers and lists outside their limits change nothing and are told to nobody`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        await stage.forgetEvents()
        let before = try await stage.ann.channel(Cast.club)
        for (command, code) in hostileMembers + hostileSettings {
            #expect(try await stage.ann.refusal(command)?.code == code.code, "\(command)")
        }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        #expect(try await stage.ann.channel(Cast.club) == before)
    }

    @Test(arguments: Backend.available)
    func `naming yourself in a list of members does not change your role`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ann = Cast.ann.userID
        for (number, role) in [Role.participant, .invited, .outcast, .none].enumerated() {
            let id = try channel("g\(number)")
            try await stage.ann.perform(
                CreateChannel(kind: .group, channel: id, members: [NewMember(ann, role: role, nickname: "A")]))
            #expect(try await stage.ann.channel(id).role == .admin)
            #expect(try await stage.ann.channel(id).members.map(\.name) == ["Ann"])
        }
        try await stage.makeClub()
        await stage.forgetEvents()
        for role in [nil, Role.admin, .invited] {
            let invite = InviteMembers(channel: Cast.club, members: [NewMember(Cast.bob.userID, role: role)])
            #expect(try await stage.bob.perform(invite).seq == nil)
        }
        #expect(try await stage.bob.channel(Cast.club).role == .participant)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
    }
}

/// Texts that are refused everywhere: too long, with control characters, with U+0000.
private func badTexts(_ most: Int) -> [String] {
    [String(repeating: "x", count: most + 1), "a\u{0}b", "a\u{7}", "\n", "\u{85}"]
}

private let crowd = (0...100).compactMap { UserID(rawValue: "u\($0)") }

private let hostileMembers: [(any Command, ErrorCode)] = {
    let (ann, bob, dee) = (Cast.ann.userID, Cast.bob.userID, Cast.dee.userID)
    var rows: [(any Command, ErrorCode)] = []
    for members in [crowd, [bob, bob], [bob, ann, bob]] {
        rows.append((KickMembers(channel: Cast.club, members: members), .dataFormat))
        rows.append((BanMembers(channel: Cast.club, members: members), .dataFormat))
        rows.append((UnbanMembers(channel: Cast.club, members: members), .dataFormat))
        rows.append((InviteMembers(channel: Cast.club, members: members), .dataFormat))
    }
    rows.append((CreateChannel(kind: .group, members: [dee, dee]), .dataFormat))
    for reason in [-1, Int.min] {
        rows.append((KickMembers(channel: Cast.club, members: [bob], reason: reason), .dataFormat))
        rows.append((BanMembers(channel: Cast.club, members: [bob], reason: reason), .dataFormat))
    }
    // The last admin cannot be removed, banned, blocked or demoted by themselves.
    rows.append((KickMembers(channel: Cast.club, members: [bob, ann]), .noPrivilege))
    rows.append((BanMembers(channel: Cast.club, members: [bob, ann]), .noPrivilege))
    rows.append((UnbanMembers(channel: Cast.club, members: [ann]), .notBanned))
    rows.append((SetMemberRole(channel: Cast.club, userID: ann, role: .participant), .noPrivilege))
    rows.append((BlockUser(userID: ann), .dataFormat))
    rows.append((LeaveChannel(channel: Cast.club, successor: ann), .userMissing))
    for text in badTexts(200) + [""] {
        rows.append((InviteMembers(channel: Cast.club, members: [NewMember(dee, nickname: text)]), .dataFormat))
        rows.append((CreateChannel(kind: .group, members: [NewMember(dee, nickname: text)]), .dataFormat))
        rows.append((CreateChannel(kind: .group, title: text), .dataFormat))
    }
    for text in badTexts(2_000) {
        rows.append((InviteMembers(channel: Cast.club, members: [NewMember(dee, imageURL: text)]), .dataFormat))
    }
    for role in [Role.none, .outcast] {
        rows.append((InviteMembers(channel: Cast.club, members: [NewMember(dee, role: role)]), .noPrivilege))
        rows.append((CreateChannel(kind: .group, members: [NewMember(dee, role: role)]), .noPrivilege))
    }
    return rows
}()

private let hostileSettings: [(any Command, ErrorCode)] = {
    var profiles: [ChannelProfile] = []
    profiles += badTexts(200).map { ChannelProfile(title: $0) }
    profiles += [ChannelProfile(title: String(repeating: "😀", count: 101))]
    profiles += badTexts(512).flatMap { [ChannelProfile(avatar: $0), ChannelProfile(background: $0)] }
    profiles += [ChannelProfile(background: String(repeating: "語", count: 171))]
    profiles += [-1, Int64.min].map { ChannelProfile(customAttributes: $0) }
    for bound in [0, -1, 501, Int.min, Int.max] {
        profiles.append(ChannelProfile(minMembers: bound))
        profiles.append(ChannelProfile(maxMembers: bound))
        if bound != 501 { profiles.append(ChannelProfile(history: .last, historyRows: bound)) }
    }
    profiles += [
        ChannelProfile(minMembers: 3, maxMembers: 2), ChannelProfile(history: .last),
        ChannelProfile(history: .all, historyRows: 5), ChannelProfile(historyRows: 5),
        ChannelProfile(history: .last, historyRows: 10_001),
    ]
    var rows: [(any Command, ErrorCode)] = profiles.map {
        (SetChannelProfile(channel: Cast.club, profile: $0), .dataFormat)
    }
    rows += profiles.filter { $0.title == nil }.map { (CreateChannel(kind: .group, profile: $0), .dataFormat) }
    for text in badTexts(200) { rows.append((SetChannelPreference(channel: Cast.club, nickname: text), .dataFormat)) }
    for text in badTexts(512) { rows.append((SetChannelPreference(channel: Cast.club, ringtone: text), .dataFormat)) }
    for text in badTexts(2_000) { rows.append((SetChannelPreference(channel: Cast.club, imageURL: text), .dataFormat)) }
    return rows
}()
