extension EventBody {
    /// The message of a user in a row of a channel's log; nil for any other event.
    ///
    /// Setting nil changes nothing.
    public package(set) var message: Message? {
        get { if case .channel(.messageSent(let message)) = self { message } else { nil } }
        set { if let newValue { self = .channel(.messageSent(newValue)) } }
    }

    /// The message of an operator in a row of a channel's log; nil for any other event.
    ///
    /// Setting nil changes nothing.
    public package(set) var announcement: Announcement? {
        get { if case .channel(.messageAnnounced(let announcement)) = self { announcement } else { nil } }
        set { if let newValue { self = .channel(.messageAnnounced(newValue)) } }
    }

    /// Who has recalled the message or the announcement in a row; nil if nobody has, and for any other event.
    public var recall: Recall? { message?.recall ?? announcement?.recall }

    /// The message of a user, stored or relayed; nil for any other event.
    package var sentMessage: Message? {
        if case .ephemeral(.messageRelayed(let message)) = self { message } else { message }
    }

    /// This after a recall of its message or announcement; any other body is unchanged.
    package func recalled(_ recall: Recall) -> EventBody {
        var body = self
        body.message = message?.recalled(recall)
        body.announcement = announcement?.recalled(recall)
        return body
    }
}

extension Event {
    /// The message of a user in this row of a channel's log; nil for any other event.
    ///
    /// Setting nil changes nothing.
    public package(set) var message: Message? {
        get { body.message }
        set { body.message = newValue }
    }

    /// The message of an operator in this row of a channel's log; nil for any other event.
    public var announcement: Announcement? { body.announcement }

    /// Who has recalled the message or the announcement in this row; nil if nobody has, and for any other event.
    public var recall: Recall? { body.recall }

    /// The message of a user, stored or relayed; nil for any other event.
    package var sentMessage: Message? { body.sentMessage }

    /// Whether the row is only a number, with nothing to show: it was removed, or its message was recalled silently.
    public var isOnlyNumber: Bool {
        if case .channel(.rowRemoved) = body { true } else { recall?.isSilent == true }
    }
}
