import Logging
import RoostWire
import Synchronization

/// What a server has heard over the bus, and what it has to say there.
struct Doorbells {
    /// The id of this server in `nodes`.
    var node = ""
    /// The other servers that are alive.
    var others: Set<String> = []
    /// When a server was last heard, in µs of `Effects.uptime`.
    var heardAt: [String: Int64] = [:]
    /// Whether all others are heard; nil as long as that is not known after the start.
    var isUp: Bool?
    /// Since when it is not known, in µs of `Effects.uptime`.
    var unknownSince: Int64?
    /// When this server was last heard by others, and has last looked into the journal, in µs of `Effects.uptime`.
    var rungAt: Int64?
    var lookedAt: Int64?
    /// Doorbells of this server that are not rung yet.
    private(set) var own: [Waiting] = []
    /// The last row of the journal for which it has rung.
    var rung: Int64 = 0
    /// What everybody has who has the last commit of this server: the last row of each writer that had been read when its
    /// transaction began.
    private var told: [String: Int64] = [:]
    /// Doorbells of others that have come before what they name as known.
    private(set) var early: [Waiting] = []
    private var (ownWeight, earlyWeight) = (0, 0)

    /// A doorbell that waits.
    struct Waiting {
        /// The read that it waits for; 0 for none.
        var read: Int64
        var doorbell: Doorbell
        /// What was read when its transaction began.
        var readBefore: [String: Int64] = [:]
    }

    /// The most bytes that wait to be rung, and to be applied.
    private static let maxWeight = 8 << 20

    /// The newest versions of channels that others have made; all changes up to them are handed over to the lanes. Those
    /// that were heard long ago are forgotten, which costs a read.
    private var versions: [ChannelID: Int64] = [:]
    private var olderVersions: [ChannelID: Int64] = [:]
    private static let maxVersions = 50_000

    func version(of channel: ChannelID) -> Int64 { versions[channel] ?? olderVersions[channel] ?? 0 }

    /// - Returns: whether all others are heard, if that has changed.
    mutating func update(_ new: Bool, at uptime: Int64) -> Bool? {
        let since = unknownSince ?? uptime
        unknownSince = since
        // A server that starts is not heard at once.
        if isUp == nil, !new, uptime - since < 5_000_000 { return nil }
        defer { isUp = new }
        return isUp == new ? nil : new
    }

    /// Keeps a doorbell of another server for later.
    mutating func keep(_ waiting: Waiting) {
        earlyWeight += waiting.doorbell.weight
        if earlyWeight <= Self.maxWeight { early.append(waiting) } else { earlyWeight -= waiting.doorbell.weight }
    }

    /// Returns the doorbells of others that were kept, in the order in which they have come.
    mutating func takeEarly() -> [Waiting] {
        defer { (early, earlyWeight) = ([], 0) }
        return early
    }

    /// Adds a doorbell of this server. If too much waits, all of it is dropped: the numbers show it.
    mutating func add(_ waiting: Waiting) {
        ownWeight += waiting.doorbell.weight
        own.append(waiting)
        if ownWeight > Self.maxWeight { dropOwn() }
    }

    mutating func dropOwn() { (own, ownWeight) = ([], 0) }

    /// Removes and returns the next doorbell of this server, if it need not wait.
    mutating func nextDue(finished: Int64, read: [String: Int64]) -> Doorbell? {
        guard let next = own.first, next.read <= finished else { return nil }
        own.removeFirst()
        ownWeight -= next.doorbell.weight
        var doorbell = next.doorbell
        doorbell.after = read.filter { told[$0.key] != $0.value }
        if doorbell.isCommit { told = next.readBefore }
        rung = doorbell.number
        return doorbell
    }

    mutating func note(_ new: [ChannelID: Int64]) {
        if versions.count > Self.maxVersions { (olderVersions, versions) = (versions, [:]) }
        for (channel, version) in new { versions[channel] = max(version, self.version(of: channel)) }
    }
}

/// What comes over the bus, and goes over it.
extension Journal {
    /// The time between two signs of life, and between two looks if all others are heard, in µs.
    private static let interval: Int64 = 1_000_000
    /// Who was not heard for this time is not heard at all, in µs.
    private static let silenceOnBus: Int64 = 3_000_000

    /// Takes note of the servers that are alive.
    func note(nodes others: Set<String>, own node: String) {
        state.withLock { state in
            state.doorbells.node = node
            state.doorbells.others = others
            state.doorbells.heardAt = state.doorbells.heardAt.filter { others.contains($0.key) }
        }
    }

    /// Whether another server has changed a channel since this state of it.
    func hasHeard(ofNewer channel: ChannelState) -> Bool {
        bus != nil && state.withLock { $0.doorbells.version(of: channel.id) > channel.version }
    }

    /// Whether all other servers are heard over the bus; nil if there is none.
    var isBusUp: Bool? { bus == nil ? nil : state.withLock { $0.doorbells.isUp == true } }

    /// To be called every 250 ms: looks into the journal if that is due, and shows others that this server is alive.
    func look() {
        let now = effects.uptime()
        let (isDue, sign, change): (Bool, Doorbell?, Bool?) = state.withLock { state in
            let isUp =
                bus?.isConnected == true
                && state.doorbells.others.allSatisfy { other in
                    (state.doorbells.heardAt[other] ?? .min) > now - Self.silenceOnBus
                }
            let change = state.doorbells.update(isUp, at: now)
            let isDue = !isUp || state.doorbells.lookedAt.map { now - $0 >= Self.interval } ?? true
            if isDue { state.doorbells.lookedAt = now }
            let isSilent = state.doorbells.rungAt.map { now - $0 >= Self.interval } ?? true
            guard bus != nil, isSilent, let own = state.own else { return (isDue, nil, change) }
            state.doorbells.rungAt = now
            let number = state.doorbells.own.isEmpty ? state.published : state.doorbells.rung
            return (isDue, Doorbell(node: state.doorbells.node, writer: own, number: number), change)
        }
        if let sign { bus?.publish(sign) }
        if bus != nil, let change {
            let meaning: Logger.Message =
                change ? "the bus is up" : "the bus is down: what others write arrives within 0.3 s, typing does not"
            logger.notice(meaning)
        }
        if isDue { read() }
    }

    // MARK: Hearing

    private enum Fate { case known, next, early }

    /// Takes what another server has sent over the bus.
    func hear(_ doorbell: Doorbell) {
        let isMissing = turn.withLock { _ in
            switch fate(of: doorbell, isNew: true) {
            case .known: return false
            case .next:
                apply(doorbell)
                applyEarly()
                return false
            case .early:
                state.withLock { $0.doorbells.keep(.init(read: $0.reads + 1, doorbell: doorbell)) }
                return true
            }
        }
        guard isMissing else { return }
        logger.debug("commits are missing on the bus: the journal is read", metadata: ["number": "\(doorbell.number)"])
        read()
    }

    private func fate(of doorbell: Doorbell, isNew: Bool) -> Fate {
        state.withLock { state in
            guard let own = state.own, doorbell.node != state.doorbells.node, !state.isStopped else { return .known }
            if isNew {
                state.doorbells.heardAt[doorbell.node] = effects.uptime()
                state.doorbells.others.insert(doorbell.node)
            }
            let last = state.read[doorbell.writer] ?? 0
            if doorbell.isCommit, doorbell.number <= last { return .known }
            // What others have committed before may be among the records that were not read.
            guard !state.isPartial, doorbell.number <= last + (doorbell.isCommit ? 1 : 0) else { return .early }
            let isComplete = doorbell.after.allSatisfy { writer, number in
                number <= (writer == own ? state.published : state.read[writer] ?? 0)
            }
            return isComplete ? .next : .early
        }
    }

    private func apply(_ doorbell: Doorbell) {
        handOver(doorbell.deliveries)
        // Only now, as whoever finds it here relies on the lanes.
        state.withLock { state in
            state.doorbells.note(doorbell.versions)
            guard doorbell.isCommit else { return }
            state.read[doorbell.writer] = doorbell.number
            state.movedAt[doorbell.writer] = effects.uptime()
        }
        if let record = doorbell.record { onRecord(record) }
    }

    /// Applies the doorbells whose turn has come. Called in its turn.
    /// - Parameter read: a read that has found all there was when it began.
    func applyEarly(afterRead read: Int64 = 0) {
        var hasMoved = true
        while hasMoved {
            hasMoved = false
            for waiting in state.withLock({ $0.doorbells.takeEarly() }) {
                let hasAll = waiting.read <= read
                if hasAll { skipRemoved(before: waiting.doorbell) }
                switch fate(of: waiting.doorbell, isNew: false) {
                case .known: break
                case .next:
                    apply(waiting.doorbell)
                    hasMoved = true
                case .early: if !hasAll { state.withLock { $0.doorbells.keep(waiting) } }
                }
            }
        }
    }

    /// What a doorbell names and a read that began later has not found, has been removed from the journal after its time.
    private func skipRemoved(before doorbell: Doorbell) {
        state.withLock { state in
            var numbers = doorbell.after
            numbers[doorbell.writer] = doorbell.number - (doorbell.isCommit ? 1 : 0)
            for (writer, number) in numbers where writer != state.own && number > state.read[writer] ?? 0 {
                state.read[writer] = number
                state.movedAt[writer] = effects.uptime()
            }
        }
    }

    // MARK: Ringing

    /// The id of this server, if there is anybody who could hear it.
    var audience: String? {
        guard bus != nil else { return nil }
        return state.withLock { $0.doorbells.others.isEmpty ? nil : $0.doorbells.node }
    }

    /// Tells other servers what was committed, after what was committed before.
    /// - Parameter read: the read that this server waits for before it delivers all of that to its own sessions.
    func ring(_ doorbell: Doorbell, afterRead read: Int64?) {
        state.withLock { state in
            state.doorbells.add(.init(read: read ?? 0, doorbell: doorbell, readBefore: state.readBefore))
        }
        ringDue()
    }

    /// Rings for what is delivered here.
    func ringDue() {
        guard let bus else { return }
        state.withLock { state in
            while let doorbell = state.doorbells.nextDue(finished: state.finished, read: state.read) {
                state.doorbells.rungAt = effects.uptime()
                bus.publish(doorbell)
            }
        }
    }
}
