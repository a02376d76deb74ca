package import Logging
package import RoostCore
import RoostFiles
import RoostWire
import Synchronization

/// Writes what an operator may have to prove later, as JSON lines: `audit.jsonl` has what operators, keys and the server
/// did, `audit-users.jsonl` what users did, and `audit-refused.jsonl` what was refused, so that no flood of the others
/// displaces anything that an operator did.
///
/// It writes on a thread of its own and never blocks its callers. Lines that cannot be written are counted, and fail nothing.
package final class AuditLog: Sendable {
    /// The files.
    enum Kind: String, CaseIterable, Sendable {
        case acts = "audit.jsonl"
        case users = "audit-users.jsonl"
        case refusals = "audit-refused.jsonl"
    }

    private struct State {
        var waiting: [(kind: Kind, line: [UInt8])] = []
        var isWriting = false
        /// The lines that could not be written.
        var lost: [Kind: Int] = [:]
        var isFailing = false
        /// The minute in which lines are counted.
        var minute = Int64.min
        var budget = AuditBudget()
        /// What was written in this minute of which once is enough.
        var traffic: Set<Traffic> = []
        var whenIdle: [CheckedContinuation<Void, Never>] = []
    }

    private struct Traffic: Hashable {
        var sender: AuditEntry.Sender
        var user: UserID?
        var event: String
    }

    /// The number of lines that may wait for the disk.
    static let maxWaiting = 10_000
    /// The size of a file, and how many there are of each kind.
    static let maxBytes: Int64 = 10 << 20
    static let maxFiles = 5
    private static let maxTraffic = 10_000

    private let files: [Kind: LogFile]
    private let threads = FileThreads(count: 1)
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: where the files are.
    ///   - now: the time, in ms since 1970.
    package convenience init(folder: String, now: @escaping @Sendable () -> Int64, logger: Logger) {
        self.init(now: now, logger: logger) {
            LogFile(path: folder + "/" + $0, maxBytes: Self.maxBytes, maxFiles: Self.maxFiles)
        }
    }

    init(now: @escaping @Sendable () -> Int64, logger: Logger, file: (String) -> LogFile) {
        files = Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, file($0.rawValue)) })
        self.now = now
        self.logger = logger
    }

    /// Takes an entry, to write it soon.
    package func add(_ entry: AuditEntry) {
        let (startsWriting, startsMinute) = state.withLock { state -> (Bool, Bool) in
            let minute = entry.time / 60_000
            // Entries of the writer may be a little older than those of sockets.
            if minute > state.minute || minute < state.minute - 1 {
                endMinute(&state, at: entry.time)
                state.minute = minute
            }
            let kind: Kind = entry.isRefusal ? .refusals : entry.sender == .user ? .users : .acts
            if !entry.isRefusal, entry.isTraffic {
                let traffic = Traffic(sender: entry.sender, user: entry.user, event: entry.event)
                guard state.traffic.count < Self.maxTraffic, state.traffic.insert(traffic).inserted else {
                    return (start(&state), false)
                }
            }
            let hasOmitted = state.budget.hasOmitted
            if let line = state.budget.line(of: entry) { push(line, kind, &state) }
            return (start(&state), state.budget.hasOmitted && !hasOmitted)
        }
        if startsWriting { Task { await write() } }
        if startsMinute {
            // Nothing else may happen in the next minute.
            Task { [weak self] in
                try? await Task.sleep(for: .seconds(60))
                self?.endMinute()
            }
        }
    }

    /// Waits until everything is written.
    package func flush() async {
        endMinute()
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.isWriting else { return true }
                state.whenIdle.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func endMinute() {
        let startsWriting = state.withLock { state in
            endMinute(&state, at: now())
            return start(&state)
        }
        if startsWriting { Task { await write() } }
    }

    private func endMinute(_ state: inout State, at time: Int64) {
        for (kind, line) in state.budget.omissions(at: time) { push(line, kind, &state) }
        (state.budget, state.traffic) = (AuditBudget(), [])
    }

    private func push(_ line: [UInt8], _ kind: Kind, _ state: inout State) {
        // The second half of the places is for what operators did.
        if state.waiting.count < (kind == .acts ? Self.maxWaiting : Self.maxWaiting / 2) {
            state.waiting.append((kind, line))
        } else {
            state.lost[kind, default: 0] += 1
        }
    }

    /// - Returns: whether the caller has to start writing.
    private func start(_ state: inout State) -> Bool {
        guard !state.isWriting, !state.waiting.isEmpty else { return false }
        state.isWriting = true
        return true
    }

    private func write() async {
        while let lines = take() {
            for kind in Kind.allCases {
                guard let file = files[kind], let bytes = lines[kind] else { continue }
                let lost = state.withLock { $0.lost[kind, default: 0] }
                let gap = lost > 0 ? Self.count("lines.lost", lost, at: now()) : []
                do throws(FileStoreError) {
                    try await file.append(gap + bytes, isDurable: kind == .acts, on: threads)
                    state.withLock { state in
                        state.lost[kind, default: 0] -= lost
                        state.isFailing = false
                    }
                } catch {
                    noteLoss(of: bytes, kind, error)
                }
            }
        }
    }

    /// The lines that wait; nil if there are none, and then writing is over.
    private func take() -> [Kind: [UInt8]]? {
        let (lines, idle) = state.withLock { state -> ([Kind: [UInt8]]?, [CheckedContinuation<Void, Never>]) in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                defer { state.whenIdle = [] }
                return (nil, state.whenIdle)
            }
            var lines: [Kind: [UInt8]] = [:]
            for (kind, line) in state.waiting { lines[kind, default: []] += line }
            state.waiting.removeAll(keepingCapacity: true)
            return (lines, [])
        }
        for continuation in idle { continuation.resume() }
        return lines
    }

    private func noteLoss(of bytes: [UInt8], _ kind: Kind, _ error: FileStoreError) {
        let isFirst = state.withLock { state in
            state.lost[kind, default: 0] += bytes.count { $0 == 0x0A }
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isFirst { logger.error("the audit log cannot be written", metadata: ["error": "\(error)"]) }
    }
}

extension AuditLog {
    private static let maxIDBytes = 130
    static let maxTargets = 100

    static func line(_ entry: AuditEntry, maxTargets: Int = AuditLog.maxTargets) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("time")
        writer.int(entry.time)
        writer.key("event")
        writer.string(id(entry.event))
        writer.key("actor")
        switch entry.sender {
        case .stranger: writer.string("stranger")
        case .user: writer.string("user")
        case .operator: writer.string("operator")
        case .server: writer.string("server")
        case .key(let name):
            writer.string("key")
            writer.key("key")
            writer.string(id(name))
        }
        if let user = entry.user {
            writer.key("user")
            writer.string(id(user.rawValue))
        }
        if let address = entry.address {
            writer.key("address")
            writer.string(id(address))
        }
        if let origin = entry.origin {
            writer.key("origin")
            writer.string(id(origin, most: 255))
        }
        writer.key("code")
        writer.int(Int64(entry.code))
        if !entry.targets.isEmpty {
            writer.key("targets")
            list(Array(entry.targets.prefix(maxTargets)), &writer)
        }
        if entry.targets.count > maxTargets {
            writer.key("moreTargets")
            writer.int(Int64(entry.targets.count - maxTargets))
        }
        if !entry.changes.isEmpty {
            writer.key("changes")
            list(entry.changes, &writer)
        }
        writer.close("}")
        return writer.bytes + [0x0A]
    }

    /// The line about a number of others that are not written: of a user, by events, if these are given.
    static func count(
        _ event: StaticString, _ count: Int, at time: Int64, of user: UserID? = nil, _ events: [String: Int] = [:]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("time")
        writer.int(time)
        writer.key("event")
        writer.string("\(event)")
        writer.key("actor")
        writer.string("server")
        if let user {
            writer.key("user")
            writer.string(id(user.rawValue))
        }
        writer.key("code")
        writer.int(0)
        writer.key("count")
        writer.int(Int64(count))
        if !events.isEmpty {
            writer.key("events")
            list(events.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }, &writer)
        }
        writer.close("}")
        return writer.bytes + [0x0A]
    }

    private static func list(_ texts: [String], _ writer: inout JSONWriter) {
        writer.open("[")
        for text in texts { writer.string(id(text)) }
        writer.close("]")
    }

    /// An id as it is written: what no id can have is replaced, and it is cut.
    private static func id(_ text: String, most: Int = maxIDBytes) -> String {
        let bytes = text.utf8.prefix(most).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                byte
            default: "_.:@-/[]=~%".utf8.contains(byte) ? byte : UInt8(ascii: "?")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
