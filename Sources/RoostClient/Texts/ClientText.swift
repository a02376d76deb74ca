/// What the SDK says, most of it as the page does.
enum ClientText: String, CaseIterable {
    case server
    case cancel
    case members = "count.members"
    case voters = "count.voters"
    case charactersLeft = "composer.charactersLeft"
    case stickerPreview = "preview.sticker"
    case picturePreview = "preview.picture"
    case videoPreview = "preview.video"
    case voicePreview = "preview.voice"
    case contactPreview = "preview.contact"
    case filePreview = "preview.file"
    case placePreview = "preview.place"
    case callPreview = "preview.call"
    case screenshotPreview = "preview.screenshot"
    case copyPreview = "preview.copy"
    case forwardPreview = "preview.forward"
    case savePreview = "preview.save"
    case recalledPreview = "preview.recalled"
    case messagePreview = "preview.message"
    case created = "line.created"
    case newsBegins = "line.newsBegins"
    case dismissed = "line.dismissed"
    case joined = "line.joined"
    case invited = "line.invited"
    case accepted = "line.accepted"
    case left = "line.left"
    case leftSuccessor = "line.leftSuccessor"
    case removed = "line.removed"
    case banned = "line.banned"
    case noRole = "line.role.none"
    case outcast = "line.role.outcast"
    case invitedRole = "line.role.invited"
    case participant = "line.role.participant"
    case moderator = "line.role.moderator"
    case admin = "line.role.admin"
    case renamed = "line.renamed"
    case memberPicture = "line.memberPicture"
    case memberUsual = "line.memberUsual"
    case newTitle = "line.title"
    case newPicture = "line.picture"
    case settings = "line.settings"
    case settingsNone = "line.settingsNone"
    case voteClosed = "line.voteClosed"
    case voteOver = "line.voteOver"
    case pinned = "line.pinned"
    case title = "setting.title"
    case noTitle = "setting.noTitle"
    case attributes = "setting.attributes"
    case picture = "setting.picture"
    case noPicture = "setting.noPicture"
    case background = "setting.background"
    case noBackground = "setting.noBackground"
    case canJoin = "setting.canJoin"
    case cannotJoin = "setting.cannotJoin"
    case participantsEdit = "setting.editors.participants"
    case moderatorsEdit = "setting.editors.moderators"
    case allHistory = "setting.history.all"
    case historySinceJoin = "setting.history.sinceJoin"
    case lastHistory = "setting.history.last"
    case minMembers = "setting.minMembers"
    case maxMembers = "setting.maxMembers"
    case moderatorsRecall = "setting.moderatorsRecall"
    case moderatorsNoRecall = "setting.moderatorsNoRecall"
    case forwardsNoticed = "setting.forwardsNoticed"
    case forwardsUnnoticed = "setting.forwardsUnnoticed"
    case participantsPin = "setting.pinners.participants"
    case moderatorsPin = "setting.pinners.moderators"
    case tallyOption = "tally.option"
    case tally = "tally.all"
    case recalledOwn = "recalled.own"
    case recalledBy = "recalled.by"
    case listTwo = "sdk.listTwo"
    case listMiddle = "sdk.listMiddle"
    case listEnd = "sdk.listEnd"
    case groupTitle = "sdk.groupTitle"
    case startMessaging = "sdk.startMessaging"
    case notSent = "sdk.notSent"
    case someFailed = "sdk.someFailed"
}

extension Words where Key == ClientText {
    /// Several texts in one, as in `Ann, Bob, and Cid`.
    func list(_ texts: [String]) -> String {
        let parts = texts.map(isolated)
        guard parts.count > 2 else {
            guard let first = parts.first, let last = parts.last else { return "" }
            return parts.count == 1 ? first : joined(.listTwo, first, last)
        }
        let beginning = parts.dropFirst().dropLast().reduce(parts[0]) { joined(.listMiddle, $0, $1) }
        return joined(.listEnd, beginning, parts[parts.count - 1])
    }

    /// Two parts of a list, which are isolated already.
    private func joined(_ key: Key, _ first: String, _ last: String) -> String {
        guard case .text(let pattern) = table[key], let gap = pattern.firstRange(of: "{first}") else { return first }
        let rest = pattern[gap.upperBound...]
        guard let end = rest.firstRange(of: "{last}") else { return first }
        return pattern[..<gap.lowerBound] + first + rest[..<end.lowerBound] + last + rest[end.upperBound...]
    }
}
