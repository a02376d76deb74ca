import RoostWire

/// What a server delivers to its own sessions, for the sessions of the other servers: of one commit, or between two.
///
/// The doorbells of one server are in order, and each names what the server had heard of others before it. Whoever has
/// all of that may apply the doorbell, without a look into the database.
package struct Doorbell: Sendable {
    /// The server, by the id in `nodes`.
    var node: String
    /// The name under which it writes the journal.
    var writer: String
    /// The last row of the journal that it has written.
    var number: Int64
    /// Whether that row is the commit that this doorbell is about.
    var isCommit = false
    /// What it had heard of others: the last row of each writer, except for what everybody has who has its last commit.
    var after: [String: Int64] = [:]
    /// The versions of channels that it has made.
    var versions: [ChannelID: Int64] = [:]
    var renamed: [UserID] = []
    var restricted: [UserID] = []
    var loggedOut: [CommitRecord.LoggedOut] = []
    var marks: [MovedMarks] = []
    /// Subscriptions that begin or end, and then rows and events, in the order in which they are delivered.
    var deliveries: [Delivery] = []

    /// A sign of life.
    init(node: String, writer: String, number: Int64) {
        self.node = node
        self.writer = writer
        self.number = number
    }

    /// Whether there is nothing in it.
    var isEmpty: Bool {
        !isCommit && versions.isEmpty && renamed.isEmpty && restricted.isEmpty && loggedOut.isEmpty && marks.isEmpty
            && deliveries.isEmpty
    }

    /// What the writers of other servers have to know; nil if they need not.
    var record: CommitRecord? {
        var record = CommitRecord()
        record.renamed = renamed
        record.restricted = restricted
        record.loggedOut = loggedOut
        record.marks = marks
        for case .unsubscribe(let user, let channel, let place) in deliveries {
            record.subscriptions.append(.init(user: user, channel: channel, isStart: false, place: place))
        }
        return record.concernsWriters ? record : nil
    }

    /// About how much memory it needs, in bytes.
    package var weight: Int {
        let moved = marks.reduce(0) { $0 + 200 + 100 * $1.marks.count }
        return deliveries.reduce(200 + 60 * versions.count + moved) { sum, delivery in
            switch delivery {
            case .row(let bytes, _, _), .event(let bytes, _, _): sum + 100 + bytes.count
            default: sum + 100
            }
        }
    }
}

extension Doorbell {
    /// Takes what others get of a batch; what only this server can deliver is left out.
    init(_ batch: Batch, node: String, end: JournalEnd, isCommit: Bool) {
        self.init(node: node, writer: end.writer, number: end.number)
        self.isCommit = isCommit
        versions = batch.versions
        renamed = Array(batch.features.elsewhere.renamed)
        restricted = Array(batch.features.elsewhere.restricted)
        loggedOut = Array(batch.features.elsewhere.loggedOut)
        marks = batch.movedMarks
        // A later row of a user's log may have arrived, and end the subscription that a row of this commit begins. So the
        // lane has to know of the beginning before that row.
        for delivery in batch.deliveries {
            if case .subscribe = delivery { deliveries.append(delivery) }
            if case .unsubscribe = delivery { deliveries.append(delivery) }
        }
        for delivery in batch.deliveries {
            switch delivery {
            case .row, .event: deliveries.append(delivery)
            case .moved, .filled, .reply, .attach, .participate, .withdraw, .end, .subscribe, .unsubscribe: break
            }
        }
    }
}

// MARK: Encoding

extension Doorbell {
    /// The first line of the encoded form; the events follow, each in a line.
    private struct Header: Codable {
        static let format = 1
        var format = Self.format
        var node: String
        var writer: String
        var number: Int64
        var isCommit: Bool?
        var after: [String: Int64]?
        var versions: [ChannelPosition]?
        var renamed: [UserID]?
        var restricted: [UserID]?
        var loggedOut: [CommitRecord.LoggedOut]?
        var marks: [MovedMarks]?
        var entries: [Entry]?

        // The names are short, as there is one for each commit.
        private enum CodingKeys: String, CodingKey {
            case format = "f"
            case node = "o"
            case writer = "w"
            case number = "i"
            case isCommit = "c"
            case after = "a"
            case versions = "v"
            case renamed = "n"
            case restricted = "x"
            case loggedOut = "l"
            case marks = "m"
            case entries = "d"
        }
    }

    private struct Entry: Codable {
        enum Kind: String, Codable {
            case row = "r"
            case moved = "m"
            case event = "e"
            case subscribe = "s"
            case unsubscribe = "u"
        }

        var kind: Kind
        var channel: ChannelID?
        var user: UserID?
        /// The row, the row before, or the place.
        var seq: Int64
        var userSeq: Int64?

        private enum CodingKeys: String, CodingKey {
            case kind = "k"
            case channel = "c"
            case user = "u"
            case seq = "s"
            case userSeq = "t"
        }
    }

    /// The most bytes of an encoded doorbell, below what a NATS server takes by default.
    static let maxBytes = 512 << 10

    /// Encodes it: what would make it too long is left out in a way that others read it from the database.
    package func encoded() throws -> [UInt8] {
        var entries: [Entry] = []
        var frames: [[UInt8]] = []
        let ids = versions.count + after.count + renamed.count + restricted.count + 2 * loggedOut.count
        let moved = marks.reduce(2 * marks.count) { $0 + 2 * $1.marks.count }
        var room = Self.maxBytes - 1_000 - 100 * (ids + moved)
        for delivery in deliveries {
            guard var (entry, frame) = Self.entry(delivery) else { continue }
            room -= 300
            if let bytes = frame {
                if bytes.count <= room {
                    room -= bytes.count
                } else if entry.kind == .row {
                    (entry.kind, frame) = (.moved, nil)
                } else {
                    room = -1
                }
            }
            entries.append(entry)
            if let frame { frames.append(frame) }
        }
        var header = Header(node: node, writer: writer, number: number)
        header.after = after.isEmpty ? nil : after
        // A number without its commit shows that there is one to read.
        if room >= 0 {
            header.isCommit = isCommit ? true : nil
            header.versions = versions.isEmpty ? nil : versions.map { ChannelPosition(channel: $0, seq: $1) }
            header.renamed = renamed.isEmpty ? nil : renamed
            header.restricted = restricted.isEmpty ? nil : restricted
            header.loggedOut = loggedOut.isEmpty ? nil : loggedOut
            header.marks = marks.isEmpty ? nil : marks
            header.entries = entries.isEmpty ? nil : entries
        } else {
            frames = []
        }
        var bytes = try WireCodec.encode(header)
        for frame in frames {
            bytes.append(UInt8(ascii: "\n"))
            bytes += frame
        }
        return bytes
    }

    private static func entry(_ delivery: Delivery) -> (Entry, [UInt8]?)? {
        switch delivery {
        case .row(let bytes, .channel(let id), let seq): (Entry(kind: .row, channel: id, seq: seq), bytes)
        case .row(let bytes, .user(let id), let seq): (Entry(kind: .row, user: id, seq: seq), bytes)
        case .event(let bytes, .channel(let id), let after): (Entry(kind: .event, channel: id, seq: after), bytes)
        case .event(let bytes, .others(let id, let except), let after):
            (Entry(kind: .event, channel: id, user: except, seq: after), bytes)
        case .event(let bytes, .user(let id), let after): (Entry(kind: .event, user: id, seq: after), bytes)
        case .subscribe(let user, let channel, let place):
            (Entry(kind: .subscribe, channel: channel, user: user, seq: place.seq, userSeq: place.userSeq), nil)
        case .unsubscribe(let user, let channel, let place):
            (Entry(kind: .unsubscribe, channel: channel, user: user, seq: place.seq, userSeq: place.userSeq), nil)
        case .moved, .filled, .reply, .attach, .participate, .withdraw, .end: nil
        }
    }

    /// Decodes what another server has encoded.
    /// - Throws: an error if it is something else, or of a version that this one does not know.
    package init(decoding bytes: [UInt8]) throws {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let header = try WireCodec.decode(Header.self, from: Array(lines[0]))
        guard header.format == Header.format, Self.numbers.contains(header.number) else { throw WireError(.dataFormat) }
        self.init(node: header.node, writer: header.writer, number: header.number)
        isCommit = header.isCommit ?? false
        after = header.after ?? [:]
        versions = Dictionary((header.versions ?? []).map { ($0.channel, $0.seq) }) { max($0, $1) }
        renamed = header.renamed ?? []
        restricted = header.restricted ?? []
        loggedOut = header.loggedOut ?? []
        marks = header.marks ?? []
        var frames = lines.dropFirst()
        for entry in header.entries ?? [] { deliveries.append(try Self.delivery(entry, &frames)) }
        guard frames.isEmpty else { throw WireError(.dataFormat) }
    }

    /// What a number of a row can be.
    private static let numbers: ClosedRange<Int64> = 0...(1 << 53)

    private static func delivery(_ entry: Entry, _ frames: inout ArraySlice<ArraySlice<UInt8>>) throws -> Delivery {
        var frame: [UInt8] {
            get throws {
                guard let bytes = frames.popFirst() else { throw WireError(.dataFormat) }
                return Array(bytes)
            }
        }
        guard numbers.contains(entry.seq), numbers.contains(entry.userSeq ?? 0) else { throw WireError(.dataFormat) }
        switch (entry.kind, entry.channel, entry.user) {
        case (.row, let id?, nil): return .row(try frame, of: .channel(id), seq: entry.seq)
        case (.row, nil, let id?): return .row(try frame, of: .user(id), seq: entry.seq)
        case (.moved, let id?, nil): return .moved(.channel(id), seq: entry.seq)
        case (.moved, nil, let id?): return .moved(.user(id), seq: entry.seq)
        case (.event, let id?, nil): return .event(try frame, to: .channel(id), after: entry.seq)
        case (.event, let id?, let user?): return .event(try frame, to: .others(id, except: user), after: entry.seq)
        case (.event, nil, let id?): return .event(try frame, to: .user(id), after: entry.seq)
        case (.subscribe, let id?, let user?):
            return .subscribe(user, id, at: SubscriptionPlace(seq: entry.seq, userSeq: entry.userSeq ?? 0))
        case (.unsubscribe, let id?, let user?):
            return .unsubscribe(user, id, at: SubscriptionPlace(seq: entry.seq, userSeq: entry.userSeq ?? 0))
        default: throw WireError(.dataFormat)
        }
    }
}
