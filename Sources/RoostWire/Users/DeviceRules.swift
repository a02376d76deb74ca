/// What the address and the settings of a device may be. Pure rules, the same in the server and the SDK.
public enum DeviceRules {
    /// The most ranges of quiet hours.
    public static let maxRanges = 14

    /// Checks an address.
    /// - Throws: `WireError` 6.
    public static func check(_ address: PushAddress) throws(WireError) {
        guard address.token != nil || address.voipToken != nil else {
            throw refusal("token", "An address needs a \"token\" or a \"voipToken\".")
        }
        for (name, value, most) in [
            ("token", address.token, 2_000), ("voipToken", address.voipToken, 2_000), ("topic", address.topic, 200),
        ] {
            guard let value else { continue }
            guard isPlain(value), value.utf8.count <= most else {
                throw refusal(name, "\"\(name)\" must have 1 to \(most) bytes of printable ASCII without spaces.")
            }
        }
        if address.gateway == .apns {
            for (name, token) in [("token", address.token), ("voipToken", address.voipToken)] {
                guard token?.utf8.allSatisfy({ HexDigits.value($0) != nil }) != false else {
                    throw refusal(name, "A token of APNs has lower-case hexadecimal digits, two per byte.")
                }
            }
        } else if address.topic != nil || address.isSandbox != nil {
            throw refusal(
                address.topic != nil ? "topic" : "isSandbox", "Only an address of \"apns\" has a topic or a sandbox.")
        }
        guard address.gateway == .web else {
            guard address.publicKey == nil, address.authSecret == nil else {
                throw refusal(
                    address.publicKey != nil ? "publicKey" : "authSecret", "Only an address of \"web\" has keys.")
            }
            return
        }
        guard address.voipToken == nil else {
            throw refusal("voipToken", "A browser has no token for calls. Omit it.")
        }
        guard let endpoint = address.token, endpoint.hasPrefix("https://"), endpoint.utf8.count > 8 else {
            throw refusal(
                "token", "The token of \"web\" is the endpoint of the subscription, which begins with https://.")
        }
        guard address.publicKey.map({ isBase64URL($0, bytes: 65) }) == true else {
            throw refusal("publicKey", "\"publicKey\" must be the 65 bytes of p256dh as base64url.")
        }
        guard address.authSecret.map({ isBase64URL($0, bytes: 16) }) == true else {
            throw refusal("authSecret", "\"authSecret\" must be the 16 bytes of auth as base64url.")
        }
    }

    /// Checks what is given; the name of the time zone is left to the server.
    /// - Throws: `WireError` 6.
    public static func check(_ set: SetDeviceSettings) throws(WireError) {
        guard set != SetDeviceSettings() else {
            throw refusal("hidesSender", "Give at least one setting to change.")
        }
        if let sound = set.sound { try TextRules.checkReference(sound, "sound") }
        if let sound = set.voipSound { try TextRules.checkReference(sound, "voipSound") }
        guard let quiet = set.quietHours else { return }
        guard isPlain(quiet.timeZone), quiet.timeZone.utf8.count <= 64 else {
            throw refusal("quietHours.timeZone", "\"timeZone\" must be an IANA name such as Europe/Berlin.")
        }
        guard quiet.ranges.count <= maxRanges else {
            throw refusal("quietHours.ranges", "There can be at most \(maxRanges) ranges.")
        }
        for (index, range) in quiet.ranges.enumerated() {
            let path = "quietHours.ranges[\(index)]"
            for (name, minute) in [("start", range.start), ("end", range.end)] where !(0..<1_440).contains(minute) {
                throw refusal("\(path).\(name)", "\"\(name)\" must be a minute of the day, 0 to 1439.")
            }
            guard let days = range.days else { continue }
            guard (1...7).contains(days.count), Set(days).count == days.count, days.allSatisfy((1...7).contains) else {
                throw refusal("\(path).days", "\"days\" must name different days, 1 for Monday to 7 for Sunday.")
            }
        }
    }

    private static func refusal(_ field: String, _ message: String) -> WireError {
        WireError(.dataFormat, field: field, message)
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether a text is base64url, with or without padding, of this many bytes.
    private static func isBase64URL(_ text: String, bytes: Int) -> Bool {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return digits.count == (bytes * 8 + 5) / 6
            && String(decoding: digits, as: UTF8.self).isToken(most: digits.count, marks: "-_")
    }
}

extension SetDeviceSettings {
    /// The settings after this change.
    public func merged(into old: DeviceSettings) -> DeviceSettings {
        func merge(_ new: String?, _ old: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
        var settings = old
        settings.hidesSender = hidesSender ?? old.hidesSender
        settings.hidesContent = hidesContent ?? old.hidesContent
        settings.sound = merge(sound, old.sound)
        settings.voipSound = merge(voipSound, old.voipSound)
        settings.mutesAll = mutesAll ?? old.mutesAll
        settings.$mutedUntil = $mutedUntil ?? old.$mutedUntil
        settings.mentionsOnly = mentionsOnly ?? old.mentionsOnly
        if let quietHours { settings.quietHours = quietHours.ranges.isEmpty ? nil : quietHours }
        return settings
    }
}
