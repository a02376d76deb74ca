import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The state of everything that loads in pages.
    @MainActor @Suite struct PagesTests {
        /// Requests a page while the server is stopped, so that it is loading until `look` ends.
        private func hold(
            _ server: ScreenServer, _ load: @escaping @MainActor () async -> Bool,
            look: @MainActor () async throws -> Void
        ) async throws {
            let pid = server.process.pid
            #expect(kill(pid, SIGSTOP) == 0)
            let loading = Task { await load() }
            do {
                try await look()
            } catch {
                kill(pid, SIGCONT)
                throw error
            }
            #expect(kill(pid, SIGCONT) == 0)
            #expect(await loading.value)
        }

        @Test func `conversations, messages and members know that a page is loading, and which is the last [J-73]`()
            async throws
        {
            let server = try await ScreenServer()
            let bob = try await server.connectedClient(Cast.bob)
            for user in Cast.all { _ = try await server.connectedClient(user, device: "0") }
            for number in 1...3 {
                let members = Cast.all.filter { $0 != Cast.bob }.map(\.userID)
                _ = try await bob.createGroup(channel: try channelID("c\(number)"), members: members)
            }
            let club = try channelID("c3")
            try await bob.fill(club, 1...3)
            let ann = try await server.connectedClient(Cast.ann)

            let list = ChannelListModel(client: ann, pageSize: 2)
            #expect(!list.isLoading && !list.hasMore)
            list.start()
            try await wait("two conversations") { list.hasLoaded && !list.isLoading }
            #expect(list.rows.count == 2 && list.hasMore)
            try await hold(server) {
                await list.loadNext()
            } look: {
                try await wait("a page of conversations on its way") { list.isLoading }
                #expect(list.rows.count == 2 && list.hasMore)
                #expect(await list.loadNext() == false, "one load at a time")
            }
            #expect(!list.isLoading && !list.hasMore && list.rows.count == 3)
            #expect(await list.loadNext() == false)

            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 2
            let model = ConversationModel(client: ann, channel: club, configuration: configuration)
            #expect(!model.isLoadingPrevious && !model.hasPrevious)
            model.start()
            try await wait("two messages") { model.hasLoaded && model.texts == ["m2", "m3"] && model.hasPrevious }
            #expect(!model.isLoadingPrevious)
            try await hold(server) {
                await model.loadPrevious()
            } look: {
                try await wait("a page of messages on its way") { model.isLoadingPrevious }
                #expect(model.texts == ["m2", "m3"] && model.hasPrevious)
            }
            #expect(!model.isLoadingPrevious && !model.hasPrevious && model.texts == ["m1", "m2", "m3"])
            #expect(await model.loadPrevious() == false)

            let members = MemberListModel(client: ann, channel: club, pageSize: 2)
            #expect(!members.isLoading)
            members.start()
            try await wait("two members") { members.members.count == 2 && !members.isLoading }
            #expect(members.hasMore)
            try await hold(server) {
                await members.loadNext()
            } look: {
                try await wait("a page of members on its way") { members.isLoading }
                #expect(members.members.count == 2 && members.hasMore)
            }
            #expect(members.members.map(\.userID) == Cast.all.map(\.userID))
            #expect(await members.loadNext() == false)
            #expect(!members.isLoading && !members.hasMore)
        }

        @Test func `a row of any kind bounds a page, and a message that is not sent bounds none [J-24 C-J9 C-Z7]`()
            async throws
        {
            let server = try await ScreenServer()
            let bob = try await server.connectedClient(Cast.bob)
            _ = try await server.connectedClient(Cast.ann, device: "0")
            let op = try await server.unconnectedClient(try makeUser("op", "Op"), isOperator: true)
            try await op.connect()
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            let talk = bob.channel(Cast.annAndBob)
            // Pages of two rows start with a line, a file, an announcement and a text.
            try await bob.fill(Cast.annAndBob, 1...2)
            try await op.channel(Cast.annAndBob).announce("m3")
            try await talk.send("m4")
            try await talk.send(.document(try await bob.uploadSample("plan.pdf"), text: "m5"))
            try await talk.send("m6")
            try await talk.setProfile(ChannelProfile(background: "b"))
            try await talk.send("m8")

            let ann = try await server.connectedClient(Cast.ann)
            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 2
            let model = ConversationModel(client: ann, channel: Cast.annAndBob, configuration: configuration)
            model.start()
            try await wait("the newest page") { model.hasLoaded && model.items.compactMap(\.seq) == [7, 8] }
            try await bob.block(Cast.ann.userID)
            _ = ann.channel(Cast.annAndBob).enqueue("mine")
            try await wait("failed") { if case .failed = model.item("mine")?.state { true } else { false } }
            for first in [5, 3, 1] as [Int64] {
                #expect(await model.loadPrevious())
                #expect(model.items.compactMap(\.seq) == Array(first...8))
            }
            #expect(!model.hasPrevious)
            try await bob.unblock(Cast.ann.userID)
            try await talk.send("m9")
            try await model.waitFor("m9")
            #expect(model.items.compactMap(\.seq) == Array(1...9))
            #expect(model.items.last?.text == "mine" && model.items.last?.seq == nil)
        }
    }
}
