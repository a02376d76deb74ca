// News: an operator publishes, whoever subscribes gets it on all devices.
import Foundation
import RoostClient

func news(_ reader: ChatClient, from operators: ChatClient) async throws {
    // snippet.show
    // A back end with an operator's token makes the channel, once.
    guard let offers = try await operators.createNews(title: "Offers").channel else { return }
    try await operators.createNews(title: "From the house", isForEverybody: true)

    // Users look around and subscribe; the news of the house come to everybody by themselves.
    for channel in try await reader.news().channels where !channel.isSubscribed {
        print(channel.title, channel.subscriberCount)
    }
    try await reader.channel(offers).subscribe()

    // What is published is a message like others: live, unread, in the history. At the end of its time it vanishes.
    let tomorrow = Date(timeIntervalSinceNow: 24 * 3_600)
    try await operators.channel(offers).publish("Two for one, today", category: "food", validUntil: tomorrow)
    for event in try await reader.channel(offers).history().events {
        if case .channel(.messageSent(let piece)) = event.body { print(piece.senderName, piece.text) }
    }
    try await reader.channel(offers).markRead()
    try await reader.channel(offers).unsubscribe()
    // snippet.hide
}

do {
    let address = "http://127.0.0.1:7878"
    let reader = ChatClient(configuration: .init(server: address, credentials: .guest("ann"), deviceID: "anns-phone"))
    let operators = ChatClient(
        configuration: .init(server: address, credentials: .guest("house"), deviceID: "back-end"))
    try await reader.connect()
    try await operators.connect()
    try await news(reader, from: operators)
} catch {
    print(error)
}
