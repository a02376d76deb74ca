package import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One example of every command, answer, event and error, built from fixed ids and times.
///
/// `Protocol/` is generated from these, and the tests of the wire read them; a test
/// compares their names with the closed lists, so that none is missing. Together
/// they tell one story: ann and bob in the open channel `lobby`, in their 1-on-1
/// `ann:bob` and, with cat, in the group `team`; dee is asked to join it.
package enum Examples {
    /// A command with its answer.
    package struct Exchange: Sendable {
        /// The command's name.
        package var name: String
        /// The variant that this example shows; nil for the usual form.
        package var variant: String?
        /// The frame of the client.
        package var frame: ClientFrame
        /// The answer as JSON.
        package var answer: [UInt8]
        /// Reads an answer to this command and writes it again.
        package var again: @Sendable ([UInt8]) throws -> [UInt8]
    }

    /// An event.
    package struct Notice: Sendable {
        /// The variant that this example shows; nil for the usual form.
        package var variant: String?
        /// The event.
        package var event: Event
    }

    /// A refusal.
    package struct Refusal: Sendable {
        /// The id of the frame that is refused; nil if it could not be read.
        package var id: String?
        /// The error.
        package var error: WireError
    }

    /// One line of a conversation.
    package enum Line: Sendable {
        /// A remark between the frames.
        case remark(String)
        /// A frame of the client.
        case client(ClientFrame)
        /// The answer to a frame of the client, as JSON.
        case answer(id: String, [UInt8])
        /// A refusal.
        case refusal(Refusal)
        /// An event.
        case event(Event)
    }

    /// Every command with its answer, in the order of the closed list; variants follow the plain example.
    package static func exchanges() throws -> [Exchange] { try Story().exchanges() }

    /// Every event, in the order of the closed list; variants follow the plain example.
    package static func notices() throws -> [Notice] { try Story().notices() }

    /// Four refusals: the usual one, one that names a field, one that says when to try again, one of a frame that could
    /// not be read.
    package static func refusals() -> [Refusal] {
        [
            Refusal(id: "t-0009", error: WireError(.channelNotFound)),
            Refusal(
                id: "t-0012",
                error: WireError(.invalidContent, field: "messages[1].text", "The text is empty. Write something.")),
            Refusal(
                id: "t-0010",
                error: WireError(.databaseAccess, "The server could not store this. Try again.", retryAfterMs: 1_000)),
            Refusal(
                id: nil,
                error: WireError(.dataFormat, "The frame is not a JSON object with id, cmd and body.")),
        ]
    }

    /// A whole conversation: log in, chat, lose the connection, reconnect.
    package static func conversation() throws -> [Line] { try Story().conversation() }
}

/// The people, channels and times of all examples.
struct Story {
    let ann: User
    let bob: User
    let cat: User
    let dee: User
    let device: DeviceID
    let lobby: ChannelID
    let team: ChannelID
    let pair: ChannelID
    let epoch = "5f0c7a3be19d2486"
    let start: Int64 = 1_767_225_600_000
    let never = Date(milliseconds: 0)

    struct BrokenID: Error {}

    init() throws {
        ann = User(userID: try Self.id("ann"), name: "Ann", imageURL: "https://example.com/ann.png")
        bob = User(userID: try Self.id("bob"), name: "Bob")
        cat = User(userID: try Self.id("cat"), name: "Cat")
        dee = User(userID: try Self.id("dee"), name: "Dee")
        device = try Self.id("ann-phone")
        lobby = try Self.id("lobby")
        team = try Self.id("team")
        pair = ChannelID(single: ann.userID, bob.userID)
    }

    static func id<T: Identifier>(_ text: String) throws -> T {
        guard let id = T(rawValue: text) else { throw BrokenID() }
        return id
    }

    func at(_ seconds: Int64) -> Date { Date(milliseconds: start + seconds * 1_000) }

    func messageID(_ seq: Int64, _ seconds: Int64) -> MessageID {
        MessageID(sentAt: at(seconds).milliseconds, seq: seq, salt: 0x9c3e_51d7)
    }

    func message(
        _ channel: ChannelID, _ seq: Int64, from sender: User, _ text: String, transID: String, at seconds: Int64,
        count: Int64? = nil, mentions: [Mention]? = nil
    ) throws -> Event {
        Event(
            channel: channel, seq: seq, senderID: sender.userID, transID: try Self.id(transID), sentAt: at(seconds),
            body: .channel(
                .messageSent(
                    Message(
                        messageID: messageID(seq, seconds), content: MessageContent(text: text, mentions: mentions),
                        senderName: sender.name, senderImageURL: sender.imageURL, count: count ?? seq))))
    }

    func member(_ user: User, _ role: Role = .participant, read seq: Int64 = 0, at seconds: Int64? = nil) -> Member {
        Member(
            userID: user.userID, name: user.name, imageURL: user.imageURL, role: role, readSeq: seq,
            readAt: seconds.map(at) ?? never)
    }

    func hello() -> Hello {
        Hello(guest: Guest(userID: ann.userID, name: ann.name, imageURL: ann.imageURL), deviceID: device)
    }

    func welcome(userSeq: Int64 = 3, at seconds: Int64 = 0, expiresAt: Date? = nil) -> Welcome {
        Welcome(
            user: ann, isOperator: false, serverTime: at(seconds), epoch: epoch, heartbeat: 25_000, limits: Limits(),
            userSeq: userSeq, expiresAt: expiresAt, imageOrigins: ["https://example.com"])
    }

    func openLobby(seq: Int64 = 0, participants: Int = 1) -> Channel {
        Channel(
            channel: lobby, kind: .open, title: "lobby", memberCount: participants, members: [], seq: seq, count: seq,
            lastActivityAt: at(40))
    }

    func chat() throws -> Channel {
        Channel(
            channel: pair, kind: .single, memberCount: 2,
            members: [member(ann, read: 1, at: 12), member(bob, read: 2, at: 21)], seq: 2, count: 2, unread: 1,
            readSeq: 1, role: .participant, lastMessage: try reply(), lastActivityAt: at(21))
    }

    func greeting() throws -> Event {
        try message(pair, 1, from: ann, "Hello Bob", transID: "t-0002", at: 12)
    }

    func reply() throws -> Event {
        try message(pair, 2, from: bob, "Hi Ann! Tea?", transID: "b-0001", at: 21)
    }

    func joined(_ userSeq: Int64 = 1) throws -> Event {
        Event(
            userSeq: userSeq, senderID: ann.userID, transID: try Self.id("t-0001"), sentAt: at(10),
            body: .user(
                .channelJoined(
                    ChannelJoined(
                        channel: pair, kind: .single, title: nil, role: .participant, members: [ann, bob],
                        memberCount: 2,
                        fromSeq: 0, count: 0, isHidden: false))))
    }

    func photo() -> FileReference {
        FileReference(
            fileID: "7c21d04b669c3e51f72af8a0b3e4d511", name: "cake.jpg", contentType: "image/jpeg", size: 183_204,
            width: 1_600, height: 1_200, blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    }

    func thumbnail() -> FileReference {
        FileReference(
            fileID: "7c22d04b669c3e51f72af8a0b3e4d512", name: "cake-small.jpg", contentType: "image/jpeg", size: 4_310,
            width: 320, height: 240)
    }

    func place() -> Location { Location(latitude: 52.5163, longitude: 13.3777, address: "Brandenburger Tor") }

    /// The settings of the group, all but the title.
    func rules() -> ChannelProfile {
        ChannelProfile(
            customAttributes: 3, avatar: "f-7c30", canJoin: true, editors: .moderators, history: .last,
            historyRows: 50, maxMembers: 200, moderatorsMayRecall: false)
    }

    /// Another name of Ann, and an uploaded picture.
    func newProfile() -> UserProfile {
        UserProfile(name: "Ann Lee", imageURL: "file:7c23d04b669c3e51f72af8a0b3e4d513")
    }

    func acknowledged(
        _ channel: ChannelID?, _ seq: Int64? = nil, transID: String, at seconds: Int64, isMessage: Bool = false
    ) throws -> Acknowledgement {
        Acknowledgement(
            channel: channel, seq: seq, messageID: isMessage ? seq.map { messageID($0, seconds) } : nil,
            transID: try Self.id(transID), sentAt: at(seconds))
    }
}
