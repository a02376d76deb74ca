import RoostCore
import ServiceLifecycle

/// What runs beside the server, and ends before it: its backups, and the signal to read the settings again.
struct ServerJobs: Service {
    private let reloading: Task<Void, Never>
    private let backing: Task<Void, Never>

    /// How long their end is waited for, in ms.
    private static let patience: Int64 = 5_000

    /// - Parameter ready: ends when the server accepts connections; it may not be able to.
    init(reload: (SettingsReload, ServeSettings)?, backup: DailyBackup?, whenReady ready: AsyncStream<Never>) {
        reloading = Task {
            if let (reload, settings) = reload { await reload.run(settings) }
        }
        backing = Task {
            for await _ in ready {}
            if !Task.isCancelled { await backup?.run() }
        }
    }

    /// Runs until a graceful shutdown, or until the server has ended.
    func run() async throws {
        try? await gracefulShutdown()
        await end()
    }

    /// Ends them. A backup reads the database, too, and should not be the last to close it.
    func end() async {
        for task in [reloading, backing] { task.cancel() }
        let end = SharedReading<Void>(uptime: Effects.uptime) { await backing.value }
        _ = await Task { await end.value(withinMs: Self.patience) }.value
    }
}
