/// Says what a message would push to the devices of a user now, and why not, step by step. For operators (1107).
///
/// With `sends` each device that has an address and a service also gets a test notification, at once and whatever its settings
/// say: its event is `push.test`, and it is neither stored nor tried again. It travels over HTTP only.
///
/// Fails with 7011 if there is no such user.
public struct TestPush: ServeCommand {
    /// The name on the wire.
    public static let name = "push.test"
    /// It needs the push services of the server.
    public static let reach = CommandReach.request
    /// What a key needs to send it.
    public static let scope = KeyScope.operator
    /// Whose devices are asked about.
    public var userID: UserID
    /// Only this device; all if absent.
    public var deviceID: DeviceID?
    /// Whether a test notification is sent; false if absent.
    public var sends: Bool?

    /// Creates a value with these fields.
    public init(userID: UserID, deviceID: DeviceID? = nil, sends: Bool? = nil) {
        self.userID = userID
        self.deviceID = deviceID
        self.sends = sends
    }

    /// What a message would push to the devices of a user.
    public struct Answer: Codable, Hashable, Sendable {
        /// The devices that have an address or settings, ordered by id.
        public var devices: [PushTestDevice]

        /// Creates a value with these fields.
        public init(devices: [PushTestDevice]) {
            self.devices = devices
        }
    }
}

/// What a message would push to a device.
public struct PushTestDevice: Codable, Hashable, Sendable {
    /// The device, by the id that it logged in with.
    public var deviceID: DeviceID
    /// The service of its address; absent if it has none.
    public var gateway: PushGateway?
    /// Whether a text message in a 1-on-1 would be pushed now: whether no step fails.
    public var isNotified: Bool
    /// What is checked, in this order.
    public var steps: [PushTestStep]
    /// What it would be: the test notification, with the badge and sound of a message; absent without an address.
    public var payload: PushPayload?
    /// What the service has made of the test notification; absent if none was sent.
    public var result: String?

    /// Creates it.
    public init(
        deviceID: DeviceID, gateway: PushGateway?, isNotified: Bool, steps: [PushTestStep], payload: PushPayload? = nil,
        result: String? = nil
    ) {
        self.deviceID = deviceID
        self.gateway = gateway
        self.isNotified = isNotified
        self.steps = steps
        self.payload = payload
        self.result = result
    }
}

/// One of the conditions for a notification.
public struct PushTestStep: Codable, Hashable, Sendable {
    /// What is checked. A name on the wire.
    public enum Check: String, Codable, CaseIterable, Sendable {
        /// Whether the user may use the server.
        case user
        /// Whether the device has told the server where its notifications go.
        case address
        /// Whether the server can reach that service.
        case service
        /// Whether the device is not connected to the server: otherwise it gets the event instead.
        case connection
        /// Whether the settings of the device allow it.
        case settings
        /// Whether nothing waits because of earlier failures.
        case queue
    }

    /// What is checked.
    public var check: Check
    /// Whether it allows the notification.
    public var passed: Bool
    /// What was found, in English.
    public var detail: String

    /// Creates it.
    public init(_ check: Check, passed: Bool, detail: String) {
        self.check = check
        self.passed = passed
        self.detail = detail
    }
}
