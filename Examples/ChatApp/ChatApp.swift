// The smallest app: one conversation on the screen. Run `dev/run` first, then `swift run ChatApp ann bob`.
import Foundation
import RoostClient
import RoostModels
import RoostWire

/// Opens the store, connects, and returns the conversation of two guests.
@MainActor func openChat(_ me: UserID, with other: UserID) async throws -> (ConversationModel, ComposerModel) {
    guard let device = DeviceID(rawValue: "example-\(me)") else { throw CocoaError(.coderInvalidValue) }
    var configuration = ClientConfiguration(
        server: "http://127.0.0.1:7878", credentials: .guest(me), deviceID: device)
    let folder = FileManager.default.temporaryDirectory.path
    configuration.store = try await LocalStore.open(folder + "/roost-example-\(me).sqlite")
    let client = ChatClient(configuration: configuration)
    try await client.connect()
    let chat = try await client.startMessaging(with: other).channel
    return (ConversationModel(client: client, channel: chat), ComposerModel(client: client, channel: chat))
}

#if canImport(SwiftUI)
    import SwiftUI

    struct ChatScreen: View {
        let screen: ConversationModel
        let field: ComposerModel

        var body: some View {
            List(screen.items) { item in
                Text("\(item.senderName): \(item.text)")
                    .onAppear { screen.shown(item.id) }
            }
            TextField(screen.typingLine ?? "Message", text: Binding(get: { field.text }, set: { field.edit($0) }))
                .onSubmit { field.send() }
                .task {
                    screen.start()
                    field.start()
                }
        }
    }
#endif

@main struct ChatApp {
    @MainActor static func main() async throws {
        let names = CommandLine.arguments.dropFirst().compactMap(UserID.init(rawValue:))
        guard let me = names.first, let other = names.dropFirst().first else {
            print("usage: ChatApp ME OTHER")
            return
        }
        let (screen, field) = try await openChat(me, with: other)
        screen.start()
        field.start()
        field.edit("Hello from the example")
        _ = try await field.send()?.sent
        for item in screen.items { print(item.senderName, item.text) }
    }
}
