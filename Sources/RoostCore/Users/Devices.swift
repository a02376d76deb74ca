import Foundation
import RoostWire

extension Transaction {
    mutating func setDeviceAddress(_ set: SetDeviceAddress) throws -> Outcome {
        try inAddress { () throws(WireError) in try DeviceRules.check(set.address) }
        let (me, device) = (try me, try actor.deviceID)
        try flush()
        // The user's row is locked, so that several processes cannot exceed the limit together.
        try lockMe()
        let (gateway, address) = (set.address.gateway.rawValue, set.address)
        for (column, field, token) in [
            ("token", "token", address.token), ("voip_token", "voipToken", address.voipToken),
        ] {
            guard let token else { continue }
            if address.gateway == .webhook { try checkIsFree(token, field) }
            try removeAddresses(
                "gateway = \(gateway) AND \(Query(stringLiteral: column)) = \(token) AND (user_id <> \(me) OR device_id <> \(device))"
            )
        }
        if set.removesOthers == true { try removeAddresses("user_id = \(me) AND device_id <> \(device)") }
        var row = try row(of: device, me)
        if row.device.address != address {
            // What is about to be sent is sent to the new address.
            row.addressAt = row.addressAt ?? batch.now
            row.device.address = address
            try put(row, of: me)
        }
        return try outcome(in: nil)
    }

    /// Checks that no other user has a token of the webhook, for whatever purpose: unlike those of the other services, such a
    /// token can be guessed, and so can the id of a device.
    /// - Throws: `WireError` 6.
    private func checkIsFree(_ token: String, _ field: String) throws {
        let (me, gateway) = (try me, PushGateway.webhook.rawValue)
        let others = try connection.rows(
            """
            SELECT 1 FROM devices WHERE gateway = \(gateway) AND token = \(token) AND user_id <> \(me)
            UNION ALL
            SELECT 1 FROM devices WHERE gateway = \(gateway) AND voip_token = \(token) AND user_id <> \(me)
            """
        ) { try $0.int(0) }
        guard others.isEmpty else {
            throw WireError(
                .dataFormat, field: "address.\(field)",
                "A device of another user has this token. Remove the address of that device first, or use another token."
            )
        }
    }

    private func inAddress(_ check: () throws(WireError) -> Void) throws(WireError) {
        do throws(WireError) {
            try check()
        } catch {
            throw error.inside("address")
        }
    }

    /// Removes the addresses of devices; what is about to be sent there is not sent.
    private func removeAddresses(_ condition: Query) throws {
        try connection.execute(
            """
            UPDATE devices SET gateway = NULL, token = NULL, voip_token = NULL, address = NULL, address_at = NULL
            WHERE \(condition)
            """)
    }

    /// Makes room for one more device of a user: first those without an address go, then the one whose address is oldest.
    private func makeRoom(for user: UserID) throws {
        let known: [DeviceID] = try connection.rows(
            """
            SELECT device_id FROM devices WHERE user_id = \(user)
            ORDER BY CASE WHEN gateway IS NULL THEN 0 ELSE 1 END DESC, address_at DESC, device_id
            """
        ) { try $0.id(0) }
        for id in known.dropFirst(max(0, configuration.limits.devices - 1)) {
            try connection.execute("DELETE FROM devices WHERE user_id = \(user) AND device_id = \(id)")
        }
    }

    mutating func setDeviceSettings(_ set: SetDeviceSettings) throws -> Outcome {
        try DeviceRules.check(set)
        if let zone = set.quietHours?.timeZone, TimeZone(identifier: zone) == nil {
            throw WireError(
                .dataFormat, field: "quietHours.timeZone", "\"\(zone)\" is not the IANA name of a time zone.")
        }
        let (me, device) = (try me, try actor.deviceID)
        try flush()
        try lockMe()
        var row = try row(of: device, me)
        row.device.settings = set.merged(into: row.device.settings)
        try put(row, of: me)
        return try outcome(in: nil)
    }

    mutating func removeDevice(_ remove: RemoveDevice) throws -> Outcome {
        let (me, device) = (try me, try remove.deviceID ?? actor.deviceID)
        try flush()
        try lockMe()
        try deleteDevice(device, of: me)
        return try outcome(in: nil)
    }

    func deleteDevice(_ device: DeviceID, of user: UserID) throws {
        try connection.execute("DELETE FROM pushes WHERE user_id = \(user) AND device_id = \(device)")
        try forgetShown(of: user, on: device)
        try connection.execute("DELETE FROM devices WHERE user_id = \(user) AND device_id = \(device)")
    }

    func deleteDevices(of user: UserID) throws {
        try connection.execute("DELETE FROM pushes WHERE user_id = \(user)")
        try forgetShown(of: user, on: nil)
        try connection.execute("DELETE FROM devices WHERE user_id = \(user)")
    }

    /// A device of a user; if it is new, there is room for it.
    private func row(of id: DeviceID, _ user: UserID) throws -> DeviceRow {
        let known = try connection.rows(
            "\(DeviceRow.query) WHERE d.user_id = \(user) AND d.device_id = \(id) \(.forUpdate)", DeviceRow.init
        ).first
        if let known { return known }
        try makeRoom(for: user)
        return DeviceRow(device: Device(deviceID: id))
    }

    /// Removes a token that its service does not know any more, unless the device has another one by now.
    mutating func removeToken(_ token: String, of device: DeviceID, _ user: UserID) throws {
        try flush()
        let found = try connection.rows(
            "\(DeviceRow.query) WHERE d.user_id = \(user) AND d.device_id = \(device) \(.forUpdate)", DeviceRow.init
        ).first
        guard var row = found, var address = row.device.address else { return }
        if address.token == token { address.token = nil }
        if address.voipToken == token { address.voipToken = nil }
        guard address != row.device.address else { return }
        row.device.address = address.token == nil && address.voipToken == nil ? nil : address
        if row.device.address == nil { row.addressAt = nil }
        try put(row, of: user)
    }

    private mutating func put(_ row: DeviceRow, of user: UserID) throws {
        let address = row.device.address
        batch.put(
            [
                .text(user.rawValue), .text(row.device.deviceID.rawValue), SQLValue(address?.gateway.rawValue),
                SQLValue(address?.token), SQLValue(address?.voipToken),
                try address.map { .content(try WireCodec.encode($0)) } ?? .null, SQLValue(row.addressAt),
                .content(try WireCodec.encode(row.device.settings)),
            ], Self.devices)
        batch.features.pushes.known.hasDevices = true
    }

    private static let devices = Upsert(
        "devices",
        ["user_id", "device_id", "gateway", "token", "voip_token", "address", "address_at", "settings"],
        keys: ["user_id", "device_id"])
}

/// A stored device.
struct DeviceRow {
    var device: Device
    /// When its address was set, in ms since 1970.
    var addressAt: Int64?

    static let query: Query = "SELECT d.device_id, d.address, d.address_at, d.settings FROM devices d"

    init(device: Device) { self.device = device }

    init(row: any SQLRow) throws {
        device = Device(
            deviceID: try row.id(0),
            address: row.isNull(1) ? nil : try WireCodec.decode(PushAddress.self, from: try row.content(1)),
            settings: try WireCodec.decode(DeviceSettings.self, from: try row.content(3)))
        addressAt = try row.optionalInt(2)
    }
}

extension Reads {
    func getDevice() throws -> [UInt8] {
        try WireCodec.encode(try device(actor.deviceID) ?? Device(deviceID: actor.deviceID))
    }

    func listDevices() throws -> [UInt8] {
        let rows = try connection.rows(
            "\(DeviceRow.query) WHERE d.user_id = \(me) ORDER BY d.device_id", DeviceRow.init)
        let shown = rows.map { row in
            var device = row.device
            device.address = device.address.map { PushAddress(gateway: $0.gateway) }
            return device
        }
        return try WireCodec.encode(ListDevices.Answer(devices: shown))
    }

    /// A device of the user; nil if it has neither an address nor settings.
    func device(_ id: DeviceID) throws -> Device? {
        try connection.rows(
            "\(DeviceRow.query) WHERE d.user_id = \(me) AND d.device_id = \(id)", DeviceRow.init
        ).first?.device
    }
}
