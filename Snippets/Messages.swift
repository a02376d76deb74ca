// Messages of all kinds, answers, and reading them back.
import RoostClient

func messages(_ client: RoostClient, in channel: ChannelHandle, bob: UserID) async throws {
    // snippet.show
    let question = try await channel.send(
        "@Bob, where?", mentions: [Mention(userID: bob, start: 0, length: 4)], category: "questions")

    let picture = FileReference(fileID: "pictures/7", name: "roof.jpg", contentType: "image/jpeg", size: 48_213)
    try await channel.send(
        .image(picture, thumbnail: FileReference(fileID: "pictures/7-small")), extras: ["width": "1200"])
    try await channel.send(
        .location(Location(latitude: 52.52, longitude: 13.4, address: "Alexanderplatz")),
        replyTo: question.messageID)
    try await channel.send(.custom([.stored, .live], text: "42"))  // no push, not unread, not the last message

    // Many at once: they keep this order, whatever happens to the connection.
    let pending = (1...10).map { channel.enqueue("line \($0)") }
    for message in pending { print(try await message.acknowledgement.seq ?? 0) }

    // Read back: by time, over all channels, of one category, page by page to the end.
    var next: String?
    repeat {
        let page = try await client.messages(.after, 0, category: "questions", cursor: next)
        for event in page.events { print(event.channel ?? channel.id, event.name) }
        next = page.next
    } while next != nil
    // snippet.hide
}

do {
    let client = RoostClient(
        configuration: .init(server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone"))
    try await client.connect()
    let channel = client.channel(try await client.startMessaging(with: "bob").channel)
    try await messages(client, in: channel, bob: "bob")
} catch {
    print(error)
}
