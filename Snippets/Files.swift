// Files: uploaded with their message or on their own, with progress, and downloaded.
import RoostClient

func files(_ client: ChatClient, in channel: ChannelHandle) async throws {
    // snippet.show
    // With a store: the message waits in the queue for its file, across lost connections and restarts.
    let photo = LocalFile(path: "roof.jpg", width: 1_600, height: 1_200)
    let pending = channel.enqueue(uploading: photo) { .image($0, text: "The new roof") }
    for await progress in client.uploadProgress(of: pending.transID) { print(progress.fraction) }
    print(try await pending.sent.seq ?? 0)

    // On its own: the same file in several messages is uploaded once.
    let plan = try await client.upload(LocalFile(path: "plan.pdf")) { print($0.completedBytes, $0.totalBytes) }
    try await channel.send(.document(plan, text: "Before"))
    try await channel.send(.document(plan, text: "After"))

    try await client.download(plan.fileID, to: "copy.pdf")
    for stored in try await client.files([plan.fileID]) { print(stored.link, stored.linkExpiresAt) }
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone",
        store: try await .open("ann.sqlite"))
    try await client.connect()
    try await files(client, in: client.channel("roof"))
} catch {
    print(error)
}
