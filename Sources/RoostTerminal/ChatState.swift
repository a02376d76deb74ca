package import Foundation
package import RoostClient
package import RoostModels
package import RoostWire

/// Everything that the screen of a chat shows, as one value: what the models know and where the person is in it.
package struct ChatState: Sendable {
    /// A line of the list of conversations.
    package struct Entry: Hashable, Sendable {
        package var id: ChannelID
        package var title: String
        package var people = 0
        package var lastText: String?
        package var lastSentAt: Int64?
        package var badge: String?
        package var mentions = 0
        package var isMuted = false
        package var hasDraft = false
        /// Whether it is an open channel that this client takes part in.
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

    /// Something that is said to the person: the answer of a command, or what went wrong.
    package struct Notice: Hashable, Sendable {
        package var text: String
        package var isProblem: Bool

        package init(_ text: String, isProblem: Bool = false) {
            self.text = text
            self.isProblem = isProblem
        }
    }

    /// Lines over the timeline, until a key is pressed: help, members.
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
    package var zone = TimeZone.current
    /// The time, ms since 1970: it tells today from other days.
    package var now: Int64 = 0

    /// The user; nil before the first connection.
    package var viewer: UserID?
    package var connection = ConnectionState.offline
    /// How many of the missed rows have come, and of how many.
    package var progress: (done: Int, of: Int)?
    /// Why the server does not let the client in, when that is for good.
    package var refusal: String?

    package var entries: [Entry] = []
    package var hasLoadedList = false
    /// The line of the list that is marked while one chooses; nil while one writes.
    package var marked: ChannelID?
    package var isChoosing = false
    package var unreadBadge: String?

    /// The conversation that is open.
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
    package var typingLine: String?
    package var typingCount = 0

    package var field = LineField()
    package var remaining = Int.max
    package var isNearLimit = false
    package var replyTo: TimelineItem?
    package var candidates: [String] = []
    package var notice: Notice?
    /// A question that is answered with `y` or `n`.
    package var question: String?
    package var sheet: Sheet?

    package init(size: ScreenSize) { self.size = size }

    /// Whether Enter on a message offers to start a 1-on-1 with its sender: on somebody's text in an open channel.
    func offersMessaging(with item: TimelineItem) -> Bool {
        isOpenChannel && item.kind == .message && !item.isOwn && item.type == MessageType.text.name
    }

    /// How many own messages of this conversation wait for the server.
    var waiting: Int { items.reduce(0) { $1.state == .sending ? $0 + 1 : $0 } }
}
