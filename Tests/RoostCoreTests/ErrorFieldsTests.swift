import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Commands whose bodies decode but whose values the core refuses, with the path of the field.
private func table(_ vote: MessageID, _ message: MessageID) throws -> [(any Command, String)] {
    let (ann, bob, dee) = (Cast.ann.userID, Cast.bob.userID, Cast.dee.userID)
    let long = String(repeating: "x", count: 3_000)
    let club = Cast.club
    let hidden = ChannelProfile(title: "x")
    var rows: [(any Command, String)] = [
        (CreateChannel(kind: .group, title: ""), "title"),
        (CreateChannel(kind: .group, profile: hidden), "profile.title"),
        (CreateChannel(kind: .open, profile: ChannelProfile(canJoin: true)), "profile"),
        (CreateChannel(kind: .group, profile: ChannelProfile(minMembers: 0)), "profile.minMembers"),
        (CreateChannel(kind: .group, members: [bob, dee, bob]), "members[2]"),
        (
            CreateChannel(kind: .group, members: [NewMember(bob), NewMember(dee, nickname: "\n")]),
            "members[1].nickname"
        ),
        (CreateChannel(kind: .open, members: [bob]), "members"),
        (CreateChannel(kind: .single, members: [bob, dee]), "members"),
        (CreateChannel(kind: .single, title: "x", members: [bob]), "title"),
        (InviteMembers(channel: club, members: [NewMember]()), "members"),
        (InviteMembers(channel: club, members: [dee, dee]), "members[1]"),
        (InviteMembers(channel: club, members: [NewMember(dee, imageURL: long)]), "members[0].imageURL"),
        (InviteMembers(channel: Cast.annAndBob, members: [bob]), "members"),
        (KickMembers(channel: club, members: [bob, bob]), "members[1]"),
        (KickMembers(channel: club, members: [bob], reason: -1), "reason"),
        (BanMembers(channel: club, members: [bob], reason: -1), "reason"),
        (UnbanMembers(channel: club, members: [bob, bob]), "members[1]"),
        (SetChannelProfile(channel: club, profile: ChannelProfile(historyRows: 5)), "profile.historyRows"),
        (SetChannelProfile(channel: club, profile: ChannelProfile(minMembers: 3, maxMembers: 1)), "profile.minMembers"),
        (SetChannelPreference(channel: club, nickname: long), "nickname"),
        (SetReadMark(channel: club, seq: -1), "seq"),
        (ListMessages(channel: club, before: 1, after: 1), "after"),
        (ListMessages(channel: club, after: 1, aroundMessage: message), "aroundMessage"),
        (ListMessages(channel: club, before: -1), "before"), (ListMessages(channel: club, limit: 0), "limit"),
        (QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 101), "limit"),
        (QueryMessages(time: .init(milliseconds: 0), direction: .after, cursor: "x"), "cursor"),
        (QueryMessages(time: .init(milliseconds: 0), direction: .after, category: ""), "category"),
        (GetMessages(channel: club, messageIDs: []), "messageIDs"),
        (GetMessages(channel: club, messageIDs: [message, message]), "messageIDs[1]"),
        (RecallMessages(channel: club, messageIDs: []), "messageIDs"),
        (DeleteMessages([], in: club), "messageIDs"),
        (ForwardMessages(channel: club, messageIDs: [message], channels: []), "channels"),
        (CountReads(channel: club, messageIDs: []), "messageIDs"),
        (ListReaders(channel: club, messageID: message, cursor: "x"), "cursor"),
        (ListReaders(channel: club, messageID: message, limit: 101), "limit"),
        (CastVote(channel: club, messageID: vote, options: [0, 3]), "options[1]"),
        (ListBallots(channel: club, messageID: vote, option: 3), "option"),
        (ListVotes(channel: club, cursor: "x"), "cursor"), (GetVotes(channel: club, messageIDs: []), "messageIDs"),
        (CreateVote(channel: club, subject: "x", vote: .between(1)), "vote.options"),
        (CreateVote(channel: club, subject: "x", vote: .between(choices: 4)), "vote.choices"),
        (CreateVote(channel: club, subject: "x", vote: .between(closesAt: 1)), "vote.closesAt"),
        (AddReaction(channel: club, messageID: message, emoji: "no"), "emoji"),
        (ListReactions(channel: club, messageID: message, cursor: "x"), "cursor"),
        (CreateReport(userID: ann), "userID"), (CreateReport(userID: bob, category: ""), "category"),
        (BanMembers(channel: club, members: [bob], bannedUntil: .init(milliseconds: 0)), "bannedUntil"),
        (BlockUser(userID: ann), "userID"), (GetUsers(userIDs: []), "userIDs"),
        (SetUserSettings(), "invitesFrom"),
        (ListChannels(limit: 0), "limit"), (ListChannels(cursor: "x"), "cursor"),
        (ListOpenChannels(keyword: long), "keyword"), (QueryChannels(cursor: "x"), "cursor"),
        (ListSchedules(cursor: "x"), "cursor"), (ListBlockedUsers(limit: 0), "limit"),
        (ListReadMarks(limit: 0), "limit"), (ExplainUnread(limit: 0), "limit"),
        (ListMembers(channel: club, limit: 0), "limit"), (ListMemberReads(channel: club, limit: 0), "limit"),
        (SendMany(messages: [], channels: [club]), "messages"),
        (SendMessage(channel: club, text: "x", mentions: [Mention(userID: bob, start: 0)]), "mentions[0].length"),
    ]
    // If there are too many, the list as a whole is refused.
    let crowd = try (0...100).map { try user("u\($0)").userID }
    rows.append((KickMembers(channel: club, members: crowd), "members"))
    rows.append((InviteMembers(channel: club, members: crowd), "members"))
    rows.append(
        (Resume(channels: try (0...1_000).map { ChannelPosition(channel: try channel("c\($0)"), seq: 0) }), "channels"))
    return rows
}

@Suite struct ErrorFieldsTests {
    @Test(arguments: Backend.essential)
    func `if the core refuses a value with 6, the error names the path of its field`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        let message = try #require(try await stage.bob.send("x", to: Cast.club).messageID)
        let vote = try await stage.bob.sendVote(.between())
        for (command, field) in try table(vote, message) {
            let refusal = try await stage.ann.refusal(command)
            #expect(refusal?.entry == .dataFormat && refusal?.field == field, "\(command) \(refusal?.field ?? "")")
        }
    }

    @Test(arguments: Backend.essential)
    func `if a vote would be closed by its new time, the error names the time`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let now = stage.roost.clock.now
        let vote = Vote.between(closesAt: now + 7_200_000)
        let made = try await stage.ann.perform(
            CreateSchedule(
                channels: [Cast.club], sendAt: .init(milliseconds: now + 3_600_000), subject: "x", vote: vote))
        let id = made.schedule.scheduleID
        let later = ChangeSchedule(scheduleID: id, sendAt: .init(milliseconds: now + 7_200_000))
        #expect(try await stage.ann.refusal(later)?.field == "sendAt")
        let moved = ChangeSchedule(scheduleID: id, channels: [Cast.lobby], sendAt: .init(milliseconds: now + 7_200_000))
        #expect(try await stage.ann.refusal(moved)?.field == "sendAt")
        let both = ChangeSchedule(scheduleID: id, sendAt: .init(milliseconds: now + 7_200_000), vote: vote)
        #expect(try await stage.ann.refusal(both)?.field == "vote.closesAt")
    }
}
