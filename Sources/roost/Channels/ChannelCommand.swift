import ArgumentParser
import RoostClient
import RoostTerminal
import RoostWire

/// The commands that manage channels.
struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Create, read, change, leave and dissolve channels.",
        discussion: """
              roost channel create --as ann --channel roof --title "The roof" --member bob --member cat=moderator
              roost channel set --as ann --channel roof --title "The new roof" --moderators-may-recall false
              roost channel prefer --as bob --channel roof --mute true --nickname Bobby
            """,
        subcommands: [
            Create.self, Get.self, List.self, Set.self, Prefer.self, Unread.self, Hide.self, End.self, Leave.self,
            Dismiss.self,
        ])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a channel: a group, a 1-on-1 (--kind single) or an open channel (--kind open).",
            discussion:
                "Without --channel, the server chooses the id of a group. A 1-on-1 that already exists is returned as it is."
        )

        @OptionGroup var options: ClientOptions
        @OptionGroup var settings: Settings
        @OptionGroup var key: TransIDOption

        @Option(help: "group, single, open or self.")
        var kind: ChannelKind = .group

        @Option(help: "The id of a group or an open channel.")
        var channel: ChannelID?

        @Option(
            name: .customLong("member"),
            help: "A member, as USER or USER=ROLE; with the role invited, the user is only invited. Repeatable.")
        var members: [NewMember] = []

        func run(_ client: ChatClient) async throws {
            var profile = settings.profile
            let title = profile.title
            profile.title = nil
            let own = kind == .own ? await client.user.map { [NewMember($0.userID)] } : nil
            let command = CreateChannel(
                kind: kind == .own ? .single : kind, channel: channel, title: title,
                members: own ?? (members.isEmpty ? nil : members),
                profile: profile == ChannelProfile() ? nil : profile)
            let acknowledgement = try await client.perform(command, transID: key.transID ?? client.makeTransID())
            try options.show(acknowledgement, "created \(acknowledgement.channel?.rawValue ?? "a channel")")
        }
    }

    struct Get: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print a channel, its settings and up to 100 members.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Flag(help: "Leave out the members.")
        var withoutMembers = false

        func run(_ client: ChatClient) async throws {
            let channel = try await channelOption.handle(client).get(withMembers: !withoutMembers)
            if options.json { return try Terminal.printLine(json: channel) }
            Terminal.printLine(channel.line(for: await client.user))
            if let profile = channel.profile { Terminal.printLine(Printable.safe("  settings: \(profile.line)")) }
            if let preference = channel.preference { Terminal.printLine(Printable.safe("  mine: \(preference.line)")) }
            for member in channel.members { Terminal.printLine("  " + member.line) }
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List my channels by id, in numbered batches, or only those that have changed.",
            discussion: """
                With --json, each batch is one object with its number, the number of batches, and "asOf", the \
                value to pass as --changed-since next time. "roost channels" lists channels by activity.
                """)

        @OptionGroup var options: ClientOptions

        @Option(name: .customLong("kind"), help: "Only this kind: single, group or self. Repeatable.")
        var kinds: [ChannelKind] = []

        @Option(
            name: .customLong("role"),
            help: "Only channels in which I have this role; invited lists my invitations. Repeatable.")
        var roles: [Role] = []

        @Option(help: "Only channels that changed after this time, in ms since 1970.")
        var changedSince: Int64?

        @Option(help: "The maximum number of channels per batch, 1 to 100.")
        var batch = 30

        @Flag(help: "Include up to 100 members per channel.")
        var members = false

        func validate() throws {
            if !(1...100).contains(batch) { throw ValidationError("--batch must be 1 to 100.") }
        }

        func run(_ client: ChatClient) async throws {
            let batches = client.channelBatches(
                kinds: kinds.isEmpty ? nil : kinds, roles: roles.isEmpty ? nil : roles,
                changedSince: changedSince.map { .init(milliseconds: $0) },
                size: batch, withMembers: members)
            let user = await client.user
            for try await batch in batches {
                if options.json {
                    try Terminal.printLine(json: batch)
                    continue
                }
                for channel in batch.channels { Terminal.printLine(channel.line(for: user)) }
                for gone in batch.gone { Terminal.printLine("\(gone.channel)  gone: \(gone.reason.rawValue)") }
            }
        }
    }

    struct Set: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a channel's settings, which apply to all members; an empty value removes a setting.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var settings: Settings
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                SetChannelProfile(channel: try await channelOption.handle(client).id, profile: settings.profile),
                under: key.transID)
            try options.show(answer, "changed: \(answer.profile.line)")
        }
    }

    struct Prefer: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "prefer",
            abstract: "Change my own settings in a channel and print all of them; an empty value removes a setting.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "true to mute notifications from this channel, false (the default) to receive them.")
        var mute: Bool?

        @Option(help: "The notification sound for this channel.")
        var ringtone: String?

        @Option(help: "My nickname in this channel, 1 to 200 characters.")
        var nickname: String?

        @Option(help: "The URL of my picture in this channel.")
        var image: String?

        func run(_ client: ChatClient) async throws {
            let preference = try await channelOption.handle(client).setPreference(
                isMuted: mute, ringtone: ringtone, nickname: nickname, imageURL: image, transID: key.transID)
            try options.show(preference, preference.line)
        }
    }

    struct Unread: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "unread",
            abstract: "Mark a channel as unread for me; reading it removes the mark.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                UnsetReadMark(channel: try await channelOption.handle(client).id), under: key.transID)
            try options.show(acknowledgement, done: "marked as unread")
        }
    }

    struct Hide: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide",
            abstract: "Hide a channel, or all of them, from my list until the next message.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOptions: ChannelOrAllOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOptions.handle(client)
            try options.show(
                try await client.perform(
                    HideChannel(channel: handle?.id), transID: key.transID ?? client.makeTransID()),
                done: "hidden")
        }
    }

    struct End: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "end",
            abstract: "End a conversation, or all of them: a 1-on-1 is cleared for me, a group is left.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOptions: ChannelOrAllOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOptions.handle(client)
            try options.show(
                try await client.perform(EndChannel(channel: handle?.id), transID: key.transID ?? client.makeTransID()),
                done: "ended")
        }
    }

    struct Leave: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Leave a group; its last admin must name a successor.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "The member who becomes an admin in my place.")
        var successor: UserID?

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                LeaveChannel(channel: try await channelOption.handle(client).id, successor: successor),
                under: key.transID)
            try options.show(acknowledgement, done: "left")
        }
    }

    struct Dismiss: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss",
            abstract: "Dissolve a group for everybody; its id cannot be used again.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                DismissChannel(channel: try await channelOption.handle(client).id), under: key.transID)
            try options.show(acknowledgement, done: "dismissed")
        }
    }
}

/// Options that select one channel or all of the user's channels.
struct ChannelOrAllOption: ParsableArguments {
    @Option(help: "The channel.")
    var channel: ChannelID?

    @Option(help: "The other user of a 1-on-1, or myself for my self channel.")
    var to: UserID?

    @Flag(help: "All of my channels.")
    var all = false

    func validate() throws {
        if [channel != nil, to != nil, all].filter({ $0 }).count != 1 {
            throw ValidationError("Give exactly one of --channel C, --to USER and --all.")
        }
    }

    /// The handle of the selected channel; nil for all channels.
    func handle(_ client: ChatClient) async throws -> ChannelHandle? {
        if all { return nil }
        var channelOption = ChannelOption()
        channelOption.channel = channel
        channelOption.to = to
        return try await channelOption.handle(client)
    }
}

/// Options for the settings of a channel.
struct Settings: ParsableArguments {
    @Option(help: "The title.")
    var title: String?

    @Option(help: "App-defined bits, as a number; 0 by default.")
    var customAttributes: Int64?

    @Option(help: "The picture: file:ID for an uploaded file, or any other reference.")
    var avatar: String?

    @Option(help: "The background: file:ID for an uploaded file, or any other reference.")
    var background: String?

    @Option(help: "Whether users may join by themselves; false by default.")
    var canJoin: Bool?

    @Option(help: "Who may change the title and pictures: participants (the default) or moderators.")
    var editors: ProfileEditors?

    @Option(help: "What new members may read: all (the default), sinceJoin, or last with --history-rows.")
    var history: HistoryVisibility?

    @Option(help: "The number of rows that \"last\" shows, 1 to 10,000.")
    var historyRows: Int?

    @Option(help: "The minimum number of members that must remain; 1 by default.")
    var minMembers: Int?

    @Option(help: "The maximum number of members; the server's limit by default.")
    var maxMembers: Int?

    @Option(help: "Whether moderators and admins may recall messages of others; true by default.")
    var moderatorsMayRecall: Bool?

    @Option(help: "Whether forwarding a message posts a notice in this channel; false by default.")
    var noticesForwards: Bool?

    @Option(help: "Who may pin messages: participants (the default) or moderators.")
    var pinners: Pinners?

    /// The settings that were given on the command line.
    var profile: ChannelProfile {
        ChannelProfile(
            title: title, customAttributes: customAttributes, avatar: avatar, background: background,
            canJoin: canJoin, editors: editors, history: history, historyRows: historyRows, minMembers: minMembers,
            maxMembers: maxMembers, moderatorsMayRecall: moderatorsMayRecall, noticesForwards: noticesForwards,
            pinners: pinners)
    }
}

extension Channel {
    /// A one-line, human-readable description.
    func line(for user: User?) -> String {
        let title = user.map { ChannelRules.title(of: self, for: $0.userID) } ?? channel.rawValue
        let people = kind.people(memberCount)
        let parts = [
            "\(channel)", title, role?.rawValue, people, (unread ?? 0) > 0 ? "\(unread ?? 0) unread" : nil,
            isMarkedUnread == true ? "marked as unread" : nil, preference?.isMuted == true ? "muted" : nil,
        ]
        return Printable.safe(parts.compactMap(\.self).joined(separator: "  "))
    }
}

extension Member {
    /// A one-line, human-readable description.
    var line: String {
        let read = readSeq > 0 ? ", read up to \(readSeq)" : ""
        return Printable.safe("\(name) (\(userID))  \(role.rawValue)\(read)")
    }
}
