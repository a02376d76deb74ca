public import Observation
public import RoostClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message of the drop-in text chat.
public struct ChatMessage: Hashable, Sendable {
    /// The id of the sender; nil if none was set.
    public var senderID: String?
    /// The name to show.
    public var senderAlias: String
    /// The text, shown unchanged.
    public var text: String
    /// The time to show. It does not decide the order.
    public var sentAt: Date

    /// Creates a message.
    public init(senderID: String?, senderAlias: String, text: String, sentAt: Date) {
        self.senderID = senderID
        self.senderAlias = senderAlias
        self.text = text
        self.sentAt = sentAt
    }
}

/// The host of a drop-in text chat, which sends its messages to the others.
@MainActor public protocol TextChatDelegate: AnyObject {
    /// The user has pressed Send: send the message, and return whether it was sent; `false` refuses it.
    func textChat(_ chat: TextChatModel, isReadyToSend message: ChatMessage) -> Bool
}

/// The asynchronous host of a drop-in text chat, which sends its messages to the others.
@MainActor public protocol AsyncTextChatDelegate: AnyObject {
    /// The user has pressed Send: send the message, and return whether it was sent; `false` refuses it.
    func textChat(_ chat: TextChatModel, send message: ChatMessage) async -> Bool
}

/// A text chat to embed in a page: a field with a counter, a list, an error line and a banner. It has no transport.
///
/// ```swift
/// let chat = TextChatModel()
/// chat.setSender(id: "1234", alias: "Me")
/// chat.delegate = self   // gets what is written; received messages go to addMessage
/// chat.start()
/// ```
@MainActor @Observable public final class TextChatModel {
    /// A row of the list.
    public struct Row: Hashable, Sendable, Identifiable {
        /// Its id in the list.
        public let id: Int
        /// What to draw, with its state.
        public let message: ChatMessage
        /// Whether it is drawn as sent, else as received.
        public let isSent: Bool
        /// Whether it follows a message of the same sender within two minutes: draw no divider, name and time.
        public let isGrouped: Bool
        /// Whether the host is still sending it.
        public internal(set) var isSending: Bool
    }

    /// The default limit of a text to send, in UTF-16 units.
    public static let usualMaxLength = 1_000
    /// The highest limit of a text to send: that of a server.
    public static let maxLengthLimit = 8_000
    /// How long the error line is shown, in ms.
    public static let errorDuration: Int64 = 4_000

    /// The host; it decides at once.
    @ObservationIgnored public weak var delegate: (any TextChatDelegate)?
    /// The host if ``delegate`` is nil; the row shows as being sent until it returns.
    @ObservationIgnored public weak var asyncDelegate: (any AsyncTextChatDelegate)?

    /// The rows, in the order of arrival.
    public private(set) var rows: [Row] = []
    /// The text in the field.
    public private(set) var text = ""
    /// The id of this user; nil if none was set.
    public private(set) var senderID: String?
    /// The name shown on this user's messages.
    public private(set) var senderAlias = ""
    /// The limit of a text to send, in UTF-16 units.
    public private(set) var maxLength = TextChatModel.usualMaxLength
    /// The error line; nil if there is none. It disappears by itself.
    public private(set) var errorText: String?
    /// Whether the list is at its end and follows new messages; otherwise it stays where it is.
    public private(set) var isAtBottom = true
    /// How many messages arrived while the list did not follow: the banner; 0 for no banner.
    public private(set) var newMessages = 0
    /// Counts the requests to scroll to the end of the list.
    public private(set) var scrolls = 0

    /// How much can still be typed, in UTF-16 units.
    public var remaining: Int { max(0, maxLength - text.utf16.count) }

    /// The counter: `990 characters left`.
    public var counter: String { texts.charactersLeft(remaining) }

    /// Whether to draw the counter in red: ten or fewer are left.
    public var isCounterRed: Bool { remaining <= 10 }

    @ObservationIgnored private let clock: ModelClock
    @ObservationIgnored private let texts: ChatTexts
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private let alarm: Alarm
    @ObservationIgnored private var errorUntil: Date?
    @ObservationIgnored private var isAsking = false
    @ObservationIgnored private var nextID = 0

    /// Creates an empty chat.
    public init(clock: ModelClock = .system, texts: ChatTexts = .english) {
        self.clock = clock
        self.texts = texts
        alarm = Alarm(clock)
    }

    /// Starts the timer of the error line.
    public func start() {
        guard !life.isRunning else { return }
        life.start({ [weak self, alarm] in
            await alarm.run { self?.expireError() }
        })
    }

    /// Stops the work that ``start()`` began.
    public func stop() { life.stop() }

    /// Sets the id of this user and the name that is shown.
    public func setSender(id: String, alias: String) {
        senderID = id
        senderAlias = alias
    }

    /// Sets the limit of a text to send, 1 to 8,000 UTF-16 units; the field does not change. Received messages have no
    /// limit.
    public func setMaxLength(_ length: Int) { maxLength = min(max(length, 1), Self.maxLengthLimit) }

    /// Sets the text in the field; an edit that exceeds the limit is refused: it returns `false`.
    @discardableResult
    public func edit(_ new: String) -> Bool {
        let count = new.utf16.count
        // After the limit was lowered, the text can still be made shorter.
        guard count <= maxLength || count < text.utf16.count else { return false }
        text = new
        return true
    }

    /// Asks the host to send the text in the field: for the button and the return key.
    ///
    /// If the host agrees, the message is added to the list and the field is emptied; if it
    /// refuses, the text stays and the error line shows. With an empty field or without a
    /// host nothing happens.
    public func send() async {
        guard !isAsking, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        guard text.utf16.count <= maxLength else { return fail() }
        let message = ChatMessage(senderID: senderID, senderAlias: senderAlias, text: text, sentAt: clock.now())
        if let delegate {
            if delegate.textChat(self, isReadyToSend: message) { accept(message) } else { fail() }
        } else if let asyncDelegate {
            isAsking = true
            defer { isAsking = false }
            let number = nextID
            accept(message, isSending: true)
            let isSent = await asyncDelegate.textChat(self, send: message)
            if isSent {
                if let index = rows.firstIndex(where: { $0.id == number }) { rows[index].isSending = false }
            } else {
                takeBack(number)
            }
        } else {
            fail()
        }
    }

    /// Adds a received message; one with the user's id is drawn as sent. The default time is now.
    public func addMessage(senderID: String?, senderAlias: String, text: String, sentAt: Date? = nil) {
        let message = ChatMessage(
            senderID: senderID, senderAlias: senderAlias, text: text, sentAt: sentAt ?? clock.now())
        let isSent = senderID != nil && senderID == self.senderID
        append(message, isSent: isSent)
        if isAtBottom { scrolls += 1 } else { newMessages += 1 }
    }

    /// Reports whether the list is at its end: then it follows, and the banner disappears.
    public func setAtBottom(_ isAtBottom: Bool) {
        self.isAtBottom = isAtBottom
        if isAtBottom { newMessages = 0 }
    }

    /// Scrolls to the end of the list and follows: for the tap on the banner.
    public func goToNewest() {
        setAtBottom(true)
        scrolls += 1
    }

    // MARK: Internals

    private func accept(_ message: ChatMessage, isSending: Bool = false) {
        append(message, isSent: true, isSending: isSending)
        text = ""
        errorText = nil
        goToNewest()
    }

    private func append(_ message: ChatMessage, isSent: Bool, isSending: Bool = false) {
        rows.append(row(message, isSent: isSent, isSending: isSending, behind: rows.last, number: nextID))
        nextID += 1
    }

    private func row(
        _ message: ChatMessage, isSent: Bool, isSending: Bool, behind last: Row?, number: Int
    ) -> Row {
        var isGrouped = false
        if let last, last.isSent == isSent, last.message.senderID == message.senderID,
            last.message.senderAlias == message.senderAlias
        {
            isGrouped = GroupingRules.isNear(message.sentAt, after: last.message.sentAt)
        }
        return Row(id: number, message: message, isSent: isSent, isGrouped: isGrouped, isSending: isSending)
    }

    /// The host has refused: the row is removed, and its text returns to the field if that is empty.
    private func takeBack(_ number: Int) {
        guard let index = rows.firstIndex(where: { $0.id == number }) else { return }
        let refused = rows.remove(at: index).message.text
        let old = Array(rows[index...])
        rows.removeSubrange(index...)
        for row in old {
            rows.append(
                self.row(
                    row.message, isSent: row.isSent, isSending: row.isSending, behind: rows.last, number: row.id))
        }
        if text.isEmpty { text = refused }
        fail()
    }

    private func fail() {
        errorText = texts.notSent
        let until = clock.now() + Double(Self.errorDuration) / 1_000
        errorUntil = until
        alarm.set(until)
    }

    private func expireError() {
        guard let errorUntil else { return }
        if errorUntil <= clock.now() {
            self.errorUntil = nil
            errorText = nil
        } else {
            alarm.set(errorUntil)
        }
    }
}
