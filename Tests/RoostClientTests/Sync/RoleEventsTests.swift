import GRDB
import RoostWire
import Testing

@testable import RoostClient

/// Types that mean the same and differ in their flags, as a client receives them.
@Suite struct RoleEventsTests {
    @Test func `a client treats a twin of a type as the type it means, and misses nothing [C-L21]`() throws {
        var rig = Rig(me: Names.ann)
        rig.server.members = [Names.group]
        try rig.connect()
        let pairs = [(201, 205), (205, 205), (203, 205), (206, 202), (202, 202), (1017, 1001), (1001, 1001)]
        for (index, pair) in pairs.enumerated() {
            let type = try #require(MessageType.numbered(pair.0))
            let seq = Int64(index + 1)
            let message = Message(
                messageID: MessageID(sentAt: seq, seq: seq, salt: 0), content: MessageContent(type: type.name),
                senderName: "Ben", count: 0)
            let row = rig.server.append(.channel(.messageSent(message)), to: Names.group, by: Names.ben.userID)
            // As JSON.
            #expect(try WireCodec.decodeEvent(try WireCodec.encode(row)) == row)
        }
        try rig.settle()
        #expect(rig.rows(of: Names.group) == Array(1...7))
        let told = rig.events.compactMap { event -> Int? in
            guard case .event(let row, _) = event else { return nil }
            return row.body.messageType?.emitted.number
        }
        #expect(told == pairs.map(\.1))
    }

    @Test func `the role of one and the roles of several change what is known of the members alike [C-L21]`() throws {
        let people = [Names.user("ben"), Names.user("cam")]
        func changed(_ users: [User]) -> EventBody {
            let roles = users.map { MemberRole(userID: $0.userID, name: $0.name, role: .moderator) }
            return .channel(.memberRoleChanged(RolesChanged(members: roles, memberCount: 3)))
        }
        #expect([people, Array(people.prefix(1))].map { changed($0).messageType?.number } == [1018, 1010])
        for changes in [people.map { changed([$0]) }, [changed(people)]] {
            let store = try LocalStore.inMemory()
            let invited = EventBody.channel(.memberInvited(MembersInvited(members: people, memberCount: 3)))
            let club = Channel(
                channel: Names.group, kind: .group, memberCount: 1,
                members: [
                    Member(
                        userID: Names.ann.userID, name: "Ann", role: .admin, readSeq: 0, readAt: .init(milliseconds: 1))
                ], seq: 0,
                count: 0, unread: 0, readSeq: 0, role: .admin, lastActivityAt: .init(milliseconds: 1))
            let members = try store.database.write { db in
                let transaction = try LocalTransaction(db)
                try transaction.setOwner(Names.ann.userID)
                try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
                try transaction.apply(club, hasAllMembers: true, since: 0)
                for (index, body) in ([invited] + changes).enumerated() {
                    let row = Event(
                        channel: Names.group, seq: Int64(index + 1), senderID: Names.ann.userID,
                        sentAt: .init(milliseconds: 1), body: body)
                    try transaction.apply(.event(.event(row, isPast: false)))
                }
                _ = try transaction.finish()
                return try LocalStore.members(of: Names.group, db)
            }
            #expect(members.map(\.userID) == [Names.ann.userID] + people.map(\.userID))
            #expect(members.map(\.role) == [.admin, .moderator, .moderator])
        }
    }
}
