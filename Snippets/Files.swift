// Sending a photo and saving another one.
import RoostClient

func files(_ client: ChatClient, _ chat: ChannelHandle) async throws {
    // snippet.show
    let photo = LocalFile(path: "roof.jpg", width: 1_200, height: 900, thumbnail: "roof-small.jpg")
    // With a store: it outlives the process, and continues after a loss.
    let pending = chat.enqueue(uploading: photo) { .file($0, text: "The new roof") }
    for await progress in await client.uploadProgress(of: pending.transID) { print(progress.fraction) }
    // Step by step, without a store.
    let plan = try await client.upload(LocalFile(path: "plan.pdf")) { print($0.completedBytes, "of", $0.totalBytes) }
    try await chat.send(.file(plan))
    for event in try await chat.history().events {
        guard case .channel(.messageSent(let message)) = event.body, let file = message.file else { continue }
        print(try await client.download(file))
    }
    // Several at a time; one that fails ends no other.
    for transfer in await client.transfers([.download(plan, to: "copy.pdf"), .link(plan.fileID)]).results() {
        print(transfer.id, transfer.state)
    }
    // snippet.hide
}

do {
    var configuration = ClientConfiguration(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    configuration.store = try await LocalStore.open("ann.sqlite")
    let client = ChatClient(configuration: configuration)
    try await client.connect()
    try await files(client, client.channel(try await client.startMessaging(with: "bob").channel))
} catch {
    print(error)
}
