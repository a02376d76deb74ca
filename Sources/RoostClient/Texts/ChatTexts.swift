public import RoostWire

/// Everything that the SDK and the models say to people in words of their own, in one language.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id, texts: .german)
///
/// var texts = ChatTexts.english        // or one's own words, one by one
/// texts.preview = { $0 == .film ? "Video" : ChatTexts.english.preview($0) }
/// ```
///
/// It has no effect of its own. What the server or the SDK says of a failure, a `RoostError`, is not in it: it has a
/// code to be told by.
public struct ChatTexts: Sendable {
    /// What a message is that has no words, as the list of channels shows it. More cases may come.
    public enum Preview: Hashable, Sendable, CaseIterable {
        /// A sticker.
        case sticker
        /// A picture.
        case picture
        /// A film.
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
        /// Its sender passed messages on.
        case forward
        /// Its sender saved a message or its file.
        case save
        /// It was recalled.
        case recalled
        /// Anything else.
        case message
    }

    /// What happened in a channel. The names are those that people have there, or ids where no name is told.
    public enum Line: Hashable, Sendable {
        /// Somebody made the channel.
        case created(by: String, title: String)
        /// A channel of news begins.
        case newsBegins(title: String)
        /// Somebody dismissed the channel.
        case dismissed(by: String, channel: String)
        /// These joined, and now the channel has so many members.
        case joined([String], members: Int)
        /// Somebody invited these.
        case invited(by: String, [String])
        /// Somebody accepted an invitation, and now the channel has so many members.
        case accepted(String, members: Int)
        /// Somebody left; with who is admin since.
        case left(String, members: Int, successor: String?)
        /// Somebody removed these.
        case removed(by: String, [String], members: Int)
        /// Somebody banned these.
        case banned(by: String, [String], members: Int)
        /// Somebody has another role; `none` for who is not banned or invited any more.
        case role(String, Role)
        /// The user with this id has another name.
        case renamed(String, name: String)
        /// Somebody changed these settings.
        case settings(by: String, [Setting])
        /// A vote is over; nobody has closed it when its time was over.
        case voteClosed(by: String?, VoteTally)
    }

    /// A setting of a channel as it is now.
    public enum Setting: Hashable, Sendable {
        /// The title; empty for none.
        case title(String)
        /// The app's own bits.
        case customAttributes(Int64)
        /// The address of the picture; empty for none.
        case picture(String)
        /// The address of the background; empty for none.
        case background(String)
        /// Whether anybody may join.
        case canJoin(Bool)
        /// Who edits what the channel shows.
        case editors(ProfileEditors)
        /// What newcomers may read; with how many rows where that is told.
        case history(HistoryVisibility, rows: Int?)
        /// The fewest members.
        case minMembers(Int)
        /// The most members.
        case maxMembers(Int)
        /// Whether moderators may recall messages of others.
        case moderatorsMayRecall(Bool)
        /// Whether a message tells that messages were passed on.
        case noticesForwards(Bool)
    }

    /// Who acted where nobody is named.
    public var server: String
    /// What a message is that has no words: `Picture`.
    public var preview: @Sendable (Preview) -> String
    /// A line of the server in a conversation, without a full stop: `Cid left (3 members)`.
    public var line: @Sendable (Line) -> String
    /// A setting, inside a line: `at most 5 members`.
    public var setting: @Sendable (Setting) -> String
    /// The numbers of a vote: `option 1: 2, option 2: 1 (of 3 voters)`.
    public var tally: @Sendable (VoteTally) -> String
    /// Several names or clauses in one line: `Ann, Bob`.
    public var list: @Sendable ([String]) -> String
    /// Who types, by name, at least one: `Ann, Bob +1`.
    public var typing: @Sendable ([String]) -> String
    /// What is left of a message that somebody recalled; nil for the viewer.
    public var recalled: @Sendable (_ name: String?) -> String
    /// The title of a group without one, by the number of its members: `Group(5)`.
    public var groupTitle: @Sendable (Int) -> String
    /// The offer to begin a conversation with somebody: `Start messaging with Bob`.
    public var startMessaging: @Sendable (_ name: String) -> String
    /// What closes a sheet and does nothing else.
    public var cancel: String
    /// How many characters may still be written: `10 characters left`.
    public var charactersLeft: @Sendable (Int) -> String
    /// That a message was not sent.
    public var notSent: String
    /// That some of several things failed: `2 of 3 failed.`
    public var someFailed: @Sendable (_ failed: Int, _ all: Int) -> String
}
