import Logging
import RoostCore
import RoostPush
import RoostWire
import Synchronization

/// Sends the push notifications that are due, by each service on its own.
///
/// A notification is sent by one process at a time. If a process ends in between, another one sends it again, with the
/// same id, once its lease is over.
final class PushSender: Sendable {
    private let core: Core
    private let drivers: PushDrivers
    private let logger: Logger
    private let lanes: [PushGateway: PushLane]
    /// The last log line of a service that fails or is missing, and how many notifications had none since.
    private let trouble: Mutex<[PushGateway: (loggedAt: Int64, count: Int)]> = Mutex([:])

    /// How long a process may take to send a notification, in ms.
    private static let lease: Int64 = 60_000
    /// How often it is tried to send one.
    private static let maxAttempts = 12

    init(_ core: Core, _ drivers: PushDrivers, logger: Logger) {
        self.core = core
        self.drivers = drivers
        self.logger = logger
        let lanes = Dictionary(uniqueKeysWithValues: PushGateway.allCases.map { ($0, PushLane()) })
        self.lanes = lanes
        core.onPushesAdded { for lane in lanes.values { lane.wake() } }
    }

    /// Sends until it is stopped or its task is cancelled.
    func run() async {
        do {
            try await core.releasePushes()
        } catch {
            logger.error("the leases of push notifications could not be ended", metadata: ["error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            for (gateway, lane) in lanes { group.addTask { await self.run(gateway, lane) } }
        }
    }

    /// Starts no more notifications, and waits for those on their way.
    func stop() async {
        for lane in lanes.values { lane.stop() }
        for lane in lanes.values { await lane.ended() }
    }

    /// Says what a message would push to the devices of a user, and sends a test notification if asked to.
    func test(_ test: TestPush, as actor: Actor) async throws(WireError) -> [UInt8] {
        guard actor.isOperator else {
            throw WireError(.noPrivilege, "Only an operator can do this. Ask for a token with \"operator\".")
        }
        var devices: [PushTestDevice] = []
        for trial in try await core.testPush(test, services: Set(drivers.byGateway.keys)) {
            var device = trial.device
            if test.sends == true, let request = trial.request, let driver = drivers.byGateway[request.address.gateway]
            {
                device.result =
                    switch await driver.send(request) {
                    case .sent: "sent"
                    case .unknownToken(let reason): "the token is not known any more: \(reason)"
                    case .refused(let reason): "refused: \(reason)"
                    case .failed(let reason, _): "failed: \(reason)"
                    }
                logger.info("test notification", metadata: about(request.push, request.address.gateway, device.result))
            }
            devices.append(device)
        }
        do {
            return try WireCodec.encode(TestPush.Answer(devices: devices))
        } catch {
            throw WireError(.internalFault)
        }
    }

    private func run(_ gateway: PushGateway, _ lane: PushLane) async {
        await withDiscardingTaskGroup { group in
            var timer: Task<Void, Never>?
            for await _ in lane.wakes {
                timer?.cancel()
                while let room = lane.room(drivers.maxAtOnce), room > 0 {
                    var leased: [LeasedPush] = []
                    do {
                        leased = try await core.leasePushes(of: gateway, limit: room, for: Self.lease)
                        if leased.isEmpty, let next = try await core.nextPush(of: gateway) {
                            timer = lane.wake(after: max(0, next - core.effects.now()))
                        }
                    } catch {
                        if lane.isStopping { break }
                        logger.error("push notifications cannot be read", metadata: ["error": "\(error)"])
                        timer = lane.wake(after: 5_000)
                    }
                    if leased.isEmpty { break }
                    for push in leased {
                        lane.begin()
                        group.addTask {
                            await self.handle(push, gateway)
                            lane.end()
                        }
                    }
                }
            }
            timer?.cancel()
        }
        lane.finish()
    }

    private func handle(_ push: LeasedPush, _ gateway: PushGateway) async {
        do {
            let end: PushEnd
            switch try await core.request(for: push) {
            case .skip(let reason):
                logger.debug("not pushed", metadata: about(push, gateway, reason))
                end = .done
            case .send(let request):
                end =
                    request.address.gateway == gateway ? await send(request, gateway) : .moved(request.address.gateway)
            }
            try await core.endPushes([(push, end)])
        } catch {
            // It is tried again after the lease.
            if !core.isReady { return }
            logger.error("a push notification failed", metadata: about(push, gateway, "\(error)"))
        }
    }

    private func send(_ request: PushRequest, _ gateway: PushGateway) async -> PushEnd {
        let push = request.push
        guard let driver = drivers.byGateway[gateway] else {
            noteTrouble("not pushed", push, gateway, "no push credential: see roost serve --push")
            return .done
        }
        let result = await driver.send(request)
        core.meters.add(to: .pushes, gateway.rawValue, result.word)
        switch result {
        case .sent:
            logger.debug("pushed", metadata: about(push, gateway, nil))
            return .sent(request)
        case .unknownToken(let reason):
            logger.info("a device is no longer notified", metadata: about(push, gateway, reason))
            return .gone(token: request.token)
        case .refused(let reason):
            logger.warning("a push notification was refused", metadata: about(push, gateway, reason))
            return .done
        case .failed(let reason, let wait):
            // 1, 2, 4 … 300 seconds, more or less.
            let pause = min(300_000, 1_000 << min(Int64(push.attempts - 1), 9)) * Int64.random(in: 80...120) / 100
            let next = core.effects.now() + max(pause, wait ?? 0)
            guard push.attempts < Self.maxAttempts, next < request.expiresAt else {
                logger.error("a push notification was given up", metadata: about(push, gateway, reason))
                return .done
            }
            noteTrouble("a push notification has to wait", push, gateway, reason)
            return .later(next)
        }
    }

    /// Logs that a service fails or is missing, at most once in ten seconds.
    private func noteTrouble(_ message: Logger.Message, _ push: LeasedPush, _ gateway: PushGateway, _ reason: String) {
        let now = core.effects.now()
        let count = trouble.withLock { trouble -> Int? in
            let (loggedAt, count) = trouble[gateway] ?? (.min, 0)
            let isDue = loggedAt == .min || now - loggedAt >= 10_000
            trouble[gateway] = isDue ? (now, 0) : (loggedAt, count + 1)
            return isDue ? count + 1 : nil
        }
        guard let count else { return }
        var metadata = about(push, gateway, reason)
        if count > 1 { metadata["count"] = "\(count)" }
        logger.notice(message, metadata: metadata)
    }

    private func about(_ push: LeasedPush, _ gateway: PushGateway, _ reason: String?) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "push": "\(push.id)", "gateway": "\(gateway.rawValue)", "user": "\(push.user)", "device": "\(push.device)",
        ]
        if let reason { metadata["reason"] = "\(reason)" }
        return metadata
    }
}

/// The notifications of one service that are on their way.
private final class PushLane: Sendable {
    private struct State {
        var count = 0
        var isStopping = false
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// An element whenever there may be something to do.
    let wakes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (wakes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal.yield()
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func wake() { signal.yield() }

    func wake(after ms: Int64) -> Task<Void, Never> {
        Task {
            try? await Task.sleep(for: .milliseconds(ms))
            if !Task.isCancelled { signal.yield() }
        }
    }

    /// How many more may be sent now; nil once it is stopping.
    func room(_ most: Int) -> Int? { state.withLock { $0.isStopping ? nil : most - $0.count } }

    func begin() { state.withLock { $0.count += 1 } }

    func end() {
        state.withLock { $0.count -= 1 }
        signal.yield()
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        signal.finish()
    }

    /// Notes that nothing is on its way any more.
    func finish() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for `finish()`.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }
}
