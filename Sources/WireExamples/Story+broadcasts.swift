import RoostWire

// What an operator sends to many users: the commands with their answers.
extension Story {
    private func broadcast(
        _ state: BroadcastState = .running, finished: Int64? = nil, done: Int = 0
    ) throws -> Broadcast {
        Broadcast(
            broadcastID: BroadcastID(createdAt: at(400).milliseconds, random: 0x9c3e_51d7_21f0_4b66), state: state,
            createdBy: try Self.id("op"), senderID: ann.userID, segment: .everybody,
            messages: [MessageContent(text: "We are closed on Friday.")], createdAt: at(400),
            finishedAt: finished.map(at), users: 3, done: done, sent: max(0, done - 1),
            refusals: done > 0 ? [BroadcastRefusal(code: ErrorCode.blocked.code, count: 1)] : [])
    }

    func broadcasts() throws -> [Examples.Exchange] {
        let new = try broadcast()
        let id = new.broadcastID
        func answer(_ transID: String, _ seconds: Int64, _ broadcast: Broadcast) throws -> BroadcastAnswer {
            BroadcastAnswer(transID: try Self.id(transID), sentAt: at(seconds), broadcast: broadcast)
        }
        let team = BroadcastSegment.members(of: team)
        var ofTeam = new
        ofTeam.segment = team
        let few = BroadcastSegment.users([bob.userID, cat.userID, dee.userID])
        var ofFew = new
        ofFew.segment = few
        return [
            try exchange(
                CreateBroadcast(senderID: ann.userID, messages: new.messages, segment: .everybody), id: "o-0001",
                answer: answer("o-0001", 400, new)),
            try exchange(
                CreateBroadcast(senderID: ann.userID, messages: new.messages, segment: team), id: "o-0001", "members",
                answer: answer("o-0001", 400, ofTeam)),
            try exchange(
                CreateBroadcast(senderID: ann.userID, messages: new.messages, segment: few), id: "o-0001", "users",
                answer: answer("o-0001", 400, ofFew)),
            try exchange(
                PauseBroadcast(broadcastID: id), id: "o-0002",
                answer: answer("o-0002", 401, try broadcast(.paused, done: 2))),
            try exchange(
                ResumeBroadcast(broadcastID: id), id: "o-0003",
                answer: answer("o-0003", 402, try broadcast(done: 2))),
            try exchange(
                CancelBroadcast(broadcastID: id), id: "o-0004",
                answer: answer("o-0004", 403, try broadcast(.cancelled, finished: 403, done: 2))),
            try exchange(
                GetBroadcast(broadcastID: id), id: "30",
                answer: try broadcast(.done, finished: 403, done: 3)),
            try exchange(
                ListBroadcasts(limit: 1), id: "31",
                answer: ListBroadcasts.Answer(broadcasts: [try broadcast(done: 2)], next: id.rawValue)),
        ]
    }
}
