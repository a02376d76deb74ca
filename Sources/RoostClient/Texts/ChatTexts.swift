public import RoostWire

/// All texts that the SDK and the models show to users, in one language.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id, texts: .german)
///
/// var texts = ChatTexts.english        // or custom texts, one by one
/// texts.preview = { $0 == .film ? "Video" : ChatTexts.english.preview($0) }
/// ```
///
/// It has no side effects. The messages of errors are not included: a `RoostError` has a
/// code for choosing a text.
public struct ChatTexts: Sendable {
    /// The kind of a message without a text, for the channel list. Cases may be added.
    public enum Preview: Hashable, Sendable, CaseIterable {
        /// A sticker.
        case sticker
        /// A picture.
        case picture
        /// A video.
        case film
        /// A voice message.
        case voiceMessage
        /// A contact.
        case contact
        /// Any other file.
        case file
        /// A place.
        case place
        /// A call.
        case call
        /// Its sender took a screenshot.
        case screenshot
        /// Its sender copied a message.
        case copy
        /// Its sender forwarded messages.
        case forward
        /// Its sender saved a message or its file.
        case save
        /// It was recalled.
        case recalled
        /// Anything else.
        case message
    }

    /// A change in a channel. The names are those in the channel, or ids if a name is not known.
    public enum Line: Hashable, Sendable {
        /// Somebody created the channel.
        case created(by: String, title: String)
        /// A channel for news was created.
        case newsBegins(title: String)
        /// Somebody dismissed the channel.
        case dismissed(by: String, channel: String)
        /// These users joined, and the channel now has this many members.
        case joined([String], members: Int)
        /// Somebody invited these users.
        case invited(by: String, [String])
        /// Somebody accepted an invitation, and the channel now has this many members.
        case accepted(String, members: Int)
        /// Somebody left; with the new admin, if there is one.
        case left(String, members: Int, successor: String?)
        /// Somebody removed these users.
        case removed(by: String, [String], members: Int)
        /// Somebody banned these users.
        case banned(by: String, [String], members: Int)
        /// Somebody has another role; `none` for a user who is not banned or invited any more.
        case role(String, Role)
        /// The user with this id has another name.
        case renamed(String, name: String)
        /// Somebody changed these settings.
        case settings(by: String, [Setting])
        /// A vote was closed, by a user or at its `closesAt`.
        case voteClosed(by: String?, VoteTally)
        /// A user pinned a message.
        case pinned(by: String)
    }

    /// A setting of a channel with its new value.
    public enum Setting: Hashable, Sendable {
        /// The title; empty if there is none.
        case title(String)
        /// The app-defined bits.
        case customAttributes(Int64)
        /// The address of the picture; empty if there is none.
        case picture(String)
        /// The address of the background; empty if there is none.
        case background(String)
        /// Whether users can join by themselves.
        case canJoin(Bool)
        /// Who may edit what the channel shows.
        case editors(ProfileEditors)
        /// What new members may read; with the number of rows, if there is one.
        case history(HistoryVisibility, rows: Int?)
        /// The fewest members.
        case minMembers(Int)
        /// The most members.
        case maxMembers(Int)
        /// Whether moderators may recall messages of others.
        case moderatorsMayRecall(Bool)
        /// Whether the channel gets a notice when its messages are forwarded.
        case noticesForwards(Bool)
        /// Who may pin messages.
        case pinners(Pinners)
    }

    /// The name of the acting user if none is known.
    public var server: String
    /// The kind of a message without a text: `Picture`.
    public var preview: @Sendable (Preview) -> String
    /// A system line of a conversation, without a full stop: `Cid left (3 members)`.
    public var line: @Sendable (Line) -> String
    /// A setting, inside a line: `at most 5 members`.
    public var setting: @Sendable (Setting) -> String
    /// The tally of a vote: `option 1: 2, option 2: 1 (of 3 voters)`.
    public var tally: @Sendable (VoteTally) -> String
    /// Several names or clauses in one line: `Ann, Bob`.
    public var list: @Sendable ([String]) -> String
    /// The users who are typing, by name, at least one: `Ann, Bob +1`.
    public var typing: @Sendable ([String]) -> String
    /// The text of a shell; the name is nil if the viewer recalled the message.
    public var recalled: @Sendable (_ name: String?) -> String
    /// The title of a group without one, by the number of its members: `Group(5)`.
    public var groupTitle: @Sendable (Int) -> String
    /// The offer to start a conversation with a user: `Start messaging with Bob`.
    public var startMessaging: @Sendable (_ name: String) -> String
    /// The button that only closes a sheet.
    public var cancel: String
    /// How many characters can still be typed: `10 characters left`.
    public var charactersLeft: @Sendable (Int) -> String
    /// A message was not sent.
    public var notSent: String
    /// Some of several actions failed: `2 of 3 failed.`
    public var someFailed: @Sendable (_ failed: Int, _ all: Int) -> String
}
