import RoostWire
import Testing

private func refusal(_ body: () throws(WireError) -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return error.entry
    }
}

@Suite struct ProfileRulesTests {
    private func refusal(_ changes: ChannelProfile, isChange: Bool = true) -> ErrorCode? {
        RoostWireTests.refusal { () throws(WireError) in
            try ProfileRules.check(changes, limits: Limits(), isChange: isChange)
        }
    }

    private func refusal(_ changes: ChannelProfile, for kind: ChannelKind) -> ErrorCode? {
        RoostWireTests.refusal { () throws(WireError) in try ProfileRules.check(changes, for: kind) }
    }

    @Test func `a change names at least one setting, a new group need not`() {
        #expect(refusal(ChannelProfile()) == .noProfileToSet)
        #expect(refusal(ChannelProfile(), isChange: false) == nil)
    }

    @Test func `values are bounded`() {
        let good = [
            ChannelProfile(title: "a"), ChannelProfile(title: ""), ChannelProfile(customAttributes: .max),
            ChannelProfile(customAttributes: 0), ChannelProfile(avatar: ""), ChannelProfile(background: "f-1"),
            ChannelProfile(canJoin: false), ChannelProfile(history: .all),
            ChannelProfile(history: .last, historyRows: 1), ChannelProfile(history: .last, historyRows: 10_000),
            ChannelProfile(minMembers: 1, maxMembers: 500), ChannelProfile(minMembers: 3, maxMembers: 3),
            ChannelProfile(avatar: String(repeating: "a", count: 512)),
        ]
        for changes in good { #expect(refusal(changes) == nil, "\(changes)") }
        let bad = [
            ChannelProfile(title: "a\nb"), ChannelProfile(title: String(repeating: "a", count: 201)),
            ChannelProfile(customAttributes: -1), ChannelProfile(avatar: String(repeating: "a", count: 513)),
            ChannelProfile(background: "a\u{0}"), ChannelProfile(history: .last), ChannelProfile(historyRows: 5),
            ChannelProfile(history: .all, historyRows: 5), ChannelProfile(history: .last, historyRows: 0),
            ChannelProfile(history: .last, historyRows: 10_001), ChannelProfile(minMembers: 0),
            ChannelProfile(maxMembers: 501), ChannelProfile(minMembers: 4, maxMembers: 3),
        ]
        for changes in bad { #expect(refusal(changes) == .dataFormat, "\(changes)") }
    }

    @Test func `a kind of channel has its own settings`() {
        let shown = ChannelProfile(title: "a", customAttributes: 1, avatar: "f", background: "g")
        let rule = ChannelProfile(canJoin: true)
        let own = ChannelProfile(customAttributes: 1, background: "g")
        #expect(
            ChannelKind.allCases.map { refusal(shown, for: $0) } == [
                .channelTypeMismatch, nil, nil, .channelTypeMismatch, nil, nil,
            ])
        #expect(
            ChannelKind.allCases.map { refusal(rule, for: $0) } == [
                .channelTypeMismatch, nil, .channelTypeMismatch, .channelTypeMismatch, .channelTypeMismatch,
                .channelTypeMismatch,
            ])
        #expect(ChannelKind.allCases.map { refusal(own, for: $0) } == [nil, nil, nil, nil, nil, nil])
    }

    @Test func `what is shown is the members' and the rules are the admins'`() {
        #expect(ProfileRules.privilege(for: ChannelProfile(title: "a", customAttributes: 1)) == .editProfile)
        #expect(ProfileRules.privilege(for: ChannelProfile(avatar: "", background: "f")) == .editProfile)
        let rules = [
            ChannelProfile(canJoin: true), ChannelProfile(editors: .moderators), ChannelProfile(history: .all),
            ChannelProfile(minMembers: 2), ChannelProfile(maxMembers: 9), ChannelProfile(moderatorsMayRecall: false),
            ChannelProfile(title: "a", canJoin: false), ChannelProfile(pinners: .moderators),
        ]
        for changes in rules { #expect(ProfileRules.privilege(for: changes) == .editRules, "\(changes)") }
    }

    @Test func `only what differs is a change, and defaults are not kept`() {
        let old = ChannelProfile(
            title: "a", customAttributes: 3, avatar: "f", canJoin: true, editors: .moderators, history: .last,
            historyRows: 5, minMembers: 2, maxMembers: 9, moderatorsMayRecall: false, pinners: .moderators)
        #expect(ProfileRules.difference(old, from: old) == ChannelProfile())
        #expect(ProfileRules.difference(old, from: ChannelProfile()) == old)
        let some = ChannelProfile(title: "b", customAttributes: 3, history: .last, historyRows: 6)
        #expect(
            ProfileRules.difference(some, from: old) == ChannelProfile(title: "b", history: .last, historyRows: 6))
        let defaults = ChannelProfile(
            title: "", customAttributes: 0, avatar: "", background: "", canJoin: false, editors: .participants,
            history: .all, minMembers: 1, moderatorsMayRecall: true, pinners: .participants)
        #expect(ProfileRules.difference(defaults, from: ChannelProfile()) == ChannelProfile())
        #expect(ProfileRules.merge(defaults, into: old) == ChannelProfile(maxMembers: 9))
        #expect(ProfileRules.merge(old, into: ChannelProfile()) == old)
        #expect(ProfileRules.merge(ChannelProfile(title: "b"), into: old).title == "b")
        #expect(ProfileRules.merge(ChannelProfile(title: "b"), into: old).historyRows == 5)
    }

    @Test func `a newcomer sees from the floor on that the channel sets`() {
        func floor(_ history: HistoryVisibility?, _ rows: Int? = nil, head: Int64) -> Int64 {
            ProfileRules.floor(for: ChannelProfile(history: history, historyRows: rows), head: head)
        }
        #expect(floor(nil, head: 40) == 0)
        #expect(floor(.all, head: 40) == 0)
        #expect(floor(.sinceJoin, head: 40) == 40)
        #expect(floor(.last, 10, head: 40) == 30)
        #expect(floor(.last, 50, head: 40) == 0)
    }
}

@Suite struct PreferencesTests {
    private let channel = ChannelID(rawValue: "team")

    private func refusal(_ set: SetChannelPreference) -> ErrorCode? {
        RoostWireTests.refusal { () throws(WireError) in try set.check() }
    }

    @Test func `a change of preferences names something and keeps the bounds`() throws {
        let team = try #require(channel)
        #expect(refusal(SetChannelPreference(channel: team)) == .noPreferenceToSet)
        #expect(refusal(SetChannelPreference(channel: team, isMuted: false)) == nil)
        #expect(refusal(SetChannelPreference(channel: team, ringtone: "", nickname: "", imageURL: "")) == nil)
        #expect(refusal(SetChannelPreference(channel: team, nickname: "a\u{7F}")) == .dataFormat)
        #expect(
            refusal(SetChannelPreference(channel: team, ringtone: String(repeating: "a", count: 513))) == .dataFormat)
        #expect(
            refusal(SetChannelPreference(channel: team, imageURL: String(repeating: "a", count: 2_001))) == .dataFormat)
    }

    @Test func `an empty value removes and an absent one keeps`() throws {
        let team = try #require(channel)
        let old = ChannelPreference(isMuted: true, ringtone: "bell", nickname: "Annie", imageURL: "https://x/a.png")
        let change = SetChannelPreference(channel: team, ringtone: "gong", nickname: "")
        #expect(
            change.merged(into: old)
                == ChannelPreference(isMuted: true, ringtone: "gong", imageURL: "https://x/a.png"))
        #expect(SetChannelPreference(channel: team, isMuted: false).merged(into: old).nickname == "Annie")
    }
}

@Suite struct UnreadExplanationTests {
    @Test func `the count follows from the numbers and is never negative`() throws {
        let team = try #require(ChannelID(rawValue: "team"))
        let why = UnreadExplanation(
            channel: team, count: 12, readCount: 6, readSeq: 9, own: 1, recalled: 1, deleted: 1, mentions: 2)
        #expect(why.unread == 3)
        #expect(
            why.words
                == "12 messages of this channel count; 6 of them are read. Of the 6 after the mark some do not count "
                + "for you: 1 your own, 1 recalled, 1 deleted by you. That leaves 3 unread. 2 of them mention you.")
        let nothing = UnreadExplanation(channel: team, count: 1, readCount: 1, readSeq: 1, own: 4, isMuted: true)
        #expect(nothing.unread == 0)
        #expect(nothing.words.hasPrefix("1 message of this channel counts"))
        #expect(nothing.words.hasSuffix("The channel is muted: it is not in the total."))
    }
}
