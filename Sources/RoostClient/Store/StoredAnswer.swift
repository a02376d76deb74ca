import RoostWire

/// An answer of the server that the store keeps, with the relevant data of the request.
struct StoredAnswer: Sendable {
    private enum Kind: Sendable {
        case channel(Channel, hasAllMembers: Bool)
        case list(ListChannels.Answer)
        case members(ChannelID, [Member])
        case page(ListMessages, ListMessages.Answer)
        case mark(SetReadMark.Answer)
    }

    private let kind: Kind
    private let since: Int64

    /// - Parameter since: the newest row of the user's log at the time of the request.
    init?(_ command: AnyCommand, _ answer: Any, since: Int64) {
        self.since = since
        switch (command, answer) {
        case (.read(.getChannel(let get)), let channel as Channel):
            kind = .channel(channel, hasAllMembers: get.withMembers != false)
        case (.move(.joinChannel), let channel as Channel): kind = .channel(channel, hasAllMembers: false)
        case (.read(.listChannels), let list as ListChannels.Answer): kind = .list(list)
        case (.read(.listMembers(let list)), let page as ListMembers.Answer):
            kind = .members(list.channel, page.members)
        case (.read(.listMessages(let list)), let page as ListMessages.Answer): kind = .page(list, page)
        case (.move(.setReadMark), let mark as SetReadMark.Answer): kind = .mark(mark)
        default: return nil
        }
    }

    func put(into transaction: LocalTransaction) throws {
        switch kind {
        case .channel(let channel, let hasAllMembers):
            try transaction.apply(channel, hasAllMembers: hasAllMembers, since: since)
        case .list(let list):
            for channel in list.channels {
                try transaction.apply(channel, hasAllMembers: false, since: since, isListed: true)
            }
        case .members(let id, let members): try transaction.storeMembers(members, of: id)
        case .page(let list, let page):
            guard page.from > 0, page.from <= page.to, page.to < .max else { return }
            try transaction.insert(page.events, in: list.channel, first: page.from, last: page.to, head: page.seq)
        case .mark(let answer):
            try transaction.moveMark(
                to: answer.mark.seq, in: answer.channel, isConfirmed: true)
        }
    }
}
