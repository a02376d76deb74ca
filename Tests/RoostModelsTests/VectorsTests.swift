import Foundation
import RoostModels
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// The vectors of `Protocol/vectors`: what the rules of a client say of given values. They are written by these tests from
/// the SDK, and clients in other languages are tested with them; the README there has the fields of each family.
///
/// With `ROOST_WRITE_VECTORS=1` in the environment, the files are written.
@Suite struct VectorsTests {
    private func check<Given: Encodable, Result: Encodable>(
        _ family: String, _ cases: [(String?, Given)], _ rule: (Given) throws -> Result?
    ) throws {
        let isKept = try Vectors.isKept(family, cases, rule)
        #expect(isKept, "\(family).json differs; run this test with ROOST_WRITE_VECTORS=1")
    }

    // MARK: Rights

    private struct Rights: Encodable {
        var role: Role
        var target: Role
        var admins: Int
        var editors: ProfileEditors
    }

    private struct Allowed: Encodable {
        var removes: Bool
        var edits: Bool
        var leaves: Bool
        var gives: [Role]
    }

    @Test func `what each role may do with each other one`() throws {
        let roles: [Role] = [.none, .outcast, .invited, .participant, .moderator, .admin]
        var cases: [(String?, Rights)] = []
        for role in roles {
            for target in roles {
                for (admins, editors) in [(1, ProfileEditors.participants), (2, .moderators)] {
                    cases.append((nil, Rights(role: role, target: target, admins: admins, editors: editors)))
                }
            }
        }
        try check("roles", cases) { given in
            Allowed(
                removes: RoleRules.mayRemove(given.target, isSelf: false, by: given.role),
                edits: RoleRules.allows(.editProfile, given.role, profile: ChannelProfile(editors: given.editors)),
                leaves: RoleRules.mayLeave(given.role, admins: given.admins, members: 3, hasSuccessor: false),
                gives: [Role.participant, .moderator, .admin].filter {
                    RoleRules.refusalOfRole($0, for: given.target, by: given.role, admins: given.admins) == nil
                })
        }
    }

    // MARK: Titles

    private struct Titled: Encodable {
        var viewer: UserID
        var channel: Channel
    }

    private func channel(_ title: String?, _ members: [User], kind: ChannelKind = .group) -> Channel {
        Channel(
            channel: Cast.club, kind: kind, title: title, memberCount: members.count,
            members: members.map { Member($0, role: .participant, readSeq: 0) }, seq: 0, count: 0,
            lastActivityAt: .init(milliseconds: Sample.start))
    }

    @Test func `the title that a channel shows`() throws {
        let (ann, bob, cid) = (Cast.ann, Cast.bob, Cast.cid)
        let cases: [(String?, Channel)] = [
            ("its own title", channel("Roof", [ann, bob, cid])),
            ("the other one of a 1-on-1", channel(nil, [ann, bob], kind: .single)),
            ("alone in a group", channel(nil, [ann])),
            ("without members", channel(nil, [])),
            ("a name of another script", channel(nil, [ann, User(userID: bob.userID, name: "قط 🐈")])),
        ]
        try check("titles", cases.map { ($0, Titled(viewer: ann.userID, channel: $1)) }) {
            ChannelRules.screenTitle(of: $0.channel, for: $0.viewer)
        }
    }

    // MARK: Changes of rows

    private struct Changed: Encodable {
        var viewer: UserID
        var row: Event
        var changes: [Event]
    }

    private func reaction(
        _ seq: Int64, _ emoji: String, _ count: Int, by user: User = Cast.bob, isAdded: Bool = true
    ) -> Event {
        let change = ReactionChanged(
            messageID: MessageID(sentAt: Sample.start + 1_000, seq: 1, salt: 1), seq: 1, emoji: emoji, count: count,
            byName: user.name)
        return Event(
            channel: Cast.annAndBob, seq: seq, senderID: user.userID, sentAt: .init(milliseconds: Sample.start),
            body: .channel(isAdded ? .reactionAdded(change) : .reactionRemoved(change)))
    }

    @Test func `a message after reactions to it`() throws {
        let row = Sample.row(1)
        var read = row
        read.reactions = MessageReactions(head: 5, kinds: [Reaction(emoji: "👍", count: 2, isMine: true)])
        let recalled = Sample.row(
            1, recall: Recall(isSilent: false, at: .init(milliseconds: Sample.start), byUserID: nil, byName: "Bob"))
        let heart = "\u{2764}"
        let ann = Cast.ann
        let cases: [(String, Event, [Event])] = [
            ("the first one", row, [reaction(2, "👍", 1)]),
            ("another emoji comes last", row, [reaction(2, "👍", 1), reaction(3, "🎉", 1)]),
            ("one more of the same", row, [reaction(2, "👍", 1), reaction(3, "👍", 2, by: ann)]),
            ("the viewer's own", row, [reaction(2, "👍", 1, by: ann)]),
            (
                "the viewer takes it back", row,
                [
                    reaction(2, "👍", 1, by: ann), reaction(3, "👍", 2), reaction(4, "👍", 1, by: ann, isAdded: false),
                ]
            ),
            (
                "with and without the selector for pictures", row,
                [
                    reaction(2, heart, 1), reaction(3, heart + "\u{FE0F}", 2, by: ann),
                ]
            ),
            ("the last one is removed", row, [reaction(2, "👍", 1), reaction(3, "👍", 0, isAdded: false)]),
            (
                "an older change after the last one was removed", row,
                [
                    reaction(2, "👍", 1), reaction(4, "👍", 0, isAdded: false), reaction(3, "👍", 1),
                ]
            ),
            ("a change that the reading includes", read, [reaction(5, "👍", 1)]),
            ("a change after the reading", read, [reaction(6, "👍", 3)]),
            ("a removal of what is not there", row, [reaction(2, "👍", 0, isAdded: false)]),
            ("a recalled message takes none", recalled, [reaction(2, "👍", 1)]),
            ("a change of another message", Sample.row(7), [reaction(8, "👍", 1)]),
        ]
        try check("reactions", cases.map { ($0, Changed(viewer: ann.userID, row: $1, changes: $2)) }) { given in
            given.changes.reduce(given.row) { $0.after($1, viewer: given.viewer) }
        }
    }

    private struct Recalled: Encodable {
        var row: Event
        var recall: Event
    }

    @Test func `a message after a recall of it, or of what it answers`() throws {
        func recall(_ seq: Int64, isSilent: Bool = false, byRole: RecallRole? = nil) -> Event {
            let message = RecalledMessage(
                messageID: MessageID(sentAt: Sample.start + seq * 1_000, seq: seq, salt: 1), seq: seq,
                senderID: Cast.bob.userID, wasCounted: true)
            return Event(
                channel: Cast.annAndBob, seq: 9, senderID: Cast.bob.userID, sentAt: .init(milliseconds: Sample.start),
                body: .channel(
                    .messageRecalled(
                        MessagesRecalled(messages: [message], isSilent: isSilent, byName: "Bob", byRole: byRole))))
        }
        var rich = Sample.row(1, "look")
        rich.message?.content = MessageContent(
            .image(FileReference(fileID: "f1", name: "roof.jpg", size: 3)), text: "look",
            mentions: [Mention(userID: Cast.ann.userID)], extras: ["a": "b"], category: "news")
        rich.reactions = MessageReactions(head: 5, kinds: [Reaction(emoji: "👍", count: 2, isMine: true)])
        var answer = Sample.row(3, "yes")
        answer.message?.replyTo = ReplySnapshot(of: rich)
        let announced = Event(
            channel: Cast.annAndBob, seq: 1, sentAt: .init(milliseconds: Sample.start),
            body: .channel(
                .messageAnnounced(
                    Announcement(
                        messageID: MessageID(sentAt: Sample.start + 1_000, seq: 1, salt: 1), text: "All", count: 1))))
        var custom = Sample.row(1, "x")
        custom.message?.content.payload = .custom(attributes: 3)
        let cases: [(String, Event, Event)] = [
            ("a text", Sample.row(1), recall(1)),
            ("a custom message", custom, recall(1)),
            ("by a moderator", Sample.row(1), recall(1, byRole: .moderator)),
            ("a picture with everything", rich, recall(1)),
            ("an announcement", announced, recall(1)),
            ("silently", Sample.row(1), recall(1, isSilent: true)),
            ("an answer to it", answer, recall(1)),
            ("an answer to another one", answer, recall(2)),
            ("another message", Sample.row(2), recall(1)),
        ]
        try check("recalls", cases.map { ($0, Recalled(row: $1, recall: $2)) }) { given -> Event? in
            guard case .channel(.messageRecalled(let recalled)) = given.recall.body, let first = recalled.messages.first
            else { return nil }
            var row = given.row
            if row.seq == first.seq {
                row.body = row.body.recalled(
                    Recall(
                        isSilent: recalled.isSilent, at: given.recall.sentAt ?? .init(milliseconds: 0),
                        byUserID: given.recall.senderID, byName: recalled.byName, byRole: recalled.byRole))
            } else {
                row.message = row.message?.afterRecall(of: first.messageID)
            }
            return row.isOnlyNumber ? nil : row
        }
    }

    // MARK: What events are

    private struct Facts: Encodable {
        var isShown: Bool
        var isLastMessage: Bool
        var countsAsUnread: Bool
    }

    @Test func `which events show, are a last message, and count`() throws {
        let fixtures = Vectors.fixtures
        let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path())
            .filter { $0.hasPrefix("event.") }.sorted()
        #expect(names.count > 50)
        let cases = try names.compactMap { name -> (String?, Event)? in
            let data = try Data(contentsOf: fixtures.appending(path: name, directoryHint: .notDirectory))
            let event = try WireCodec.decode(Event.self, from: Array(data))
            return event.seq == nil ? nil : (name, event)
        }
        try check("events", cases) { event in
            Facts(
                isShown: EventName(rawValue: event.name)?.isShown == true && !event.isOnlyNumber,
                isLastMessage: event.body.behaviour?.isLastMessage == true && !event.isOnlyNumber,
                countsAsUnread: event.body.behaviour?.countsAsUnread == true)
        }
    }

    // MARK: Mentions

    private struct Moved: Encodable {
        var mentions: [Mention]
        var before: String
        var after: String
    }

    @Test func `mentions after an edit of their text`() throws {
        let text = "Hi @Bob and @Cid!"
        let both = [
            Mention(userID: Cast.bob.userID, start: 3, length: 4),
            Mention(userID: Cast.cid.userID, start: 12, length: 4),
        ]
        let cases: [(String, String)] = [
            ("the same text", text), ("before both", "Oh, Hi @Bob and @Cid!"), ("between", "Hi @Bob or @Cid!"),
            ("behind both", text + " 🎉"), ("inside the first", "Hi @Bb and @Cid!"),
            ("the first is gone", "Hi and @Cid!"), ("at its end", "Hi @Bobby and @Cid!"), ("nothing is left", ""),
            ("an emoji of two units before", "🎉Hi @Bob and @Cid!"), ("all is new", "Good morning"),
        ]
        let given = cases.map { ($0, Moved(mentions: both, before: text, after: $1)) }
        let whole = Moved(mentions: [Mention(userID: Cast.bob.userID)], before: text, after: "All")
        try check("mention-moves", given + [("one without a place", whole)]) {
            MentionRules.moved($0.mentions, from: $0.before, to: $0.after)
        }
    }

    private struct Typed: Encodable {
        var text: String
        var cursor: Int
    }

    private struct Query: Encodable {
        var prefix: String
        var start: Int
        var end: Int
    }

    @Test func `the name that is being typed`() throws {
        let cases: [(String, Int)] = [
            ("@", 1), ("@b", 2), ("Hi @Bo", 6), ("Hi @Bo", 4), ("Hi @Bo", 3), ("ann@example", 11), ("(@b", 3),
            ("@Ann Lee", 8), ("@ b", 3), ("@b\nc", 4), ("@b @c", 5), ("猫@猫", 3), ("🎉@b", 4), ("7@b", 3), ("é@b", 3),
            ("", 0), ("@" + String(repeating: "a", count: 199), 200), ("@" + String(repeating: "a", count: 200), 201),
            ("_@b", 3), ("@\u{00A0}b", 3),
        ]
        try check("mention-queries", cases.map { (nil, Typed(text: $0, cursor: $1)) }) { given in
            MentionRules.query(in: given.text, cursor: given.cursor).map {
                Query(prefix: $0.prefix, start: $0.start, end: $0.end)
            }
        }
    }

    private struct Named: Encodable {
        var prefix: String
        var members: [Member]
        var viewer: UserID
    }

    @Test func `members for the beginning of a mention`() throws {
        let members = try [
            ("ann", "Ann"), ("bob", "Bob Lee"), ("lee", "Zoë"), ("bob.2", "bob"), ("cid", "Cid van Bob"),
            ("x", "李 Bob"),
        ].map { id, name in
            Member(
                userID: try #require(UserID(rawValue: id)), name: name, role: .participant, readSeq: 0,
                readAt: .init(milliseconds: 0))
        }
        let cases = ["", "b", "BOB", "bob l", "lee", "van b", "zo", "李", "an", "cid", "x", "nobody", "ob"]
        try check(
            "mention-candidates", cases.map { (nil, Named(prefix: $0, members: members, viewer: Cast.ann.userID)) }
        ) { given in
            MentionRules.candidates(for: given.prefix, among: given.members, viewer: given.viewer).map(\.userID)
        }
    }

    private struct Completed: Encodable {
        var text: String
        var mentions: [Mention]
        var cursor: Int
    }

    private struct Completing: Encodable {
        var text: String
        var query: Query
        var member: User
        var mentions: [Mention]
    }

    @Test func `a mention that is chosen`() throws {
        let bob = User(userID: Cast.bob.userID, name: "Bob Lee")
        let cid = Mention(userID: Cast.cid.userID, start: 5, length: 4)
        let cases: [(String, Int, [Mention])] = [
            ("@b", 2, []), ("hi @b", 5, []), ("@b there", 2, []), ("@bthere", 2, []), ("@b\n", 2, []), ("👍 @b", 5, []),
            ("@b @ @Cid", 2, [cid]), ("@", 1, []),
        ]
        let given = try cases.map { text, cursor, mentions -> (String?, Completing) in
            let query = try #require(MentionRules.query(in: text, cursor: cursor))
            return (
                nil,
                Completing(
                    text: text, query: Query(prefix: query.prefix, start: query.start, end: query.end), member: bob,
                    mentions: mentions)
            )
        }
        try check("mention-completions", given) { given in
            let query = try #require(MentionRules.query(in: given.text, cursor: given.query.end))
            let member = Member(
                userID: given.member.userID, name: given.member.name, role: .participant, readSeq: 0,
                readAt: .init(milliseconds: 0))
            let done = MentionRules.complete(query, with: member, in: given.text, mentions: given.mentions)
            return Completed(text: done.text, mentions: done.mentions, cursor: done.cursor)
        }
    }

    private struct Written: Encodable {
        var text: String
        var mentions: [Mention]
        var members: [User]
        var limit: Int
    }

    @Test func `mentions that are written out`() throws {
        let people = try [("bob", "Bob"), ("cid", "Cid"), ("lee", "Bob Lee"), ("lea", "Bob lee"), ("neko", "猫")].map {
            User(userID: try #require(UserID(rawValue: $0)), name: $1)
        }
        let chosen = [Mention(userID: Cast.bob.userID, start: 0, length: 4)]
        let cases: [(String, [Mention], Int)] = [
            ("@Bob look", [], 10), ("@bob look", [], 10), ("@BOB look", [], 10), ("@Bobby look", [], 10),
            ("@Cid, @Bob!", [], 10), ("@Cid, @Bob!", [], 1), ("@Bob Lee", [], 10), ("mail ann@bob", [], 10),
            ("@Bob @Cid", chosen, 10), ("@Bob", chosen, 10), ("看@猫", [], 10), ("@猫猫", [], 10), ("@bob.x", [], 10),
            ("@bob.", [], 10), ("@nobody", [], 10), ("", [], 10), ("@@cid", [], 10),
        ]
        let given = cases.map { text, mentions, limit in
            (nil as String?, Written(text: text, mentions: mentions, members: people, limit: limit))
        }
        try check("written-mentions", given) { given in
            MentionRules.withWritten(
                given.text, given.mentions, given.members.map { Member($0, role: .participant, readSeq: 0) },
                viewer: Cast.ann.userID, most: given.limit)
        }
    }

    // MARK: Logs

    /// What happens to a log: a row comes, its first position is known, or everything up to a row is.
    private struct LogStep: Encodable {
        var row: Int64?
        var start: Int64?
        var advance: Int64?
    }

    private struct LogState: Encodable {
        var delivered: [Int64]
        var position: Int64?
        var hasGap: Bool
    }

    @Test func `rows of a log in any order`() throws {
        func rows(_ numbers: Int64...) -> [LogStep] { numbers.map { LogStep(row: $0) } }
        let cases: [(String?, [LogStep])] = [
            ("in order", [LogStep(start: 0)] + rows(1, 2, 3)),
            ("swapped", [LogStep(start: 0)] + rows(2, 1, 3)),
            ("doubled", [LogStep(start: 0)] + rows(1, 1, 2, 1, 2)),
            ("one is missing", [LogStep(start: 0)] + rows(1, 3, 4)),
            ("rows before the first position", rows(6, 7) + [LogStep(start: 5)]),
            ("rows before a later first position", rows(6, 7) + [LogStep(start: 8)]),
            ("known rows before the first position", rows(3) + [LogStep(start: 5)] + rows(4, 5, 6)),
            ("an advance over a gap", [LogStep(start: 0)] + rows(3, 4) + [LogStep(advance: 2)]),
            ("an advance over held rows", [LogStep(start: 0)] + rows(3, 4, 6) + [LogStep(advance: 5)]),
            ("an advance backwards", [LogStep(start: 5)] + [LogStep(advance: 3)] + rows(6)),
            ("a second first position", [LogStep(start: 5), LogStep(start: 9)] + rows(6)),
            ("more than are held", [LogStep(start: 0)] + (2...503).map { LogStep(row: $0) } + rows(1)),
        ]
        try check("logs", cases) { steps in
            var log = LogPosition(seq: nil)
            var delivered: [Int64] = []
            for step in steps {
                if let row = step.row {
                    if log.accept(row) { delivered.append(row) } else { log.hold(Sample.row(row), at: row) }
                }
                if let start = step.start { log.start(at: start) }
                if let end = step.advance { log.advance(to: end) }
                while let held = log.dequeueHeld() { delivered.append(held.seq ?? 0) }
            }
            return LogState(delivered: delivered, position: log.seq, hasGap: log.hasGap)
        }
    }

    // MARK: Sends

    private struct Refusal: Encodable {
        var id: String
        var error: WireError
    }

    /// What happens to the sends of a channel; `sends` writes all that may go out at `now`.
    private struct SendStep: Encodable {
        var append: String?
        var accepted: String?
        var refused: Refusal?
        var isDisconnected: Bool?
        var now: Int64?
    }

    private struct Sent: Encodable, Equatable {
        var id: String
        var after: String?
    }

    private struct SendState: Encodable {
        var sent: [[Sent]]
        var failed: [String]
    }

    @Test func `sends, refusals and what is sent again`() throws {
        func add(_ ids: String...) -> [SendStep] { ids.map { SendStep(append: $0) } }
        func accept(_ id: String) -> SendStep { SendStep(accepted: id) }
        func refuse(_ id: String, _ code: ErrorCode, retryAfterMs: Int? = nil) -> SendStep {
            SendStep(refused: Refusal(id: id, error: WireError(code, retryAfterMs: retryAfterMs)))
        }
        let write = SendStep(now: 0)
        let cases: [(String?, [SendStep])] = [
            ("one after the other", add("a") + [write, accept("a")] + add("b") + [write]),
            ("each names the one before", add("a", "b", "c") + [write]),
            (
                "an acknowledged one is not named",
                add("a", "b") + [write, accept("a"), accept("b")] + add("c") + [write]
            ),
            (
                "a definite refusal",
                add("a", "b", "c") + [
                    write, refuse("a", .dataFormat), refuse("b", .orderBroken), refuse("c", .orderBroken), write,
                ]
            ),
            (
                "a refusal that may pass",
                add("a", "b") + [
                    write, refuse("a", .databaseAccess, retryAfterMs: 700), refuse("b", .orderBroken), write,
                    SendStep(now: 699), SendStep(now: 700),
                ]
            ),
            (
                "nothing new while one is returned",
                add("a", "b") + [write, refuse("a", .databaseAccess, retryAfterMs: 5)]
                    + add("c") + [SendStep(now: 9), refuse("b", .orderBroken), SendStep(now: 9)]
            ),
            (
                "a lost connection",
                add("a", "b", "c") + [
                    write, accept("a"), SendStep(isDisconnected: true), write,
                ]
            ),
            (
                "a lost connection ends a wait",
                add("a") + [
                    write, refuse("a", .databaseAccess, retryAfterMs: 700), SendStep(isDisconnected: true), write,
                ]
            ),
            (
                "eight refusals without a time",
                add("a")
                    + (1...8).flatMap { number in
                        [SendStep(now: Int64(number) * 100_000), refuse("a", .databaseAccess)]
                    } + [SendStep(now: 1_000_000)]
            ),
            (
                "a server that stops counts as none",
                add("a")
                    + (1...9).flatMap { number in
                        [SendStep(now: Int64(number) * 100_000), refuse("a", .draining)]
                    } + [SendStep(now: 1_000_000), accept("a")]
            ),
            ("an answer to what is not in flight", add("a") + [accept("b"), refuse("a", .dataFormat), write]),
        ]
        try check("sends", cases) { steps in
            var lanes = SendLanes()
            var state = SendState(sent: [], failed: [])
            var order = 0
            var now: Int64 = 0
            for step in steps {
                if let id = step.append {
                    order += 1
                    lanes.append(
                        SendLanes.Entry(
                            transID: try #require(TransID(rawValue: id)),
                            command: SendMessage(channel: Cast.annAndBob, text: id), order: order, deadline: nil,
                            promises: []))
                }
                if let id = step.accepted { _ = lanes.accepted(id) }
                if let refusal = step.refused,
                    case .settled(let entry) = lanes.refused(refusal.id, refusal.error, now: now)
                {
                    state.failed.append(entry.transID.rawValue)
                }
                if step.isDisconnected == true { lanes.disconnected() }
                if let time = step.now {
                    now = time
                    var sent: [Sent] = []
                    while let entry = lanes.next(in: Cast.annAndBob, now: now, serverTime: nil) {
                        sent.append(Sent(id: entry.transID.rawValue, after: entry.command.after?.rawValue))
                    }
                    state.sent.append(sent)
                }
            }
            return state
        }
    }

    // MARK: Items

    private struct Rows: Encodable {
        var viewer: UserID
        var rows: [Event]
    }

    private struct Item: Encodable {
        var kind: String
        var seq: Int64?
        var isOwn: Bool?
        var isGrouped: Bool?
    }

    @Test func `rows and the items that they show`() throws {
        let (ann, bob) = (Cast.ann, Cast.bob)
        let noon = Sample.start + 12 * 3_600_000
        func row(_ seq: Int64, by user: User = bob, after seconds: Int64, recall: Recall? = nil) -> Event {
            Sample.row(seq, by: user, at: noon + seconds * 1_000, recall: recall)
        }
        func recall(isSilent: Bool) -> Recall {
            Recall(isSilent: isSilent, at: .init(milliseconds: noon), byUserID: bob.userID, byName: "Bob")
        }
        var line = Sample.line(2)
        line.sentAt = .init(milliseconds: noon + 1_000)
        let removed = Event(
            channel: Cast.annAndBob, seq: 2, sentAt: .init(milliseconds: noon),
            body: .channel(.rowRemoved(RowRemoved())))
        func announced(_ seq: Int64) -> Event {
            Event(
                channel: Cast.annAndBob, seq: seq, sentAt: .init(milliseconds: noon + 1_000),
                body: .channel(
                    .messageAnnounced(
                        Announcement(
                            messageID: MessageID(sentAt: noon, seq: seq, salt: 1), text: "All", count: seq))))
        }
        let cases: [(String, [Event])] = [
            ("one sender", [row(1, after: 0), row(2, after: 1), row(3, after: 2)]),
            ("a pause of two minutes", [row(1, after: 0), row(2, after: 119), row(3, after: 239)]),
            (
                "two senders",
                [row(1, after: 0), row(2, by: ann, after: 1), row(3, by: ann, after: 2), row(4, after: 3)]
            ),
            ("a line between", [row(1, after: 0), line, row(3, after: 2)]),
            ("a removed row between", [row(1, after: 0), removed, row(3, after: 2)]),
            (
                "one recalled silently",
                [row(1, after: 0), row(2, after: 1, recall: recall(isSilent: true)), row(3, after: 2)]
            ),
            ("another day", [row(1, after: 0), row(2, after: 86_400), row(3, after: 86_401)]),
            ("a clock that was set back", [row(1, after: 60), row(2, after: 0), row(3, after: 61)]),
            ("an announcement between", [row(1, after: 0), announced(2), row(3, after: 2)]),
            ("two announcements", [announced(1), announced(2)]),
        ]
        try check("items", cases.map { ($0, Rows(viewer: ann.userID, rows: $1)) }) { given in
            var timeline = Timeline(viewer: given.viewer, clock: ManualClock(now: Sample.start).clock)
            timeline.insertNewest(Sample.page(given.rows))
            return timeline.items.map { item in
                switch item.kind {
                case .day: Item(kind: "day")
                case .gap: Item(kind: "gap")
                case .line: Item(kind: "line", seq: item.seq)
                case .message, .announcement, .recalled:
                    Item(kind: "message", seq: item.seq, isOwn: item.isOwn, isGrouped: item.isGrouped)
                }
            }
        }
    }

    private struct Marked: Encodable {
        var viewer: UserID
        var rows: [Event]
        /// The read marks of the other members.
        var marks: [String: Int64]
    }

    @Test func `how many others have not read each message`() throws {
        let (ann, bob) = (Cast.ann, Cast.bob)
        let rows = [(1, bob), (2, ann), (3, bob), (4, ann)].map { seq, user in
            Sample.row(Int64(seq), by: user, at: Sample.start + Int64(seq) * 1_000)
        }
        let cases: [(String, [String: Int64])] = [
            ("nothing is known of the others", [:]), ("everybody has read everything", ["bob": 4, "cid": 4]),
            ("nobody has read anything", ["bob": 0, "cid": 0]), ("one has read half", ["bob": 4, "cid": 2]),
            ("a sender who is behind", ["bob": 1, "cid": 3]), ("beyond the newest row", ["bob": 9, "cid": 4]),
        ]
        try check("unread-by", cases.map { ($0, Marked(viewer: ann.userID, rows: rows, marks: $1)) }) { given in
            var timeline = Timeline(viewer: given.viewer, clock: ManualClock(now: Sample.start).clock)
            timeline.insertNewest(Sample.page(given.rows))
            var marks: [UserID: Int64] = [:]
            for (user, seq) in given.marks { marks[try #require(UserID(rawValue: user))] = seq }
            timeline.setReadMarks(marks)
            return timeline.items.filter { $0.kind == .message }.map(\.unreadBy)
        }
    }
}
