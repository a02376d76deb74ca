import RoostCore
import RoostWire

/// How much of what users and strangers cause is written into the audit log in one minute, so that nobody hides what others
/// do, or fills the files alone.
struct AuditBudget {
    /// The number of refusals that are written: of each group, so that one does not hide another.
    static let maxRefusals = 100
    /// The number of refusals of a user, a key or a network that are written: of each group.
    static let maxRefusalsOfSource = 20
    /// The number and the bytes of the acts of a user that are written.
    static let maxActs = 60
    static let maxActBytes = 24 << 10
    /// The bytes of a user after which the lists of targets are cut, and to how many.
    static let maxListBytes = 16 << 10
    static let cutTargets = 2
    /// The number of users who are named if acts of theirs were left out.
    static let maxNamed = 100
    private static let maxUsers = 10_000

    private enum Group: Hashable {
        case strangers(event: String)
        case users, operators, server
    }

    fileprivate struct Refusals {
        var count = 0
        var bySource: [String: Int] = [:]
    }

    /// What a user has done.
    fileprivate struct Acts {
        var count = 0
        var bytes = 0
        var events: Set<String> = []
        /// What was left out, by events.
        var omitted: [String: Int] = [:]
    }

    private static let events: Set = ["login", "hello", "origin", "socket", "socket.close", "upgrade"]

    private var refusals: [Group: Refusals] = [:]
    private var acts: [UserID: Acts] = [:]
    private var omittedRefusals = 0
    /// The acts of users who are not counted one by one.
    private var omittedActs = 0
    /// Whether something was left out.
    private(set) var hasOmitted = false

    /// Takes an entry.
    /// - Returns: its line; nil if enough like it were written.
    mutating func line(of entry: AuditEntry) -> [UInt8]? {
        let line = entry.isRefusal ? line(ofRefusal: entry) : line(ofAct: entry)
        if line == nil { hasOmitted = true }
        return line
    }

    private mutating func line(ofRefusal entry: AuditEntry) -> [UInt8]? {
        let (group, source) = Self.origin(of: entry)
        guard refusals[group, default: Refusals()].take(of: source) else {
            omittedRefusals += 1
            return nil
        }
        return AuditLog.line(entry)
    }

    private mutating func line(ofAct entry: AuditEntry) -> [UInt8]? {
        guard entry.sender == .user, let user = entry.user else { return AuditLog.line(entry) }
        guard acts[user] != nil || acts.count < Self.maxUsers else {
            omittedActs += 1
            return nil
        }
        return acts[user, default: Acts()].line(of: entry)
    }

    /// The group of a refusal, and who in it has caused it.
    private static func origin(of entry: AuditEntry) -> (Group, String) {
        switch entry.sender {
        case .stranger:
            (
                .strangers(event: events.contains(entry.event) ? entry.event : ""),
                entry.address.map(LoginAttempts.network) ?? ""
            )
        case .user: (.users, entry.user?.rawValue ?? "")
        case .operator: (.operators, entry.user?.rawValue ?? "")
        // No user id has a blank.
        case .key(let name): (.operators, "key \(name)")
        case .server: (.server, "")
        }
    }

    /// The lines about what was left out, at the end of the minute.
    func omissions(at time: Int64) -> [(kind: AuditLog.Kind, line: [UInt8])] {
        var lines: [(kind: AuditLog.Kind, line: [UInt8])] = []
        if omittedRefusals > 0 {
            lines.append((.refusals, AuditLog.count("refusals.omitted", omittedRefusals, at: time)))
        }
        let named = acts.filter { !$0.value.omitted.isEmpty }.sorted { $0.key < $1.key }
        for (user, acts) in named.prefix(Self.maxNamed) {
            lines.append(
                (.users, AuditLog.count("acts.omitted", acts.omittedCount, at: time, of: user, acts.omitted)))
        }
        let others = named.dropFirst(Self.maxNamed).reduce(omittedActs) { $0 + $1.value.omittedCount }
        if others > 0 { lines.append((.users, AuditLog.count("acts.omitted", others, at: time))) }
        return lines
    }
}

extension AuditBudget.Refusals {
    /// Counts a refusal; false if there were too many.
    mutating func take(of source: String) -> Bool {
        guard count < AuditBudget.maxRefusals, bySource[source, default: 0] < AuditBudget.maxRefusalsOfSource else {
            return false
        }
        count += 1
        bySource[source, default: 0] += 1
        return true
    }
}

extension AuditBudget.Acts {
    var omittedCount: Int { omitted.values.reduce(0, +) }

    /// The line of an act, if there is room for it. The first one of each kind is always written.
    mutating func line(of entry: AuditEntry) -> [UInt8]? {
        let isFirst = events.insert(entry.event).inserted
        var line = AuditLog.line(entry)
        if bytes + line.count > AuditBudget.maxListBytes {
            line = AuditLog.line(entry, maxTargets: AuditBudget.cutTargets)
        }
        guard isFirst || count < AuditBudget.maxActs && bytes + line.count <= AuditBudget.maxActBytes else {
            omitted[entry.event, default: 0] += 1
            return nil
        }
        count += 1
        bytes += line.count
        return line
    }
}
