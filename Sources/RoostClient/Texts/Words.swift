/// The words of one language, with which the SDK and the page say the same. They are written in `Texts`, from which
/// `dev/words` makes the tables.
struct Words: Sendable {
    /// What is said.
    enum Key: String, CaseIterable {
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

    /// The text of a key, or one for each plural form of the number `count`; `{names}` stand for values.
    enum Entry: Sendable, ExpressibleByStringLiteral {
        case text(String)
        case forms([PluralForm: String])

        init(stringLiteral text: String) { self = .text(text) }

        static func plural(
            zero: String? = nil, one: String? = nil, two: String? = nil, few: String? = nil, many: String? = nil,
            other: String
        ) -> Entry {
            var forms: [PluralForm: String] = [.other: other]
            forms[.zero] = zero
            forms[.one] = one
            forms[.two] = two
            forms[.few] = few
            forms[.many] = many
            return .forms(forms)
        }
    }

    /// A value in a text.
    enum Value {
        /// What people wrote, or a text that may contain it: it is isolated from the direction of the sentence.
        case text(String)
        case number(Int)
        /// A number without separators, for a counter.
        case digits(Int)
    }

    /// The code of the language, as in BCP 47.
    var code: String
    var table: [Key: Entry]

    /// The text of a key with its values.
    func callAsFunction(_ key: Key, _ values: [String: Value] = [:]) -> String {
        var text: String
        switch table[key] {
        case .text(let entry): text = entry
        case .forms(let forms):
            let count: Int
            switch values["count"] {
            case .number(let number), .digits(let number): count = number
            case .text, nil: count = 0
            }
            text = forms[PluralForm(count, in: code)] ?? forms[.other] ?? key.rawValue
        case nil: return key.rawValue
        }
        var result = ""
        while let start = text.firstIndex(of: "{"), let end = text[start...].firstIndex(of: "}") {
            result += text[..<start]
            switch values[String(text[text.index(after: start)..<end])] {
            case .text(let value): result += isolated(value)
            case .number(let number): result += grouped(number)
            case .digits(let number): result += "\(number)"
            case nil: result += text[start...end]
            }
            text = String(text[text.index(after: end)...])
        }
        return result + text
    }

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

    /// The digits in groups of three.
    private func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result += code == "de" ? "." : "," }
            result.append(digit)
        }
        return number < 0 ? "-\(result)" : result
    }

    /// A text from somebody, safe inside of a sentence: on one line, without a bidirectional control that reaches out
    /// of it, and between U+2068 and U+2069 if its direction could change the order of the sentence.
    func isolated(_ text: String) -> String {
        var line = ""
        var isAfterControl = false
        var depth = 0
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
            defer { isAfterControl = isControl }
            switch scalar {
            case _ where isControl: line += isAfterControl ? "" : " "
            case "\u{2068}":
                depth += 1
                line.unicodeScalars.append(scalar)
            case "\u{2069}" where depth > 0:
                depth -= 1
                line.unicodeScalars.append(scalar)
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default: line.unicodeScalars.append(scalar)
            }
        }
        line += String(repeating: "\u{2069}", count: depth)
        let isAtRisk = code == "ar" || line.unicodeScalars.contains(where: Self.isRightToLeft)
        return isAtRisk && !line.isEmpty ? "\u{2068}\(line)\u{2069}" : line
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

/// A form that a noun takes beside a number, after the rules of CLDR for whole numbers.
enum PluralForm: Sendable {
    case zero, one, two, few, many, other

    init(_ count: Int, in code: String) {
        switch (code, count, count % 100) {
        case ("ar", 0, _): self = .zero
        case ("ar", 2, _): self = .two
        case ("ar", _, 3...10): self = .few
        case ("ar", _, 11...99): self = .many
        case ("en", 1, _), ("de", 1, _), ("ar", 1, _): self = .one
        default: self = .other
        }
    }
}
