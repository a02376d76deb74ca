import RoostWire
import Synchronization

/// The transient state of a connection: typing, and joined open channels.
struct LiveSession {
    /// What was committed so many ms before a session began is in what its device has read then.
    static let beginning: Int64 = 1_000

    var user: User
    var deviceID: DeviceID
    /// When it began, in ms since 1970.
    var begunAt: Int64 = 0
    /// The token with which it has logged in, if any.
    var access: Access?
    /// The channels in which it types, with the time of the last start, in ms since 1970.
    var typing: [ChannelID: Int64] = [:]
    var open: Set<ChannelID> = []
    /// Whether the device has another session that began later, and so has what this one missed.
    var isSuperseded = false
    /// Since when it lacks events and is to be ended, in ms since 1970; nil if it gets all.
    var lacksSince: Int64?
}

/// All sessions of this process, as of the last commit.
///
/// Confined to the writer's thread, except for `participants`.
final class LiveSessions {
    private var sessions: [SessionID: LiveSession] = [:]
    private var byUser: [UserID: Set<SessionID>] = [:]
    private let participants: Participants
    private(set) var typingStates = TypingStates()

    init(participants: Participants) { self.participants = participants }

    subscript(_ id: SessionID) -> LiveSession? { sessions[id] }

    var all: [SessionID: LiveSession] { sessions }

    func sessions(of user: UserID) -> Set<SessionID> { byUser[user] ?? [] }

    func participants(in channel: ChannelID) -> Int { participants.count(in: channel) }

    /// Removes and returns the users whose typing is to be announced again.
    func dequeueTypingDue(at now: Int64) -> [MemberKey] { typingStates.dequeueDue(at: now) }

    /// Applies committed changes.
    func apply(_ changes: SessionChanges) {
        for id in changes.gone { put(nil, id) }
        for (id, session) in changes.changed { put(session, id) }
        for (user, ids) in changes.byUser { byUser[user] = ids.isEmpty ? nil : ids }
        typingStates.apply(changes.typingStates)
    }

    private func put(_ session: LiveSession?, _ id: SessionID) {
        let (old, new) = (sessions[id]?.open ?? [], session?.open ?? [])
        if old != new {
            for channel in new.subtracting(old) { participants.add(id, to: channel) }
            for channel in old.subtracting(new) { participants.remove(id, from: channel) }
        }
        sessions[id] = session
    }
}

/// The changes of a batch to sessions: an overlay over the live sessions.
///
/// Like the events of the batch, they take effect after the commit or not at all.
struct SessionChanges {
    private let live: LiveSessions
    fileprivate private(set) var changed: [SessionID: LiveSession] = [:]
    fileprivate private(set) var gone: Set<SessionID> = []
    fileprivate private(set) var byUser: [UserID: Set<SessionID>] = [:]
    fileprivate private(set) var typingStates: [MemberKey: TypingState] = [:]
    /// The change in the number of participants of open channels.
    private var participants: [ChannelID: Int] = [:]
    /// The sessions that each one attached by this batch has superseded.
    private var superseded: [SessionID: [SessionID]] = [:]
    /// Users whose first connection was opened or whose last one was closed.
    private(set) var presenceChanges: Set<UserID> = []

    init(over live: LiveSessions) { self.live = live }

    /// A session as this batch sees it; nil for one that is not attached.
    subscript(_ id: SessionID) -> LiveSession? { gone.contains(id) ? nil : changed[id] ?? live[id] }

    func sessions(of user: UserID) -> Set<SessionID> { byUser[user] ?? live.sessions(of: user) }

    /// The sessions that this batch attaches.
    var begun: [(SessionID, LiveSession)] { changed.filter { live[$0.key] == nil }.map { ($0.key, $0.value) } }

    /// The sessions that this batch detaches.
    var ended: [(SessionID, LiveSession)] { gone.compactMap { id in live[id].map { (id, $0) } } }

    /// The open channels in which other sessions take part than before.
    var changedParticipants: [ChannelID] { Array(participants.keys) }

    /// Whether a device of a user has a session, but not only ones that were followed by another one, which has ended.
    func isConnected(_ user: UserID, on device: DeviceID) -> Bool {
        sessions(of: user).contains { id in
            self[id].map { $0.deviceID == device && !$0.isSuperseded } ?? false
        }
    }

    func participants(in channel: ChannelID) -> Int {
        live.participants(in: channel) + participants[channel, default: 0]
    }

    /// Attaches a session.
    mutating func attach(
        _ id: SessionID, _ user: User, on device: DeviceID, _ access: Access? = nil, at now: Int64
    ) {
        detach(id, user.userID)
        for other in sessions(of: user.userID) {
            guard let session = self[other], session.deviceID == device, !session.isSuperseded, touch(other) else {
                continue
            }
            changed[other]?.isSuperseded = true
            superseded[id, default: []].append(other)
        }
        gone.remove(id)
        changed[id] = LiveSession(user: user, deviceID: device, begunAt: now, access: access)
        if sessions(of: user.userID).isEmpty { presenceChanges.insert(user.userID) }
        byUser[user.userID, default: live.sessions(of: user.userID)].insert(id)
    }

    /// Notes that all sessions lack what was committed since a time.
    mutating func lack(since time: Int64) {
        for id in live.all.keys where touch(id) {
            let earlier = changed[id]?.lacksSince ?? .max
            changed[id]?.lacksSince = min(time, earlier)
        }
    }

    /// Detaches a session.
    mutating func detach(_ id: SessionID, _ user: UserID) {
        for channel in self[id]?.open ?? [] { participants[channel, default: 0] -= 1 }
        // It has ended before its device could read anything.
        for other in superseded.removeValue(forKey: id) ?? [] { changed[other]?.isSuperseded = false }
        changed[id] = nil
        gone.insert(id)
        guard byUser[user, default: live.sessions(of: user)].remove(id) != nil else { return }
        if sessions(of: user).isEmpty { presenceChanges.insert(user) }
    }

    /// Gives the sessions of a user another name or picture.
    mutating func rename(_ user: User) {
        for id in sessions(of: user.userID) where touch(id) { changed[id]?.user = user }
    }

    /// Gives a session a new token.
    mutating func setAccess(_ access: Access, of id: SessionID) {
        if touch(id) { changed[id]?.access = access }
    }

    mutating func startTyping(_ id: SessionID, in channel: ChannelID, at now: Int64) {
        guard touch(id), var typing = changed[id]?.typing else { return }
        // A client need not announce that it has stopped, so outdated entries are dropped here.
        if typing.count >= 32 { typing = typing.filter { TypingState.isShown(since: $0.value, at: now) } }
        typing[channel] = now
        changed[id]?.typing = typing
    }

    /// - Returns: whether the session was typing there.
    @discardableResult
    mutating func endTyping(_ id: SessionID, in channel: ChannelID) -> Bool {
        guard self[id]?.typing[channel] != nil, touch(id) else { return false }
        changed[id]?.typing[channel] = nil
        return true
    }

    /// Whether any session of a user is typing in a channel and has reported this recently enough to be shown.
    func isTyping(_ user: UserID, in channel: ChannelID, at now: Int64) -> Bool {
        sessions(of: user).contains { id in
            self[id]?.typing[channel].map { TypingState.isShown(since: $0, at: now) } ?? false
        }
    }

    /// The announced typing state of a user; nil if there is none.
    func typingState(_ key: MemberKey) -> TypingState? { typingStates[key] ?? live.typingStates[key] }

    mutating func put(_ state: TypingState, _ key: MemberKey) { typingStates[key] = state }

    mutating func participate(_ id: SessionID, in channel: ChannelID) {
        guard touch(id), changed[id]?.open.insert(channel).inserted == true else { return }
        participants[channel, default: 0] += 1
    }

    mutating func withdraw(_ id: SessionID, from channel: ChannelID) {
        guard touch(id), changed[id]?.open.remove(channel) != nil else { return }
        participants[channel, default: 0] -= 1
    }

    /// Copies a session into the overlay before it changes.
    /// - Returns: whether the session is attached.
    private mutating func touch(_ id: SessionID) -> Bool {
        if changed[id] == nil, !gone.contains(id) { changed[id] = live[id] }
        return changed[id] != nil
    }
}

/// The participants of each open channel: changed by the writer, read by readers.
final class Participants: Sendable {
    private let channels = Mutex<[ChannelID: Set<SessionID>]>([:])

    func add(_ session: SessionID, to channel: ChannelID) {
        channels.withLock { _ = $0[channel, default: []].insert(session) }
    }

    func remove(_ session: SessionID, from channel: ChannelID) {
        channels.withLock { channels in
            channels[channel]?.remove(session)
            if channels[channel]?.isEmpty == true { channels[channel] = nil }
        }
    }

    func count(in channel: ChannelID) -> Int { channels.withLock { $0[channel]?.count ?? 0 } }
}
