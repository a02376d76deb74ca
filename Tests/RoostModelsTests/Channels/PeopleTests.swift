import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Members, typing and read marks of a conversation: J-21, J-22, J-31 and J-46 to J-56.
    @MainActor @Suite struct PeopleTests {
        /// Ann, Bob, Cid and Dee in a group of Ann's, and Ann's screen of it.
        private func club(
            _ users: [User] = Cast.all, clock: ManualClock = ManualClock()
        ) async throws -> (ScreenServer, [ChatClient], ConversationModel) {
            let server = try await ScreenServer()
            var clients: [ChatClient] = []
            for user in Cast.all { clients.append(try await server.connectedClient(user)) }
            _ = try await clients[0].createGroup(
                channel: Cast.club, members: users.filter { $0 != Cast.ann }.map(\.userID))
            let model = ConversationModel(client: clients[0], channel: Cast.club, clock: clock.clock)
            model.start()
            try await wait("the first page") { model.hasLoaded && model.memberCount == users.count }
            return (server, clients, model)
        }

        @Test
        func `the typing bar names those who type and how many, and is hidden for nobody [J-46 J-47 JCB-15 JCB-16]`()
            async throws
        {
            let (_, clients, model) = try await club()
            let bobs = ConversationModel(client: clients[1], channel: Cast.club, clock: ManualClock().clock)
            bobs.start()
            #expect(model.typingLine == nil)
            try await clients[1].channel(Cast.club).typing(true)
            try await wait("Bob") { model.typingLine == "Bob" && model.typingCount == 1 }
            try await clients[2].channel(Cast.club).typing(true)
            try await wait("two") { model.typingLine == "Bob, Cid" && model.typingCount == 2 }
            try await clients[3].channel(Cast.club).typing(true)
            try await wait("three") { model.typingLine == "Bob, Cid +1" && model.typingCount == 3 }
            try await wait("Bob sees the others") { bobs.typingLine == "Cid, Dee" }
            try await clients[1].channel(Cast.club).typing(false)
            try await wait("Bob has stopped") { model.typingLine == "Cid, Dee" }
            try await clients[2].channel(Cast.club).send("done")
            try await wait("a message ends it") { model.typingLine == "Dee" }
            try await clients[3].channel(Cast.club).typing(false)
            try await wait("nobody") { model.typingLine == nil && model.typingCount == 0 }
        }

        @Test func `a lost end is repaired after ten seconds, for each user separately [J-48 C-J5]`() async throws {
            let clock = ManualClock()
            let (_, clients, model) = try await club(clock: clock)
            try await clients[1].channel(Cast.club).typing(true)
            try await wait("Bob") { model.typingLine == "Bob" }
            clock.advance(by: 6_000)
            try await clients[2].channel(Cast.club).typing(true)
            try await wait("both") { model.typingLine == "Bob, Cid" }
            clock.advance(by: 3_999)
            #expect(model.typingLine == "Bob, Cid")
            clock.advance(by: 1)
            try await wait("Bob is forgotten") { model.typingLine == "Cid" }
            clock.advance(by: 6_000)
            try await wait("all are") { model.typingLine == nil && model.typingCount == 0 }
        }

        @Test
        func
            `an update applies to its own conversation only, and replaces channel, title and marks [J-21 J-22 J-52 J-56 JCB-5 JCB-9 C-J4]`()
            async throws
        {
            let (_, clients, model) = try await club([Cast.ann, Cast.bob, Cast.cid])
            #expect(model.title == "Group(3)")
            let other = try channelID("other")
            _ = try await clients[1].createGroup(title: "Other", channel: other, members: [Cast.ann.userID])
            try await clients[1].channel(other).send("elsewhere")

            try await clients[1].channel(Cast.club).invite([Cast.dee.userID])
            try await wait("four") {
                model.title == "Group(4)" && model.memberCount == 4
                    && model.items.last?.text == "Dee joined (4 members)"
            }
            #expect(model.channel?.channel == Cast.club)
            try await clients[0].channel(Cast.club).send("unread by three")
            try await wait("three") { model.item("unread by three")?.unreadBy == 3 }
            try await clients[3].channel(Cast.club).leave()
            try await wait("Dee's mark is dropped") { model.item("unread by three")?.unreadBy == 2 }
            #expect(model.title == "Group(3)")
            try await clients[2].channel(Cast.club).leave()
            try await wait("two") { model.title == "Bob" }
            try await clients[1].channel(Cast.club).setProfile(ChannelProfile(title: "The club"))
            try await wait("its own title") { model.title == "The club" }
            #expect(model.item("elsewhere") == nil)
        }

        @Test
        func `a message shows how many members have not read it; marks only move forward [J-50 J-51 J-53 JCB-14 L-80]`()
            async throws
        {
            let (_, clients, model) = try await club([Cast.ann, Cast.bob, Cast.cid])
            let sent = try await clients[0].channel(Cast.club).send("read me")
            let seq = try #require(sent.seq)
            try await wait("two") { model.item("read me")?.unreadBy == 2 }
            // Bob's screen reads it.
            let bobs = ConversationModel(client: clients[1], channel: Cast.club)
            bobs.start()
            try await wait("one") { model.item("read me")?.unreadBy == 1 }
            // The same on the message of another: neither its sender nor Bob counts.
            try await wait("Cid has not, for Bob") { bobs.item("read me")?.unreadBy == 1 }
            try await clients[1].channel(Cast.club).markRead(upTo: seq - 1)
            // Marks that moved while a device was offline are requested.
            await clients[0].disconnect()
            try await clients[2].channel(Cast.club).markRead(upTo: seq)
            try await clients[0].connect()
            try await wait("nobody") { model.item("read me")?.unreadBy == 0 }
        }

        @Test
        func `text, line, announcement and file are different kinds, own messages are told apart [J-31 JCB-6 XC-9]`()
            async throws
        {
            let (server, clients, model) = try await club([Cast.ann, Cast.bob])
            let op = try await server.unconnectedClient(try makeUser("op", "Op"), isOperator: true)
            try await op.connect()
            try await clients[1].channel(Cast.club).send("a text")
            try await clients[1].channel(Cast.club).send(
                .image(try await clients[1].uploadSample("roof.png"), text: "a picture"))
            try await op.channel(Cast.club).announce("an announcement")
            try await clients[1].channel(Cast.club).invite([Cast.cid.userID])
            try await clients[0].channel(Cast.club).send("my own")
            try await model.waitFor("my own")
            // The user's own message is shown at once, earlier ones when they arrive.
            let line = try await model.waitFor("Cid joined (3 members)")
            let text = try #require(model.item("a text"))
            #expect(text.kind == .message && text.content?.type == "text" && !text.isOwn && text.senderName == "Bob")
            let file = try #require(model.item("a picture"))
            #expect(file.kind == .message && file.content?.type == "image" && file.content?.file?.name == "roof.png")
            let announcement = try #require(model.item("an announcement"))
            #expect(announcement.kind == .announcement && announcement.senderID == nil)
            if case .line = line.kind {} else { Issue.record("a line of the server, not \(line.kind)") }
            #expect(model.item("my own")?.isOwn == true)
        }

        @Test func `a recalled message leaves its shell, or nothing, on the screen`() async throws {
            let (_, clients, model) = try await club([Cast.ann, Cast.bob])
            try await clients[1].channel(Cast.club).send("oops")
            try await clients[1].channel(Cast.club).send("secret")
            let first = try await model.waitFor("oops")
            let second = try await model.waitFor("secret")
            try await clients[1].channel(Cast.club).recall([try #require(first.messageID)])
            try await wait("the shell") {
                if case .recalled = model.items.first(where: { $0.id == first.id })?.kind { true } else { false }
            }
            try await clients[1].channel(Cast.club).recall([try #require(second.messageID)], isSilent: true)
            try await wait("nothing") { !model.items.contains { $0.id == second.id } }
        }

        @Test func `a page has a size per screen, 15 conversations, 50 messages and 30 members, or the app's [XC-11]`()
            async throws
        {
            let (server, clients, _) = try await club([Cast.ann])
            var crowd: [UserID] = []
            for number in 0..<35 {
                let user = try makeUser("guest-\(number)")
                await (try await server.connectedClient(user)).disconnect()
                crowd.append(user.userID)
            }
            _ = try await clients[0].channel(Cast.club).invite(crowd)
            for number in 0..<20 {
                _ = try await clients[0].createGroup(channel: try channelID("room-\(number)"), members: [])
            }
            let channel = try await clients[1].startMessaging(with: Cast.cid.userID).channel
            try await clients[1].fill(channel, 1...60)
            func sizes(_ list: ChannelListModel, _ people: MemberListModel, _ talk: ConversationModel) async throws
                -> [Int]
            {
                list.start()
                people.start()
                talk.start()
                try await wait("all three") {
                    list.hasLoaded && !list.rows.isEmpty && !people.members.isEmpty && talk.hasLoaded
                        && !people.isLoading
                }
                return [list.rows.count, people.members.count, talk.texts.count]
            }
            #expect(
                try await sizes(
                    ChannelListModel(client: clients[0]), MemberListModel(client: clients[0], channel: Cast.club),
                    ConversationModel(client: clients[1], channel: channel)) == [15, 30, 50])
            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 20
            let fresh = try await server.connectedClient(Cast.bob, device: "fresh")
            #expect(
                try await sizes(
                    ChannelListModel(client: clients[0], pageSize: 30),
                    MemberListModel(client: clients[0], channel: Cast.club, pageSize: 10),
                    ConversationModel(client: fresh, channel: channel, configuration: configuration)) == [21, 10, 20])
        }

        @Test func `the members come in pages, moderators see who is banned, and the list follows`() async throws {
            let (_, clients, _) = try await club()
            let list = MemberListModel(client: clients[0], channel: Cast.club, pageSize: 3)
            list.start()
            try await wait("a page") { list.members.count == 3 && !list.isLoading }
            #expect(list.hasMore && list.memberCount == 4 && list.role == .admin)
            list.shown(Cast.cid.userID)
            try await wait("all") { list.members.map(\.userID) == Cast.all.map(\.userID) && !list.hasMore }
            try await clients[0].channel(Cast.club).ban([Cast.dee.userID])
            try await wait("banned") { list.members(with: .outcast).map(\.userID) == [Cast.dee.userID] }
            let bobs = MemberListModel(client: clients[1], channel: Cast.club)
            bobs.start()
            try await wait("three") { bobs.members.count == 3 }
            #expect(bobs.members(with: .outcast).isEmpty)
        }

        @Test func `a user who joins while the first page of members is loading is in the list`() async throws {
            let gate = AnswerGate()
            let server = try await TestServer.start(clock: TestClock(), keeping: [:], gate: gate)
            defer { gate.release() }
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            _ = try await server.client(Cast.cid)
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            _ = try await ann.channel(Cast.club).get()
            let list = MemberListModel(client: ann, channel: Cast.club)
            gate.hold("memberCount")
            list.start()
            await gate.untilHeld()
            try await bob.channel(Cast.club).invite([Cast.cid.userID])
            try await wait("the store") { list.memberCount == 3 }
            gate.release()
            try await wait("three") { list.members.count == 3 && list.memberCount == 3 }
            list.stop()
            await server.stop()
        }
    }
}
