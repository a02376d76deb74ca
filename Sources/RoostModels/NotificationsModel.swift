public import Observation
public import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a ``NotificationsModel`` needs of the device's system.
///
/// On Apple's systems, `permission` and `ask` wrap `UNUserNotificationCenter`, `requestToken` calls
/// `registerForRemoteNotifications()`, and `setBadge` calls `setBadgeCount(_:)`.
public struct NotificationSystem: Sendable {
    /// The user's decision up to now.
    public var permission: @MainActor @Sendable () async -> NotificationsModel.Permission
    /// Asks the user, and returns the decision; systems ask only once.
    public var ask: @MainActor @Sendable () async -> NotificationsModel.Permission
    /// Requests a token of the push service, which arrives in ``NotificationsModel/received(_:)`` or
    /// ``NotificationsModel/failedToReceiveToken()``.
    public var requestToken: @MainActor @Sendable () -> Void
    /// Shows a number at the app's icon; 0 for none.
    public var setBadge: @MainActor @Sendable (Int) -> Void

    /// Creates it from its parts.
    public init(
        permission: @escaping @MainActor @Sendable () async -> NotificationsModel.Permission,
        ask: @escaping @MainActor @Sendable () async -> NotificationsModel.Permission,
        requestToken: @escaping @MainActor @Sendable () -> Void,
        setBadge: @escaping @MainActor @Sendable (Int) -> Void = { _ in }
    ) {
        self.permission = permission
        self.ask = ask
        self.requestToken = requestToken
        self.setBadge = setBadge
    }
}

/// The notifications of this device: permission, registration, settings and badge.
///
/// With permission, it requests a token each time it starts, as Apple recommends, and registers the device with it once there
/// is a connection. After a failure it tries again by itself: after 5 s, then twice as long each time, up to 5 min. It
/// needs a client with a `LocalStore`.
@MainActor @Observable public final class NotificationsModel {
    /// The user's decision about notifications.
    public enum Permission: String, Hashable, Sendable {
        /// The user has not been asked.
        case undecided
        /// The user has refused; only the settings of the system change that.
        case denied
        /// The user has agreed.
        case granted
    }

    /// How far the registration of the device is.
    public enum Registration: Hashable, Sendable {
        /// Nothing is to be registered: permission is missing, or the model was not started.
        case none
        /// The token of the push service, the connection, or the next attempt is awaited.
        case waiting
        /// The server has the address of the device.
        case registered
        /// The server refuses the address, so that it is not tried again by itself.
        case refused
    }

    /// The user's decision about notifications.
    public private(set) var permission = Permission.undecided
    /// How far the registration of the device is.
    public private(set) var registration = Registration.none
    /// When and how this device is notified; nil until it is known.
    public private(set) var settings: DeviceSettings?
    /// The number of unread messages in channels that are not muted, which is also shown at the app's icon.
    public private(set) var badge = 0
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public private(set) var problem: RoostError?

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let system: NotificationSystem
    @ObservationIgnored private let clock: ModelClock
    @ObservationIgnored private let life = ModelLife()
    @ObservationIgnored private let alarm: Alarm
    /// The address that the server has yet to get, and the number of failures since the last success.
    @ObservationIgnored private var address: PushAddress?
    @ObservationIgnored private var failures = 0
    @ObservationIgnored private var isRegistering = false
    @ObservationIgnored private var shownBadge: Int?
    @ObservationIgnored private var decisions = 0

    /// Creates the model; it does nothing before ``start()``.
    public init(client: ChatClient, system: NotificationSystem, clock: ModelClock = .system) {
        self.client = client
        self.system = system
        self.clock = clock
        alarm = Alarm(clock)
    }

    /// Reads the permission, registers the device if it may, and follows the unread counts. While it runs, another call
    /// does nothing.
    public func start() {
        guard let store = client.store else { return problem = ConversationModel.noStore }
        guard !life.isRunning else { return }
        let changes = client.changes()
        life.start(
            { [weak self] in
                await self?.begin(store)
                for await change in changes {
                    guard let self else { return }
                    if !change.channels.isEmpty { await self.count(store) }
                    if change.state == .live { self.life.run { [weak self] in await self?.connected() } }
                }
            },
            { [weak self, alarm] in await alarm.run { self?.retry() } })
    }

    /// Stops the work that ``start()`` began.
    public func stop() { life.stop() }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    /// Asks the user for permission if that was not decided yet, and registers the device if the user agrees.
    public func ask() {
        life.run { [weak self] in
            guard let self else { return }
            await self.decide(self.permission == .undecided ? self.system.ask : self.system.permission)
        }
    }

    /// Takes the address with the token that the system has brought.
    public func received(_ address: PushAddress) {
        self.address = address
        failures = 0
        if registration != .none { registration = .waiting }
        life.run { [weak self] in await self?.register() }
    }

    /// Notes that the system has brought no token; one is requested again later.
    public func failedToReceiveToken() {
        guard permission == .granted else { return }
        registration = .waiting
        tryLater()
    }

    /// Changes when and how this device is notified; returns whether that was done.
    @discardableResult
    public func change(_ settings: SetDeviceSettings) async -> Bool {
        do {
            try await client.setDeviceSettings(settings)
            self.settings = try await client.device().settings
            return true
        } catch {
            problem = error
            return false
        }
    }

    private func begin(_ store: LocalStore) async {
        await count(store)
        await decide(system.permission)
        life.run { [weak self] in await self?.connected() }
    }

    /// Reads the permission, and does what follows; of two reads at the same time the later one counts.
    private func decide(_ read: @MainActor @Sendable () async -> Permission) async {
        decisions += 1
        let number = decisions
        let permission = await read()
        guard number == decisions else { return }
        self.permission = permission
        guard permission == .granted else {
            registration = .none
            return
        }
        if registration == .none {
            registration = .waiting
            system.requestToken()
        }
        await register()
    }

    /// There is a connection, perhaps again.
    private func connected() async {
        guard await client.state == .live else { return }
        if settings == nil { settings = try? await client.device().settings }
        await register()
    }

    private func register() async {
        guard permission == .granted, let address, !isRegistering else { return }
        isRegistering = true
        defer { isRegistering = false }
        do {
            try await client.setPushAddress(address)
            // Another one may have arrived meanwhile.
            if self.address == address { self.address = nil }
            failures = 0
            registration = self.address == nil ? .registered : .waiting
            if self.address != nil { life.run { [weak self] in await self?.register() } }
        } catch  where error.isRetryable || error.code == .cancelled {
            tryLater()
        } catch {
            registration = .refused
            problem = error
        }
    }

    private func tryLater() {
        let seconds = min(5 * Double(1 << min(failures, 6)), 300)
        failures += 1
        alarm.set(clock.now().addingTimeInterval(seconds))
    }

    private func retry() {
        guard permission == .granted else { return }
        if address == nil {
            if registration == .waiting { system.requestToken() }
        } else {
            life.run { [weak self] in await self?.register() }
        }
    }

    private func count(_ store: LocalStore) async {
        guard let unread = try? await store.totalUnread() else { return }
        if unread != badge { badge = unread }
        guard unread != shownBadge else { return }
        shownBadge = unread
        system.setBadge(unread)
    }
}
