// Reactions: put on a message, taken back, shown with counts, and kept up to date by events.
import RoostClient

func reactions(_ client: ChatClient, in channel: ChannelHandle, to message: MessageID) async throws {
    // snippet.show
    try await channel.react(with: "👍", to: message)
    try await channel.react(with: "👍", to: message)  // it is there: nothing happens

    guard let me = await client.user?.userID, var shown = try await channel.messages([message]).first else { return }
    for kind in shown.reactions?.kinds ?? [] { print(kind.emoji, kind.count, kind.isMine) }

    for reaction in try await channel.reactions(to: message, emoji: "👍") { print(reaction.name, reaction.reactedAt) }

    // Without a local store and its models, a screen keeps a message up to date by what happens.
    let events = channel.events()
    try await channel.removeReaction("👍", from: message)
    for try await case .event(let event, _) in events {
        shown = shown.after(event, viewer: me)
        if case .channel(.reactionRemoved) = event.body { break }
    }
    print(shown.reactions?.kinds.count ?? 0)
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await reactions(client, in: client.channel("roof"), to: "019b76dac9200000000000019c3e51d7")
} catch {
    print(error)
}
