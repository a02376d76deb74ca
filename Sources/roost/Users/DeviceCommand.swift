public import ArgumentParser
import Foundation
import RoostClient
public import RoostWire

/// The commands for the push notifications of devices.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Set where, when and how devices are notified.",
        discussion: """
              roost device address --as ann --gateway webhook --push-token phone-1
              roost device settings --as ann --hide-content --quiet 22:00-07:00
              roost device show --as ann
            """,
        subcommands: [Show.self, List.self, Address.self, Settings.self, Remove.self])

    struct Show: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the address and the settings of this device.")

        @OptionGroup var options: ClientOptions

        func run(_ client: ChatClient) async throws {
            let device = try await client.device()
            try options.show(device, device.line)
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List my devices that have an address or settings; without tokens.")

        @OptionGroup var options: ClientOptions

        func run(_ client: ChatClient) async throws {
            for device in try await client.devices() { try options.show(device, device.line) }
        }
    }

    struct Address: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "address",
            abstract: "Set where the push notifications of this device go.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(help: "The service: apns, fcm, web or webhook.")
        var gateway: PushGateway

        @Option(
            help: "The token for ordinary notifications; of apns in hexadecimal digits, of web the endpoint's URL.")
        var pushToken: String?

        @Option(help: "The token for notifications of calls; calls go to the other token if omitted.")
        var voipToken: String?

        @Option(help: "apns: the bundle id; that of the server's configuration if omitted.")
        var topic: String?

        @Flag(help: "apns: the tokens belong to a development build.")
        var sandbox = false

        @Option(help: "web: the subscription's p256dh, as base64url.")
        var publicKey: String?

        @Option(help: "web: the subscription's auth, as base64url.")
        var authSecret: String?

        @Flag(help: "Remove the addresses of all my other devices.")
        var removeOthers = false

        var address: PushAddress {
            PushAddress(
                gateway: gateway, token: pushToken, voipToken: voipToken, topic: topic,
                isSandbox: sandbox ? true : nil, publicKey: publicKey, authSecret: authSecret)
        }

        func validate() throws {
            do {
                try DeviceRules.check(address)
            } catch {
                throw ValidationError(error.message)
            }
        }

        func run(_ client: ChatClient) async throws {
            let command = SetDeviceAddress(address: address, removesOthers: removeOthers ? true : nil)
            try options.show(try await client.perform(command, under: key.transID), done: "done")
        }
    }

    struct Settings: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Change when and how this device is notified; what is omitted stays.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Flag(inversion: .prefixedNo, help: "Leave out who has sent a message.")
        var hideSender: Bool?

        @Flag(inversion: .prefixedNo, help: "Leave out what a message says.")
        var hideContent: Bool?

        @Option(help: "The sound; empty for the usual one.")
        var sound: String?

        @Option(
            help: ArgumentHelp("What the sound is for: all, messages or calls; all if omitted.", valueName: "type"),
            transform: PushSoundType.named)
        var soundType: PushSoundType?

        @Flag(inversion: .prefixedNo, help: "No notifications at all.")
        var mute: Bool?

        @Option(
            help: ArgumentHelp(
                "No notifications for this long, such as 90s, 30m, 8h or 2d; 0s to end that.", valueName: "duration"))
        var muteFor: String?

        @Flag(inversion: .prefixedNo, help: "Only messages that mention me, those of 1-on-1s and calls.")
        var mentionsOnly: Bool?

        @Option(
            name: .customLong("quiet"),
            help: ArgumentHelp(
                "No notifications from one time of the day to another, such as 22:00-07:00, or 22:00-07:00/1,2,3 on some days (1 is Monday). Repeatable; replaces all others.",
                valueName: "range"))
        var quiet: [String] = []

        @Flag(help: "Remove the quiet hours.")
        var noQuiet = false

        @Option(help: "The time zone of the quiet hours; the one of this machine if omitted.")
        var timeZone: String?

        func validate() throws {
            _ = try command(now: Date())
        }

        /// - Throws: `ValidationError`.
        func command(now: Date) throws -> SetDeviceSettings {
            var until: Date?
            if let muteFor {
                guard let seconds = muteFor == "0s" ? 0 : TokenCommand.seconds(muteFor) else {
                    throw ValidationError("--mute-for \(muteFor): use a duration such as 30m or 8h.")
                }
                until = seconds == 0 ? Date(milliseconds: 0) : now.addingTimeInterval(TimeInterval(seconds))
            }
            guard quiet.isEmpty || !noQuiet else { throw ValidationError("Give either --quiet or --no-quiet.") }
            var hours: QuietHours?
            if !quiet.isEmpty || noQuiet {
                hours = QuietHours(
                    timeZone: timeZone ?? TimeZone.current.identifier, ranges: try quiet.map(Self.range))
            } else if timeZone != nil {
                throw ValidationError("--time-zone needs --quiet.")
            }
            let command = SetDeviceSettings(
                hidesSender: hideSender, hidesContent: hideContent, sound: soundType == .calls ? nil : sound,
                voipSound: soundType == .messages ? nil : sound, mutesAll: mute, mutedUntil: until,
                mentionsOnly: mentionsOnly, quietHours: hours)
            guard command != SetDeviceSettings() else { throw ValidationError("Give at least one setting to change.") }
            do {
                try DeviceRules.check(command)
            } catch {
                throw ValidationError(error.message)
            }
            return command
        }

        private static func range(_ text: String) throws -> QuietHours.Range {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            let times = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(minute)
            let days = parts.count == 2 ? parts[1].split(separator: ",").map { Int($0) } : nil
            guard parts.count <= 2, times.count == 2, let start = times[0], let end = times[1],
                days?.contains(nil) != true, days?.isEmpty != true
            else {
                throw ValidationError("--quiet \(text): use a range such as 22:00-07:00 or 22:00-07:00/6,7.")
            }
            return QuietHours.Range(start: start, end: end, days: days?.compactMap(\.self))
        }

        private static func minute(_ text: Substring) -> Int? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isNumber) }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            else { return nil }
            return hour * 60 + minute
        }

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(command(now: Date()), under: key.transID), done: "done")
        }
    }

    struct Remove: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a device with its address and settings, so that it is no longer notified.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the device; this one if omitted.")
        var id: DeviceID?

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(RemoveDevice(deviceID: id), under: key.transID), done: "removed")
        }
    }
}

extension Device {
    /// A line with everything but keys.
    var line: String {
        var parts = ["\(deviceID)"]
        if let address {
            parts.append(address.gateway.rawValue)
            if let token = address.token { parts.append("token \(token)") }
            if let token = address.voipToken { parts.append("for calls \(token)") }
        } else {
            parts.append("no address")
        }
        if settings.hidesSender { parts.append("hides the sender") }
        if settings.hidesContent { parts.append("hides the content") }
        if let sound = settings.sound { parts.append("sound \(sound)") }
        if let sound = settings.voipSound { parts.append("sound of calls \(sound)") }
        if settings.mutesAll { parts.append("muted") }
        if let until = settings.mutedUntil, until > Date() { parts.append("muted until \(until.formatted(.iso8601))") }
        if settings.mentionsOnly { parts.append("mentions only") }
        if let quiet = settings.quietHours {
            let ranges = quiet.ranges.map { range in
                let days = range.days.map { "/" + $0.map(String.init).joined(separator: ",") } ?? ""
                return Self.time(range.start) + "-" + Self.time(range.end) + days
            }
            parts.append("quiet \(ranges.joined(separator: " ")) \(quiet.timeZone)")
        }
        return parts.joined(separator: "  ")
    }

    private static func time(_ minute: Int) -> String {
        String(format: "%02d:%02d", minute / 60, minute % 60)
    }
}

extension DeviceID: ExpressibleByArgument {}
extension PushGateway: ExpressibleByArgument {}

extension PushSoundType {
    /// Reads the name, or the number of the reference documents.
    /// - Throws: `ValidationError`.
    static func named(_ name: String) throws -> PushSoundType {
        switch name {
        case "all", "0": .all
        case "messages", "1": .messages
        case "calls", "2": .calls
        default: throw ValidationError("--sound-type \(name): use all, messages or calls.")
        }
    }
}
