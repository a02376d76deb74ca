import GRDB
import RoostWire
import Testing

@testable import RoostClient

/// Names of members that come in the rows of two logs, which have no order.
@Suite struct MemberProfilesTests {
    private static let cat = Names.user("cat")

    private func row(_ body: ChannelRowBody, at time: Int64) -> ClientEvent {
        .event(
            Event(channel: Names.group, seq: 1, sentAt: .init(milliseconds: time), body: .channel(body)), isPast: true)
    }

    /// Adds a group of Ann and Ben without rows.
    private func addChannel(_ transaction: LocalTransaction) throws {
        try transaction.apply(
            .snapshot(
                Channel(
                    channel: Names.group, kind: .group, title: nil, memberCount: 2,
                    members: [Names.ann, Names.ben].map { Member($0, role: .participant, readSeq: 0) }, seq: 0,
                    count: 0, unread: 0, readSeq: 0, role: .participant, lastActivityAt: .init(milliseconds: 1)),
                since: 0))
        try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
    }

    /// Which channels are read again after a row of time 50,000, if cat has taken another name at another time, and the
    /// name of cat then.
    private func result(
        _ body: ChannelRowBody, renamedAt time: Int64
    ) throws -> (wanted: Set<ChannelID>, name: String?) {
        let store = try LocalStore.inMemory()
        let change = UserProfileChanged(userID: Self.cat.userID, profile: UserProfile(name: "New"))
        return try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(Names.ann.userID)
            try addChannel(transaction)
            try transaction.apply(
                .event(
                    .event(
                        Event(userSeq: 1, sentAt: .init(milliseconds: time), body: .user(.userProfileChanged(change))),
                        isPast: true)))
            // The change is known to a later transaction, too.
            _ = try transaction.finish()
            let next = try LocalTransaction(db)
            try next.apply(.event(row(body, at: 50_000)))
            return (next.wanted, try LocalStore.member(Self.cat.userID, of: Names.group, db)?.name)
        }
    }

    @Test func `a member has the name that was taken after the row that names them`() throws {
        for body in [
            ChannelRowBody.memberInvited(MembersInvited(members: [Names.ben, Self.cat], memberCount: 3)),
            .memberJoined(MemberJoined(member: Self.cat, memberCount: 3, isAnswer: false)),
        ] {
            for time: Int64 in [60_000, 50_000, 45_000] {
                let (wanted, name) = try result(body, renamedAt: time)
                #expect(wanted == [Names.group])
                #expect(name == "New")
            }
            let (wanted, name) = try result(body, renamedAt: 44_999)
            #expect(wanted == [])
            #expect(name == Self.cat.name)
        }
        let other = ChannelRowBody.memberInvited(MembersInvited(members: [Names.user("dan")], memberCount: 3))
        #expect(try result(other, renamedAt: 60_000).wanted == [])
    }

    @Test func `a member keeps the name of the channel`() throws {
        let store = try LocalStore.inMemory()
        try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(Names.ann.userID)
            try addChannel(transaction)
            try transaction.storeMembers([Member(Self.cat, role: .participant, readSeq: 0)], of: Names.group)
            let change = UserProfileChanged(userID: Self.cat.userID, profile: UserProfile(name: "New"))
            try transaction.changeMembers(by: change, at: 60_000)
            var nickname = Self.cat
            nickname.name = "Captain"
            let body = ChannelRowBody.memberProfileChanged(
                MemberProfileChanged(member: nickname, hasNickname: true, hasChannelImage: false))
            try transaction.apply(.event(row(body, at: 50_000)))
            #expect(try LocalStore.member(Self.cat.userID, of: Names.group, db)?.name == "Captain")
        }
    }
}
