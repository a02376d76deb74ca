import RoostWire

// A whole conversation.
extension Story {
    private func ask<C: Command>(
        _ command: C, id: String, answer: C.Answer, after events: [Event] = []
    ) throws -> [Examples.Line] {
        [.client(ClientFrame(id: id, command: command.any))] + events.map { .event($0) }
            + [.answer(id: id, try WireCodec.encode(answer))]
    }

    func conversation() throws -> [Examples.Line] {
        var lines: [Examples.Line] = [.remark("Ann's phone connects for the first time, to a server in dev mode.")]
        lines += try ask(hello(), id: "1", answer: welcome(userSeq: 0))
        lines += try ask(
            Resume(), id: "2",
            answer: Resume.Answer(
                epoch: epoch, events: [], hasMore: false, userSeq: 0, channels: [], marks: [], resets: []))
        lines.append(.remark("A 1-on-1 with bob, who has connected before; then the first message in it."))
        lines += try ask(
            CreateChannel(kind: .single, members: [bob.userID]), id: "t-0001",
            answer: try acknowledged(pair, transID: "t-0001", at: 10), after: [try joined()])
        lines += try ask(
            SendMessage(channel: pair, text: "Hello Bob"), id: "t-0002",
            answer: try acknowledged(pair, 1, transID: "t-0002", at: 12, isMessage: true), after: [try greeting()])
        lines += [
            .remark("Bob reads, types and answers. Ann reads it."),
            .event(
                Event(
                    channel: pair,
                    body: .ephemeral(
                        .readMarkMoved(
                            ReadMarksMoved(
                                marks: [ReadMark(userID: bob.userID, seq: 1, count: 1, readAt: at(15))], moved: 1))))),
            .event(typing(isStart: true, at: 18)), .event(typing(isStart: false, at: 20)), .event(try reply()),
        ]
        lines += try ask(
            SetReadMark(channel: pair, seq: 2), id: "3",
            answer: SetReadMark.Answer(channel: pair, mark: annsMark(), unread: 0))
        lines += [
            .event(read()),
            .remark("The heartbeat, with a WebSocket ping: Ann has everything up to here."),
            .event(
                Event(
                    body: .ephemeral(
                        .positions(Positions(userSeq: 1, channels: [ChannelPosition(channel: pair, seq: 2)]))))),
            .remark("An open channel: take part, then write. And a channel that does not exist."),
        ]
        lines += try ask(JoinChannel(channel: lobby), id: "4", answer: openLobby())
        lines += try ask(
            SendMessage(channel: lobby, text: "Good morning"), id: "t-0003",
            answer: try acknowledged(lobby, 1, transID: "t-0003", at: 45, isMessage: true),
            after: [try message(lobby, 1, from: ann, "Good morning", transID: "t-0003", at: 45)])
        let stranger = ChannelID(single: ann.userID, cat.userID)
        lines += [
            .client(
                ClientFrame(
                    id: "t-0009", command: .write(.sendMessage(SendMessage(channel: stranger, text: "Hello Cat"))))),
            .refusal(Examples.Refusal(id: "t-0009", error: WireError(.channelNotFound))),
        ]
        return try lines + comeBack()
    }

    private func comeBack() throws -> [Examples.Line] {
        let yes = SendMessage(channel: pair, text: "Yes, at four")
        let sent = try message(pair, 3, from: ann, "Yes, at four", transID: "t-0014", at: 50)
        let missed = try message(pair, 4, from: bob, "I bring the cake", transID: "b-0002", at: 53)
        var lines: [Examples.Line] = [
            .remark("The server is about to restart just when Ann sends. Her answer is lost."),
            .event(Event(body: .ephemeral(.goaway(GoAway(reconnectInMs: 1_840))))),
            .client(ClientFrame(id: "t-0014", command: .write(.sendMessage(yes)))),
            .remark("The connection closes with 1012. After 1,840 ms Ann comes back with her positions."),
        ]
        lines += try ask(hello(), id: "1", answer: welcome(userSeq: 1, at: 60))
        lines += try ask(
            Resume(
                epoch: epoch, userSeq: 1,
                channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: lobby, seq: 1)]),
            id: "2",
            answer: Resume.Answer(
                epoch: epoch, events: [sent, missed], hasMore: false, userSeq: 1,
                channels: [ChannelPosition(channel: pair, seq: 4), ChannelPosition(channel: lobby, seq: 1)],
                marks: [OwnMark(channel: pair, seq: 3, unread: 1, count: 4)], resets: []))
        lines.append(.remark("She sends the same frame again, with the same id: nothing is doubled."))
        lines += try ask(
            yes, id: "t-0014",
            answer: try acknowledged(pair, 3, transID: "t-0014", at: 50, isMessage: true))
        return lines
    }
}
