import RoostWire

@testable import RoostClient

/// A server for one user as a value: the logs, the answers and one connection, as the protocol defines them.
///
/// `ModelServerTests` compares it with the real server.
struct ModelServer {
    var epoch = "e1"
    /// The server's time.
    var time: Int64 = 0
    let me: User
    var rows: [ChannelID: [Event]] = [:]
    /// Rows that the user may not see, or no longer.
    var hidden: [ChannelID: Set<Int64>] = [:]
    var members: Set<ChannelID> = []
    /// The channels that the user was removed from.
    private var former: Set<ChannelID> = []
    var open: Set<ChannelID> = []
    var userLog: [Event] = []
    /// The position up to which it is no longer kept.
    private var ownPurged = 0
    /// The channels that the user has hidden, each with its newest row at that moment.
    private var unlisted: [ChannelID: Int64] = [:]
    /// The user's read marks.
    var marks: [ChannelID: Int64] = [:]
    /// The accepted sends, by transID.
    var accepted: [String: Acknowledgement] = [:]
    /// The contents of the accepted sends, by transID, without `after`.
    private var contents: [String: SendMessage] = [:]
    var resumeRows = 3
    /// The maximum number of missing rows of a channel that `resume` returns.
    var farRows: Int64 = 10_000
    var pageRows = 4
    /// The errors with which the next sends are refused.
    var refusals: [WireError] = []
    /// The tokens that came with renewals.
    private(set) var renewals: [String] = []
    /// The number of next renewals to refuse.
    var refusedRenewals = 0
    /// The same for `resume`.
    var resumeRefusals: [WireError] = []

    // The only connection.
    var isConnected = false
    var isWelcome = false
    var participating: Set<ChannelID> = []
    var outbox: [ServerFrame] = []
    var commands: [String] = []
    /// Whether the connection has not yet received everything that it missed.
    private var isPulling = false
    /// The number of sends that arrived before that.
    private(set) var earlySends = 0

    init(me: User) { self.me = me }

    func head(_ id: ChannelID) -> Int64 { Int64(rows[id]?.count ?? 0) }

    func texts(_ id: ChannelID) -> [String] {
        (rows[id] ?? []).compactMap {
            if case .channel(.messageSent(let message)) = $0.body { message.text } else { nil }
        }
    }

    mutating func connect() {
        disconnect()
        isConnected = true
    }

    mutating func disconnect() {
        isConnected = false
        isWelcome = false
        participating = []
        outbox = []
    }

    mutating func heartbeat() {
        guard isWelcome else { return }
        let heads = followed.sorted().map { ChannelPosition(channel: $0, seq: head($0)) }
        let positions = Positions(userSeq: Int64(userLog.count), channels: heads)
        outbox.append(.event(Event(body: .ephemeral(.positions(positions)))))
    }

    private var followed: Set<ChannelID> { members.union(participating) }

    /// Appends a message, and delivers it if the connection follows the channel.
    @discardableResult
    mutating func write(_ text: String, to id: ChannelID, by sender: UserID, transID: TransID? = nil) -> Event {
        let seq = head(id) + 1
        let message = Message(
            messageID: MessageID(sentAt: seq, seq: seq, salt: 0), content: MessageContent(text: text), senderName: "n",
            count: seq)
        return append(.channel(.messageSent(message)), to: id, by: sender, transID: transID)
    }

    /// Appends a row to a channel's log, and delivers it if the connection follows the channel.
    @discardableResult
    mutating func append(
        _ body: EventBody, to id: ChannelID, by sender: UserID?, transID: TransID? = nil
    ) -> Event {
        let seq = head(id) + 1
        let event = Event(
            channel: id, seq: seq, senderID: sender, transID: transID, sentAt: .init(milliseconds: seq), body: body)
        let isRead = sender == me.userID && event.messageID != nil && unread(id) == 0
        rows[id, default: []].append(event)
        if isWelcome, followed.contains(id) { outbox.append(.event(event)) }
        if isRead { moveMark(toOwn: seq, in: id) }
        return event
    }

    /// Moves the user's mark to a row of their own, and announces it if it was not at the row before.
    private mutating func moveMark(toOwn seq: Int64, in id: ChannelID) {
        let old = marks[id] ?? 0
        marks[id] = seq
        if old != seq - 1, isWelcome, followed.contains(id) { announceMark(at: seq, in: id) }
    }

    private mutating func announceMark(at seq: Int64, in id: ChannelID) {
        let mark = ReadMark(userID: me.userID, seq: seq, count: 0, readAt: .init(milliseconds: 0))
        outbox.append(
            .event(
                Event(
                    channel: id, senderID: me.userID,
                    body: .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1))))))
    }

    /// Removes the user from a channel: a row in the channel's log, then one in the user's own log.
    mutating func kick(from id: ChannelID, by sender: UserID) {
        append(.channel(.memberKicked(MembersRemoved(members: [me], memberCount: 1))), to: id, by: sender)
        members.remove(id)
        former.insert(id)
        append(.user(.channelLeft(ChannelLeft(channel: id, reason: .kicked))))
    }

    /// Recalls a message: its row becomes a shell, and a new row reports the recall.
    mutating func recall(_ seq: Int64, in id: ChannelID, isSilent: Bool, by sender: UserID) {
        guard let row = rows[id]?[Int(seq) - 1], case .channel(.messageSent(let message)) = row.body,
            message.recall == nil,
            seq > purged(id)
        else { return }
        // A user who had read everything has read this, too.
        let wasRead = sender == me.userID && marks[id] ?? 0 == head(id)
        let recall = Recall(isSilent: isSilent, at: .init(milliseconds: head(id) + 1), byUserID: sender, byName: "n")
        rows[id]?[Int(seq) - 1].body = .channel(.messageSent(message.recalled(recall)))
        let recalled = RecalledMessage(
            messageID: message.messageID, seq: seq, senderID: row.senderID, wasCounted: true)
        append(
            .channel(.messageRecalled(MessagesRecalled(messages: [recalled], isSilent: isSilent, byName: "n"))), to: id,
            by: sender)
        if wasRead { moveMark(toOwn: head(id), in: id) }
    }

    /// Adds a user's emoji to a message, or removes it if the message has it.
    mutating func react(_ emoji: String, to seq: Int64, in id: ChannelID, by sender: UserID) {
        guard let row = rows[id]?[Int(seq) - 1], case .channel(.messageSent(let message)) = row.body,
            message.recall == nil, seq > purged(id)
        else { return }
        var users: Set<UserID> = []
        for row in rows[id] ?? [] {
            guard let user = row.senderID else { continue }
            switch row.body {
            case .channel(.reactionAdded(let change)) where change.seq == seq && change.emoji == emoji:
                users.insert(user)
            case .channel(.reactionRemoved(let change)) where change.seq == seq && change.emoji == emoji:
                users.remove(user)
            default: break
            }
        }
        let isAdded = users.remove(sender) == nil
        if isAdded { users.insert(sender) }
        let change = ReactionChanged(
            messageID: message.messageID, seq: seq, emoji: emoji, count: users.count, byName: "n")
        append(.channel(isAdded ? .reactionAdded(change) : .reactionRemoved(change)), to: id, by: sender)
    }

    /// A row as in a page: a message with its reactions.
    func read(_ row: Event) -> Event {
        guard row.messageID != nil, let id = row.channel else { return row }
        var event = (rows[id] ?? []).reduce(row) { $0.after($1, viewer: me.userID) }
        event.reactions = event.reactions.flatMap { reactions in
            reactions.kinds.isEmpty ? nil : MessageReactions(head: head(id), kinds: reactions.kinds)
        }
        return event
    }

    /// Deletes a message only for the user.
    mutating func delete(_ seq: Int64, in id: ChannelID) {
        guard let row = rows[id]?[Int(seq) - 1], let message = row.messageID, isVisible(row) else { return }
        hide(seq, in: id)
        append(
            .user(
                .messageDeleted(
                    MessagesDeleted(
                        channel: id, messages: [DeletedMessage(messageID: message, seq: seq)], unread: unread(id)))))
    }

    /// The row up to which rows were purged.
    func purged(_ id: ChannelID) -> Int64 {
        (rows[id] ?? []).compactMap {
            if case .channel(.channelPurged(let purged)) = $0.body { purged.upTo } else { nil }
        }.max()
            ?? 0
    }

    /// Purges rows.
    mutating func purge(to seq: Int64, in id: ChannelID) {
        guard seq > purged(id), seq <= head(id) else { return }
        marks[id] = max(marks[id] ?? 0, seq)
        append(.channel(.channelPurged(ChannelPurged(upTo: seq, count: seq))), to: id, by: nil)
    }

    /// Whether pages show the user a row: not one that was deleted, purged or recalled silently, and not such a recall.
    func isVisible(_ row: Event) -> Bool {
        guard let id = row.channel, let seq = row.seq, hidden[id]?.contains(seq) != true, seq > purged(id) else {
            return false
        }
        switch row.body {
        case .channel(.messageSent(let message)): return message.recall?.isSilent != true
        case .channel(.messageRecalled(let recalled)): return !recalled.isSilent
        default: return true
        }
    }

    func unread(_ id: ChannelID) -> Int {
        (rows[id] ?? []).filter { row in
            guard case .channel(.messageSent(let message)) = row.body, row.senderID != me.userID else { return false }
            return row.seq ?? 0 > marks[id] ?? 0 && message.recall == nil && isVisible(row)
        }.count
    }

    func lastMessage(_ id: ChannelID) -> Event? {
        (rows[id] ?? []).last { if case .channel(.messageSent) = $0.body { isVisible($0) } else { false } }
    }

    func snapshot(_ id: ChannelID) -> Channel {
        Channel(
            channel: id, kind: .group, memberCount: 1, members: [], seq: head(id), count: head(id),
            unread: unread(id), readSeq: marks[id] ?? 0, role: .participant, lastMessage: lastMessage(id),
            lastActivityAt: .init(milliseconds: head(id)), purgedTo: purged(id) > 0 ? purged(id) : nil,
            isHidden: unlisted[id].map { lastMessage(id)?.seq ?? 0 <= $0 } == true ? true : nil)
    }

    /// Hides a channel from the user's list.
    mutating func unlist(_ id: ChannelID) {
        unlisted[id] = head(id)
        let position = ChannelPosition(channel: id, seq: head(id))
        append(.user(.channelHidden(ChannelsHidden(channels: [position], isAll: false))))
    }

    /// Purges the user's own log.
    mutating func forgetOwn() { ownPurged = userLog.count }

    mutating private func setMark(_ set: SetReadMark, id: String) throws {
        let seq = min(set.seq ?? .max, head(set.channel))
        let old = marks[set.channel] ?? 0
        marks[set.channel] = max(old, seq)
        let mark = ReadMark(userID: me.userID, seq: max(old, seq), count: 0, readAt: .init(milliseconds: 0))
        try answer(id, SetReadMark.Answer(channel: set.channel, mark: mark, unread: unread(set.channel)))
        if seq > old { announceMark(at: seq, in: set.channel) }
    }

    /// Makes rows invisible for the user.
    mutating func hide(_ seqs: Int64..., in id: ChannelID) { hidden[id, default: []].formUnion(seqs) }

    /// Another user creates a channel with the user as a member.
    mutating func create(_ id: ChannelID) { gain(id, .created) }

    /// Another user makes the user a member of a channel that already has this many rows: a row in the user's own log,
    /// then one in the channel's log, up to which the user has read.
    mutating func invite(to id: ChannelID, by sender: UserID = Names.ben.userID) {
        gain(id, .invited)
        marks[id] =
            append(.channel(.memberInvited(MembersInvited(members: [me], memberCount: 2))), to: id, by: sender).seq
    }

    private mutating func gain(_ id: ChannelID, _ reason: ChannelJoined.Reason) {
        members.insert(id)
        former.remove(id)
        append(
            .user(
                .channelJoined(
                    ChannelJoined(
                        channel: id, kind: .group, title: nil, role: .participant, members: [], memberCount: 2,
                        fromSeq: head(id), count: head(id), isHidden: false, reason: reason))))
    }

    mutating func append(_ body: EventBody) {
        let event = Event(userSeq: Int64(userLog.count) + 1, sentAt: .init(milliseconds: 0), body: body)
        userLog.append(event)
        if isWelcome { outbox.append(.event(event)) }
    }

    /// Restores a database that has different rows with the same numbers.
    mutating func restore(epoch new: String) {
        epoch = new
        for id in rows.keys {
            rows[id] = Array((rows[id] ?? []).dropLast(2))
            let head = head(id)
            hidden[id] = hidden[id]?.filter { $0 <= head }
            marks[id] = marks[id].map { min($0, head) }
        }
        let kept = Set(rows.values.joined().compactMap { $0.transID?.rawValue })
        accepted = accepted.filter { kept.contains($0.key) }
        // A copy of one moment: it has no deletions of messages that it does not contain.
        let end = userLog.firstIndex { event in
            guard case .user(.messageDeleted(let deleted)) = event.body else { return false }
            return deleted.messages.contains { $0.seq > head(deleted.channel) }
        }
        userLog = Array(userLog.prefix(max(0, min(end ?? .max, userLog.count - 1))))
        ownPurged = min(ownPurged, userLog.count)
    }

    mutating func receive(_ bytes: [UInt8]) throws {
        guard isConnected else { return }
        let frame = try WireCodec.decodeClientFrame(bytes)
        commands.append(frame.command.name)
        switch frame.command {
        case .hello:
            isWelcome = true
            isPulling = true
            try answer(
                frame.id,
                Welcome(
                    user: me, isOperator: false, serverTime: .init(milliseconds: time), epoch: epoch, heartbeat: 25_000,
                    limits: Limits(pageRows: pageRows), userSeq: Int64(userLog.count)))
        case .renew(let renewal):
            renewals.append(renewal.token)
            if refusedRenewals > 0 {
                refusedRenewals -= 1
                return refuse(frame.id, .wrongCredentials)
            }
            try answer(frame.id, RenewSession.Answer(expiresAt: .init(milliseconds: 0)))
        case .read(.resume(let resume)):
            let seqs = [resume.userSeq ?? 0] + resume.channels.map(\.seq)
            guard seqs.allSatisfy({ $0 >= 0 }), resume.channels.count <= 1_000,
                Set(resume.channels.map(\.channel)).count == resume.channels.count
            else { return refuse(frame.id, .dataFormat) }
            if !resumeRefusals.isEmpty {
                return outbox.append(.failure(id: frame.id, error: resumeRefusals.removeFirst()))
            }
            let page = self.resume(resume)
            if !page.hasMore { isPulling = false }
            try answer(frame.id, page)
        case .read(.listMessages(let list)):
            let cursors = [list.before, list.after, list.around].compactMap { $0 }
            guard (1...pageRows).contains(list.limit ?? 50), cursors.count <= 1, cursors.allSatisfy({ $0 >= 0 }) else {
                return refuse(frame.id, .dataFormat)
            }
            if let code = refusal(of: list.channel) { return refuse(frame.id, code) }
            try answer(frame.id, history(list))
        case .move(.joinChannel(let join)):
            if members.contains(join.channel) { return refuse(frame.id, .channelTypeMismatch) }
            if former.contains(join.channel) { return refuse(frame.id, .notMember) }
            open.insert(join.channel)
            participating.insert(join.channel)
            try answer(frame.id, openSnapshot(join.channel))
        case .write(.sendMessage(let send)):
            if isPulling { earlySends += 1 }
            try accept(send, id: frame.id)
        case .read(.getChannel(let get)):
            if let code = refusal(of: get.channel) { return refuse(frame.id, code) }
            try answer(
                frame.id, members.contains(get.channel) ? snapshot(get.channel) : openSnapshot(get.channel))
        case .move(.setReadMark(let set)):
            if set.seq ?? 0 < 0 { return refuse(frame.id, .dataFormat) }
            if let code = refusal(of: set.channel) { return refuse(frame.id, code) }
            if open.contains(set.channel) { return refuse(frame.id, .channelTypeMismatch) }
            try setMark(set, id: frame.id)
        default: try answer(frame.id, Done())
        }
    }

    private mutating func accept(_ send: SendMessage, id: String) throws {
        var content = send
        content.after = nil
        if let known = accepted[id] {
            guard (contents[id] ?? content) == content else { return refuse(id, .duplicateTransID) }
            return try answer(id, known)
        }
        do throws(WireError) {
            try MessageRules.check(send, limits: Limits())
        } catch {
            return outbox.append(.failure(id: id, error: error))
        }
        if let after = send.after, accepted[after.rawValue] == nil { return refuse(id, .orderBroken) }
        if !refusals.isEmpty { return outbox.append(.failure(id: id, error: refusals.removeFirst())) }
        if former.contains(send.channel) { return refuse(id, .notMember) }
        // In dev mode, the first send creates an open channel.
        if !members.contains(send.channel) { open.insert(send.channel) }
        if send.text.hasPrefix("bad") { return refuse(id, .invalidContent) }
        guard let transID = TransID(rawValue: id) else { return }
        var acknowledgement = Acknowledgement(channel: send.channel, transID: transID, sentAt: .init(milliseconds: 0))
        let type = send.type ?? MessageType.text.name
        if let behaviour = MessageType.named(type)?.behaviour(attributes: send.attributes), !behaviour.isStored {
            if behaviour.isRealtime { relay(send, transID) }
        } else {
            acknowledgement.seq = write(send.text, to: send.channel, by: me.userID, transID: transID).seq
        }
        acknowledgement.messageID = MessageID(sentAt: 0, seq: acknowledgement.seq ?? 0, salt: 0)
        accepted[id] = acknowledgement
        contents[id] = content
        try answer(id, acknowledgement)
    }

    /// Relays a message without a row.
    private mutating func relay(_ send: SendMessage, _ transID: TransID) {
        guard isWelcome, followed.contains(send.channel) else { return }
        let message = Message(
            messageID: MessageID(sentAt: 0, seq: 0, salt: 0),
            content: MessageContent(
                type: send.type ?? MessageType.text.name, text: send.text, attributes: send.attributes),
            senderName: "n", count: head(send.channel))
        outbox.append(
            .event(
                Event(
                    channel: send.channel, senderID: me.userID, transID: transID,
                    body: .ephemeral(.messageRelayed(message)))))
    }

    /// The reason why the user may not read a channel; nil if the user is a member or the channel is open.
    private func refusal(of id: ChannelID) -> ErrorCode? {
        if members.contains(id) || open.contains(id) { return nil }
        return former.contains(id) ? .notMember : .channelNotFound
    }

    private mutating func refuse(_ id: String, _ code: ErrorCode) {
        outbox.append(.failure(id: id, error: WireError(code)))
    }

    private func openSnapshot(_ id: ChannelID) -> Channel {
        Channel(
            channel: id, kind: .open, memberCount: 1, members: [], seq: head(id), count: 0,
            lastActivityAt: .init(milliseconds: 0))
    }

    private mutating func answer(_ id: String, _ value: some Encodable) throws {
        outbox.append(.result(id: id, body: try WireCodec.encode(value)))
    }

    func history(_ list: ListMessages) -> ListMessages.Answer {
        let seen = (rows[list.channel] ?? []).filter { row in
            isVisible(row) && (list.onlyShown != true || EventName(rawValue: row.name)?.isShown == true)
        }
        let limit = list.limit ?? 50
        // The page starts, ends or is centred here.
        let position = list.after.map { min($0, head(list.channel)) + 1 } ?? list.around ?? list.before ?? .max
        let (before, from) = (seen.filter { $0.seq ?? 0 < position }, seen.filter { $0.seq ?? 0 >= position })
        let older = before.suffix(list.after != nil ? 0 : list.around != nil ? limit / 2 : limit)
        let newer = from.prefix(list.after != nil ? limit : list.around != nil ? limit - older.count : 0)
        let (hasBefore, hasAfter) = (older.count < before.count, newer.count < from.count)
        let first = hasBefore ? older.first?.seq ?? position : 1
        let reached = hasAfter ? newer.last?.seq ?? position - 1 : head(list.channel)
        return ListMessages.Answer(
            events: (older + newer).map(read), hasBefore: hasBefore, hasAfter: hasAfter, seq: head(list.channel),
            from: list.after == nil ? first : position,
            to: list.before == nil ? reached : min(position - 1, head(list.channel)))
    }

    private mutating func resume(_ resume: Resume) -> Resume.Answer {
        var found: [Event] = []
        var resets: [Reset] = []
        let isOther = resume.epoch != nil && resume.epoch != epoch
        for position in resume.channels where open.contains(position.channel) { participating.insert(position.channel) }
        if let from = resume.userSeq {
            if isOther || from > userLog.count {
                resets.append(Reset(seq: Int64(userLog.count), reason: isOther ? .epoch : .ahead))
            } else if from < ownPurged {
                resets.append(Reset(seq: Int64(userLog.count), reason: .tooFar))
            } else {
                found += userLog[Int(from)...]
            }
        }
        var ranges: [ChannelPosition] = []
        for position in resume.channels {
            let id = position.channel
            if refusal(of: id) != nil {
                resets.append(Reset(channel: id, seq: 0, reason: .gone))
            } else if isOther || position.seq > head(id) {
                resets.append(Reset(channel: id, seq: head(id), reason: isOther ? .epoch : .ahead))
            } else if head(id) - position.seq > farRows {
                resets.append(Reset(channel: id, seq: head(id), reason: .tooFar))
            } else {
                ranges.append(position)
            }
        }
        for range in ranges.sorted(by: { $0.channel < $1.channel }) {
            let id = range.channel
            let purged = purged(id)
            found += (rows[id] ?? []).dropFirst(Int(range.seq)).map { row in
                // An invisible row keeps its number, so that the log has no gap.
                guard let seq = row.seq, seq <= purged || hidden[id]?.contains(seq) == true else { return row }
                return Event(channel: id, seq: seq, body: .channel(.rowRemoved(RowRemoved())))
            }
        }
        let named = Set(resume.channels.map(\.channel))
        let shown = resume.onlyNamed == true ? members.intersection(named) : members
        let heads = shown.union(open.intersection(named))
        return Resume.Answer(
            epoch: epoch, events: Array(found.prefix(resumeRows)), hasMore: found.count > resumeRows,
            userSeq: Int64(userLog.count),
            channels: heads.sorted().map { ChannelPosition(channel: $0, seq: head($0)) },
            marks: shown.sorted().map { OwnMark(channel: $0, seq: marks[$0] ?? 0, unread: unread($0)) }
                .filter { $0.unread > 0 || named.contains($0.channel) },
            resets: resets)
    }
}

/// A state machine connected to a model server, with a clock that the test moves.
struct Rig {
    var machine: SyncStateMachine
    var server: ModelServer
    var now: Int64 = 1_000
    var events: [ClientEvent] = []
    var states: [ConnectionState] = []
    /// The frames that the client has written and the server has not read yet.
    var wire: [[UInt8]] = []
    var closed: [CloseCode?] = []
    var opens = 0
    /// Whether connections succeed.
    var isReachable = true
    /// The token of the next connection.
    var token: String?
    /// The app's immediate answers to requests for a token; nil if it has none. Without an entry it does not answer.
    var tokens: [String?] = []
    /// The requested connections.
    var asked: [Int] = []
    /// The changes that are not committed yet; nil without a store.
    var uncommitted: [StoreInput]?

    init(
        me: User, seed: UInt64 = 1, positions: SyncPositions? = nil,
        configure: (inout SyncStateMachine.Settings) -> Void = { _ in }
    ) {
        var settings = SyncStateMachine.Settings(deviceID: Names.device)
        settings.guest = Guest(userID: me.userID)
        configure(&settings)
        machine = SyncStateMachine(settings: settings, positions: positions, seed: seed)
        server = ModelServer(me: me)
    }

    mutating func input(_ input: SyncInput) {
        machine.handle(input, now: now)
        for action in machine.drainActions() { perform(action) }
        for (key, move) in machine.logs.drainMoves() { uncommitted?.append(.move(key, move)) }
    }

    private mutating func perform(_ action: SyncAction) {
        if uncommitted != nil {
            switch action {
            case .emit(let event): uncommitted?.append(.event(event))
            case .store(let input): uncommitted?.append(input)
            default: break
            }
        }
        switch action {
        case .open(let number):
            opens += 1
            if isReachable {
                server.connect()
                wire = []
                input(.opened(number, token: token))
            } else {
                input(.lost(number, .unreachable("nobody there")))
            }
        case .close(_, let code):
            closed.append(code)
            server.disconnect()
            wire = []
        case .write(let bytes): wire.append(bytes)
        case .provideToken(let number):
            asked.append(number)
            if !tokens.isEmpty { input(.token(number, tokens.removeFirst())) }
        case .emit(let event): events.append(event)
        case .state(let state): states.append(state)
        case .answer(let promise, let result): promise.complete(result)
        case .acknowledge(let promise, let result): promise.complete(result)
        case .finish(let promise, let result): promise.complete(result)
        case .store: break
        }
    }

    /// Delivers frames in both directions until none is in transit.
    mutating func settle() throws {
        var rounds = 0
        while !wire.isEmpty || !server.outbox.isEmpty, rounds < 10_000 {
            rounds += 1
            try carryToServer()
            carryToClient()
        }
    }

    mutating func carryToServer(_ most: Int = .max) throws {
        let frames = wire.prefix(most)
        wire.removeFirst(frames.count)
        for frame in frames { try server.receive(frame) }
    }

    mutating func carryToClient(_ most: Int = .max) {
        let frames = Array(server.outbox.prefix(most))
        server.outbox.removeFirst(frames.count)
        input(.received(machine.connection, frames))
    }

    mutating func connect() throws {
        input(.connect(Promise<Void>()))
        try settle()
    }

    /// Ends the connection; frames in transit are lost.
    mutating func breakOff(_ reason: LossReason = .closed(nil)) {
        server.disconnect()
        wire = []
        input(.lost(machine.connection, reason))
    }

    /// Advances the time to the state machine's next timer.
    mutating func wake() {
        if let wakeAt = machine.wakeAt { now = max(now, wakeAt) }
        input(.tick)
    }

    mutating func comeBack() throws {
        var tries = 0
        while machine.phase != .live, tries < 200 {
            tries += 1
            wake()
            try settle()
        }
    }

    @discardableResult
    mutating func send(_ text: String, to channel: ChannelID, transID: String) -> Promise<SentMessage> {
        send(SendMessage(channel: channel, text: text), transID: transID)
    }

    @discardableResult
    mutating func send(_ message: SendMessage, transID: String) -> Promise<SentMessage> {
        let promise = Promise<SentMessage>()
        if let key = TransID(rawValue: transID) { input(.send(message, key, promise)) }
        return promise
    }

    /// The numbers of the rows that were delivered for a channel.
    func rows(of id: ChannelID) -> [Int64] {
        events.compactMap { if case .event(let event, _) = $0, event.channel == id { event.seq } else { nil } }
    }

    var userRows: [Int64] {
        events.compactMap { if case .event(let event, _) = $0 { event.userSeq } else { nil } }
    }
}

/// The users and channels of the tests.
enum Names {
    static let ann = user("ann")
    static let ben = user("ben")
    static let group = channel("group")
    static let lobby = channel("lobby")
    static let device: DeviceID = valid("phone")

    static func user(_ id: String) -> User { User(userID: valid(id), name: id.prefix(1).uppercased() + id.dropFirst()) }

    static func channel(_ id: String) -> ChannelID { valid(id) }

    static func transID(_ id: String) -> TransID { valid(id) }

    private static func valid<ID: Identifier>(_ text: String) -> ID {
        guard let id = ID(rawValue: text) else { preconditionFailure("The ids of the tests obey the rule.") }
        return id
    }
}
