// Read marks, who has read what, and why a badge has its number.
import RoostClient

func reading(_ client: ChatClient, _ channel: ChannelHandle) async throws {
    // snippet.show
    let message = try await channel.send("Read this")
    try await channel.markRead(upTo: message.seq)  // a mark never moves back

    for member in try await channel.readMarks() { print(member.userID, "has read up to", member.seq) }
    for count in try await channel.readCounts(of: [message.messageID]) { print(count.readBy, "have read it") }
    for reader in try await channel.readers(of: message.messageID) { print(reader.userID, reader.readAt) }

    try await channel.markUnread()  // for me alone; the next mark takes it away
    let unread = try await client.unread()
    print(unread.total, "unread,", unread.muted ?? 0, "more in muted channels,", unread.mentions ?? 0, "mention me")
    for channel in try await client.explainUnread() { print(channel.channel, channel.words) }
    try await client.markAllRead()
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await reading(client, client.channel("roof"))
} catch {
    print(error)
}
