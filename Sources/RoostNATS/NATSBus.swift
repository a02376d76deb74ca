import CNATS
import Foundation
package import Logging
package import RoostCore
import Synchronization

/// A bus over NATS: all servers of a database publish and subscribe one subject.
///
/// NATS may be away at any time, also at the start, and may refuse the login for a while: it is tried for ever. What is
/// published meanwhile, or faster than NATS takes it, is dropped; the servers find it in the journal.
///
/// `@unchecked Sendable`: `queue`, `weight` and `isClosing` are accessed only with `condition` locked, `isRunning` only with
/// `end` locked; `connection` and `subscription` only by the thread that `open` starts, which the core calls once.
package final class NATSBus: Bus, @unchecked Sendable {
    /// How patient the client is.
    package struct Times: Sendable {
        /// The time between two tries to connect, in ms; up to a fifth is added, so that not all servers come at once.
        package var reconnect: Int64 = 250
        /// The time between two pings, in ms. After two without an answer the connection is given up.
        package var ping: Int64 = 2_000
        /// How long a write may take, in ms, before the connection is given up.
        package var write: Int64 = 500

        package init() {}
    }

    private let url: BusURL
    private let certificates: String?
    private let times: Times
    private let logger: Logger
    private let link: Link
    private let condition = MonotonicCondition()
    private var queue: [Doorbell] = []
    private var weight = 0
    private var isClosing = false
    private let end = MonotonicCondition()
    private var isRunning = false
    private var connection: OpaquePointer?
    private var subscription: OpaquePointer?

    /// The most bytes that wait to be sent.
    private static let maxWeight = 8 << 20
    /// The most bytes that have arrived and wait to be taken.
    private static let maxPending: Int32 = 64 << 20

    /// Creates a bus that is not connected yet.
    /// - Parameter certificates: a file with the certificates that sign those of the servers; nil for those of the system.
    package init(_ url: BusURL, key: BusKey, certificates: String? = nil, times: Times = Times(), logger: Logger) {
        self.url = url
        self.certificates = certificates
        self.times = times
        self.logger = logger
        link = Link(key, logger)
    }

    package var isConnected: Bool { link.isConnected.load(ordering: .relaxed) }

    /// The number of doorbells that were dropped because too many waited, or nobody took them.
    package var dropped: Int { link.dropped.load(ordering: .relaxed) }

    package func open(topic: String, _ receive: @escaping @Sendable (Doorbell) -> Void) {
        link.receive.withLock { $0 = receive }
        end.withLock { isRunning = true }
        let thread = Thread {
            self.run("roost." + topic)
            self.end.withLock {
                self.isRunning = false
                self.end.signal()
            }
        }
        thread.name = "roost-bus"
        thread.stackSize = 1 << 20
        thread.start()
    }

    package func publish(_ doorbell: Doorbell) {
        let weight = doorbell.weight
        let isTaken = condition.withLock {
            guard !isClosing, self.weight + weight <= Self.maxWeight else { return false }
            self.weight += weight
            queue.append(doorbell)
            if queue.count == 1 { condition.signal() }
            return true
        }
        if !isTaken { link.noteDropped() }
    }

    package func close() {
        condition.withLock {
            isClosing = true
            condition.signal()
        }
        // A process must not exit while a thread is in the library, which is taken down then.
        end.withLock { while isRunning, end.wait(ms: Self.closeLimit) {} }
    }

    /// The longest time to wait for a NATS server that hangs, in ms.
    private static let closeLimit: Int64 = 3_000

    // MARK: Sending

    private func run(_ subject: String) {
        while let doorbells = next() {
            // The library gives up for good if a login is refused twice.
            if connection == nil || natsConnection_IsClosed(connection) {
                noteLastError()
                reconnect(subject)
            }
            link.noteConnection(connection != nil && natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED)
            for doorbell in doorbells { send(doorbell, subject) }
        }
        if isConnected { natsConnection_FlushTimeout(connection, times.write) }
        disconnect()
        nats_ReleaseThreadMemory()
    }

    /// Waits for what is to be sent, or until it is time to look at the connection; returns nil when it is time to end.
    private func next() -> [Doorbell]? {
        condition.withLock {
            while queue.isEmpty, !isClosing, connection != nil, condition.wait(ms: times.reconnect) {}
            if queue.isEmpty, isClosing { return nil }
            weight = 0
            defer { queue = [] }
            return queue
        }
    }

    private func send(_ doorbell: Doorbell, _ subject: String) {
        // The library would keep the first one, to send it when it is connected again.
        guard isConnected, let encoded = try? doorbell.encoded(), let bytes = link.key.sign(encoded) else {
            return link.noteDropped()
        }
        let status = bytes.withUnsafeBytes {
            natsConnection_Publish(connection, subject, $0.baseAddress, Int32($0.count))
        }
        if status != NATS_OK { link.noteDropped() }
    }

    // MARK: Connecting

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func check(_ status: natsStatus) throws {
        guard status != NATS_OK else { return }
        var last = NATS_OK
        let detail = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
        throw Failure(description: detail.isEmpty ? String(cString: natsStatus_GetText(status)) : detail)
    }

    /// Reports why the library has given the connection up.
    private func noteLastError() {
        var text: UnsafePointer<CChar>?
        guard connection != nil, natsConnection_GetLastError(connection, &text) != NATS_OK, let text else { return }
        link.noteFailure(String(cString: text))
    }

    /// Makes a new connection, which then connects again by itself.
    private func reconnect(_ subject: String) {
        disconnect()
        do {
            try connect(subject)
        } catch {
            disconnect()
            link.noteFailure("\(error)")
            // Not until the next doorbell, of which there may be hundreds a second.
            nats_Sleep(times.reconnect)
        }
    }

    /// Connects to the first server that answers, and disconnects again, as a check.
    /// - Throws: why none lets this one in.
    package static func check(_ url: BusURL, certificates: String?) throws {
        let bus = NATSBus(
            url, key: BusKey(secrets: [[UInt8](repeating: 0, count: 32)]), certificates: certificates,
            logger: Logger(label: "roost", factory: { _ in SwiftLogNoOpLogHandler() }))
        defer { bus.disconnect() }
        try bus.connect("roost.doctor")
    }

    private func disconnect() {
        natsSubscription_Destroy(subscription)
        natsConnection_Destroy(connection)
        (subscription, connection) = (nil, nil)
    }

    private func connect(_ subject: String) throws {
        var options: OpaquePointer?
        try Self.check(natsOptions_Create(&options))
        defer { natsOptions_Destroy(options) }
        try setServers(options)
        try setTimes(options)
        try setErrorHandler(options)
        try Self.check(natsConnection_Connect(&connection, options))
        try Self.check(
            natsConnection_Subscribe(
                &subscription, connection, subject,
                { _, _, message, context in
                    if let context, let message { Link.at(context).take(message) }
                    natsMsg_Destroy(message)
                }, Unmanaged.passUnretained(link).toOpaque()))
        // The number of messages is not limited, so that only their bytes count.
        try Self.check(natsSubscription_SetPendingLimits(subscription, .max, Self.maxPending))
    }

    private func setServers(_ options: OpaquePointer?) throws {
        var strings = url.servers.map { strdup($0) }
        defer { for string in strings { free(string) } }
        try strings.withUnsafeMutableBufferPointer { buffer in
            try buffer.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
                try Self.check(natsOptions_SetServers(options, $0.baseAddress, Int32($0.count)))
            }
        }
        try Self.check(natsOptions_SetName(options, "roost"))
        // Addresses that a cluster announces are often those inside of it.
        try Self.check(natsOptions_SetIgnoreDiscoveredServers(options, true))
        if let login = url.login {
            if let password = login.password {
                try Self.check(natsOptions_SetUserInfo(options, login.user, password))
            } else {
                try Self.check(natsOptions_SetToken(options, login.user))
            }
        }
        guard url.isEncrypted else { return }
        try Self.check(natsOptions_SetSecure(options, true))
        if let certificates {
            try Self.check(natsOptions_LoadCATrustedCertificates(options, certificates))
        }
        if let name = url.hostName { try Self.check(natsOptions_SetExpectedHostname(options, name)) }
    }

    private func setTimes(_ options: OpaquePointer?) throws {
        // Negative: for ever.
        try Self.check(natsOptions_SetMaxReconnect(options, -1))
        try Self.check(natsOptions_SetReconnectWait(options, times.reconnect))
        try Self.check(natsOptions_SetReconnectJitter(options, times.reconnect / 5, times.reconnect / 5))
        try Self.check(natsOptions_SetTimeout(options, 2_000))
        try Self.check(natsOptions_SetPingInterval(options, times.ping))
        try Self.check(natsOptions_SetMaxPingsOut(options, 2))
        try Self.check(natsOptions_SetWriteDeadline(options, times.write))
        // 0 would mean the default, 8 MB of doorbells that come late.
        try Self.check(natsOptions_SetReconnectBufSize(options, 1))
        try Self.check(natsOptions_SetSendAsap(options, true))
        try Self.check(natsOptions_SetNoEcho(options, true))
    }

    private func setErrorHandler(_ options: OpaquePointer?) throws {
        try Self.check(
            natsOptions_SetErrorHandler(
                options,
                { _, _, status, context in
                    if let context { Link.at(context).noteFailure(String(cString: natsStatus_GetText(status))) }
                }, Unmanaged.passUnretained(link).toOpaque()))
    }
}

/// What the library calls on its threads.
private final class Link: Sendable {
    let isConnected = Atomic(false)
    let dropped = Atomic(0)
    let receive = Mutex<(@Sendable (Doorbell) -> Void)?>(nil)
    let key: BusKey
    private let logger: Logger
    private let hasUnreadable = Atomic(false)
    private let failures = Mutex<Set<String>>([])

    init(_ key: BusKey, _ logger: Logger) {
        self.key = key
        self.logger = logger
        // The library calls back until some time after a connection is destroyed, so it is never released.
        _ = Unmanaged.passRetained(self)
    }

    static func at(_ context: UnsafeMutableRawPointer) -> Link {
        Unmanaged<Link>.fromOpaque(context).takeUnretainedValue()
    }

    func noteConnection(_ isConnected: Bool) {
        guard self.isConnected.exchange(isConnected, ordering: .relaxed) != isConnected else { return }
        if isConnected { logger.info("connected to NATS") } else { logger.info("not connected to NATS any more") }
        if isConnected { failures.withLock { $0 = [] } }
    }

    func noteDropped() { dropped.add(1, ordering: .relaxed) }

    /// A failure that comes again and again is reported once.
    func noteFailure(_ text: String) {
        if failures.withLock({ $0.insert(text).inserted }) {
            logger.warning("NATS does not work", metadata: ["error": "\(text)"])
        }
    }

    func take(_ message: OpaquePointer) {
        guard let data = natsMsg_GetData(message) else { return }
        let buffer = UnsafeRawBufferPointer(start: data, count: Int(natsMsg_GetDataLength(message)))
        guard let bytes = key.verify(buffer), let doorbell = try? Doorbell(decoding: bytes) else {
            guard !hasUnreadable.exchange(true, ordering: .relaxed) else { return }
            logger.warning(
                """
                something on the bus was not sent by a server of this database and version: is there one with another \
                secret?
                """)
            return
        }
        receive.withLock { $0 }?(doorbell)
    }
}
