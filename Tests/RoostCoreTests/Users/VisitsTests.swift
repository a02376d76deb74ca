import RoostTesting
import RoostWire
import Testing
import WireExamples

@testable import RoostCore

/// What a visitor may do: every command of the catalogue is named here, or is refused.
@Suite struct VisitsTests {
    private func visitor(_ user: UserID, to host: UserID) -> RoostCore.Actor {
        RoostCore.Actor(
            user: User(userID: user, name: "Kim"), deviceID: "browser", isOperator: false,
            access: Access(tokenID: "t", issuedAt: 0, expiresAt: 1_000, host: host))
    }

    /// The commands of which the sender may use at least one example.
    private func allowed(_ sender: RoostCore.Actor) throws -> Set<String> {
        Set(
            try Examples.exchanges().filter { (try? sender.checkVisit($0.frame.command)) != nil }.map(\.name))
    }

    /// What names neither a channel nor another user, or names none in an example.
    private static let own: Set = [
        "hello", "session.renew", "resume", "channel.list", "channel.query", "schedule.list", "unread.get",
        "user.getSettings", "user.setSettings", "user.setProfile", "user.listBlocked", "file.create", "file.get",
        "file.delete", "device.get", "device.list", "device.setAddress", "device.setSettings", "device.remove",
        "login.list", "readMark.setAll", "message.delete", "channel.end",
    ]

    @Test func `a visitor may use nothing in the channels of others`() throws {
        // dee is in no channel of the examples.
        let found = try allowed(visitor(Cast.dee.userID, to: #require(UserID(rawValue: "eve"))))
        #expect(found.symmetricDifference(Self.own) == [])
    }

    @Test func `the 1-on-1 with the host is open to a visitor, and no command has come to that by itself`() throws {
        // Of the commands whose examples are in that 1-on-1; others are in a group.
        let found = try allowed(visitor(Cast.ann.userID, to: Cast.bob.userID))
        let wanted = Self.own.union([
            "channel.create", "channel.get", "channel.hide", "message.send", "message.list", "message.get",
            "message.query", "message.recall", "message.listReaders", "message.countReads", "reaction.add",
            "reaction.remove", "reaction.list", "pin.add", "pin.remove", "pin.list", "readMark.set", "typing.start",
            "typing.end", "report.create",
            "user.get",
        ])
        #expect(found.symmetricDifference(wanted) == [])
    }

    @Test func `a visitor blocks and reports the host only, and sends neither calls nor messages of the app`() throws {
        let (ann, bob) = (Cast.ann.userID, Cast.bob.userID)
        let sender = visitor(ann, to: bob)
        func isAllowed(_ command: some Command) -> Bool { (try? sender.checkVisit(command.any)) != nil }
        #expect(isAllowed(BlockUser(userID: bob)) && isAllowed(UnblockUser(userID: bob)))
        #expect(!isAllowed(BlockUser(userID: Cast.cid.userID)) && !isAllowed(UnblockUser(userID: Cast.cid.userID)))
        #expect(isAllowed(CreateReport(userID: bob)) && !isAllowed(CreateReport(userID: Cast.cid.userID)))
        let call = CallNotice(callID: "c", kind: .video)
        for (payload, isSent) in [
            (.text, true), (.location(Location(latitude: 1, longitude: 2)), true), (.callReceived(call), false),
            (.callCancelled(call), false), (.custom(attributes: 8), false), (.customQuiet, false),
            (.customUncounted, false),
        ] as [(MessageContent.Payload, Bool)] {
            let send = SendMessage(MessageContent(payload, text: "x"), to: Cast.annAndBob)
            #expect(isAllowed(send) == isSent, "\(payload.type)")
        }
    }
}
