import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// The stage of SC-002: a real server that pushes to a webhook, and the devices of six users.
///
/// Ann, Bob and Cid have accounts with a password; Dee, Eve and Fay have tokens, as those of a backend. Fay is a
/// stranger to the others. Each step of the story is a method.
struct GroupStory {
    let harness: ServerHarness
    let pushes: PushLog
    let codes = SeenCodes()
    let logins: PasswordLogins
    let (ann, annToo): (RecordingClient, RecordingClient)
    let (bob, bobToo): (RecordingClient, RecordingClient)
    let (cid, cidToo): (RecordingClient, RecordingClient)
    /// Cid's third device, which is away most of the time.
    let cidAway: RecordingClient
    let (dee, eve, fay): (RecordingClient, RecordingClient, RecordingClient)
    let club = Cast.club
    /// Eve and Fay over HTTP.
    let (eveCaller, fayCaller): (HTTPClient.Caller, HTTPClient.Caller)

    static let eveUser = User(userID: "eve", name: "Eve")
    static let fayUser = User(userID: "fay", name: "Fay")

    init() async throws {
        pushes = try await PushLog()
        let harness = try await ServerHarness(isDevelopment: false, options: pushes.options)
        self.harness = harness
        let logins = PasswordLogins(server: harness.url)
        self.logins = logins
        func device(_ user: User, _ number: Int) throws -> RecordingClient {
            try RecordingClient(
                harness.url, .token { try await logins.token(of: user) }, device: "\(user.userID)-\(number)",
                positions: nil)
        }
        (ann, annToo) = (try device(Cast.ann, 1), try device(Cast.ann, 2))
        (bob, bobToo) = (try device(Cast.bob, 1), try device(Cast.bob, 2))
        (cid, cidToo) = (try device(Cast.cid, 1), try device(Cast.cid, 2))
        cidAway = try device(Cast.cid, 3)
        var tokens: [String] = []
        for user in [Cast.dee, Self.eveUser, Self.fayUser] {
            tokens.append(try await Self.token(harness, "--user", user.userID.rawValue, "--name", user.name))
        }
        func guest(_ id: String, _ token: String) throws -> RecordingClient {
            try RecordingClient(harness.url, .token { token }, device: id + "-1", positions: nil)
        }
        dee = try guest("dee", tokens[0])
        eve = try guest("eve", tokens[1])
        fay = try guest("fay", tokens[2])
        (eveCaller, fayCaller) = (.token(tokens[1]), .token(tokens[2]))
    }

    /// The devices that are connected from step 2 on.
    var everybody: [RecordingClient] { [ann, annToo, bob, bobToo, cid, cidToo, dee, eve, fay] }

    static func token(_ harness: ServerHarness, _ options: String...) async throws -> String {
        let made = try await Child.roost(["token", "--data", harness.data] + options, in: harness.folder).result()
        return try #require(made.output.first, "\(made.errors)")
    }

    static func password(of user: User) -> String { "the password of \(user.name)" }

    /// Writes a picture of 300 KB and returns its path.
    func largePicture(_ name: String) throws -> String {
        let path = harness.folder.path + "/" + name
        try Data(SampleFile.bytes(name) + Array(repeating: 7, count: 300_000)).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Expects that the server refuses a command with this code.
    func refuses<T>(
        _ code: ErrorCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> T
    ) async {
        do {
            _ = try await body()
            Issue.record("this was accepted", sourceLocation: sourceLocation)
        } catch {
            let found = (error as? RoostError)?.wire?.code
            #expect(found == code.code, "\(error)", sourceLocation: sourceLocation)
            if let found { codes.note(found) }
        }
    }

    /// Waits until these users have received one more message in the club, so that all earlier events have arrived.
    func settle(_ people: [RecordingClient], _ text: String, by person: RecordingClient) async throws {
        try await person.channel(club).send(text)
        for person in people { try await person.message(text, in: club) }
    }

    /// The events with a name that a client has received since `mark`.
    func told(_ person: RecordingClient, _ name: EventName, since mark: Int = 0) -> [Event] {
        person.events.dropFirst(mark).compactMap(\.row).filter { $0.name == name.rawValue }
    }
}

/// The tokens for the passwords of users, each asked for once: hashing a password takes the server long.
actor PasswordLogins {
    private let server: String
    private var tokens: [UserID: String] = [:]

    init(server: String) { self.server = server }

    func token(of user: User) async throws -> String {
        if let token = tokens[user.userID] { return token }
        let login = try await ChatClient.logIn(
            to: server, loginName: user.userID.rawValue, password: GroupStory.password(of: user))
        tokens[user.userID] = login.token
        return login.token
    }
}

/// The codes of the answers in a story.
final class SeenCodes: Sendable {
    private let codes = Mutex<Set<Int>>([])

    var all: Set<Int> { codes.withLock { $0 } }

    func note(_ code: Int) { codes.withLock { _ = $0.insert(code) } }
}

extension EventBody {
    var joined: ChannelJoined? { if case .user(.channelJoined(let body)) = self { body } else { nil } }

    var leaver: UserID? { if case .channel(.memberLeft(let body)) = self { body.userID } else { nil } }

    /// The new role, if the event is a change of one member's role.
    var role: Role? { if case .channel(.memberRoleChanged(let body)) = self { body.members.first?.role } else { nil } }

    var updates: ChannelUpdate { ChannelUpdate(of: self) }

    /// The message, if it is stored or relayed.
    var sentMessage: Message? {
        switch self {
        case .channel(.messageSent(let message)), .ephemeral(.messageRelayed(let message)): message
        default: nil
        }
    }

    func mark(of user: UserID) -> Int64? {
        guard case .ephemeral(.readMarkMoved(let body)) = self else { return nil }
        return body.marks.first { $0.userID == user }?.seq
    }

    var cleared: [ChannelID]? {
        if case .user(.channelCleared(let body)) = self { body.channels.map(\.channel) } else { nil }
    }

    var recalled: [MessageID]? {
        if case .channel(.messageRecalled(let body)) = self { body.messages.map(\.messageID) } else { nil }
    }

    var scheduleSent: ScheduleSent? { if case .user(.scheduleSent(let body)) = self { body } else { nil } }

    /// The profile of this user, if the event changes it.
    func profile(of user: UserID) -> UserProfile? {
        if case .user(.userProfileChanged(let body)) = self, body.userID == user { body.profile } else { nil }
    }
}
