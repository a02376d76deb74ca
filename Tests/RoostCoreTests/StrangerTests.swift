import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The answers to one command, by the user's relation to the channel.
private struct Row {
    /// The command's name.
    var name: String
    /// Its body, with `CHANNEL` in place of the channel's id.
    var body: String
    /// The error for a user who never was a member of the channel; nil if it is accepted.
    var stranger: ErrorCode?
    /// The error for a former member.
    var former: ErrorCode?
    /// The error for a member who is not an operator.
    var member: ErrorCode?

    init(_ name: String, _ body: String, stranger: ErrorCode?, former: ErrorCode?, member: ErrorCode? = nil) {
        self.name = name
        self.body = body
        self.stranger = stranger
        self.former = former
        self.member = member
    }
}

private let ofAChannel = #"{"channel":"CHANNEL"}"#
/// The id of a message that does not exist.
private let ofAMessage = #"{"channel":"CHANNEL","messageIDs":["00000000000000000000000100000000"]}"#
private let ofOneMessage = #"{"channel":"CHANNEL","messageID":"00000000000000000000000100000000"}"#

private let ofAReaction = #"{"channel":"CHANNEL","messageID":"00000000000000000000000100000000","emoji":"👍"}"#

/// The id of a schedule that does not exist.
private let ofASchedule = #"{"scheduleID":"019b76daa80000000000019c3e51"}"#

/// The id of a broadcast that does not exist.
private let ofABroadcast = #"{"broadcastID":"019b76daa8009c3e51d721f04b66"}"#

private let table = [
    Row("channel.get", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("member.list", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("message.list", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("message.list", #"{"channel":"CHANNEL","after":0,"limit":1}"#, stranger: .channelNotFound, former: .notMember),
    Row(
        "message.list", #"{"channel":"CHANNEL","aroundMessage":"00000000000000000000000000010000"}"#,
        stranger: .channelNotFound,
        former: .notMember, member: .messageNotFound),
    Row("message.send", #"{"channel":"CHANNEL","text":"x"}"#, stranger: .channelNotFound, former: .notMember),
    Row(
        "message.send", #"{"channel":"CHANNEL","text":"x","mentions":[{"userID":"ann"}]}"#, stranger: .channelNotFound,
        former: .notMember),
    Row(
        "message.sendMany", #"{"messages":[{"text":"x"}],"channels":["CHANNEL"]}"#, stranger: .channelNotFound,
        former: .notMember),
    Row(
        "schedule.create",
        #"{"messages":[{"text":"x"}],"channels":["CHANNEL"],"sendAt":\#(TestClock().now + 86_400_000)}"#,
        stranger: .channelNotFound, former: .notMember),
    Row(
        "schedule.create",
        #"{"subject":"x","vote":{"options":[{"text":"a"},{"text":"b"}]},"channels":["CHANNEL"],"sendAt":\#(TestClock().now + 86_400_000)}"#,
        stranger: .channelNotFound, former: .notMember),
    Row(
        "message.announce", #"{"channel":"CHANNEL","text":"x"}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
    Row(
        "news.publish", #"{"channel":"CHANNEL","text":"x"}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
    Row("member.invite", #"{"channel":"CHANNEL","members":["dee"]}"#, stranger: .channelNotFound, former: .notMember),
    Row(
        "member.invite", #"{"channel":"CHANNEL","members":["nobody"]}"#, stranger: .channelNotFound, former: .notMember,
        member: .userMissing),
    Row("readMark.set", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("readMark.set", #"{"channel":"CHANNEL","seq":1}"#, stranger: .channelNotFound, former: .notMember),
    Row("typing.start", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("typing.end", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("channel.join", ofAChannel, stranger: .channelNotFound, former: .notMember, member: .channelTypeMismatch),
    Row("channel.hide", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("channel.end", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("channel.leave", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row(
        "channel.leave", #"{"channel":"CHANNEL","successor":"ann"}"#, stranger: .channelNotFound, former: .notMember,
        member: .noPrivilege),
    Row(
        "channel.setProfile", #"{"channel":"CHANNEL","profile":{"title":"x"}}"#, stranger: .channelNotFound,
        former: .notMember),
    Row(
        "channel.setProfile", #"{"channel":"CHANNEL","profile":{"canJoin":true}}"#, stranger: .channelNotFound,
        former: .notMember,
        member: .noPrivilege),
    Row(
        "channel.setProfile", #"{"channel":"CHANNEL","profile":{}}"#, stranger: .channelNotFound, former: .notMember,
        member: .noProfileToSet),
    Row(
        "channel.setPreference", #"{"channel":"CHANNEL","isMuted":true}"#, stranger: .channelNotFound,
        former: .notMember),
    Row(
        "channel.setPreference", ofAChannel, stranger: .channelNotFound, former: .notMember, member: .noPreferenceToSet),
    Row("channel.dismiss", ofAChannel, stranger: .channelNotFound, former: .notMember, member: .noPrivilege),
    Row(
        "member.invite", #"{"channel":"CHANNEL","members":[{"userID":"dee","role":"invited"}]}"#,
        stranger: .channelNotFound,
        former: .notMember),
    Row(
        "member.answer", #"{"channel":"CHANNEL","isAccepted":true}"#, stranger: .channelNotFound, former: .notInvited,
        member: .notInvited),
    Row("member.join", ofAChannel, stranger: .channelNotFound, former: .noPrivilege),
    Row("member.join", #"{"channel":"CHANNEL","byUserID":"nobody"}"#, stranger: .channelNotFound, former: .noPrivilege),
    Row(
        "member.kick", #"{"channel":"CHANNEL","members":["ann"]}"#, stranger: .channelNotFound, former: .notMember,
        member: .noPrivilege),
    Row(
        "member.kick", #"{"channel":"CHANNEL","members":["nobody"]}"#, stranger: .channelNotFound, former: .notMember,
        member: .noPrivilege),
    Row(
        "member.ban", #"{"channel":"CHANNEL","members":["nobody"]}"#, stranger: .channelNotFound, former: .notMember,
        member: .noPrivilege),
    Row(
        "member.unban", #"{"channel":"CHANNEL","members":["dee"]}"#, stranger: .channelNotFound, former: .notMember,
        member: .noPrivilege),
    Row(
        "member.setRole", #"{"channel":"CHANNEL","userID":"nobody","role":"admin"}"#, stranger: .channelNotFound,
        former: .notMember,
        member: .noPrivilege),
    Row("member.listReads", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("message.recall", ofAMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("message.delete", #"{"scope":"channel","channel":"CHANNEL"}"#, stranger: .channelNotFound, former: .notMember),
    Row(
        "message.delete",
        #"{"scope":"messages","channel":"CHANNEL","messageIDs":["00000000000000000000000100000000"]}"#,
        stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row(
        "message.query", #"{"channel":"CHANNEL","time":0,"direction":"after","limit":5}"#, stranger: .channelNotFound,
        former: .notMember),
    Row("message.get", ofAMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row(
        "message.listReaders", #"{"channel":"CHANNEL","messageID":"00000000000000000000000100000000"}"#,
        stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("message.countReads", ofAMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row(
        "message.forward",
        #"{"channel":"CHANNEL","messageIDs":["00000000000000000000000100000000"],"channels":["CHANNEL"]}"#,
        stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("message.origin", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row(
        "vote.create", #"{"channel":"CHANNEL","subject":"?","vote":{"options":[{"text":"a"},{"text":"b"}]}}"#,
        stranger: .channelNotFound, former: .notMember),
    Row(
        "vote.cast", #"{"channel":"CHANNEL","messageID":"00000000000000000000000100000000","options":[0]}"#,
        stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("reaction.add", ofAReaction, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("reaction.remove", ofAReaction, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("reaction.list", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("pin.add", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("pin.remove", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("pin.list", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("vote.close", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("report.create", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("vote.list", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("vote.get", ofAMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("vote.listBallots", ofOneMessage, stranger: .channelNotFound, former: .notMember, member: .messageNotFound),
    Row("readMark.unset", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("readMark.list", ofAChannel, stranger: .channelNotFound, former: .notMember),
    Row("unread.explain", ofAChannel, stranger: .channelNotFound, former: .notMember),
]

/// The commands that name no channel, or whose answers do not disclose whether it exists.
private let others = [
    Row(
        "hello", #"{"version":1,"deviceID":"d","guest":{"userID":"x"}}"#, stranger: .alreadyLoggedIn,
        former: .alreadyLoggedIn, member: .alreadyLoggedIn),
    Row(
        "session.renew", #"{"token":"a.b.c"}"#, stranger: .functionUnavailable, former: .functionUnavailable,
        member: .functionUnavailable),
    Row("news.list", "{}", stranger: nil, former: nil),
    Row("user.get", #"{"userIDs":["ann"]}"#, stranger: nil, former: nil),
    Row("channel.list", "{}", stranger: nil, former: nil),
    Row("channel.listOpen", "{}", stranger: nil, former: nil),
    Row("channel.query", "{}", stranger: nil, former: nil),
    Row("channel.query", #"{"roles":["invited","outcast","none"]}"#, stranger: nil, former: nil),
    Row("unread.get", "{}", stranger: nil, former: nil),
    Row("unread.explain", "{}", stranger: nil, former: nil),
    Row("readMark.list", "{}", stranger: nil, former: nil),
    Row("readMark.setAll", "{}", stranger: nil, former: nil),
    Row("schedule.list", "{}", stranger: nil, former: nil),
    Row(
        "schedule.cancel", ofASchedule, stranger: .scheduleNotFound, former: .scheduleNotFound,
        member: .scheduleNotFound),
    Row(
        "schedule.change", #"{"scheduleID":"019b76daa80000000000019c3e51","channels":["CHANNEL"]}"#,
        stranger: .scheduleNotFound,
        former: .scheduleNotFound, member: .scheduleNotFound),
    Row(
        "broadcast.create",
        #"{"senderID":"ann","messages":[{"text":"x"}],"segment":{"kind":"members","channel":"CHANNEL"}}"#,
        stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row(
        "broadcast.create",
        #"{"senderID":"nobody","messages":[],"segment":{"kind":"everybody","channel":"CHANNEL"}}"#,
        stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("broadcast.pause", ofABroadcast, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("broadcast.resume", ofABroadcast, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("broadcast.cancel", ofABroadcast, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("broadcast.get", ofABroadcast, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("broadcast.list", "{}", stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("report.list", "{}", stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("report.close", #"{"reportID":"x"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("report.create", #"{"userID":"ann"}"#, stranger: nil, former: nil),
    Row("message.query", #"{"time":0,"direction":"after","limit":5}"#, stranger: nil, former: nil),
    Row("message.delete", #"{"scope":"everything"}"#, stranger: nil, former: nil),
    Row("user.block", #"{"userID":"ann"}"#, stranger: nil, former: nil),
    Row("user.unblock", #"{"userID":"ann"}"#, stranger: nil, former: nil),
    Row("user.listBlocked", "{}", stranger: nil, former: nil),
    Row("user.setProfile", #"{"profile":{"name":"x"}}"#, stranger: nil, former: nil),
    Row("user.setSettings", #"{"invitesFrom":"everybody"}"#, stranger: nil, former: nil),
    Row("user.getSettings", "{}", stranger: nil, former: nil),
    Row("device.setAddress", #"{"address":{"gateway":"fcm","token":"t"}}"#, stranger: nil, former: nil),
    Row("device.setSettings", #"{"mutesAll":true}"#, stranger: nil, former: nil),
    Row("device.get", "{}", stranger: nil, former: nil),
    Row("device.list", "{}", stranger: nil, former: nil),
    Row("device.remove", #"{"deviceID":"of-another-user"}"#, stranger: nil, former: nil),
    Row("login.list", "{}", stranger: nil, former: nil),
    Row("account.get", "{}", stranger: nil, former: nil),
    Row("account.get", #"{"userID":"another"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("user.find", #"{"userIDs":["another"],"phones":["+491701234567"]}"#, stranger: nil, former: nil),
    Row(
        "account.register", #"{"accounts":[]}"#, stranger: .functionUnavailable, former: .functionUnavailable,
        member: .functionUnavailable),
    Row(
        "push.test", #"{"userID":"another"}"#, stranger: .functionUnavailable, former: .functionUnavailable,
        member: .functionUnavailable),
    Row(
        "account.authenticate", #"{"loginName":"a","password":"b"}"#, stranger: .functionUnavailable,
        former: .functionUnavailable, member: .functionUnavailable),
    Row(
        "account.logIn", #"{"loginName":"a","password":"b"}"#, stranger: .functionUnavailable,
        former: .functionUnavailable, member: .functionUnavailable),
    Row(
        "account.signUp", #"{"loginName":"a","password":"b"}"#, stranger: .functionUnavailable,
        former: .functionUnavailable, member: .functionUnavailable),
    Row(
        "visitor.start", #"{"key":"a"}"#, stranger: .functionUnavailable, former: .functionUnavailable,
        member: .functionUnavailable),
    Row(
        "account.set", #"{"userID":"another","phone":""}"#, stranger: .functionUnavailable,
        former: .functionUnavailable, member: .functionUnavailable),
    Row(
        "key.create", #"{"key":"a","hash":"","scopes":[]}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
    Row("key.list", "{}", stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("key.revoke", #"{"key":"a"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row(
        "login.end", #"{"deviceID":"of-another-user"}"#, stranger: .deviceNotFound, former: .deviceNotFound,
        member: .deviceNotFound),
    Row("login.end", #"{"userID":"another"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("login.end", #"{"userID":"unknown"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row(
        "user.setAccess", #"{"userID":"another","canChat":false}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
    Row(
        "user.setAccess", #"{"userID":"unknown","canCall":false}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
    Row("user.delete", #"{"userID":"another"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("user.delete", #"{"userID":"unknown"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    Row("resume", #"{"channels":[{"channel":"CHANNEL","seq":0}]}"#, stranger: nil, former: nil),
    Row("file.create", #"{"name":"a","size":1}"#, stranger: nil, former: nil),
    Row("file.get", #"{"fileIDs":["unknown"]}"#, stranger: nil, former: nil),
    Row("file.delete", #"{"fileID":"unknown"}"#, stranger: .noPrivilege, former: .noPrivilege, member: .noPrivilege),
    // Everybody can find out that an id is in use: accepted and documented.
    Row(
        "channel.create", #"{"kind":"group","channel":"CHANNEL"}"#, stranger: .channelIDExists,
        former: .channelIDExists, member: .channelIDExists),
    Row(
        "channel.create", #"{"kind":"open","channel":"other"}"#, stranger: .noPrivilege, former: .noPrivilege,
        member: .noPrivilege),
]

@Suite struct StrangerTests {
    private func refusal(
        of row: Row, channel: ChannelID, to session: TestSession, _ roost: TestCore
    ) async throws -> WireError? {
        let body = row.body.replacing("CHANNEL", with: channel.rawValue)
        let command = try AnyCommand(name: row.name, body: Array(body.utf8))
        switch await roost.core.handle(command, id: roost.transID(), from: session.actor) {
        case .accepted: return nil
        case .refused(let error): return error
        }
    }

    @Test func `every command is in the table`() {
        #expect(Set((table + others).map(\.name)) == Set(AnyCommand.names))
    }

    /// A club of Ann, Bob and Cid with one message; Cid has left, and Dee is a stranger.
    private func stage(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        try await stage.ann.send("secret", to: Cast.club)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        await stage.forgetEvents()
        return stage
    }

    @Test(arguments: Backend.essential)
    func `a stranger gets 1105 and a former member 1117, without any effect`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let before = try await stage.ann.channel(Cast.club)
        for row in table {
            let stranger = try await refusal(of: row, channel: Cast.club, to: stage.dee, stage.roost)
            #expect(stranger?.code == row.stranger?.code, "\(row)")
            let former = try await refusal(of: row, channel: Cast.club, to: stage.cid, stage.roost)
            #expect(former?.code == row.former?.code, "\(row)")
        }
        await stage.settle()
        #expect(try await stage.ann.channel(Cast.club) == before)
        for session in stage.all { #expect(session.events.isEmpty) }
    }

    @Test(arguments: Backend.essential)
    func `inaccessible and nonexistent channels are answered alike`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let none = try channel("none")
        for row in table {
            let hidden = try await refusal(of: row, channel: Cast.club, to: stage.dee, stage.roost)
            let missing = try await refusal(of: row, channel: none, to: stage.dee, stage.roost)
            #expect(hidden == missing, "\(row)")
        }
        // The same for a 1-on-1 of other users.
        try await stage.makePair()
        let missingPair = ChannelID(single: Cast.ann.userID, Cast.cid.userID)
        for row in table {
            let hidden = try await refusal(of: row, channel: Cast.annAndBob, to: stage.dee, stage.roost)
            let missing = try await refusal(of: row, channel: missingPair, to: stage.dee, stage.roost)
            #expect(hidden == missing, "\(row)")
        }
    }

    @Test(arguments: Backend.essential)
    func `a member who is no operator gets what a member may`(backend: Backend) async throws {
        for row in table + others {
            let stage = try await stage(backend)
            let member = try await refusal(of: row, channel: Cast.club, to: stage.bob, stage.roost)
            #expect(member?.code == row.member?.code, "\(row)")
        }
    }

    @Test(arguments: Backend.essential)
    func `the commands that name no channel disclose nothing about it to a stranger`(backend: Backend) async throws {
        let stage = try await stage(backend)
        for row in others {
            let stranger = try await refusal(of: row, channel: Cast.club, to: stage.dee, stage.roost)
            #expect(stranger?.code == row.stranger?.code, "\(row)")
            let former = try await refusal(of: row, channel: Cast.club, to: stage.cid, stage.roost)
            #expect(former?.code == row.former?.code, "\(row)")
        }
        for session in [stage.cid, stage.dee] {
            #expect(try await session.list().isEmpty)
            #expect(try await session.perform(GetUnread()).total == 0)
            #expect(try await session.perform(ListOpenChannels()).channels.isEmpty)
            #expect(try await session.perform(QueryChannels(roles: Role.allCases)).channels.isEmpty)
            #expect(try await session.perform(ListReadMarks()).channels.isEmpty)
            #expect(try await session.perform(ExplainUnread()).channels.isEmpty)
            let place = ChannelPosition(channel: Cast.club, seq: 0)
            let page = try await session.perform(Resume(channels: [place]))
            #expect(page.events.isEmpty)
            #expect(page.channels.isEmpty)
            #expect(page.resets == [Reset(channel: Cast.club, seq: 0, reason: .gone)])
        }
    }

    @Test(arguments: Backend.essential)
    func `a stranger costs the same statements whether there is a channel or not, and whether it is remembered`(
        backend: Backend
    ) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let founding = try await Stage(try TestCore(database: database, isDevelopment: false))
        try await founding.makeClub()
        try await founding.makePair()
        for id in [Cast.club, Cast.annAndBob] { try await founding.ann.send("secret", to: id) }
        await founding.roost.core.stop()
        let rows = table + others.filter { $0.name == "resume" }
        let missing = [
            Cast.club: try channel("none"), Cast.annAndBob: ChannelID(single: Cast.ann.userID, Cast.cid.userID),
        ]
        for (hidden, missing) in missing {
            // A core that has loaded neither of them.
            let roost = try TestCore(database: database, isDevelopment: false)
            let (ann, dee) = (try await roost.session(Cast.ann), try await roost.session(Cast.dee))
            await roost.settle()
            database.noteStatements()
            func cost(of row: Row, _ channel: ChannelID) async throws -> [String] {
                _ = database.drainStatements()
                _ = try await refusal(of: row, channel: channel, to: dee, roost)
                return database.drainStatements()
            }
            for row in rows {
                let unknown = try await cost(of: row, missing)
                #expect(!unknown.isEmpty, "\(row)")
                for _ in 0..<2 { #expect(try await cost(of: row, hidden) == unknown, "cold: \(row)") }
            }
            try await ann.send("it is remembered now", to: hidden, id: "now:\(hidden)")
            for row in rows {
                let unknown = try await cost(of: row, missing)
                for _ in 0..<2 { #expect(try await cost(of: row, hidden) == unknown, "warm: \(row)") }
            }
            await roost.core.stop()
        }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.essential)
    func `a channel that a stranger asked for keeps its members, in the same batch too`(backend: Backend) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let founding = try await Stage(try TestCore(database: database))
        try await founding.makeClub()
        try await founding.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        await founding.roost.core.stop()
        let stage = try await Stage(try TestCore(database: database))
        let editor = try await stage.roost.session(user("op"), isOperator: true)
        await stage.settle()
        database.shut()
        func submit(_ command: AnyCommand, _ id: String, from session: TestSession) {
            stage.roost.core.handle(command, id: id, from: session.actor) { _ in }
        }
        submit(.write(.sendMessage(SendMessage(channel: Cast.lobby, text: "hold"))), "hold", from: stage.ann)
        await database.waitForCommit()
        submit(.move(.startTyping(StartTyping(channel: Cast.club))), "typing", from: stage.dee)
        submit(.write(.announceMessage(AnnounceMessage(channel: Cast.club, text: "line"))), "line", from: editor)
        submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "refused"))), "refused", from: stage.dee)
        submit(.write(.becomeMember(BecomeMember(channel: Cast.club))), "join", from: stage.dee)
        submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "in"))), "in", from: stage.dee)
        submit(.write(.leaveChannel(LeaveChannel(channel: Cast.club))), "leave", from: stage.dee)
        submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "out"))), "out", from: stage.dee)
        submit(.write(.becomeMember(BecomeMember(channel: Cast.club))), "again", from: stage.dee)
        database.open()
        await stage.settle()
        let club = try await stage.ann.channel(Cast.club)
        #expect(club.memberCount == 4)
        #expect(club.members.map(\.userID) == Cast.all.map(\.userID).sorted())
        #expect(try await stage.dee.log(of: Cast.club).compactMap(\.text) == ["line", "in"])
        #expect(stage.bob.events(named: .typingStarted).isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.essential)
    func `an operator who is no member announces, recalls, and reads nothing`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        for row in table {
            let error = try await refusal(of: row, channel: Cast.club, to: operatorSession, stage.roost)
            // An operator may learn which channels exist, and publishes only in news channels.
            let expected =
                ["message.announce": nil, "news.publish": 1104, "message.recall": 1118][row.name, default: 1105]
            #expect(error?.code == expected, "\(row)")
        }
    }
}
