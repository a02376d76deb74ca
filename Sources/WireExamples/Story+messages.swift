import RoostWire

// The commands about messages, each with its answer.
extension Story {
    func messages() throws -> [Examples.Exchange] {
        try [
            try exchange(
                SendMessage(channel: pair, text: "Hello Bob"), id: "t-0002",
                answer: try acknowledged(pair, 1, transID: "t-0002", at: 12, isMessage: true)),
            try exchange(
                SendMessage(
                    channel: team, type: MessageType.text.name, text: "@Bob can you 👀 at \"this\"?",
                    mentions: [Mention(userID: bob.userID, start: 0, length: 4)]),
                id: "t-0012", "mention",
                answer: try acknowledged(team, 2, transID: "t-0012", at: 75, isMessage: true)),
            try exchange(
                SendMessage(channel: pair, text: "Yes, at four", after: try Self.id("t-0002")), id: "t-0014", "after",
                answer: try acknowledged(pair, 3, transID: "t-0014", at: 50, isMessage: true)),
            try exchange(
                SendMany(messages: [MessageContent(text: "The roof is done"), picture()], channels: [pair, team]),
                id: "t-0050",
                answer: SendMany.Answer(
                    transID: try Self.id("t-0050"), sentAt: at(240),
                    results: [
                        PairResult(channel: pair, index: 0, seq: 13, messageID: messageID(13, 240)),
                        PairResult(channel: pair, index: 1, seq: 14, messageID: messageID(14, 240)),
                        PairResult(channel: team, index: 0, code: 1117),
                        PairResult(channel: team, index: 1, code: 1117),
                    ])),
            try exchange(
                AnnounceMessage(channel: lobby, text: "The server restarts at noon."), id: "t-0013",
                answer: try acknowledged(lobby, 2, transID: "t-0013", at: 50, isMessage: true)),
        ] + kinds() + takenBack() + forwards() + votes() + pins() + reactions() + news() + files() + devices()
            + accounts()
    }

    /// One send of each kind except plain texts.
    private func kinds() throws -> [Examples.Exchange] {
        let sends: [(String, SendMessage)] = [
            (
                "reply",
                SendMessage(
                    channel: pair, text: "Milk?", kind: .single, replyTo: messageID(2, 21), category: "tea")
            ),
            ("sticker", SendMessage(channel: pair, type: "sticker", text: "pack,3013,2")),
            (
                "image",
                SendMessage(
                    channel: pair, type: "image", file: photo(), thumbnail: thumbnail(),
                    extras: ["width": "1200", "height": "900"])
            ),
            ("document", SendMessage(channel: pair, type: "document", file: photo())),
            ("location", SendMessage(channel: pair, type: "location", location: place())),
            ("notice", SendMessage(channel: pair, type: "messageCopied", replyTo: messageID(2, 21))),
            (
                "call",
                SendMessage(
                    channel: pair, type: "callReceived", call: CallNotice(callID: "c-77", kind: .video))
            ),
            ("custom", SendMessage(channel: pair, type: "custom", text: "{\"move\":\"e4\"}", attributes: 3)),
        ]
        return try sends.enumerated().map { index, send in
            let transID = "t-00\(40 + index)"
            return try exchange(
                send.1, id: transID, send.0,
                answer: try acknowledged(
                    pair, Int64(5 + index), transID: transID, at: Int64(150 + 5 * index), isMessage: true))
        }
    }

    private func takenBack() throws -> [Examples.Exchange] {
        let named = [messageID(1, 12), messageID(2, 21)]
        let results = [MessageResult(messageID: named[0]), MessageResult(messageID: named[1], code: 1113)]
        return [
            try exchange(
                RecallMessages(channel: pair, messageIDs: named), id: "t-0024",
                answer: MessageResults(
                    acknowledgement: try acknowledged(pair, 12, transID: "t-0024", at: 190), results: results)),
            try exchange(
                DeleteMessages([named[1]], in: pair), id: "t-0025",
                answer: MessageResults(
                    acknowledgement: try acknowledged(pair, transID: "t-0025", at: 195),
                    results: [MessageResult(messageID: named[1])])),
            try exchange(
                DeleteMessages(allIn: pair), id: "t-0026", "channel",
                answer: MessageResults(
                    acknowledgement: try acknowledged(pair, transID: "t-0026", at: 200), results: [])),
            try exchange(
                DeleteMessages.everything, id: "t-0027", "everything",
                answer: MessageResults(
                    acknowledgement: try acknowledged(nil, transID: "t-0027", at: 205), results: [])),
        ]
    }

    private func picture() -> MessageContent {
        MessageContent(.image(photo(), thumbnail: thumbnail()))
    }

    /// Ann's schedule.
    func scheduled(text: String = "Good morning!") throws -> Schedule {
        Schedule(
            scheduleID: ScheduleID(createdAt: at(250).milliseconds, userSeq: 14, salt: 0x9c3e51),
            messages: [MessageContent(text: text)], channels: [pair], sendAt: at(86_400))
    }

    /// The vote that Ann has scheduled.
    func scheduledVote() throws -> Schedule {
        Schedule(
            scheduleID: ScheduleID(createdAt: at(262).milliseconds, userSeq: 17, salt: 0x9c3e51),
            channels: [team, lobby],
            sendAt: at(86_400), subject: "Tea or cake?",
            vote: Vote(
                options: [MessageContent(text: "Tea"), MessageContent(text: "Cake")], choices: 2,
                closesAt: at(90_000)))
    }

    func schedules() throws -> [Examples.Exchange] {
        let vote = try scheduledVote()
        let (first, changed) = (try scheduled(), try scheduled(text: "Good morning, Bob!"))
        return [
            try exchange(
                CreateSchedule(messages: first.messages, channels: first.channels, sendAt: first.sendAt),
                id: "t-0051",
                answer: ScheduleAnswer(transID: try Self.id("t-0051"), sentAt: at(250), schedule: first)),
            try exchange(
                CreateSchedule(
                    channels: vote.channels, sendAt: vote.sendAt, subject: vote.subject, vote: vote.vote),
                id: "t-0054", "vote",
                answer: ScheduleAnswer(transID: try Self.id("t-0054"), sentAt: at(262), schedule: vote)),
            try exchange(
                ChangeSchedule(scheduleID: first.scheduleID, messages: changed.messages), id: "t-0052",
                answer: ScheduleAnswer(transID: try Self.id("t-0052"), sentAt: at(255), schedule: changed)),
            try exchange(
                CancelSchedule(scheduleID: first.scheduleID), id: "t-0053",
                answer: try acknowledged(nil, transID: "t-0053", at: 260)),
            try exchange(
                ListSchedules(limit: 1), id: "24",
                answer: ListSchedules.Answer(
                    schedules: [first], next: "\(first.$sendAt)/\(first.scheduleID)")),
        ]
    }

    func queries() throws -> [Examples.Exchange] {
        [
            try exchange(
                ListMessages(channel: pair, before: 3, limit: 2), id: "9",
                answer: ListMessages.Answer(
                    events: [try greeting(), try reply()], hasBefore: false, hasAfter: true, seq: 3, from: 1, to: 2)),
            try exchange(
                ListMessages(channel: pair, limit: 1, onlyShown: true), id: "9", "shown",
                answer: ListMessages.Answer(
                    events: [try reacted()], hasBefore: false, hasAfter: false, seq: 3, from: 1, to: 3)),
            try exchange(
                QueryMessages(channel: pair, time: at(30), direction: .before, limit: 1), id: "17",
                answer: QueryMessages.Answer(events: [try reply()], next: "2")),
            try exchange(
                QueryMessages(time: at(100), direction: .after, category: "tea", limit: 30, onlyShown: true), id: "17",
                "all",
                answer: QueryMessages.Answer(events: [try answered()])),
            try exchange(
                GetMessages(channel: pair, messageIDs: [messageID(2, 21)]), id: "18",
                answer: GetMessages.Answer(events: [try reply()])),
            try exchange(
                GetMessages(channel: pair, messageIDs: [messageID(1, 12)]), id: "18", "reactions",
                answer: GetMessages.Answer(events: [try reactedAndRead()])),
            try exchange(
                ListReaders(channel: pair, messageID: messageID(1, 12)), id: "19",
                answer: ListReaders.Answer(readers: [Reader(userID: bob.userID, readAt: at(15))])),
            try exchange(
                CountReads(channel: pair, messageIDs: [messageID(1, 12)]), id: "20",
                answer: CountReads.Answer(
                    messages: [ReadCount(messageID: messageID(1, 12), readBy: 1, unreadBy: 0)])),
        ]
    }

    /// Ann's answer to Bob's message.
    func answered() throws -> Event {
        Event(
            channel: pair, seq: 5, senderID: ann.userID, transID: try Self.id("t-0040"), sentAt: at(150),
            body: .channel(
                .messageSent(
                    Message(
                        messageID: messageID(5, 150), content: MessageContent(text: "Milk?", category: "tea"),
                        senderName: ann.name, senderImageURL: ann.imageURL, count: 5,
                        replyTo: ReplySnapshot(of: try reply())))))
    }
}
