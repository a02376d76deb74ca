import ArgumentParser
import Foundation
import Logging
import RoostCore
import RoostEncryption
import RoostFiles
import RoostNATS
import RoostPostgres
import RoostPush
import RoostSQLite
import RoostServer
import RoostWire
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Running the server with its options.
extension ServeCommand {
    func serve(_ logger: Logger, _ level: SharedLogLevel) async throws {
        let settings = ServeSettings.withFile
        try backups.check(files: files, data: data)
        let metrics = watching.adminPort == nil ? nil : MetricsRegistry()
        let serving = try serverConfiguration(metrics)
        let pushes = try await pushDrivers()
        let cipher = try encryptionKey.flatMap { try ContentCipher(secrets: KeyFile.encryptionKeys(inFile: $0)) }
        let known = KnownDatabase(directory: data)
        let engine = try openDatabase(known, logger)
        let mark = engine is SQLiteDatabase ? RunningMark(directory: data) : nil
        try prepare(engine, known, logger)
        _ = try Secret.loadOrMake(inDirectory: data)
        let secrets = try Secret.loadAll(fromDirectory: data)
        let (linkKey, busKey) = (FileLinkKey(secrets: secrets), BusKey(secrets: secrets))
        let keys = try await TokenKeys(secrets: secrets)
        // Held until the end: the next server in this folder then knows that this one has ended.
        let place: NodePlace?
        var configuration = try coreConfiguration(linkKey)
        if let metrics { configuration.metrics = metrics }
        do {
            place = engine is PostgresDatabase ? try NodePlace(directory: data) : nil
            configuration.node = try place.map { try localNode($0, keys, cipher, pushes) }
        } catch {
            // It takes its row in `writers` away.
            try? engine.close()
            throw error
        }
        defer { withExtendedLifetime(place) {} }
        let logger = watching.logger(logger, ofNode: place?.id)
        let (core, database) = try makeCore(engine, configuration, cipher, busKey, logger)
        mark?.begin(logger) { [core] in core.note(damage: $0) }
        note(core.epoch, of: engine, known, logger)
        let (readies, ready) = AsyncStream.makeStream(of: Never.self)
        let server = try await started(core, database, mark) {
            try await makeServer(core, serving, keys, linkKey, busKey, place, pushes, logger) { ready.finish() }
        }
        let jobs = ServerJobs(
            reload: settings.map {
                (SettingsReload(core: core, configuration: serving, level: level, logger: logger), $0)
            }, backup: dailyBackup(core, logger), whenReady: readies)
        do {
            try await runUntilStopped(server, jobs, core, database, mark, logger)
        } catch {
            await jobs.end()
            throw error
        }
        await jobs.end()
        if report, let statistics = (engine as? PostgresDatabase)?.statistics {
            _ = Terminal.tryPrintLine("transactions \(statistics.transactions) roundTrips \(statistics.roundTrips)")
        }
        // The check reads the database, too, and must not be the last to close it.
        mark?.endCheck()
        try database.close()
        mark?.remove()
    }

    /// Makes a server; if that fails, the database is closed.
    private func started(
        _ core: Core, _ database: any SQLDatabase, _ mark: RunningMark?, _ make: () async throws -> RoostServer
    ) async throws -> RoostServer {
        do {
            return try await make()
        } catch {
            await core.stop()
            mark?.endCheck()
            if core.hasEnded, (try? database.close()) != nil { mark?.remove() }
            throw error
        }
    }

    /// Checks that a database is the right one, and makes the tables of a file.
    private func prepare(_ engine: any SQLDatabase, _ known: KnownDatabase, _ logger: Logger) throws {
        do {
            try known.check(engine, startsNew: newDatabase)
        } catch {
            // A WAL that stays would be taken for that of the backup.
            try? engine.close()
            throw error
        }
        (engine as? SQLiteDatabase)?.keepRoom(inDirectory: data)
        // The tables of a file go before the secret: see KnownDatabase. Those of PostgreSQL have to wait for other servers.
        guard engine is SQLiteDatabase else { return }
        _ = try Migrator.run(on: engine, random: Effects.systemRandom) { logger.note(schema: $0) }
    }

    /// Notes beside the secret which database belongs to it.
    private func note(_ epoch: String, of engine: any SQLDatabase, _ known: KnownDatabase, _ logger: Logger) {
        do {
            try known.note(epoch: epoch)
            if let engine = engine as? SQLiteDatabase { try known.follow(engine) }
        } catch {
            logger.warning(
                "the epoch and the last commit of the database cannot be noted", metadata: ["error": "\(error)"])
        }
    }

    private func dailyBackup(_ core: Core, _ logger: Logger) -> DailyBackup? {
        let url = try? DatabaseURL.given(database)
        return DailyBackup(backups, data: data, database: url, files: files, core: core, logger: logger)
    }

    /// Joins the servers of a shared database, and opens it.
    private func makeCore(
        _ engine: any SQLDatabase, _ configuration: CoreConfiguration, _ cipher: ContentCipher?, _ busKey: BusKey,
        _ logger: Logger
    ) throws -> (core: Core, database: any SQLDatabase) {
        let effects = Effects(now: Clock.now, random: Effects.systemRandom)
        let admission = NodeAdmission(to: engine, effects: effects, logger: logger)
        nodes.noteLimits(host, logger)
        var lease: NodeLease?
        do {
            lease = try configuration.node.map { try admission.join($0) }
            let database = try engine.encrypted(with: cipher, random: Effects.systemRandom)
            if let cipher { logger.info("content is encrypted", metadata: ["key": "\(cipher.keyID)"]) }
            let core = try Core(
                database: database, configuration: configuration, lease: lease, bus: try nodes.makeBus(busKey, logger),
                effects: effects, logger: logger)
            return (core, database)
        } catch {
            if let lease { admission.leave(lease) }
            if engine is PostgresDatabase { try? engine.close() }
            throw error
        }
    }

    private func makeServer(
        _ core: Core, _ configuration: ServerConfiguration, _ keys: TokenKeys, _ linkKey: FileLinkKey,
        _ busKey: BusKey, _ place: NodePlace?, _ pushes: PushDrivers, _ logger: Logger,
        onReady: @escaping @Sendable () -> Void
    ) async throws -> RoostServer {
        let adminPort = Atomic(-1)
        return try await buildServer(
            core: core, configuration: configuration, keys: keys, provider: try identity.provider(),
            loadSecrets: { [data] in
                let secrets = try Secret.loadAll(fromDirectory: data)
                busKey.replace(with: secrets)
                return secrets
            },
            files: try fileStorage(linkKey, place, logger), pushes: pushes,
            audit: noAuditLog ? nil : AuditLog(folder: data, now: Clock.now, logger: logger), logger: logger,
            onAdminReady: { adminPort.store($0, ordering: .relaxed) },
            onReady: { host, port in
                core.note(address: Self.nodeAddress(host, port), url: nodes.url(host, port)) {
                    ServiceManager.notify("READY=1\nSTATUS=\(tls.scheme)://\(Self.address(host, port))")
                    // The server keeps running even if nobody reads its standard output.
                    if !Terminal.tryPrintLine("ready \(tls.scheme)://\(Self.address(host, port))") {
                        logger.warning("standard output is closed; the server keeps running")
                    }
                    let admin = adminPort.load(ordering: .relaxed)
                    if admin >= 0 { _ = Terminal.tryPrintLine("admin http://127.0.0.1:\(admin)") }
                    onReady()
                }
            })
    }

    /// Runs the server until it is stopped; if that fails, the database is closed where that is safe.
    private func runUntilStopped(
        _ server: RoostServer, _ jobs: ServerJobs, _ core: Core, _ database: any SQLDatabase, _ mark: RunningMark?,
        _ logger: Logger
    ) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                // The last one is stopped first.
                services: [.init(service: server), .init(service: jobs)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
        do {
            try await group.run()
        } catch {
            if core.isReady { await core.stop() }
            mark?.endCheck()
            if core.hasEnded, (try? database.close()) != nil { mark?.remove() }
            if let error = error as? DatabaseFailure { throw error }
            let other = error as? PortFailure
            let address = Self.address(other?.option == "--admin-port" ? "127.0.0.1" : host, other?.port ?? port)
            Terminal.printError(
                "The server cannot run on \(address): \(other?.reason ?? error). Is the port in use? Try another "
                    + "\(other?.option ?? "--port").")
            throw ExitCode(ExitStatus.refused)
        }
        guard core.hasEnded else {
            Terminal.printError(
                "The database did not finish in time. The last messages may have been stored without being acknowledged."
            )
            throw ExitCode(ExitStatus.timedOut)
        }
    }
}
