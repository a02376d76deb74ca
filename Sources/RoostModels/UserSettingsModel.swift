public import Observation
public import RoostClient
public import RoostWire

/// The user's own settings, for a screen that shows and changes them: kept up to date with the user's other devices.
@MainActor @Observable public final class UserSettingsModel {
    /// The settings; nil until they are known.
    public private(set) var settings: UserSettings?
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public private(set) var problem: RoostError?

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let life = ModelLife()
    /// How many changes have arrived as events.
    @ObservationIgnored private var changes = 0

    /// Creates the model; it does nothing before ``start()``.
    public init(client: ChatClient) { self.client = client }

    /// Reads the settings whenever there is a connection, and follows them. While it runs, another call does nothing.
    public func start() {
        guard !life.isRunning else { return }
        let (events, states) = (client.events(), client.states)
        life.start(
            { [weak self] in
                for await event in events {
                    guard case .event(let event, _) = event, case .user(.userSettingsChanged(let settings)) = event.body
                    else { continue }
                    self?.changes += 1
                    self?.settings = settings
                }
            },
            { [weak self] in for await state in states where state == .live { await self?.read() } })
    }

    /// Stops the work that ``start()`` began.
    public func stop() { life.stop() }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    /// Sets who may make the user a member of a group without asking first; returns whether that was done.
    @discardableResult
    public func setInvites(from users: InvitesFrom) async -> Bool {
        do {
            try await client.setInvites(from: users)
            return true
        } catch {
            problem = error
            return false
        }
    }

    private func read() async {
        let before = changes
        // After a failure the next connection reads again.
        guard let settings = try? await client.settings(), changes == before else { return }
        self.settings = settings
    }
}
