// Messages from an operator to many users, followed to their end.
import RoostClient

func tellEverybody(_ boss: ChatClient, from support: UserID) async throws {
    // snippet.show
    let made = try await boss.broadcast([.text("We are closed on Friday.")], from: support, to: .everybody)

    // Everything about it can be asked and changed from anywhere, while the server goes on by itself.
    try await boss.pauseBroadcast(made.broadcastID)
    try await boss.resumeBroadcast(made.broadcastID)
    var now = made
    while !now.state.isFinished {
        try await Task.sleep(for: .seconds(1))
        now = try await boss.broadcast(made.broadcastID)
        print(now.state, now.done, "of", now.users)
    }
    for refusal in now.refusals { print(refusal.count, ErrorCode.find(refusal.code)?.meaning ?? "") }
    // snippet.hide
}

do {
    // roost token --data ./roost-data --user boss --operator
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .token { "the operator's token" }, deviceID: "desk")
    try await client.connect()
    try await tellEverybody(client, from: "support")
} catch {
    print(error)
}
