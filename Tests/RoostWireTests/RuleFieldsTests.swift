import RoostWire
import Testing

/// What a check refuses: the code, and the path of the field.
private struct Refusal: Equatable {
    var code: Int
    var field: String?
}

private func refusal(_ check: () throws(WireError) -> Void) -> Refusal? {
    do {
        try check()
        return nil
    } catch {
        return Refusal(code: error.code, field: error.field)
    }
}

private func user(_ id: String) throws -> UserID { try #require(UserID(rawValue: id)) }

private func channel(_ id: String) throws -> ChannelID { try #require(ChannelID(rawValue: id)) }

/// Every check of a value, with something that it refuses and the path that the refusal names.
@Suite struct RuleFieldsTests {
    private let limits = Limits()
    private let long = String(repeating: "x", count: 9_000)

    @Test func `a content that may not be sent is refused with the path of the field`() throws {
        let (ann, file) = (try user("ann"), FileReference(fileID: "f"))
        func call(_ id: String = "c", _ result: CallResult? = nil, _ duration: Int64? = nil) -> CallNotice {
            CallNotice(callID: id, kind: .voice, result: result, durationMs: duration)
        }
        let twice = [Mention(userID: ann, start: 2, length: 1), Mention(userID: ann, start: 0, length: 1)]
        let table: [(MessageContent, Int, String)] = [
            (MessageContent(text: ""), 1001, "text"), (MessageContent(text: long), 1001, "text"),
            (MessageContent(text: "\u{0}"), 1001, "text"),
            (MessageContent(text: "a" + String(repeating: "\u{301}", count: 31)), 1001, "text"),
            (MessageContent(type: "memberLeft"), 1001, "type"),
            (MessageContent(text: "x", mentions: Array(repeating: Mention(userID: ann), count: 51)), 6, "mentions"),
            (MessageContent(text: "abc", mentions: twice), 6, "mentions[1]"),
            (MessageContent(text: "x", mentions: [Mention(userID: ann, length: 1)]), 6, "mentions[0].start"),
            (MessageContent(text: "x", mentions: [Mention(userID: ann, start: 0)]), 6, "mentions[0].length"),
            (MessageContent(type: "sticker", text: "x", mentions: [Mention(userID: ann)]), 6, "mentions"),
            (MessageContent(type: "image"), 6, "file"), (MessageContent(text: "x", file: file), 6, "file"),
            (MessageContent(type: "voice", file: file, thumbnail: file), 6, "thumbnail"),
            (MessageContent(type: "location"), 6, "location"),
            (
                MessageContent(type: "location", location: Location(latitude: 91, longitude: 0)), 1001,
                "location.latitude"
            ),
            (
                MessageContent(type: "location", location: Location(latitude: 0, longitude: 181)), 1001,
                "location.longitude"
            ),
            (
                MessageContent(type: "location", location: Location(latitude: 0, longitude: 0, address: long)), 1001,
                "location.address"
            ),
            (MessageContent(type: "custom"), 6, "attributes"),
            (MessageContent(type: "custom", attributes: 0), 6, "attributes"),
            (MessageContent(text: "x", attributes: 1), 6, "attributes"),
            (MessageContent(type: "callReceived"), 6, "call"),
            (MessageContent(type: "callReceived", call: call("")), 6, "call.callID"),
            (MessageContent(type: "callReceived", call: call("c", .missed)), 6, "call.result"),
            (MessageContent(type: "callReceived", call: call("c", nil, 5)), 6, "call.durationMs"),
            (MessageContent(type: "callRecorded", call: call("c", nil, -5)), 6, "call.durationMs"),
            (MessageContent(text: "x", extras: ["": "x"]), 6, "extras"),
            (MessageContent(text: "x", category: ""), 6, "category"),
        ]
        for (content, code, field) in table {
            let found = refusal { () throws(WireError) in try MessageRules.check(content, limits: limits) }
            #expect(found == Refusal(code: code, field: field), "\(content)")
            // The same further down in a command.
            let channels = [try channel("c")]
            let contents = [MessageContent(text: "x"), content]
            let many = refusal { () throws(WireError) in
                try MultiSendRules.check(contents, to: channels, limits: limits)
            }
            #expect(many == Refusal(code: code, field: "messages[1].\(field)"), "\(content)")
        }
    }

    @Test func `lists that are too long, empty or name something twice are refused with the place`() throws {
        let (a, b) = (try channel("a"), try channel("b"))
        let text = [MessageContent(text: "x")]
        func many(_ messages: [MessageContent], _ channels: [ChannelID]) -> Refusal? {
            refusal { () throws(WireError) in try MultiSendRules.check(messages, to: channels, limits: limits) }
        }
        #expect(many([], [a]) == Refusal(code: 6, field: "messages"))
        #expect(many(text, []) == Refusal(code: 6, field: "channels"))
        #expect(many(text, [a, b, a]) == Refusal(code: 6, field: "channels[2]"))
        let few = Limits(channelsPerCommand: 1)
        #expect(
            refusal { () throws(WireError) in try MultiSendRules.check(text, to: [a, b], limits: few) }
                == Refusal(code: 6, field: "channels"))

        let ids = (1...51).map { MessageID(sentAt: 0, seq: $0, salt: 0) }
        let delete = refusal { () throws(WireError) in
            try DeleteMessages([ids[0], ids[1], ids[1]], in: a).check(limits: limits)
        }
        #expect(delete == Refusal(code: 6, field: "messageIDs[2]"))
        let forward = ForwardMessages(channel: a, messageIDs: [ids[0]], channels: [b, b])
        #expect(
            refusal { () throws(WireError) in try forward.check(limits: limits) }
                == Refusal(code: 6, field: "channels[1]"))
        let others = try (1...100).map { try channel("c\($0)") }
        let most = ForwardMessages(channel: a, messageIDs: ids, channels: others)
        #expect(
            refusal { () throws(WireError) in try most.check(limits: limits) } == Refusal(code: 6, field: "channels"))
    }

    @Test func `a profile that may not be is refused with the path of the field`() {
        let table: [(ChannelProfile, String)] = [
            (ChannelProfile(title: long), "title"), (ChannelProfile(customAttributes: -1), "customAttributes"),
            (ChannelProfile(avatar: long), "avatar"), (ChannelProfile(background: long), "background"),
            (ChannelProfile(history: .last), "historyRows"), (ChannelProfile(historyRows: 5), "historyRows"),
            (ChannelProfile(history: .last, historyRows: 0), "historyRows"),
            (ChannelProfile(minMembers: 0), "minMembers"), (ChannelProfile(maxMembers: 0), "maxMembers"),
            (ChannelProfile(minMembers: 3, maxMembers: 2), "minMembers"),
        ]
        for (profile, field) in table {
            let found = refusal { () throws(WireError) in
                try ProfileRules.check(profile, limits: limits, isChange: true)
            }
            #expect(found == Refusal(code: 6, field: field), "\(profile)")
        }
    }

    @Test func `a vote that may not be is refused with the path of the field`() throws {
        let club = try channel("c")
        let (a, b) = (MessageContent(text: "a"), MessageContent(text: "b"))
        let named = MessageContent(text: "a", mentions: [Mention(userID: try user("ann"))])
        let table: [(String, Vote, Int, String)] = [
            (" ", Vote(options: [a, b]), 1001, "subject"), ("x", Vote(options: [a]), 6, "vote.options"),
            ("x", Vote(options: [a, b], choices: 3), 6, "vote.choices"),
            ("x", Vote(options: [a, MessageContent(text: "")]), 1001, "vote.options[1].text"),
            ("x", Vote(options: [a, MessageContent(type: "custom", attributes: 1)]), 1001, "vote.options[1].type"),
            ("x", Vote(options: [named, b]), 6, "vote.options[0].mentions"),
            ("x", Vote(options: [a, b], opensAt: .init(milliseconds: -1)), 6, "vote.opensAt"),
            ("x", Vote(options: [a, b], closesAt: .init(milliseconds: 5)), 6, "vote.closesAt"),
        ]
        for (subject, vote, code, field) in table {
            let create = CreateVote(channel: club, subject: subject, vote: vote)
            let found = refusal { () throws(WireError) in
                try VoteRules.check(create, now: .init(milliseconds: 10), limits: limits)
            }
            #expect(found == Refusal(code: code, field: field), "\(create)")
        }
        let vote = Vote(options: [a, b], choices: 2)
        for (options, field) in [([2], "options[0]"), ([0, -1], "options[1]"), ([0, 1, 1], "options[2]")] {
            let found = refusal { () throws(WireError) in
                _ = try VoteRules.ballot(options, after: [], in: vote, phase: .open)
            }
            #expect(found == Refusal(code: 6, field: field), "\(options)")
        }
    }

    @Test func `a schedule that may not be is refused with the path of the field`() throws {
        let id = ScheduleID(createdAt: 0, userSeq: 0, salt: 0)
        let (club, text) = (try channel("c"), MessageContent(text: "x"))
        let vote = Vote(options: [text, text])
        func rule(
            _ messages: [MessageContent] = [], _ subject: String? = nil, _ vote: Vote? = nil, to channels: [ChannelID]
        ) -> Refusal? {
            let schedule = Schedule(
                scheduleID: id, messages: messages, channels: channels, sendAt: .init(milliseconds: 10),
                subject: subject, vote: vote)
            return refusal { () throws(WireError) in try ScheduleRules.check(schedule, limits: limits) }
        }
        #expect(rule(to: [club]) == Refusal(code: 6, field: "messages"))
        #expect(rule([text], "x", vote, to: [club]) == Refusal(code: 6, field: "messages"))
        #expect(rule([], nil, vote, to: [club]) == Refusal(code: 6, field: "subject"))
        #expect(rule([], "x", nil, to: [club]) == Refusal(code: 6, field: "vote"))
        #expect(rule([], "x", vote, to: []) == Refusal(code: 6, field: "channels"))
        #expect(rule([text, MessageContent(text: "")], to: [club]) == Refusal(code: 1001, field: "messages[1].text"))
        let early = Vote(options: [text, text], closesAt: .init(milliseconds: 10))
        #expect(rule([], "x", early, to: [club]) == Refusal(code: 6, field: "vote.closesAt"))
        #expect(
            refusal { () throws(WireError) in
                try ScheduleRules.check(.init(milliseconds: 0), now: .init(milliseconds: 0), limits: limits)
            }
                == Refusal(code: 1008, field: "sendAt"))
    }

    @Test func `what else a command may not say is refused with the path of the field`() throws {
        let club = try channel("c")
        let table: [(String, Refusal?)] = [
            (
                "scope",
                refusal { () throws(WireError) in
                    var odd = DeleteMessages.everything
                    odd.channel = club
                    try odd.check(limits: limits)
                }
            ),
            (
                "ids",
                refusal { () throws(WireError) in
                    var odd = DeleteMessages(allIn: club)
                    odd.messageIDs = []
                    try odd.check(limits: limits)
                }
            ),
            ("emoji", refusal { () throws(WireError) in try ReactionRules.check("no") }),
            ("category", refusal { () throws(WireError) in try MessageRules.checkCategory("") }),
            (
                "segment",
                refusal { () throws(WireError) in
                    try BroadcastSegment(kind: .everybody, channel: club).check(limits: limits)
                }
            ),
            ("users", refusal { () throws(WireError) in try BroadcastSegment.users([]).check(limits: limits) }),
            (
                "news",
                refusal { () throws(WireError) in
                    try PublishNews(channel: club, text: "x", validUntil: .init(milliseconds: 5)).check(
                        now: .init(milliseconds: 5), limits: limits)
                }
            ),
            (
                "thumbnail",
                refusal { () throws(WireError) in
                    try PublishNews(channel: club, thumbnail: FileReference(fileID: "f")).check(
                        now: .init(milliseconds: 5), limits: limits)
                }
            ),
            (
                "ringtone",
                refusal { () throws(WireError) in try SetChannelPreference(channel: club, ringtone: long).check() }
            ),
            (
                "nickname",
                refusal { () throws(WireError) in try SetChannelPreference(channel: club, nickname: long).check() }
            ),
            (
                "imageURL",
                refusal { () throws(WireError) in try SetChannelPreference(channel: club, imageURL: long).check() }
            ),
        ]
        let fields = [
            "scope": "channel", "ids": "messageIDs", "segment": "channel", "users": "userIDs", "news": "validUntil",
            "thumbnail": "file",
        ]
        for (name, found) in table {
            #expect(found == Refusal(code: 6, field: fields[name] ?? name), "\(name)")
        }
    }
}
