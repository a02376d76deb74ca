import RoostClient
import RoostModels
import RoostWire

/// Draws the chat: list, timeline, field, and the lines around them. A pure function of the state.
package struct ChatView {
    /// The minimum width for showing the list beside the timeline; below, the list replaces it while choosing.
    static let wideColumns = 72
    static let listColumns = 26
    static let maxFieldRows = 5

    let state: ChatState
    /// The columns of the conversation.
    let columns: Range<Int>
    let timelineRows: Range<Int>
    let fieldRows: Range<Int>
    let listWidth: Int
    private let field: FieldLayout
    private var words: Words<TerminalText> { state.words }

    package init(_ state: ChatState) {
        self.state = state
        let size = state.size
        let isWide = size.columns >= Self.wideColumns
        listWidth = isWide ? Self.listColumns : state.isChoosing ? size.columns : 0
        let left = isWide ? Self.listColumns + 1 : 0
        columns = left..<max(left + 1, size.columns)
        field = FieldLayout(state.field, width: columns.count - 3)
        let most = min(Self.maxFieldRows, max(1, size.rows / 3))
        let rows = max(1, min(field.lines.count, most))
        let bottom = max(1, size.rows - 1)
        fieldRows = max(1, bottom - rows)..<bottom
        timelineRows = 1..<max(1, fieldRows.lowerBound - 1)
    }

    /// The timeline laid out for the available width and height.
    package var window: TimelineWindow {
        let view = TimelineView(state, width: columns.count)
        return TimelineWindow(items: state.items, height: timelineRows.count) { view.lines(of: $0).count }
    }

    /// The screen.
    package func draw() -> Screen {
        var screen = Screen(size: state.size)
        if listWidth < state.size.columns {
            drawHeader(&screen)
            if let sheet = state.sheet { draw(sheet, &screen) } else { drawTimeline(&screen) }
            drawInfo(&screen)
            drawField(&screen)
        }
        if listWidth > 0 { drawList(&screen) }
        drawStatus(&screen)
        return screen
    }

    // MARK: The conversation

    private func drawHeader(_ screen: inout Screen) {
        let title = state.sheet?.title ?? (state.channel == nil ? "Roost" : Printable.safe(state.title))
        let pins = state.pins.isEmpty ? "" : words(.pinCount, ["count": .number(state.pins.count)])
        let facts = [state.people, pins].filter { !$0.isEmpty }
        let shown = state.sheet == nil && state.channel != nil ? facts.joined(separator: " · ") : ""
        let people = StyledText("  " + shown, .dim)
        let room = columns.count - 1 - (shown.isEmpty ? 0 : people.columns)
        let end = screen.put(
            StyledText(title, .bold).truncated(to: max(4, room)), column: columns.lowerBound, row: 0)
        screen.put(people, column: end, row: 0)
        if state.isClosed {
            screen.put("  " + words(.closed), Style(color: .red), column: end + people.columns, row: 0)
        }
    }

    private func drawTimeline(_ screen: inout Screen) {
        guard state.channel != nil else { return drawWelcome(&screen) }
        let view = TimelineView(state, width: columns.count)
        guard !state.items.isEmpty else {
            let text =
                state.hasLoaded && !state.hasPrevious
                ? words(.noMessages) : words(state.connection == .live ? .loading : .nothingYet)
            screen.put(text, .dim, column: columns.lowerBound, row: timelineRows.lowerBound)
            return
        }
        let seen = window.visible(at: state.place)
        var lines: [StyledText] = []
        for index in seen.items {
            let all = view.lines(of: state.items[index])
            let last = index == seen.items.upperBound - 1 ? all.count - seen.hidden : all.count
            let first = index == seen.items.lowerBound ? min(seen.skipped, last) : 0
            lines += all[first..<max(first, last)]
        }
        // A short timeline is aligned to the bottom, next to the field.
        var row = max(timelineRows.lowerBound, timelineRows.upperBound - lines.count)
        for line in lines where row < timelineRows.upperBound {
            screen.put(line, column: columns.lowerBound, row: row)
            row += 1
        }
        if state.isLoading, seen.items.lowerBound == 0 {
            screen.put(
                " \(words(.loadingOlder)) ", .reversed, column: columns.lowerBound, row: timelineRows.lowerBound)
        }
    }

    private func drawWelcome(_ screen: inout Screen) {
        let commands = SlashCommand.entries.filter { ["/open", "/join", "/help"].contains($0.name) }.map { entry in
            entry.usage + String(repeating: " ", count: max(1, 16 - entry.usage.count)) + words(entry.meaning)
        }
        let lines = [words(.welcome), ""] + commands
        var row = timelineRows.lowerBound
        for line in lines {
            for part in StyledText(line, .dim).wrapped(to: columns.count) where row < timelineRows.upperBound {
                screen.put(part, column: columns.lowerBound, row: row)
                row += 1
            }
        }
    }

    private func draw(_ sheet: ChatState.Sheet, _ screen: inout Screen) {
        let lines = sheetLines(sheet)
        let first = min(max(0, sheet.first), max(0, lines.count - timelineRows.count))
        for (row, line) in zip(timelineRows, lines.dropFirst(first)) {
            screen.put(line, column: columns.lowerBound, row: row)
        }
    }

    private func sheetLines(_ sheet: ChatState.Sheet) -> [StyledText] {
        sheet.lines.flatMap { StyledText(Printable.safe($0)).wrapped(to: columns.count) }
    }

    /// The maximum scroll position of a sheet.
    package func lastLine(of sheet: ChatState.Sheet) -> Int { max(0, sheetLines(sheet).count - timelineRows.count) }

    /// The line between timeline and field: a question, a problem or who is typing; on the right, new messages and
    /// the remaining length.
    private func drawInfo(_ screen: inout Screen) {
        let row = fieldRows.lowerBound - 1
        guard row > 0 else { return }
        var right = StyledText()
        if state.place != .bottom {
            let text =
                state.newMessages > 0 ? words(.newBelow, ["count": .number(state.newMessages)]) : words(.toNewest)
            right += StyledText(" \(text) ", state.newMessages > 0 ? Style(color: .yellow, isReversed: true) : .dim)
        }
        if state.isNearLimit || state.remaining <= 100 {
            let text = words(.remaining, ["count": .digits(state.remaining)])
            right += StyledText(" " + text, state.isNearLimit ? Style(color: .red, isBold: true) : .dim)
        }
        let room = columns.count - right.columns - 1
        screen.put(info.truncated(to: max(0, room)), column: columns.lowerBound, row: row)
        screen.put(right, column: max(columns.lowerBound, columns.upperBound - right.columns), row: row)
    }

    private var info: StyledText {
        if let question = state.question {
            return StyledText(
                words.line(.question, ["question": .text(question)]), Style(color: .yellow, isBold: true))
        }
        if state.sheet != nil { return StyledText(words(.sheetHint), .dim) }
        if state.selected != nil { return StyledText(selectionHint, .dim) }
        if !state.candidates.isEmpty {
            return StyledText("Tab: " + Printable.safe(state.candidates.joined(separator: "  ")), .dim)
        }
        if let notice = state.notice {
            return StyledText(Printable.safe(notice.text), notice.isProblem ? Style(color: .red) : .plain)
        }
        if let line = state.typingLine {
            return StyledText(
                words.line(.typing, ["names": .text(line), "count": .number(state.typingCount)]), .dim)
        }
        if let reply = state.replyTo {
            let text = words.line(.replyTo, ["text": .text("\(reply.senderName): \(reply.text)")])
            return StyledText(text, .dim)
        }
        return StyledText()
    }

    private var selectionHint: String {
        guard let item = state.items.first(where: { $0.id == state.selected }) else { return "" }
        var hints: [TerminalText] = []
        if case .failed = item.state {
            hints = [.selectRetry, .selectEdit, .selectDiscard]
        } else if item.state == .sending {
            hints = [.selectDiscard]
        } else {
            hints = [state.offersMessaging(with: item) ? .selectMessaging : .selectReply]
            if state.mayPin, item.takesReactions { hints.append(state.isPinned(item) ? .selectUnpin : .selectPin) }
            if item.replyTo != nil { hints.append(.selectOriginal) }
        }
        return (hints + [.selectBack]).map { words($0) }.joined(separator: "  ")
    }

    // MARK: The field

    private func drawField(_ screen: inout Screen) {
        let left = columns.lowerBound
        let first = max(0, field.cursor.row - fieldRows.count + 1)
        screen.put("›", Style(color: .cyan, isBold: true), column: left, row: fieldRows.lowerBound)
        for (row, line) in zip(fieldRows, field.lines.dropFirst(first)) {
            screen.put(line, column: left + 2, row: row)
        }
        guard !state.isChoosing, state.selected == nil, state.sheet == nil else { return }
        screen.cursor = Screen.Position(
            column: min(left + 2 + field.cursor.column, state.size.columns - 1),
            row: min(fieldRows.lowerBound + field.cursor.row - first, state.size.rows - 1))
    }

    // MARK: The list

    private func drawList(_ screen: inout Screen) {
        let rows = 0..<max(1, state.size.rows - 1)
        let isBeside = listWidth < state.size.columns
        let unread = state.unreadBadge.map { " \($0)" } ?? ""
        let heading = StyledText(words(.conversations), .bold)
        screen.put(heading + StyledText(unread, Style(color: .yellow)), column: 0, row: 0)
        if state.entries.isEmpty {
            screen.put(state.hasLoadedList ? words(.noneYet) : "…", .dim, column: 0, row: 1, until: listWidth)
        }
        let room = max(1, (rows.count - 1) / 2)
        let shown = state.isChoosing ? state.marked : state.channel
        let index = state.entries.firstIndex { $0.id == shown } ?? 0
        let first = max(0, min(index - room / 2, state.entries.count - room))
        for (offset, entry) in state.entries.dropFirst(first).prefix(room).enumerated() {
            draw(entry, row: 2 * offset + 1, &screen)
        }
        if isBeside {
            for row in rows { screen.put("│", .dim, column: listWidth, row: row) }
        }
    }

    /// Draws an entry in two lines: title, number of members and unread count; then the last message and its time.
    private func draw(_ entry: ChatState.Entry, row: Int, _ screen: inout Screen) {
        let isOpen = entry.id == state.channel
        let isMarked = state.isChoosing && entry.id == state.marked
        let base = isMarked ? Style.reversed : isOpen ? Style.bold : entry.isMuted ? .dim : .plain
        let small = isMarked ? Style.reversed : .dim
        if isMarked { for row in row...row + 1 { screen.fill(row: row, 0..<listWidth, base) } }
        var right = StyledText()
        if entry.hasDraft, !isOpen { right += StyledText(" ✎", base) }
        if entry.mentions > 0 { right += StyledText(" @\(entry.mentions)", base.colored(.red)) }
        if let badge = entry.badge { right += StyledText(" " + badge, base.colored(entry.isMuted ? nil : .yellow)) }
        let sign = isOpen ? "▸ " : "  "
        let people = entry.people > 0 ? StyledText(" (\(entry.people))", small) : StyledText()
        let title = StyledText(sign + (entry.isOpenChannel ? "#" : "") + Printable.safe(entry.title), base)
        let room = listWidth - right.columns - people.columns - 1
        screen.put(title.truncated(to: room) + people, column: 0, row: row, until: listWidth)
        screen.put(right, column: listWidth - right.columns - 1, row: row, until: listWidth)
        guard let last = entry.lastText else { return }
        let when = entry.lastSentAt.map { " " + words.when($0, now: state.now, in: state.zone) } ?? ""
        let time = StyledText(when, small)
        let text = StyledText("  " + Printable.safe(last), small).truncated(to: listWidth - time.columns - 1)
        screen.put(text, column: 0, row: row + 1, until: listWidth)
        screen.put(time, column: listWidth - time.columns - 1, row: row + 1, until: listWidth)
    }

    // MARK: The status

    private func drawStatus(_ screen: inout Screen) {
        let row = state.size.rows - 1
        screen.fill(row: row, 0..<state.size.columns, .reversed)
        var parts = [connection]
        if let viewer = state.viewer { parts.append(viewer.rawValue) }
        if let unread = state.unreadBadge { parts.append(words(.unread, ["count": .text(unread)])) }
        if state.waiting > 0 { parts.append(words(.waiting, ["count": .number(state.waiting)])) }
        let hint = words(state.isChoosing ? .listHint : .mainHint) + " "
        let style = state.connection == .live ? Style.reversed : Style(color: .yellow, isReversed: true)
        let room = state.size.columns - 1
        let left = StyledText(" " + Printable.safe(parts.joined(separator: " · ")), style).truncated(to: room)
        let end = screen.put(left, column: 0, row: row)
        let hints = StyledText(hint, .reversed)
        if end + hints.columns + 1 <= state.size.columns {
            screen.put(hints, column: state.size.columns - hints.columns, row: row)
        }
    }

    private var connection: String {
        if let refusal = state.refusal { return "✗ " + words(.refused, ["error": .text(refusal)]) }
        switch state.connection {
        case .live: return "● " + words(.connected)
        case .catchingUp:
            guard let progress = state.progress, progress.of > 0 else { return "◐ " + words(.catchingUp) }
            return "◐ " + words(.catchingUpOf, ["done": .number(progress.done), "all": .number(progress.of)])
        case .connecting: return "○ " + words(.connecting)
        case .offline: return "○ " + words(.offline)
        }
    }
}

/// The layout of the field: its lines and the cursor position.
struct FieldLayout {
    private(set) var lines: [StyledText] = []
    private(set) var cursor = (column: 0, row: 0)

    init(_ field: LineField, width: Int) {
        let width = max(2, width)
        var line: [StyledCharacter] = []
        var used = 0
        for (index, character) in field.characters.enumerated() {
            if index == field.cursor { cursor = (used, lines.count) }
            if character == "\n" {
                lines.append(StyledText(line))
                (line, used) = ([], 0)
                continue
            }
            let drawn = StyledCharacter(character, .plain)
            if used + drawn.columns > width {
                lines.append(StyledText(line))
                (line, used) = ([], 0)
                if index == field.cursor { cursor = (0, lines.count) }
            }
            line.append(drawn)
            used += drawn.columns
        }
        if field.cursor >= field.characters.count {
            if used >= width {
                lines.append(StyledText(line))
                (line, used) = ([], 0)
            }
            cursor = (used, lines.count)
        }
        lines.append(StyledText(line))
    }
}
