import RoostWire

/// The log to which a row belongs.
enum LogKey: Hashable, Sendable {
    case user
    case channel(ChannelID)
}

/// The position of the client in one log, and the rows that wait for earlier ones.
struct LogPosition {
    /// The newest row that was delivered; nil while the first position is not known.
    private(set) var seq: Int64?
    /// The newest row that is known to exist.
    private(set) var head: Int64 = 0
    private(set) var held: [Int64: Event] = [:]
    /// Whether the missing range was requested.
    var isFetching = false
    /// How often the log was reset.
    private(set) var starts = 0

    /// The most rows to hold; further ones are read from the log later.
    static let maxHeld = 500

    init(seq: Int64?) {
        self.seq = seq
        head = seq ?? 0
    }

    /// Whether rows are known to be missing.
    var hasGap: Bool { seq.map { head > $0 } ?? false }

    /// Accepts a live row if it is the next one; returns whether it is.
    mutating func accept(_ number: Int64) -> Bool {
        if let seq, number == seq &+ 1 {
            self.seq = number
            head = max(head, number)
            return true
        }
        return false
    }

    /// Holds a row that came too early; drops one that was delivered already.
    mutating func hold(_ event: Event, at number: Int64) {
        if let seq, number <= seq { return }
        head = max(head, number)
        if held.count >= Self.maxHeld {
            guard let last = held.keys.max(), number < last else { return }
            held[last] = nil
        }
        held[number] = event
    }

    /// The next held row, if it is there.
    mutating func dequeueHeld() -> Event? {
        guard !held.isEmpty, let seq, let event = held.removeValue(forKey: seq &+ 1) else { return nil }
        self.seq = seq &+ 1
        return event
    }

    /// Notes that a row exists.
    mutating func learn(head number: Int64) { head = max(head, number) }

    /// Sets the first position unless it is known; rows that came meanwhile can then be delivered.
    mutating func start(at number: Int64) {
        guard seq == nil else { return }
        seq = min(number, (held.keys.min() ?? .max) - 1)
        head = max(head, number)
        starts &+= 1
    }

    /// Notes that everything up to this row was delivered or is not visible.
    mutating func advance(to number: Int64) {
        guard number > seq ?? -1 else { return }
        seq = number
        head = max(head, number)
        if !held.isEmpty { held = held.filter { $0.key > number } }
    }

    /// Resets the log to this row.
    mutating func reset(to number: Int64) {
        seq = number
        head = number
        starts &+= 1
        held = held.filter { $0.key > number }
        if let last = held.keys.max() { head = last }
    }
}

/// The positions in all logs of one user.
struct LogBook {
    private(set) var epoch: String?
    private(set) var user = LogPosition(seq: nil)
    private(set) var channels: [ChannelID: LogPosition] = [:]
    /// The joined open channels.
    var open: Set<ChannelID> = []
    /// The newest delivered row of each channel that was lost during this connection.
    var endings: [ChannelID: Int64] = [:]
    /// The log moves since the last `drainMoves`, for a store; not recorded without one.
    private var moves: [LogKey: LogMove]?

    init(_ positions: SyncPositions? = nil, notesMoves: Bool = false) {
        moves = notesMoves ? [:] : nil
        guard let positions else { return }
        epoch = positions.epoch
        user = LogPosition(seq: positions.userSeq)
        for position in positions.channels { channels[position.channel] = LogPosition(seq: position.seq) }
        open = Set(positions.openChannels)
    }

    /// The positions from which to resume later.
    var positions: SyncPositions? {
        guard let epoch, let userSeq = user.seq else { return nil }
        let known = channels.compactMap { id, log in log.seq.map { ChannelPosition(channel: id, seq: $0) } }
        return SyncPositions(
            epoch: epoch, userSeq: userSeq, channels: known.sorted { $0.channel < $1.channel },
            openChannels: open.sorted())
    }

    subscript(key: LogKey) -> LogPosition? {
        switch key {
        case .user: user
        case .channel(let id): channels[id]
        }
    }

    /// Changes one log, which is created if it does not exist.
    mutating func change<T>(_ key: LogKey, _ body: (inout LogPosition) -> T) -> T {
        guard moves != nil else { return edit(key, body) }
        let (oldSeq, oldStarts) = (self[key]?.seq, self[key]?.starts ?? 0)
        defer {
            if let log = self[key], let seq = log.seq {
                let isNew = oldSeq == nil || log.starts != oldStarts
                note(LogMove(from: isNew ? seq : oldSeq ?? seq, to: seq), of: key, isNew: isNew)
            }
        }
        return edit(key, body)
    }

    private mutating func edit<T>(_ key: LogKey, _ body: (inout LogPosition) -> T) -> T {
        switch key {
        case .user: body(&user)
        case .channel(let id): body(&channels[id, default: LogPosition(seq: nil)])
        }
    }

    private mutating func note(_ move: LogMove, of key: LogKey, isNew: Bool) {
        guard isNew || move.from != move.to else { return }
        // A reset may set the position to where the log was already; what was before does not belong to it either way.
        let joined = isNew ? move : moves?[key]?.then(move) ?? move
        moves?[key] = joined
    }

    /// The store deletes the rows that were delivered so far: the moves since the last call only set positions.
    mutating func forgetRows() { moves = moves?.mapValues { LogMove(from: $0.to, to: $0.to) } }

    /// The log moves since the last call.
    mutating func drainMoves() -> [LogKey: LogMove] {
        guard let taken = moves, !taken.isEmpty else { return [:] }
        moves = [:]
        return taken
    }

    /// The channels with known positions.
    var knownChannels: [ChannelID] { channels.compactMap { $0.value.seq == nil ? nil : $0.key }.sorted() }

    mutating func forget(_ id: ChannelID) {
        channels[id] = nil
        open.remove(id)
        moves?[.channel(id)] = nil
    }

    /// Removes a channel that is lost. Rows of it that arrive later are ignored.
    mutating func end(_ id: ChannelID) {
        if let seq = channels[id]?.seq { endings[id] = seq }
        forget(id)
    }

    /// The connection is lost: held rows will be read from the log.
    mutating func disconnected() {
        endings = [:]
        if let seq = user.seq { user = LogPosition(seq: seq) } else { user = LogPosition(seq: nil) }
        channels = channels.compactMapValues { log in log.seq.map { LogPosition(seq: $0) } }
    }

    /// Sets the server's epoch; all positions of another epoch become invalid.
    /// - Returns: the channels whose positions became invalid.
    mutating func enter(epoch new: String) -> [ChannelID] {
        defer { epoch = new }
        guard let epoch, epoch != new else { return [] }
        let void = knownChannels
        user = LogPosition(seq: nil)
        channels = channels.filter { $0.value.seq == nil }
        return void
    }
}
