import RoostWire

extension Transaction {
    mutating func sendMany(_ many: SendMany) throws -> Outcome {
        try MultiSendRules.check(many.messages, to: many.channels, limits: configuration.limits)
        let messages = try completingFiles(of: many.messages)
        let (results, refusal) = try send(messages, to: many.channels)
        if let refusal, results.allSatisfy({ $0.code != 0 }) { throw refusal }
        return try Outcome(
            answer: SendMany.Answer(transID: try transID, sentAt: .init(milliseconds: batch.now), results: results))
    }

    /// Completes the files of several contents, as `completingFiles(of:)` does.
    mutating func completingFiles(of messages: [MessageContent]) throws -> [MessageContent] {
        var complete: [MessageContent] = []
        for (index, content) in messages.enumerated() {
            do {
                complete.append(try completingFiles(of: content))
            } catch let error as WireError {
                throw error.inside("messages[\(index)]")
            }
        }
        return complete
    }

    /// Sends every message to every channel, as far as allowed; the contents have already been checked, and their
    /// files completed.
    ///
    /// The rows name the command but do not hold its key, because there may be several per channel.
    /// - Returns: a result per pair, and the first refusal.
    mutating func send(
        _ messages: [MessageContent], to channels: [ChannelID]
    ) throws -> (results: [PairResult], refusal: WireError?) {
        let context = SendContext(holdsKey: false, isChecked: true, hasCompleteFiles: true)
        var results: [PairResult] = []
        results.reserveCapacity(messages.count * channels.count)
        var refusal: WireError?
        for channel in channels {
            for (index, content) in messages.enumerated() {
                do {
                    // A refused send changes nothing.
                    let sent = try send(SendMessage(content, to: channel), as: context)
                    results.append(
                        PairResult(channel: channel, index: index, seq: sent.seq, messageID: sent.messageID))
                } catch let error as WireError {
                    refusal = refusal ?? error
                    results.append(PairResult(channel: channel, index: index, code: error.code))
                }
            }
        }
        return (results, refusal)
    }
}
