import RoostWire

extension SQLRow {
    /// Reads a stored id.
    func id<ID: Identifier>(_ column: Int) throws -> ID {
        let text = try text(column)
        guard let id = ID(rawValue: text) else { throw DatabaseFailure(.corrupt, "a stored id breaks its rule") }
        return id
    }

    func optionalID<ID: Identifier>(_ column: Int) throws -> ID? { isNull(column) ? nil : try id(column) }

    /// Reads the settings of a channel.
    func profile(_ column: Int) throws -> ChannelProfile? {
        try optionalText(column).map { try WireCodec.decode(ChannelProfile.self, from: Array($0.utf8)) }
    }

    func kind(_ column: Int) throws -> ChannelKind {
        guard let kind = ChannelKind(rawValue: try text(column)) else {
            throw DatabaseFailure(.corrupt, "a stored channel kind is unknown")
        }
        return kind
    }

    func role(_ column: Int) throws -> Role {
        guard let role = Role(number: Int(clamping: try int(column))) else {
            throw DatabaseFailure(.corrupt, "a stored role is unknown")
        }
        return role
    }
}
