public import RoostWire

extension ChannelHandle {
    /// Reports a message of this channel to the operators of the server.
    ///
    /// `category` is a word of the app, such as `spam`, `text` what the user says about it, at most 1,000 UTF-16
    /// units. The server keeps a copy of the message and of up to ten rows before it. Nobody else is told. The
    /// same message is reported once: again changes nothing. With the same `transID` it happens once.
    /// - Throws: `.server(.messageNotFound)` if it may not be read or was recalled; `.dataFormat` for an own message;
    ///   `.invalidContent` for a text that is too long; `.limitReached` beyond `limits.reportsPerDay`.
    public func report(
        _ message: MessageID, category: String? = nil, text: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        let command = CreateReport(channel: id, messageID: message, category: category, text: text)
        _ = try await client.perform(command, under: transID)
    }
}

extension ChatClient {
    /// Reports a user to the operators of the server; otherwise as ``ChannelHandle/report(_:category:text:transID:)``.
    /// - Throws: `.server(.userNotFound)` for an unknown user; `.dataFormat` for the user's own id; `.invalidContent`
    ///   for a text that is too long; `.limitReached` beyond `limits.reportsPerDay`.
    public func report(
        _ user: UserID, category: String? = nil, text: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(CreateReport(userID: user, category: category, text: text), under: transID)
    }

    /// A page of the open reports, or of the closed ones: at most `limit` (1 to 50), the oldest first. For operators.
    ///
    /// For the next page pass the `next` of this one as `cursor`.
    /// - Throws: `.server(.noPrivilege)` unless this user is an operator.
    public func reports(
        isClosed: Bool = false, limit: Int = 20, cursor: String? = nil
    ) async throws(RoostError) -> Page<Report> {
        try await page(ListReports(isClosed: isClosed ? true : nil, limit: limit, cursor: cursor))
    }

    /// Closes a report; `note` says to other operators what was done, in at most 1,000 UTF-16 units. For operators.
    ///
    /// A closed report stays closed, with the first note, and is deleted after 90 days. With the same `transID` it
    /// happens once.
    /// - Throws: `.server(.reportNotFound)` if there is none; `.noPrivilege`; `.invalidContent`.
    public func closeReport(_ id: String, note: String? = nil, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(CloseReport(reportID: id, note: note), under: transID)
    }
}
