// Ten lines from nothing to a conversation. The README quotes them.
import RoostClient

func firstMessage() async throws {
    // snippet.show
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()  // from here on it reconnects and catches up by itself
    let channel = client.channel("lobby")
    try await channel.join()
    try await channel.send("Hello from Swift")  // returns when the message is on the server's disk
    for try await case .event(let event, _) in channel.events(after: 0) {
        print(event.name, event.senderID ?? "-")  // each row once, in order, history and live without a gap
    }
    // snippet.hide
}

do {
    try await firstMessage()
} catch {
    print(error)
}
