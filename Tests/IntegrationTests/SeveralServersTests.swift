import Foundation
import RoostTesting
import RoostWire
import Testing

/// Two servers on one PostgreSQL: nobody notices at which of them a friend is.
@Suite(.serialized, .needsPostgres, .firstPassOnly, .timeLimit(.minutes(5))) struct SeveralServersTests {
    /// Two servers, and people who use both.
    private struct Place {
        let pair: ServerPair
        let callers: [UserID: HTTPClient.Caller]
        let chief: HTTPClient.Caller

        init(_ link: ServerPair.Link) async throws {
            pair = try await ServerPair(link)
            var callers: [UserID: HTTPClient.Caller] = [:]
            for user in Cast.all { callers[user.userID] = try await pair.caller(user) }
            self.callers = callers
            chief = try await pair.caller(makeUser("chief"), isOperator: true)
            // A user exists from the first command on.
            for user in Cast.all { try perform(ListChannels(), by: user, at: 0) }
            for user in Cast.all { try perform(SetUserProfile(profile: UserProfile(name: user.name)), by: user, at: 0) }
        }

        func caller(_ user: User) throws -> HTTPClient.Caller { try #require(callers[user.userID]) }

        /// Runs a command at one of the servers.
        @discardableResult
        func perform<C: Command>(_ command: C, by user: User, at server: Int) throws -> C.Answer {
            try HTTPClient(pair.servers[server]).perform(command, from: caller(user))
        }

        @discardableResult
        func perform<C: Command>(asChief command: C, at server: Int) throws -> C.Answer {
            try HTTPClient(pair.servers[server]).perform(command, from: chief)
        }

        func session(_ user: User, at server: Int) throws -> RawSession {
            let session = try RawSession(pair.servers[server])
            let error = try session.hello(caller(user))
            #expect(error == nil)
            return session
        }

        func stop() { for server in pair.servers { #expect(server.stop() == 0) } }
    }

    private static func text(_ number: Int) -> String { "text \(number)" }

    /// Reads until a message with this text comes.
    private static func read(_ session: RawSession, untilText text: String) throws -> [Event] {
        var events: [Event] = []
        while events.last?.text != text {
            if case .event(let event) = try session.next() { events.append(event) }
        }
        return events
    }

    /// Reads all that the server has sent before it answers this.
    private static func readAll(_ session: RawSession) throws -> [Event] {
        try session.send(#"{"id":"all","cmd":"channel.list","body":{}}"#)
        var events: [Event] = []
        while true {
            switch try session.next() {
            case .event(let event): events.append(event)
            case .result("all", _): return events
            case .failure(_, let error): throw ExpectationFailure(description: "\(error)")
            default: continue
            }
        }
    }

    @Test(arguments: ServerPair.Link.available)
    func `messages of both servers reach everybody in the order of the log`(link: ServerPair.Link) async throws {
        let place = try await Place(link)
        try place.perform(
            CreateChannel(
                kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)]),
            by: Cast.ann, at: 0)
        let sessions = try [Cast.ann, Cast.bob, Cast.cid].enumerated().map { try place.session($1, at: $0 % 2) }
        for number in 1...100 {
            try place.perform(
                SendMessage(channel: Cast.club, text: Self.text(number)), by: number % 3 == 0 ? Cast.ann : Cast.bob,
                at: number % 2)
        }
        for session in sessions {
            let rows = try Self.read(session, untilText: Self.text(100)).filter { $0.channel == Cast.club }
            #expect(rows.compactMap(\.text) == (1...100).map(Self.text))
            let seqs = rows.compactMap(\.seq)
            #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $1 == $0 + 1 })
        }
        place.stop()
    }

    @Test(arguments: ServerPair.Link.available)
    func `a user who is added at one server gets at the other one what is written right afterwards`(
        link: ServerPair.Link
    ) async throws {
        let place = try await Place(link)
        let bob = try place.session(Cast.bob, at: 1)
        for number in 0..<10 {
            let club = try channelID("club\(number)")
            try place.perform(
                CreateChannel(kind: .group, channel: club, members: [NewMember(Cast.bob.userID)]), by: Cast.ann, at: 0)
            try place.perform(SendMessage(channel: club, text: "one"), by: Cast.ann, at: 0)
            try place.perform(SendMessage(channel: club, text: "two"), by: Cast.ann, at: 1)
            let events = try Self.read(bob, untilText: "two")
            let kinds = events.map { event in
                if case .user(.channelJoined) = event.body { "joined" } else { event.text ?? "other" }
            }
            #expect(kinds == ["joined", "one", "two"])
        }
        place.stop()
    }

    /// How somebody loses a channel.
    enum Loss: CaseIterable {
        case kicked, banned, left, dismissed, unsubscribed, newsDismissed, bannedFromOpen
    }

    @Test(arguments: ServerPair.Link.available)
    func `who loses a channel at one server gets at the other one nothing that is newer`(link: ServerPair.Link)
        async throws
    {
        let place = try await Place(link)
        for loss in Loss.allCases { try lose(loss, place) }
        place.stop()
    }

    private func lose(_ loss: Loss, _ place: Place) throws {
        let channel = try channelID("\(loss)")
        let bob = try place.session(Cast.bob, at: 1)
        // The witness keeps the channel followed at both servers.
        let witnesses = try [0, 1].map { try place.session(Cast.cid, at: $0) }
        switch loss {
        case .kicked, .banned, .left, .dismissed:
            try place.perform(
                CreateChannel(
                    kind: .group, channel: channel, members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)]),
                by: Cast.ann, at: 0)
        case .unsubscribed, .newsDismissed:
            try place.perform(asChief: CreateChannel(kind: .publicNews, channel: channel, title: "News"), at: 0)
            for user in [Cast.bob, Cast.cid] { try place.perform(BecomeMember(channel: channel), by: user, at: 0) }
        case .bannedFromOpen:
            try place.perform(asChief: CreateChannel(kind: .open, channel: channel, title: "Open"), at: 0)
            for session in [bob] + witnesses {
                #expect(try session.perform("channel.join", #"{"channel":"\#(channel)"}"#) == nil)
            }
        }
        func write(_ text: String, at server: Int) throws {
            switch loss {
            case .unsubscribed, .newsDismissed:
                try place.perform(asChief: PublishNews(channel: channel, text: text), at: server)
            default: try place.perform(SendMessage(channel: channel, text: text), by: Cast.cid, at: server)
            }
        }
        for server in [0, 1] { try write("before \(server)", at: server) }
        for session in [bob] + witnesses { _ = try Self.read(session, untilText: "before 1") }
        let members = [Cast.bob.userID]
        switch loss {
        case .kicked: try place.perform(KickMembers(channel: channel, members: members), by: Cast.ann, at: 0)
        case .banned: try place.perform(BanMembers(channel: channel, members: members), by: Cast.ann, at: 0)
        case .left, .unsubscribed: try place.perform(LeaveChannel(channel: channel), by: Cast.bob, at: 0)
        case .dismissed: try place.perform(DismissChannel(channel: channel), by: Cast.ann, at: 0)
        case .newsDismissed: try place.perform(asChief: DismissChannel(channel: channel), at: 0)
        case .bannedFromOpen: try place.perform(asChief: BanMembers(channel: channel, members: members), at: 0)
        }
        if loss != .dismissed, loss != .newsDismissed {
            for number in 0..<100 { try write("secret \(number)", at: 1 - number % 2) }
            for session in witnesses { _ = try Self.read(session, untilText: "secret 99") }
        }
        var events: [Event] = []
        func isTold() -> Bool {
            events.contains { event in
                switch event.body {
                case .user(.channelLeft), .user(.channelDismissed): true
                default: false
                }
            }
        }
        while !isTold() { events += try Self.readAll(bob) }
        events += try Self.readAll(bob)
        #expect(events.allSatisfy { $0.text == nil }, "\(loss) \(events.compactMap(\.text))")
        // The row that says so is the last one.
        #expect(events.compactMap(\.seq).count <= 1, "\(loss)")
    }

    @Test(arguments: ServerPair.Link.available)
    func `what is not stored, a new name and a ban from the server cross over, too`(link: ServerPair.Link)
        async throws
    {
        let place = try await Place(link)
        try place.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID)]), by: Cast.ann, at: 0)
        let (ann, bob) = (try place.session(Cast.ann, at: 0), try place.session(Cast.bob, at: 1))
        try place.perform(
            SendMessage(channel: Cast.club, type: "custom", text: "ring", attributes: 2), by: Cast.ann, at: 0)
        var relayed: [Event] = []
        while relayed.isEmpty {
            guard case .event(let event) = try bob.next(), case .ephemeral(.messageRelayed) = event.body else {
                continue
            }
            relayed.append(event)
        }
        try place.perform(SetUserProfile(profile: UserProfile(name: "Robert")), by: Cast.bob, at: 0)
        // The session of Bob was opened with another name.
        var names: [String?] = []
        repeat {
            let sent = try bob.perform("message.send", #"{"channel":"club","text":"hello"}"#)
            #expect(sent == nil)
            for event in try Self.read(ann, untilText: "hello") {
                if case .channel(.messageSent(let message)) = event.body { names.append(message.senderName) }
            }
        } while names.last != "Robert" && names.count < 100
        #expect(names.last == "Robert")
        try place.perform(asChief: SetUserAccess(userID: Cast.bob.userID, canChat: false), at: 0)
        let end = Result { while true { _ = try bob.next() } }
        #expect("\(end)".contains("closed"), "\(end)")
        place.stop()
    }

    @Test(arguments: ServerPair.Link.available)
    func `what a killed server has acknowledged reaches the sessions of the other one`(link: ServerPair.Link)
        async throws
    {
        let place = try await Place(link)
        try place.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID)]), by: Cast.ann, at: 0)
        let bob = try place.session(Cast.bob, at: 1)
        for number in 1...50 {
            try place.perform(SendMessage(channel: Cast.club, text: Self.text(number)), by: Cast.ann, at: 0)
        }
        place.pair.servers[0].kill()
        let texts = try Self.read(bob, untilText: Self.text(50)).compactMap(\.text)
        #expect(texts == (1...50).map(Self.text))
        #expect(place.pair.servers[1].stop() == 0)
    }

    @Test func `wrong passwords count together at all servers, and a right one takes them back`() async throws {
        let pair = try await ServerPair(options: ["--allow-sign-up"])
        let http = pair.servers.map { HTTPClient($0) }
        let right = "correct horse battery"
        try http[0].perform(SignUp(loginName: "ann", password: right), from: .nobody)
        func code(_ password: String, at server: Int) throws -> ErrorCode? {
            try http[server].refusal(LogIn(loginName: "ann", password: password), from: .nobody)?.entry
        }
        for number in 0..<9 { #expect(try code("wrong", at: number % 2) == .wrongCredentials) }
        #expect(try code(right, at: 1) == nil)
        for number in 0..<10 { #expect(try code("wrong", at: number % 2) == .wrongCredentials) }
        for server in 0...1 { #expect(try code(right, at: server) == .tooManyRequests) }
        for server in pair.servers { #expect(server.stop() == 0) }
    }

    @Test(.enabled(if: NATSServer.isAvailable))
    func `typing crosses over with the bus, and messages and read marks without it`() async throws {
        let place = try await Place(.nats)
        let nats = try #require(place.pair.nats)
        try place.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID)]), by: Cast.ann, at: 0)
        let (ann, bob) = (try place.session(Cast.ann, at: 0), try place.session(Cast.bob, at: 1))
        for round in 1...3 {
            try type(ann, seenBy: bob)
            let sent = try place.perform(
                SendMessage(channel: Cast.club, text: Self.text(round)), by: Cast.ann, at: 0)
            _ = try Self.read(bob, untilText: Self.text(round))
            try read(upTo: sent.seq, by: Cast.bob, at: 1, place, seenBy: ann)
            nats.stop()
            try await place.pair.servers.waitUntilBus("down")
            var last: Int64?
            for number in 1...20 {
                let text = "round \(round), \(number)"
                last = try place.perform(SendMessage(channel: Cast.club, text: text), by: Cast.ann, at: number % 2).seq
            }
            for session in [ann, bob] {
                let texts = try Self.read(session, untilText: "round \(round), 20").compactMap(\.text)
                #expect(texts.suffix(20) == (1...20).map { "round \(round), \($0)" })
            }
            try read(upTo: last, by: Cast.bob, at: 1, place, seenBy: ann)
            try await nats.restart()
            try await place.pair.servers.waitUntilBus("up")
        }
        place.stop()
    }

    private func read(upTo seq: Int64?, by user: User, at server: Int, _ place: Place, seenBy reader: RawSession) throws
    {
        try place.perform(SetReadMark(channel: Cast.club, seq: seq), by: user, at: server)
        let mark = try Self.read(reader) { body in
            if case .ephemeral(.readMarkMoved(let moved)) = body { moved.marks.first } else { nil }
        }
        #expect(mark.userID == user.userID && mark.seq == seq)
    }

    private func type(_ typist: RawSession, seenBy reader: RawSession) throws {
        #expect(try typist.perform("typing.start", #"{"channel":"club"}"#) == nil)
        let user = try Self.read(reader) { body in
            if case .ephemeral(.typingStarted(let typing)) = body { typing.userID } else { nil }
        }
        #expect(user == Cast.ann.userID)
        #expect(try typist.perform("typing.end", #"{"channel":"club"}"#) == nil)
        _ = try Self.read(reader) { body in
            if case .ephemeral(.typingEnded(let typing)) = body { typing.userID } else { nil }
        }
    }

    /// Reads until an event has what is asked for.
    private static func read<T>(_ session: RawSession, until find: (EventBody) -> T?) throws -> T {
        while true {
            if case .event(let event) = try session.next(), let found = find(event.body) { return found }
        }
    }
}
