import RoostWire

// Every event.
extension Story {
    func notices() throws -> [Examples.Notice] {
        try messageRows() + memberRows() + userRows() + ownRows() + scheduleRows() + ephemeral()
    }

    private func inTeam(_ seq: Int64, _ body: EventBody, transID: String, at seconds: Int64) throws -> Event {
        Event(
            channel: team, seq: seq, senderID: ann.userID, transID: try Self.id(transID), sentAt: at(seconds),
            body: body)
    }

    private func own(_ userSeq: Int64, _ body: EventBody, transID: String, at seconds: Int64) throws -> Event {
        Event(
            userSeq: userSeq, senderID: ann.userID, transID: try Self.id(transID), sentAt: at(seconds), body: body)
    }

    private func content(
        _ seq: Int64, _ payload: MessageContent.Payload, transID: String, at seconds: Int64, count: Int64? = nil,
        _ change: (inout Message) -> Void = { _ in }
    ) throws -> Event {
        var message = Message(
            messageID: messageID(seq, seconds), content: MessageContent(payload), senderName: ann.name,
            senderImageURL: ann.imageURL, count: count ?? seq)
        change(&message)
        return Event(
            channel: pair, seq: seq, senderID: ann.userID, transID: try Self.id(transID), sentAt: at(seconds),
            body: .channel(.messageSent(message)))
    }

    private func messageRows() throws -> [Examples.Notice] {
        let mention = Mention(userID: bob.userID, start: 0, length: 4)
        let recall = Recall(isSilent: false, at: at(190), byUserID: ann.userID, byName: ann.name)
        let recalled = MessagesRecalled(
            messages: [
                RecalledMessage(messageID: messageID(1, 12), seq: 1, senderID: ann.userID, wasCounted: true)
            ], isSilent: false, byName: ann.name)
        return try [
            Examples.Notice(event: try greeting()),
            Examples.Notice(
                variant: "mention",
                event: try message(
                    team, 2, from: ann, "@Bob can you 👀 at \"this\"?", transID: "t-0012", at: 75, count: 1,
                    mentions: [mention])),
            Examples.Notice(variant: "reply", event: try answered()),
            Examples.Notice(
                variant: "image",
                event: try content(7, .image(photo(), thumbnail: thumbnail()), transID: "t-0042", at: 160) {
                    $0.extras = ["width": "1200", "height": "900"]
                }),
            Examples.Notice(
                variant: "location",
                event: try content(9, .location(place()), transID: "t-0044", at: 170)),
            Examples.Notice(
                variant: "notice",
                event: try content(10, .messageCopied, transID: "t-0045", at: 175, count: 9) {
                    $0.replyTo = (try? reply()).flatMap { ReplySnapshot(of: $0) }
                }),
        ] + madeRows() + [newsPiece()] + [
            Examples.Notice(
                variant: "recalled",
                event: try content(1, .text, transID: "t-0002", at: 12) { $0 = $0.recalled(recall) }),
            Examples.Notice(
                event: Event(
                    channel: lobby, seq: 2, transID: try Self.id("t-0013"), sentAt: at(50),
                    body: .channel(
                        .messageAnnounced(
                            Announcement(
                                messageID: messageID(2, 50), text: "The server restarts at noon.", count: 2))))),
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 12, senderID: ann.userID, transID: try Self.id("t-0024"), sentAt: at(190),
                    body: .channel(.messageRecalled(recalled)))),
        ] + voteRows() + reactionRows() + pinRows() + [newsRow()] + [
            Examples.Notice(event: Event(channel: pair, seq: 2, body: .channel(.rowRemoved(RowRemoved(count: 2))))),
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 16, sentAt: at(86_400),
                    body: .channel(.channelPurged(ChannelPurged(upTo: 12, count: 11)))
                )),
        ]
    }

    private func memberRows() throws -> [Examples.Notice] {
        let left = MemberLeft(userID: ann.userID, name: ann.name, memberCount: 2)
        let asked = MembersInvited(members: [], memberCount: 3, invited: [dee], joinMethod: .userCode)
        let joined = MemberJoined(
            member: dee, memberCount: 4, isAnswer: true, joinMethod: .userCode, byUserID: ann.userID)
        let annie = User(userID: ann.userID, name: "Annie", imageURL: ann.imageURL)
        return [
            Examples.Notice(
                event: try inTeam(
                    1, .channel(.memberInvited(MembersInvited(members: [cat], memberCount: 3))), transID: "t-0008",
                    at: 70)),
            Examples.Notice(
                variant: "ask", event: try inTeam(6, .channel(.memberInvited(asked)), transID: "t-0019", at: 115)),
            Examples.Notice(
                event: Event(
                    channel: team, seq: 7, senderID: dee.userID, transID: try Self.id("d-0001"), sentAt: at(120),
                    body: .channel(.memberJoined(joined)))),
            Examples.Notice(event: try inTeam(3, .channel(.memberLeft(left)), transID: "t-0005", at: 90)),
            Examples.Notice(
                variant: "successor",
                event: try inTeam(
                    3,
                    .channel(
                        .memberLeft(
                            MemberLeft(userID: ann.userID, name: ann.name, memberCount: 2, successor: bob.userID))),
                    transID: "t-0005", at: 90)),
            Examples.Notice(
                event: try inTeam(
                    9, .channel(.memberKicked(MembersRemoved(members: [cat], memberCount: 3, reason: 2))),
                    transID: "t-0021",
                    at: 130)),
            Examples.Notice(
                event: try inTeam(
                    10, .channel(.memberBanned(MembersRemoved(members: [dee], memberCount: 2))), transID: "t-0022",
                    at: 135)),
            Examples.Notice(
                event: try inTeam(
                    8,
                    .channel(
                        .memberRoleChanged(
                            RolesChanged(
                                members: [MemberRole(userID: bob.userID, name: bob.name, role: .moderator)],
                                memberCount: 4))),
                    transID: "t-0020", at: 125)),
            Examples.Notice(
                event: try inTeam(
                    5,
                    .channel(
                        .memberProfileChanged(
                            MemberProfileChanged(member: annie, hasNickname: true, hasChannelImage: false))),
                    transID: "t-0017", at: 110)),
            Examples.Notice(
                event: try inTeam(
                    3,
                    .channel(
                        .channelProfileChanged(ChannelProfileChanged(profile: ChannelProfile(title: "The whole team")))),
                    transID: "t-0015", at: 100)),
        ]
    }

    private func userRows() throws -> [Examples.Notice] {
        let positions = [ChannelPosition(channel: pair, seq: 2)]
        let invited = ChannelInvited(
            channel: team, title: "The team", members: [ann, bob, cat], memberCount: 3, byName: ann.name,
            joinMethod: .userCode)
        return [
            Examples.Notice(event: try joined()),
            Examples.Notice(
                variant: "group",
                event: try own(
                    2,
                    .user(
                        .channelJoined(
                            ChannelJoined(
                                channel: team, kind: .group, title: "The team", role: .admin, members: [ann, bob],
                                memberCount: 2, fromSeq: 0, count: 0, isHidden: false))),
                    transID: "t-0004", at: 60)),
            Examples.Notice(
                variant: "created",
                event: try own(
                    2,
                    .user(
                        .channelJoined(
                            ChannelJoined(
                                channel: team, kind: .group, title: "The team", role: .admin, members: [ann, bob, cat],
                                memberCount: 3, fromSeq: 0, count: 0, isHidden: false, reason: .created,
                                profile: rules()))),
                    transID: "t-0004", at: 60)),
            Examples.Notice(event: try own(1, .user(.channelInvited(invited)), transID: "t-0019", at: 115)),
            Examples.Notice(
                event: try own(4, .user(.channelLeft(ChannelLeft(channel: team))), transID: "t-0005", at: 90)),
            Examples.Notice(
                variant: "kicked",
                event: try own(
                    3, .user(.channelLeft(ChannelLeft(channel: team, reason: .kicked, code: 2))), transID: "t-0021",
                    at: 130)),
            Examples.Notice(
                event: try own(
                    13, .user(.channelDismissed(ChannelDismissed(channel: team, byName: ann.name))), transID: "t-0018",
                    at: 300)),
            Examples.Notice(event: try hidden(userSeq: 3)),
            Examples.Notice(
                event: try own(
                    5, .user(.channelEnded(ChannelsHidden(channels: positions, isAll: true))), transID: "t-0007", at: 99
                )),
            Examples.Notice(
                event: try own(
                    7, .user(.channelCleared(ChannelsHidden(channels: positions, isAll: false))), transID: "t-0026",
                    at: 200)),
        ]
    }

    private func ownRows() throws -> [Examples.Notice] {
        let deleted = MessagesDeleted(
            channel: pair, messages: [DeletedMessage(messageID: messageID(2, 21), seq: 2)], unread: 0)
        let preference = PreferenceChanged(
            channel: team, preference: ChannelPreference(isMuted: true, ringtone: "bell", nickname: "Annie"))
        return [
            Examples.Notice(event: try own(6, .user(.messageDeleted(deleted)), transID: "t-0025", at: 195)),
            Examples.Notice(
                event: try own(8, .user(.channelPreferenceChanged(preference)), transID: "t-0017", at: 110)),
            Examples.Notice(
                event: try own(
                    10, .user(.channelUnreadMarked(UnreadMarked(channel: team, isMarkedUnread: true))),
                    transID: "t-0028",
                    at: 220)),
            Examples.Notice(
                event: try own(11, .user(.userBlocked(BlockChanged(user: dee))), transID: "t-0030", at: 230)),
            Examples.Notice(
                event: try own(12, .user(.userUnblocked(BlockChanged(user: dee))), transID: "t-0031", at: 235)),
            Examples.Notice(
                event: try own(
                    19, .user(.userProfileChanged(UserProfileChanged(userID: ann.userID, profile: newProfile()))),
                    transID: "t-0063", at: 236)),
            Examples.Notice(
                event: try own(
                    20, .user(.userSettingsChanged(UserSettings(invitesFrom: .contacts))), transID: "t-0064", at: 237)),
        ]
    }

    private func scheduleRows() throws -> [Examples.Notice] {
        let first = try scheduled()
        let sent = ScheduleSent(
            scheduleID: first.scheduleID, sendAt: first.sendAt,
            results: [PairResult(channel: pair, index: 0, seq: 15, messageID: messageID(15, 86_400))])
        let vote = try scheduledVote()
        let asked = ScheduleSent(
            scheduleID: vote.scheduleID, sendAt: vote.sendAt,
            results: [
                PairResult(channel: team, index: 0, seq: 13, messageID: messageID(13, 86_400)),
                PairResult(channel: lobby, index: 0, code: ErrorCode.channelNotFound.code),
            ], isVote: true)
        return [
            Examples.Notice(event: try own(14, .user(.scheduleCreated(first)), transID: "t-0051", at: 250)),
            Examples.Notice(
                variant: "vote", event: try own(17, .user(.scheduleCreated(vote)), transID: "t-0054", at: 262)),
            Examples.Notice(
                event: try own(
                    15, .user(.scheduleChanged(try scheduled(text: "Good morning, Bob!"))), transID: "t-0052", at: 255)),
            Examples.Notice(
                event: try own(
                    16, .user(.scheduleCancelled(ScheduleCancelled(scheduleID: first.scheduleID))), transID: "t-0053",
                    at: 260)),
            Examples.Notice(
                event: try own(
                    16, .user(.scheduleSent(sent)), transID: "schedule:\(first.scheduleID)", at: 86_400)),
            Examples.Notice(
                variant: "vote",
                event: try own(
                    18, .user(.scheduleSent(asked)), transID: "schedule:\(vote.scheduleID)", at: 86_400)),
        ]
    }

    private func ephemeral() throws -> [Examples.Notice] {
        let relayed = Message(
            messageID: messageID(0, 180),
            content: MessageContent(.custom(attributes: 2), text: "{\"cursor\":7}"), senderName: ann.name,
            count: 0)
        return [
            Examples.Notice(
                event: Event(
                    channel: pair, senderID: ann.userID, transID: try Self.id("t-0029"), sentAt: at(180),
                    body: .ephemeral(.messageRelayed(relayed)))),
            Examples.Notice(event: typing(isStart: true, at: 18)),
            Examples.Notice(event: typing(isStart: false, at: 20)),
            Examples.Notice(event: read()),
            Examples.Notice(
                event: Event(
                    channel: team,
                    body: .ephemeral(.channelActiveCountChanged(ActiveCountChanged(active: 2, memberCount: 3))))),
            Examples.Notice(
                event: Event(body: .ephemeral(.sessionExpiring(SessionExpiring(expiresAt: at(3_660)))))),
            Examples.Notice(
                event: Event(
                    body: .ephemeral(
                        .positions(
                            Positions(userSeq: 1, channels: [ChannelPosition(channel: pair, seq: 2)]))))),
            Examples.Notice(event: Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: 1_840))))),
        ]
    }

    func typing(isStart: Bool, at seconds: Int64) -> Event {
        let body = TypingChanged(userID: bob.userID, name: bob.name, at: at(seconds))
        return Event(channel: pair, body: isStart ? .ephemeral(.typingStarted(body)) : .ephemeral(.typingEnded(body)))
    }

    func read() -> Event {
        Event(channel: pair, body: .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [annsMark()], moved: 1))))
    }
}
