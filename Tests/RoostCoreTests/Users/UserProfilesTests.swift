import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct UserProfilesTests {
    private func changed(_ session: TestSession) -> [UserProfileChanged] {
        session.events.compactMap { event in
            if case .user(.userProfileChanged(let changed)) = event.body { changed } else { nil }
        }
    }

    private func user(_ id: UserID, _ session: TestSession) async throws -> User? {
        try await session.perform(GetUsers(userIDs: [id])).users.first
    }

    @Test(arguments: Backend.available)
    func
        `a new name reaches own devices and everybody who shares a channel once, and nobody else [L-95 LCB-21 LCB-22 LR-27 LR-28 LO-15 LT-1012]`(
            backend: Backend
        ) async throws
    {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        // Bob shares three channels with Ann, Cid one; Dee has left the only one, and both are in an open one.
        try await stage.ann.perform(
            CreateChannel(kind: .group, channel: channel("second"), members: [Cast.bob.userID, Cast.dee.userID]))
        try await stage.dee.perform(LeaveChannel(channel: channel("second")))
        for session in [stage.ann, stage.dee] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        await stage.forgetEvents()
        let set = SetUserProfile(profile: UserProfile(name: "Ann Lee"))
        let answer = try await stage.ann.perform(set, id: "key")
        #expect(answer.profile == UserProfile(name: "Ann Lee") && answer.acknowledgement.transID == "key")
        #expect(try await stage.ann.perform(set, id: "key") == answer)
        await stage.settle()
        let expected = UserProfileChanged(userID: Cast.ann.userID, profile: UserProfile(name: "Ann Lee"))
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            #expect(changed(session) == [expected], "\(session.userID)")
            #expect(session.events.allSatisfy { $0.body.messageType?.number == 1012 && $0.userSeq != nil })
            #expect(session.events.allSatisfy { $0.senderID == Cast.ann.userID && $0.transID == "key" })
        }
        #expect(stage.dee.events.isEmpty)
        // From now on it is the name in lists and of messages.
        #expect(try await stage.bob.channel(Cast.club).members.first?.name == "Ann Lee")
        try await stage.ann.send("hello", to: Cast.club)
        #expect(stage.bob.rows(of: Cast.club).last?.message?.senderName == "Ann Lee")
        try await tablet.send("hello all", to: Cast.lobby)
        #expect(stage.dee.events.last?.message?.senderName == "Ann Lee")
        // The same again changes nothing.
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        #expect(try await stage.ann.perform(set).profile == UserProfile())
        await stage.settle()
        #expect(changed(stage.bob).isEmpty && changed(tablet).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `only what changed is told, and changes in quick succession are told as one`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        await stage.forgetEvents()
        for profile in [
            UserProfile(name: "Anna"), UserProfile(imageURL: "https://example.org/1.png"), UserProfile(name: "Annie"),
            UserProfile(name: "Annie", imageURL: ""),
        ] { try await stage.ann.perform(SetUserProfile(profile: profile)) }
        await stage.settle()
        #expect(
            changed(stage.ann).map(\.profile) == [
                UserProfile(name: "Anna"), UserProfile(imageURL: "https://example.org/1.png"),
                UserProfile(name: "Annie"), UserProfile(imageURL: ""),
            ])
        #expect(changed(stage.bob).map(\.profile) == [UserProfile(name: "Annie", imageURL: "")])
        let bob = UserProfile(imageURL: "p")
        try await stage.bob.perform(SetUserProfile(profile: bob))
        await stage.settle()
        #expect(changed(stage.ann).last == UserProfileChanged(userID: Cast.bob.userID, profile: bob))
    }

    @Test(arguments: Backend.available)
    func `hundreds of users are told in the background, each once, also those of a change in between`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        var sessions: [TestSession] = []
        var ids: [UserID] = []
        for number in 100..<220 {
            let session = try await stage.roost.session(RoostCoreTests.user("u\(number)"))
            sessions.append(session)
            ids.append(session.userID)
        }
        for part in 0..<3 {
            try await stage.ann.perform(
                CreateChannel(
                    kind: .group, channel: channel("g\(part)"), members: Array(ids[(part * 40)..<(part * 40 + 40)])))
            try await stage.ann.perform(
                CreateChannel(
                    kind: .group, channel: channel("h\(part)"), members: Array(ids[(part * 40)..<(part * 40 + 40)])))
        }
        await stage.settle()
        for session in sessions { _ = session.drainEvents() }
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "First")))
        await stage.settle()
        for session in sessions { #expect(changed(session).map(\.profile.name) == ["First"], "\(session.userID)") }
        // Some are told of the first of two changes before the second one is made; all are told of the second.
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(imageURL: "p")))
        await stage.roost.turn()
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "Second")))
        await stage.settle()
        let last = UserProfile(name: "Second", imageURL: "p")
        for session in sessions {
            let profiles = changed(session).dropFirst().map(\.profile)
            #expect(profiles == [last] || profiles == [UserProfile(imageURL: "p"), last], "\(session.userID)")
        }
    }

    @Test(arguments: Backend.available)
    func `what a user has chosen counts more than a token, and a nickname in a channel more than both`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let id = Cast.ann.userID
        let token = User(userID: id, name: "Token", imageURL: "token.png")
        _ = try await stage.roost.session(token, device: "tablet")
        #expect(try await user(id, stage.bob) == token)
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "Chosen")))
        _ = try await stage.roost.session(User(userID: id, name: "Later", imageURL: "later.png"), device: "phone")
        #expect(try await user(id, stage.bob) == User(userID: id, name: "Chosen", imageURL: "later.png"))
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(imageURL: "")))
        _ = try await stage.roost.session(User(userID: id, name: "Later", imageURL: "last.png"), device: "watch")
        #expect(try await user(id, stage.bob) == User(userID: id, name: "Chosen"))
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, nickname: "Captain"))
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "Other")))
        let member = try #require(try await stage.bob.channel(Cast.club).members.first { $0.userID == id })
        #expect(member.name == "Captain" && member.hasNickname == true)
    }

    @Test(arguments: Backend.available)
    func `an uploaded picture can be read by all users until it is replaced or removed`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let first = try await stage.ann.file()
        func set(_ image: String) -> SetUserProfile { SetUserProfile(profile: UserProfile(imageURL: image)) }
        func readers(_ file: FileID) async throws -> [UserID] {
            var readers: [UserID] = []
            for session in stage.all where try await session.perform(GetFiles(fileIDs: [file])).files.count == 1 {
                readers.append(session.userID)
            }
            return readers
        }
        #expect(try await readers(first.fileID) == [Cast.ann.userID])
        try await stage.ann.perform(set(FileRules.reference(to: first.fileID)))
        #expect(try await readers(first.fileID) == stage.all.map(\.userID))
        // It outlives the day after which an unused file is deleted.
        stage.roost.clock.advance(by: FileRules.unusedMs + 60_000)
        await stage.settle()
        #expect(try await readers(first.fileID).count == 4)
        let third = try await stage.ann.file("c.png", "image/png")
        try await stage.ann.perform(set(FileRules.reference(to: third.fileID)))
        #expect(try await readers(first.fileID).isEmpty)
        #expect(try await readers(third.fileID).count == 4)
        #expect(try await stage.roost.core.removedBytes(limit: 100).contains(first.fileID.rawValue))
        try await stage.ann.perform(set(""))
        #expect(try await readers(third.fileID).isEmpty)
        #expect(try await user(Cast.ann.userID, stage.bob)?.imageURL == nil)
    }

    @Test(arguments: Backend.available)
    func `a profile that is not allowed is refused, and changes nothing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        await stage.forgetEvents()
        let text = try await stage.ann.file("a.txt", "text/plain")
        let part = try await stage.ann.perform(CreateFile(name: "a.jpg", size: 5, contentType: "image/jpeg"))
        let strange = try await stage.bob.file()
        let table: [(UserProfile, ErrorCode, String?)] = [
            (UserProfile(), .noProfileToSet, nil), (UserProfile(name: ""), .dataFormat, "profile.name"),
            (UserProfile(name: String(repeating: "x", count: 201)), .dataFormat, "profile.name"),
            (UserProfile(name: "a\u{0}"), .dataFormat, "profile.name"),
            (UserProfile(imageURL: "\n"), .dataFormat, "profile.imageURL"),
            (UserProfile(imageURL: String(repeating: "x", count: 2_001)), .dataFormat, "profile.imageURL"),
            (UserProfile(imageURL: "file:"), .noPrivilege, "profile.imageURL"),
            (UserProfile(imageURL: "file:unknown"), .noPrivilege, "profile.imageURL"),
            (UserProfile(imageURL: FileRules.reference(to: strange.fileID)), .noPrivilege, "profile.imageURL"),
            (UserProfile(imageURL: FileRules.reference(to: part.fileID)), .uploadIncomplete, "profile.imageURL"),
            (UserProfile(imageURL: FileRules.reference(to: text.fileID)), .fileTypeRefused, "profile.imageURL"),
        ]
        for (profile, code, field) in table {
            let refusal = try await stage.ann.refusal(SetUserProfile(profile: profile))
            #expect(refusal?.code == code.code && refusal?.field == field, "\(profile)")
        }
        await stage.settle()
        #expect(stage.ann.events.isEmpty && stage.bob.events.isEmpty)
        #expect(try await user(Cast.ann.userID, stage.bob) == Cast.ann)
    }
}
