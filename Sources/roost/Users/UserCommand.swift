import ArgumentParser
import RoostClient
import RoostWire

/// The commands that look up and block users, and change the user's profile.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Look up, block, ban and delete users, and change your name, picture and settings.",
        discussion: """
              roost user list --as ann bob cat
              roost user set --as ann --display-name "Ann Lee" --picture me.jpg
              roost user settings --as ann --invites-from contacts
              roost user block --as ann bob
              roost user ban --token OPERATOR-TOKEN bob
              roost user delete --token OPERATOR-TOKEN --yes bob
            """,
        subcommands: [
            List.self, SetProfile.self, Settings.self, Block.self, Unblock.self, Blocked.self, Ban.self, Unban.self,
            Calls.self,
            Delete.self,
        ])

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Print the names of users; unknown users are left out.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "1 to 100 user ids.")
        var users: [UserID]

        func run(_ client: ChatClient) async throws {
            for user in try await client.users(users) { try options.show(user, "\(user.userID)  \(user.name)") }
        }
    }

    struct SetProfile: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change your name or picture, for everybody who shares a channel with you.",
            discussion: "From then on the name and the picture of your token no longer count.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(name: .customLong("display-name"), help: "The new name, 1 to 200 characters.")
        var name: String?

        @Option(help: ArgumentHelp("The path of a picture, which is uploaded.", valueName: "path"))
        var picture: String?

        @Flag(help: "Remove the picture.")
        var noPicture = false

        func validate() throws {
            guard name != nil || picture != nil || noPicture else {
                throw ValidationError("Give --display-name, --picture or --no-picture.")
            }
            guard picture == nil || !noPicture else {
                throw ValidationError("Give either --picture or --no-picture.")
            }
        }

        func run(_ client: ChatClient) async throws {
            var profile = UserProfile(name: name, imageURL: noPicture ? "" : nil)
            if let picture {
                let file = try await client.upload(LocalFile(path: picture), showing: ProgressLine(options))
                profile.imageURL = FileRules.reference(to: file.fileID)
            }
            let changed = try await client.perform(SetUserProfile(profile: profile), under: key.transID)
            try options.show(changed, changed.profile == UserProfile() ? "nothing changed" : "done")
        }
    }

    struct Settings: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Print your settings, or change them, for all your devices.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(
            help: """
                Who may add you to groups without asking: everybody, contacts or nobody. All others invite you. Contacts are \
                those with whom you have a 1-on-1 that you have created or written in.
                """)
        var invitesFrom: InvitesFrom?

        func run(_ client: ChatClient) async throws {
            guard let invitesFrom else {
                let settings = try await client.settings()
                return try options.show(settings, settings.line)
            }
            try options.show(
                try await client.perform(SetUserSettings(invitesFrom: invitesFrom), under: key.transID), done: "done")
        }
    }

    struct Block: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Block a user from messaging me and from adding me to groups. The user is not notified.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(BlockUser(userID: user), under: key.transID), done: "blocked \(user)")
        }
    }

    struct Unblock: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Unblock a user.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(UnblockUser(userID: user), under: key.transID), done: "unblocked \(user)")
        }
    }

    struct Ban: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "ban",
            abstract: "Ban a user from the server; for operators.",
            discussion: "The user's connections are closed, and logins refused. Channels and messages stay.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(SetUserAccess(userID: user, canChat: false), under: key.transID),
                done: "banned \(user)")
        }
    }

    struct Unban: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "unban", abstract: "Lift the ban of a user; for operators.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(SetUserAccess(userID: user, canChat: true), under: key.transID),
                done: "unbanned \(user)")
        }
    }

    struct Calls: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "calls",
            abstract: "Set whether a user may send messages about calls; for operators.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        @Flag(inversion: .prefixedNo, help: "Whether the user may call.")
        var allowed: Bool

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(SetUserAccess(userID: user, canCall: allowed), under: key.transID),
                done: "\(user) \(allowed ? "may" : "may not") call")
        }
    }

    struct Delete: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete yourself, or as an operator a user, for good.",
            discussion: """
                Connections are closed, logins refused, and nobody can use the id again. Others see the user as "Deleted \
                user". The personal data is erased in the background: the server logs "deleted user erased" at the end.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user; yourself if omitted.")
        var user: UserID?

        @Flag(
            inversion: .prefixedNo,
            help: "Also delete what the user has sent to others, or not; for operators. The server's policy if omitted."
        )
        var messages: Bool?

        @Flag(help: "Confirm: this cannot be undone.")
        var yes = false

        func validate() throws {
            guard yes else { throw ValidationError("This cannot be undone. Confirm it with --yes.") }
        }

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                DeleteUser(userID: user, deletesMessages: messages), under: key.transID)
            try options.show(answer, done: "deleted \(user?.rawValue ?? "your user")")
        }
    }

    struct Blocked: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "blocked", abstract: "List the users that I have blocked.")

        @OptionGroup var options: ClientOptions

        func run(_ client: ChatClient) async throws {
            try await eachPage(of: 100) { size, cursor in
                try await client.perform(ListBlockedUsers(limit: size, cursor: cursor))
            } show: { page in
                for blocked in page.users { try options.show(blocked, "\(blocked.user.userID)  \(blocked.user.name)") }
            }
        }
    }
}
