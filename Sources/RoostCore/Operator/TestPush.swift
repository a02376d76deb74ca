package import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a message would push to a device, with where a test notification goes.
package struct PushTrial: Sendable {
    package var device: PushTestDevice
    /// A test notification; nil if the device has no address for it.
    package var request: PushRequest?
}

extension Core {
    /// Says what a message would push to the devices of a user.
    /// - Parameter services: the services that this server can reach.
    /// - Throws: `WireError` 7011 if there is no such user.
    package func testPush(_ test: TestPush, services: Set<PushGateway>) async throws(WireError) -> [PushTrial] {
        let user = test.userID
        let found = try await connections(of: user)
        let actor = Actor(
            user: User(userID: user, name: User.usualName(of: user)), deviceID: "push-test", isOperator: false)
        do throws(WireError) {
            return try await read(as: actor) { reads in
                try reads.trials(test, services, connected: found)
            }
        } catch {
            if ErrorCode.userDeleted ~= error { throw WireError(.userNotFound) }
            guard ErrorCode.userBanned ~= error else { throw error }
            let step = PushTestStep(.user, passed: false, detail: error.message)
            return [PushTrial(device: PushTestDevice(deviceID: "all", gateway: nil, isNotified: false, steps: [step]))]
        }
    }

    /// The devices on which a user is connected to any server.
    private func connections(of user: UserID) async throws(WireError) -> Set<DeviceID> {
        let bytes = try await write(as: Self.itself) { transaction in
            let sessions = transaction.batch.sessions
            let devices =
                try sessions.sessions(of: user).compactMap { sessions[$0]?.deviceID }
                + transaction.devicesElsewhere(of: user)
            let keys = Set(devices.map { DeviceKey(user: user, device: $0) })
            return try WireCodec.encode(transaction.connected(keys).map(\.device))
        }
        do {
            return Set(try WireCodec.decode([DeviceID].self, from: bytes))
        } catch {
            throw WireError(.internalFault)
        }
    }
}

extension Reads {
    fileprivate func trials(
        _ test: TestPush, _ services: Set<PushGateway>, connected: Set<DeviceID>
    ) throws -> [PushTrial] {
        let isKnown = try !connection.rows("SELECT 1 FROM users WHERE id = \(me)") { try $0.int(0) }.isEmpty
        guard isKnown else { throw WireError(.userNotFound) }
        var query: Query = "\(DeviceRow.query) WHERE d.user_id = \(me)"
        if let device = test.deviceID { query.append(" AND d.device_id = \(device)") }
        query.append(" ORDER BY d.device_id")
        let channels = try channels(of: me)
        return try connection.rows(query, DeviceRow.init).map { row in
            let isConnected = connected.contains(row.device.deviceID)
            let steps = [
                PushTestStep(.user, passed: true, detail: "The user may use the server."), Self.address(row),
                Self.service(row.device, services),
                PushTestStep(
                    .connection, passed: !isConnected,
                    detail: isConnected
                        ? "The device is connected to the server, and gets the event instead."
                        : "The device is not connected to the server."),
                settings(row.device), try queue(row.device),
            ]
            var device = PushTestDevice(
                deviceID: row.device.deviceID, gateway: row.device.address?.gateway,
                isNotified: steps.allSatisfy(\.passed), steps: steps)
            guard let address = row.device.address, address.token != nil else { return PushTrial(device: device) }
            let request = request(to: row.device, at: address, badge: channels.badge(row.device.settings))
            device.payload = request.payload
            return PushTrial(device: device, request: request)
        }
    }

    private static func address(_ row: DeviceRow) -> PushTestStep {
        guard let address = row.device.address else {
            return PushTestStep(
                .address, passed: false, detail: "The device has no address. The app sets it with device.setAddress.")
        }
        guard let token = address.token else {
            return PushTestStep(.address, passed: false, detail: "The device has a token for calls only.")
        }
        let isSandbox = address.isSandbox == true ? ", in the sandbox" : ""
        let isForCalls = address.voipToken == nil ? "" : ", and a token for calls"
        return PushTestStep(
            .address, passed: true,
            detail: "\(address.gateway.rawValue), token \(token.prefix(8))…\(isSandbox)\(isForCalls).")
    }

    private static func service(_ device: Device, _ services: Set<PushGateway>) -> PushTestStep {
        guard let gateway = device.address?.gateway else {
            return PushTestStep(.service, passed: false, detail: "Without an address there is no service.")
        }
        return services.contains(gateway)
            ? PushTestStep(.service, passed: true, detail: "This server is configured for \(gateway.rawValue).")
            : PushTestStep(
                .service, passed: false,
                detail:
                    "This server is not configured for \(gateway.rawValue). Add it to the file of roost serve --push.")
    }

    private func settings(_ device: Device) -> PushTestStep {
        if let reason = device.settings.refusal(at: now, isUrgent: true) {
            return PushTestStep(.settings, passed: false, detail: "Nothing is pushed: \(reason).")
        }
        let hidden = [(device.settings.hidesSender, "sender"), (device.settings.hidesContent, "content")]
            .filter(\.0).map(\.1)
        let mentions = device.settings.mentionsOnly ? " In groups and news only mentions are pushed." : ""
        let hides = hidden.isEmpty ? "" : " The \(hidden.joined(separator: " and ")) is hidden."
        return PushTestStep(.settings, passed: true, detail: "The settings allow it.\(mentions)\(hides)")
    }

    private func queue(_ device: Device) throws -> PushTestStep {
        let found = try connection.rows(
            """
            SELECT COUNT(*), MAX(attempts) FROM pushes
            WHERE user_id = \(me) AND device_id = \(device.deviceID) AND attempts > 0
            """
        ) { (count: try $0.int(0), attempts: try $0.optionalInt(1) ?? 0) }.first
        guard let found, found.attempts > 1 else {
            return PushTestStep(.queue, passed: true, detail: "No notification waits because the service has failed.")
        }
        return PushTestStep(
            .queue, passed: true,
            detail:
                "\(found.count) notifications wait; the service has failed \(found.attempts - 1) times. See the log.")
    }

    private func request(to device: Device, at address: PushAddress, badge: Int) -> PushRequest {
        let id = UUID().uuidString.lowercased()
        var payload = PushPayload(
            pushID: id, kind: .alert, userID: me, event: TestPush.name, sentAt: .init(milliseconds: now), badge: badge,
            body: "Test notification", locKey: "roost.test", locArgs: [])
        payload.sound = device.settings.sound
        let push = LeasedPush(
            id: id, user: me, device: device.deviceID, channel: nil, seq: nil, event: nil, createdAt: now, attempts: 1)
        return PushRequest(
            push: push, address: address, payload: payload, collapseID: id, expiresAt: now + PushRequest.callMs)
    }
}
