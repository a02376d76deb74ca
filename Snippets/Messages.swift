// Messages of all kinds, answers, and reading them back.
import Foundation
import RoostClient

func messages(_ client: ChatClient, in channel: ChannelHandle, bob: UserID) async throws {
    // snippet.show
    let question = try await channel.send(
        "@Bob, where?", mentions: [Mention(userID: bob, start: 0, length: 4)], category: "questions")

    let picture = try await client.upload(LocalFile(path: "roof.jpg", width: 1_200, height: 900))
    try await channel.send(.image(picture, text: "The new roof"), extras: ["album": "house"])
    try await channel.send(
        .location(Location(latitude: 52.52, longitude: 13.4, address: "Alexanderplatz")),
        replyTo: question.messageID)
    try await channel.send(.custom([.stored, .live], text: "42"))  // no push, not unread, not the last message

    // Many at once: they keep this order, whatever happens to the connection.
    let pending = (1...10).map { channel.enqueue("line \($0)") }
    for message in pending { print(try await message.sent.seq ?? 0) }

    // Read back: by time, over all channels, of one category, to the end.
    let questions = try await client.messages(sent: .after, .distantPast, category: "questions")
    for try await event in questions.all { print(event.channel ?? channel.id, event.name) }
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    let channel = client.channel(try await client.startMessaging(with: "bob").channel)
    try await messages(client, in: channel, bob: "bob")
} catch {
    print(error)
}
