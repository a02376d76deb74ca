import RoostWire

// Every command with its answer.
extension Story {
    func exchange<C: Command>(
        _ command: C, id: String, _ variant: String? = nil, answer: C.Answer
    ) throws -> Examples.Exchange {
        Examples.Exchange(
            name: C.name, variant: variant, frame: ClientFrame(id: id, command: command.any),
            answer: try WireCodec.encode(answer),
            again: { try WireCodec.encode(try WireCodec.decode(C.Answer.self, from: $0)) })
    }

    func exchanges() throws -> [Examples.Exchange] {
        try sessions() + users() + channels() + settings() + members() + roles() + messages() + schedules()
            + broadcasts() + reports() + queries() + marksAndTyping()
    }

    private func sessions() throws -> [Examples.Exchange] {
        [
            try exchange(hello(), id: "1", answer: welcome()),
            try exchange(
                Hello(token: "eyJhbGciOi…", deviceID: device), id: "1", "token",
                answer: welcome(expiresAt: at(3_660))),
            try exchange(
                RenewSession(token: "eyJhbGciOi…"), id: "15", answer: RenewSession.Answer(expiresAt: at(7_260))),
            try exchange(
                Resume(
                    epoch: epoch, userSeq: 2,
                    channels: [ChannelPosition(channel: pair, seq: 1), ChannelPosition(channel: lobby, seq: 1)]),
                id: "2",
                answer: Resume.Answer(
                    epoch: epoch, events: [try hidden(userSeq: 3), try reply()], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: lobby, seq: 1)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1, count: 2)], resets: [])),
            try exchange(
                Resume(), id: "2", "first",
                answer: Resume.Answer(
                    epoch: epoch, events: [], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: team, seq: 1)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1, count: 2)], resets: [])),
            try exchange(
                Resume(
                    epoch: epoch, userSeq: 3, channels: [ChannelPosition(channel: pair, seq: 1)], onlyNamed: true),
                id: "2", "gap",
                answer: Resume.Answer(
                    epoch: epoch, events: [try reply()], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1, count: 2)], resets: [])),
            try exchange(
                Resume(
                    epoch: epoch, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: team, seq: 9)]),
                id: "2", "reset",
                answer: Resume.Answer(
                    epoch: epoch, events: [], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1, count: 2)],
                    resets: [Reset(channel: team, seq: 0, reason: .gone)])),
        ]
    }

    private func users() throws -> [Examples.Exchange] {
        [
            try exchange(
                GetUsers(userIDs: [ann.userID, bob.userID]), id: "3",
                answer: GetUsers.Answer(users: [ann, bob])),
            try exchange(
                BlockUser(userID: dee.userID), id: "t-0030",
                answer: try acknowledged(nil, transID: "t-0030", at: 230)),
            try exchange(
                UnblockUser(userID: dee.userID), id: "t-0031",
                answer: try acknowledged(nil, transID: "t-0031", at: 235)),
            try exchange(
                SetUserProfile(profile: newProfile()), id: "t-0063",
                answer: SetUserProfile.Answer(
                    acknowledgement: try acknowledged(nil, transID: "t-0063", at: 236), profile: newProfile())),
            try exchange(
                SetUserSettings(invitesFrom: .contacts), id: "t-0064",
                answer: try acknowledged(nil, transID: "t-0064", at: 237)),
            try exchange(GetUserSettings(), id: "45", answer: UserSettings(invitesFrom: .contacts)),
            try exchange(
                ListBlockedUsers(limit: 30), id: "14",
                answer: ListBlockedUsers.Answer(users: [BlockedUser(user: dee, at: at(230))])),
        ]
    }

    private func channels() throws -> [Examples.Exchange] {
        [
            try exchange(
                CreateChannel(kind: .single, members: [bob.userID]), id: "t-0001",
                answer: try acknowledged(pair, transID: "t-0001", at: 10)),
            try exchange(
                CreateChannel(kind: .group, channel: team, title: "The team", members: [bob.userID]), id: "t-0004",
                "group", answer: try acknowledged(team, transID: "t-0004", at: 60)),
            try exchange(
                CreateChannel(kind: .open, channel: lobby, title: "Lobby"), id: "t-0011",
                "open", answer: try acknowledged(lobby, transID: "t-0011", at: 5)),
            try exchange(
                CreateChannel(
                    kind: .group, channel: team, title: "The team",
                    members: [
                        NewMember(bob.userID, role: .moderator, nickname: "Bobby"), NewMember(cat.userID),
                        NewMember(dee.userID, role: .invited),
                    ], profile: rules()),
                id: "t-0004", "roles", answer: try acknowledged(team, transID: "t-0004", at: 60)),
            try exchange(GetChannel(channel: pair), id: "4", answer: try chat()),
            try exchange(
                GetChannel(channel: team, withMembers: false), id: "4", "settings",
                answer: group()),
            try exchange(
                ListChannels(limit: 1), id: "5",
                answer: ListChannels.Answer(
                    channels: [try chat()], next: "\(at(21).milliseconds)/\(pair)", totalUnread: 1)),
            try exchange(
                QueryChannels(kinds: [.group], changedSince: at(0), limit: 30), id: "15",
                answer: QueryChannels.Answer(
                    channels: [group()],
                    gone: [GoneChannel(channel: try Self.id("tea-party"), reason: .dismissed, at: at(20))], batch: 1,
                    batchTotal: 1, asOf: at(240))),
            try exchange(
                ListOpenChannels(keyword: "lob"), id: "6",
                answer: ListOpenChannels.Answer(channels: [openLobby(seq: 1, participants: 2)])),
            try exchange(
                JoinChannel(channel: lobby), id: "7", answer: openLobby(participants: 1)),
            try exchange(
                LeaveChannel(channel: team), id: "t-0005",
                answer: try acknowledged(team, 3, transID: "t-0005", at: 90)),
            try exchange(
                LeaveChannel(channel: team, successor: bob.userID), id: "t-0005", "successor",
                answer: try acknowledged(team, 3, transID: "t-0005", at: 90)),
            try exchange(
                HideChannel(channel: pair), id: "t-0006",
                answer: try acknowledged(pair, transID: "t-0006", at: 95)),
            try exchange(
                EndChannel(), id: "t-0007",
                answer: try acknowledged(nil, transID: "t-0007", at: 99)),
        ]
    }

    private func group() -> Channel {
        Channel(
            channel: team, kind: .group, title: "The team", memberCount: 3, members: [], seq: 1, count: 0, unread: 0,
            readSeq: 1, role: .admin, lastActivityAt: at(70), profile: rules(),
            preference: ChannelPreference(isMuted: true, nickname: "Annie"), isMarkedUnread: true, createdAt: at(60),
            createdBy: ann.userID, joinedAt: at(60), updatedAt: at(225))
    }

    private func settings() throws -> [Examples.Exchange] {
        let title = ChannelProfile(title: "The whole team")
        let preference = ChannelPreference(isMuted: true, ringtone: "bell", nickname: "Annie")
        return [
            try exchange(
                SetChannelProfile(channel: team, profile: title), id: "t-0015",
                answer: SetChannelProfile.Answer(
                    acknowledgement: try acknowledged(team, 3, transID: "t-0015", at: 100), profile: title)),
            try exchange(
                SetChannelProfile(channel: team, profile: rules()), id: "t-0016", "rules",
                answer: SetChannelProfile.Answer(
                    acknowledgement: try acknowledged(team, 4, transID: "t-0016", at: 105), profile: rules())),
            try exchange(
                SetChannelPreference(channel: team, isMuted: true, nickname: "Annie"), id: "t-0017",
                answer: SetChannelPreference.Answer(
                    acknowledgement: try acknowledged(team, 5, transID: "t-0017", at: 110), preference: preference)),
            try exchange(
                DismissChannel(channel: team), id: "t-0018",
                answer: try acknowledged(team, transID: "t-0018", at: 300)),
        ]
    }

    private func members() throws -> [Examples.Exchange] {
        [
            try exchange(
                InviteMembers(channel: team, members: [cat.userID]), id: "t-0008",
                answer: try acknowledged(team, 1, transID: "t-0008", at: 70)),
            try exchange(
                InviteMembers(
                    channel: team, members: [NewMember(dee.userID, role: .invited)], joinMethod: .userCode),
                id: "t-0019", "ask", answer: try acknowledged(team, 6, transID: "t-0019", at: 115)),
            try exchange(
                AnswerInvitation(channel: team, isAccepted: true), id: "d-0001",
                answer: try acknowledged(team, 7, transID: "d-0001", at: 120)),
            try exchange(
                BecomeMember(channel: team, joinMethod: .moderatorCode, byUserID: bob.userID), id: "d-0002",
                answer: try acknowledged(team, 7, transID: "d-0002", at: 120)),
            try exchange(
                ListMembers(channel: team), id: "8",
                answer: ListMembers.Answer(
                    members: [member(ann, .admin, read: 1, at: 70), member(bob), member(cat, read: 1, at: 70)],
                    memberCount: 3)),
            try exchange(
                ListMembers(channel: team, limit: 30, roles: [.invited]), id: "8", "roles",
                answer: ListMembers.Answer(
                    members: [
                        Member(
                            userID: dee.userID, name: dee.name, role: .invited, readSeq: 0, readAt: never,
                            joinedAt: at(115), joinMethod: .userCode, byUserID: ann.userID)
                    ], memberCount: 3)),
            try exchange(
                ListMemberReads(channel: team), id: "16",
                answer: ListMemberReads.Answer(
                    members: [
                        MemberRead(userID: ann.userID, seq: 1, sentAt: at(70), readAt: at(70)),
                        MemberRead(userID: bob.userID, seq: 0, sentAt: never, readAt: never),
                    ])),
        ]
    }

    private func roles() throws -> [Examples.Exchange] {
        [
            try exchange(
                SetMemberRole(channel: team, userID: bob.userID, role: .moderator),
                id: "t-0020", answer: try acknowledged(team, 8, transID: "t-0020", at: 125)),
            try exchange(
                KickMembers(channel: team, members: [cat.userID], reason: 2), id: "t-0021",
                answer: try acknowledged(team, 9, transID: "t-0021", at: 130)),
            try exchange(
                BanMembers(channel: team, members: [dee.userID]), id: "t-0022",
                answer: try acknowledged(team, 10, transID: "t-0022", at: 135)),
            try exchange(
                BanMembers(channel: team, members: [dee.userID], bannedUntil: at(90_000)), id: "t-0022", "until",
                answer: try acknowledged(team, 10, transID: "t-0022", at: 135)),
            try exchange(
                UnbanMembers(channel: team, members: [dee.userID]), id: "t-0023",
                answer: try acknowledged(team, 11, transID: "t-0023", at: 140)),
        ]
    }

    private func marksAndTyping() throws -> [Examples.Exchange] {
        [
            try exchange(
                SetReadMark(channel: pair, seq: 2), id: "10",
                answer: SetReadMark.Answer(channel: pair, mark: annsMark(), unread: 0)),
            try exchange(
                SetReadMark(channel: pair, messageID: messageID(2, 21)), id: "10", "message",
                answer: SetReadMark.Answer(channel: pair, mark: annsMark(), unread: 0)),
            try exchange(
                SetAllReadMarks(), id: "21", answer: SetAllReadMarks.Answer(moved: 1)),
            try exchange(
                UnsetReadMark(channel: team), id: "t-0028",
                answer: try acknowledged(team, transID: "t-0028", at: 220)),
            try exchange(
                ListReadMarks(limit: 100), id: "22",
                answer: ListReadMarks.Answer(
                    channels: [
                        ChannelRead(channel: pair, kind: .single, seq: 2, sentAt: at(21), readAt: at(25)),
                        ChannelRead(channel: team, kind: .group, seq: 1, sentAt: at(70), readAt: at(70)),
                    ])),
            try exchange(
                GetUnread(), id: "11",
                answer: GetUnread.Answer(total: 1, channels: [ChannelUnread(channel: pair, unread: 1, count: 2)])),
            try exchange(
                GetUnread(), id: "11", "muted",
                answer: GetUnread.Answer(
                    total: 1,
                    channels: [
                        ChannelUnread(channel: pair, unread: 1, count: 2),
                        ChannelUnread(
                            channel: team, unread: 3, mentions: 1, isMuted: true, isMarkedUnread: true, count: 9),
                    ], muted: 3, mentions: 1)),
            try exchange(
                ExplainUnread(channel: team), id: "23",
                answer: ExplainUnread.Answer(
                    total: 1, muted: 3, mentions: 1,
                    channels: [
                        UnreadExplanation(
                            channel: team, count: 12, readCount: 6, readSeq: 14, own: 1, recalled: 1, deleted: 1,
                            mentions: 1, isMuted: true, isMarkedUnread: true)
                    ])),
            try exchange(StartTyping(channel: pair), id: "12", answer: Done()),
            try exchange(EndTyping(channel: pair), id: "13", answer: Done()),
        ]
    }

    func annsMark() -> ReadMark { ReadMark(userID: ann.userID, seq: 2, count: 2, readAt: at(25)) }

    func hidden(userSeq: Int64) throws -> Event {
        Event(
            userSeq: userSeq, senderID: ann.userID, transID: try Self.id("t-0006"), sentAt: at(95),
            body: .user(
                .channelHidden(
                    ChannelsHidden(channels: [ChannelPosition(channel: pair, seq: 2)], isAll: false))))
    }
}
