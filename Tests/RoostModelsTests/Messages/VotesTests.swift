import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Votes in a conversation: the contents of an item, and the actions of the viewer.
    @MainActor @Suite struct VotesTests {
        private let clock = TestClock()
        private let manual = ManualClock(now: 1_767_225_600_000)

        /// A group of Ann, Bob and Cid, with the screens of the first two.
        private func club() async throws -> (TestServer, [ChatClient], [ConversationModel]) {
            let server = try await TestServer.start(clock: clock)
            var clients: [ChatClient] = []
            for user in [Cast.ann, Cast.bob, Cast.cid] { clients.append(try await server.client(user)) }
            _ = try await clients[0].createGroup(
                channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
            let models = clients.prefix(2).map {
                ConversationModel(client: $0, channel: Cast.club, clock: manual.clock)
            }
            for model in models {
                model.start()
                try await wait("the first page") { model.hasLoaded && model.channel?.role != nil }
            }
            return (server, clients, models)
        }

        private func end(_ server: TestServer, _ models: [ConversationModel]) async {
            for model in models { model.stop() }
            await server.stop()
        }

        /// The item of a vote, once its state is known.
        private func vote(
            _ subject: String, in model: ConversationModel, until fits: (VoteState) -> Bool = { _ in true }
        ) async throws -> TimelineItem {
            try await wait("vote \(subject)") { model.item(subject)?.voteState.map(fits) == true }
            return try #require(model.item(subject))
        }

        @Test func `a vote is created, cast, counted and closed on all screens, and refusals are shown [L-106]`()
            async throws
        {
            let (server, clients, models) = try await club()
            let (ann, bob) = (models[0], models[1])
            let ask = Vote(
                options: [.text("Tea"), .text("Coffee")], closesAt: Date(milliseconds: clock.now + 3_600_000))
            #expect(await ann.createVote("Drink?", ask))
            let item = try await vote("Drink?", in: ann)
            #expect(
                item.content?.vote?.options.map(\.text) == ["Tea", "Coffee"]
                    && item.content?.vote?.closesAt == ask.closesAt)
            #expect(item.voteState?.phase == .open && item.voteState?.tally == VoteTally(counts: [0, 0], voters: 0))
            #expect(item.voteState?.ownOptions == [] && ann.isAtBottom)

            let bobs = try await vote("Drink?", in: bob)
            #expect(await bob.castVote(bobs.id, options: [1]))
            _ = try await vote("Drink?", in: bob) { $0.ownOptions == [1] && $0.tally.counts == [0, 1] }
            _ = try await vote("Drink?", in: ann) { $0.ownOptions == [] && $0.tally.counts == [0, 1] }
            #expect(await bob.castVote(bobs.id, options: [1]), "the same ballot again")
            #expect(bob.problem == nil)

            #expect(await bob.castVote(bobs.id, options: [0, 1]) == false)
            #expect(bob.problem?.code == .server(.tooManyVotes))
            bob.dismissProblem()
            #expect(!bob.canCloseVote(bobs.id) && ann.canCloseVote(item.id))
            #expect(await bob.closeVote(bobs.id) == false)
            #expect(bob.problem?.code == .server(.noPrivilege))
            bob.dismissProblem()

            #expect(await ann.closeVote(item.id))
            #expect(await ann.closeVote(item.id), "once more changes nothing")
            for model in models { _ = try await vote("Drink?", in: model) { $0.phase == .closed } }
            #expect(!ann.canCloseVote(item.id))
            #expect(await bob.castVote(bobs.id, options: [0]) == false)
            #expect(bob.problem?.code == .server(.timeExpired))
            #expect(ann.items.last?.text == "Ann closed a vote: option 1: 0 and option 2: 1 (1 voter)")
            #expect(ann.problem == nil && clients.count == 3)
            // A message that is not a vote is skipped.
            #expect(await ann.castVote(.gap(1), options: [0]) == false)
            #expect(ann.problem == nil)
            await end(server, models)
        }

        @Test func `a vote opens and closes by its time on the screen`() async throws {
            let (server, _, models) = try await club()
            let ann = models[0]
            let hour: Int64 = 3_600_000
            let ask = Vote(
                options: [.text("x"), .text("y")], opensAt: Date(milliseconds: clock.now + hour),
                closesAt: Date(milliseconds: clock.now + 2 * hour))
            #expect(await ann.createVote("Later?", ask))
            let item = try await vote("Later?", in: ann) { $0.phase == .waiting }
            #expect(await ann.castVote(item.id, options: [0]) == false)
            #expect(ann.problem?.code == .server(.voteNotOpen))
            while manual.sleepers == 0 { await Task.yield() }
            clock.advance(by: hour)
            manual.advance(by: hour)
            _ = try await vote("Later?", in: ann) { $0.phase == .open }
            #expect(await ann.castVote(item.id, options: [0]))
            clock.advance(by: hour)
            _ = try await vote("Later?", in: ann) { $0.phase == .closed && $0.ownOptions == [0] }
            await end(server, models)
        }

        @Test func `votes cast while a device was offline, and data that is not in rows, are right after a reconnect`()
            async throws
        {
            let (server, clients, models) = try await club()
            let (ann, bob) = (models[0], models[1])
            let open = Vote(options: [.text("x"), .text("y")], canChange: true)
            let secret = Vote(options: [.text("x"), .text("y")], isSecret: true, canChange: true)
            let late = Vote(options: [.text("x"), .text("y")], results: .atEnd, canChange: true)
            for (subject, vote) in [("open", open), ("secret", secret), ("late", late)] {
                #expect(await ann.createVote(subject, vote))
            }
            var ids: [String: MessageID] = [:]
            for subject in ["open", "secret", "late"] {
                let item = try await vote(subject, in: bob)
                ids[subject] = item.messageID
                #expect(await bob.castVote(item.id, options: [0]))
                _ = try await vote(subject, in: bob) { $0.ownOptions == [0] && $0.tally.voters == 1 }
                _ = try await vote(subject, in: ann) { $0.ownOptions == [] && $0.tally.voters == 1 }
            }
            #expect(bob.item("late")?.voteState?.tally.counts == nil)
            await clients[1].disconnect()
            try await wait("offline") { bob.connection == .offline }
            // Meanwhile Cid votes, and Bob does on another device.
            let other = try await server.client(Cast.bob)
            for id in ids.values {
                try await clients[2].channel(Cast.club).castVote(id, options: [1])
                try await other.channel(Cast.club).castVote(id, options: [1])
            }
            try await clients[1].connect()
            for subject in ["open", "secret", "late"] {
                _ = try await vote(subject, in: bob) { $0.ownOptions == [1] && $0.tally.voters == 2 }
            }
            // The user's own ballot on another device, live.
            for subject in ["open", "late"] {
                try await other.channel(Cast.club).castVote(try #require(ids[subject]), options: [0])
                _ = try await vote(subject, in: bob) { $0.ownOptions == [0] }
            }
            // A newly opened screen shows it at once.
            let again = ConversationModel(client: clients[1], channel: Cast.club)
            again.start()
            _ = try await vote("secret", in: again) { $0.ownOptions == [1] && $0.tally.counts == [0, 2] }
            again.stop()
            let asked = try #require(ann.item("open")).id
            #expect(await ann.recall([asked]))
            try await wait("no vote any more") { bob.item("open") == nil }
            #expect(bob.items.allSatisfy { $0.content?.vote != nil || $0.voteState == nil })
            await end(server, models)
        }
    }
}
