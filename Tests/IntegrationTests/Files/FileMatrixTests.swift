import Foundation
import RoostTesting
import RoostWire
import Testing

/// The authorisation matrix of files: every use of a file, by users of every standing, by every way to reach its bytes.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(5))) struct FileMatrixTests {
    @Test func `a file is reached by those who may read it, and by nobody else, in every way [L-77 L-32 L-97]`()
        async throws
    {
        let stage = try await FileStage()
        let uses = FileUse.all
        for use in uses {
            try use.prepare(stage)
            // The links that were made while one could read stay in use.
            let links = try stage.links()
            try use.change(stage)
            try stage.check(use, links: links)
            try stage.forget()
        }
        print("files: \(stage.cells) cells of \(uses.count) uses")
        #expect(stage.cells >= 1_000)
    }
}

/// A use of files.
private struct FileUse {
    let name: String
    /// Those who may read the files at the end.
    let readers: Set<String>
    /// Uploads files and uses them.
    let prepare: (FileStage) throws -> Void
    /// Whether somebody has a message of their own with the files.
    var hasCopies = false
    /// Changes who may read them.
    var change: (FileStage) throws -> Void = { _ in }

    private static func sends(as user: String = "ann") -> (FileStage) throws -> Void {
        { stage in
            try stage.makeGroup()
            try stage.send(to: "GROUP", as: user)
        }
    }

    static var all: [FileUse] {
        [
            FileUse(name: "an upload that nothing uses", readers: ["ann"]) { try $0.upload() },
            FileUse(name: "a message of a group", readers: ["ann", "bob", "cid"], prepare: sends()),
            FileUse(name: "a message of another member", readers: ["ann", "bob", "cid"], prepare: sends(as: "cid")),
            FileUse(name: "a recalled message", readers: [], prepare: sends()) {
                try $0.post("message.recall", #"{"channel":"GROUP","messageIDs":["MESSAGE"]}"#)
            },
            FileUse(name: "a recalled message that was answered", readers: [], prepare: sends()) {
                try $0.post("message.send", #"{"channel":"GROUP","text":"x","replyTo":"MESSAGE"}"#, as: "bob")
                try $0.post("message.recall", #"{"channel":"GROUP","messageIDs":["MESSAGE"]}"#)
            },
            FileUse(name: "a message that a reader has deleted", readers: ["ann", "cid"], prepare: sends()) {
                try $0.post(
                    "message.delete", #"{"scope":"messages","channel":"GROUP","messageIDs":["MESSAGE"]}"#, as: "bob")
            },
            FileUse(name: "a message that its sender has deleted", readers: ["bob", "cid"], prepare: sends()) {
                try $0.post("message.delete", #"{"scope":"messages","channel":"GROUP","messageIDs":["MESSAGE"]}"#)
            },
            FileUse(name: "a channel that a reader has cleared", readers: ["ann", "cid"], prepare: sends()) {
                try $0.post("message.delete", #"{"scope":"channel","channel":"GROUP"}"#, as: "bob")
            },
            FileUse(name: "everything deleted by a reader", readers: ["ann", "cid"], prepare: sends()) {
                try $0.post("message.delete", #"{"scope":"everything"}"#, as: "bob")
            },
            FileUse(name: "a member has left", readers: ["ann", "bob"], prepare: sends()) {
                try $0.post("channel.leave", #"{"channel":"GROUP"}"#, as: "cid")
            },
            FileUse(name: "the sender was removed", readers: ["ann", "bob"], prepare: sends(as: "cid")) {
                try $0.post("member.kick", #"{"channel":"GROUP","members":["cid"]}"#)
            },
            FileUse(name: "a member was banned", readers: ["ann", "cid"], prepare: sends()) {
                try $0.post("member.ban", #"{"channel":"GROUP","members":["bob"]}"#)
            },
            FileUse(
                name: "an invitation was accepted afterwards", readers: ["ann", "bob", "cid", "eve"], prepare: sends()
            ) {
                try $0.post("member.answer", #"{"channel":"GROUP","isAccepted":true}"#, as: "eve")
            },
            FileUse(name: "a member came back", readers: ["ann", "bob", "cid"], prepare: sends()) {
                try $0.post("channel.leave", #"{"channel":"GROUP"}"#, as: "cid")
                try $0.post("member.invite", #"{"channel":"GROUP","members":["cid"]}"#)
            },
            FileUse(name: "a group was dismissed", readers: [], prepare: sends()) {
                try $0.post("channel.dismiss", #"{"channel":"GROUP"}"#)
            },
            FileUse(name: "a 1-on-1", readers: ["ann", "bob"]) { stage in
                try stage.upload()
                try stage.send(to: "ann:bob")
            },
            FileUse(
                name: "a 1-on-1 that one side has ended", readers: ["ann"],
                prepare: { stage in
                    try stage.upload()
                    try stage.send(to: "ann:bob")
                }, change: { try $0.post("channel.end", #"{"channel":"ann:bob"}"#, as: "bob") }),
            FileUse(name: "an open channel", readers: ["ann", "bob", "cid", "dee", "eve", "operator"]) { stage in
                try stage.upload()
                try stage.send(to: "witnesses")
            },
            FileUse(
                name: "a forwarded copy of a recalled message", readers: ["bob", "dee"], prepare: sends(),
                hasCopies: true
            ) {
                try $0.post(
                    "message.forward", #"{"channel":"GROUP","messageIDs":["MESSAGE"],"channels":["bob:dee"]}"#,
                    as: "bob")
                try $0.post("message.recall", #"{"channel":"GROUP","messageIDs":["MESSAGE"]}"#)
            },
            FileUse(name: "a schedule", readers: ["ann"]) { stage in
                try stage.makeGroup()
                try stage.post(
                    "schedule.create",
                    #"{"channels":["GROUP"],"sendAt":LATER,"messages":[{"type":"image","file":{"fileID":"FILE"},"#
                        + #""thumbnail":{"fileID":"SMALL"}}]}"#)
            },
            FileUse(
                name: "a cancelled schedule", readers: [],
                prepare: { stage in
                    try stage.makeGroup()
                    try stage.post(
                        "schedule.create",
                        #"{"channels":["GROUP"],"sendAt":LATER,"messages":[{"type":"image","file":{"fileID":"FILE"},"#
                            + #""thumbnail":{"fileID":"SMALL"}}]}"#)
                }, change: { try $0.post("schedule.cancel", #"{"scheduleID":"SCHEDULE"}"#) }),
            FileUse(name: "the pictures of a group", readers: ["ann", "bob", "cid", "eve"], prepare: setPictures),
            FileUse(name: "removed pictures of a group", readers: [], prepare: setPictures) {
                try $0.post("channel.setProfile", #"{"channel":"GROUP","profile":{"avatar":"","background":""}}"#)
            },
            FileUse(
                name: "pictures of a group that Bob has left", readers: ["ann", "cid", "eve"], prepare: setPictures
            ) {
                try $0.post("channel.leave", #"{"channel":"GROUP"}"#, as: "bob")
            },
            FileUse(name: "the picture of a user", readers: ["ann", "bob", "cid", "dee", "eve", "operator"]) { stage in
                try stage.upload(hasThumbnail: false)
                try stage.post("user.setProfile", #"{"profile":{"imageURL":"file:FILE"}}"#)
            },
            FileUse(
                name: "the removed picture of a user", readers: [],
                prepare: { stage in
                    try stage.upload(hasThumbnail: false)
                    try stage.post("user.setProfile", #"{"profile":{"imageURL":"file:FILE"}}"#)
                }, change: { try $0.post("user.setProfile", #"{"profile":{"imageURL":""}}"#) }),
            FileUse(name: "the picture of a member", readers: ["ann", "bob", "cid", "eve"], prepare: setMemberPicture),
            FileUse(name: "the removed picture of a member", readers: [], prepare: setMemberPicture) {
                try $0.post("channel.setPreference", #"{"channel":"GROUP","imageURL":""}"#)
            },
            FileUse(
                name: "the picture of a member who has left", readers: [],
                prepare: { stage in
                    try stage.makeGroup(by: "cid")
                    try stage.post("channel.setPreference", #"{"channel":"GROUP","imageURL":"file:FILE"}"#, as: "cid")
                    try stage.forgetThumbnail()
                }, change: { try $0.post("channel.leave", #"{"channel":"GROUP"}"#, as: "cid") }),
        ]
    }

    private static func setPictures(_ stage: FileStage) throws {
        try stage.makeGroup()
        try stage.post(
            "channel.setProfile", #"{"channel":"GROUP","profile":{"avatar":"file:FILE","background":"file:SMALL"}}"#)
    }

    private static func setMemberPicture(_ stage: FileStage) throws {
        try stage.makeGroup()
        try stage.post("channel.setPreference", #"{"channel":"GROUP","imageURL":"file:FILE"}"#)
        try stage.forgetThumbnail()
    }
}

/// A server with people, and the files of the current use.
///
/// Ann makes each group and is its admin, Bob and Cid are members, Eve is invited, Dee is a stranger.
private final class FileStage {
    private static let users = ["ann", "bob", "cid", "dee", "eve", "operator"]

    private(set) var cells = 0
    private let harness: ServerHarness
    private let http: HTTPClient
    private let callers: [String: HTTPClient.Caller]
    private var names: [String: String] = [:]
    private var files: [FileID] = []
    private var owner = "ann"
    private var count = 0

    init() async throws {
        harness = try await ServerHarness()
        http = HTTPClient(harness)
        let token = try await Child.roost(
            ["token", "--data", harness.data, "--user", "operator", "--operator"], in: harness.folder
        ).result().output.first
        var callers = ["operator": HTTPClient.Caller.token(try #require(token)), "nobody": .nobody]
        for name in Self.users where name != "operator" {
            callers[name] = .guest(User(userID: try #require(UserID(rawValue: name)), name: name))
        }
        self.callers = callers
        for name in Self.users { try post("unread.get", "{}", as: name) }
        // Everybody has a group of their own, to send files to.
        for name in Self.users { try post("channel.create", #"{"kind":"group","channel":"of-\#(name)"}"#, as: name) }
        try post("channel.create", #"{"kind":"open","channel":"witnesses"}"#, as: "operator")
        for pair in [("ann", "bob"), ("bob", "dee")] {
            try post("channel.create", #"{"kind":"single","members":["\#(pair.1)"]}"#, as: pair.0)
        }
    }

    private func caller(_ name: String) throws -> HTTPClient.Caller { try #require(callers[name]) }

    /// Sends a command as text in which names stand for ids; it must be accepted.
    func post(_ command: String, _ body: String, as user: String = "ann") throws {
        let answer = try answer(command, body, as: user)
        if let error = answer.error { throw error }
        guard let found = try? answer.decode(Answer.self) else { return }
        if let id = found.messageID, names["MESSAGE"] == nil { names["MESSAGE"] = id }
        if let id = found.schedule?.scheduleID { names["SCHEDULE"] = id }
    }

    private struct Answer: Decodable {
        struct Schedule: Decodable { var scheduleID: String }
        var messageID: String?
        var schedule: Schedule?
    }

    private func answer(_ command: String, _ body: String, as user: String) throws -> HTTPClient.Answer {
        let later = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
        var text = body.replacing("LATER", with: "\(later)")
        for (name, id) in names { text = text.replacing(name, with: id) }
        return try http.post(command, text, from: try caller(user))
    }

    /// Makes the group of the current use, and uploads its files.
    func makeGroup(by owner: String = "ann") throws {
        count += 1
        names["GROUP"] = "group-\(count)"
        try post(
            "channel.create",
            #"{"kind":"group","channel":"GROUP","members":["bob","cid",{"userID":"eve","role":"invited"}]}"#)
        try upload(by: owner)
    }

    func upload(by owner: String = "ann", hasThumbnail: Bool = true) throws {
        self.owner = owner
        for name in ["FILE", "SMALL"].prefix(hasThumbnail ? 2 : 1) {
            // No two have the same bytes.
            let bytes = SampleFile.bytes("a.png") + Array("\(count) \(name) \(cells)".utf8)
            let created = try http.perform(
                CreateFile(name: "a.png", size: Int64(bytes.count), contentType: "image/png"), from: try caller(owner))
            names[name] = created.fileID.rawValue
            files.append(created.fileID)
            // Nobody else can add bytes.
            for user in Self.users where user != owner {
                #expect(try append(bytes, to: created.path, as: user).status == 404)
            }
            #expect(try append(bytes, to: created.path, as: owner).status == 204)
        }
    }

    private func append(_ bytes: [UInt8], to path: String, as user: String) throws -> HTTPClient.Answer {
        let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
        return try http.exchange("PATCH", path, bytes, try caller(user).headers.merging(headers) { $1 })
    }

    /// The use has no thumbnail.
    func forgetThumbnail() throws { files = Array(files.prefix(1)) }

    func send(to channel: String, as user: String = "ann") throws {
        if user != owner {
            files = []
            try upload(by: user)
        }
        let body =
            #"{"channel":"\#(channel)","type":"image","file":{"fileID":"FILE"},"thumbnail":{"fileID":"SMALL"}}"#
        try post("message.send", body, as: user)
    }

    private func found(_ file: FileID, by user: String) throws -> StoredFile? {
        try http.perform(GetFiles(fileIDs: [file]), from: try caller(user)).files.first
    }

    /// The links of all who can read the files now.
    func links() throws -> [(user: String, link: String)] {
        try files.flatMap { file in
            try Self.users.compactMap { user in try found(file, by: user).map { (user: user, link: $0.link) } }
        }
    }

    private func expect(_ isRight: Bool, _ text: @autoclosure () -> String) {
        cells += 1
        let comment = text()
        #expect(isRight, "\(comment)")
    }

    /// Tries every way to the files, for everybody.
    func check(_ use: FileUse, links: [(user: String, link: String)]) throws {
        for (user, link) in links {
            let status = try http.exchange("GET", link, [], [:]).status
            expect(status == (use.readers.contains(user) ? 200 : 404), "\(use.name): the link of \(user)")
        }
        // Whoever is shown the message may read its files, and nobody else.
        if names["GROUP"] != nil, names["MESSAGE"] != nil, !use.hasCopies {
            for user in Self.users {
                let answer = try answer("message.get", #"{"channel":"GROUP","messageIDs":["MESSAGE"]}"#, as: user)
                let isShown = (try? answer.decode(GetMessages.Answer.self))?.events.contains { event in
                    if case .channel(.messageSent(let message)) = event.body { message.file != nil } else { false }
                }
                expect(isShown ?? false == use.readers.contains(user), "\(use.name): \(user) gets the message")
            }
        }
        for file in files {
            let path = "/v1/files/\(file)"
            for method in ["GET", "HEAD"] {
                expect(try http.exchange(method, path, [], [:]).status == 401, "\(use.name): \(method) by nobody")
            }
            for user in Self.users {
                let isReader = use.readers.contains(user)
                let what = "\(use.name): \(user)"
                let headers = try caller(user).headers
                expect(try http.exchange("GET", path, [], headers).status == (isReader ? 200 : 404), "\(what) gets it")
                let part = try http.exchange("GET", path, [], headers.merging(["Range": "bytes=0-3"]) { $1 })
                expect(part.status == (isReader ? 206 : 404), "\(what) gets a part")
                let match = try http.exchange(
                    "GET", path, [], headers.merging(["If-None-Match": "\"\(file)\""]) { $1 })
                expect(match.status == (isReader ? 304 : 404), "\(what) asks for a change")
                let own = try found(file, by: user)
                expect((own != nil) == isReader, "\(what) asks for a link")
                if let own {
                    expect(try http.exchange("HEAD", own.link, [], [:]).status == 200, "\(what) uses the link")
                }
                if user != owner {
                    expect(try http.exchange("HEAD", path, [], headers).status == 404, "\(what) asks for the upload")
                    expect(try http.exchange("DELETE", path, [], headers).status == 404, "\(what) deletes it")
                }
                // Only to be refused: without the picture, the file would be gone.
                guard !isReader else { continue }
                let body = #"{"channel":"of-\#(user)","profile":{"avatar":"file:\#(file)"}}"#
                let error = try answer("channel.setProfile", body, as: user).error
                expect(error?.entry == .noPrivilege, "\(what) uses it as a picture")
            }
            // Last, because a message keeps the file for its sender.
            for user in Self.users {
                let body = #"{"channel":"of-\#(user)","type":"image","file":{"fileID":"\#(file)"}}"#
                let code = try answer("message.send", body, as: user).error?.code
                expect(code == (use.readers.contains(user) ? nil : 1107), "\(use.name): \(user) sends it")
            }
        }
    }

    func forget() throws {
        files = []
        names = [:]
    }
}
