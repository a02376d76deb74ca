/// Which texts are valid. Pure rules, the same in the server and the SDK.
public enum TextRules {
    /// How many combining marks one base character of a text may carry.
    public static let marksPerBase = 30
    /// How many combining marks one base character of a name or a title may carry.
    public static let marksPerNameBase = 8

    /// Checks the text of a message; `field` is the name of its field in the error.
    /// - Throws: `WireError` 1001 if it is too long, contains U+0000, has too many combining marks on one character, or
    ///   shows nothing: white space, joiners, fillers and other characters without a glyph.
    public static func check(_ text: String, field: String = "text", limits: Limits) throws(WireError) {
        func refusal(_ message: String) -> WireError { WireError(.invalidContent, field: field, message) }
        var marks = 0
        var hasInk = false
        var units = 0
        let bytes = text.utf8.count
        if bytes > limits.textBytes {
            throw refusal("The text has \(bytes) bytes; the limit is \(limits.textBytes). Shorten it.")
        }
        for scalar in text.unicodeScalars {
            units += scalar.value > 0xFFFF ? 2 : 1
            if scalar.value < 0x300 {
                if scalar.value == 0 { throw refusal("The text contains U+0000. Remove it.") }
                if scalar.hasInk { hasInk = true }
                marks = 0
                continue
            }
            if scalar.isMark {
                marks += 1
                if marks > marksPerBase {
                    throw refusal("The text piles more than \(marksPerBase) marks on one character. Remove some.")
                }
            } else {
                marks = 0
                if scalar.hasInk { hasInk = true }
            }
        }
        if !hasInk { throw refusal("The text is empty. Write something.") }
        if units > limits.textLength {
            throw refusal("The text has \(units) UTF-16 units; the limit is \(limits.textLength). Shorten it.")
        }
    }

    /// Checks a name or a title: 1 to 200 UTF-16 units without control characters, of which one can be seen, and at most
    /// ``marksPerNameBase`` combining marks on one character; it leaves the direction of the text around it as it is.
    /// - Throws: `WireError` 6.
    public static func checkName(_ name: String, _ field: String) throws(WireError) {
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, !name.isEmpty, name.utf16.count <= 200, name.utf8.count <= 800 else {
            throw WireError(
                .dataFormat, field: field, "\"\(field)\" must have 1 to 200 characters and no control characters.")
        }
        guard name.unicodeScalars.contains(where: \.hasInk) else {
            throw WireError(.dataFormat, field: field, "\"\(field)\" shows nothing. Use letters, digits or emoji.")
        }
        guard keepsDirection(name) else {
            throw WireError(
                .dataFormat, field: field,
                "\"\(field)\" changes the direction of the text around it. Remove the invisible characters that do so.")
        }
        var marks = 0
        for scalar in name.unicodeScalars {
            marks = scalar.isMark ? marks + 1 : 0
            guard marks <= marksPerNameBase else {
                throw WireError(
                    .dataFormat, field: field,
                    "\"\(field)\" piles more than \(marksPerNameBase) marks on one character. Remove some.")
            }
        }
    }

    /// Whether a text leaves the direction of the text around it as it is: it overrides no direction, and closes each
    /// embedding and each isolate.
    private static func keepsDirection(_ text: String) -> Bool {
        var ends: [UInt32] = []
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x202D, 0x202E: return false
            case 0x202A, 0x202B: ends.append(0x202C)
            case 0x2066...0x2068: ends.append(0x2069)
            case 0x202C, 0x2069: if ends.popLast() != scalar.value { return false }
            default: break
            }
        }
        return ends.isEmpty
    }

    /// Checks an opaque reference: no control characters and at most `most` bytes. It may be empty.
    /// - Throws: `WireError` 6.
    public static func checkReference(_ reference: String, _ field: String, most: Int = 512) throws(WireError) {
        let isPlain = reference.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, reference.utf8.count <= most else {
            throw WireError(
                .dataFormat, field: field, "\"\(field)\" can have at most \(most) bytes and no control characters.")
        }
    }

    /// Checks the ranges of mentions: at most `limits.mentions`, ascending, inside the text, not overlapping, not
    /// inside a surrogate pair.
    /// - Throws: `WireError` 6.
    public static func check(_ mentions: [Mention], in text: String, limits: Limits) throws(WireError) {
        guard mentions.count <= limits.mentions else {
            throw WireError(
                .dataFormat, field: "mentions", "A message can mention at most \(limits.mentions) users.")
        }
        var units: [UInt16]?
        var end = 0
        for (index, mention) in mentions.enumerated() {
            guard let start = mention.start, let length = mention.length else {
                if mention.start == nil, mention.length == nil { continue }
                throw WireError(
                    .dataFormat, field: "mentions[\(index)].\(mention.start == nil ? "start" : "length")",
                    "A mention has either both \"start\" and \"length\" or neither.")
            }
            let text = units ?? Array(text.utf16)
            units = text
            let (stop, overflow) = start.addingReportingOverflow(length)
            guard !overflow, start >= end, length > 0, stop <= text.count, !isTrail(text, start), !isTrail(text, stop)
            else {
                throw WireError(
                    .dataFormat, field: "mentions[\(index)]",
                    "The ranges of the mentions must be in order, lie inside the text and not overlap.")
            }
            end = stop
        }
    }

    private static func isTrail(_ units: [UInt16], _ index: Int) -> Bool {
        index < units.count && UTF16.isTrailSurrogate(units[index])
    }
}

extension Unicode.Scalar {
    /// Whether it is a combining mark.
    var isMark: Bool {
        guard value >= 0x300 else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// Whether it can be seen by itself: no white space, no control, no mark, no filler and nothing else without a glyph.
    var hasInk: Bool {
        if value < 0xAD { return value > 0x20 && value != 0x7F && value != 0xA0 && !(0x80..<0xA0).contains(value) }
        // The blank pattern of Braille is a symbol to Unicode.
        if value == 0x2800 || isMark || properties.isWhitespace || properties.isDefaultIgnorableCodePoint {
            return false
        }
        return switch properties.generalCategory {
        case .control, .format, .surrogate: false
        default: true
        }
    }
}

/// How a channel is shown. Pure rules, the same in the server and the SDK.
public enum ChannelRules {
    /// The title of a row in the channel list: its own, else the other members' names joined by commas.
    public static func title(of channel: Channel, for viewer: UserID) -> String {
        if let title = channel.title { return title }
        let others = channel.members.filter { $0.userID != viewer }
        if others.isEmpty { return channel.members.first?.name ?? channel.channel.rawValue }
        return others.map(\.name).joined(separator: ", ")
    }

    /// The title of the conversation's screen: the other's name for two, else `Group(n)`.
    public static func screenTitle(of channel: Channel, for viewer: UserID) -> String {
        if channel.memberCount <= 2 || channel.title != nil { return title(of: channel, for: viewer) }
        return "Group(\(channel.memberCount))"
    }
}

/// How long a server keeps what a client needs after it was offline. The same in the server and the SDK.
public enum RetentionRules {
    /// How long the transID of a command is remembered at least, in ms: 7 days.
    public static let transIDs: Int64 = 7 * 86_400_000
    /// How long a row of a user's log is kept at least, in ms: 90 days.
    public static let userLog: Int64 = 90 * 86_400_000
    /// How long a closed report is kept, in ms: 90 days.
    public static let closedReports: Int64 = 90 * 86_400_000
}

/// The rules of read marks and unread counts. Pure rules, the same in the server and the SDK.
public enum ReadRules {
    /// How many others have not read the row `seq`: current members, except the viewer, whose read mark is below it.
    public static func unreadBy(seq: Int64, marks: [UserID: Int64], viewer: UserID) -> Int {
        marks.reduce(into: 0) { count, mark in
            if mark.key != viewer, mark.value < seq { count += 1 }
        }
    }

    /// How many messages are unread: those that count, minus those up to the read mark, minus `own`.
    ///
    /// `own` is the number of messages above the mark that count but were sent by the
    /// reader, recalled, or deleted by the reader, each once.
    public static func unread(count: Int64, markCount: Int64, own: Int64) -> Int {
        Int(clamping: max(0, count - markCount - own))
    }

    /// The larger of two marks of one user; a mark never moves back.
    public static func merge(_ old: Int64, _ new: Int64) -> Int64 { max(old, new) }
}
