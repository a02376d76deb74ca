// A conversation's screen without its pixels: what is on the device, what comes, what is typed and sent.
import RoostClient
import RoostModels
import RoostWire

@MainActor func conversationScreen(_ configuration: ClientConfiguration, with bob: UserID) async throws {
    // snippet.show
    var configuration = configuration
    configuration.store = try await LocalStore.open("ann.sqlite")  // an app opens with what was there
    let client = ChatClient(configuration: configuration)
    try await client.connect()
    let chat = try await client.startMessaging(with: bob).channel
    let screen = ConversationModel(client: client, channel: chat)
    let field = ComposerModel(client: client, channel: chat)
    screen.start()
    field.start()
    while !screen.hasLoaded, screen.problem == nil { await Task.yield() }  // SwiftUI draws again by itself
    field.edit("Hello, Bob")
    field.send()  // shown at once, kept until it is sent
    while screen.items.last?.text != "Hello, Bob" { await Task.yield() }
    for item in screen.items { print(item.senderName, item.text, item.state) }
    // snippet.hide
}
