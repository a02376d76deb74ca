import RoostModels
import RoostWire

// Pinned messages.
extension ChatApp {
    /// Pins a message, or takes it down: the given one, otherwise the one being replied to, otherwise the last one.
    func togglePin(_ item: TimelineItem? = nil) {
        guard let room else { return say("No conversation is open.", isProblem: true) }
        let conversation = room.conversation
        let answered = room.composer.replyTo
        guard let item = item ?? answered ?? conversation.items.last(where: \.takesReactions), item.takesReactions,
            let message = item.messageID
        else { return say("There is no message to pin.", isProblem: true) }
        if answered?.id == item.id { room.composer.reply(to: nil) }
        room.selected = nil
        run { [weak self] in
            if conversation.isPinned(message) {
                if await conversation.unpin(message) { self?.say("Unpinned.") }
            } else {
                if await conversation.pin(item.id) { self?.say("Pinned.") }
            }
        }
    }

    /// Lists the pinned messages, or goes to one of them.
    func showPins(_ number: Int?) {
        guard let conversation = room?.conversation else { return say("No conversation is open.", isProblem: true) }
        let pins = conversation.pins
        guard !pins.isEmpty else { return say("No message is pinned here.") }
        guard let number else {
            let lines = pins.enumerated().flatMap { index, pinned in
                let time = Printable.when(pinned.item.sentAt, now: clock.now(), in: zone)
                let head = "\(index + 1)  \(pinned.item.senderName), \(time), pinned by \(pinned.pin.name)"
                let type = pinned.item.content?.type ?? MessageType.text.name
                return [head, "   " + (pinned.item.text.isEmpty ? "[\(type)]" : pinned.item.text), ""]
            }
            sheet = ChatState.Sheet(title: "Pinned messages", lines: lines + ["/pins NUMBER goes to one of them."])
            return
        }
        guard pins.indices.contains(number - 1) else {
            let all = pins.count == 1 ? "is only 1 pinned message" : "are only \(pins.count) pinned messages"
            return say("There \(all).", isProblem: true)
        }
        run { await conversation.jump(to: pins[number - 1].pin.messageID.seq) }
    }
}
