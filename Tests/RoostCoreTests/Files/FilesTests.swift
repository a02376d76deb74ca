import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct FilesTests {
    private func club(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        await stage.forgetEvents()
        return stage
    }

    private func readers(of file: FileID, _ stage: Stage) async throws -> [String] {
        var readers: [String] = []
        for session in stage.all {
            let found = try await session.perform(GetFiles(fileIDs: [file])).files
            if found.map(\.file.fileID) == [file] { readers.append(session.userID.rawValue) }
        }
        return readers
    }

    private func image(_ file: FileReference, in channel: ChannelID) -> SendMessage {
        SendMessage(channel: channel, type: "image", file: FileReference(fileID: file.fileID))
    }

    /// The keys of bytes that are to be deleted.
    private func removed(_ stage: Stage) async throws -> [String] {
        try await stage.roost.core.removedBytes(limit: 100)
    }

    @Test(arguments: Backend.available)
    func `a file in a message is filled in from its upload, whatever the sender claims [LO-7 LO-8 LO-11]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let (file, small) = (try await stage.ann.file(size: 7), try await stage.ann.file("s.png", "image/png", size: 3))
        var claimed = FileReference(fileID: file.fileID, name: "invoice.pdf", contentType: "text/html", size: -1)
        claimed.width = -5
        let send = SendMessage(
            channel: Cast.club, type: "image", text: "cake", file: claimed,
            thumbnail: FileReference(fileID: small.fileID))
        let answer = try await stage.ann.perform(send, id: "key")
        let message = try #require(stage.bob.rows(of: Cast.club).last?.message)
        #expect(message.file == file && message.thumbnail == small && message.text == "cake")
        // Sent twice, it is the same message.
        #expect(try await stage.ann.perform(send, id: "key") == answer)
        #expect(stage.bob.rows(of: Cast.club).count == 1)
    }

    @Test(arguments: Backend.available)
    func `a file is created once under its key, and again under another`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let create = CreateFile(name: "../a\u{202E}.jpg", size: 5, contentType: "image/jpg", width: 3, height: 4)
        let upload = try await stage.ann.perform(create, id: "key")
        #expect(try await stage.ann.perform(create, id: "key") == upload)
        #expect(upload.path == "/v1/files/\(upload.fileID)" && upload.transID == "key")
        #expect(upload.$expiresAt == stage.roost.clock.now + FileRules.unusedMs)
        #expect(try await stage.ann.perform(create, id: "other").fileID != upload.fileID)
        #expect(try await stage.bob.perform(create, id: "key").fileID != upload.fileID)
        #expect(try await stage.ann.refusal(CreateFile(name: "a", size: 6), id: "key")?.entry == .duplicateTransID)
        #expect(try await stage.ann.perform(GetFiles(fileIDs: [upload.fileID])).files.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a message can only use a complete file that its sender may read and that fits its type`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let part = try await stage.ann.perform(CreateFile(name: "a.jpg", size: 5, contentType: "image/jpeg"))
        let strange = try await stage.dee.file()
        let text = try await stage.ann.file("a.txt", "text/plain")
        let picture = try await stage.ann.file()
        func send(_ file: FileID, _ type: String = "image", thumbnail: FileID? = nil) -> SendMessage {
            SendMessage(
                channel: Cast.club, type: type, file: FileReference(fileID: file),
                thumbnail: thumbnail.map { FileReference(fileID: $0) })
        }
        let table: [(SendMessage, ErrorCode, String)] = [
            (send(part.fileID), .uploadIncomplete, "file"), (send(strange.fileID), .noPrivilege, "file"),
            (send("unknown"), .noPrivilege, "file"), (send(text.fileID), .fileTypeRefused, "file"),
            (send(picture.fileID, "voice"), .fileTypeRefused, "file"),
            (send(picture.fileID, "contact"), .fileTypeRefused, "file"),
            (send(picture.fileID, thumbnail: text.fileID), .fileTypeRefused, "thumbnail"),
            (send(picture.fileID, thumbnail: strange.fileID), .noPrivilege, "thumbnail"),
        ]
        for (send, code, field) in table {
            let error = try await stage.ann.refusal(send)
            #expect(error?.code == code.code && error?.field == field, "\(send)")
            let many = try await stage.ann.refusal(
                SendMany(messages: [MessageContent(text: "x"), send.content], channels: [Cast.club]))
            #expect(many?.code == code.code && many?.field == "messages[1].\(field)", "\(send)")
        }
        let vote = CreateVote(
            channel: Cast.club, subject: "?",
            vote: Vote(options: [MessageContent(text: "a"), send(strange.fileID).content]))
        #expect(try await stage.ann.refusal(vote)?.field == "vote.options[1].file")
        #expect(stage.bob.rows(of: Cast.club).isEmpty)
        try await stage.ann.perform(send(text.fileID, "document"))
        #expect(stage.bob.rows(of: Cast.club).count == 1)
    }

    @Test(arguments: Backend.available)
    func `only users who may read the message may read its file [L-77]`(backend: Backend) async throws {
        let stage = try await club(backend)
        let file = try await stage.ann.file()
        #expect(try await readers(of: file.fileID, stage) == ["ann"])
        let message = try await stage.ann.post(image(file, in: Cast.club))
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "cid"])
        // Deleted by one user.
        try await stage.cid.delete(message, in: Cast.club)
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob"])
        // Forwarded to somebody else: the copy has the same file.
        try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.dee.userID]))
        let pair = ChannelID(single: Cast.bob.userID, Cast.dee.userID)
        try await stage.bob.perform(ForwardMessages(channel: Cast.club, messageIDs: [message], channels: [pair]))
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "dee"])
        // Sent on by its id.
        try await stage.dee.perform(CreateChannel(kind: .single, members: [Cast.cid.userID]))
        try await stage.dee.perform(image(file, in: ChannelID(single: Cast.cid.userID, Cast.dee.userID)))
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "cid", "dee"])
        // After leaving, the sender may not read it either.
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .admin))
        try await stage.ann.perform(LeaveChannel(channel: Cast.club))
        #expect(try await readers(of: file.fileID, stage) == ["bob", "cid", "dee"])
        // Recalled in one channel, it is still used in the others.
        try await stage.bob.recall(message, in: Cast.club)
        #expect(try await readers(of: file.fileID, stage) == ["bob", "cid", "dee"])
        #expect(try await removed(stage).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a member who joins later reads the files of the history that is shown`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (before, after) = (try await stage.ann.file(), try await stage.ann.file())
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.ann.perform(image(before, in: Cast.club))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        let shown = try await stage.ann.post(image(after, in: Cast.club))
        #expect(try await readers(of: before.fileID, stage) == ["ann", "bob", "cid"])
        #expect(try await readers(of: after.fileID, stage) == ["ann", "bob", "cid", "dee"])
        // What is quoted in a reply is no way around it.
        try await stage.bob.perform(SendMessage(channel: Cast.club, text: "nice", replyTo: shown))
        try await stage.dee.delete(shown, in: Cast.club)
        #expect(try await readers(of: after.fileID, stage) == ["ann", "bob", "cid"])
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.bob.userID]))
        #expect(try await readers(of: after.fileID, stage) == ["ann", "cid"])
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        #expect(try await readers(of: after.fileID, stage) == [])
    }

    @Test(arguments: Backend.available)
    func `anyone may read the files of an open channel`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let file = try await stage.ann.file()
        let message = try await stage.ann.post(image(file, in: Cast.lobby))
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "cid", "dee"])
        try await stage.ann.recall(message, in: Cast.lobby)
        #expect(try await readers(of: file.fileID, stage) == [])
        #expect(try await removed(stage) == [file.fileID.rawValue])
    }

    @Test(arguments: Backend.available)
    func `a recalled file goes with the last message that uses it`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (file, small) = (try await stage.ann.file(), try await stage.ann.file("s.png", "image/png"))
        var send = image(file, in: Cast.club)
        send.content.payload.fields.thumbnail = small
        let first = try await stage.ann.post(send)
        let second = try await stage.ann.post(image(file, in: Cast.club))
        try await stage.ann.recall(first, in: Cast.club)
        #expect(try await removed(stage) == [small.fileID.rawValue])
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "cid"])
        try await stage.ann.recall(second, in: Cast.club)
        #expect(try await removed(stage) == [file.fileID, small.fileID].map(\.rawValue).sorted())
        #expect(try await stage.ann.refusal(image(file, in: Cast.club))?.entry == .noPrivilege)
        try await stage.roost.core.forgetRemovedBytes([file.fileID.rawValue, small.fileID.rawValue])
        #expect(try await removed(stage).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `files with the same bytes share them, and nobody learns of it`(backend: Backend) async throws {
        let stage = try await club(backend)
        let mine = try await stage.ann.file(hash: [1, 2, 3])
        let theirs = try await stage.dee.file("other.jpg", hash: [1, 2, 3])
        #expect(mine.fileID != theirs.fileID)
        #expect(try await readers(of: mine.fileID, stage) == ["ann"])
        #expect(try await readers(of: theirs.fileID, stage) == ["dee"])
        try await stage.ann.perform(DeleteFile(fileID: mine.fileID))
        #expect(try await removed(stage).isEmpty)
        #expect(try await readers(of: theirs.fileID, stage) == ["dee"])
        try await stage.dee.perform(DeleteFile(fileID: theirs.fileID))
        #expect(try await removed(stage) == [mine.fileID.rawValue])
    }

    @Test(arguments: Backend.available)
    func `an unused file can be deleted by its owner alone, and expires after a day`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (first, second, used) = (try await stage.ann.file(), try await stage.ann.file(), try await stage.ann.file())
        let part = try await stage.ann.perform(CreateFile(name: "a", size: 5)).fileID
        try await stage.ann.perform(image(used, in: Cast.club))
        for file in [first.fileID, "unknown"] {
            #expect(try await stage.bob.refusal(DeleteFile(fileID: file))?.entry == .noPrivilege)
        }
        #expect(try await stage.ann.refusal(DeleteFile(fileID: used.fileID))?.entry == .noPrivilege)
        let answer = try await stage.ann.perform(DeleteFile(fileID: first.fileID), id: "key")
        #expect(try await stage.ann.perform(DeleteFile(fileID: first.fileID), id: "key") == answer)
        #expect(try await stage.ann.refusal(DeleteFile(fileID: first.fileID))?.entry == .noPrivilege)
        #expect(try await removed(stage) == [first.fileID.rawValue])
        stage.roost.clock.advance(by: FileRules.unusedMs + 60_000)
        await stage.settle()
        #expect(try await removed(stage) == [first.fileID, second.fileID, part].map(\.rawValue).sorted())
        #expect(try await readers(of: used.fileID, stage) == ["ann", "bob", "cid"])
    }

    @Test(arguments: Backend.available)
    func `the bytes and the unfinished uploads of a user are limited [C-L36]`(backend: Backend) async throws {
        var limits = Limits.withoutRates
        (limits.fileBytes, limits.fileBytesPerUser, limits.uploads) = (100, 250, 2)
        let stage = try await club(backend, limits: limits)
        func create(_ size: Int64) -> CreateFile { CreateFile(name: "a", size: size, contentType: "image/jpeg") }
        #expect(try await stage.ann.refusal(create(101))?.entry == .tooLarge)
        let first = try await stage.ann.perform(create(100)).fileID
        _ = try await stage.ann.perform(create(100))
        #expect(try await stage.ann.refusal(create(10))?.entry == .limitReached)
        try await stage.ann.perform(DeleteFile(fileID: first))
        #expect(try await stage.ann.refusal(create(100)) == nil)
        #expect(try await stage.bob.refusal(create(100)) == nil)
    }

    @Test(arguments: Backend.available)
    func `a schedule keeps its files until it is sent, changed or cancelled`(backend: Backend) async throws {
        let stage = try await club(backend)
        let (sent, replaced, cancelled) = (
            try await stage.ann.file(), try await stage.ann.file(), try await stage.ann.file()
        )
        let at = Date(milliseconds: stage.roost.clock.now + 3 * FileRules.unusedMs)
        func schedule(_ file: FileReference) async throws -> ScheduleID {
            let content = MessageContent(type: "image", file: FileReference(fileID: file.fileID))
            let create = CreateSchedule(messages: [content], channels: [Cast.club], sendAt: at)
            let schedule = try await stage.ann.perform(create).schedule
            #expect(schedule.messages.map(\.file) == [file])
            return schedule.scheduleID
        }
        _ = try await schedule(sent)
        let changing = try await schedule(replaced)
        let ending = try await schedule(cancelled)
        stage.roost.clock.advance(by: 2 * FileRules.unusedMs)
        await stage.settle()
        #expect(try await removed(stage).isEmpty)
        #expect(try await readers(of: sent.fileID, stage) == ["ann"])
        #expect(try await stage.bob.refusal(image(sent, in: Cast.club))?.entry == .noPrivilege)
        try await stage.ann.perform(ChangeSchedule(scheduleID: changing, messages: [MessageContent(text: "none")]))
        #expect(try await removed(stage) == [replaced.fileID.rawValue])
        try await stage.ann.perform(CancelSchedule(scheduleID: ending))
        #expect(try await removed(stage) == [replaced.fileID, cancelled.fileID].map(\.rawValue).sorted())
        stage.roost.clock.advance(by: FileRules.unusedMs)
        await stage.settle()
        #expect(stage.bob.rows(of: Cast.club).compactMap(\.message?.file) == [sent])
        #expect(try await readers(of: sent.fileID, stage) == ["ann", "bob", "cid"])
    }

    @Test(arguments: Backend.available)
    func `a broadcast keeps its files until it is done`(backend: Backend) async throws {
        let stage = try await club(backend)
        let editor = try await stage.roost.session(Cast.ann, device: "desk", isOperator: true)
        let file = try await editor.file()
        let content = MessageContent(type: "image", file: FileReference(fileID: file.fileID))
        let users = [Cast.bob.userID, Cast.cid.userID]
        try await editor.perform(
            CreateBroadcast(
                senderID: Cast.ann.userID, messages: [content], segment: BroadcastSegment(kind: .users, userIDs: users))
        )
        await stage.settle()
        #expect(try await readers(of: file.fileID, stage) == ["ann", "bob", "cid"])
        for user in users {
            let channel = ChannelID(single: Cast.ann.userID, user)
            let row = try #require(try await stage.ann.log(of: channel).last)
            #expect(row.message?.file == file)
            try await stage.ann.recall(try #require(row.messageID), in: channel)
        }
        #expect(try await removed(stage) == [file.fileID.rawValue])
    }

    @Test(arguments: Backend.available)
    func `the picture of a channel is read by everyone who sees it, and goes when it is replaced`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let (first, second) = (try await stage.ann.file(), try await stage.ann.file())
        let text = try await stage.ann.file("a.txt", "text/plain")
        func set(_ reference: String, _ session: TestSession) async throws -> WireError? {
            try await session.refusal(
                SetChannelProfile(channel: Cast.club, profile: ChannelProfile(avatar: reference)))
        }
        #expect(try await set(FileRules.reference(to: first.fileID), stage.ann) == nil)
        #expect(stage.bob.rows(of: Cast.club).count == 1)
        #expect(try await stage.bob.channel(Cast.club).profile?.avatar == "file:\(first.fileID)")
        #expect(try await readers(of: first.fileID, stage) == ["ann", "bob", "cid"])
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        #expect(try await readers(of: first.fileID, stage) == ["ann", "bob", "cid", "dee"])
        for (reference, code) in [
            ("file:unknown", ErrorCode.noPrivilege), ("file:a/b", ErrorCode.noPrivilege),
            ("file:", ErrorCode.noPrivilege),
            (FileRules.reference(to: text.fileID), ErrorCode.fileTypeRefused),
            (FileRules.reference(to: second.fileID), ErrorCode.noPrivilege),
        ] {
            let error = try await set(reference, reference.hasSuffix(second.fileID.rawValue) ? stage.bob : stage.ann)
            #expect(error?.code == code.code && error?.field == "profile.avatar", "\(reference)")
        }
        #expect(try await set(FileRules.reference(to: second.fileID), stage.ann) == nil)
        #expect(try await removed(stage) == [first.fileID.rawValue])
        #expect(try await set("", stage.bob) == nil)
        #expect(try await removed(stage) == [first.fileID, second.fileID].map(\.rawValue).sorted())
        // One that a group is created with goes with the group.
        let third = try await stage.ann.file()
        let den = try #require(ChannelID(rawValue: "den"))
        try await stage.ann.perform(
            CreateChannel(
                kind: .group, channel: den, members: [NewMember(Cast.bob.userID)],
                profile: ChannelProfile(avatar: FileRules.reference(to: third.fileID))))
        #expect(try await readers(of: third.fileID, stage) == ["ann", "bob"])
        try await stage.ann.perform(DismissChannel(channel: den))
        #expect(try await readers(of: third.fileID, stage) == [])
        #expect(try await removed(stage).contains(third.fileID.rawValue))
    }

    @Test(arguments: Backend.available)
    func `the picture of a member for one channel is read by everyone who sees it, and goes with the membership`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let (first, second) = (try await stage.bob.file(), try await stage.bob.file())
        let text = try await stage.bob.file("notes.txt", "text/plain")
        func set(_ reference: String, _ session: TestSession) async throws -> WireError? {
            try await session.refusal(SetChannelPreference(channel: Cast.club, imageURL: reference))
        }
        for (reference, user, code) in [
            ("file:unknown", stage.bob, ErrorCode.noPrivilege), ("file:", stage.bob, ErrorCode.noPrivilege),
            (FileRules.reference(to: text.fileID), stage.bob, ErrorCode.fileTypeRefused),
            (FileRules.reference(to: first.fileID), stage.ann, ErrorCode.noPrivilege),
        ] {
            let error = try await set(reference, user)
            #expect(error?.code == code.code && error?.field == "imageURL", "\(reference)")
        }
        #expect(try await set(FileRules.reference(to: first.fileID), stage.dee)?.code != nil)
        #expect(try await set(FileRules.reference(to: first.fileID), stage.bob) == nil)
        #expect(try await readers(of: first.fileID, stage) == ["ann", "bob", "cid"])
        // Nobody else can give a member a picture of his own.
        let own = NewMember(Cast.dee.userID, imageURL: FileRules.reference(to: text.fileID))
        for error in [
            try await stage.bob.refusal(InviteMembers(channel: Cast.club, members: [own])),
            try await stage.bob.refusal(CreateChannel(kind: .group, members: [own])),
        ] {
            #expect(error?.entry == .dataFormat && error?.field == "members[0].imageURL")
        }
        #expect(try await set(FileRules.reference(to: second.fileID), stage.bob) == nil)
        #expect(try await removed(stage) == [first.fileID.rawValue])
        stage.roost.clock.advance(by: 2 * FileRules.unusedMs)
        await stage.settle()
        #expect(try await readers(of: second.fileID, stage) == ["ann", "bob", "cid"])
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        #expect(try await readers(of: second.fileID, stage) == [])
        #expect(try await removed(stage).contains(second.fileID.rawValue))
        let third = try await stage.cid.file()
        #expect(try await set(FileRules.reference(to: third.fileID), stage.cid) == nil)
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        #expect(try await removed(stage).contains(third.fileID.rawValue))
    }

    @Test(arguments: Backend.available)
    func `files of purged messages go`(backend: Backend) async throws {
        let roost = try TestCore(backend, retention: [.group: RetentionPolicy(keepLast: 1)])
        let stage = try await Stage(roost)
        try await stage.makeClub()
        let (old, new) = (try await stage.ann.file(), try await stage.ann.file())
        try await stage.ann.perform(image(old, in: Cast.club))
        try await stage.ann.perform(image(new, in: Cast.club))
        stage.roost.clock.advance(by: 10)
        await stage.settle()
        #expect(try await removed(stage) == [old.fileID.rawValue])
        #expect(try await readers(of: new.fileID, stage) == ["ann", "bob", "cid"])
    }

    @Test(arguments: Backend.available)
    func `bytes of which nothing is known are told apart from those of files`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let file = try await stage.ann.file()
        let part = try await stage.ann.perform(CreateFile(name: "a", size: 5)).fileID
        let keys = [file.fileID.rawValue, part.rawValue, "unknown"]
        #expect(try await stage.roost.core.unknownBytes(keys) == ["unknown"])
        #expect(try await stage.roost.core.unknownBytes([]).isEmpty)
        // What is left of an upload is not needed once it has ended.
        #expect(try await stage.roost.core.endedUploads(keys) == [file.fileID.rawValue, "unknown"])
        #expect(try await stage.roost.core.endedUploads([]).isEmpty)
    }
}
