import RoostModels
import RoostTesting
import RoostWire
import Testing

/// A host that returns a preset answer and records what it was asked.
@MainActor private final class Host: TextChatDelegate {
    var answer = true
    var asked: [ChatMessage] = []

    func textChat(_ chat: TextChatModel, isReadyToSend message: ChatMessage) -> Bool {
        asked.append(message)
        return answer
    }
}

/// A host that answers when it is released.
@MainActor private final class SlowHost: AsyncTextChatDelegate {
    var asked: [ChatMessage] = []
    private var waiting: CheckedContinuation<Bool, Never>?

    func textChat(_ chat: TextChatModel, send message: ChatMessage) async -> Bool {
        asked.append(message)
        return await withCheckedContinuation { waiting = $0 }
    }

    func answer(_ answer: Bool) {
        waiting?.resume(returning: answer)
        waiting = nil
    }
}

/// The drop-in text chat: O-1 to O-21. It does not depend on a server.
@Suite(.timeLimit(.minutes(1))) @MainActor struct TextChatTests {
    private let clock = ManualClock()

    private func chat(_ host: Host? = nil) -> TextChatModel {
        let chat = TextChatModel(clock: clock.clock)
        chat.delegate = host
        return chat
    }

    @Test func `a new chat works by itself: a field, an empty list, a counter, no error and no banner [O-1 O-4]`()
        async
    {
        let chat = TextChatModel()
        #expect(chat.text.isEmpty && chat.rows.isEmpty && chat.errorText == nil && chat.newMessages == 0)
        #expect(chat.counter == "1000 characters left")
        chat.addMessage(senderID: "5678", senderAlias: "Bob", text: "Hi")
        #expect(chat.rows.count == 1)
    }

    @Test func `a host that no longer exists does no harm: the text stays, an error is shown [O-5]`() async {
        let chat = chat()
        var host: Host? = Host()
        chat.delegate = host
        chat.edit("one")
        await chat.send()
        #expect(host?.asked.count == 1)
        host = nil
        #expect(chat.delegate == nil)
        chat.edit("two")
        await chat.send()
        #expect(chat.text == "two" && chat.errorText != nil && chat.rows.count == 1)
    }

    @Test func `sending asks the host once; an empty field asks nobody [O-6]`() async {
        let host = Host()
        let chat = chat(host)
        await chat.send()
        chat.edit("  ")
        await chat.send()
        #expect(host.asked.isEmpty && chat.errorText == nil)
        chat.edit("Hi")
        await chat.send()
        #expect(host.asked.map(\.text) == ["Hi"])
    }

    @Test
    func `the limit is 1000, can be set up to the server's 8000, and counts down in red from ten on [O-9 XC-1 C-O2]`() {
        let chat = chat()
        #expect(chat.maxLength == 1_000)
        let long = String(repeating: "x", count: 1_000)
        #expect(chat.edit(long))
        #expect(chat.remaining == 0 && chat.isCounterRed)
        #expect(chat.edit(long + "x") == false)
        #expect(chat.text == long)
        chat.setMaxLength(1_050)
        #expect(chat.counter == "50 characters left" && !chat.isCounterRed)
        #expect(chat.edit(long + String(repeating: "y", count: 39)) && !chat.isCounterRed)
        #expect(chat.edit(long + String(repeating: "y", count: 40)) && chat.isCounterRed)
        chat.setMaxLength(9_000)
        #expect(chat.maxLength == 8_000)
        #expect(chat.edit(String(repeating: "x", count: 8_000)))
        #expect(chat.edit(String(repeating: "x", count: 8_001)) == false)
        chat.setMaxLength(10)
        #expect(chat.edit(String(repeating: "x", count: 7_999)), "a text that is too long may become shorter")
    }

    @Test func `received messages are not limited and are shown unchanged [O-7 O-10 O-17]`() {
        let chat = chat()
        chat.setMaxLength(5)
        let long = String(repeating: "y", count: 3_000)
        let odd = "two\nlines, 👩‍👩‍👧 and <b>no markup</b>"
        chat.addMessage(senderID: "5678", senderAlias: "Bob", text: long)
        chat.addMessage(senderID: "5678", senderAlias: "Bob", text: odd)
        #expect(chat.rows.map(\.message.text) == [long, odd])
    }

    @Test func `own messages carry the id and the name that were set, and join the list as sent [O-11 O-13]`() async {
        let host = Host()
        let chat = chat(host)
        chat.edit("before")
        await chat.send()
        chat.setSender(id: "1234", alias: "Me")
        chat.edit("Hi")
        await chat.send()
        #expect(host.asked.map(\.senderID) == [nil, "1234"])
        #expect(host.asked.last?.senderAlias == "Me")
        #expect(chat.rows.map(\.message) == host.asked)
        #expect(chat.rows.map(\.isSent) == [true, true])
        #expect(chat.text.isEmpty && chat.remaining == 1_000)
    }

    @Test
    func
        `an added message with the own id looks sent, any other received; id, name and text come from the app [O-12 O-15 O-16 O-19 C-O5]`()
    {
        let chat = chat()
        chat.addMessage(senderID: nil, senderAlias: "Nobody", text: "0")
        chat.setSender(id: "1234", alias: "Me")
        chat.addMessage(senderID: "1234", senderAlias: "Me, elsewhere", text: "1")
        chat.addMessage(senderID: "5678", senderAlias: "Bob", text: "2")
        #expect(chat.rows.map(\.isSent) == [false, true, false])
        #expect(chat.rows.map(\.message.senderID) == [nil, "1234", "5678"])
        #expect(chat.rows.map(\.message.senderAlias) == ["Nobody", "Me, elsewhere", "Bob"])
        #expect(chat.rows.map(\.message.text) == ["0", "1", "2"])
    }

    @Test func `a refused message stays in the field with an error that disappears after four seconds [O-14 C-O4]`()
        async throws
    {
        let host = Host()
        let chat = chat(host)
        chat.start()
        host.answer = false
        chat.edit("Hi")
        await chat.send()
        #expect(chat.text == "Hi" && chat.rows.isEmpty && chat.errorText != nil)
        while clock.sleepers == 0 { await Task.yield() }
        clock.advance(by: 3_999)
        #expect(chat.errorText != nil)
        clock.advance(by: 1)
        try await wait("the error is gone") { chat.errorText == nil }
        #expect(chat.text == "Hi")
        // Again, and once more before the first error has disappeared: the later one counts.
        await chat.send()
        while clock.sleepers == 0 { await Task.yield() }
        clock.advance(by: 3_000)
        await chat.send()
        clock.advance(by: 1_000)
        for _ in 0..<20 { await Task.yield() }
        #expect(chat.errorText != nil)
        clock.advance(by: 3_000)
        try await wait("the error is gone") { chat.errorText == nil }
        host.answer = true
        await chat.send()
        #expect(chat.text.isEmpty && chat.rows.count == 1)
    }

    @Test func `while a slow host decides, the message is shown as being sent; a refusal removes it`()
        async throws
    {
        let host = SlowHost()
        let chat = chat()
        chat.asyncDelegate = host
        chat.edit("Hi")
        async let sent: Void = chat.send()
        try await wait("the row") { chat.rows.last?.isSending == true }
        #expect(chat.text.isEmpty)
        chat.edit("next")
        await chat.send()
        #expect(host.asked.count == 1, "one at a time")
        chat.addMessage(senderID: "5678", senderAlias: "Bob", text: "meanwhile")
        host.answer(true)
        await sent
        #expect(chat.rows.map(\.isSending) == [false, false])
        async let refused: Void = chat.send()
        try await wait("the row") { chat.rows.last?.isSending == true }
        host.answer(false)
        await refused
        #expect(chat.rows.map(\.message.text) == ["Hi", "meanwhile"])
        #expect(chat.text == "next" && chat.errorText != nil)
        #expect(Set(chat.rows.map(\.id)).count == 2)
    }

    @Test func `the time is now unless another is given, and does not decide the order [O-18 C-O3]`() {
        let chat = chat()
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "a")
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "b", sentAt: .init(milliseconds: 36_300_000))
        #expect(chat.rows.map(\.message.sentAt.milliseconds) == [clock.now, 36_300_000])
        #expect(chat.rows.map(\.message.text) == ["a", "b"])
    }

    @Test func `messages of one sender within two minutes are grouped [O-20]`() {
        let chat = chat()
        for (seconds, sender) in [(0, "5"), (60, "5"), (200, "5"), (201, "6"), (319, "6"), (439, "6")]
            as [(Int64, String)]
        {
            chat.addMessage(
                senderID: sender, senderAlias: sender, text: "x", sentAt: .init(milliseconds: seconds * 1_000))
        }
        #expect(chat.rows.map(\.isGrouped) == [false, true, false, false, true, false])
    }

    @Test func `the list follows at its end; scrolled up, a banner announces what is new [O-21]`() async {
        let host = Host()
        let chat = chat(host)
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "1")
        #expect(chat.scrolls == 1 && chat.newMessages == 0)
        chat.setAtBottom(false)
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "2")
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "3")
        #expect(chat.scrolls == 1 && chat.newMessages == 2)
        chat.goToNewest()
        #expect(chat.scrolls == 2 && chat.newMessages == 0 && chat.isAtBottom)
        chat.setAtBottom(false)
        chat.addMessage(senderID: "5", senderAlias: "Bob", text: "4")
        chat.setAtBottom(true)
        #expect(chat.newMessages == 0)
        chat.setAtBottom(false)
        chat.edit("mine")
        await chat.send()
        #expect(chat.isAtBottom && chat.scrolls == 3)
    }
}
