package import Foundation
package import RoostClient
package import RoostModels
package import RoostWire

/// The complete state of the chat screen as a value.
package struct ChatState: Sendable {
    /// An entry of the conversation list.
    package struct Entry: Hashable, Sendable {
        package var id: ChannelID
        package var title: String
        package var people = 0
        package var lastText: String?
        package var lastSentAt: Date?
        package var badge: String?
        package var mentions = 0
        package var isMuted = false
        package var hasDraft = false
        /// Whether it is an open channel that this client has joined.
        package var isOpenChannel = false

        package init(id: ChannelID, title: String) {
            self.id = id
            self.title = title
        }

        package init(_ row: ChannelRow) {
            id = row.id
            title = row.title
            people = row.memberCount
            lastText = row.lastText
            lastSentAt = row.lastSentAt
            badge = row.badge ?? (row.isMarkedUnread ? "•" : nil)
            mentions = row.mentions
            isMuted = row.isMuted
            hasDraft = row.draft != nil
        }
    }

    /// A message to the user: the result of a command, or an error.
    package struct Notice: Hashable, Sendable {
        package var text: String
        package var isProblem: Bool

        package init(_ text: String, isProblem: Bool = false) {
            self.text = text
            self.isProblem = isProblem
        }
    }

    /// Text shown over the timeline until a key is pressed, such as help or members.
    package struct Sheet: Hashable, Sendable {
        package var title: String
        package var lines: [String]
        package var first = 0

        package init(title: String, lines: [String]) {
            self.title = title
            self.lines = lines
        }
    }

    package var size: ScreenSize
    package var words = TerminalText.english
    /// Whether to draw pictures as half blocks.
    package var hasPictures = false
    package var zone = TimeZone.current
    /// The current time, in ms since 1970, to distinguish today from other days.
    package var now = Date(timeIntervalSince1970: 0)

    /// The user; nil before the first connection.
    package var viewer: UserID?
    package var connection = ConnectionState.offline
    /// The number of missed rows received so far, and the total.
    package var progress: (done: Int, of: Int)?
    /// Why the server permanently refuses the client, if it does.
    package var refusal: String?

    package var entries: [Entry] = []
    package var hasLoadedList = false
    /// The highlighted entry while choosing from the list; nil while writing.
    package var marked: ChannelID?
    package var isChoosing = false
    package var unreadBadge: String?

    /// The open conversation.
    package var channel: ChannelID?
    package var title = ""
    package var people = ""
    package var isOpenChannel = false
    package var isClosed = false
    package var items: [TimelineItem] = []
    package var hasLoaded = false
    package var hasPrevious = false
    package var isLoading = false
    package var place = ScrollPosition.bottom
    package var selected: TimelineItem.ID?
    package var newMessages = 0
    package var mayPin = false
    package var pins: [ConversationModel.PinnedMessage] = []
    package var typingLine: String?
    package var typingCount = 0

    package var field = LineField()
    package var remaining = Int.max
    package var isNearLimit = false
    package var replyTo: TimelineItem?
    package var candidates: [String] = []
    package var notice: Notice?
    /// A yes/no question.
    package var question: String?
    package var sheet: Sheet?

    package init(size: ScreenSize) { self.size = size }

    /// Whether Enter on a message offers to start a 1-on-1 with its sender: for another user's text in an open
    /// channel.
    func offersMessaging(with item: TimelineItem) -> Bool {
        isOpenChannel && item.kind == .message && !item.isOwn && item.content?.type == MessageType.text.name
    }

    /// Whether a message is pinned.
    func isPinned(_ item: TimelineItem) -> Bool { pins.contains { $0.pin.messageID == item.messageID } }

    /// The number of own messages in this conversation that are waiting for the server.
    var waiting: Int { items.reduce(0) { $1.state == .sending ? $0 + 1 : $0 } }
}
