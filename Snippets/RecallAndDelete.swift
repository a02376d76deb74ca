// Taking messages back for everybody, and away from one's own view.
import RoostClient

func recallAndDelete(_ client: ChatClient, _ channel: ChannelHandle) async throws {
    // snippet.show
    let first = try await channel.send("Oops").messageID
    let second = try await channel.send("Well").messageID
    // A shell is left; isSilent: true leaves nothing.
    for result in try await channel.recall([first]) where result.code != 0 {
        print(result.messageID, ErrorCode.find(result.code)?.meaning ?? "")
    }
    try await channel.delete([second])  // for me; everybody else keeps it
    try await channel.deleteAll()  // everything in this channel up to now, for me
    try await client.deleteEverything()  // in all channels, for me
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await recallAndDelete(client, client.channel("roof"))
} catch {
    print(error)
}
