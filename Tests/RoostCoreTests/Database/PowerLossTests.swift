import Foundation
import RoostSQLite
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// A real core on a disk that loses power at any moment of its writes.
///
/// 300 moments in a run of `dev/test`, 20,000 in each way with `--long`.
@Suite(.serialized) struct PowerLossTests {
    private static let stories = TestLength.rounds(1, long: 20)
    private static let moments = TestLength.rounds(300, long: 1_000)
    private static let steps = 120

    /// The problems after a power loss at these moments of a story; each is the number of changes before.
    private func problems(
        of disk: SimulatedDisk, _ ledger: DiskLedger, at moments: [Int], ways: (Int) -> [PowerLoss.Way], seed: String,
        state: DurableState = DurableState()
    ) async throws -> (images: Int, problems: [String]) {
        let changes = disk.changes
        var (state, applied, images, problems) = (state, 0, 0, [String]())
        for moment in moments {
            while applied < moment {
                state.apply(changes[applied])
                applied += 1
            }
            for way in ways(images) {
                let files = state.files(after: PowerLoss(way, seed: "\(seed) \(moment)"))
                let check = ImageCheck(ledger: ledger, acknowledged: state.acknowledged, noted: state.noted)
                problems += try await check.problems(with: files, as: images).map { "\(moment), \(way): \($0)" }
                images += 1
            }
        }
        return (images, problems)
    }

    /// Moments spread over all changes, the end included.
    private func moments(_ count: Int, of disk: SimulatedDisk) -> [Int] {
        let changes = disk.changes.count
        return (1...count).map { changes * $0 / count }
    }

    @Test(.timeLimit(.minutes(stories * 10)))
    func `after a power loss at any moment everything acknowledged is there once, and the core goes on`() async throws {
        var (images, changes, acknowledged) = (0, 0, 0)
        for number in 0..<Self.stories {
            let seed = "story \(number)"
            let disk = try SimulatedDisk()
            let ledger = try await PowerLossStory.play(on: disk, seed: seed, steps: Self.steps)
            #expect(ledger.refusals.isEmpty)
            let all = PowerLoss.Way.allCases
            let found = try await problems(
                of: disk, ledger, at: moments(Self.moments, of: disk),
                ways: { TestLength.isLong ? all : [all[$0 % all.count]] }, seed: seed)
            #expect(found.problems.isEmpty, "\(seed), ROOST_SEED=\(SeededNumbers.seed)")
            images += found.images
            changes += disk.changes.count
            acknowledged += ledger.entries.count
        }
        #expect(images >= 300)
        print("# \(images) power losses in \(changes) changes with \(acknowledged) acknowledgements")
    }

    @Test func `the record of the disk has everything that SQLite has written`() async throws {
        let disk = try SimulatedDisk()
        let ledger = DiskLedger(on: disk)
        let core = try await DiskCore(on: disk)
        try await core.stage.makeClub()
        for number in 1...20 { _ = try await ledger.send("\(number)", to: Cast.club, from: core.stage.ann) }
        var state = DurableState()
        for change in disk.changes { state.apply(change) }
        let files = state.files(after: PowerLoss(.kept, seed: ""))
        #expect(files.keys.sorted() == ["roost.sqlite", "roost.sqlite-wal"])
        for (name, bytes) in files {
            #expect(FileManager.default.contents(atPath: disk.path + "/" + name).map { Array($0) == bytes } == true)
        }
        try await core.close()
    }

    @Test(arguments: ["roost.sqlite", "roost.sqlite-wal"])
    func `the test finds what is lost if a file is never synced`(file: String) async throws {
        let disk = try SimulatedDisk()
        disk.swallowSyncs(of: file)
        let ledger = try await PowerLossStory.play(on: disk, seed: "swallowed", steps: Self.steps)
        let found = try await problems(
            of: disk, ledger, at: moments(20, of: disk), ways: { _ in [.lost] }, seed: "swallowed")
        #expect(found.problems.count > 10)
    }

    @Test func `the test finds what is lost if commits are not synced`() async throws {
        let disk = try SimulatedDisk()
        let ledger = try await PowerLossStory.play(on: disk, seed: "normal", steps: Self.steps, synchronous: "NORMAL")
        let found = try await problems(
            of: disk, ledger, at: moments(60, of: disk), ways: { _ in [.lost] }, seed: "normal")
        #expect(found.problems.contains { $0.contains("not there any more") })
    }

    // MARK: Syncs that fail

    private static let positions = TestLength.isLong ? Array(0..<40) : [0, 1, 2, 5, 9, 14]

    /// A core whose disk has failed to sync, and what it has acknowledged.
    private func failed(after position: Int, count: Int) async throws -> (SimulatedDisk, DiskLedger, DiskCore) {
        let disk = try SimulatedDisk()
        let ledger = DiskLedger(on: disk)
        let core = try await DiskCore(on: disk, checkpoint: 12)
        ledger.setEpoch(core.stage.roost.core.epoch)
        try await core.stage.makeClub()
        disk.failSyncs(after: position, count: count)
        for number in 1...25 { _ = try await ledger.send("before \(number)", to: Cast.club, from: core.stage.ann) }
        return (disk, ledger, core)
    }

    @Test(arguments: [1, Int.max])
    func `after a commit could not be synced nothing is stored and everything is read until the next start`(
        failures: Int
    ) async throws {
        var refused = 0
        for position in Self.positions {
            let (disk, ledger, core) = try await failed(after: position, count: failures)
            // A checkpoint that fails is none of the writers' business, as long as they can be stored in the WAL.
            let sent = ledger.entries.count
            if sent < 25 {
                refused += 1
                #expect(ledger.refusals.count == 25 - sent)
                #expect(Set(ledger.refusals.map(\.code)) == [ErrorCode.databaseAccess.code])
                #expect(ledger.refusals.allSatisfy { $0.message.contains("restarted") })
                disk.heal()
                #expect(try await ledger.send("still not", to: Cast.club, from: core.stage.bob) == nil)
                #expect(core.stage.roost.core.problem?.contains("restarted") == true)
                let texts = try await core.stage.bob.log(of: Cast.club).compactMap(\.text)
                #expect(texts == (1..<sent + 1).map { "before \($0)" })
            }
            disk.heal()
            await core.stage.roost.core.stop()
            try? core.database.close()
        }
        #expect(refused > 0)
    }

    enum End: String, CaseIterable { case stopped, killed }

    @Test(arguments: [1, Int.max], End.allCases)
    func `after a sync that failed and a restart, a power loss takes nothing that was acknowledged`(
        failures: Int, end: End
    ) async throws {
        var images = 0
        for position in Self.positions {
            let (first, ledger, old) = try await failed(after: position, count: failures)
            let start = first.changes.count
            let disk = end == .killed ? try SimulatedDisk(afterKillOf: first) : first
            first.heal()
            ledger.move(to: disk)
            await old.stage.roost.core.stop()
            try? old.database.close()
            let core = try await DiskCore(on: disk, checkpoint: 1_000)
            for number in 1...5 {
                let answer = try await ledger.send("after \(number)", to: Cast.club, from: core.stage.bob)
                #expect(answer != nil)
            }
            let moments = Array(stride(from: start, to: disk.changes.count, by: 5)) + [disk.changes.count]
            for way in PowerLoss.Way.allCases {
                let seed = "\(position) \(failures) \(end)"
                let state = DurableState(failure: PowerLoss(way, seed: seed))
                let found = try await problems(
                    of: disk, ledger, at: Array(moments.suffix(TestLength.rounds(6, long: 100))), ways: { _ in [way] },
                    seed: seed, state: state)
                #expect(found.problems.isEmpty, "\(seed), ROOST_SEED=\(SeededNumbers.seed)")
                images += found.images
            }
            try await core.close()
        }
        print("# \(images) power losses after \(Self.positions.count) syncs that failed, the server \(end)")
    }

    @Test func `what a killed server has left in the WAL is written once more and synced before anything else`()
        async throws
    {
        let (first, ledger, old) = try await failed(after: 0, count: 0)
        let disk = try SimulatedDisk(afterKillOf: first)
        let before = disk.changes.count
        let wal = try #require(FileManager.default.contents(atPath: disk.path + "/roost.sqlite-wal"))
        disk.failSyncs(after: 0, count: .max)
        let failure = #expect(throws: DatabaseFailure.self) { try SQLiteDatabase(directory: disk.path) }
        #expect(failure?.kind == .unsynced)
        var written: [UInt8] = []
        for case .wrote("roost.sqlite-wal", let offset, let bytes) in disk.changes[before...] {
            #expect(offset == written.count)
            written += bytes
        }
        #expect(!written.isEmpty && written == Array(wal))
        disk.heal()
        try SQLiteDatabase(directory: disk.path).close()
        #expect(ledger.refusals.isEmpty)
        try await old.close()
    }

    // MARK: Damage in the WAL

    /// The files of a core that has committed some sends into the WAL, and the size of the WAL after each.
    private func filled() async throws -> (ledger: DiskLedger, sizes: [Int], files: [String: [UInt8]]) {
        let disk = try SimulatedDisk()
        let ledger = DiskLedger(on: disk)
        let core = try await DiskCore(on: disk, checkpoint: 1_000)
        ledger.setEpoch(core.stage.roost.core.epoch)
        try await core.stage.makeClub()
        var sizes: [Int] = []
        func files() -> [String: [UInt8]] {
            var files: [String: [UInt8]] = [:]
            for name in ["roost.sqlite", "roost.sqlite-wal"] {
                files[name] = FileManager.default.contents(atPath: disk.path + "/" + name).map { Array($0) }
            }
            return files
        }
        for number in 1...10 {
            if number == 5 { try core.database.removeTraces() }
            _ = try await ledger.send("\(number)", to: Cast.club, from: core.stage.ann)
            sizes.append(number < 5 ? 0 : try #require(files()["roost.sqlite-wal"]).count)
        }
        let left = files()
        try await core.close()
        return (ledger, sizes, left)
    }

    /// A WAL consists of a header and of frames: a page with a header of its own.
    private static let (headerBytes, frameBytes) = (32, 4_120)

    @Test(.timeLimit(.minutes(60)))
    func `with a WAL that ends at any byte of its last frames every commit before is there`() async throws {
        let (ledger, sizes, files) = try await filled()
        let wal = try #require(files["roost.sqlite-wal"])
        #expect(wal.count > Self.headerBytes + 3 * Self.frameBytes)
        let first = wal.count - 3 * Self.frameBytes
        var cuts = Array(stride(from: first, through: wal.count, by: TestLength.isLong ? 1 : 173))
        for frame in 0...3 { cuts += [-1, 0, 1, 23, 24, 25].map { first + frame * Self.frameBytes + $0 } }
        for cut in Set(cuts).sorted() where cut <= wal.count {
            let check = ImageCheck(ledger: ledger, acknowledged: sizes.count { $0 <= cut })
            let image = files.merging(["roost.sqlite-wal": Array(wal[..<cut])]) { $1 }
            #expect(try await check.problems(with: image, as: cut) == [], "\(cut)")
        }
        print("# \(Set(cuts).count) ends of a WAL of \(wal.count) bytes")
    }

    @Test(.timeLimit(.minutes(60)))
    func `with a wrong bit in the WAL every commit before is there`() async throws {
        let (ledger, sizes, files) = try await filled()
        let wal = try #require(files["roost.sqlite-wal"])
        var random = SeededNumbers(for: "bits in the WAL")
        var places = (0..<TestLength.rounds(40, long: 3_000)).map { _ in random.int(0...wal.count - 1) }
        places += [0, 4, 8, 16, 24, 32, 36, 40, 48, wal.count - Self.frameBytes + 4, wal.count - 1]
        for place in places {
            var damaged = wal
            damaged[place] ^= 1 << UInt8(random.int(0...7))
            let frame = (place - Self.headerBytes) / Self.frameBytes
            let end = place < Self.headerBytes ? 0 : Self.headerBytes + frame * Self.frameBytes
            let check = ImageCheck(ledger: ledger, acknowledged: sizes.count { $0 <= end })
            let image = files.merging(["roost.sqlite-wal": damaged]) { $1 }
            #expect(try await check.problems(with: image, as: place) == [], "\(place)")
        }
        print("# \(places.count) wrong bits in a WAL of \(wal.count) bytes")
    }
}
