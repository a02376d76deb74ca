// Forwarding: the server copies messages to other channels, and tells where they come from to who may know.
import RoostClient

func forwards(_ client: ChatClient, from channel: ChannelHandle, to others: [ChannelID]) async throws {
    // snippet.show
    let picture = try await client.upload(LocalFile(path: "roof.jpg"))
    let sent = [
        try await channel.send("The roof is done"), try await channel.send(.image(picture)),
    ].map(\.messageID)

    for result in try await channel.forward(sent, to: others) where result.code == 0 {
        guard let copy = result.messageID else { continue }
        // Only who can read the original gets an answer.
        let origin = try await client.channel(result.channel).origin(of: copy)
        print(result.channel, "has a copy of", origin.messageID, "by", origin.senderName ?? "")
    }

    // The notice of a call: it rings on the other devices, and the call itself is the app's own.
    try await channel.send(.call(.callReceived, CallNotice(callID: "c-77", kind: .video)))
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await forwards(client, from: client.channel("roof"), to: ["lobby"])
} catch {
    print(error)
}
