import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// The commands that manage the members of a group.
struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "Invite, add, remove, ban and list members, and assign roles.",
        discussion: """
              roost member invite --as ann --channel roof dan eve=invited
              roost member answer --as eve --channel roof --accept
              roost member kick --as ann --channel roof dan --reason 3
              roost member role --as ann --channel roof bob admin
            """,
        subcommands: [
            Invite.self, Answer.self, Join.self, Kick.self, Ban.self, Unban.self, SetRole.self, List.self, Reads.self,
        ])

    struct Invite: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Add users as members, or invite them with the role invited.",
            discussion: "Inviting a user to a 1-on-1 creates a new group of all three users and prints its id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(
            help:
                "How the users were found: normal, userCode, moderatorPhone, userSearch or moderatorCode; normal if omitted."
        )
        var joinMethod: JoinMethod?

        @Argument(help: "The users, as USER or USER=ROLE.")
        var users: [NewMember]

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                InviteMembers(
                    channel: try await channelOption.handle(client).id, members: users, joinMethod: joinMethod),
                under: key.transID)
            try options.show(acknowledgement, done: "invited")
        }
    }

    struct Answer: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer", abstract: "Accept or decline an invitation.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Flag(inversion: .prefixedNo, help: "Accept or decline.")
        var accept: Bool

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                AnswerInvitation(channel: try await channelOption.handle(client).id, isAccepted: accept),
                under: key.transID)
            try options.show(acknowledgement, done: accept ? "joined" : "declined")
        }
    }

    struct Join: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Join a group that allows users to join by themselves.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(
            help:
                "How the group was found: normal, userCode, moderatorPhone, userSearch or moderatorCode; normal if omitted."
        )
        var joinMethod: JoinMethod?

        @Option(help: "The user who shared the link.")
        var by: UserID?

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                BecomeMember(channel: try await channelOption.handle(client).id, joinMethod: joinMethod, byUserID: by),
                under: key.transID)
            try options.show(acknowledgement, done: "joined")
        }
    }

    struct Kick: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "kick",
            abstract: "Remove members, or withdraw open invitations.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "An app-defined reason code that all members see; 0 if omitted.")
        var reason: Int?

        @Argument(help: "The members.")
        var users: [UserID] = []

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                KickMembers(channel: try await channelOption.handle(client).id, members: users, reason: reason),
                under: key.transID)
            try options.show(acknowledgement, done: "removed")
        }
    }

    struct Ban: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "ban",
            abstract: "Ban users: they are removed and can neither join nor be invited.",
            discussion: """
                In a group it is for moderators and admins, in an open channel for operators. A ban without an end holds \
                until "roost member unban".

                  roost member ban --token OPERATOR-TOKEN --channel lobby --for 7d bob
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "An app-defined reason code that all members see; 0 if omitted.")
        var reason: Int?

        @Option(name: .customLong("for"), help: "How long the ban holds: 90s, 30m, 2h, 7d.")
        var duration: String?

        @Option(
            help: "When the ban ends, in ms since 1970 or in ISO 8601, such as 2027-05-01T09:00:00Z.",
            transform: { text in
                guard let date = DateOption.date(text) else {
                    throw ValidationError("Invalid time. Use, for example, --until 2027-05-01T09:00:00Z.")
                }
                return date
            })
        var until: Date?

        @Argument(help: "The users.")
        var users: [UserID] = []

        func validate() throws {
            if duration != nil, until != nil { throw ValidationError("Give either --for or --until, not both.") }
            if let duration, TokenCommand.seconds(duration) == nil {
                throw ValidationError("Invalid duration. Use, for example, --for 7d.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let seconds = duration.flatMap(TokenCommand.seconds)
            let end = seconds.map { Date(timeIntervalSinceNow: Double($0)) } ?? until
            let acknowledgement = try await client.perform(
                BanMembers(
                    channel: try await channelOption.handle(client).id, members: users, reason: reason,
                    bannedUntil: end),
                under: key.transID)
            try options.show(acknowledgement, done: "banned")
        }
    }

    struct Unban: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "unban", abstract: "Lift bans.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The users.")
        var users: [UserID] = []

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                UnbanMembers(channel: try await channelOption.handle(client).id, members: users), under: key.transID)
            try options.show(acknowledgement, done: "unbanned")
        }
    }

    struct SetRole: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Assign a role to a member: participant, moderator or admin.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The member, which may be myself.")
        var user: UserID

        @Argument(help: "The role: participant, moderator or admin.")
        var role: Role

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                SetMemberRole(channel: try await channelOption.handle(client).id, userID: user, role: role),
                under: key.transID)
            try options.show(acknowledgement, done: "\(user) is \(role.rawValue)")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the members by user id, with their roles and read marks.",
            discussion: """
                With --json, each page is one object; --page sets its size. Moderators and admins may also list \
                users with the roles invited and outcast.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(name: .customLong("role"), help: "Only this role. Repeatable.")
        var roles: [Role] = []

        @Option(name: .customLong("page"), help: "The maximum number of members per page, 1 to 500.")
        var size = 100

        func validate() throws {
            if !(1...500).contains(size) { throw ValidationError("--page must be 1 to 500.") }
        }

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await client.perform(
                    ListMembers(channel: handle.id, limit: size, cursor: cursor, roles: roles.isEmpty ? nil : roles))
            } show: { page in
                if options.json { return try Terminal.printLine(json: page) }
                for member in page.members { Terminal.printLine(member.line) }
            }
        }
    }

    struct Reads: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "reads",
            abstract: "List how far each member has read, by user id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: 500) { size, cursor in
                try await client.perform(ListMemberReads(channel: handle.id, limit: size, cursor: cursor))
            } show: { page in
                for read in page.members {
                    let line = read.seq > 0 ? "\(read.userID)  up to \(read.seq)" : "\(read.userID)  nothing"
                    try options.show(read, line)
                }
            }
        }
    }
}
