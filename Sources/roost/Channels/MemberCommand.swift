import ArgumentParser
import RoostClient
import RoostWire

/// What there is to do with the members of a group.
struct MemberCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "member",
        abstract: "Invite, join, remove, ban and list members, and give roles.",
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
            abstract: "Make users members, or ask them with the role invited.",
            discussion: "Inviting somebody into a 1-on-1 makes a new group of the three, and prints its id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(
            help:
                "How they were found: normal, userCode, moderatorPhone, userSearch or moderatorCode; normal when left out."
        )
        var joinMethod: JoinMethod?

        @Argument(help: "The users, as USER or USER=ROLE.")
        var users: [NewMember]

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).invite(
                users, joinMethod: joinMethod, transID: key.transID)
            try options.show(acknowledgement, done: "invited")
        }
    }

    struct Answer: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Accept or decline an invitation.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Flag(inversion: .prefixedNo, help: "Join, or do not.")
        var accept: Bool

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).answerInvitation(
                isAccepted: accept, transID: key.transID)
            try options.show(acknowledgement, done: accept ? "joined" : "declined")
        }
    }

    struct Join: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join a group that lets people join by themselves.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(
            help:
                "How it was found: normal, userCode, moderatorPhone, userSearch or moderatorCode; normal when left out."
        )
        var joinMethod: JoinMethod?

        @Option(help: "Who gave the link.")
        var by: UserID?

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).becomeMember(
                joinMethod: joinMethod, byUserID: by, transID: key.transID)
            try options.show(acknowledgement, done: "joined")
        }
    }

    struct Kick: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove members; an invitation without an answer is taken back.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "A number of the app's own, handed on to everybody; 0 when left out.")
        var reason: Int?

        @Argument(help: "The members.")
        var users: [UserID] = []

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).kick(
                users, reason: reason, transID: key.transID)
            try options.show(acknowledgement, done: "removed")
        }
    }

    struct Ban: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ban users: they are removed and can neither join nor be invited.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "A number of the app's own, handed on to everybody; 0 when left out.")
        var reason: Int?

        @Argument(help: "The users.")
        var users: [UserID] = []

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).ban(
                users, reason: reason, transID: key.transID)
            try options.show(acknowledgement, done: "banned")
        }
    }

    struct Unban: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Lift bans.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The users.")
        var users: [UserID] = []

        func run(_ client: RoostClient) async throws {
            try options.show(
                try await channelOption.handle(client).unban(users, transID: key.transID), done: "not banned any more")
        }
    }

    struct SetRole: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Give a member a role: participant, moderator or admin.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The member, perhaps oneself.")
        var user: UserID

        @Argument(help: "The role: participant, moderator or admin.")
        var role: Role

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).setRole(role, of: user, transID: key.transID)
            try options.show(acknowledgement, done: "\(user) is \(role.rawValue)")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the members by user id, with their roles and read marks.",
            discussion: """
                With --json each page is one object; --page says how large it is. Moderators and admins may ask for the
                roles invited and outcast.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(name: .customLong("role"), help: "Only this role. Repeatable.")
        var roles: [Role] = []

        @Option(name: .customLong("page"), help: "How many members a page has at most, 1 to 500.")
        var size = 100

        func validate() throws {
            if !(1...500).contains(size) { throw ValidationError("--page must be 1 to 500.") }
        }

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await handle.members(roles: roles.isEmpty ? nil : roles, limit: size, cursor: cursor)
            } show: { page in
                if options.json { return try Terminal.printLine(json: page) }
                for member in page.members { Terminal.printLine(member.line) }
            }
        }
    }

    struct Reads: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "List how far each member has read, by user id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: 500) { size, cursor in
                try await handle.reads(limit: size, cursor: cursor)
            } show: { page in
                for read in page.members {
                    let line = read.seq > 0 ? "\(read.userID)  up to \(read.seq)" : "\(read.userID)  nothing"
                    try options.show(read, line)
                }
            }
        }
    }
}
