import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// What the core reports for the audit log.
@Suite(.timeLimit(.minutes(1))) struct AuditTests {
    private final class Reports: Sendable {
        private let entries = Mutex<[AuditEntry]>([])

        init(_ roost: TestCore) { roost.core.onAudit { [weak self] in self?.add($0) } }

        private func add(_ entry: AuditEntry) { entries.withLock { $0.append(entry) } }

        /// Removes and returns what was reported.
        func drain() -> [AuditEntry] {
            entries.withLock { entries in
                defer { entries = [] }
                return entries
            }
        }
    }

    @Test func `changes of access and roles are reported once, and what users write is not`() async throws {
        let roost = try TestCore()
        let reports = Reports(roost)
        let boss = try await roost.session(Cast.dee, isOperator: true)
        let (ann, bob) = (try await roost.session(Cast.ann), try await roost.session(Cast.bob))
        try await ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(bob.userID)]))
        try await ann.perform(SendMessage(channel: Cast.club, text: "hi"))
        try await ann.perform(SetReadMark(channel: Cast.club, seq: 1))
        #expect(reports.drain() == [])
        for _ in 0..<2 {
            try await boss.perform(SetUserAccess(userID: bob.userID, canCall: false), id: "access-1")
        }
        try await ann.perform(SetMemberRole(channel: Cast.club, userID: bob.userID, role: .moderator))
        try await ann.perform(KickMembers(channel: Cast.club, members: [bob.userID]))
        let entries = reports.drain()
        #expect(entries.map(\.event) == ["user.setAccess", "member.setRole", "member.kick"])
        #expect(entries.map(\.sender) == [.operator, .user, .user])
        #expect(entries.map(\.user) == [Cast.dee.userID, Cast.ann.userID, Cast.ann.userID])
        #expect(entries.map(\.targets) == [["bob"], ["club", "bob"], ["club", "bob"]])
        #expect(entries.map(\.changes) == [["canCall=false"], ["role=moderator"], []])
        #expect(entries.allSatisfy { $0.code == 0 && !$0.isTraffic && $0.time == roost.clock.now })
    }

    @Test func `refusals for lack of a right and by limits are reported, others are not`() async throws {
        let roost = try TestCore(limits: Limits(sendsPerSecond: 0, channelSendsPerSecond: 0, commandBurst: 3))
        let reports = Reports(roost)
        let ann = try await roost.session(Cast.ann)
        #expect(try await ann.refusal(SetUserAccess(userID: Cast.bob.userID, canChat: false))?.entry == .noPrivilege)
        #expect(try await ann.refusal(ListKeys())?.entry == .noPrivilege)
        #expect(try await ann.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        #expect(try await ann.refusal(GetUnread())?.entry == .tooManyRequests)
        let entries = reports.drain()
        #expect(entries.map(\.event) == ["user.setAccess", "key.list", "unread.get"])
        #expect(entries.map(\.code) == [1107, 1107, 1004])
        #expect(entries.allSatisfy { $0.isRefusal && $0.user == Cast.ann.userID && $0.sender == .user })
    }

    @Test func `a run of retention that removes rows is reported`() async throws {
        let roost = try TestCore(retention: [.group: RetentionPolicy(keepLast: 1)])
        let reports = Reports(roost)
        let ann = try await roost.session(Cast.ann)
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club))
        for _ in 0..<3 { try await ann.perform(SendMessage(channel: Cast.club, text: "hi")) }
        roost.clock.advance(by: 10)
        await roost.settle()
        let entries = reports.drain()
        #expect(entries.map(\.event) == ["retention.run"])
        #expect(entries.first?.sender == .server)
        #expect(entries.first?.changes.first == "channels=1")
    }

    @Test func `an operator who reads reports is reported`() async throws {
        let roost = try TestCore()
        let reports = Reports(roost)
        let boss = try await roost.session(Cast.dee, isOperator: true)
        _ = try await boss.perform(ListReports())
        #expect(reports.drain().map(\.event) == ["report.list"])
    }
}
