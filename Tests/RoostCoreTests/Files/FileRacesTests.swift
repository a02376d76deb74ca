import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// What takes a file into use.
private enum Taking: String, CaseIterable {
    case send, forward, schedule, channelPicture, userPicture, sameBytes
}

/// What ends the only use of a file, or the file itself.
private enum Ending: String, CaseIterable {
    case delete, expire, recall, changePicture
}

/// A file that is taken into use at the moment in which it is deleted: it is there for all who use it, or for nobody.
@Suite(.timeLimit(.minutes(5))) struct FileRacesTests {
    @Test(arguments: Backend.available.filter { $0 != .memory })
    func `a file that is taken into use while it is deleted stays, or is refused`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource, isPaced: false)
        try await Race(database: database, one: roost, two: roost).run(rounds: 4)
        await roost.core.stop()
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `a file that is taken into use at one server while another deletes it stays, or is refused`() async throws {
        let url = try Postgres.makeSchema()
        let database = try Postgres.open(url)
        let one = try TestCore(database: database, isPaced: false)
        let two = try TestCore(database: Postgres.open(url), clock: one.clock, isPaced: false)
        try await Race(database: database, one: one, two: two).run(rounds: 10)
        for core in [one, two] { await core.core.stop() }
    }
}

private struct Race {
    let database: any SQLDatabase
    let one: TestCore
    let two: TestCore

    func run(rounds: Int) async throws {
        let ann = try await one.session(Cast.ann)
        _ = try await one.session(Cast.bob)
        try await ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID)]))
        var results: [String: Int] = [:]
        for round in 0..<rounds {
            for taking in Taking.allCases {
                for ending in Ending.allCases {
                    let what = "\(taking) and \(ending), round \(round)"
                    let isRefused = try await play(taking, ending, "\(taking)-\(ending)-\(round)", what)
                    results[isRefused ? "refused" : "taken", default: 0] += 1
                }
            }
        }
        // Otherwise the two never met.
        #expect(results.count == 2, "\(results)")
    }

    private func perform(_ command: AnyCommand, _ id: String, by user: User, on core: TestCore) async -> WireError? {
        let actor = Actor(user: user, deviceID: "phone", isOperator: false)
        guard case .refused(let error) = await core.core.handle(command, id: id, from: actor) else { return nil }
        return error
    }

    private func image(_ id: FileID) -> MessageContent { MessageContent(.image(FileReference(fileID: id))) }

    private func send(_ id: FileID) -> AnyCommand { .write(.sendMessage(SendMessage(image(id), to: Cast.club))) }

    /// - Returns: whether the file could not be taken into use.
    private func play(_ taking: Taking, _ ending: Ending, _ key: String, _ what: String) async throws -> Bool {
        let hash = Array(key.utf8)
        let file = try await one.file(of: Cast.ann.userID, hash: hash).fileID
        let reference = "file:\(file)"
        // The only use of the file, in the state that the ending needs.
        var message: MessageID?
        if ending == .recall {
            let sent = await one.core.handle(send(file), id: key + "-use", from: actor(Cast.ann))
            guard case .accepted(let json) = sent else { throw WireError(.internalFault) }
            message = try WireCodec.decode(Acknowledgement.self, from: json).messageID
        } else if ending == .changePicture {
            let set = SetUserProfile(profile: UserProfile(imageURL: reference))
            #expect(await perform(.write(.setUserProfile(set)), key + "-use", by: Cast.ann, on: one) == nil)
        }
        async let refusal = take(file, taking, key, hash)
        async let ended: Void = end(file, ending, key, message)
        let (taken, _) = try await (refusal, ended)
        for core in one === two ? [one] : [one, two] { await core.settle() }
        if let code = taken.error?.code { #expect(code == ErrorCode.noPrivilege.code, "\(what): \(code)") }
        try await check(
            taken.file, isTaken: taken.error == nil, isReplaced: taking == .userPicture && ending == .changePicture,
            what)
        return taken.error != nil
    }

    private func actor(_ user: User) -> Actor { Actor(user: user, deviceID: "phone", isOperator: false) }

    private func take(
        _ file: FileID, _ taking: Taking, _ key: String, _ hash: [UInt8]
    ) async throws -> (file: FileID, error: WireError?) {
        let command: AnyCommand
        var user = Cast.ann
        switch taking {
        case .send: command = send(file)
        case .forward:
            user = Cast.bob
            command = send(file)
        case .schedule:
            let at = Date(milliseconds: one.clock.now + 30 * FileRules.unusedMs)
            command = .write(
                .createSchedule(CreateSchedule(messages: [image(file)], channels: [Cast.club], sendAt: at)))
        case .channelPicture:
            command = .write(
                .setChannelProfile(
                    SetChannelProfile(channel: Cast.club, profile: ChannelProfile(avatar: "file:\(file)"))))
        case .userPicture:
            command = .write(.setUserProfile(SetUserProfile(profile: UserProfile(imageURL: "file:\(file)"))))
        case .sameBytes:
            // Another upload of the same bytes shares them.
            let other: FileID
            do {
                other = try await two.file(of: Cast.bob.userID, hash: hash).fileID
            } catch let error as WireError {
                // The clock went on by a day before all bytes had arrived.
                return (file, error)
            }
            return (other, await perform(send(other), key + "-take", by: Cast.bob, on: two))
        }
        return (file, await perform(command, key + "-take", by: user, on: two))
    }

    private func end(_ file: FileID, _ ending: Ending, _ key: String, _ message: MessageID?) async throws {
        switch ending {
        case .delete:
            _ = await perform(
                .write(.deleteFile(DeleteFile(fileID: file))), key + "-end", by: Cast.ann, on: one)
        case .expire: one.clock.advance(by: FileRules.unusedMs + 1)
        case .recall:
            let recall = RecallMessages(channel: Cast.club, messageIDs: [try #require(message)])
            _ = await perform(.write(.recallMessages(recall)), key + "-end", by: Cast.ann, on: one)
        case .changePicture:
            let set = SetUserProfile(profile: UserProfile(imageURL: "https://example.com/\(key).png"))
            _ = await perform(.write(.setUserProfile(set)), key + "-end", by: Cast.ann, on: one)
        }
    }

    private func check(_ file: FileID, isTaken: Bool, isReplaced: Bool, _ what: String) async throws {
        let (rows, kept, lost, orphans) = try await database.read { connection in
            func count(_ query: Query) throws -> Int64 { try connection.rows(query) { try $0.int(0) }.first ?? 0 }
            return (
                try count("SELECT COUNT(*) FROM file_uses WHERE file = \(file)"),
                try count("SELECT COUNT(*) FROM files WHERE id = \(file) AND bytes_key IS NOT NULL"),
                // Bytes of files that exist and are to be deleted.
                try count(
                    "SELECT COUNT(*) FROM files f WHERE f.bytes_key IN (SELECT bytes_key FROM file_removals)"),
                try count("SELECT COUNT(*) FROM file_uses u WHERE u.file NOT IN (SELECT id FROM files)")
            )
        }
        #expect(lost == 0 && orphans == 0, "\(what)")
        if isTaken, !isReplaced { #expect(rows > 0 && kept == 1, "\(what)") }
        if !isTaken { #expect(rows == 0, "\(what)") }
    }
}
