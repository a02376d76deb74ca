import RoostWire

/// Properties of a message that a send command cannot set, because they come from another command.
struct SendContext {
    var isForwarded = false
    /// Whether the message holds the key of its command; if a command sends several messages, none of them does.
    var holdsKey = true
    /// Whether the message has already been validated.
    var isChecked = false
    /// Whether the sender may use the files of the message and they are complete.
    var hasCompleteFiles = false
}

extension Transaction {
    private static let forwards = Upsert("forwards", ["channel", "seq", "from_channel", "from_id"])

    mutating func forward(_ forward: ForwardMessages) throws -> Outcome {
        try forward.check(limits: configuration.limits)
        try flush()
        let me = try me
        guard let source = try channel(forward.channel) else { throw WireError(.channelNotFound) }
        if source.kind != .open { _ = try member(me, of: source) }
        let rows = try logRows(forward.messageIDs, in: source, for: me)
        let contents = forward.messageIDs.map { id in
            Result<MessageContent, WireError> { () throws(WireError) in
                guard let row = rows[id] else { throw WireError(.messageNotFound) }
                return try ForwardRules.content(of: row.event)
            }
        }
        let weight = contents.reduce(0) { sum, content in sum + ((try? content.get().weight) ?? 0) }
        guard weight <= ForwardRules.maxBytes / forward.channels.count else {
            throw WireError(.tooLarge, "These messages exceed 8 MiB over all channels. Forward fewer at once.")
        }
        let origins = try origins(of: rows.values.map(\.seq), in: source.id)

        var results: [PairResult] = []
        var done: Set<Int> = []
        var refusal: WireError?
        for target in forward.channels {
            for (index, id) in forward.messageIDs.enumerated() {
                do {
                    let content = try contents[index].get()
                    let copy = try send(
                        SendMessage(content, to: target),
                        as: SendContext(isForwarded: true, holdsKey: false, hasCompleteFiles: true))
                    results.append(
                        PairResult(channel: target, index: index, seq: copy.seq, messageID: copy.messageID))
                    done.insert(index)
                    guard let seq = copy.seq else { continue }
                    let origin = origins[id.seq] ?? (channel: source.id.rawValue, message: id.rawValue)
                    batch.put(
                        [.text(target.rawValue), .int(seq), .text(origin.channel), .text(origin.message)],
                        Self.forwards)
                } catch let error as WireError {
                    refusal = refusal ?? error
                    results.append(PairResult(channel: target, index: index, code: error.code))
                }
            }
        }
        guard !done.isEmpty else { throw refusal ?? WireError(.messageNotFound) }
        if source.settings.noticesForwards == true {
            for index in done.sorted() {
                let notice = SendMessage(
                    MessageContent(.messagesForwarded), to: source.id, replyTo: forward.messageIDs[index])
                _ = try send(notice, as: SendContext(holdsKey: false))
            }
        }
        return try Outcome(
            answer: ForwardMessages.Answer(transID: transID, sentAt: .init(milliseconds: batch.now), results: results))
    }

    /// The origins of those rows that were forwarded themselves.
    private func origins(
        of rows: [Int64], in channel: ChannelID
    ) throws -> [Int64: (channel: String, message: String)] {
        guard !rows.isEmpty else { return [:] }
        let found = try connection.rows(
            """
            WITH k (seq) AS (\(keys: rows.map { [.int($0)] })) SELECT f.seq, f.from_channel, f.from_id FROM forwards f
            WHERE f.channel = \(channel) AND f.seq IN (SELECT seq FROM k)
            """
        ) { (try $0.int(0), (channel: try $0.text(1), message: try $0.text(2))) }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }
}

extension Reads {
    func getOrigin(_ get: GetOrigin) throws -> [UInt8] {
        let access = try access(to: get.channel)
        let copy = try messages([get.messageID], of: get.channel, access).first
        guard let copy, copy.event.recall == nil else { throw WireError(.messageNotFound) }
        let found = try connection.rows(
            "SELECT from_channel, from_id FROM forwards WHERE channel = \(get.channel) AND seq = \(copy.seq)"
        ) { (channel: try $0.id(0) as ChannelID, message: try $0.id(1) as MessageID) }.first
        // A single error for all cases, so that nothing about the source is disclosed.
        let unknown = WireError(.messageNotFound, "This message was not forwarded, or you cannot read its original.")
        guard let found else { throw unknown }
        let source: Access
        do {
            source = try self.access(to: found.channel)
        } catch is WireError {
            throw unknown
        }
        let original = try messages([found.message], of: found.channel, source).first?.event
        guard let original, original.recall == nil, let sentAt = original.sentAt else { throw unknown }
        var answer = GetOrigin.Answer(
            channel: found.channel, messageID: found.message, senderID: original.senderID, sentAt: sentAt)
        answer.senderName = original.message?.senderName
        return try WireCodec.encode(answer)
    }
}
