import Foundation
import RoostTesting
import RoostWire
import Testing

/// SC-002: the life of a group, on one real server with real sockets and push notifications.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GroupStoryTests {
    @Test func `the life of a group, from the registration of its members to its end [SC-002]`() async throws {
        let story = try await GroupStory()
        try await story.registersAccounts()
        try await story.changesTheUserOfADevice()
        try await story.findsUsers()
        try await story.connectsDevices()
        try await story.makesASingleChannel()
        try await story.makesAGroup()
        try await story.setsPreferences()
        try await story.setsTheProfile()
        try await story.membersComeAndGo()
        try await story.bansAndInvites()
        try await story.leavesOneDeviceBehind()
        let picture = try await story.sendsEveryKindOfMessage()
        try await story.answersMessages()
        try await story.broadcastsMessages()
        try await story.forwardsMessages(picture)
        try await story.schedulesMessages()
        try await story.queriesMessages()
        try await story.downloadsFiles(picture)
        try await story.readsMessages()
        try await story.deletesMessages()
        try await story.recallsMessages()
        try await story.setsUpNotifications()
        try await story.changesTheUserProfile()
        try await story.dismissesTheGroup()
        // What is being pushed is finished before the server ends.
        #expect(story.harness.stop() == 0)
        #expect(try story.pushes.all(to: "bob-1").isEmpty)
        try checkCodes(story.codes.all)
    }

    /// The codes that do not occur in the story, each with the test that proves it.
    private static let provenElsewhere: [Int: String] = [
        2: "an operation that HTTP does not know [LE-2]",
        3: "if the account store fails, logins fail with its code, and messages do not [LE-3]",
        5: "an unknown endpoint [LE-5]",
        1000: "an error without a specific code [LE-1000]",
        1002: "a command that the server does not know [LE-1002]",
        1003: "a failing store keeps nothing, and later accepts the same command [LE-1003]",
        1004: "commands over the rate limit are told when to retry, and then succeed [L-103 LE-1004]",
        1103: "a kind of channel that does not exist, or not here [LE-1103]",
        1108: "fewer members than a group must have [LE-1108]",
        1115: "more members than a group may have [LE-1115]",
        1121: "a vote is created, cast and counted; too many choices are 1122 and late ones 1121 "
            + "[L-106 LE-1121 LE-1122]",
        1122: "a vote is created, cast and counted; too many choices are 1122 and late ones 1121 "
            + "[L-106 LE-1121 LE-1122]",
    ]

    /// 4 stands for a mistake in the server itself, so that no command leads to it.
    private static let withoutCause: Set<Int> = [4]

    /// Step 16: each code of the ledger occurs in the story or in a test of its own.
    private func checkCodes(_ seen: Set<Int>) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let ledger = try String(contentsOf: root.appendingPathComponent("docs/features.md"), encoding: .utf8)
        let codes = Set(ledger.matches(of: /\| LE-([0-9]+) \|/).compactMap { Int($0.1) })
        let elsewhere = Set(Self.provenElsewhere.keys)
        #expect(seen.intersection(codes).union(elsewhere).union(Self.withoutCause) == codes)
        #expect(elsewhere.intersection(seen).isEmpty, "these have occurred and need no other test")
        #expect(seen.allSatisfy { ErrorCode.find($0)?.isReserved != true }, "a reserved code is never sent")
        // 601–605 are codes for backends and 7000–7099 are Roost's own; all others have a row in the ledger.
        let registered = ErrorCode.all.map(\.code).filter { $0 < 7000 && !(601...605).contains($0) }
        #expect(Set(registered).union([0]) == codes)
        let tests = try sources(below: root.appendingPathComponent("Tests"))
        for (code, name) in Self.provenElsewhere {
            #expect(name.matches(of: /LE-([0-9]+)/).contains { $0.1 == "\(code)" })
            #expect(tests.contains("`\(name)`"), "no test has this name: \(name)")
        }
    }

    private func sources(below folder: URL) throws -> String {
        let paths = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let files = paths.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" && $0.path != #filePath }
        return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }
}
