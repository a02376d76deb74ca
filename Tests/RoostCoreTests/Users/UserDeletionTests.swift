import RoostSQLite
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Deleting a user, and erasing what belongs to the user.
@Suite struct UserDeletionTests {
    /// Where a text is stored, as table and column; letter case does not matter.
    private static func places(of text: String, in database: any SQLDatabase) async throws -> Set<String> {
        try await database.read { connection in
            let isPostgres = database.isShared
            let columns: [(table: String, column: String, type: String)] = try connection.rows(
                isPostgres
                    ? """
                    SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT)
                    FROM information_schema.columns WHERE table_schema = current_schema()
                    """
                    : """
                    SELECT t.name, c.name, c.type FROM sqlite_master t JOIN pragma_table_info(t.name) c
                    WHERE t.type = 'table'
                    """
            ) { (try $0.text(0), try $0.text(1), try $0.text(2).lowercased()) }
            var places: Set<String> = []
            for (table, column, type) in columns where type == "text" || type == "blob" || type == "bytea" {
                let query = Query(stringLiteral: "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
                let contents = try connection.rows(query) { row in
                    // Bytes that no user has written, such as hashes, have no frame.
                    type == "text"
                        ? try row.text(0) : String(decoding: try (try? row.content(0)) ?? row.blob(0), as: UTF8.self)
                }
                if contents.contains(where: { $0.lowercased().contains(text.lowercased()) }) {
                    places.insert("\(table).\(column)")
                }
            }
            return places
        }
    }

    /// Whether everything of deleted users has been erased.
    private static func isOver(in database: any SQLDatabase) async throws -> Bool {
        try await database.read { connection in
            try connection.rows("SELECT 1 FROM user_deletions") { try $0.int(0) }.isEmpty
        }
    }

    private static func code(_ reply: Reply) -> ErrorCode? {
        if case .refused(let error) = reply { error.entry } else { nil }
    }

    /// With which code a login is refused; nil if it is not.
    private static func loginCode(_ user: User, _ access: Access? = nil, _ roost: TestCore) async throws -> ErrorCode? {
        do {
            _ = try await roost.session(user, access: access)
            return nil
        } catch let error as WireError {
            return error.entry
        }
    }

    @Test(arguments: Backend.available)
    func `nothing that identifies a deleted user is left in any table, and the messages stay without the name [L-X1]`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        let ann = stage.ann
        let chief = try await roost.session(user("chief"), isOperator: true)
        let den = try channel("den")
        try await ann.perform(
            SetUserProfile(profile: UserProfile(name: "Xanthippe", imageURL: "https://e.org/xanthippe.png")))
        try await stage.makePair()
        try await stage.makeClub()
        try await ann.perform(
            SetChannelPreference(channel: Cast.club, ringtone: "xanthippe.mp3", nickname: "Xanthi"))
        try await ann.perform(
            SetChannelPreference(channel: Cast.annAndBob, nickname: "Xanthi P", imageURL: "https://e.org/xanthi.png"))
        try await ann.perform(
            CreateChannel(
                kind: .group, channel: den,
                members: [NewMember(Cast.bob.userID, role: .admin), NewMember(Cast.dee.userID, nickname: "D")]))
        try await stage.bob.perform(
            CreateChannel(kind: .group, channel: try channel("bobs"), members: [Cast.dee.userID]))
        // What she sends, and what others make of it.
        let original = try await ann.post("hello from me", to: Cast.club)
        _ = try await stage.cid.post(SendMessage(channel: Cast.club, text: "an answer", replyTo: original))
        try await stage.bob.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [original], channels: [try channel("bobs")]))
        try await ann.send("hello bob", to: Cast.annAndBob)
        _ = try await stage.bob.post(
            SendMessage(channel: Cast.club, text: "see @", mentions: [Mention(userID: ann.userID, start: 4, length: 1)])
        )
        let reacted = try await stage.bob.post("react to it", to: Cast.club)
        try await ann.perform(AddReaction(channel: Cast.club, messageID: reacted, emoji: "👍"))
        let gone = try await ann.post("to recall", to: Cast.club)
        try await ann.recall(gone, in: Cast.club)
        for session in [ann, stage.dee] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        try await ann.send("hello lobby", to: Cast.lobby)
        // What only she knows, in her own channel, her schedules and her settings.
        let own = ChannelID(single: ann.userID, ann.userID)
        try await ann.perform(CreateChannel(kind: .own))
        try await ann.send("diary of xanthippe", to: own)
        try await ann.perform(
            CreateSchedule(
                messages: [MessageContent(text: "plan of xanthippe")], channels: [den],
                sendAt: .init(milliseconds: roost.clock.now + 86_400_000)))
        try await ann.perform(
            SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "token-of-xanthippe")))
        let doomed = try await stage.bob.post("deleted for ann", to: Cast.club)
        try await ann.perform(DeleteMessages([doomed], in: Cast.club))
        try await ann.perform(BlockUser(userID: Cast.dee.userID))
        // What others know of her.
        try await stage.bob.perform(BlockUser(userID: ann.userID))
        try await stage.bob.perform(UnblockUser(userID: ann.userID))
        try await ann.perform(InviteMembers(channel: den, members: [Cast.cid.userID]))
        let account = NewAccount(
            loginName: "xanthippe.k", password: "unused", userID: ann.userID, phone: "+49170555001",
            email: "xanthippe@example.org")
        _ = try await roost.core.register(
            [(account, .success("hash of xanthippe"))], id: try transID("register"), hash: 1, as: chief.actor)
        await stage.forgetEvents()
        #expect(try await Self.places(of: "xanth", in: database).count > 8)
        let mark = try await stage.bob.channel(Cast.club).readSeq
        let unread = try await stage.bob.unread(Cast.club)

        let answer = try await ann.perform(DeleteUser(), id: "deletion")
        #expect(answer.transID == "deletion")
        #expect(ann.end?.entry == .userDeleted)
        await stage.settle()

        let places = try await Self.places(of: "xanth", in: database)
        #expect(places.isEmpty, "\(places)")
        #expect(try await Self.places(of: "+49170555001", in: database) == [])
        // The messages to others stay, and so does the order of the logs.
        for text in ["hello from me", "hello bob", "hello lobby"] {
            #expect(try await Self.places(of: text, in: database).contains("channel_log.frame"), "\(text)")
        }
        let log = try await stage.bob.log(of: Cast.club)
        #expect(log.compactMap(\.seq) == Array(1...Int64(log.count)))
        let sent = try #require(log.first { $0.messageID == original })
        #expect(sent.senderID == ann.userID && sent.message?.senderName == "Deleted user")
        #expect(log.first { $0.text == "an answer" }?.message?.replyTo?.senderName == "Deleted user")
        #expect(log.first { $0.messageID == gone }?.message?.recall?.byName == "Deleted user")
        #expect(try await stage.bob.log(of: try channel("bobs")).last?.message?.senderName == "Bob")
        #expect(try await stage.bob.channel(Cast.club).readSeq == mark)
        #expect(try await stage.bob.unread(Cast.club) == unread)
        // Others are told of the name, and that she has left.
        let people = try await stage.cid.perform(GetUsers(userIDs: [ann.userID])).users
        #expect(people == [User(userID: ann.userID, name: "Deleted user")])
        for session in [stage.bob, stage.cid, stage.dee] {
            let told = session.events.filter { $0.name == EventName.userProfileChanged.rawValue }
            #expect(
                told.map(\.body) == [
                    .user(
                        .userProfileChanged(
                            UserProfileChanged(
                                userID: ann.userID, profile: UserProfile(name: "Deleted user", imageURL: ""))))
                ], "\(session.userID)")
        }
        let left = try #require(stage.bob.events(named: .memberLeft).first { $0.channel == Cast.club })
        #expect(
            left.body
                == .channel(
                    .memberLeft(
                        MemberLeft(
                            userID: ann.userID, name: "Deleted user", memberCount: 2, successor: Cast.bob.userID))))
        let club = try await stage.cid.channel(Cast.club)
        #expect(club.members.map(\.userID) == [Cast.bob.userID, Cast.cid.userID])
        #expect(try await stage.bob.channel(Cast.annAndBob).members.map(\.name).sorted() == ["Bob", "Deleted user"])
    }

    @Test func `a login name that was refused is in no stored answer, so that none is left when the user is deleted`()
        async throws
    {
        let folder = try TemporaryFolder()
        let roost = try TestCore(database: try SQLiteDatabase(directory: folder.path))
        let stage = try await Stage(roost)
        let chief = try await roost.session(user("chief"), isOperator: true)
        func register(_ names: [String], id: String) async throws -> [RegisterAccounts.Result] {
            let accounts = names.map { name in
                let account = NewAccount(loginName: name, password: "unused", userID: Cast.ann.userID)
                return (account, Result<String, WireError>.success("hash"))
            }
            let json = try await roost.core.register(accounts, id: transID(id), hash: 1, as: chief.actor)
            return try WireCodec.decode(RegisterAccounts.Answer.self, from: json).results
        }
        let names = ["xanthippe@example.org", "xanthippe.k"]
        let first = try await register(names, id: "once")
        #expect(first.map(\.loginName) == names)
        #expect(first.map(\.userID) == [Cast.ann.userID, nil] && first.last?.error?.entry == .accountExists)
        // A repetition gets the same answer.
        #expect(try await register(names, id: "once") == first)
        #expect(try await register(["xanthippe.m"], id: "later").first?.error?.entry == .accountExists)
        try await stage.ann.perform(DeleteUser())
        await stage.settle()
        await roost.core.stop()
        #expect(try !StoredBytes.contain("xanthippe", inFolder: folder.path))
        #expect(try StoredBytes.contain("Deleted user", inFolder: folder.path))
    }

    @Test(arguments: Backend.available)
    func `a deleted user cannot log in, send or be found again, and the id stays taken`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let roost = stage.roost
        let chief = try await roost.session(user("chief"), isOperator: true)
        try await stage.makePair()
        #expect(try await stage.bob.refusal(DeleteUser(userID: Cast.ann.userID))?.entry == .noPrivilege)
        #expect(try await stage.ann.refusal(DeleteUser(deletesMessages: true))?.entry == .noPrivilege)
        #expect(try await chief.refusal(DeleteUser(userID: "unknown"))?.entry == .userNotFound)
        let tablet = try await roost.session(Cast.ann, device: "tablet")
        try await chief.perform(DeleteUser(userID: Cast.ann.userID), id: "once")
        #expect(stage.ann.end?.entry == .userDeleted && tablet.end?.entry == .userDeleted && stage.bob.end == nil)
        #expect(try await stage.ann.refusal(SendMessage(channel: Cast.annAndBob, text: "late"))?.entry == .userDeleted)
        for isErased in [false, true] {
            if isErased { await stage.settle() }
            let issued = Access(tokenID: "new", issuedAt: roost.clock.now, expiresAt: roost.clock.now + 3_600_000)
            for access in [nil, issued] {
                #expect(try await Self.loginCode(Cast.ann, access, roost) == .userDeleted)
                let actor = Actor(user: Cast.ann, deviceID: "http", isOperator: false, access: access)
                for command in [AnyCommand.read(.getUnread(GetUnread())), .write(.removeDevice(RemoveDevice()))] {
                    let reply = await roost.core.handle(command, id: roost.transID(), from: actor)
                    #expect(Self.code(reply) == .userDeleted)
                }
            }
            // For everybody else the user does not exist.
            let user = Cast.ann.userID
            for id in [user, "unknown"] {
                #expect(try await stage.cid.refusal(CreateChannel(kind: .single, members: [id]))?.entry == .userMissing)
                let group = CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(id)])
                #expect(try await stage.cid.refusal(group)?.entry == .userMissing)
                #expect(try await stage.cid.refusal(BlockUser(userID: id))?.entry == .userNotFound)
                #expect(try await chief.refusal(DeleteUser(userID: id))?.entry == .userNotFound)
            }
            try await chief.perform(DeleteUser(userID: user), id: "once")
            // Lifting a ban does not bring the user back.
            try await chief.perform(SetUserAccess(userID: user, canChat: true))
            #expect(try await Self.loginCode(Cast.ann, nil, roost) == .userDeleted)
            let results = try await WireCodec.decode(
                RegisterAccounts.Answer.self,
                from: roost.core.register(
                    [(NewAccount(loginName: "ann", password: "unused", userID: user), .success("hash"))],
                    id: try transID("register-\(isErased)"), hash: 1, as: chief.actor))
            #expect(results.results.first?.error?.entry == .userDeleted)
        }
        // A login name that is free again may be somebody else's.
        #expect(try await stage.bob.perform(GetUsers(userIDs: [Cast.ann.userID])).users.map(\.name) == ["Deleted user"])
    }

    @Test(arguments: Backend.available)
    func `if an operator says so, the messages are deleted too, and unread counts stay right`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        let chief = try await roost.session(user("chief"), isOperator: true)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let first = try await stage.ann.post("secret 1", to: Cast.club)
        let kept = try await stage.bob.post("kept", to: Cast.club)
        _ = try await stage.bob.post(SendMessage(channel: Cast.club, text: "an answer", replyTo: first))
        for number in 2..<300 { try await stage.ann.send("secret \(number)", to: Cast.club) }
        try await stage.ann.send("secret for bob", to: Cast.annAndBob)
        try await stage.bob.send("for ann", to: Cast.annAndBob)
        try await stage.ann.send("secret for all", to: Cast.lobby)
        await stage.forgetEvents()
        #expect(try await stage.cid.unread(Cast.club) == 301)
        try await chief.perform(DeleteUser(userID: Cast.ann.userID, deletesMessages: true))
        await stage.settle()
        #expect(try await Self.isOver(in: database))
        #expect(try await Self.places(of: "secret", in: database) == [])
        #expect(try await stage.cid.unread(Cast.club) == 2)
        #expect(try await stage.bob.unread(Cast.annAndBob) == 0)
        let log = try await stage.cid.log(of: Cast.club)
        #expect(log.compactMap(\.text) == ["kept", "an answer"])
        #expect(log.first { $0.text == "an answer" }?.message?.replyTo?.isRecalled == true)
        #expect(log.contains { $0.messageID == kept })
        // Each message is taken back once, without a trace.
        let recalled = stage.cid.events.flatMap { event -> [Int64] in
            guard case .channel(.messageRecalled(let body)) = event.body, event.channel == Cast.club else { return [] }
            #expect(body.isSilent && body.byName == "Deleted user")
            return body.messages.map(\.seq)
        }
        #expect(recalled.count == 299 && Set(recalled).count == 299)
    }

    @Test(arguments: Backend.available)
    func `a deletion that was interrupted goes on after a restart, also in many channels`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        for number in 0..<40 {
            let id = try channel("g\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: [Cast.bob.userID]))
            try await stage.ann.send("hello", to: id)
        }
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "Xanthippe")))
        await stage.forgetEvents()
        try await stage.ann.perform(DeleteUser())
        for _ in 0..<30 { await roost.turn() }
        #expect(try await !Self.isOver(in: database))
        await roost.core.stop()
        let later = try TestCore(database: database, clock: roost.clock)
        let bob = try await later.session(Cast.bob)
        await later.settle()
        await later.settle()
        #expect(try await Self.isOver(in: database))
        let places = try await Self.places(of: "Xanthippe", in: database)
        #expect(places.isEmpty, "\(places)")
        for number in 0..<40 {
            let log = try await bob.log(of: try channel("g\(number)"))
            #expect(log.filter { $0.name == EventName.memberLeft.rawValue }.count == 1, "\(number)")
            #expect(log.first { $0.text == "hello" }?.message?.senderName == "Deleted user")
        }
        await later.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `groups get another admin or end, invitations and subscriptions go, and limits do not keep the user`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let roost = stage.roost
        let chief = try await roost.session(user("chief"), isOperator: true)
        let (alone, small, asked, news) = (
            try channel("alone"), try channel("small"), try channel("asked"), try channel("news")
        )
        try await stage.ann.perform(CreateChannel(kind: .group, channel: alone, members: [Cast.bob.userID]))
        try await stage.bob.perform(LeaveChannel(channel: alone))
        try await stage.ann.perform(
            CreateChannel(
                kind: .group, channel: small,
                members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID, role: .moderator)],
                profile: ChannelProfile(minMembers: 3)))
        try await stage.bob.perform(
            CreateChannel(
                kind: .group, channel: asked,
                members: [NewMember(Cast.cid.userID), NewMember(Cast.ann.userID, role: .invited)]))
        try await chief.perform(CreateChannel(kind: .publicNews, channel: news, title: "News"))
        for session in [stage.ann, stage.dee] { try await session.perform(BecomeMember(channel: news)) }
        await stage.forgetEvents()
        try await chief.perform(DeleteUser(userID: Cast.ann.userID))
        await stage.settle()
        #expect(try await stage.bob.refusal(GetChannel(channel: alone))?.entry == .channelNotFound)
        // A moderator goes before a participant who joined earlier.
        let members = try await stage.bob.channel(small).members
        #expect(members.map(\.userID).sorted() == [Cast.bob.userID, Cast.cid.userID])
        #expect(members.first { $0.role == .admin }?.userID == Cast.cid.userID)
        let everybody = try await stage.bob.perform(ListMembers(channel: asked)).members
        #expect(!everybody.contains { $0.userID == Cast.ann.userID })
        #expect(try await stage.dee.channel(news).memberCount == 1)
        // Nobody is subscribed or told any more.
        try await chief.perform(CreateChannel(kind: .corporateNews, channel: try channel("all"), title: "All"))
        await stage.settle()
        #expect(try await stage.dee.channel(try channel("all")).memberCount == 4)
    }

    @Test(arguments: Backend.available)
    func `what waits to be pushed, and what an operator has recalled in news, forgets the name too`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        let chief = try await roost.session(user("chief"), isOperator: true)
        let boss = try await roost.session(user("boss"), isOperator: true)
        try await boss.perform(SetUserProfile(profile: UserProfile(name: "Xanthippe")))
        let news = try channel("news")
        try await chief.perform(CreateChannel(kind: .publicNews, channel: news, title: "News"))
        let piece = try await chief.perform(PublishNews(channel: news, text: "hello"))
        try await boss.perform(RecallMessages(channel: news, messageIDs: [try #require(piece.messageID)]))
        let event = Event(
            channel: Cast.club, senderID: "boss", transID: "t", sentAt: .init(milliseconds: 1),
            body: .ephemeral(
                .messageRelayed(
                    Message(
                        messageID: try #require(piece.messageID), content: MessageContent(text: "x"),
                        senderName: "Xanthippe", count: 1))))
        let frame = try WireCodec.encode(event)
        let items: [PushItem] = [
            .row(Cast.club, seq: 1, after: ""), .relayed(Cast.club, by: "boss", sentAt: 1, after: "", frame: frame),
            .own("boss", except: nil, sentAt: 1, frame: frame),
        ]
        await stage.settle()
        try await chief.perform(DeleteUser(userID: "boss"))
        // As if it had waited since before the deletion.
        try database.write { connection in
            try connection.write(
                [[.text("z"), .content(PushItem.encode(items.map(\.line)))]], Upsert("push_outbox", ["id", "items"]))
        }
        await stage.settle()
        #expect(try await Self.isOver(in: database))
        let places = try await Self.places(of: "Xanthippe", in: database)
        #expect(places.isEmpty, "\(places)")
        withExtendedLifetime(resource) {}
    }

    @Test func `names are replaced where they belong to the user, and nowhere else`() throws {
        let eraser = NameEraser(User(userID: "ann", name: "Deleted user"))
        func erased(_ json: String) throws -> String? {
            try eraser.erased(Array(json.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        for json in [
            #"{"userID":"bob","name":"ann"}"#, #"{"text":"ann"}"#, #"{"userID":"anna","name":"Anna"}"#,
            #"{"userID":"ann"}"#, #"["ann"]"#, #"{"text":"\"ann\"","name":"Bob"}"#,
        ] { #expect(try erased(json) == nil, "\(json)") }
        #expect(
            try erased(#"{"a":[{"userID":"ann","name":"Ann","imageURL":"x"},{"userID":"bob","name":"Bob"}]}"#)
                == #"{"a":[{"name":"Deleted user","userID":"ann"},{"name":"Bob","userID":"bob"}]}"#)
        #expect(
            try erased(#"{"recall":{"byName":"Ann","byUserID":"ann"},"senderID":"bob","senderName":"Bob"}"#)
                == #"{"recall":{"byName":"Deleted user","byUserID":"ann"},"senderID":"bob","senderName":"Bob"}"#)
        #expect(
            try erased(#"{"event":"vote.cast","senderID":"ann","body":{"seq":1,"voterName":"Ann"}}"#)
                == #"{"body":{"seq":1,"voterName":"Deleted user"},"event":"vote.cast","senderID":"ann"}"#)
        #expect(
            try erased(#"{"profile":{"name":"Ann","imageURL":"x"},"userID":"ann"}"#)
                == #"{"profile":{"imageURL":"","name":"Deleted user"},"userID":"ann"}"#)
    }
}
