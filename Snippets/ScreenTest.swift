// The test of an app's chat screen, with a real server in the process and no network.
import RoostClient
import RoostModels
import RoostTesting

@MainActor func screenTest() async throws {
    // snippet.show
    let server = try await TestServer.start()
    let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
    let chat = try await bob.startMessaging(with: Cast.ann.userID).channel
    let screen = ConversationModel(client: ann, channel: chat)
    screen.start()
    try await bob.channel(chat).send("Hello, Ann")
    while screen.items.last?.text != "Hello, Ann" { await Task.yield() }
    screen.stop()
    await server.stop()
    // snippet.hide
}

try await screenTest()
