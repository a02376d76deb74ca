import Foundation
import RoostClient
import RoostWire
import Testing

@testable import RoostModels
@testable import RoostTerminal

/// What a state looks like on a screen.
@Suite struct ChatViewTests {
    private static let start: Int64 = 1_767_225_600_000

    private func item(_ seq: Int64, _ text: String, isOwn: Bool = false, isGrouped: Bool = false) throws -> TimelineItem
    {
        var item = TimelineItem(
            id: .row(seq), kind: .message, key: .init(seq: seq, order: 2),
            sentAt: .init(milliseconds: Self.start + seq * 60_000), day: 0)
        item.seq = seq
        item.content = MessageContent(.text, text: text)
        item.text = text
        item.isOwn = isOwn
        item.isGrouped = isGrouped
        item.senderID = try #require(UserID(rawValue: isOwn ? "ann" : "bob"))
        item.senderName = isOwn ? "Ann" : "Bob"
        return item
    }

    private func state(_ columns: Int, _ rows: Int) throws -> ChatState {
        var state = ChatState(size: ScreenSize(columns: columns, rows: rows))
        state.zone = try #require(TimeZone(identifier: "UTC"))
        state.now = .init(milliseconds: Self.start + 3_600_000)
        state.viewer = UserID(rawValue: "ann")
        state.connection = .live
        state.channel = ChannelID(rawValue: "club")
        state.title = "Club"
        state.people = "3 members"
        state.hasLoaded = true
        var entry = ChatState.Entry(id: try #require(ChannelID(rawValue: "club")), title: "Club")
        entry.people = 3
        var other = ChatState.Entry(id: try #require(ChannelID(rawValue: "b")), title: "Bob")
        other.badge = "99+"
        other.mentions = 2
        other.lastText = "see you"
        other.lastSentAt = .init(milliseconds: Self.start)
        state.entries = [entry, other]
        state.hasLoadedList = true
        return state
    }

    @Test func `a file is shown with its size, and a picture blurred`() throws {
        var state = try state(80, 24)
        var picture = try item(1, "The new roof")
        picture.content = MessageContent(
            .image(FileReference(fileID: "f", name: "ro\u{1B}of.jpg", size: 2_400_000, blurHash: "00TNoS")),
            text: picture.text)
        state.items = [picture, try item(2, "none")]
        func lines() -> [String] {
            ChatView(state).draw().lines.map { $0.split(separator: "│", maxSplits: 1).last.map(String.init) ?? "" }
        }
        let plain = lines()
        let start = try #require(plain.firstIndex { $0.hasPrefix("   [image] ro\u{FFFD}of.jpg, 2.4 MB The new roof") })
        #expect(plain[start + 1].hasPrefix("Bob"))
        state.hasPictures = true
        let screen = ChatView(state).draw()
        let top = try #require(lines().firstIndex { $0.contains("2.4 MB") }) + 1
        for line in lines()[top..<top + 8] { #expect(line == "   " + String(repeating: "▀", count: 32)) }
        #expect(lines()[top + 8].hasPrefix("Bob"))
        var renderer = Renderer(hasColors: true, hasTrueColors: true)
        #expect(String(decoding: renderer.render(screen), as: UTF8.self).contains("38;2;255;128;0;48;2;255;128;0m▀"))
        var plainRenderer = Renderer(hasColors: false)
        #expect(!String(decoding: plainRenderer.render(screen), as: UTF8.self).contains("38;"))
    }

    @Test func `the header counts pinned messages, and a selected one can be pinned by who may`() throws {
        var state = try state(60, 12)
        let id = MessageID(sentAt: Self.start, seq: 1, salt: 0)
        var first = try item(1, "hello")
        first.messageID = id
        state.items = [first]
        state.selected = first.id
        #expect(ChatView(state).draw().lines.contains { $0.contains("Enter reply  Esc back") })
        state.mayPin = true
        #expect(ChatView(state).draw().lines.contains { $0.contains("Enter reply  p pin  Esc back") })
        #expect(!ChatView(state).draw().lines[0].contains("pinned"))
        let pin = Pin(messageID: id, userID: try #require(UserID(rawValue: "bob")), name: "Bob", pinnedAt: first.sentAt)
        state.pins = [ConversationModel.PinnedMessage(pin: pin, item: first)]
        let lines = ChatView(state).draw().lines
        #expect(lines[0].hasPrefix("Club  3 members · 1 pinned"))
        #expect(lines.contains { $0.contains("Enter reply  p unpin  Esc back") })
        state.people = ""
        #expect(ChatView(state).draw().lines[0].hasPrefix("Club  1 pinned"))
    }

    @Test func `reactions are shown under their message, own ones in brackets, without control sequences`() throws {
        var state = try state(80, 24)
        var first = try item(1, "hello")
        first.reactions = [
            Reaction(emoji: "👍", count: 2, isMine: true), Reaction(emoji: "❤️", count: 1, isMine: false),
            Reaction(emoji: "\u{1B}", count: 1, isMine: false),
        ]
        var line = TimelineItem(
            id: .row(2), kind: .announcement, key: .init(seq: 2, order: 2), sentAt: .init(milliseconds: Self.start),
            day: 0)
        line.text = "hear, hear"
        line.reactions = [Reaction(emoji: "🎉", count: 7, isMine: false)]
        state.items = [first, line, try item(3, "none")]
        let lines = ChatView(state).draw().lines.map {
            $0.split(separator: "│", maxSplits: 1).last.map(String.init) ?? ""
        }
        let start = try #require(lines.firstIndex { $0.hasPrefix("   hello") })
        #expect(lines[start + 1].hasPrefix("   [👍 2]  ❤️ 1  \u{FFFD} 1"))
        #expect(lines[start + 2].contains("hear, hear") && lines[start + 3].hasPrefix("   🎉 7"))
        #expect(lines[start + 4].hasPrefix("Bob") && lines[start + 5].hasPrefix("   none"))
        #expect(!lines[start + 6].contains("1"))
    }

    @Test func `a conversation at 80 by 24`() throws {
        var state = try state(80, 24)
        var day = TimelineItem(
            id: .day(0), kind: .day, key: .init(seq: 1, order: 0), sentAt: .init(milliseconds: Self.start), day: 0)
        day.sentAt = .init(milliseconds: Self.start)
        var mine = try item(2, "my answer", isOwn: true)
        mine.unreadBy = 2
        var sending = try item(3, "on its way", isOwn: true, isGrouped: true)
        sending.state = .sending
        var failed = try item(4, "refused", isOwn: true, isGrouped: true)
        failed.state = .failed(RoostError(.timedOut, "The server did not answer."))
        state.items = [day, try item(1, "hello\nAnn 漢字👍"), mine, sending, failed]
        state.typingLine = "Bob"
        state.typingCount = 1
        state.field.insert("next")
        let screen = ChatView(state).draw()
        let lines = screen.lines
        #expect(lines.count == 24)
        #expect(lines[0] == "Conversations             │Club  3 members")
        #expect(lines[1].hasPrefix("▸ Club (3)"))
        #expect(lines[3].contains(#/^  Bob +@2 99\+/#))
        #expect(lines[4].contains(#/^  see you +00:00/#))
        let right = lines.map { line in line.split(separator: "│", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(right[11].contains(" Today "))
        #expect(
            Array(right[12...19]) == [
                "Bob  00:01", "   hello", "   Ann 漢字👍", "You  00:02", "✓  my answer  2 unread", "⏳ on its way",
                "✗  refused",
                "   Not sent: The server did not answer. /retry, /edit",
            ])
        #expect(lines[23].hasPrefix(" ● connected · ann"))
        #expect(lines[23].contains("1 waiting") && lines[23].hasSuffix("F1 help"))
    }

    @Test func `at 40 by 10 the list replaces the conversation while choosing`() throws {
        var state = try state(40, 10)
        state.items = [try item(1, "a text that is too long for one line of this small screen")]
        let lines = ChatView(state).draw().lines
        #expect(lines[0] == "Club  3 members")
        #expect(!lines.contains { $0.contains("Conversations") })
        #expect(lines.contains("   a text that is too long for one line"))
        state.isChoosing = true
        state.marked = state.channel
        let list = ChatView(state).draw()
        #expect(list.lines[0] == "Conversations")
        #expect(list.lines[1].hasPrefix("▸ Club (3)") && list.rows[1][0].style.isReversed)
        #expect(list.cursor == nil)
    }

    @Test func `a vote shows its options, a copy that it is one, a call what became of it`() throws {
        var state = try state(60, 14)
        var vote = try item(1, "Where do we eat?")
        let options: [MessageContent] = [
            .text("Soup"), .image(FileReference(fileID: "f", name: "place.jpg"), text: "The\u{1B}[31m new place"),
        ]
        vote.content = MessageContent(.vote(Vote(options: options), type: "voteImage"), text: vote.text)
        var copy = try item(2, "pass it on", isGrouped: true)
        copy.isForwarded = true
        var call = try item(3, "", isGrouped: true)
        call.content = MessageContent(
            .callRecorded(CallNotice(callID: "c", kind: .video, result: .answered, durationMs: 184_000)))
        state.items = [vote, copy, call]
        let lines = ChatView(state).draw().lines
        #expect(lines.contains("   [voteImage] Where do we eat?"))
        #expect(lines.contains("   1) Soup"))
        #expect(lines.contains { $0.hasPrefix("   2) [image] place.jpg The") && $0.contains("[31m new place") })
        #expect(lines.contains("   [forwarded] pass it on"))
        #expect(lines.contains("   [callRecorded] video, answered, 3 min 4 s"))
    }

    @Test func `every size is drawn without a trap`() throws {
        var state = try state(80, 24)
        state.items = try (1...30).map { try item(Int64($0), "row \($0) with some words", isGrouped: $0 % 3 == 0) }
        state.field.insert(String(repeating: "漢 words\n", count: 9))
        state.notice = ChatState.Notice("something long that does not fit into a small screen", isProblem: true)
        for columns in [1, 2, 5, 10, 27, 40, 72, 80, 300] {
            for rows in [1, 2, 3, 5, 10, 24, 100] {
                state.size = ScreenSize(columns: columns, rows: rows)
                for isChoosing in [false, true] {
                    state.isChoosing = isChoosing
                    let screen = ChatView(state).draw()
                    #expect(screen.rows.count == rows && screen.rows.allSatisfy { $0.count == columns })
                    if let cursor = screen.cursor { #expect(cursor.column < columns && cursor.row < rows) }
                }
            }
        }
    }

    @Test func `scrolling is held by an item, ends with a full screen, and comes back`() throws {
        let items = try (1...40).map { try item(Int64($0), "row \($0)", isGrouped: $0 > 1) }
        let window = TimelineWindow(items: items, height: 10) { $0.isGrouped ? 1 : 2 }
        #expect(window.visible(at: .bottom).items == 30..<40)
        let up = window.scrolled(.bottom, up: 9)
        #expect(window.visible(at: up).items == 21..<31)
        let older = try (-9...0).map { try item(Int64($0), "older \($0)", isGrouped: true) }
        let longer = TimelineWindow(items: older + items, height: 10) { $0.isGrouped ? 1 : 2 }
        // A page goes in above: the same rows stay on the screen.
        #expect(longer.visible(at: up).items == 31..<41)
        #expect(window.scrolled(up, down: 9) == .bottom)
        let top = window.scrolled(.bottom, up: 1_000)
        #expect(top == window.top && window.visible(at: top).items == 0..<9)
        #expect(window.scrolled(top, up: 5) == top)
        #expect(window.visible(at: window.centered(on: .row(20))).items.contains(19))
        let few = TimelineWindow(items: Array(items.prefix(3)), height: 10) { _ in 1 }
        #expect(few.scrolled(.bottom, up: 4) == .bottom && few.top == .bottom)
        let gone = ScrollPosition.at(.gap(17), hidden: 0, seq: 17)
        #expect(window.visible(at: gone).items.upperBound == 17)
    }
}
