// Blocking somebody, one way and without a word, and being asked before joining groups of strangers.
import RoostClient

func blocks(_ client: ChatClient, bob: UserID) async throws {
    // snippet.show
    try await client.block(bob)
    for blocked in try await client.blocked() { print(blocked.user.name, blocked.at) }
    do {
        _ = try await client.startMessaging(with: bob)
    } catch {
        print(error.code == .server(.blocked) ? "Bob has blocked me, too" : error.message)
    }
    try await client.unblock(bob)
    try await client.setInvites(from: .contacts)
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await blocks(client, bob: "bob")
} catch {
    print(error)
}
