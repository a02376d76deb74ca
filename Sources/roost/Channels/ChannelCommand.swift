import ArgumentParser
import RoostClient
import RoostTerminal
import RoostWire

/// What there is to do with channels.
struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Make, read, change, leave and dismiss channels.",
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
            abstract: "Make a channel: a group, a 1-on-1 with --kind single, or an open one.",
            discussion: "Without --channel the server chooses the id of a group. The same 1-on-1 is made once.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var settings: Settings
        @OptionGroup var key: TransIDOption

        @Option(help: "group, single, open or self.")
        var kind: ChannelKind = .group

        @Option(help: "The id of a group or an open channel.")
        var channel: ChannelID?

        @Option(
            name: .customLong("member"), help: "A member, as USER or USER=ROLE; invited asks first. Repeatable.")
        var members: [NewMember] = []

        func run(_ client: RoostClient) async throws {
            var profile = settings.profile
            let title = profile.title
            profile.title = nil
            let own = kind == .own ? await client.user.map { [NewMember($0.userID)] } : nil
            let command = CreateChannel(
                kind: kind == .own ? .single : kind, channel: channel, title: title,
                members: own ?? (members.isEmpty ? nil : members),
                profile: profile == ChannelProfile() ? nil : profile)
            let acknowledgement = try await client.perform(command, transID: key.transID ?? client.makeTransID())
            try options.show(acknowledgement, "made \(acknowledgement.channel?.rawValue ?? "a channel")")
        }
    }

    struct Get: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Read a channel, its settings and up to 100 members.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Flag(help: "Without the members.")
        var withoutMembers = false

        func run(_ client: RoostClient) async throws {
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
            abstract: "List my channels by id, in numbered batches, or those that changed.",
            discussion: """
                With --json each batch is one object with its number, the number of batches, and "asOf", which is
                what to give as --changed-since the next time. "roost channels" lists them by activity.
                """)

        @OptionGroup var options: ClientOptions

        @Option(name: .customLong("kind"), help: "Only this kind: single, group or self. Repeatable.")
        var kinds: [ChannelKind] = []

        @Option(name: .customLong("role"), help: "Only where this is my role; invited lists invitations. Repeatable.")
        var roles: [Role] = []

        @Option(help: "Only what changed after this time, ms since 1970.")
        var changedSince: Int64?

        @Option(help: "How many channels a batch has at most, 1 to 100.")
        var batch = 30

        @Flag(help: "With up to 100 members each.")
        var members = false

        func validate() throws {
            if !(1...100).contains(batch) { throw ValidationError("--batch must be 1 to 100.") }
        }

        func run(_ client: RoostClient) async throws {
            let batches = client.channelBatches(
                kinds: kinds.isEmpty ? nil : kinds, roles: roles.isEmpty ? nil : roles, changedSince: changedSince,
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
            abstract: "Change what everybody in a channel sees and may do; an empty value removes.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var settings: Settings
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            let answer = try await channelOption.handle(client).setProfile(settings.profile, transID: key.transID)
            try options.show(answer, "changed: \(answer.profile.line)")
        }
    }

    struct Prefer: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change my own settings in a channel; an empty value removes. Prints all of them.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "true for no notifications of this channel, false (at first) for the usual ones.")
        var mute: Bool?

        @Option(help: "The sound of its notifications; the usual one at first.")
        var ringtone: String?

        @Option(help: "My nickname in this channel, 1 to 200 characters; my name at first.")
        var nickname: String?

        @Option(help: "The address of my picture in this channel; my usual picture at first.")
        var image: String?

        func run(_ client: RoostClient) async throws {
            let preference = try await channelOption.handle(client).setPreference(
                isMuted: mute, ringtone: ringtone, nickname: nickname, imageURL: image, transID: key.transID)
            try options.show(preference, preference.line)
        }
    }

    struct Unread: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark a channel as unread for me; reading it takes the marker away.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            try options.show(
                try await channelOption.handle(client).markUnread(transID: key.transID), done: "marked as unread")
        }
    }

    struct Hide: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a channel, or --all, out of my list until the next message.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOptions: ChannelOrAllOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOptions.handle(client)
            try options.show(
                try await client.perform(
                    HideChannel(channel: handle?.id), transID: key.transID ?? client.makeTransID()),
                done: "hidden")
        }
    }

    struct End: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a conversation, or --all: a 1-on-1 is cleared for me, a group is left.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOptions: ChannelOrAllOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOptions.handle(client)
            try options.show(
                try await client.perform(EndChannel(channel: handle?.id), transID: key.transID ?? client.makeTransID()),
                done: "ended")
        }
    }

    struct Leave: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave a group; its last admin names a successor.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "The member who becomes admin by it.")
        var successor: UserID?

        func run(_ client: RoostClient) async throws {
            try options.show(
                try await channelOption.handle(client).leave(successor: successor, transID: key.transID), done: "left")
        }
    }

    struct Dismiss: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Dissolve a group for everybody; its id is never used again.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            try options.show(try await channelOption.handle(client).dismiss(transID: key.transID), done: "dismissed")
        }
    }
}

/// A channel, or all of mine.
struct ChannelOrAllOption: ParsableArguments {
    @Option(help: "The channel.")
    var channel: ChannelID?

    @Option(help: "The user at the other end of a 1-on-1, or oneself.")
    var to: UserID?

    @Flag(help: "All of my channels.")
    var all = false

    func validate() throws {
        if [channel != nil, to != nil, all].filter({ $0 }).count != 1 {
            throw ValidationError("Give one of --channel C, --to USER and --all.")
        }
    }

    /// The channel's verbs; nothing for all.
    func handle(_ client: RoostClient) async throws -> ChannelHandle? {
        if all { return nil }
        var channelOption = ChannelOption()
        channelOption.channel = channel
        channelOption.to = to
        return try await channelOption.handle(client)
    }
}

/// The settings of a channel.
struct Settings: ParsableArguments {
    @Option(help: "The title.")
    var title: String?

    @Option(help: "Bits of the app's own, as a number; 0 at first.")
    var customAttributes: Int64?

    @Option(help: "A reference to the picture.")
    var avatar: String?

    @Option(help: "A reference to the background.")
    var background: String?

    @Option(help: "true when known users may join by themselves; false at first.")
    var canJoin: Bool?

    @Option(help: "Who may change what is shown: participants (at first) or moderators.")
    var editors: ProfileEditors?

    @Option(help: "What newcomers may read: all (at first), sinceJoin, or last with --history-rows.")
    var history: HistoryVisibility?

    @Option(help: "How many rows \"last\" shows, 1 to 10,000.")
    var historyRows: Int?

    @Option(help: "The fewest members that leaving and removing may leave; 1 at first.")
    var minMembers: Int?

    @Option(help: "The most members; at first as many as the server allows.")
    var maxMembers: Int?

    @Option(help: "false when moderators and admins may not recall messages of others; true at first.")
    var moderatorsMayRecall: Bool?

    @Option(help: "true when the channel gets a notice of forwarded messages; false at first.")
    var noticesForwards: Bool?

    /// What was given.
    var profile: ChannelProfile {
        ChannelProfile(
            title: title, customAttributes: customAttributes, avatar: avatar, background: background,
            canJoin: canJoin, editors: editors, history: history, historyRows: historyRows, minMembers: minMembers,
            maxMembers: maxMembers, moderatorsMayRecall: moderatorsMayRecall, noticesForwards: noticesForwards)
    }
}

extension Channel {
    /// One line for people.
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
    /// One line for people.
    var line: String {
        let read = readSeq > 0 ? ", read up to \(readSeq)" : ""
        return Printable.safe("\(name) (\(userID))  \(role.rawValue)\(read)")
    }
}
