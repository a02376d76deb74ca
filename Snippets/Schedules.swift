// Several messages to several channels, at once and later.
import Foundation
import RoostClient

func tellEverybody(_ client: ChatClient, _ channels: [ChannelID]) async throws {
    // snippet.show
    let picture = try await client.upload(LocalFile(path: "roof.jpg"))
    let messages: [MessageContent] = [.text("The roof is done"), .image(picture)]
    for result in try await client.send(messages, to: channels) where result.code != 0 {
        print(result.channel, ErrorCode.find(result.code)?.meaning ?? "")
    }
    let tomorrow = Date(timeIntervalSinceNow: 24 * 3_600)
    let schedule = try await client.schedule([.text("Tea on the roof")], to: channels, at: tomorrow)
    try await client.changeSchedule(schedule.scheduleID, messages: [.text("Tea on the roof, at four")])
    for waiting in try await client.schedules() { print(waiting.sendAt, waiting.channels) }
    try await client.cancelSchedule(schedule.scheduleID)
    let menu = Vote(options: [MessageContent(text: "Soup"), MessageContent(text: "Pizza")])
    let question = try await client.scheduleVote("Where do we eat?", menu, to: channels, at: tomorrow)
    try await client.changeSchedule(question.scheduleID, subject: "What do we eat?")
    // snippet.hide
}

do {
    let client = ChatClient(
        server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
    try await client.connect()
    try await tellEverybody(client, ["roof", "garden"])
} catch {
    print(error)
}
