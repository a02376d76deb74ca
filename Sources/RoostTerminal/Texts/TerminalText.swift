package import Foundation
package import RoostClient
import RoostWire

/// What the full-screen chat says.
package enum TerminalText: String, Sendable {
    case members = "count.members"
    case subscribers = "count.subscribers"
    case here = "count.here"
    case recalledOwn = "recalled.own"
    case recalledBy = "recalled.by"
    case weekdays = "terminal.weekdays"
    case months = "terminal.months"
    case day = "terminal.day"
    case shortDay = "terminal.shortDay"
    case today = "terminal.today"
    case yesterday = "terminal.yesterday"
    case you = "terminal.you"
    case somebody = "terminal.somebody"
    case operatorName = "terminal.operator"
    case forwarded = "terminal.forwarded"
    case unreadBy = "terminal.unreadBy"
    case notSent = "terminal.notSent"
    case missing = "terminal.missing"
    case noConversation = "terminal.noConversation"
    case nothingSent = "terminal.nothingSent"
    case tooLong = "terminal.tooLong"
    case newsReadOnly = "terminal.newsReadOnly"
    case nothingFailed = "terminal.nothingFailed"
    case noReactable = "terminal.noReactable"
    case noPinnable = "terminal.noPinnable"
    case pinned = "terminal.pinned"
    case unpinned = "terminal.unpinned"
    case noPins = "terminal.noPins"
    case pinHead = "terminal.pinHead"
    case pins = "terminal.pins"
    case pinsHint = "terminal.pinsHint"
    case onlyPins = "terminal.onlyPins"
    case pinCount = "terminal.pinCount"
    case notHere = "terminal.notHere"
    case userNotHere = "terminal.userNotHere"
    case notChannel = "terminal.notChannel"
    case notUser = "terminal.notUser"
    case usage = "terminal.usage"
    case unknownCommand = "terminal.unknownCommand"
    case question = "terminal.question"
    case leaveQuestion = "terminal.leaveQuestion"
    case left = "terminal.left"
    case who = "terminal.who"
    case readAll = "terminal.readAll"
    case readUpTo = "terminal.readUpTo"
    case noRole = "terminal.role.none"
    case outcast = "terminal.role.outcast"
    case invited = "terminal.role.invited"
    case participant = "terminal.role.participant"
    case moderator = "terminal.role.moderator"
    case admin = "terminal.role.admin"
    case closed = "terminal.closed"
    case noMessages = "terminal.noMessages"
    case loading = "terminal.loading"
    case nothingYet = "terminal.nothingYet"
    case loadingOlder = "terminal.loadingOlder"
    case welcome = "terminal.welcome"
    case sheetHint = "terminal.sheetHint"
    case newBelow = "terminal.newBelow"
    case toNewest = "terminal.toNewest"
    case remaining = "terminal.left.count"
    case typing = "terminal.typing"
    case replyTo = "terminal.replyTo"
    case selectRetry = "terminal.select.retry"
    case selectEdit = "terminal.select.edit"
    case selectDiscard = "terminal.select.discard"
    case selectBack = "terminal.select.back"
    case selectReply = "terminal.select.reply"
    case selectMessaging = "terminal.select.messaging"
    case selectPin = "terminal.select.pin"
    case selectUnpin = "terminal.select.unpin"
    case selectOriginal = "terminal.select.original"
    case conversations = "terminal.conversations"
    case noneYet = "terminal.noneYet"
    case unread = "terminal.unread"
    case waiting = "terminal.waiting"
    case listHint = "terminal.listHint"
    case mainHint = "terminal.mainHint"
    case refused = "terminal.refused"
    case catchingUp = "terminal.catchingUp"
    case catchingUpOf = "terminal.catchingUpOf"
    case connected = "terminal.connected"
    case connecting = "terminal.connecting"
    case offline = "terminal.offline"
    case damaged = "terminal.damaged"
    case anotherChat = "terminal.anotherChat"
    case help = "terminal.help"
    case signs = "terminal.signs"
    case openCommand = "terminal.command.open"
    case joinCommand = "terminal.command.join"
    case groupCommand = "terminal.command.group"
    case inviteCommand = "terminal.command.invite"
    case leaveCommand = "terminal.command.leave"
    case whoCommand = "terminal.command.who"
    case reactCommand = "terminal.command.react"
    case pinCommand = "terminal.command.pin"
    case pinsCommand = "terminal.command.pins"
    case retryCommand = "terminal.command.retry"
    case editCommand = "terminal.command.edit"
    case discardCommand = "terminal.command.discard"
    case newestCommand = "terminal.command.newest"
    case listCommand = "terminal.command.list"
    case helpCommand = "terminal.command.help"
    case quitCommand = "terminal.command.quit"
    case sendKey = "terminal.key.send"
    case lineBreakKey = "terminal.key.lineBreak"
    case completeKey = "terminal.key.complete"
    case earlierKey = "terminal.key.earlier"
    case scrollKey = "terminal.key.scroll"
    case stepKey = "terminal.key.step"
    case selectKey = "terminal.key.select"
    case redrawKey = "terminal.key.redraw"

    /// The name of a role.
    static func role(_ role: Role) -> TerminalText {
        switch role {
        case .none: .noRole
        case .outcast: .outcast
        case .invited: .invited
        case .participant: .participant
        case .moderator: .moderator
        case .admin: .admin
        }
    }

    /// The languages that the environment of a program asks for, the best one first: `LANGUAGE`, if a locale is set, then
    /// the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty, as gettext reads them.
    package static func languages(of environment: [String: String]) -> [String] {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let locale = names.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }),
            locale != "C", locale != "POSIX", !locale.hasPrefix("C.")
        else { return [] }
        return (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
    }
}

extension Words where Key == TerminalText {
    /// The words of the first language that has some, or English, as ``ChatTexts/preferred(_:)`` chooses.
    package static func preferred(_ languages: [String]) -> Words {
        let all = [
            "en": TerminalText.english, "de": TerminalText.german, "zh": TerminalText.traditionalChinese,
            "ko": TerminalText.korean, "ar": TerminalText.arabic,
        ]
        return RoostClient.preferred(languages, among: all) ?? TerminalText.english
    }

    /// The text of a key in one line that is safe to draw, whatever its values contain.
    func line(_ key: TerminalText, _ values: [String: Value]) -> String {
        let safe = values.mapValues { value in
            if case .text(let text) = value { Value.text(Printable.safe(text)) } else { value }
        }
        return Printable.safe(self(key, safe))
    }

    /// A day, such as `Sat 21 Nov 2026`.
    package func day(_ date: Date, in zone: TimeZone) -> String { line(.day, parts(of: date, in: zone)) }

    /// The time if it is today, otherwise the day, such as `21 Nov`.
    func when(_ date: Date, now: Date, in zone: TimeZone) -> String {
        if day(date, in: zone) == day(now, in: zone) { return Printable.time(date, in: zone) }
        return line(.shortDay, parts(of: date, in: zone))
    }

    private func parts(of date: Date, in zone: TimeZone) -> [String: Value] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.weekday, .day, .month, .year], from: date)
        func name(_ key: TerminalText, _ number: Int?) -> Value {
            let names = self(key).split(separator: " ")
            let index = (number ?? 1) - 1
            return .text(names.indices.contains(index) ? String(names[index]) : "")
        }
        return [
            "weekday": name(.weekdays, parts.weekday), "day": .digits(parts.day ?? 0),
            "month": name(.months, parts.month), "year": .digits(parts.year ?? 0),
        ]
    }
}
