#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A service that brings push notifications to devices. A name on the wire.
public enum PushGateway: String, Codable, CaseIterable, Sendable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// The push service of a browser, by RFC 8030.
    case web
    /// An HTTP endpoint of the operator.
    case webhook
}

/// Where the push notifications of a device go.
///
/// It needs a `token` or a `voipToken`. A token belongs to one device: if another device, perhaps of another user, had
/// it before, that one loses it. With `webhook`, where a token may be guessed, one that a device of another
/// user has, for either purpose, is refused (6).
public struct PushAddress: Codable, Hashable, Sendable {
    /// The service.
    public var gateway: PushGateway
    /// The token for ordinary notifications, 1 to 2,000 bytes: for `apns` and `fcm` the one of the device, for `web` the
    /// `https:` endpoint of the subscription, for `webhook` what the operator's endpoint knows the device by.
    public var token: String?
    /// The token for notifications of calls, 1 to 2,000 bytes; for `apns` the one of PushKit. If absent, calls go to
    /// `token`. Not for `web`.
    public var voipToken: String?
    /// The bundle id of the app, 1 to 200 bytes, for `apns` only; the one in the server's configuration if absent.
    public var topic: String?
    /// Whether the tokens belong to a development build, for `apns` only; false if absent.
    public var isSandbox: Bool?
    /// The public key `p256dh` of the subscription, 65 bytes as base64url; for `web`, which needs it.
    public var publicKey: String?
    /// The secret `auth` of the subscription, 16 bytes as base64url; for `web`, which needs it.
    public var authSecret: String?

    /// Creates a value with these fields.
    public init(
        gateway: PushGateway, token: String? = nil, voipToken: String? = nil, topic: String? = nil,
        isSandbox: Bool? = nil, publicKey: String? = nil, authSecret: String? = nil
    ) {
        self.gateway = gateway
        self.token = token
        self.voipToken = voipToken
        self.topic = topic
        self.isSandbox = isSandbox
        self.publicKey = publicKey
        self.authSecret = authSecret
    }

    /// A device token as Apple's frameworks give it: two lower-case hexadecimal digits per byte; nil for no bytes.
    public static func token(_ bytes: some Collection<UInt8>) -> String? {
        guard !bytes.isEmpty else { return nil }
        var digits: [UInt8] = []
        for byte in bytes { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// When and how a device is notified. A new device has the defaults.
public struct DeviceSettings: Codable, Hashable, Sendable {
    /// Whether notifications leave out who has sent the message.
    public var hidesSender: Bool
    /// Whether notifications leave out what the message says.
    public var hidesContent: Bool
    /// The sound of ordinary notifications: a path or a resource of the app; the default sound if absent. A channel's
    /// `ringtone` comes before it.
    public var sound: String?
    /// The sound of notifications of calls, likewise.
    public var voipSound: String?
    /// Whether there are no notifications at all.
    public var mutesAll: Bool
    /// Until when there are no notifications; absent if they are not suspended, and without effect with `mutesAll`.
    @OptionalTimestamp public var mutedUntil: Date?
    /// Whether only messages that mention the user, those of 1-on-1s and calls are notified.
    public var mentionsOnly: Bool
    /// The times of the week at which there are no notifications; absent if there are none.
    public var quietHours: QuietHours?

    /// Creates settings; without arguments, the defaults.
    public init(
        hidesSender: Bool = false, hidesContent: Bool = false, sound: String? = nil, voipSound: String? = nil,
        mutesAll: Bool = false, mutedUntil: Date? = nil, mentionsOnly: Bool = false, quietHours: QuietHours? = nil
    ) {
        self.hidesSender = hidesSender
        self.hidesContent = hidesContent
        self.sound = sound
        self.voipSound = voipSound
        self.mutesAll = mutesAll
        _mutedUntil = OptionalTimestamp(wrappedValue: mutedUntil)
        self.mentionsOnly = mentionsOnly
        self.quietHours = quietHours
    }
}

/// The times of the week at which a device is not notified.
public struct QuietHours: Codable, Hashable, Sendable {
    /// The time zone of the ranges, by its IANA name such as `Europe/Berlin`.
    public var timeZone: String
    /// At most 14 ranges; none for no quiet hours.
    public var ranges: [Range]

    /// Creates a value with these fields.
    public init(timeZone: String, ranges: [Range]) {
        self.timeZone = timeZone
        self.ranges = ranges
    }

    /// A range of the day.
    public struct Range: Codable, Hashable, Sendable {
        /// The minute of the day at which it begins, 0 to 1,439.
        public var start: Int
        /// The minute of the day at which it ends, 0 to 1,439; on the next day if it is not after `start`.
        public var end: Int
        /// The days on which it begins, 1 for Monday to 7 for Sunday; every day if absent.
        public var days: [Int]?

        /// Creates a value with these fields.
        public init(start: Int, end: Int, days: [Int]? = nil) {
            self.start = start
            self.end = end
            self.days = days
        }
    }
}

/// A device of a user, for push notifications.
public struct Device: Codable, Hashable, Sendable {
    /// The id of the device.
    public var deviceID: DeviceID
    /// Where its notifications go; absent if there is nowhere. `device.list` leaves out tokens, keys and secrets.
    public var address: PushAddress?
    /// When and how it is notified.
    public var settings: DeviceSettings

    /// Creates a device.
    public init(deviceID: DeviceID, address: PushAddress? = nil, settings: DeviceSettings = DeviceSettings()) {
        self.deviceID = deviceID
        self.address = address
        self.settings = settings
    }
}

/// Sets where the push notifications of the calling device go, in place of what was there; its settings stay.
///
/// It notifies of what happens from then on. If a user has more than `limits.devices` devices, one of the others is
/// removed: one without an address, otherwise the one whose address was set first. Fails with 6 if there is no token, or a
/// value does not fit the service.
public struct SetDeviceAddress: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "device.setAddress"
    /// The new address.
    public var address: PushAddress
    /// Whether all other devices of the user lose their addresses; false if absent.
    public var removesOthers: Bool?

    /// Creates a value with these fields.
    public init(address: PushAddress, removesOthers: Bool? = nil) {
        self.address = address
        self.removesOthers = removesOthers
    }
}

/// Changes when and how the calling device is notified; absent values stay unchanged.
///
/// Fails with 6 if nothing is given, or a value is not allowed.
public struct SetDeviceSettings: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "device.setSettings"
    /// Whether notifications leave out who has sent the message.
    public var hidesSender: Bool?
    /// Whether notifications leave out what the message says.
    public var hidesContent: Bool?
    /// The sound of ordinary notifications, at most 512 bytes; empty for the default sound.
    public var sound: String?
    /// The sound of notifications of calls, at most 512 bytes; empty for the default sound.
    public var voipSound: String?
    /// Whether there are no notifications at all.
    public var mutesAll: Bool?
    /// Until when there are no notifications; a time in the past for not suspending them.
    @OptionalTimestamp public var mutedUntil: Date?
    /// Whether only messages that mention the user, those of 1-on-1s and calls are notified.
    public var mentionsOnly: Bool?
    /// The times of the week at which there are no notifications; without ranges for none.
    public var quietHours: QuietHours?

    /// Creates the command.
    public init(
        hidesSender: Bool? = nil, hidesContent: Bool? = nil, sound: String? = nil, voipSound: String? = nil,
        mutesAll: Bool? = nil, mutedUntil: Date? = nil, mentionsOnly: Bool? = nil, quietHours: QuietHours? = nil
    ) {
        self.hidesSender = hidesSender
        self.hidesContent = hidesContent
        self.sound = sound
        self.voipSound = voipSound
        self.mutesAll = mutesAll
        _mutedUntil = OptionalTimestamp(wrappedValue: mutedUntil)
        self.mentionsOnly = mentionsOnly
        self.quietHours = quietHours
    }
}

/// Removes a device of the caller, with its address and its settings; it is not notified any more.
///
/// An app does so before it logs out. If there is no such device, nothing changes.
public struct RemoveDevice: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "device.remove"
    /// The device; the calling one if absent.
    public var deviceID: DeviceID?

    /// Creates a value with these fields.
    public init(deviceID: DeviceID? = nil) {
        self.deviceID = deviceID
    }
}

/// Reads everything about the calling device: its address with tokens, and its settings.
public struct GetDevice: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// What the server answers.
    public typealias Answer = Device
    /// The name on the wire.
    public static let name = "device.get"
}

/// Lists the caller's devices that have an address or settings of their own.
public struct ListDevices: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// The name on the wire.
    public static let name = "device.list"

    /// The caller's devices, ordered by id.
    public struct Answer: Codable, Hashable, Sendable {
        /// The caller's devices, ordered by id; without tokens, keys and secrets.
        public var devices: [Device]

        /// Creates a value with these fields.
        public init(devices: [Device]) {
            self.devices = devices
        }
    }
}
