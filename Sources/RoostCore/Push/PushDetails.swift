import RoostWire

/// What a push notification is made of.
struct PushDetails {
    var event: Event
    var kind: PushKind
    var channelKind: ChannelKind?
    var channelTitle: String?
    /// Who caused it, as shown in the channel; nil for an operator.
    var sender: User?
    var isMention: Bool

    /// The most bytes of a text in a payload, which has each up to five times. The services take 4 KB in all.
    private static let maxText = 400
    static let maxName = 100
    private static let maxExtras = 500

    /// The payload, without numbers and sound.
    func payload(for user: UserID, pushID: String, settings: DeviceSettings) -> PushPayload {
        let sender = settings.hidesSender ? nil : sender
        let name = sender.map { Self.cut($0.name, Self.maxName) }
        let content = settings.hidesContent ? nil : content
        let title = settings.hidesSender ? nil : channelTitle.map { Self.cut($0, Self.maxName) }
        let (key, args, text) = PushText.text(
            of: event, sender: name, content: content, isHidden: settings.hidesContent)
        let isGroup = channelKind != .single && title != nil
        var payload = PushPayload(
            pushID: pushID, kind: kind, userID: user, event: event.name, sentAt: event.sentAt ?? .init(milliseconds: 0),
            badge: 0, body: isGroup && PushText.isSaid(event) ? name.map { "\($0): \(text)" } ?? text : text,
            locKey: key, locArgs: args)
        payload.title = title ?? (PushText.isSaid(event) ? name : nil)
        (payload.channel, payload.channelKind, payload.channelTitle) = (event.channel ?? channel, channelKind, title)
        (payload.messageID, payload.seq) = (event.messageID, event.seq)
        (payload.senderID, payload.senderName) = (sender?.userID, name)
        if let image = sender?.imageURL, image.utf8.count <= 300 { payload.imageURL = image }
        payload.type = event.body.messageType?.name
        if isMention { payload.isMention = true }
        payload.text = content.flatMap { $0.isEmpty ? nil : $0 }
        payload.isEncrypted = event.body.isEncrypted
        guard let message = event.sentMessage else { return payload }
        (payload.attributes, payload.call) = (message.content.attributes, message.content.call)
        if !settings.hidesContent {
            payload.category = message.content.category
            if let extras = message.content.extras {
                let bytes = extras.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
                if bytes <= Self.maxExtras { payload.extras = extras }
            }
        }
        return payload
    }

    /// The channel that an event of a user's log is about.
    private var channel: ChannelID? {
        switch event.body {
        case .user(.channelJoined(let joined)): joined.channel
        case .user(.channelInvited(let invited)): invited.channel
        default: nil
        }
    }

    /// The beginning of the text of a message.
    private var content: String? {
        switch event.body {
        case .channel(.messageAnnounced(let announcement)): Self.cut(announcement.text, Self.maxText)
        default: event.sentMessage.map { Self.cut($0.text, Self.maxText) }
        }
    }

    /// A text of at most this many bytes of UTF-8, without a part of a character.
    static func cut(_ text: String, _ most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var (result, count) = ("", "…".utf8.count)
        for character in text {
            count += character.utf8.count
            if count > most { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension EventBody {
    /// Whether the message or announcement was stored encrypted.
    fileprivate var isEncrypted: Bool? {
        message?.isEncrypted ?? announcement?.isEncrypted
    }
}

/// What push notifications say in English, with the keys for the texts of an app.
enum PushText {
    /// Whether somebody says it: in a group, the name comes before it.
    static func isSaid(_ event: Event) -> Bool { event.sentMessage != nil }

    /// The key, the values for its places, and the English text.
    static func text(
        of event: Event, sender: String?, content: String?, isHidden: Bool
    ) -> (key: String, args: [String], text: String) {
        let type = type(of: event)
        let caption = content ?? ""
        let key = "roost." + (isHidden ? "hidden" : type)
        let name = sender ?? ""
        if isHidden {
            let isCall = type == "callReceived" || type == "callCancelled"
            return isCall
                ? ("roost." + type, [name], english(type)) : (key, [name], isSaid(event) ? "New message" : "News")
        }
        switch event.body {
        case .user(.channelJoined(let joined)):
            let title = PushDetails.cut(joined.title ?? "", PushDetails.maxName)
            let verb = joined.reason == .invited ? "added you to" : "created"
            return (key, [name, title], sentence(name, "\(verb) \(title.isEmpty ? "a conversation" : title)"))
        case .user(.channelInvited(let invited)):
            let title = PushDetails.cut(invited.title ?? "", PushDetails.maxName)
            return (key, [name, title], sentence(name, "invited you to \(title.isEmpty ? "a conversation" : title)"))
        case .channel(.memberInvited(let invited)):
            let names = (invited.members + (invited.invited ?? [])).prefix(3).map { PushDetails.cut($0.name, 60) }
            let list = names.joined(separator: ", ")
            return (key, [name, list], sentence(name, "invited \(list)"))
        case .user(.scheduleCreated): return (key, [], "Your message is scheduled")
        case .user(.scheduleSent(let sent)):
            return (key, [], sent.isVote == true ? "Your scheduled vote was sent" : "Your scheduled message was sent")
        default:
            let isText = caption.isEmpty == false && ["text", "publicNews", "corporateNews"].contains(type)
            // The text of a sticker is the app's code for it.
            let hasCaption = !caption.isEmpty && type != "sticker"
            return (
                key, [name, caption],
                isText ? caption : hasCaption ? "\(english(type)): \(caption)" : english(type)
            )
        }
    }

    /// The type of the message, or a name for an event of the user's log.
    private static func type(of event: Event) -> String {
        switch event.body {
        case .user(.channelInvited): "channelInvited"
        case .user(.channelJoined(let joined)) where joined.reason == .invited: "channelJoined"
        default: event.body.messageType?.name ?? "text"
        }
    }

    private static func sentence(_ name: String, _ rest: String) -> String {
        name.isEmpty ? rest.prefix(1).uppercased() + rest.dropFirst() : "\(name) \(rest)"
    }

    private static func english(_ type: String) -> String {
        switch type {
        case "sticker": "Sticker"
        case "image": "Picture"
        case "video": "Video"
        case "voice": "Voice message"
        case "contact": "Contact"
        case "location": "Place"
        case "document": "File"
        case "callReceived": "Incoming call"
        case "callCancelled": "Missed call"
        case "publicNews", "corporateNews": "News"
        case _ where type.hasPrefix("vote"): "Vote"
        default: "New message"
        }
    }
}
