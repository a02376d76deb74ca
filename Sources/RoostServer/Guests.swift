import RoostWire

/// Converts a guest login into a user.
enum Guests {
    /// The user for a guest login.
    /// - Throws: `WireError` 1 if guests may not log in, and 6, with the field of `Guest`, if the name or picture is
    ///   invalid.
    static func user(_ guest: Guest, _ configuration: ServerConfiguration) throws(WireError) -> User {
        guard configuration.isDevelopment else {
            throw WireError(
                .wrongCredentials, "Guests may log in only with --dev. Get a token: roost token --data DIR --user ID")
        }
        let name = guest.name.flatMap { $0.isEmpty ? nil : $0 }
        if let name { try TextRules.checkName(name, "name") }
        if let image = guest.imageURL {
            guard (1...2_000).contains(image.utf8.count),
                image.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw WireError(
                    .dataFormat, field: "imageURL",
                    "\"imageURL\" must have 1 to 2000 bytes and no control characters.")
            }
        }
        return User(userID: guest.userID, name: name ?? usualName(of: guest.userID), imageURL: guest.imageURL)
    }

    /// The default name of a user.
    static func usualName(of userID: UserID) -> String { User.usualName(of: userID) }
}

extension Identity {
    /// The user with this identity.
    var user: User { User(userID: userID, name: name ?? Guests.usualName(of: userID), imageURL: imageURL) }
}
