import Foundation
import RoostClient
import RoostModels
import RoostWire

/// Lays out timeline items as lines of a given width.
struct TimelineView {
    /// The indentation of message lines, which holds the state of own messages.
    static let indent = 3

    let width: Int
    let zone: TimeZone
    let now: Date
    let selected: TimelineItem.ID?
    let hasPictures: Bool
    let words: Words<TerminalText>

    init(_ state: ChatState, width: Int) {
        self.width = max(8, width)
        zone = state.zone
        now = state.now
        selected = state.selected
        hasPictures = state.hasPictures
        words = state.words
    }

    func lines(of item: TimelineItem) -> [StyledText] {
        let lines = plainLines(of: item)
        guard item.id == selected else { return lines }
        return lines.map { line in
            let filled = line + StyledText(String(repeating: " ", count: max(0, width - line.columns)))
            return filled.styled { $0.reversed() }
        }
    }

    private func plainLines(of item: TimelineItem) -> [StyledText] {
        switch item.kind {
        case .day: return [rule(day(item.sentAt), "─")]
        case .gap: return [rule(words(.missing), "┄")]
        case .line: return body(of: "— " + Printable.safe(item.text), .dim, mark: "")
        case .announcement:
            let head = StyledText("✦ ", Style(color: .yellow, isBold: true))
            let time = StyledText("  " + Printable.time(item.sentAt, in: zone), .dim)
            return wrap(Printable.lines(item.text).map { StyledText($0, .bold) }, head: head, tail: time)
                + reactions(to: item)
        case .recalled(let recall):
            let isOwn = item.isOwn && item.senderID == recall.byUserID
            let text = isOwn ? words(.recalledOwn) : words.line(.recalledBy, ["name": .text(recall.byName)])
            return header(of: item) + body(of: text, .dim, mark: "")
        case .message:
            return header(of: item) + reply(of: item) + message(item) + picture(of: item) + reactions(to: item)
        }
    }

    private func header(of item: TimelineItem) -> [StyledText] {
        if item.isGrouped { return [] }
        let sender = item.senderName.isEmpty ? words(.somebody) : Printable.safe(item.senderName)
        let name = item.isOwn ? words(.you) : sender
        let color = item.isOwn ? Style.Color.cyan : Self.color(of: item.senderID)
        let time = StyledText("  " + Printable.time(item.sentAt, in: zone), .dim)
        let title = StyledText(name, Style(color: color, isBold: true)).truncated(to: max(1, width - time.columns))
        return [title + time]
    }

    private func reply(of item: TimelineItem) -> [StyledText] {
        guard let reply = item.replyTo else { return [] }
        let name = Printable.safe(reply.senderName ?? words(.operatorName))
        let text = Printable.safe(reply.text.isEmpty ? "[\(reply.type)]" : reply.text)
        return [
            (StyledText("   ┌ ", .dim) + StyledText(name + ": " + text, .dim)).truncated(to: width)
        ]
    }

    private func message(_ item: TimelineItem) -> [StyledText] {
        var parts: [String] = []
        let content = item.content
        if let type = content?.type, type != MessageType.text.name, ChannelKind(rawValue: type)?.isNews != true {
            parts.append("[\(Printable.safe(type))]")
        }
        if let file = content?.file?.line { parts.append(file) }
        if let place = content?.location {
            parts.append(Printable.safe(place.address ?? "\(place.latitude), \(place.longitude)"))
        }
        if let call = content?.call { parts.append(call.line) }
        if item.isForwarded { parts.insert(words(.forwarded), at: 0) }
        var texts = Printable.lines(item.text)
        if !parts.isEmpty {
            let about = parts.joined(separator: " ")
            texts[0] = texts[0].isEmpty ? about : about + " " + texts[0]
        }
        for (number, option) in (content?.vote?.options ?? []).enumerated() {
            texts.append("\(number + 1)) " + Printable.safe(option.line))
        }
        var tail = StyledText()
        if item.unreadBy > 0 { tail = StyledText("  " + words(.unreadBy, ["count": .number(item.unreadBy)]), .dim) }
        var lines = wrap(texts.map { StyledText($0) }, head: mark(of: item), tail: tail)
        if case .failed(let error) = item.state {
            let text = words.line(.notSent, ["error": .text(error.message)])
            lines += body(of: text, Style(color: .red), mark: "")
        }
        return lines
    }

    /// The picture of a message, blurred.
    private func picture(of item: TimelineItem) -> [StyledText] {
        guard hasPictures, let content = item.content, let text = content.file?.blurHash ?? content.thumbnail?.blurHash,
            let hash = BlurHash(text)
        else { return [] }
        let front = StyledText(String(repeating: " ", count: Self.indent))
        return PicturePreview.lines(of: hash, width: width - Self.indent).map { line in
            front
                + StyledText(
                    line.map { halves in
                        var style = Style.plain
                        style.halves = halves
                        return StyledCharacter("▀", style)
                    })
        }
    }

    /// The reactions to a message with their counts, the viewer's own in brackets.
    private func reactions(to item: TimelineItem) -> [StyledText] {
        guard !item.reactions.isEmpty else { return [] }
        var line = StyledText()
        for reaction in item.reactions {
            let text = "\(Printable.safe(reaction.emoji)) \(reaction.count)"
            if !line.characters.isEmpty { line += StyledText("  ") }
            line += reaction.isMine ? StyledText("[\(text)]", Style(color: .cyan)) : StyledText(text, .dim)
        }
        return wrap([line], head: StyledText(), tail: StyledText())
    }

    private func mark(of item: TimelineItem) -> StyledText {
        guard item.isOwn else { return StyledText() }
        switch item.state {
        case .sending: return StyledText("⏳", Style(color: .yellow))
        case .sent: return StyledText("✓", Style(color: .green, isDim: true))
        case .failed: return StyledText("✗", Style(color: .red, isBold: true))
        }
    }

    private func body(of text: String, _ style: Style, mark: String) -> [StyledText] {
        wrap([StyledText(text, style)], head: StyledText(mark), tail: StyledText())
    }

    /// Wraps texts with an indentation, a head in the first line and an unbroken tail after the last.
    private func wrap(_ texts: [StyledText], head: StyledText, tail: StyledText) -> [StyledText] {
        let room = max(1, width - Self.indent)
        var lines = texts.flatMap { $0.wrapped(to: room) }
        if !tail.characters.isEmpty, var last = lines.popLast() {
            if last.columns + tail.columns > room {
                lines.append(last)
                last = StyledText(tail.characters.drop { $0.isSpace })
            } else {
                last += tail
            }
            lines.append(last)
        }
        return lines.enumerated().map { number, line in
            let front = number == 0 ? head : StyledText()
            return front + StyledText(String(repeating: " ", count: max(0, Self.indent - front.columns))) + line
        }
    }

    private func rule(_ text: String, _ line: Character) -> StyledText {
        let text = StyledText(" \(text) ", .dim)
        let left = max(0, width - text.columns) / 2
        let right = max(0, width - text.columns - left)
        func side(_ columns: Int) -> StyledText { StyledText(String(repeating: line, count: columns), .dim) }
        return (side(left) + text + side(right)).truncated(to: width)
    }

    private func day(_ time: Date) -> String {
        let day = words.day(time, in: zone)
        if day == words.day(now, in: zone) { return words(.today) }
        return day == words.day(now - 86_400, in: zone) ? words(.yesterday) : day
    }

    /// A stable colour for each user.
    private static func color(of user: UserID?) -> Style.Color {
        let colors: [Style.Color] = [.green, .yellow, .blue, .magenta]
        let sum = (user?.rawValue ?? "").utf8.reduce(5_381 as UInt32) { ($0 &* 33) ^ UInt32($1) }
        return colors[Int(sum % UInt32(colors.count))]
    }
}
