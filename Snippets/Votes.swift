// Votes: asked with one message, cast, followed by events, and read back.
import RoostClient

func votes(_ client: ChatClient, in channel: ChannelHandle, picture: FileReference) async throws {
    // snippet.show
    let lunch = Vote(
        options: [.text("Soup"), .text("Pizza"), .image(picture, text: "The new place")], canChange: true)
    let vote = try await channel.createVote("Where do we eat?", lunch).messageID

    try await channel.castVote(vote, options: [1])
    try await channel.castVote(vote, options: [2])  // changed: the vote allows it
    for state in try await channel.votes([vote]) { print(state.phase, state.tally.counts ?? [], state.ownOptions) }
    for ballot in try await channel.ballots(of: vote) { print(ballot.name, ballot.options ?? []) }

    // A screen reads the votes once, and keeps them up to date by what happens.
    guard let me = await client.user?.userID else { return }
    var shown = try await channel.votes().elements
    let events = channel.events()
    try await channel.closeVote(vote)
    for try await case .event(let event, _) in events {
        shown = shown.compactMap { $0.after(event, viewer: me) }
        if case .channel(.voteClosed) = event.body { break }
    }
    print(shown.first?.tally.counts ?? [])
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await votes(client, in: client.channel("roof"), picture: try await client.upload(LocalFile(path: "place.jpg")))
} catch {
    print(error)
}
