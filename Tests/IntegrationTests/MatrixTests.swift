import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The authorisation matrix: every command, by users of every standing in a channel, as data in `Matrix.tsv`.
@Suite(.serialized, .needsBus, .timeLimit(.minutes(5))) struct MatrixTests {
    @Test func `every command is answered as the matrix says, and a refusal sends no event [L-99]`() async throws {
        let rows = try MatrixRow.all()
        #expect(Set(rows.map(\.command)) == Set(AnyCommand.names))
        // Only a sample on PostgreSQL: the deciding code is the same, only the store differs.
        let isSample = !Store.isFirstPass
        let stage = try await MatrixStage()
        let cells = rows.enumerated().flatMap { number, row in isSample && number % 8 > 0 ? [] : row.cells }
        try await refuse(cells.filter { $0.expected != 0 }, stage)
        for cell in cells where cell.expected == 0 {
            let isNew = try cell.row.effect != .reads
            try stage.check(cell, in: try stage.channel(cell.row.channel, isNew: isNew))
        }
        print("matrix: \(cells.count) cells of \(rows.reduce(0) { $0 + $1.cells.count }) in \(rows.count) rows")
        #expect(cells.count >= (isSample ? 300 : 1_000))
    }

    /// Everything that is refused, with all users connected: nobody may receive an event.
    private func refuse(_ cells: [MatrixCell], _ stage: MatrixStage) async throws {
        for cell in cells { _ = try stage.channel(cell.row.channel, isNew: false) }
        let people = stage.people
        try await stage.announce("begin")
        let marks = people.map(\.mark)
        for cell in cells { try stage.check(cell, in: try stage.channel(cell.row.channel, isNew: false)) }
        try await stage.announce("end")
        for (person, mark) in zip(people, marks) {
            let told = person.events.dropFirst(mark).compactMap(\.row).filter {
                $0.text != "end" && $0.name != EventName.channelActiveCountChanged.rawValue
            }
            #expect(told.isEmpty)
        }
        for person in people { await person.client.disconnect() }
    }
}

/// One row of the matrix: a command in one kind of channel.
private struct MatrixRow {
    var channel: String
    var isSocket: Bool
    var command: String
    var body: String
    /// By standing: 0 for accepted, else the code; absent if the specification does not say.
    var expected: [(standing: String, code: Int)]

    var effect: AnyCommand.Effect {
        get throws { try AnyCommand(name: command, body: Array(sampleBody.utf8)).effect }
    }

    /// The body with names replaced by ids.
    private var sampleBody: String {
        body.replacing("\"OWN\"", with: "\"\(String(repeating: "0", count: 32))\"")
            .replacing("\"OTHER\"", with: "\"\(String(repeating: "1", count: 32))\"").replacing("\"LATER\"", with: "0")
            .replacing("\"VOTE\"", with: "\"\(String(repeating: "2", count: 32))\"")
    }

    var cells: [MatrixCell] { expected.map { MatrixCell(row: self, standing: $0.standing, expected: $0.code) } }

    static func all() throws -> [MatrixRow] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Matrix.tsv")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let head = try #require(lines.first).split(separator: "\t").map(String.init)
        return try lines.dropFirst().map { line in
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == head.count)
            let expected = try zip(head, fields).dropFirst(4).compactMap { standing, text -> (String, Int)? in
                if text == "-" { return nil }
                return (standing, text == "ok" ? 0 : try #require(Int(text)))
            }
            return MatrixRow(
                channel: fields[0], isSocket: fields[1] == "socket", command: fields[2], body: fields[3],
                expected: expected.map { (standing: $0.0, code: $0.1) })
        }
    }
}

/// One cell: a command, and the user who issues it.
private struct MatrixCell {
    var row: MatrixRow
    var standing: String
    var expected: Int
}

/// A channel of the matrix.
private struct MatrixChannel {
    var channel: String
    /// One message per sender.
    var messages: [String: String] = [:]
    /// A vote.
    var vote: String?
}

/// A server with all users of the matrix.
///
/// A user is named after their standing; `t-` and a standing is a second user with it, the target of
/// commands. A group has one of each: admins, moderators and participants as members, and users who are
/// invited, banned or former members.
private final class MatrixStage {
    private static let standings = ["admin", "moderator", "participant", "invited", "outcast", "former", "stranger"]
    private static let lobby = "witnesses"

    let people: [RecordingClient]
    private let harness: ServerHarness
    private let http: HTTPClient
    private let token: String
    private var channels: [String: MatrixChannel] = [:]
    private var count = 0

    init() async throws {
        harness = try await ServerHarness()
        http = HTTPClient(harness)
        let made = try await Child.roost(
            ["token", "--data", harness.data, "--user", "operator", "--operator"], in: harness.folder
        ).result()
        token = try #require(made.output.first)
        var people: [RecordingClient] = []
        for name in Self.standings + Self.standings.map({ "t-" + $0 }) + ["bystander"] {
            people.append(try await harness.guest(makeUser(name)))
        }
        people.append(try RecordingClient(harness.url, .token { [token] in token }, device: "operator", positions: nil))
        try await people.last?.connect()
        for person in people { try await person.channel(try channelID(Self.lobby)).join() }
        self.people = people
    }

    /// Sends a message in a channel of which all are members, and waits until all have received it.
    func announce(_ text: String) async throws {
        let lobby = try channelID(Self.lobby)
        try http.perform(SendMessage(channel: lobby, text: text), from: try caller("bystander"))
        for person in people { try await person.message(text, in: lobby) }
    }

    private func caller(_ standing: String) throws -> HTTPClient.Caller {
        switch standing {
        case "otherDevice": .guest(try makeUser("participant"), device: "2")
        case "operator": .token(token)
        case "anonymous": .nobody
        default: .guest(try makeUser(standing))
        }
    }

    /// Sends the command of a cell, and checks the answer.
    func check(_ cell: MatrixCell, in channel: MatrixChannel) throws {
        let user = cell.standing == "otherDevice" ? "participant" : cell.standing
        let other = channel.messages["t-participant"] ?? ""
        let own = channel.messages[user] ?? channel.messages["participant"] ?? other
        count += 1
        let later = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
        var body = cell.row.body.replacing("\"LATER\"", with: "\(later)")
        for (name, value) in [
            ("CHANNEL", channel.channel), ("OWN", own), ("OTHER", other), ("VOTE", channel.vote ?? other),
            ("CALLER", user), ("FRESH", "fresh-\(count)"),
        ] { body = body.replacing("\"\(name)\"", with: "\"\(value)\"") }
        if body.contains("\"FILE\"") { body = body.replacing("FILE", with: try picture(of: cell.standing)) }
        let error = try answer(cell, body)
        if error?.code ?? 0 != cell.expected {
            Issue.record(
                """
                \(cell.row.command) \(cell.row.body) by \(cell.standing) in "\(cell.row.channel)": \
                \(error.map { "\($0)" } ?? "accepted") instead of \(cell.expected)
                """)
            // A command that should have been refused may have changed the channel.
            if error == nil { channels[cell.row.channel] = nil }
        }
    }

    /// Uploads a picture.
    private func picture(of standing: String) throws -> String {
        if standing == "anonymous" { return "none" }
        let bytes = SampleFile.bytes("a.png")
        let headers = [
            "Upload-Length": "\(bytes.count)", "Content-Type": "application/offset+octet-stream",
            "Idempotency-Key": "picture-\(count)",
        ]
        let created = try http.exchange(
            "POST", "/v1/files", bytes, try caller(standing).headers.merging(headers) { $1 })
        return try created.decode(FileUpload.self).fileID.rawValue
    }

    private func answer(_ cell: MatrixCell, _ body: String) throws -> WireError? {
        let caller = try caller(cell.standing)
        guard cell.row.isSocket else {
            let answer = try http.post(cell.row.command, body, from: caller)
            #expect((answer.status == 200) == (answer.error == nil))
            if cell.standing == "anonymous" { #expect(answer.status == 401) }
            return answer.error
        }
        let session = try RawSession(harness)
        if cell.standing != "anonymous", let error = try session.hello(caller) { throw error }
        return try session.perform(cell.row.command, body)
    }

    /// The channel of a row: a shared one, or a new one.
    func channel(_ name: String, isNew: Bool) throws -> MatrixChannel {
        if !isNew, let channel = channels[name] { return channel }
        count += 1
        let channel = try make(name, id: "\(name)-\(count)")
        if !isNew { channels[name] = channel }
        return channel
    }

    private func make(_ name: String, id: String) throws -> MatrixChannel {
        switch name {
        case "none", "missing": return MatrixChannel(channel: id)
        case "single": return try conversation(in: try create(.single, by: "participant", with: ["t-participant"]))
        case "self": return try conversation(in: try create(.single, by: "participant", with: ["participant"]))
        case "open":
            try http.perform(CreateChannel(kind: .open, channel: try channelID(id)), from: try caller("participant"))
            return try conversation(in: id)
        case "publicNews", "corporateNews":
            return try makeNews(try #require(ChannelKind(rawValue: name)), id: id)
        default: return try makeGroup(name, id: id)
        }
    }

    private func create(_ kind: ChannelKind, by user: String, with others: [String]) throws -> String {
        let members = try others.map { try makeUser($0).userID }
        let made = try http.perform(CreateChannel(kind: kind, members: members), from: try caller(user))
        return try #require(made.channel).rawValue
    }

    private func conversation(in id: String, _ users: [String] = ["participant", "t-participant"]) throws
        -> MatrixChannel
    {
        var made = MatrixChannel(channel: id)
        let channel = try #require(ChannelID(rawValue: id))
        for user in users where channel.pair == nil || id.split(separator: ":").contains(Substring(user)) {
            let sent = try http.perform(SendMessage(channel: channel, text: user), from: try caller(user))
            made.messages[user] = sent.messageID?.rawValue
        }
        let asker = made.messages["t-participant"] == nil ? "participant" : "t-participant"
        let vote = Vote(options: [MessageContent(text: "a"), MessageContent(text: "b")])
        let asked = try http.perform(
            CreateVote(channel: channel, subject: asker, vote: vote), from: try caller(asker))
        made.vote = asked.messageID?.rawValue
        return made
    }

    /// A news channel with a piece that was published by none of the users of the matrix.
    private func makeNews(_ kind: ChannelKind, id: String) throws -> MatrixChannel {
        let (channel, editor) = (try channelID(id), HTTPClient.Caller.token(token))
        try http.perform(CreateChannel(kind: kind, channel: channel), from: editor)
        for user in ["participant", "t-participant", "former"] {
            try http.perform(BecomeMember(channel: channel), from: try caller(user))
        }
        if kind == .publicNews { try http.perform(LeaveChannel(channel: channel), from: try caller("former")) }
        let piece = try http.perform(PublishNews(channel: channel, text: "x"), from: editor)
        return MatrixChannel(channel: id, messages: ["t-participant": try #require(piece.messageID).rawValue])
    }

    private func makeGroup(_ name: String, id: String) throws -> MatrixChannel {
        let channel = try channelID(id)
        var roles: [(String, Role)] = [
            ("moderator", .moderator), ("participant", .participant), ("invited", .invited), ("former", .participant),
            ("t-admin", .admin), ("t-moderator", .moderator), ("t-participant", .participant),
            ("t-invited", .invited), ("t-former", .participant),
        ]
        if name == "oneAdmin" { roles.removeAll { $0.0 == "t-admin" } }
        let profile: ChannelProfile? =
            switch name {
            case "closed": ChannelProfile(editors: .moderators, moderatorsMayRecall: false)
            case "joinable": ChannelProfile(canJoin: true)
            default: nil
            }
        let admin = try caller("admin")
        try http.perform(
            CreateChannel(
                kind: .group, channel: channel, title: "Matrix",
                members: try roles.map { NewMember(try makeUser($0.0).userID, role: $0.1) }, profile: profile),
            from: admin)
        for user in ["former", "t-former"] {
            try http.perform(LeaveChannel(channel: channel), from: try caller(user))
        }
        let banned = try ["outcast", "t-outcast"].map { try makeUser($0).userID }
        try http.perform(BanMembers(channel: channel, members: banned), from: admin)
        let made = try conversation(in: id, ["admin", "moderator", "participant", "t-participant"])
        if name == "dismissed" { try http.perform(DismissChannel(channel: channel), from: admin) }
        return made
    }
}
