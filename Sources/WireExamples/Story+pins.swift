import RoostWire

// Pinned messages: the commands with their answers, and the rows.
extension Story {
    /// The pinned message: Ann's greeting.
    private var pinned: MessageID { messageID(1, 12) }

    func pins() throws -> [Examples.Exchange] {
        [
            try exchange(
                AddPin(channel: pair, messageID: pinned), id: "t-0083",
                answer: try acknowledged(pair, 21, transID: "t-0083", at: 365)),
            try exchange(
                AddPin(channel: pair, messageID: pinned), id: "t-0084",
                "again", answer: try acknowledged(pair, transID: "t-0084", at: 366)),
            try exchange(
                RemovePin(channel: pair, messageID: pinned), id: "t-0085",
                answer: try acknowledged(pair, 22, transID: "t-0085", at: 370)),
            try exchange(
                ListPins(channel: pair), id: "46",
                answer: ListPins.Answer(
                    head: 21,
                    pins: [Pin(messageID: pinned, userID: ann.userID, name: ann.name, pinnedAt: at(365))])),
        ]
    }

    func pinRows() throws -> [Examples.Notice] {
        let change = PinChanged(messageID: pinned, seq: 1, byName: ann.name)
        return [
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 21, senderID: ann.userID, transID: try Self.id("t-0083"), sentAt: at(365),
                    body: .channel(.pinAdded(change)))),
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 22, senderID: ann.userID, transID: try Self.id("t-0085"), sentAt: at(370),
                    body: .channel(.pinRemoved(change)))),
        ]
    }
}
