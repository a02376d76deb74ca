import RoostWire

// News: the commands with their answers, and the rows.
extension Story {
    private var offers: ChannelID {
        get throws { try Self.id("offers") }
    }

    func news() throws -> [Examples.Exchange] {
        [
            try exchange(
                PublishNews(
                    channel: try offers, text: "Two for one, today", file: photo(), thumbnail: thumbnail(),
                    category: "food", validUntil: at(86_400)), id: "t-0060",
                answer: try acknowledged(try offers, 2, transID: "t-0060", at: 350, isMessage: true)),
            try exchange(
                ListNews(limit: 10), id: "28",
                answer: ListNews.Answer(channels: [
                    NewsChannel(
                        channel: try offers, kind: .publicNews, title: "Offers", subscriberCount: 2, isSubscribed: true,
                        lastActivityAt: at(350))
                ])),
        ]
    }

    /// A piece of news.
    func newsPiece() throws -> Examples.Notice {
        Examples.Notice(
            variant: "news",
            event: Event(
                channel: try offers, seq: 2, transID: try Self.id("t-0060"), sentAt: at(350),
                body: .channel(
                    .messageSent(
                        Message(
                            messageID: messageID(2, 350),
                            content: MessageContent(
                                .news(.publicNews, file: photo(), thumbnail: thumbnail()), text: "Two for one, today",
                                category: "food"), senderName: "Offers", count: 1, validUntil: at(86_400))))))
    }

    func newsRow() throws -> Examples.Notice {
        Examples.Notice(
            event: Event(
                channel: try offers, seq: 1, transID: try Self.id("t-0059"), sentAt: at(345),
                body: .channel(.newsCreated(NewsCreated(kind: .publicNews, title: "Offers")))))
    }
}
