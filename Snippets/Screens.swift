// A conversation's screen without a screen: what the models give to draw.
import RoostClient
import RoostModels
import RoostWire

@MainActor func screens(client: ChatClient, channel: ChannelID) async {
    // snippet.show
    let conversation = ConversationModel(client: client, channel: channel)
    let field = ComposerModel(client: client, channel: channel, conversation: conversation)
    conversation.start()  // what is on the device shows at once, the rest comes
    field.start()
    while !conversation.hasLoaded, conversation.problem == nil { await Task.yield() }  // SwiftUI draws again by itself
    field.edit("Hello from a model")
    field.send()  // in the timeline at once, as one that is on its way
    while conversation.items.last?.text != "Hello from a model" { await Task.yield() }
    for item in conversation.items {
        print(item.isGrouped ? "" : item.senderName, item.text, item.unreadBy > 0 ? "unread by \(item.unreadBy)" : "")
        conversation.shown(item.id)  // the first one loads the page before it, a gap what is missing there
    }
    // snippet.hide
}
