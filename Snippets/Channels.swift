// A group: made, changed, kept in a local copy, dismissed.
import Foundation
import RoostClient

func channels(_ client: ChatClient, bob: UserID, cat: UserID) async throws {
    // snippet.show
    let members = [NewMember(bob, role: .moderator), NewMember(cat, role: .invited)]  // cat is asked first
    let made = try await client.createGroup(title: "The roof", members: members)
    let roof = client.channel(made.channel)

    try await roof.setProfile(ChannelProfile(title: "The new roof", canJoin: true))  // for everybody
    try await roof.setPreference(isMuted: true, nickname: "Annie")  // for me

    var asOf: Date?  // what to ask with the next time
    for try await batch in client.channelBatches(kinds: [.group], changedSince: nil, withMembers: true) {
        asOf = asOf ?? batch.asOf
        print("batch \(batch.batch) of \(batch.batchTotal): \(batch.channels.map(\.channel))")
    }
    for try await batch in client.channelBatches(changedSince: asOf) {
        print("changed: \(batch.channels.count), lost: \(batch.gone.map(\.channel))")
    }
    try await roof.dismiss()
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await channels(client, bob: "bob", cat: "cat")
} catch {
    print(error)
}
