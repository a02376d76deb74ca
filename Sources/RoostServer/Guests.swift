import RoostWire

/// Turns what a login says into the user that others see.
enum Guests {
    /// The user that a guest is, where guests may log in.
    /// - Throws: `WireError` 1 where they may not, 6 for a name or picture that breaks the rules, with the field of `Guest`.
    static func user(_ guest: Guest, _ configuration: ServerConfiguration) throws(WireError) -> User {
        guard configuration.isDevelopment else {
            throw WireError(
                .wrongCredentials, "Guests may log in with --dev only. Get a token: roost token --data DIR --user ID")
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

    /// The name of somebody who gave none.
    static func usualName(of userID: UserID) -> String { User.usualName(of: userID) }
}

extension Identity {
    /// The user that others see.
    var user: User { User(userID: userID, name: name ?? Guests.usualName(of: userID), imageURL: imageURL) }
}
