import RoostClient
import RoostModels
import RoostWire

// Key handling.
extension ChatApp {
    /// Handles a key.
    package func handle(_ key: Key) {
        defer { changed() }
        if handleGlobalKey(key) { return }
        if question != nil { return answer(key) }
        if sheet != nil { return handleSheetKey(key) }
        if isChoosing, handleListKey(key) { return }
        if room?.selected != nil { return handleSelectionKey(key) }
        if key != .tab { dismiss() }
        handleFieldKey(key)
    }

    /// Handles keys that work everywhere.
    /// - Returns: whether the key was handled.
    private func handleGlobalKey(_ key: Key) -> Bool {
        switch key {
        case .control("c"): quit()
        case .control("l"): wantsRedraw = true
        case .control("z"): wantsSuspend = true
        case .focusIn: room?.conversation.setVisible(true)
        case .focusOut: room?.conversation.setVisible(false)
        case .function(1): sheet = sheet == nil ? help : nil
        case .control("t"):
            sheet = nil
            question = nil
            isChoosing.toggle()
            marked = nil
        case .control("n"): step(by: 1)
        case .control("p"): step(by: -1)
        case .wheelUp where sheet == nil: scroll(up: 3)
        case .wheelDown where sheet == nil: scroll(down: 3)
        case .pageUp where sheet == nil: scroll(up: pageHeight)
        case .pageDown where sheet == nil: scroll(down: pageHeight)
        case .controlHome: if let room { room.move(to: window.top) }
        case .controlEnd: room?.conversation.goToNewest()
        default: return false
        }
        return true
    }

    private var pageHeight: Int { max(1, ChatView(state()).timelineRows.count - 1) }

    private func scroll(up lines: Int) {
        guard let room else { return }
        let place = window.scrolled(room.place, up: lines)
        // Already at the top: request a page again that failed to load.
        if place == room.place, room.conversation.hasPrevious {
            let conversation = room.conversation
            run { await conversation.loadPrevious() }
        }
        room.move(to: place)
    }

    private func scroll(down lines: Int) {
        guard let room else { return }
        room.move(to: window.scrolled(room.place, down: lines))
    }

    // MARK: Over the conversation

    private func answer(_ key: Key) {
        switch key {
        case .text("y"), .text("Y"), .enter:
            let yes = question?.yes
            question = nil
            yes?()
        case .text, .escape:
            question = nil
            room?.open?.cancelSheet()
        default: break
        }
    }

    private func handleSheetKey(_ key: Key) {
        guard var shown = sheet else { return }
        let last = ChatView(state()).lastLine(of: shown)
        switch key {
        case .up, .wheelUp: shown.first = max(0, shown.first - 1)
        case .down, .wheelDown: shown.first = min(last, shown.first + 1)
        case .pageUp: shown.first = max(0, shown.first - pageHeight)
        case .pageDown: shown.first = min(last, shown.first + pageHeight)
        default:
            sheet = nil
            return
        }
        sheet = shown
    }

    /// Handles keys of the list; a character goes to the field.
    /// - Returns: whether the key was handled.
    private func handleListKey(_ key: Key) -> Bool {
        let entries = entries
        let index = entries.firstIndex { $0.id == (marked ?? room?.id) } ?? 0
        func mark(_ index: Int) { if entries.indices.contains(index) { marked = entries[index].id } }
        switch key {
        case .up: mark(index - 1)
        case .down: mark(index + 1)
        case .home: mark(0)
        case .end: mark(entries.count - 1)
        case .enter:
            guard entries.indices.contains(index) else { return true }
            show(entries[index].id, isOpen: entries[index].isOpenChannel)
        case .escape: isChoosing = false
        case .text, .paste:
            isChoosing = false
            return false
        default: break
        }
        return true
    }

    // MARK: A selected message

    private func select(by step: Int) {
        guard let room else { return }
        let items = room.conversation.items
        let seen = window.visible(at: room.place).items
        let from = room.selected.flatMap { id in items.firstIndex { $0.id == id } } ?? seen.upperBound
        var index = from + step
        while items.indices.contains(index), !items[index].isContent { index += step }
        guard items.indices.contains(index) else {
            if step > 0 { room.selected = nil }
            return
        }
        room.selected = items[index].id
        room.move(to: window.showing(items[index].id, from: room.place))
    }

    private func handleSelectionKey(_ key: Key) {
        guard let room, let item = room.conversation.items.first(where: { $0.id == room.selected }) else { return }
        var isFailed = false
        if case .failed = item.state { isFailed = true }
        switch key {
        case .up, .altUp: select(by: -1)
        case .down, .altDown: select(by: 1)
        case .escape, .control("s"): room.selected = nil
        case .text("r") where isFailed: retry()
        case .text("e") where isFailed: edit()
        case .text("d") where isFailed || item.state == .sending: discard(item.transID)
        case .text("g"):
            guard let reply = item.replyTo else { return }
            room.selected = nil
            run { await room.conversation.jump(to: reply.seq) }
        case .enter where state().offersMessaging(with: item): offerMessaging(item)
        case .enter, .text("a"):
            room.selected = nil
            if item.kind == .message { room.composer.reply(to: item) }
        case .text("p") where room.conversation.mayPin: togglePin(item)
        case .text(let text) where !text.utf8.allSatisfy { $0 < 0x80 }: react(with: text, to: item)
        default: break
        }
    }

    /// Toggles an emoji on a message: the given one, otherwise the one being replied to, otherwise the last one.
    private func react(with emoji: String, to item: TimelineItem? = nil) {
        guard let room else { return say(words(.noConversation), isProblem: true) }
        let conversation = room.conversation
        let answered = room.composer.replyTo
        guard let item = item ?? answered ?? conversation.items.last(where: \.takesReactions), item.takesReactions
        else { return say(words(.noReactable), isProblem: true) }
        if answered?.id == item.id { room.composer.reply(to: nil) }
        room.selected = nil
        run { await conversation.toggleReaction(emoji, on: item.id) }
    }

    private func offerMessaging(_ item: TimelineItem) {
        guard let room, let open = room.open else { return }
        open.choose(item.id)
        guard let offer = open.sheet else { return }
        room.selected = nil
        question = (
            offer.action,
            { [weak self] in
                self?.run {
                    await open.startMessaging()
                    if let channel = open.opened?.channel {
                        self?.show(channel, isOpen: false)
                        open.conversationClosed()
                    }
                }
            }
        )
    }

    // MARK: The field

    private func handleFieldKey(_ key: Key) {
        switch key {
        case .enter: enter()
        case .tab: complete()
        case .altUp, .control("s"): select(by: -1)
        case .escape: room?.composer.reply(to: nil)
        case .end where room?.field.characters.isEmpty == true: room?.conversation.goToNewest()
        case .control("d") where (room?.field ?? field).characters.isEmpty: quit()
        default:
            if let room {
                room.edit { Self.edit(&$0, key) }
            } else {
                Self.edit(&field, key)
            }
        }
    }

    private static func edit(_ field: inout LineField, _ key: Key) {
        switch key {
        case .text(let text): field.insert(text)
        case .paste(let text): field.paste(text)
        case .altEnter: field.insert("\n")
        case .backspace: field.deleteBackward()
        case .delete, .control("d"): field.deleteForward()
        case .altBackspace, .control("w"): field.deleteWordBackward()
        case .control("u"): field.deleteToLineStart()
        case .control("k"): field.deleteToLineEnd()
        case .left, .control("b"): field.moveLeft()
        case .right, .control("f"): field.moveRight()
        case .wordLeft, .alt("b"): field.moveWordLeft()
        case .wordRight, .alt("f"): field.moveWordRight()
        case .home, .control("a"): field.moveToLineStart()
        case .end, .control("e"): field.moveToLineEnd()
        case .up: field.moveUp()
        case .down: field.moveDown()
        default: break
        }
    }

    private func enter() {
        let text = room?.field.text ?? field.text
        if SlashCommand.isCommand(text) {
            if let room { room.field.finish() } else { field.finish() }
            return runCommand(text)
        }
        guard let room else {
            field.finish()
            if !text.isEmpty {
                say(words(.nothingSent), isProblem: true)
            }
            return
        }
        // The model's text keeps its mentions; only text that starts with // is changed.
        if text.hasPrefix("//") { room.composer.edit(SlashCommand.message(text)) }
        guard room.composer.canSend else {
            room.composer.send()
            if room.composer.remaining < 0 {
                say(words(.tooLong, ["count": .number(-room.composer.remaining)]), isProblem: true)
            } else if room.composer.isReadOnly, !text.isEmpty {
                say(words(.newsReadOnly), isProblem: true)
            }
            return
        }
        room.field.finish()
        room.composer.send()
    }

    private func complete() {
        if let room, !room.isCommand {
            if let first = room.composer.candidates.first { room.composer.complete(with: first) }
            return
        }
        let line = room?.field.text ?? field.text
        let names = entries.map { $0.isOpenChannel || $0.id.pair == nil ? $0.id.rawValue : $0.title }
        let completion = Completion(line, users: knownUsers, channels: names)
        guard !completion.candidates.isEmpty else { return }
        let isOnly = completion.candidates.count == 1
        let completed = String(line.prefix(completion.start)) + completion.common + (isOnly ? " " : "")
        if let room { room.field.set(completed) } else { field.set(completed) }
        candidates = isOnly ? [] : completion.candidates
    }

    private func runCommand(_ line: String) {
        do throws(SlashCommand.UsageError) {
            try perform(SlashCommand(line))
        } catch {
            say(error.message(in: words), isProblem: true)
        }
    }

    private func perform(_ command: SlashCommand) {
        switch command {
        case .help: sheet = help
        case .list: isChoosing = true
        case .who: who()
        case .join(let name): join(name)
        case .open(let user): run { [weak self] in await self?.open(user) }
        case .group(let title, let members): makeGroup(title, members)
        case .invite(let users): invite(users)
        case .leave: leave()
        case .react(let emoji): react(with: emoji)
        case .pin: togglePin()
        case .pins(let number): showPins(number)
        case .retry: retry()
        case .edit: edit()
        case .discard: discard(room?.failed)
        case .newest: room?.conversation.goToNewest()
        case .quit: quit()
        }
    }

    private func makeGroup(_ title: String, _ members: [UserID]) {
        run { [weak self] in
            guard let self else { return }
            do throws(RoostError) {
                let channel = try await self.client.createGroup(title: title, members: members)
                self.show(channel.channel, isOpen: false)
            } catch {
                self.say(error.message, isProblem: true)
            }
        }
    }

    private func invite(_ users: [UserID]) {
        guard let room else { return say(words(.noConversation), isProblem: true) }
        run { [weak self] in
            guard let self else { return }
            do throws(RoostError) {
                let done = try await self.client.channel(room.id).invite(users)
                // Inviting a user to a 1-on-1 creates a group.
                if done != room.id { self.show(done, isOpen: false) }
            } catch {
                self.say(error.message, isProblem: true)
            }
        }
    }

    private func retry() {
        guard let room, let failed = room.failed else { return say(words(.nothingFailed)) }
        room.selected = nil
        run { await room.conversation.retry(failed) }
    }

    private func edit() {
        guard let room, let failed = room.failed else { return say(words(.nothingFailed)) }
        room.selected = nil
        run { await room.composer.takeBack(failed) }
    }

    private func discard(_ message: TransID?) {
        guard let room, let message else { return say(words(.nothingFailed)) }
        room.selected = nil
        run { await room.conversation.discard(message) }
    }

    /// The help, generated from the list of commands.
    var help: ChatState.Sheet {
        let commands = SlashCommand.entries.map { ($0.usage, words($0.meaning)) }
        let keys: [(String, TerminalText)] = [
            ("Enter", .sendKey), ("Alt-Enter, Ctrl-J", .lineBreakKey), ("Tab", .completeKey), ("↑ ↓", .earlierKey),
            ("PgUp PgDn", .scrollKey), ("Ctrl-End", .newestCommand), ("Ctrl-T", .listCommand),
            ("Ctrl-N Ctrl-P", .stepKey), ("Alt-↑, Ctrl-S", .selectKey), ("Ctrl-L", .redrawKey),
            ("Ctrl-C", .quitCommand),
        ]
        func line(_ head: String, _ meaning: String) -> String {
            head + String(repeating: " ", count: max(1, 20 - head.count)) + meaning
        }
        return ChatState.Sheet(
            title: words(.help),
            lines: commands.map(line) + [""] + keys.map { line($0, words($1)) } + ["", words(.signs)])
    }
}
