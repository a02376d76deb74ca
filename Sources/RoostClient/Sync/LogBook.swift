import RoostWire

/// Which log a row belongs to.
enum LogKey: Hashable, Sendable {
    case user
    case channel(ChannelID)
}

/// How far the client is in one log, and the rows that wait for the ones before them.
struct LogPosition {
    /// The newest row handed over; nothing while the place to start from is not known yet.
    private(set) var seq: Int64?
    /// The newest row that is known to exist.
    private(set) var head: Int64 = 0
    private(set) var held: [Int64: Event] = [:]
    /// Whether the missing range was asked for.
    var isFetching = false
    /// How often it started anew instead of going on.
    private(set) var starts = 0

    /// More than these are not kept: they will be read from the log anyway.
    static let heldMost = 500

    init(seq: Int64?) {
        self.seq = seq
        head = seq ?? 0
    }

    /// Whether rows are known to be missing.
    var hasGap: Bool { seq.map { head > $0 } ?? false }

    /// Takes a live row; returns whether it is the next one.
    mutating func takeNext(_ number: Int64) -> Bool {
        if let seq, number == seq &+ 1 {
            self.seq = number
            head = max(head, number)
            return true
        }
        return false
    }

    /// Keeps a row that came too early; drops one that was handed over.
    mutating func hold(_ event: Event, at number: Int64) {
        if let seq, number <= seq { return }
        head = max(head, number)
        if held.count >= Self.heldMost {
            guard let last = held.keys.max(), number < last else { return }
            held[last] = nil
        }
        held[number] = event
    }

    /// The next held row, if it is there.
    mutating func takeHeld() -> Event? {
        guard !held.isEmpty, let seq, let event = held.removeValue(forKey: seq &+ 1) else { return nil }
        self.seq = seq &+ 1
        return event
    }

    /// Learns that a row exists.
    mutating func learn(head number: Int64) { head = max(head, number) }

    /// Learns where to start, unless that is known already: rows that came meanwhile are handed over.
    mutating func start(at number: Int64) {
        guard seq == nil else { return }
        seq = min(number, (held.keys.min() ?? .max) - 1)
        head = max(head, number)
        starts &+= 1
    }

    /// Everything up to this row has been handed over, or is not to be.
    mutating func advance(to number: Int64) {
        guard number > seq ?? -1 else { return }
        seq = number
        head = max(head, number)
        if !held.isEmpty { held = held.filter { $0.key > number } }
    }

    /// Starts again at this row.
    mutating func reset(to number: Int64) {
        seq = number
        head = number
        starts &+= 1
        held = held.filter { $0.key > number }
        if let last = held.keys.max() { head = last }
    }
}

/// The positions in all logs of one user. It keeps the order of each log, and nothing else.
struct LogBook {
    private(set) var epoch: String?
    private(set) var user = LogPosition(seq: nil)
    private(set) var channels: [ChannelID: LogPosition] = [:]
    /// The open channels that the client takes part in.
    var open: Set<ChannelID> = []
    /// The newest row that was handed over of each channel that was lost during this connection.
    var endings: [ChannelID: Int64] = [:]
    /// How far the logs were followed since this was taken last, for a store; nothing is noted without one.
    private var moves: [LogKey: LogMove]?

    init(_ positions: SyncPositions? = nil, notesMoves: Bool = false) {
        moves = notesMoves ? [:] : nil
        guard let positions else { return }
        epoch = positions.epoch
        user = LogPosition(seq: positions.userSeq)
        for position in positions.channels { channels[position.channel] = LogPosition(seq: position.seq) }
        open = Set(positions.openChannels)
    }

    /// The place to go on from later.
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

    /// Changes one log, which is made when it does not exist.
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
        // A start anew may come to stand where the log was already: what was before is no part of it all the same.
        let joined = isNew ? move : moves?[key]?.then(move) ?? move
        moves?[key] = joined
    }

    /// How far the logs were followed since the last time.
    mutating func takeMoves() -> [LogKey: LogMove] {
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

    /// Forgets a channel that is lost. What may still come of it belongs to nobody.
    mutating func end(_ id: ChannelID) {
        if let seq = channels[id]?.seq { endings[id] = seq }
        forget(id)
    }

    /// The connection is gone: what was held will be read from the log.
    mutating func disconnected() {
        endings = [:]
        if let seq = user.seq { user = LogPosition(seq: seq) } else { user = LogPosition(seq: nil) }
        channels = channels.compactMapValues { log in log.seq.map { LogPosition(seq: $0) } }
    }

    /// Takes the epoch of the server over; every position of another one is void.
    /// - Returns: the channels whose positions became void.
    mutating func enter(epoch new: String) -> [ChannelID] {
        defer { epoch = new }
        guard let epoch, epoch != new else { return [] }
        let void = knownChannels
        user = LogPosition(seq: nil)
        channels = channels.filter { $0.value.seq == nil }
        return void
    }
}
