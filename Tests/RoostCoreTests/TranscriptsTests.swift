import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// What the server answers to one user's client that starts, at one moment.
private struct ServedState: Encodable {
    /// The logs of the channels that the user has, each whole.
    var logs: [String: ListMessages.Answer] = [:]
    var members: [String: ListMembers.Answer] = [:]
    var channels: [String: Channel] = [:]
    var votes: [String: GetVotes.Answer] = [:]
    let resume: Resume.Answer
    let list: ListChannels.Answer
    let unread: UnreadCounts
    let invited: QueryChannels.Answer
    let blocked: ListBlockedUsers.Answer
    let schedules: ListSchedules.Answer

    init(of session: TestSession) async throws {
        resume = try await session.perform(Resume())
        list = try await session.perform(ListChannels(limit: 100))
        unread = try await session.perform(GetUnread())
        invited = try await session.perform(QueryChannels(roles: [.invited], limit: 100))
        blocked = try await session.perform(ListBlockedUsers())
        schedules = try await session.perform(ListSchedules(limit: 100))
        for id in resume.channels.map(\.channel) {
            let channel = try await session.channel(id)
            channels[id.rawValue] = channel
            let log = try await session.perform(ListMessages(channel: id, limit: 100))
            logs[id.rawValue] = log
            let asked = log.events.compactMap { event in
                if case .channel(.messageSent(let message)) = event.body, message.vote != nil {
                    event.messageID
                } else {
                    nil
                }
            }
            if !asked.isEmpty {
                votes[id.rawValue] = try await session.perform(GetVotes(channel: id, messageIDs: asked))
            }
            if !channel.kind.isNews {
                members[id.rawValue] = try await session.perform(ListMembers(channel: id, limit: 500))
            }
        }
    }
}

/// The transcripts of `Protocol/transcripts`, with which the clients in other languages are tested: what the server
/// answers to a client that starts, the events that it sends then, and what it answers to a client that starts after
/// them. A client that has taken the events must show the same as one that starts afterwards.
@Suite struct TranscriptsTests {
    private static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Protocol/transcripts", directoryHint: .isDirectory)

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireCodec.encodeSorted(value), as: UTF8.self)
    }

    /// The events, with the read marks that moved at one moment by their channel, as they have no order of their own.
    private static func ordered(_ events: [Event]) -> [Event] {
        var ordered: [Event] = []
        var marks: [Event] = []
        func flush() {
            ordered += marks.sorted { ($0.channel?.rawValue ?? "") < ($1.channel?.rawValue ?? "") }
            marks = []
        }
        for event in events {
            if event.name == EventName.readMarkMoved.rawValue {
                marks.append(event)
            } else {
                flush()
                ordered.append(event)
            }
        }
        flush()
        return ordered
    }

    /// The transcript of a script: a line for each user's states and for each event, so that changes are seen.
    private static func transcript(of script: ReplayScript) async throws -> String {
        let (stage, operatorSession) = try await Stage.forReplay(TestCore(.memory, seed: 1))
        await stage.forgetEvents()
        var before: [ServedState] = []
        for session in stage.all { before.append(try await ServedState(of: session)) }
        stage.roost.clock.advance(by: 10)
        try await script.play(stage, operatorSession)
        await stage.settle()
        var clients: [String] = []
        for (session, old) in zip(stage.all, before) {
            let events = Self.ordered(session.drainEvents())
            if events.isEmpty { continue }
            let user = try json(session.actor.user)
            let new = try await ServedState(of: session)
            clients.append(
                """
                {"user":\(user),
                "before":\(try json(old)),
                "events":[
                \(try events.map { try json($0) }.joined(separator: ",\n"))
                ],
                "after":\(try json(new))}
                """)
        }
        return """
            {"name":\(try json(script.description)),"clients":[
            \(clients.joined(separator: ",\n"))
            ]}

            """
    }

    private static func file(of script: ReplayScript) -> URL {
        let name = script.description.replacing(" ", with: "-")
        return folder.appending(path: "\(name).json", directoryHint: .notDirectory)
    }

    private static let scripts = replayScripts + transcriptScripts

    /// With `ROOST_WRITE_TRANSCRIPTS=1` in the environment, the files are written.
    @Test(arguments: scripts.indices)
    func `the transcripts are what the server sends`(script: Int) async throws {
        let script = Self.scripts[script]
        let made = try await Self.transcript(of: script)
        let file = Self.file(of: script)
        if ProcessInfo.processInfo.environment["ROOST_WRITE_TRANSCRIPTS"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(made.utf8).write(to: file)
        }
        let kept = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        #expect(made == kept, "\(file.lastPathComponent) differs; run this test with ROOST_WRITE_TRANSCRIPTS=1")
    }

    @Test func `each transcript is one of a script`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(Set(files) == Set(Self.scripts.map { Self.file(of: $0).lastPathComponent }))
    }
}
