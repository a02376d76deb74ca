import Foundation
import RoostTesting
import Synchronization
import TracedDisk

/// A folder on a simulated disk.
///
/// SQLite reads what it has written, as from the cache of a system. What would be left after a power loss follows from
/// the record of its writes and syncs: see ``DurableState``.
final class SimulatedDisk: Sendable {
    /// What happened to the files, which are known by their names.
    enum Change: Sendable {
        case opened(String, syncsFolder: Bool)
        case wrote(String, offset: Int, bytes: [UInt8])
        case truncated(String, size: Int)
        case synced(String)
        case failedToSync(String)
        case removed(String, syncsFolder: Bool)
        /// So many entries of the test's ledger are acknowledged.
        case acknowledged(Int)
        /// The number of a commit was noted beside the database, as of one that is durable.
        case noted(Int64)
    }

    private struct State {
        var changes: [Change] = []
        var swallowed: Set<String> = []
        /// How many syncs succeed before some fail, and how many these are.
        var failing: (after: Int, count: Int)?
        var syncs = 0
    }

    private let folder: TemporaryFolder
    private let isRecorded: Bool
    private let state: Mutex<State>

    var path: String { folder.path }

    /// - Parameter isRecorded: false for a folder whose files are only to be spared the syncs.
    init(isRecorded: Bool = true) throws {
        folder = try TemporaryFolder()
        self.isRecorded = isRecorded
        state = Mutex(State())
        try Registry.add(self)
    }

    /// What a process finds that opens the files after another one was killed: their content is in the cache of the
    /// system, whether it is durable or not.
    init(afterKillOf other: SimulatedDisk) throws {
        folder = try TemporaryFolder()
        isRecorded = true
        state = Mutex(State(changes: other.changes))
        for name in ["roost.sqlite", "roost.sqlite-wal"] where access(other.path + "/" + name, F_OK) == 0 {
            try FileManager.default.copyItem(atPath: other.path + "/" + name, toPath: path + "/" + name)
        }
        try Registry.add(self)
    }

    deinit { Registry.remove(path) }

    /// Everything that has happened.
    var changes: [Change] { state.withLock { $0.changes } }

    /// How many syncs there were.
    var syncs: Int { state.withLock { $0.syncs } }

    /// Notes that so many entries of the ledger are acknowledged.
    func acknowledge(_ count: Int) { note(.acknowledged(count)) }

    /// Notes the number of a commit beside the database.
    func note(commit number: Int64) { note(.noted(number)) }

    /// Reports syncs of these files as done without doing them.
    func swallowSyncs(of names: String...) { state.withLock { $0.swallowed = Set(names) } }

    /// Lets `count` syncs fail, once `after` more have succeeded.
    func failSyncs(after: Int, count: Int) { state.withLock { $0.failing = (after, count) } }

    /// Lets all syncs succeed.
    func heal() { state.withLock { $0.failing = nil } }

    private func note(_ change: Change) {
        if isRecorded { state.withLock { $0.changes.append(change) } }
    }

    private func sync(_ name: String) -> Bool {
        guard isRecorded else { return true }
        return state.withLock { state in
            state.syncs += 1
            if state.swallowed.contains(name) { return true }
            guard let failing = state.failing, failing.count > 0 else {
                state.changes.append(.synced(name))
                return true
            }
            let fails = failing.after == 0
            state.failing = fails ? (0, failing.count - 1) : (failing.after - 1, failing.count)
            state.changes.append(fails ? .failedToSync(name) : .synced(name))
            return !fails
        }
    }

    /// The disks of this process, by their folders and by the numbers that the C functions know.
    private enum Registry {
        private struct Entry {
            weak var disk: SimulatedDisk?
        }

        private struct State {
            var numbers: [String: Int32] = [:]
            var disks: [Int32: Entry] = [:]
            var last: Int32 = 0
        }

        private static let state = Mutex(State())

        private static let isRegistered = TracedDiskRegister(
            TracedDiskCalls(
                find: { path in Registry.number(of: parts(path).folder) },
                opened: { disk, path, syncsFolder in
                    Registry.disk(disk)?.note(.opened(parts(path).name, syncsFolder: syncsFolder))
                },
                write: { disk, path, offset, bytes, count in
                    let bytes = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                    Registry.disk(disk)?.note(.wrote(parts(path).name, offset: Int(offset), bytes: bytes))
                    return true
                },
                truncate: { disk, path, size in
                    Registry.disk(disk)?.note(.truncated(parts(path).name, size: Int(size)))
                    return true
                },
                sync: { disk, path in Registry.disk(disk)?.sync(parts(path).name) ?? true },
                removed: { disk, path, syncsFolder in
                    Registry.disk(disk)?.note(.removed(parts(path).name, syncsFolder: syncsFolder))
                }))

        static func add(_ disk: SimulatedDisk) throws {
            guard isRegistered else { throw CocoaError(.featureUnsupported) }
            state.withLock { state in
                state.last += 1
                for path in [disk.path, canonical(disk.path)] { state.numbers[path] = state.last }
                state.disks[state.last] = Entry(disk: disk)
            }
        }

        static func remove(_ path: String) {
            state.withLock { state in
                for path in [path, canonical(path)] {
                    if let number = state.numbers.removeValue(forKey: path) { state.disks[number] = nil }
                }
            }
        }

        private static func number(of folder: String) -> Int32 { state.withLock { $0.numbers[folder] ?? 0 } }

        private static func disk(_ number: Int32) -> SimulatedDisk? { state.withLock { $0.disks[number]?.disk } }

        /// SQLite resolves symbolic links.
        private static func canonical(_ path: String) -> String {
            guard let resolved = realpath(path, nil) else { return path }
            defer { free(resolved) }
            return String(cString: resolved)
        }

        private static func parts(_ path: UnsafePointer<CChar>?) -> (folder: String, name: String) {
            let path = path.map { String(cString: $0) } ?? ""
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
            return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
        }
    }
}

/// A power loss, and what is left of what was not synced.
struct PowerLoss {
    enum Way: String, CaseIterable, Sendable {
        /// Nothing that was not synced.
        case lost
        /// Everything.
        case kept
        /// Any of the sectors, so that later writes may be there without earlier ones.
        case reordered
        /// The first writes, the last of them in part.
        case torn
    }

    let way: Way
    private var random: SeededNumbers

    init(_ way: Way, seed: String) {
        self.way = way
        random = SeededNumbers(for: "PowerLoss \(way) \(seed)")
    }

    /// Whether a change to the names in a folder is left.
    fileprivate mutating func keepsName() -> Bool {
        switch way {
        case .lost: false
        case .kept: true
        case .reordered, .torn: random.int(0...1) == 0
        }
    }

    /// What is left of writes to a file that were not synced.
    fileprivate mutating func survivors(of writes: [UnsyncedWrite]) -> [UnsyncedWrite] {
        switch way {
        case .lost: return []
        case .kept: return writes
        case .reordered:
            let (size, tenths) = (random.pick([512, 4_096]), random.pick([1, 5, 9]))
            return writes.flatMap { $0.sectors(of: size) }.filter { _ in random.int(0...9) < tenths }
        case .torn:
            guard !writes.isEmpty else { return [] }
            let last = random.int(0...writes.count - 1)
            return Array(writes[..<last]) + [writes[last].torn(&random)]
        }
    }
}

/// A change to a file that only the cache of the system has.
private enum UnsyncedWrite {
    case bytes(ArraySlice<UInt8>, at: Int)
    case size(Int)

    func apply(to file: inout [UInt8]) {
        switch self {
        case .bytes(let bytes, let offset):
            if file.count < offset + bytes.count {
                file.append(contentsOf: [UInt8](repeating: 0, count: offset + bytes.count - file.count))
            }
            file.withUnsafeMutableBytes { file in
                bytes.withUnsafeBytes { file.baseAddress?.advanced(by: offset).copyMemory($0) }
            }
        case .size(let size):
            if file.count > size {
                file.removeLast(file.count - size)
            } else {
                file.append(contentsOf: [UInt8](repeating: 0, count: size - file.count))
            }
        }
    }

    /// The same in parts, each in one sector of the disk.
    func sectors(of size: Int) -> [UnsyncedWrite] {
        guard case .bytes(let bytes, let offset) = self else { return [self] }
        var parts: [UnsyncedWrite] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + size - (offset + start) % size)
            parts.append(.bytes(bytes[bytes.startIndex + start..<bytes.startIndex + end], at: offset + start))
            start = end
        }
        return parts
    }

    /// The beginning or the end of it.
    func torn(_ random: inout SeededNumbers) -> UnsyncedWrite {
        guard case .bytes(let bytes, let offset) = self, bytes.count > 1 else { return self }
        let cut = random.int(1...bytes.count - 1)
        return random.int(0...1) == 0
            ? .bytes(bytes.prefix(cut), at: offset) : .bytes(bytes.dropFirst(cut), at: offset + cut)
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}

/// What a disk would have after a power loss, at some point of its record.
///
/// A sync makes the writes to its file durable, and only these. After a sync that failed, the system takes for written
/// what is not, so that no later sync writes it: part of it is lost for ever, unless it is written once more.
struct DurableState {
    private struct File {
        var durable: [UInt8] = []
        var unsynced: [UnsyncedWrite] = []
        var syncsFolder = false
    }

    private var files: [File] = []
    /// The file of each name, as programs see it and as it is durable.
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    /// How much is left of writes whose sync has failed.
    private var failure: PowerLoss
    private(set) var acknowledged = 0
    private(set) var noted: Int64 = 0

    /// - Parameter failure: how much is left of writes whose sync has failed.
    init(failure: PowerLoss = PowerLoss(.lost, seed: "")) { self.failure = failure }

    mutating func apply(_ change: SimulatedDisk.Change) {
        switch change {
        case .opened(let name, let syncsFolder):
            let file = index(of: name)
            if syncsFolder { files[file].syncsFolder = true }
        case .wrote(let name, let offset, let bytes):
            files[index(of: name)].unsynced.append(.bytes(bytes[...], at: offset))
        case .truncated(let name, let size): files[index(of: name)].unsynced.append(.size(size))
        case .synced(let name):
            let file = index(of: name)
            for write in files[file].unsynced { write.apply(to: &files[file].durable) }
            files[file].unsynced = []
            if files[file].syncsFolder { durableNames = names }
            files[file].syncsFolder = false
        case .failedToSync(let name):
            let file = index(of: name)
            for write in failure.survivors(of: files[file].unsynced) { write.apply(to: &files[file].durable) }
            files[file].unsynced = []
        case .removed(let name, let syncsFolder):
            names[name] = nil
            if syncsFolder { durableNames = names }
        case .acknowledged(let count): acknowledged = max(acknowledged, count)
        case .noted(let number): noted = number
        }
    }

    private mutating func index(of name: String) -> Int {
        if let index = names[name] { return index }
        files.append(File())
        names[name] = files.count - 1
        return files.count - 1
    }

    /// The files that are left after a power loss.
    func files(after loss: PowerLoss) -> [String: [UInt8]] {
        var loss = loss
        var left: [String: [UInt8]] = [:]
        for name in Set(names.keys).union(durableNames.keys).sorted() {
            let isKept = names[name] != durableNames[name] && loss.keepsName()
            guard let index = isKept ? names[name] : durableNames[name] else { continue }
            var bytes = files[index].durable
            for write in loss.survivors(of: files[index].unsynced) { write.apply(to: &bytes) }
            left[name] = bytes
        }
        return left
    }
}
