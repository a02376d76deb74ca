public import ArgumentParser
import Foundation
import RoostClient
public import RoostWire

/// The commands that manage broadcasts.
struct BroadcastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Send messages to all users, to the members of a channel or to a list of users, as an operator.",
        discussion: """
            Each user receives the messages in the 1-on-1 with the sender. Requires an operator token:

              export ROOST_TOKEN=$(roost token --data ./roost-data --user boss --operator)
              roost broadcast create --from support --text "We are closed on Friday." --all --follow
              roost broadcast create --from support --text "Tea?" --members-of roof
              roost broadcast list
              roost broadcast pause BROADCAST
              roost broadcast show BROADCAST --follow
            """,
        subcommands: [Create.self, List.self, Show.self, Pause.self, Resume.self, Cancel.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a broadcast: the server sends messages to many users.",
            discussion: """
                The server sends in the background, a few users at a time, and continues after a restart. Users who have \
                blocked the sender, or who have reached their channel limit, are skipped and counted.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var contents: Contents
        @OptionGroup var key: TransIDOption
        @OptionGroup var following: FollowOption

        @Option(name: .customLong("from"), help: "The user who appears as the sender; the server must know this user.")
        var sender: UserID

        @Flag(name: .customLong("all"), help: "Send to all users known to the server.")
        var isForAll = false

        @Option(
            name: .customLong("members-of"),
            help: ArgumentHelp("Send to the members of this channel.", valueName: "channel"))
        var channel: ChannelID?

        @Option(
            name: .customLong("to"), parsing: .upToNextOption,
            help: ArgumentHelp("Send to these users.", valueName: "user"))
        var users: [UserID] = []

        func validate() throws {
            if contents.all.isEmpty { throw ValidationError("Give at least one message: --text or --content.") }
            if (isForAll ? 1 : 0) + (channel == nil ? 0 : 1) + (users.isEmpty ? 0 : 1) != 1 {
                throw ValidationError("Give the recipients: exactly one of --all, --members-of CHANNEL and --to USER.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let segment = channel.map(BroadcastSegment.members) ?? (isForAll ? .everybody : .users(users))
            let made = try await client.broadcast(contents.all, from: sender, to: segment, transID: key.transID)
            try options.show(made, "created \(made.line)")
            try await following.follow(made, client, options)
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the broadcasts of all operators, newest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        func run(_ client: ChatClient) async throws {
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.perform(ListBroadcasts(limit: size, cursor: cursor))
            } show: { page in
                for broadcast in page.broadcasts { try options.show(broadcast, broadcast.line) }
            }
        }
    }

    struct Show: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a broadcast and its progress.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var following: FollowOption

        @Argument(help: "The id of the broadcast, as printed by create and list.")
        var broadcast: BroadcastID

        func run(_ client: ChatClient) async throws {
            let found = try await client.broadcast(broadcast)
            try options.show(found, found.line)
            try await following.follow(found, client, options)
        }
    }

    struct Pause: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pause a broadcast until it is resumed.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the broadcast, as printed by create and list.")
        var broadcast: BroadcastID

        func run(_ client: ChatClient) async throws {
            let now = try await client.pauseBroadcast(broadcast, transID: key.transID)
            try options.show(now, now.line)
        }
    }

    struct Resume: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Resume a paused broadcast where it stopped.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the broadcast, as printed by create and list.")
        var broadcast: BroadcastID

        func run(_ client: ChatClient) async throws {
            let now = try await client.resumeBroadcast(broadcast, transID: key.transID)
            try options.show(now, now.line)
        }
    }

    struct Cancel: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancel a broadcast permanently; messages already sent remain.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the broadcast, as printed by create and list.")
        var broadcast: BroadcastID

        func run(_ client: ChatClient) async throws {
            let now = try await client.cancelBroadcast(broadcast, transID: key.transID)
            try options.show(now, now.line)
        }
    }
}

/// The option to follow a broadcast until it ends.
struct FollowOption: ParsableArguments {
    @Flag(
        name: .customLong("follow"),
        help:
            "Keep printing the progress until the broadcast ends; the exit code is 0 if it is done and 1 if it was cancelled."
    )
    var isFollowing = false

    /// How many consecutive attempts, one second apart, may fail before giving up.
    private static let patience = 60

    /// Polls once a second and prints every change.
    func follow(_ broadcast: Broadcast, _ client: ChatClient, _ options: ClientOptions) async throws {
        guard isFollowing else { return }
        var shown = broadcast
        var failures = 0
        while !shown.state.isFinished {
            try await Task.sleep(for: .seconds(1))
            do {
                let now = try await client.broadcast(shown.broadcastID)
                failures = 0
                if now != shown { try options.show(now, now.progress) }
                shown = now
            } catch let error as RoostError where error.isRetryable && failures < Self.patience {
                failures += 1
            }
        }
        if shown.state == .cancelled { throw ExitCode(ExitStatus.refused) }
    }
}

extension Broadcast {
    /// A one-line, human-readable description.
    var line: String {
        let place =
            switch segment.kind {
            case .everybody: "everybody"
            case .members: "members of \(segment.channel?.rawValue ?? "")"
            case .users:
                (segment.userIDs ?? []).prefix(3).map(\.rawValue).joined(separator: ", ")
                    + ((segment.userIDs?.count ?? 0) > 3 ? " …" : "")
            }
        let text = messages.first.map { $0.text.isEmpty ? "[\($0.type)]" : $0.text } ?? ""
        let more = messages.count > 1 ? " and \(messages.count - 1) more" : ""
        return "\(broadcastID)  \(progress)  from \(senderID) to \(place): \(text)\(more)"
    }

    /// A human-readable description of the progress.
    var progress: String {
        let refused = refusals.map { refusal in
            let meaning = ErrorCode.find(refusal.code)?.meaning ?? "error \(refusal.code)"
            return "; \(refusal.count) refused: \(meaning)"
        }
        return "\(state.rawValue), \(done) of \(users) users, \(sent) messages sent" + refused.joined()
    }
}

extension BroadcastID: ExpressibleByArgument {}
