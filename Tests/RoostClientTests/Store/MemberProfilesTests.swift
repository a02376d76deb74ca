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

    /// What a store says of a row of time 5, after cat has taken another name at another time.
    private func wanted(_ body: ChannelRowBody, renamedAt time: Int64) throws -> Set<ChannelID> {
        let store = try LocalStore.inMemory()
        let change = UserProfileChanged(userID: Self.cat.userID, profile: UserProfile(name: "New"))
        return try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(Names.ann.userID)
            let channel = Channel(
                channel: Names.group, kind: .group, title: nil, memberCount: 2,
                members: [Names.ann, Names.ben].map { Member($0, role: .participant, readSeq: 0) }, seq: 0, count: 0,
                unread: 0, readSeq: 0, role: .participant, lastActivityAt: .init(milliseconds: 1))
            try transaction.apply(.snapshot(channel, since: 0))
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
            try transaction.apply(
                .event(
                    .event(
                        Event(userSeq: 1, sentAt: .init(milliseconds: time), body: .user(.userProfileChanged(change))),
                        isPast: true)))
            // The change is known to a later transaction, too.
            _ = try transaction.finish()
            let next = try LocalTransaction(db)
            try next.apply(.event(row(body, at: 5)))
            return next.wanted
        }
    }

    @Test func `a channel is read again if a row names a member who has changed the name since`() throws {
        for body in [
            ChannelRowBody.memberInvited(MembersInvited(members: [Names.ben, Self.cat], memberCount: 3)),
            .memberJoined(MemberJoined(member: Self.cat, memberCount: 3, isAnswer: false)),
            .memberProfileChanged(MemberProfileChanged(member: Self.cat, hasNickname: false, hasChannelImage: false)),
        ] {
            #expect(try wanted(body, renamedAt: 6) == [Names.group])
            #expect(try wanted(body, renamedAt: 4) == [])
        }
        let other = ChannelRowBody.memberInvited(MembersInvited(members: [Names.user("dan")], memberCount: 3))
        #expect(try wanted(other, renamedAt: 6) == [])
    }
}
