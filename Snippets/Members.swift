// Members of a group: invited, given roles, removed, banned.
import RoostClient

func members(of group: ChannelHandle, bob: UserID, cat: UserID, dan: UserID) async throws {
    // snippet.show
    try await group.invite([NewMember(bob), NewMember(cat, role: .invited)], joinMethod: .userSearch)
    try await group.setRole(.moderator, of: bob)
    try await group.kick([bob], reason: 3)  // the number is the app's own; everybody gets it
    try await group.ban([dan])

    for try await member in try await group.members(roles: [.invited, .outcast]).all { print(member.name) }
    try await group.leave(successor: cat)  // the last admin of a group hands over
    // snippet.hide
}

func answer(_ client: ChatClient) async throws {
    // snippet.show
    for invitation in try await client.invitations() {
        try await client.channel(invitation.channel).answerInvitation(isAccepted: true)
    }
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await answer(client)
    try await members(of: client.channel("roof"), bob: "bob", cat: "cat", dan: "dan")
} catch {
    print(error)
}
