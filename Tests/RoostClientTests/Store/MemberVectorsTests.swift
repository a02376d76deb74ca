import GRDB
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// The vectors of `Protocol/vectors` about members, and about rows that a purge removes.
@Suite struct MemberVectorsTests {
    private func check<Given: Encodable, Result: Encodable>(
        _ family: String, _ cases: [(String?, Given)], _ rule: (Given) throws -> Result?
    ) throws {
        let isKept = try Vectors.isKept(family, cases, rule)
        #expect(isKept, "\(family).json differs; run this test with ROOST_WRITE_VECTORS=1")
    }

    private struct Given: Encodable {
        var members: [Member]
        /// Changes of profiles that came before the row.
        var renamed: [Event]?
        var row: Event
    }

    /// What a screen shows of a member.
    private struct Shown: Encodable {
        var userID: UserID
        var name: String
        var imageURL: String?
        var role: Role
    }

    private struct Result: Encodable {
        /// Whether the row does not say what the members are now, so that they have to be read.
        var isToBeRead: Bool
        var members: [Shown]?
    }

    private func member(
        _ user: User, _ role: Role = .participant, hasNickname: Bool? = nil, hasChannelImage: Bool? = nil
    ) -> Member {
        Member(
            userID: user.userID, name: user.name, imageURL: user.imageURL, role: role, readSeq: 0,
            readAt: .init(milliseconds: 0), hasNickname: hasNickname, hasChannelImage: hasChannelImage)
    }

    private func row(_ body: ChannelRowBody, at time: Int64 = 1_000_000) -> Event {
        Event(
            channel: Cast.club, seq: 11, senderID: Cast.ann.userID, sentAt: .init(milliseconds: time),
            body: .channel(body))
    }

    private func renamed(_ user: User, _ profile: UserProfile, at time: Int64 = 1_000_000) -> Event {
        Event(
            userSeq: 1, senderID: user.userID, sentAt: .init(milliseconds: time),
            body: .user(.userProfileChanged(UserProfileChanged(userID: user.userID, profile: profile))))
    }

    private func result(_ given: Given) throws -> Result {
        let store = try LocalStore.inMemory()
        let channel = Channel(
            channel: Cast.club, kind: .group, memberCount: given.members.count, members: given.members, seq: 10,
            count: 5, readSeq: 0, role: .admin, lastActivityAt: .init(milliseconds: 1))
        return try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(Cast.ann.userID)
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.apply(.snapshot(channel, since: 0))
            try transaction.apply(.move(.channel(Cast.club), LogMove(from: 10, to: 10)))
            for event in given.renamed ?? [] { try transaction.apply(.event(.event(event, isPast: false))) }
            try transaction.apply(.event(.event(given.row, isPast: false)))
            guard !transaction.wanted.contains(Cast.club) else { return Result(isToBeRead: true) }
            let members = try LocalStore.members(of: Cast.club, db)
            return Result(
                isToBeRead: false,
                members: members.map {
                    Shown(userID: $0.userID, name: $0.name, imageURL: $0.imageURL, role: $0.role)
                })
        }
    }

    @Test func `the members of a channel after the next row of its log`() throws {
        let (ann, bob, cid, dee) = (Cast.ann, Cast.bob, Cast.cid, Cast.dee)
        let three = [member(ann, .admin), member(bob), member(cid)]
        let pictured = User(userID: bob.userID, name: "Bobby", imageURL: "b.png")
        let invited = MembersInvited(members: [dee], memberCount: 4)
        let asModerator = MembersInvited(
            members: [dee], memberCount: 4, roles: [MemberRole(userID: dee.userID, name: "Dee", role: .moderator)])
        let answered = MemberJoined(member: dee, memberCount: 4, isAnswer: true)
        func left(_ user: User, to successor: User? = nil) -> ChannelRowBody {
            .memberLeft(
                MemberLeft(userID: user.userID, name: user.name, memberCount: 2, successor: successor?.userID))
        }
        let removed = MembersRemoved(members: [bob, dee], memberCount: 2)
        let roles = RolesChanged(
            members: [MemberRole(userID: bob.userID, name: "Bob", role: .moderator)], memberCount: 3)
        func profile(_ member: User, hasNickname: Bool = false, hasChannelImage: Bool = false) -> ChannelRowBody {
            .memberProfileChanged(
                MemberProfileChanged(member: member, hasNickname: hasNickname, hasChannelImage: hasChannelImage))
        }
        let pinned = PinChanged(messageID: MessageID(sentAt: 1, seq: 1, salt: 1), seq: 1, byName: "Ann")
        let before: Int64 = 1_000_000
        let late = UserProfile(name: "Dora")
        let cases: [(String, [Member], [Event]?, Event)] = [
            ("invited", three, nil, row(.memberInvited(invited))),
            ("invited as a moderator", three, nil, row(.memberInvited(asModerator))),
            ("invited although a member", three + [member(dee, .moderator)], nil, row(.memberInvited(invited))),
            ("joined", three, nil, row(.memberJoined(answered))),
            ("left", three, nil, row(left(bob))),
            ("left, with a successor", three, nil, row(left(ann, to: cid))),
            ("left, who was none", three, nil, row(left(dee))),
            ("kicked", three, nil, row(.memberKicked(removed))),
            ("banned", three, nil, row(.memberBanned(removed))),
            ("another role", three, nil, row(.memberRoleChanged(roles))),
            ("another name and picture here", three, nil, row(profile(pictured, hasNickname: true))),
            ("the usual name again", [member(pictured, hasNickname: true)], nil, row(profile(bob))),
            ("a row about something else", three, nil, row(.pinAdded(pinned))),
            ("a new name that is newer", three, [renamed(dee, late, at: before + 1)], row(.memberJoined(answered))),
            ("a new name that is older", three, [renamed(dee, late, at: before - 5_001)], row(.memberJoined(answered))),
            (
                "a new name a little older", three, [renamed(dee, late, at: before - 5_000)],
                row(.memberJoined(answered))
            ),
            ("a new name of another user", three, [renamed(bob, late, at: before)], row(.memberJoined(answered))),
        ]
        let given = cases.map { ($0 as String?, Given(members: $1, renamed: $2, row: $3)) }
        try check("members", given, result)
    }

    @Test func `the members of a channel after a user has another name or picture`() throws {
        let pictured = User(userID: Cast.bob.userID, name: "Bob", imageURL: "b.png")
        let new = UserProfile(name: "Robert", imageURL: "r.png")
        let cases: [(String, Member, UserProfile)] = [
            ("both", member(Cast.bob), new), ("a name", member(pictured), UserProfile(name: "Robert")),
            ("a picture", member(pictured), UserProfile(imageURL: "r.png")),
            ("no picture any more", member(pictured), UserProfile(imageURL: "")),
            ("a name of its own here", member(pictured, hasNickname: true), new),
            ("a picture of its own here", member(pictured, hasChannelImage: true), new),
            ("both of its own here", member(pictured, hasNickname: true, hasChannelImage: true), new),
            (
                "a picture of its own, and the usual one goes", member(pictured, hasChannelImage: true),
                UserProfile(imageURL: "")
            ),
        ]
        let given = cases.map { name, member, profile in
            (
                name as String?,
                Given(members: [self.member(Cast.ann, .admin), member], row: renamed(Cast.bob, profile))
            )
        }
        let other = Given(members: [member(Cast.ann, .admin), member(pictured)], row: renamed(Cast.dee, new))
        try check("renames", given + [("a user who is no member", other)], result)
    }

    // MARK: Purges

    private struct Purged: Encodable {
        var rows: [Event]
        var purge: Event
    }

    @Test func `the rows that a purge leaves`() throws {
        func message(_ seq: Int64, answers parent: Message? = nil) -> Message {
            var message = Message(
                messageID: MessageID(sentAt: seq * 1_000, seq: seq, salt: 1), content: MessageContent(text: "m\(seq)"),
                senderName: "Bob", count: seq)
            message.replyTo = parent.flatMap {
                ReplySnapshot(
                    of: Event(
                        channel: Cast.club, seq: $0.messageID.seq, senderID: Cast.bob.userID,
                        sentAt: .init(milliseconds: 1), body: .channel(.messageSent($0))))
            }
            return message
        }
        func rows(_ messages: [Message]) -> [Event] {
            messages.map {
                Event(
                    channel: Cast.club, seq: $0.messageID.seq, senderID: Cast.bob.userID,
                    sentAt: .init(milliseconds: $0.messageID.seq * 1_000), body: .channel(.messageSent($0)))
            }
        }
        let log = rows([message(1), message(2), message(3, answers: message(1)), message(4, answers: message(3))])
        func purge(_ upTo: Int64) -> Event { row(.channelPurged(ChannelPurged(upTo: upTo, count: upTo))) }
        let cases: [(String, [Event], Event)] = [
            ("nothing", log, purge(0)), ("what one answers", log, purge(1)), ("up to an answer", log, purge(2)),
            ("an answer, which is answered", log, purge(3)), ("everything", log, purge(4)),
            ("more than there is", log, purge(9)),
        ]
        try check("purges", cases.map { ($0, Purged(rows: $1, purge: $2)) }) { given -> [Event] in
            let store = try LocalStore.inMemory()
            return try store.database.write { db in
                let transaction = try LocalTransaction(db)
                try transaction.setOwner(Cast.ann.userID)
                try transaction.apply(.move(.channel(Cast.club), LogMove(from: 10, to: 10)))
                try transaction.insert(given.rows, in: Cast.club, first: 1, last: 10, head: 10)
                try transaction.apply(.event(.event(given.purge, isPast: false)))
                return try LocalStore.rows(in: Cast.club, after: 0, db).filter { $0.seq ?? 0 <= 10 }
            }
        }
    }
}
