public import RoostWire

extension ChatClient {
    /// The devices on which this user is logged in, the most recent first; at most 100.
    public func logins() async throws(RoostError) -> [Login] { try await perform(ListLogins()).logins }

    /// Logs out a device of this user, or all of them: their tokens are no longer accepted.
    ///
    /// If this device is among them, the connection ends, and a new one needs a new token. With the same `transID` it is
    /// executed once.
    /// - Throws: `.server(.deviceNotFound)` if no login of the device is known; end all logins then.
    public func endLogins(on device: DeviceID? = nil, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(EndLogins(deviceID: device), under: transID)
    }

    /// Logs out a device of another user, or all of them; for operators.
    ///
    /// - Throws: `.noPrivilege` if the caller is no operator; `.server(.deviceNotFound)` if no login of the device is known.
    public func endLogins(
        of user: UserID, on device: DeviceID? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(EndLogins(deviceID: device, userID: user), under: transID)
    }

    /// Changes what a user may do on the server; absent values stay unchanged. For operators.
    ///
    /// A user who may not chat is banned: connections are closed, and logins refused with `.userBanned`.
    /// - Throws: `.noPrivilege` if the caller is no operator, `.dataFormat` if nothing is given.
    public func setAccess(
        of user: UserID, canChat: Bool? = nil, canCall: Bool? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(SetUserAccess(userID: user, canChat: canChat, canCall: canCall), under: transID)
    }
}
