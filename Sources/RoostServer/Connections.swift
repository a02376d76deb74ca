import NIOCore
import Synchronization

/// The open sockets, and how many an address may have.
///
/// A socket is a stranger until somebody has logged in on it. If an address, or all together, have too many, one is closed for the
/// new one: of those that rest between two requests over HTTP the one that has rested longest, whoever has logged in on it, or else
/// the oldest stranger. Without either the new one is refused. An address of this machine has no limit of its own: behind it are a
/// proxy and its users. Of IPv6 a network counts as an address.
final class Connections: Sendable {
    /// The numbers of sockets.
    struct Limits: Sendable {
        /// All sockets; 0 for as many as the system gives.
        var all = 0
        var perAddress = 256
        /// Those of an address on which nobody has logged in.
        var strangersPerAddress = 64
    }

    fileprivate struct Entry {
        var number: UInt64
        var channel: any Channel
        var address: String?
        var isStranger = true
        /// When its last request was answered; nil while it has one, before its first, and for other protocols.
        var rested: UInt64?
    }

    /// The sockets of an address, or all of them.
    fileprivate struct Place {
        var count = 0
        var strangers = 0
        /// The sockets in the order in which they came, also some that are closed or no strangers any more.
        var order = CircularBuffer<(id: ObjectIdentifier, number: UInt64)>()
        /// The sockets that rest between two requests, in the order in which they began to, also some that do not any more.
        var resting = CircularBuffer<(id: ObjectIdentifier, number: UInt64)>()
    }

    fileprivate struct State {
        var lastNumber: UInt64 = 0
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The most entries since `takeMost()`.
        var most = 0
        var all = Place()
        var places: [String: Place] = [:]
    }

    private let limits: Limits
    private let state = Mutex(State())
    private let report: @Sendable (_ address: String?) -> Void

    /// - Parameter report: called with the address of a new socket that is refused, or for which another one is closed.
    init(_ limits: Limits, report: @escaping @Sendable (_ address: String?) -> Void = { _ in }) {
        self.limits = limits
        self.report = report
    }

    /// How many sockets are open.
    var count: Int { state.withLock { $0.entries.count } }

    /// The most sockets that were open at a time since the last call.
    func takeMost() -> Int {
        state.withLock { state in
            defer { state.most = state.entries.count }
            return state.most
        }
    }

    /// Takes a new socket.
    /// - Returns: whether there is room for it; if not, close it.
    func admit(_ channel: any Channel, from client: String?) -> Bool {
        let id = ObjectIdentifier(channel)
        let address = client.flatMap { Self.isLocal($0) ? nil : LoginAttempts.network(of: $0) }
        let (isAdmitted, superfluous) = state.withLock { state -> (Bool, [any Channel]) in
            var superfluous: [any Channel] = []
            if let address {
                let (count, strangers) = (state.places[address]?.count ?? 0, state.places[address]?.strangers ?? 0)
                if strangers >= limits.strangersPerAddress {
                    guard let oldest = state.takeStranger(of: address) else { return (false, []) }
                    superfluous.append(oldest)
                } else if count >= limits.perAddress {
                    guard let other = state.takeOne(of: address) else { return (false, []) }
                    superfluous.append(other)
                }
            }
            if limits.all > 0, state.all.count >= limits.all {
                guard let other = state.takeOne(of: nil) else { return (false, superfluous) }
                superfluous.append(other)
            }
            state.add(channel, id, address)
            return (true, superfluous)
        }
        if !isAdmitted || !superfluous.isEmpty { report(client) }
        for channel in superfluous { channel.cut() }
        if isAdmitted { channel.closeFuture.whenComplete { _ in self.remove(id) } }
        return isAdmitted
    }

    /// Notes that somebody has logged in on a socket.
    func noteLogin(on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.endStranger(id) }
    }

    /// Notes that a socket has a request over HTTP.
    func noteRequest(on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.entries[id]?.rested = nil }
    }

    /// Notes that a socket rests until the next request over HTTP.
    func noteRest(on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.rest(id) }
    }

    private func remove(_ id: ObjectIdentifier) {
        state.withLock { $0.remove(id) }
    }

    /// Whether an address is one of this machine.
    static func isLocal(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}

extension Connections.State {
    fileprivate mutating func add(_ channel: any Channel, _ id: ObjectIdentifier, _ address: String?) {
        lastNumber += 1
        entries[id] = Connections.Entry(number: lastNumber, channel: channel, address: address)
        most = max(most, entries.count)
        Self.add(id, lastNumber, to: &all, entries)
        guard let address else { return }
        var place = places.removeValue(forKey: address) ?? Connections.Place()
        Self.add(id, lastNumber, to: &place, entries)
        places[address] = place
    }

    private static func add(
        _ id: ObjectIdentifier, _ number: UInt64, to place: inout Connections.Place,
        _ entries: [ObjectIdentifier: Connections.Entry]
    ) {
        place.count += 1
        place.strangers += 1
        // What is over is removed now and then, so that the list does not grow.
        if place.order.count > 2 * place.count + 64 {
            place.order.removeAll { entries[$0.id]?.number != $0.number || entries[$0.id]?.isStranger != true }
        }
        place.order.append((id, number))
    }

    fileprivate mutating func rest(_ id: ObjectIdentifier) {
        guard let entry = entries[id] else { return }
        lastNumber += 1
        entries[id]?.rested = lastNumber
        Self.rest(id, lastNumber, in: &all, entries)
        guard let address = entry.address, var place = places.removeValue(forKey: address) else { return }
        Self.rest(id, lastNumber, in: &place, entries)
        places[address] = place
    }

    private static func rest(
        _ id: ObjectIdentifier, _ number: UInt64, in place: inout Connections.Place,
        _ entries: [ObjectIdentifier: Connections.Entry]
    ) {
        if place.resting.count > 2 * place.count + 64 {
            place.resting.removeAll { entries[$0.id]?.rested != $0.number }
        }
        place.resting.append((id, number))
    }

    fileprivate mutating func endStranger(_ id: ObjectIdentifier) {
        guard let entry = entries[id], entry.isStranger else { return }
        entries[id]?.isStranger = false
        all.strangers -= 1
        if let address = entry.address { places[address]?.strangers -= 1 }
    }

    fileprivate mutating func remove(_ id: ObjectIdentifier) {
        endStranger(id)
        guard let entry = entries.removeValue(forKey: id) else { return }
        all.count -= 1
        guard let address = entry.address else { return }
        places[address]?.count -= 1
        if places[address]?.count == 0 { places[address] = nil }
    }

    /// Forgets the socket that others need least, of an address or of all, and returns it.
    fileprivate mutating func takeOne(of address: String?) -> (any Channel)? {
        takeResting(of: address) ?? takeStranger(of: address)
    }

    private mutating func takeResting(of address: String?) -> (any Channel)? {
        while true {
            let oldest = if let address { places[address]?.resting.popFirst() } else { all.resting.popFirst() }
            guard let oldest else { return nil }
            guard let entry = entries[oldest.id], entry.rested == oldest.number else { continue }
            remove(oldest.id)
            return entry.channel
        }
    }

    /// Forgets the oldest stranger, of an address or of all, and returns its socket.
    fileprivate mutating func takeStranger(of address: String?) -> (any Channel)? {
        while true {
            let oldest = if let address { places[address]?.order.popFirst() } else { all.order.popFirst() }
            guard let oldest else { return nil }
            guard let entry = entries[oldest.id], entry.number == oldest.number, entry.isStranger else { continue }
            remove(oldest.id)
            return entry.channel
        }
    }
}
