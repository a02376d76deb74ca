import RoostClient
import RoostModels
import RoostWire

// Pinned messages.
extension ChatApp {
    /// Pins a message, or takes it down: the given one, otherwise the one being replied to, otherwise the last one.
    func togglePin(_ item: TimelineItem? = nil) {
        guard let room else { return say(words(.noConversation), isProblem: true) }
        let conversation = room.conversation
        let answered = room.composer.replyTo
        guard let item = item ?? answered ?? conversation.items.last(where: \.takesReactions), item.takesReactions,
            let message = item.messageID
        else { return say(words(.noPinnable), isProblem: true) }
        if answered?.id == item.id { room.composer.reply(to: nil) }
        room.selected = nil
        run { [weak self, words] in
            if conversation.isPinned(message) {
                if await conversation.unpin(message) { self?.say(words(.unpinned)) }
            } else {
                if await conversation.pin(item.id) { self?.say(words(.pinned)) }
            }
        }
    }

    /// Lists the pinned messages, or goes to one of them.
    func showPins(_ number: Int?) {
        guard let conversation = room?.conversation else { return say(words(.noConversation), isProblem: true) }
        let pins = conversation.pins
        guard !pins.isEmpty else { return say(words(.noPins)) }
        guard let number else {
            let lines = pins.enumerated().flatMap { index, pinned in
                let time = words.when(pinned.item.sentAt, now: clock.now(), in: zone)
                let head = words(
                    .pinHead,
                    [
                        "number": .digits(index + 1), "name": .text(pinned.item.senderName), "time": .text(time),
                        "pinner": .text(pinned.pin.name),
                    ])
                let type = pinned.item.content?.type ?? MessageType.text.name
                return [head, "   " + (pinned.item.text.isEmpty ? "[\(type)]" : pinned.item.text), ""]
            }
            sheet = ChatState.Sheet(title: words(.pins), lines: lines + [words(.pinsHint)])
            return
        }
        guard pins.indices.contains(number - 1) else {
            return say(words(.onlyPins, ["count": .number(pins.count)]), isProblem: true)
        }
        run { await conversation.jump(to: pins[number - 1].pin.messageID.seq) }
    }
}
