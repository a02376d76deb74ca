import RoostWire

/// The progress of one catch-up.
struct CatchUp {
    /// Channels that no page of `resume` has named; nil before the first page.
    var unnamed: Set<ChannelID>?
    var counts: [BacklogKind: Int] = [:]
    var marks: [OwnMark] = []
    /// Whether the requested page names channels that no page named before.
    var namesMore = false
    /// A page that was refused because of too many requests, and when to request it again.
    var retry: (command: AnyCommand, purpose: Request.Purpose, at: Int64)?
    /// Consecutive pages without new rows or new channels.
    var emptyPages = 0
    var startedAgain = false
    /// How many rows were delivered.
    var done = 0
}

// Live rows.
extension SyncStateMachine {
    /// How many channels one `resume` may name.
    static let maxNamedChannels = 1_000
    /// How many channels with rows but without a position are requested at a time: one frame has to hold them.
    static let maxUnknownChannels = 200

    mutating func receive(_ event: Event, now: Int64) {
        switch event.body {
        case .ephemeral(.positions(let positions)):
            learn(.user, head: positions.userSeq)
            for position in positions.channels { learn(.channel(position.channel), head: position.seq) }
        case .ephemeral(.sessionExpiring): tokenExpires()
        case .ephemeral(.goaway(let goAway)): self.goAway(in: goAway.reconnectInMs, now: now)
        default:
            if let channel = event.channel, let seq = event.seq {
                receive(event, at: seq, in: .channel(channel))
            } else if let userSeq = event.userSeq {
                receive(event, at: userSeq, in: .user)
            } else {
                emit(.event(event, isPast: false))
                if case .ephemeral(.readMarkMoved) = event.body, let channel = event.channel {
                    emit(.channelUpdated(channel))
                }
                if case .ephemeral(.messageRelayed(let message)) = event.body { reportMention(in: message, of: event) }
            }
        }
    }

    private mutating func receive(_ event: Event, at number: Int64, in key: LogKey) {
        guard number > 0, number < .max else { return }
        if case .channel(let id) = key, logs[key]?.seq == nil, let end = logs.endings[id] {
            if number <= end { return }
            if removesUser(event.body) {
                // The row in the user's log came first: the row for all members is the last one.
                logs.endings[id] = number
                emit(.event(event, isPast: false))
                return
            }
        }
        if logs.change(key, { $0.accept(number) }) {
            deliver(event, isPast: false)
            release(key)
            return
        }
        if case .channel(let id) = key, logs[key]?.seq == nil { noteUnknownChannel(id) }
        logs.change(key) { $0.hold(event, at: number) }
        release(key)
        if logs[key]?.hasGap == true { gapped.insert(key) }
    }

    /// The row about the joining of this channel is missing: it is in the user's log.
    private mutating func noteUnknownChannel(_ id: ChannelID) {
        guard phase == .live, !joining.contains(id) else { return }
        unknownChannels.insert(id)
        gapped.insert(.user)
    }

    private mutating func learn(_ key: LogKey, head: Int64) {
        guard head < .max else { return }
        if case .channel(let id) = key, logs[key]?.seq == nil, head > logs.endings[id] ?? 0 {
            noteUnknownChannel(id)
            logs.change(key) { $0.learn(head: head) }
        }
        guard let log = logs[key], let seq = log.seq, head > seq else { return }
        logs.change(key) { $0.learn(head: head) }
        gapped.insert(key)
    }

    /// Delivers the held rows that are next.
    mutating func release(_ key: LogKey) {
        while logs[key]?.held.isEmpty == false, let event = logs.change(key, { $0.dequeueHeld() }) {
            deliver(event, isPast: false)
        }
    }

    /// Delivers a row that was read from its log, in place of one that is held: it has what has happened to it since.
    private mutating func deliverPast(_ event: Event) -> Bool {
        let key: LogKey
        let number: Int64
        if let channel = event.channel, let seq = event.seq {
            (key, number) = (.channel(channel), seq)
        } else if let userSeq = event.userSeq {
            (key, number) = (.user, userSeq)
        } else {
            return false
        }
        guard number > 0, number < .max, number > logs[key]?.seq ?? 0 else { return false }
        let wasHeld = logs[key]?.held[number] != nil
        logs.change(key) { $0.advance(to: number) }
        deliver(event, isPast: !wasHeld)
        return true
    }

    /// The user is no longer in this channel; reported once, however many rows and refusals say so.
    mutating func lose(_ id: ChannelID) {
        guard let log = logs[.channel(id)] else { return }
        logs.end(id)
        gapped.remove(.channel(id))
        if log.seq != nil { emit(.left(id)) }
    }

    /// Whether this row of a channel removes the connected user.
    private func removesUser(_ body: EventBody) -> Bool {
        guard let user else { return false }
        return switch body {
        case .channel(.memberKicked(let removed)), .channel(.memberBanned(let removed)):
            removed.members.contains { $0.userID == user.userID }
        default: false
        }
    }

    private mutating func deliver(_ event: Event, isPast: Bool) {
        emit(.event(event, isPast: isPast))
        if isPast, let kind = BacklogKind(event) { catchUp.counts[kind, default: 0] += 1 }
        guard let channel = event.channel else {
            if case .user(let body) = event.body { follow(body) }
            return
        }
        follow(event, in: channel)
        // The user's log says whether a row that is read later is still valid.
        if !isPast, removesUser(event.body) { lose(channel) }
    }

    /// Applies the effects of a row of a channel's log.
    private mutating func follow(_ event: Event, in channel: ChannelID) {
        if case .channel(.rowRemoved) = event.body { return }
        if !logs.open.contains(channel) { emit(.channelUpdated(channel)) }
        if let message = event.message { reportMention(in: message, of: event) }
    }

    private mutating func reportMention(in message: Message, of event: Event) {
        guard let user, let channel = event.channel, event.senderID != user.userID else { return }
        if message.mentions?.contains(where: { $0.userID == user.userID }) == true { emit(.mentioned(channel, event)) }
    }

    /// Applies the effects of a row of the user's log.
    private mutating func follow(_ body: UserRowBody) {
        switch body {
        case .channelJoined(let joined):
            let key = LogKey.channel(joined.channel)
            logs.endings[joined.channel] = nil
            logs.change(key) { $0.start(at: max(0, joined.fromSeq)) }
            release(key)
            if logs[key]?.hasGap == true { gapped.insert(key) }
            emit(.channelUpdated(joined.channel))
        case .channelLeft(let left):
            emit(.channelUpdated(left.channel))
            lose(left.channel)
        case .channelDismissed(let dismissed):
            emit(.channelUpdated(dismissed.channel))
            lose(dismissed.channel)
        case .channelHidden(let hidden):
            for position in hidden.channels { emit(.channelUpdated(position.channel)) }
        case .channelEnded(let cleared), .channelCleared(let cleared):
            for position in cleared.channels {
                let key = LogKey.channel(position.channel)
                // Rows that were cleared are not missing.
                if logs[key]?.seq != nil, position.seq < .max {
                    logs.change(key) { $0.advance(to: position.seq) }
                    release(key)
                }
                emit(.channelUpdated(position.channel))
            }
        case .messageDeleted(let deleted): emit(.channelUpdated(deleted.channel))
        case .channelPreferenceChanged(let changed): emit(.channelUpdated(changed.channel))
        case .channelUnreadMarked(let marked): emit(.channelUpdated(marked.channel))
        case .userBlocked(let changed), .userUnblocked(let changed):
            guard let user else { return }
            let id = ChannelID(single: user.userID, changed.user.userID)
            if logs[.channel(id)]?.seq != nil { emit(.channelUpdated(id)) }
        case .userProfileChanged(let changed):
            guard let user else { return }
            if changed.userID == user.userID { self.user?.apply(changed.profile) }
            let id = ChannelID(single: user.userID, changed.userID)
            if logs[.channel(id)]?.seq != nil { emit(.channelUpdated(id)) }
        case .channelInvited, .userSettingsChanged, .scheduleCreated, .scheduleChanged, .scheduleCancelled,
            .scheduleSent:
            break
        }
    }
}

extension BacklogKind {
    /// The kind of a row for the summary; nil for a row that is only a number.
    init?(_ event: Event) {
        if event.isOnlyNumber { return nil }
        switch event.body {
        case .channel(.messageSent): self = .messages
        case .channel(.messageAnnounced): self = .announcements
        default: self = event.userSeq == nil ? .system : .own
        }
    }
}

// Catching up.
extension SyncStateMachine {
    /// Requests the next page of missed rows.
    ///
    /// Each position is sent once, over all pages: that is enough for the server to report that a channel is gone
    /// or was reset, and how far other devices have read. A channel with missing rows is named until it is complete.
    mutating func sendResume(heads: [ChannelID: Int64] = [:], now: Int64) {
        var unnamed = catchUp.unnamed ?? logs.open.union(logs.knownChannels)
        // A channel that was lost meanwhile has no position.
        unnamed = unnamed.filter { logs.open.contains($0) || logs[.channel($0)]?.seq != nil }
        let open = unnamed.intersection(logs.open)
        let behind = logs.knownChannels.filter { id in
            guard !open.contains(id), let head = heads[id], let seq = logs[.channel(id)]?.seq else { return false }
            return head > seq
        }
        let rest = unnamed.subtracting(open).subtracting(behind)
        // One frame has to hold them; the next page names the others.
        var room = limits.frameBytes - 1_024
        let wanted = Array(
            (open.sorted() + behind + rest.sorted()).prefix(Self.maxNamedChannels).prefix { id in
                room -= id.rawValue.utf8.count + 48
                return room > 0
            })
        catchUp.unnamed = unnamed.subtracting(wanted)
        catchUp.namesMore = catchUp.unnamed?.count != unnamed.count
        let positions = wanted.map { ChannelPosition(channel: $0, seq: logs[.channel($0)]?.seq ?? 0) }
        let resume = Resume(epoch: logs.epoch, userSeq: logs.user.seq, channels: positions)
        ask(.read(.resume(resume)), .resume(named: wanted), now: now)
    }

    mutating func resumed(_ body: [UInt8], named: [ChannelID], now: Int64) {
        guard phase == .catchingUp, let answer = try? WireCodec.decode(Resume.Answer.self, from: body) else {
            drop(.interrupted("The server's answer to resume cannot be read."), now: now)
            return
        }
        let heads = Dictionary(answer.channels.map { ($0.channel, $0.seq) }, uniquingKeysWith: { max($0, $1) })
        enter(answer, heads: heads)
        var news = 0
        for event in answer.events where deliverPast(event) { news += 1 }
        for channel in Set(answer.events.compactMap(\.channel)) { release(.channel(channel)) }
        release(.user)
        if !answer.hasMore { complete(answer, named: named, heads: heads) }
        mergeMarks(answer.marks)
        if settings.hasStore { actions.append(.store(.marks(answer.marks, heads: heads))) }
        if news > 0 {
            catchUp.done += news
            let rest = heads.reduce(into: 0) { rest, head in
                if let seq = logs[.channel(head.key)]?.seq { rest += Int(clamping: max(0, head.value &- seq)) }
            }
            emit(.catchingUp(done: catchUp.done, of: catchUp.done + rest))
        }
        catchUp.emptyPages = news == 0 && !catchUp.namesMore ? catchUp.emptyPages + 1 : 0
        let isBehind = heads.contains { id, head in logs[.channel(id)]?.seq.map { $0 < head } ?? false }
        if answer.hasMore || isBehind || catchUp.unnamed?.isEmpty == false, catchUp.emptyPages < 3 {
            sendResume(heads: heads, now: now)
        } else {
            becomeLive(now: now)
        }
    }

    /// Applies the read marks of a page: those of all channels with unread messages and of the named channels.
    private mutating func mergeMarks(_ marks: [OwnMark]) {
        let told = Set(marks.map(\.channel))
        let earlier = catchUp.marks.filter {
            !told.contains($0.channel) && $0.unread == 0 && $0.isMarkedUnread != true
        }
        catchUp.marks = (marks + earlier).sorted { $0.channel < $1.channel }
    }

    /// Applies the epoch and the resets of a page.
    private mutating func enter(_ answer: Resume.Answer, heads: [ChannelID: Int64]) {
        let named = Set(answer.resets.compactMap(\.channel))
        let isOther = logs.epoch != nil && logs.epoch != answer.epoch
        let isNew = logs.epoch != answer.epoch
        for id in logs.enter(epoch: answer.epoch) where !named.contains(id) {
            emit(.reset(Reset(channel: id, seq: heads[id] ?? 0, reason: .epoch)))
        }
        if isOther { maintenance.marks = [:] }
        for reset in answer.resets {
            if let channel = reset.channel {
                if reset.reason != .gone {
                    logs.change(.channel(channel)) { $0.reset(to: max(0, reset.seq)) }
                    release(.channel(channel))
                }
            } else {
                // Rows may have arrived just before this answer: the reset deletes them from the store.
                if reset.reason == .tooFar { logs.forgetRows() }
                logs.change(.user) { $0.reset(to: max(0, reset.seq)) }
                release(.user)
            }
            emit(.reset(reset))
            if reset.reason == .gone, let channel = reset.channel {
                logs.end(channel)
                emit(.left(channel))
            }
        }
        // After the resets: positions of the old epoch must never be mixed with the new one.
        if isNew, settings.hasStore { actions.append(.store(.epoch(answer.epoch))) }
    }

    /// The last page: every log that it named is complete up to its head, and the others start at theirs.
    private mutating func complete(_ answer: Resume.Answer, named: [ChannelID], heads: [ChannelID: Int64]) {
        func settle(_ key: LogKey, at head: Int64) {
            guard head >= 0, head < .max else { return }
            if logs[key]?.seq == nil {
                logs.change(key) { $0.start(at: head) }
            } else {
                logs.change(key) { $0.advance(to: head) }
            }
            release(key)
        }
        settle(.user, at: answer.userSeq)
        for id in named {
            if let head = heads[id], logs[.channel(id)] != nil { settle(.channel(id), at: head) }
        }
        for (id, head) in heads where logs[.channel(id)]?.seq == nil { settle(.channel(id), at: head) }
    }

    mutating func resumeRefused(_ request: Request, _ error: WireError, now: Int64) {
        if ErrorCode.tooManyRequests ~= error, phase == .catchingUp {
            // Thousands of channels may exceed a rate limit.
            let wait = Int64(RetryAfter.wait(error.retryAfterMs, otherwise: 1_000))
            catchUp.retry = (request.command, request.purpose, at: now + wait)
        } else if !error.retryable || ErrorCode.positionUnknown ~= error, !catchUp.startedAgain {
            // The positions are not usable: start again from the newest state.
            for id in logs.knownChannels { emit(.reset(Reset(channel: id, seq: 0, reason: .ahead))) }
            let open = logs.open
            logs = LogBook(notesMoves: settings.hasStore)
            logs.open = open
            catchUp = CatchUp()
            catchUp.startedAgain = true
            sendResume(now: now)
        } else {
            drop(.interrupted("The server refused to resume."), now: now)
        }
    }

    /// Requests a refused page again.
    mutating func retryResume(now: Int64) {
        guard phase == .catchingUp, let retry = catchUp.retry, now >= retry.at else { return }
        catchUp.retry = nil
        ask(retry.command, retry.purpose, now: now)
    }
}

// Missing ranges.
extension SyncStateMachine {
    mutating func fetchGaps(now: Int64) {
        guard phase == .live else { return }
        for key in gapped {
            guard let log = logs[key], let seq = log.seq, log.hasGap || (key == .user && !unknownChannels.isEmpty)
            else {
                gapped.remove(key)
                gapTries[key] = nil
                continue
            }
            // A failed request waits for its time; it stays in the set.
            guard !log.isFetching, gapRetryAt == nil || gapTries[key] == nil else { continue }
            logs.change(key) { $0.isFetching = true }
            switch key {
            case .user:
                // The answer also says whether channels with rows but without a position belong to this user.
                let met = unknownChannels.sorted().prefix(Self.maxUnknownChannels)
                let named = met.compactMap { id in
                    logs[.channel(id)].map { ChannelPosition(channel: id, seq: $0.held.keys.max() ?? $0.head) }
                }
                let resume = Resume(epoch: logs.epoch, userSeq: seq, channels: named, onlyNamed: true)
                ask(.read(.resume(resume)), .userGap(meeting: Set(met)), now: now)
            case .channel(let id):
                // Unlike pages, it also has what tells a device to remove a message that it holds.
                let position = ChannelPosition(channel: id, seq: seq)
                ask(
                    .read(.resume(Resume(epoch: logs.epoch, channels: [position], onlyNamed: true))), .gap(id), now: now
                )
            }
        }
    }

    mutating func filled(_ channel: ChannelID, _ body: [UInt8], now: Int64) {
        let key = LogKey.channel(channel)
        guard logs[key] != nil else { return }
        logs.change(key) { $0.isFetching = false }
        guard let page = try? WireCodec.decode(Resume.Answer.self, from: body) else {
            return skip(key, reason: .tooFar)
        }
        if let reset = page.resets.first(where: { $0.channel == channel }) {
            switch reset.reason {
            case .tooFar: return skip(key, reason: .tooFar)
            case .gone:
                emit(.reset(reset))
                return lose(channel)
            // All logs are of another database, as after a connect.
            case .epoch, .ahead: return drop(.interrupted("The channel's log cannot be continued."), now: now)
            }
        }
        let before = logs[key]?.seq
        for event in page.events where event.channel == channel { _ = deliverPast(event) }
        // The last page covers everything up to the newest row.
        guard logs[key] != nil else { return }
        if !page.hasMore, let head = page.channels.first(where: { $0.channel == channel })?.seq, head < .max {
            logs.change(key) { $0.advance(to: head) }
        }
        release(key)
        settleGap(key, hasNews: logs[key]?.seq != before, now: now)
    }

    mutating func filledUser(_ body: [UInt8], meeting met: Set<ChannelID>, now: Int64) {
        logs.change(.user) { $0.isFetching = false }
        guard let page = try? WireCodec.decode(Resume.Answer.self, from: body) else {
            return skip(.user, reason: .tooFar)
        }
        guard !page.resets.contains(where: { $0.channel == nil }) else {
            // The stale channels are known only if all channels are requested, as after a connect.
            return drop(.interrupted("The user's own log cannot be continued."), now: now)
        }
        var news = 0
        for event in page.events where event.userSeq != nil && deliverPast(event) { news += 1 }
        if !page.hasMore {
            if page.userSeq < .max { logs.change(.user) { $0.advance(to: page.userSeq) } }
            meet(met, page)
            for position in page.channels { learn(.channel(position.channel), head: position.seq) }
        }
        release(.user)
        settleGap(.user, hasNews: news > 0, now: now)
    }

    /// Sets the positions of channels with rows but without a position, or removes them if they are not this user's.
    private mutating func meet(_ met: Set<ChannelID>, _ page: Resume.Answer) {
        let heads = Dictionary(page.channels.map { ($0.channel, $0.seq) }, uniquingKeysWith: { max($0, $1) })
        for id in met {
            let key = LogKey.channel(id)
            guard let log = logs[key], log.seq == nil, !joining.contains(id) else { continue }
            if let head = heads[id], head >= 0, head < .max {
                logs.change(key) { $0.start(at: head) }
                release(key)
                if logs[key]?.hasGap == true { gapped.insert(key) }
            } else {
                logs.forget(id)
            }
        }
        unknownChannels.subtract(met)
    }

    /// After a page: requests what is still missing, but not forever if no rows come.
    private mutating func settleGap(_ key: LogKey, hasNews: Bool, now: Int64) {
        catchUp.counts = [:]
        guard logs[key]?.hasGap == true || (key == .user && !unknownChannels.isEmpty) else {
            gapped.remove(key)
            gapTries[key] = nil
            return
        }
        gapped.insert(key)
        if hasNews {
            gapTries[key] = nil
        } else {
            tryAgain(key, after: 1_000, now: now)
        }
    }

    mutating func fillRefused(_ key: LogKey, _ error: WireError, now: Int64) {
        guard logs[key] != nil else { return }
        logs.change(key) { $0.isFetching = false }
        if error.retryable {
            gapped.insert(key)
            tryAgain(key, after: Int64(RetryAfter.wait(error.retryAfterMs, otherwise: 1_000)), now: now)
        } else if case .channel(let id) = key {
            emit(.reset(Reset(channel: id, seq: 0, reason: .gone)))
            lose(id)
        } else {
            skip(key, reason: .tooFar)
        }
    }

    private mutating func tryAgain(_ key: LogKey, after wait: Int64, now: Int64) {
        let tries = gapTries[key, default: 0] + 1
        gapTries[key] = tries
        if tries > 3 {
            skip(key, reason: .tooFar)
        } else {
            gapRetryAt = max(gapRetryAt ?? 0, now + wait)
        }
    }

    /// Gives up on a missing range, and reports it.
    private mutating func skip(_ key: LogKey, reason: Reset.Reason) {
        gapped.remove(key)
        gapTries[key] = nil
        if key == .user { unknownChannels = [] }
        guard let log = logs[key] else { return }
        let target = (log.held.keys.min() ?? log.head &+ 1) - 1
        logs.change(key) { $0.reset(to: target) }
        if case .channel(let id) = key {
            emit(.reset(Reset(channel: id, seq: target, reason: reason)))
        } else {
            emit(.reset(Reset(seq: target, reason: reason)))
        }
        release(key)
        if logs[key]?.hasGap == true { gapped.insert(key) }
    }
}
