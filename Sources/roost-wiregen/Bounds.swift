import RoostWire

/// The bounds of a field's value.
struct Bounds: Encodable {
    var minimum: Int?
    var maximum: Int?
    /// In Unicode scalars, as JSON Schema counts; the protocol's bound may be in bytes or UTF-16 units, of which there are more.
    var minLength: Int?
    /// In Unicode scalars.
    var maxLength: Int?
    var minItems: Int?
    var maxItems: Int?
    /// The allowed strings.
    var words: [String]?

    private static func length(_ range: ClosedRange<Int>) -> Bounds {
        Bounds(minLength: range.lowerBound, maxLength: range.upperBound)
    }

    private static func number(_ range: ClosedRange<Int>) -> Bounds {
        Bounds(minimum: range.lowerBound, maximum: range.upperBound)
    }

    private static func items(_ range: ClosedRange<Int>) -> Bounds {
        Bounds(minItems: range.lowerBound, maxItems: range.upperBound)
    }

    /// The bounds that are constants of the rules in RoostWire, by type and field. Limits that an operator can set are not included.
    static let constants: [String: Bounds] = [
        "AddReaction.emoji": length(1...ReactionRules.maxBytes),
        "ChannelProfile.historyRows": number(1...ProfileRules.maxHistoryRows),
        "Message.attributes": number(1...MessageBehaviour.allAttributes),
        "Message.type": Bounds(words: MessageType.all.map(\.name)),
        "MessageContent.attributes": number(1...MessageBehaviour.allAttributes),
        "MessageContent.type": Bounds(words: MessageRules.types),
        "Reaction.emoji": length(1...ReactionRules.maxBytes),
        "ReactionChanged.emoji": length(1...ReactionRules.maxBytes),
        "RemoveReaction.emoji": length(1...ReactionRules.maxBytes),
        "ReplySnapshot.text": length(0...ReplySnapshot.textLength),
        "ReplySnapshot.type": Bounds(words: MessageType.all.map(\.name)),
        "SendMessage.attributes": number(1...MessageBehaviour.allAttributes),
        "SendMessage.type": Bounds(words: MessageRules.types),
        "UserReaction.emoji": length(1...ReactionRules.maxBytes),
        "Vote.options": items(VoteRules.optionCounts),
    ]
}
