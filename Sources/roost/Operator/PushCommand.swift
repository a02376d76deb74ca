import ArgumentParser
import RoostClient
import RoostTerminal
import RoostWire

/// The commands for push notifications.
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Find out why somebody is not notified.",
        discussion: """
              roost push test --token OPERATOR-TOKEN --user ann
              roost push test --token OPERATOR-TOKEN --user ann --send
            """,
        subcommands: [Test.self])

    struct Test: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Say what a message would push to each device of a user, and why not.",
            discussion: """
                Nothing is sent without --send. With it each device that has an address gets a test notification at once, \
                whatever its settings say, and the answer of the service is shown. See docs/push.md.
                """)

        @OptionGroup var options: ClientOptions

        @Option(help: "The user.")
        var user: UserID

        @Option(help: "Only this device of the user.")
        var device: DeviceID?

        @Flag(help: "Send a test notification to each device.")
        var send = false

        func run(_ client: ChatClient) async throws {
            let test = try await client.perform(
                TestPush(userID: user, deviceID: device, sends: send ? true : nil))
            if options.json {
                for device in test.devices { try Terminal.printLine(json: device) }
                return
            }
            if test.devices.isEmpty {
                Terminal.printLine(
                    device.map { "\(user) has no device \($0) with an address or settings." }
                        ?? "\(user) has no device: no app has set an address with device.setAddress yet.")
            }
            for device in test.devices {
                for line in Self.lines(of: device) { Terminal.printLine(Printable.safe(line)) }
            }
        }

        private static func lines(of device: PushTestDevice) -> [String] {
            var lines = ["\(device.deviceID)  \(device.isNotified ? "is notified" : "is NOT notified")"]
            lines += device.steps.map { "  \($0.passed ? "ok  " : "FAIL")  \($0.check.rawValue): \($0.detail)" }
            if let payload = device.payload {
                let sound = payload.sound.map { "sound \($0)" } ?? "the usual sound"
                lines.append("        a message would show badge \(payload.badge + 1), with \(sound)")
            }
            if let result = device.result { lines.append("        test notification: \(result)") }
            return lines
        }
    }
}
