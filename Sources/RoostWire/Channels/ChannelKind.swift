/// What kind of channel it is; a name on the wire.
public enum ChannelKind: String, Codable, CaseIterable, Sendable {
    /// Exactly two users; the id is made of their ids.
    case single
    /// Members by invitation.
    case group
    /// Anyone may join and read.
    case open
    // `ChannelKind.self` is the type itself in Swift, so this case cannot
    // have the name that it has on the wire.
    /// One user alone, for their own notes and files; `self` on the wire.
    case own = "self"
    /// News from an operator for subscribers.
    case publicNews
    /// News from an operator for all users: everybody is subscribed.
    case corporateNews

    /// The number in the reference table.
    public var number: Int {
        switch self {
        case .single: 1
        case .group: 4
        case .open: 2
        case .own: 102
        case .publicNews: 107
        case .corporateNews: 106
        }
    }

    /// Reads the kind by its name.
    /// - Throws: `WireError` 1103 for another name.
    public init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let kind = ChannelKind(rawValue: name) else {
            throw WireError(.channelTypeNotSupported, field: WireCodec.field(decoder.codingPath))
        }
        self = kind
    }

    /// The kind with this reference number; nil for any other number.
    public init?(number: Int) {
        guard let kind = ChannelKind.allCases.first(where: { $0.number == number }) else { return nil }
        self = kind
    }
}
