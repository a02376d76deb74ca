import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The field of a conversation: J-34 to J-36, J-45 and J-49.
    @MainActor @Suite struct ComposerTests {
        private func field(
            maxLength: Int = 8_000
        ) async throws -> (ann: ChatClient, bob: ChatClient, ConversationModel, ComposerModel) {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            let model = ConversationModel(client: ann, channel: Cast.annAndBob, clock: ManualClock().clock)
            let composer = ComposerModel(
                client: ann, channel: Cast.annAndBob, conversation: model, maxLength: maxLength)
            model.start()
            composer.start()
            try await wait("the first page") { model.hasLoaded }
            return (ann, bob, model, composer)
        }

        private func typing(_ event: ClientEvent) -> Bool? {
            guard case .event(let event, _) = event else { return nil }
            switch event.body {
            case .ephemeral(.typingStarted): return true
            case .ephemeral(.typingEnded), .channel(.messageSent): return false
            default: return nil
            }
        }

        @Test func `where news are carried the field is read-only, and the list and the rows follow what is over`()
            async throws
        {
            let clock = TestClock()
            let server = try await TestServer.start(clock: clock)
            let ann = try await server.client(Cast.ann)
            let editor = try await server.operatorClient(Cast.dee)
            let offers = try #require(ChannelID(rawValue: "offers"))
            try await editor.createNews(title: "Offers", channel: offers)
            try await ann.channel(offers).subscribe()
            let list = ChannelListModel(client: ann)
            list.start()
            try await editor.channel(offers).publish("for ever")
            try await wait("the badge") { list.rows.first?.unread == 1 }
            #expect(list.rows.first?.title == "Offers")
            let model = ConversationModel(client: ann, channel: offers)
            let composer = ComposerModel(client: ann, channel: offers, conversation: model)
            model.start()
            composer.start()
            try await editor.channel(offers).publish("nearly over", validUntil: Date(milliseconds: clock.now + 10_000))
            try await wait("both pieces") { model.items.filter { $0.kind == .message }.count == 2 }
            #expect(model.items.last?.senderName == "Offers" && model.items.last?.isOwn == false)
            composer.edit("hello")
            #expect(composer.isReadOnly && !composer.canSend && composer.send() == nil)
            clock.advance(by: 10_000)
            try await wait("the end of it") { model.items.filter { $0.kind == .message }.map(\.text) == ["for ever"] }
            model.stop()
            list.stop()
            await composer.stop()
            await server.stop()
        }

        @Test
        func
            `sending empties the field, ends typing and lets the list follow; an empty text is not sent [J-35 J-36 J-49 C-J3]`()
            async throws
        {
            let (_, bob, model, composer) = try await field()
            let events = bob.events()
            composer.edit("yo")
            model.setAtBottom(false)
            #expect(composer.canSend)
            let pending = try #require(composer.send())
            #expect(composer.text.isEmpty && composer.cursor == 0)
            #expect(model.isAtBottom)
            _ = try await pending.sent
            var told: [Bool?] = []
            for await event in events {
                if let isTyping = typing(event) { told.append(isTyping) }
                if told.last == false { break }
            }
            #expect(told.last == false)
            try await model.waitFor("yo")

            for blank in ["", "  \n\t", "\u{3000}"] {
                model.setAtBottom(false)
                composer.edit(blank)
                #expect(!composer.canSend)
                #expect(composer.send() == nil)
                #expect(model.isAtBottom)
            }
            #expect(model.texts == ["yo"])
            #expect(try await bob.channel(Cast.annAndBob).get().seq == 1)
        }

        @Test func `writing starts typing, an empty field ends it [J-45]`() async throws {
            let (_, bob, _, composer) = try await field()
            var events = bob.events().makeAsyncIterator()
            func next() async -> Bool? {
                while let event = await events.next() {
                    if let isTyping = typing(event) { return isTyping }
                }
                return nil
            }
            composer.edit("h")
            #expect(await next() == true)
            composer.edit("")
            #expect(await next() == false)
            composer.edit("")
            composer.edit("x")
            #expect(await next() == true)
            await composer.stop()
            #expect(await next() == false)
        }

        @Test func `the counter counts UTF-16 units and is red from ten on; too long is not sent`() async throws {
            let (_, _, _, composer) = try await field(maxLength: 20)
            #expect(composer.remaining == 20 && !composer.isNearLimit)
            composer.edit("123456789")
            #expect(composer.remaining == 11 && !composer.isNearLimit)
            composer.edit("12345678👍")
            #expect(composer.remaining == 10 && composer.isNearLimit && composer.canSend)
            composer.edit(String(repeating: "x", count: 21))
            #expect(composer.remaining == -1 && !composer.canSend)
            #expect(composer.send() == nil)
            #expect(composer.text.count == 21)
        }

        /// Lets a device store no message in its queue, or again.
        private func setQueue(of file: String, isBroken: Bool) throws {
            let change =
                isBroken
                ? "CREATE TRIGGER broken BEFORE INSERT ON sends BEGIN SELECT RAISE(ABORT, 'broken'); END"
                : "DROP TRIGGER broken"
            let process = try Process.run(
                URL(fileURLWithPath: "/usr/bin/python3"),
                arguments: [
                    "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])", file, change,
                ])
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        @Test func `what the device cannot store is in the field again, with its mentions, answer and file`()
            async throws
        {
            let folder = try TemporaryFolder()
            let server = try await ScreenServer()
            let store = try await LocalStore.open(folder.path + "/ann.sqlite")
            let bob = try await server.connectedClient(Cast.bob)
            let ann = try await server.connectedClient(Cast.ann, store: store)
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            let model = ConversationModel(client: ann, channel: Cast.annAndBob, clock: ManualClock().clock)
            let composer = ComposerModel(client: ann, channel: Cast.annAndBob, conversation: model)
            model.start()
            composer.start()
            try await wait("the first page") { model.hasLoaded }
            try await bob.channel(Cast.annAndBob).send("a question")
            let question = try await model.waitFor("a question")
            let file = LocalFile(path: folder.path + "/notes.txt")
            try Data("x".utf8).write(to: URL(fileURLWithPath: file.path))

            try setQueue(of: folder.path + "/ann.sqlite", isBroken: true)
            var events = ann.events().makeAsyncIterator()
            composer.reply(to: question)
            composer.edit("yes @b")
            try await wait("Bob") { !composer.candidates.isEmpty }
            composer.complete(with: try #require(composer.candidates.first))
            let failed = composer.send()
            #expect(composer.text.isEmpty)
            try await wait("the text") { composer.text == "yes @Bob " }
            #expect(composer.mentions == [Mention(userID: Cast.bob.userID, start: 4, length: 4)])
            #expect(composer.replyTo?.id == question.id && composer.problem?.code == .storeFailed)
            while let event = await events.next() {
                guard case .sendFailed(let send) = event else { continue }
                #expect(send.transID == failed?.transID && send.text == "yes @Bob ")
                break
            }
            // Twice in a row: in their order, and the mention moves with its text.
            composer.send()
            composer.edit("more")
            try await wait("the text") { composer.text == "more\nyes @Bob " }
            #expect(composer.mentions == [Mention(userID: Cast.bob.userID, start: 9, length: 4)])
            composer.attach(original: file)
            composer.send()
            try await wait("the caption and the file") {
                composer.text == "more\nyes @Bob " && composer.attachments.map(\.state) == [.picked]
            }

            try setQueue(of: folder.path + "/ann.sqlite", isBroken: false)
            composer.dismissProblem()
            _ = try await composer.send()?.sent
            let sent = try await model.waitFor("more\nyes @Bob ")
            #expect(
                sent.content?.mentions?.map(\.userID) == [Cast.bob.userID] && sent.content?.file?.name == "notes.txt")
            let stored = try await bob.channel(Cast.annAndBob).history(from: .server).events
            #expect(stored.count { if case .channel(.messageSent) = $0.body { true } else { false } } == 2)
            await composer.stop()
        }

        @Test func `a draft is kept, with its mentions and the message it replies to, until it is sent`() async throws {
            let (ann, bob, model, composer) = try await field()
            try await bob.channel(Cast.annAndBob).send("a question")
            let question = try await model.waitFor("a question")
            composer.reply(to: question)
            composer.edit("@b")
            try await wait("Bob") { composer.candidates.map(\.name) == ["Bob"] }
            composer.complete(with: try #require(composer.candidates.first))
            #expect(composer.text == "@Bob " && composer.cursor == 5 && composer.candidates.isEmpty)
            composer.edit("@Bob yes")
            await composer.stop()

            let again = ComposerModel(client: ann, channel: Cast.annAndBob, conversation: model)
            again.start()
            try await wait("the draft") { again.text == "@Bob yes" }
            #expect(again.mentions == [Mention(userID: Cast.bob.userID, start: 0, length: 4)])
            #expect(again.replyTo?.id == question.id)
            _ = try await again.send()?.sent
            let sent = try await model.waitFor("@Bob yes")
            #expect(sent.content?.mentions?.map(\.userID) == [Cast.bob.userID])
            try await wait("the answer") { model.item("@Bob yes")?.replyTo?.text == "a question" }
            await again.stop()
            #expect(try await ann.store?.draft(in: Cast.annAndBob) == nil)
        }

        @Test func `a draft of an answer and a file alone is kept, and a file that is gone is reported`() async throws {
            let (ann, bob, model, composer) = try await field()
            try await bob.channel(Cast.annAndBob).send("a question")
            let folder = try TemporaryFolder()
            let file = LocalFile(path: folder.path + "/notes.txt")
            let gone = LocalFile(path: folder.path + "/gone.txt")
            for file in [file, gone] { try Data("x".utf8).write(to: URL(fileURLWithPath: file.path)) }
            composer.reply(to: try await model.waitFor("a question"))
            composer.attach(original: file)
            composer.attach(original: gone)
            await composer.stop()
            try FileManager.default.removeItem(atPath: gone.path)

            // Without a list that has the answered message.
            let again = ComposerModel(client: ann, channel: Cast.annAndBob)
            again.start()
            try await wait("the draft") { again.replyTo?.text == "a question" }
            #expect(again.attachments.map(\.file) == [file] && again.text.isEmpty && again.canSend)
            #expect(again.problem?.message.contains("gone.txt") == true)
            again.send()
            try await wait("the answer") { model.items.last?.replyTo?.text == "a question" }
            await again.stop()
            #expect(try await ann.store?.draft(in: Cast.annAndBob) == nil)
        }

        @Test func `a name that is written out is a mention when it is sent`() async throws {
            let (_, _, model, composer) = try await field()
            composer.edit("@b")
            try await wait("the members") { !composer.candidates.isEmpty }
            composer.edit("@bob look")
            composer.send()
            try await wait("sent") { model.item("@bob look")?.seq != nil }
            #expect(
                model.item("@bob look")?.content?.mentions == [Mention(userID: Cast.bob.userID, start: 0, length: 4)])
        }

        @Test func `a send that failed gives its text back on demand, or is thrown away`() async throws {
            let (_, bob, model, composer) = try await field()
            try await bob.block(Cast.ann.userID)
            for text in ["one", "two"] {
                composer.edit(text)
                composer.send()
            }
            try await wait("both have failed") {
                model.items.filter { if case .failed = $0.state { true } else { false } }.count == 2
            }
            let one = try #require(model.item("one")?.transID)
            await composer.takeBack(one)
            #expect(composer.text == "one")
            try await wait("it is gone from the list") { model.texts == ["two"] }
            await composer.discard(try #require(model.item("two")?.transID))
            try await wait("it is gone") { model.texts.isEmpty }
            try await bob.unblock(Cast.ann.userID)
            composer.edit("one, better")
            _ = try await composer.send()?.sent
            try await wait("sent") { model.item("one, better")?.seq == 1 }
            #expect(composer.problem == nil)
        }
    }
}

/// Mentions while a text is written: pure rules.
struct MentionTests {
    @Test(
        "a name is asked for behind an @ at the beginning of a word",
        arguments: [
            ("@", 1, ""), ("@bo", 3, "bo"), ("hi @b", 5, "b"), ("👍 @b", 5, "b"), ("👍@b", 4, "b"), ("a@b", 3, nil),
            ("é@b", 3, nil), ("1@b", 3, nil), ("你好@b", 4, "b"), ("(@b", 3, "b"), ("@b c", 4, "b c"), ("@ b", 3, nil),
            ("@b\nc", 4, nil), ("@bo", 1, ""), ("", 0, nil), ("x", 9, nil),
        ] as [(String, Int, String?)])
    func query(_ text: String, _ cursor: Int, _ prefix: String?) {
        #expect(MentionRules.query(in: text, cursor: cursor)?.prefix == prefix)
    }

    private func member(_ id: UserID, _ name: String) -> Member {
        Member(userID: id, name: name, role: .participant, readSeq: 0, readAt: .init(milliseconds: 0))
    }

    @Test(
        "a name or id that is written out in full and fits one member is a mention",
        arguments: [
            ("@ann look", ["ann 0 4"]), ("look @Ann Lee!", ["lee 5 8"]), ("@ann lee, @bob", ["lee 0 8", "bob 10 4"]),
            ("@annabel", []), ("@ann's", ["ann 0 4"]), ("@ann.", ["ann 0 4"]), ("@ann.lee", []), ("mail bob@ann", []),
            ("你好@ann 好", ["ann 2 4"]), ("(@ann)", ["ann 1 4"]), ("@ANN", ["ann 0 4"]), ("@Twin", []), ("@me", []),
            ("@bob @bob", ["bob 0 4", "bob 5 4"]), ("@@bob", ["bob 1 4"]), ("@", []),
        ] as [(String, [String])])
    func written(_ text: String, _ wanted: [String]) {
        let members = [
            member("ann", "Ann"), member("lee", "Ann Lee"), member("bob", "Bob"), member("t1", "Twin"),
            member("t2", "Twin"), member("me", "Me"),
        ]
        func found(_ mentions: [Mention], most: Int = 50) -> [String] {
            MentionRules.withWritten(text, mentions, members, viewer: "me", most: most).map {
                "\($0.userID) \($0.start ?? -1) \($0.length ?? -1)"
            }
        }
        #expect(found([]) == wanted)
        #expect(found([], most: 1) == Array(wanted.prefix(1)))
        // What was chosen stays, and nothing is mentioned twice at one place.
        let chosen = Mention(userID: "t1", start: 0, length: text.utf16.count)
        #expect(found([chosen]) == ["t1 0 \(text.utf16.count)"])
    }

    @Test func `a completed name is a range in UTF-16 units that moves with the text and is removed when it is edited`()
        throws
    {
        let bob = Member(
            userID: Cast.bob.userID, name: "Bøb 🦊", role: .participant, readSeq: 0, readAt: .init(milliseconds: 0))
        let query = try #require(MentionRules.query(in: "👍 @b!", cursor: 5))
        let done = MentionRules.complete(query, with: bob, in: "👍 @b!", mentions: [])
        #expect(done.text == "👍 @Bøb 🦊 !")
        #expect(done.mentions == [Mention(userID: bob.userID, start: 3, length: 7)])
        #expect(Array(done.text.utf16)[3..<10].elementsEqual("@Bøb 🦊".utf16))
        let moved = MentionRules.moved(done.mentions, from: done.text, to: "Yes " + done.text)
        #expect(moved.first?.start == 7)
        #expect(MentionRules.moved(done.mentions, from: done.text, to: done.text + "?") == done.mentions)
        #expect(MentionRules.moved(done.mentions, from: done.text, to: "👍 @Bb 🦊 !").isEmpty)
    }
}
