public import Observation
public import RoostClient

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message of the drop-in text chat.
public struct ChatMessage: Hashable, Sendable {
    /// Who sent it; nil when no id was set.
    public var senderID: String?
    /// The name to show.
    public var senderAlias: String
    /// The text, shown unchanged.
    public var text: String
    /// When, as it is shown. It does not decide the order.
    public var sentAt: Date

    /// Makes a message.
    public init(senderID: String?, senderAlias: String, text: String, sentAt: Date) {
        self.senderID = senderID
        self.senderAlias = senderAlias
        self.text = text
        self.sentAt = sentAt
    }
}

/// Who carries the messages of a drop-in text chat to the others.
@MainActor public protocol TextChatDelegate: AnyObject {
    /// The person has pressed Send: send it on, and answer whether that was done; `false` refuses the message.
    func textChat(_ chat: TextChatModel, isReadyToSend message: ChatMessage) -> Bool
}

/// Who carries the messages of a drop-in text chat to the others, and takes its time.
@MainActor public protocol AsyncTextChatDelegate: AnyObject {
    /// The person has pressed Send: send it on, and answer whether that was done; `false` refuses the message.
    func textChat(_ chat: TextChatModel, send message: ChatMessage) async -> Bool
}

/// A text chat to drop into a page: a field with a counter, a list, an error line and a banner. It knows no transport.
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
        /// Its place in the list.
        public let id: Int
        /// The message.
        public let message: ChatMessage
        /// Whether it is drawn as sent, else as received.
        public let isSent: Bool
        /// Whether it follows one of the same sender within two minutes: no divider, name and time.
        public let isGrouped: Bool
        /// Whether the host is still at it.
        public internal(set) var isSending: Bool
    }

    /// The longest own text when nothing else is set, in UTF-16 units.
    public static let usualMaxLength = 1_000
    /// The longest own text that can be set: the longest that a server takes.
    public static let mostMaxLength = 8_000
    /// How long the error line is shown, in ms.
    public static let errorDuration: Int64 = 4_000

    /// Who is asked to send; what it answers at once decides.
    @ObservationIgnored public weak var delegate: (any TextChatDelegate)?
    /// Who is asked to send when ``delegate`` is nil; the row shows as being sent until it answers.
    @ObservationIgnored public weak var asyncDelegate: (any AsyncTextChatDelegate)?

    /// The rows, in the order in which they came.
    public private(set) var rows: [Row] = []
    /// What is in the field.
    public private(set) var text = ""
    /// The id of the sender on this side; nil when none was set.
    public private(set) var senderID: String?
    /// The name shown on own messages.
    public private(set) var senderAlias = ""
    /// The longest own text, in UTF-16 units.
    public private(set) var maxLength = TextChatModel.usualMaxLength
    /// The error line; nil when there is none. It goes away by itself.
    public private(set) var errorText: String?
    /// Whether the list stands at its end and follows; otherwise it is locked where it is.
    public private(set) var isAtBottom = true
    /// How many messages came while the list was locked: the banner; 0 for no banner.
    public private(set) var newMessages = 0
    /// How often the list was asked to go to its end.
    public private(set) var scrolls = 0

    /// How much may still be written, in UTF-16 units.
    public var remaining: Int { max(0, maxLength - text.utf16.count) }

    /// The counter: `990 characters left`.
    public var counter: String { texts.charactersLeft(remaining) }

    /// Whether the counter is to be drawn in red: ten or fewer are left.
    public var isCounterRed: Bool { remaining <= 10 }

    @ObservationIgnored private let clock: ModelClock
    @ObservationIgnored private let texts: ChatTexts
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private let alarm: Alarm
    @ObservationIgnored private var errorUntil: Date?
    @ObservationIgnored private var isAsking = false
    @ObservationIgnored private var nextID = 0

    /// Makes an empty chat.
    public init(clock: ModelClock = .system, texts: ChatTexts = .english) {
        self.clock = clock
        self.texts = texts
        alarm = Alarm(clock)
    }

    /// Lets the error line go away by itself from now on.
    public func start() {
        guard !life.isRunning else { return }
        life.start({ [weak self, alarm] in
            await alarm.run { self?.expireError() }
        })
    }

    /// Ends what ``start()`` began.
    public func stop() { life.stop() }

    /// Says who writes here: the id, and the name that is shown.
    public func setSender(id: String, alias: String) {
        senderID = id
        senderAlias = alias
    }

    /// Limits what is written, 1 to 8,000 UTF-16 units; what is in the field stays. Received messages are not limited.
    public func setMaxLength(_ length: Int) { maxLength = min(max(length, 1), Self.mostMaxLength) }

    /// Tells what is in the field now; an edit that would pass the limit is refused, and answered with `false`.
    @discardableResult
    public func edit(_ new: String) -> Bool {
        let count = new.utf16.count
        // A limit that was lowered does not keep anybody from making a text shorter.
        guard count <= maxLength || count < text.utf16.count else { return false }
        text = new
        return true
    }

    /// Asks the host to send what is in the field: the button and the return key alike.
    ///
    /// When it agrees, the message joins the list and the field is empty; when it
    /// refuses, the text stays and the error line shows. An empty field asks
    /// nobody, and without a host nothing is sent.
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

    /// Adds a message that came in; one with the user's own id is drawn as sent. Without a time it is from now.
    public func addMessage(senderID: String?, senderAlias: String, text: String, sentAt: Date? = nil) {
        let message = ChatMessage(
            senderID: senderID, senderAlias: senderAlias, text: text, sentAt: sentAt ?? clock.now())
        let isSent = senderID != nil && senderID == self.senderID
        append(message, isSent: isSent)
        if isAtBottom { scrolls += 1 } else { newMessages += 1 }
    }

    /// Tells whether the list stands at its end: then it follows, and the banner goes.
    public func setAtBottom(_ isAtBottom: Bool) {
        self.isAtBottom = isAtBottom
        if isAtBottom { newMessages = 0 }
    }

    /// Goes to the end of the list and follows from there: the tap on the banner.
    public func goToNewest() {
        setAtBottom(true)
        scrolls += 1
    }

    // MARK: Inside

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

    /// The host has refused: the row goes, and the text is back in a field that is empty.
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
