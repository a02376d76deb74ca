import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// The commands for the devices on which a user is logged in.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "List the devices on which you are logged in, and log them out.",
        discussion: """
              roost login list --token TOKEN
              roost login end --token TOKEN --on-device phone-1
              roost login end --token OPERATOR-TOKEN --of ann --all
            """,
        subcommands: [List.self, End.self])

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the devices on which I am logged in with a token, the most recent first.")

        @OptionGroup var options: ClientOptions

        func run(_ client: ChatClient) async throws {
            for login in try await client.logins() {
                try options.show(
                    login,
                    """
                    \(login.deviceID)  connected \(login.connectedAt.formatted(.iso8601)), \
                    expires \(login.expiresAt.formatted(.iso8601))
                    """)
            }
        }
    }

    struct End: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "end",
            abstract: "Log out a device, or all devices: their tokens are no longer accepted.",
            discussion: "The calling device may be among them. Only an operator can log out somebody else.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(help: ArgumentHelp("The device to log out.", valueName: "device"))
        var onDevice: DeviceID?

        @Flag(help: "Log out all devices.")
        var all = false

        @Option(help: ArgumentHelp("Another user; for operators.", valueName: "user"))
        var of: UserID?

        func validate() throws {
            guard all != (onDevice != nil) else { throw ValidationError("Give either --on-device or --all.") }
        }

        func run(_ client: ChatClient) async throws {
            let command = EndLogins(deviceID: onDevice, userID: of)
            try options.show(
                try await client.perform(command, under: key.transID),
                done: onDevice.map { "logged out \($0)" } ?? "logged out all devices")
        }
    }
}
