import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import RoostCore
import RoostFiles
package import RoostPush
import RoostWire
import ServiceLifecycle
import Synchronization

/// The server: HTTP and WebSockets on one port, with one core.
///
/// `run` serves until a graceful shutdown or the cancellation of its task. It then refuses new sessions, closes the
/// existing ones, and lets the core finish accepted commands. It returns immediately if nobody is connected, and
/// within 30 seconds in any case, even if the core has not finished.
package final class RoostServer: Service {
    private let core: Core
    private let configuration: ServerConfiguration
    private let logger: Logger
    private let group: MultiThreadedEventLoopGroup
    private let hubs: [LaneHub]
    private let draining = Draining()
    private let removal: FileRemoval
    private let pushes: PushSender
    let keys: TokenKeys
    private let provider: IdentityProvider?
    private let audit: AuditLog?
    private let files: FileStorage
    private let loadSecrets: (@Sendable () throws -> [[UInt8]])?
    private let servers: Listeners
    private let connections: Connections
    /// The bytes that all connections hold.
    let memory: ConnectionMemory

    init(
        core: Core, configuration: ServerConfiguration, keys: TokenKeys, provider: IdentityProvider?,
        loadSecrets: (@Sendable () throws -> [[UInt8]])?, files: FileStorage, pushes: PushDrivers, audit: AuditLog?,
        logger: Logger, onAdminReady: @escaping @Sendable (Int) -> Void,
        onReady: @escaping @Sendable (String, Int) -> Void
    ) {
        if let audit { core.onAudit { audit.add($0) } }
        (self.audit, self.provider) = (audit, provider)
        self.core = core
        self.configuration = configuration
        self.logger = logger
        self.keys = keys
        self.loadSecrets = loadSecrets
        self.files = files
        group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.eventLoops))
        connections = Self.makeConnections(configuration, core)
        memory = Self.makeMemory(configuration, core, logger)
        removal = FileRemoval(core, files, logger: logger)
        self.pushes = PushSender(core, pushes, logger: logger)
        let verifier = TokenVerifier(keys: keys, provider: provider)
        let upgradeLimit = UpgradeLimit(burst: configuration.socketsPerAddress)
        var hubs: [ObjectIdentifier: LaneHub] = [:]
        for loop in group.makeIterator() {
            hubs[ObjectIdentifier(loop)] = LaneHub(
                eventLoop: loop, core: core, configuration: configuration, connections: connections,
                memory: memory, verifier: verifier, upgradeLimit: upgradeLimit, logger: logger)
        }
        self.hubs = Array(hubs.values)
        let refusals = RefusalLog(core: core, logger: logger)
        let accounts = AccountService(
            core: core, keys: keys, provider: provider,
            passwords: PasswordHasher(isCheap: configuration.hasCheapPasswords),
            configuration: configuration, refusals: refusals)
        let commands = CommandsController(
            core: core, configuration: configuration, verifier: verifier,
            served: ServedCommands(core: core, accounts: accounts, pushes: self.pushes), refusals: refusals,
            memory: memory)
        let readiness = ReadinessCheck(core, draining, memory)
        let metrics = MetricsPage(
            core: core, configuration: configuration, hubs: self.hubs, connections: connections, memory: memory,
            readiness: readiness,
            figures: SharedReading(uptime: core.effects.uptime) { try? await core.storedFigures() })
        let responder = buildRouter(
            commands: commands, files: FilesController(core: core, commands: commands, storage: files, logger: logger),
            web: WebController(
                configuration: configuration, webPushKey: pushes.webPushKey, hasRedirects: files.redirects,
                hasPasswords: { (try? await core.hasPasswords()) ?? true },
                provider: configuration.keptLoginMs > 0 ? provider?.settings.signInHost : nil),
            readiness: readiness
        ).buildResponder()
        let channel = UpgradingChannel(
            responder: Self.respond(responder, configuration, connections, memory, logger),
            configuration: configuration, draining: draining, hubs: hubs, connections: connections,
            memory: memory,
            notices: Notices(logger: logger) { core.audit($0, of: $1, by: nil, address: $2, origin: $3) },
            upgradeLimit: upgradeLimit)
        servers = Listeners(
            channel, AdminResponder(readiness: readiness, metrics: metrics), configuration, group, logger,
            onAdminReady: onAdminReady, onReady: onReady)
    }

    /// What answers a request: it knows the connection that the request came over.
    private static func respond(
        _ responder: some HTTPResponder<ServerContext>, _ configuration: ServerConfiguration,
        _ connections: Connections, _ memory: ConnectionMemory, _ logger: Logger
    ) -> HTTPChannelHandler.Responder {
        { request, writer, channel in
            var context = ServerContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            if let address = configuration.forwardedAddress(in: request.headers) { context.address = address }
            context.origin = request.headers[.origin]
            let share = memory.share(of: channel)
            context.share = share
            context.noteLogin = {
                connections.noteLogin(on: channel)
                share?.noteLogin()
            }
            let response = try await answer(request, context, responder, configuration)
            try await writer.write(response: response.head, body: response.body)
        }
    }

    private static func makeConnections(_ configuration: ServerConfiguration, _ core: Core) -> Connections {
        Connections(
            .init(
                all: configuration.sockets, perAddress: configuration.socketsPerAddress,
                strangersPerAddress: configuration.strangersPerAddress)
        ) { core.audit(WireError(.tooManyConnections), of: "socket", by: nil, address: $0) }
    }

    private static func makeMemory(
        _ configuration: ServerConfiguration, _ core: Core, _ logger: Logger
    ) -> ConnectionMemory {
        ConnectionMemory(most: configuration.connectionMemory) { report, used in
            logger.warning(
                "connections hold too much memory: strangers and slow readers are closed, see docs/security.md",
                metadata: [
                    "bytes": "\(used)", "most": "\(configuration.connectionMemory)",
                    "strangers": "\(report.strangers)", "slow": "\(report.slow)", "refused": "\(report.refused)",
                ])
            core.audit(
                AuditEntry(
                    time: core.effects.now(), event: "memory", sender: .server, code: ErrorCode.tooManyRequests.code))
        }
    }

    /// Serves until it is stopped, or another server has taken the database over.
    /// - Throws: `DatabaseFailure` `.openElsewhere` in that case, or an error if it cannot listen.
    package func run() async throws {
        for hub in hubs { hub.open() }
        core.audit(AuditEntry(time: core.effects.now(), event: "server.start", sender: .server))
        let servers = servers
        // Detached, so that a graceful shutdown reaches the listener only after the sessions are closed.
        let serving = Task.detached { try await servers.run() }
        let (served, serves) = AsyncThrowingStream.makeStream(of: Never.self)
        let displacement = Mutex<String?>(nil)
        core.onLeaseLost { [hubs, configuration] why in
            // With a reason, the server ends at once.
            let limit = why == nil ? Int64(configuration.drainSeconds) * 1_000 : 0
            for hub in hubs { hub.restartSessions(within: limit) }
            guard let why else { return }
            displacement.withLock { $0 = why }
            serves.finish()
        }
        let (over, isOver) = AsyncStream.makeStream(of: Never.self)
        Task {
            do {
                try await serving.value
                serves.finish()
            } catch {
                serves.finish(throwing: error)
            }
            isOver.finish()
        }
        // Not in the group, which would wait for a job that waits for a database that hangs.
        let jobs = [
            Task { await self.removal.run() }, Task { await self.pushes.run() }, Task { await self.watchKeys() },
            Task { await FreedMemory.watch(self.connections) }, Task { await self.files.findTools() },
            Task { await self.watchWriter() }, Task { await self.watchOthers() }, Task { await self.auditHeads() },
            Task { await self.watchCertificate() },
        ]
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { for try await _ in served {} }
                tasks.addTask { try? await gracefulShutdown() }
                try await tasks.next()
                if !draining.isOn { await Task { await self.drain() }.value }
                // Whoever still reads or sends, however slowly, ends with the server.
                serving.cancel()
                Task {
                    try? await Task.sleep(for: .seconds(1))
                    isOver.finish()
                }
                for await _ in over {}
                tasks.cancelAll()
            }
            await end(jobs)
        } catch {
            await end(jobs)
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
        if let why = displacement.withLock({ $0 }) { throw DatabaseFailure(.openElsewhere, why) }
    }

    /// Ends jobs in the background, and waits for them, but not for one that waits for a database that hangs.
    private func end(_ jobs: [Task<Void, Never>]) async {
        for job in jobs { job.cancel() }
        await atMost(ms: 1_000) { for job in jobs { await job.value } }
    }

    /// Looks twice a second whether the database answers.
    private func watchWriter() async {
        while (try? await Task.sleep(for: .milliseconds(500))) != nil { core.refuseOverdue() }
    }

    /// Looks up to four times a second what other servers of the database have committed.
    private func watchOthers() async {
        guard core.hasOthers else { return }
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { core.watchOthers() }
    }

    /// Compares every ten minutes what the sessions have got with what is stored.
    private func auditHeads() async {
        guard core.hasOthers else { return }
        let audit = HeadAudit(core)
        while (try? await Task.sleep(for: .seconds(600))) != nil {
            var missed = 0
            for hub in hubs {
                // If the database is away, the next time is early enough.
                missed += (try? await audit.repair({ try await hub.heads().get() }, pause: .seconds(5))) ?? 0
            }
            guard missed > 0 else { continue }
            core.meters.add(missed, to: .busMissed)
            logger.error(
                "rows that other servers have written had not arrived, and are delivered now: please report this",
                metadata: ["logs": "\(missed)"])
        }
    }

    /// Looks every second for a change of the keys: tokens of a removed key are refused, and their connections closed.
    private func watchKeys() async {
        guard loadSecrets != nil || provider != nil else { return }
        var isReadable = true
        var removed: [Set<String>] = []
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            if let provider {
                // A login that was being verified when its key left is ended by one of the next looks.
                let ended = await provider.takeRemovedKeys(now: core.effects.now())
                removed = [ended] + removed.prefix(2)
                if !ended.isEmpty {
                    logger.info("keys of the identity provider have ended", metadata: ["keys": "\(ended.count)"])
                    core.audit(
                        AuditEntry(
                            time: core.effects.now(), event: "provider.keys", sender: .server, targets: ended.sorted()))
                }
                let gone = removed.reduce(into: Set()) { $0.formUnion($1) }
                if !gone.isEmpty { for hub in hubs { hub.endSessions { gone.contains($0) } } }
            }
            guard let loadSecrets else { continue }
            do {
                let secrets = try loadSecrets()
                files.linkKey.replace(with: secrets)
                if try await keys.replace(with: secrets) {
                    let ids = keys.ids
                    core.configuration.node?.settings.secrets = keys.orderedIDs
                    logger.info("token keys changed", metadata: ["keys": "\(ids.count)"])
                    core.audit(
                        AuditEntry(
                            time: core.effects.now(), event: "secret.change", sender: .server, targets: ids.sorted()))
                    for hub in hubs { hub.endSessions { !IdentityProvider.isKeyID($0) && !ids.contains($0) } }
                }
                isReadable = true
            } catch {
                if isReadable { logger.error("token keys cannot be read", metadata: ["error": "\(error)"]) }
                isReadable = false
            }
        }
    }

    /// Looks every second whether the certificate was replaced, and says each day if it expires soon.
    private func watchCertificate() async {
        guard let certificate = configuration.certificate else { return }
        var failures = 0
        var nextWarning: Int64 = 0
        repeat {
            let now = core.effects.now()
            do {
                if try certificate.reload() {
                    logger.info("certificate changed")
                    core.audit(AuditEntry(time: now, event: "certificate.change", sender: .server))
                    nextWarning = 0
                }
                failures = 0
            } catch {
                failures += 1
                // Not while the two files are being replaced.
                if failures == 3 {
                    logger.error(
                        "the new certificate cannot be used, the one from before stays", metadata: ["error": "\(error)"]
                    )
                }
            }
            guard now >= nextWarning, let days = certificate.daysLeft(now: now) else { continue }
            nextWarning = now + 86_400_000
            if days < 0 {
                logger.error("the certificate has expired: clients refuse to connect")
            } else {
                logger.warning("the certificate expires soon", metadata: ["days": "\(days)"])
            }
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }

    /// Shuts down in an order in which nothing is lost: sessions, core, listener.
    private func drain() async {
        draining.begin()
        core.configuration.node?.settings.isLeaving = true
        var count = 0
        for hub in hubs { count += (try? await hub.count().get()) ?? 0 }
        // A few clients may reconnect at once; many are spread over time.
        let window = min(Int64(configuration.drainSeconds) * 1_000, 200 + Int64(count) * 10)
        logger.info("server is draining", metadata: ["sessions": "\(count)", "ms": "\(count == 0 ? 0 : window)"])
        let goodbyes = hubs.map { $0.drain(window: window) }
        let limit = min(16_000, window + 2 * configuration.closeGrace + 2 * (hubs.first?.tickLength ?? 0) + 1_000)
        await atMost(ms: limit) { for goodbye in goodbyes { try? await goodbye.get() } }
        await atMost(ms: 2_000) { await self.pushes.stop() }
        await atMost(ms: configuration.finishLimit) { await self.core.stop() }
        if !core.hasEnded {
            logger.error("the database did not finish in time", metadata: ["ms": "\(configuration.finishLimit)"])
        }
        if let audit { await atMost(ms: 1_000) { await audit.flush() } }
        await atMost(ms: 1_000) { await self.servers.shutDown() }
    }

    /// Waits for an operation, up to a time limit.
    private func atMost(ms: Int64, _ body: @escaping @Sendable () async -> Void) async {
        let promise = group.any().makePromise(of: Void.self)
        let timer = group.any().scheduleTask(in: .milliseconds(ms)) { promise.succeed() }
        Task {
            await body()
            promise.succeed()
        }
        try? await promise.futureResult.get()
        timer.cancel()
    }
}

/// Builds a server, for the command line and for tests.
///
/// Calls `onReady` with host and port once connections are accepted, before it `onAdminReady` with the port of
/// `adminPort` if there is one, and `loadSecrets` once per second.
/// - Throws: `FileStoreError` if the storage for files cannot be used.
package func buildServer(
    core: Core, configuration: ServerConfiguration, keys: TokenKeys, provider: IdentityProvider? = nil,
    loadSecrets: (@Sendable () throws -> [[UInt8]])? = nil, files: FileStorage, pushes: PushDrivers = PushDrivers(),
    audit: AuditLog? = nil, logger: Logger, onAdminReady: @escaping @Sendable (Int) -> Void = { _ in },
    onReady: @escaping @Sendable (String, Int) -> Void = { _, _ in }
) async throws -> RoostServer {
    try await files.prepare()
    return RoostServer(
        core: core, configuration: configuration, keys: keys, provider: provider, loadSecrets: loadSecrets,
        files: files, pushes: pushes, audit: audit, logger: logger,
        onAdminReady: onAdminReady, onReady: onReady)
}
