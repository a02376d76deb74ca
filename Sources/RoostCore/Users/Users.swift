import RoostWire

extension Reads {
    func getUsers(_ list: GetUsers) throws -> [UInt8] {
        guard (1...100).contains(list.userIDs.count) else {
            throw WireError(.dataFormat, field: "userIDs", "\"userIDs\" must name 1 to 100 users.")
        }
        let keys = list.userIDs.map { [SQLValue.text($0.rawValue)] }
        let users = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT DISTINCT u.id, u.name, u.image_url FROM k
            JOIN users u ON u.id = k.id ORDER BY u.id
            """
        ) { User(userID: try $0.id(0), name: try $0.text(1), imageURL: try $0.optionalText(2)) }
        return try WireCodec.encode(GetUsers.Answer(users: users))
    }
}

/// The writer's state of a user.
struct UserState {
    var user: User
    /// What the user has chosen, instead of the token.
    var own: OwnFields = []
    var seq: Int64 = 0
    var lastSentAt: Int64 = 0
    /// The only user whom the user may talk to, if that is a visitor.
    var host: UserID?
}
