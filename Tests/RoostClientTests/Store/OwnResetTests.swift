import GRDB
import RoostWire
import Testing

@testable import RoostClient

/// A device that was offline for longer than the server keeps the user's own log: the state that its rows would have
/// changed is read again.
@Suite struct OwnResetTests {
    /// A client with a store and the model server, and a process that may be killed.
    private struct Device {
        var rig: Rig
        let store: LocalStore

        init() throws {
            store = try LocalStore.inMemory()
            rig = Self.rig(StoreWriter.Kept())
        }

        private static func rig(_ kept: StoreWriter.Kept) -> Rig {
            var rig = Rig(me: Names.ann, positions: kept.positions) { settings in
                settings.hasStore = true
                settings.keepsTryingToConnect = true
                settings.owner = kept.owner
            }
            rig.uncommitted = []
            rig.machine.restore(sends: kept.sends, triedAt: kept.triedAt, marks: kept.marks)
            rig.machine.maintenance.wanted = kept.stale
            return rig
        }

        mutating func connect() throws {
            rig.input(.connect(Promise()))
            try settle()
        }

        mutating func commit() throws {
            let inputs = rig.uncommitted ?? []
            rig.uncommitted = []
            try edit { transaction in for input in inputs { try transaction.apply(input) } }
        }

        mutating func edit(_ body: (LocalTransaction) throws -> Void) throws {
            let wanted = try store.database.write { db in
                let transaction = try LocalTransaction(db)
                try body(transaction)
                _ = try transaction.finish()
                return transaction.wanted
            }
            if !wanted.isEmpty { rig.input(.want(wanted)) }
        }

        mutating func settle() throws {
            for _ in 0..<1_000 {
                try rig.settle()
                if rig.uncommitted?.isEmpty == true { return }
                try commit()
            }
        }

        /// Ends the process, which loses everything that is not committed; the next one connects.
        mutating func kill() throws {
            var next = Self.rig(try store.database.read(LocalStore.kept))
            next.now = rig.now
            next.server = rig.server
            next.server.disconnect()
            rig = next
        }

        func record(_ id: ChannelID) throws -> ChannelRecord? {
            try store.database.read { try LocalStore.record(id, $0) }
        }

        func rows(_ id: ChannelID) throws -> [Int64] {
            try store.database.read { try LocalStore.rows(in: id, after: 0, $0) }.compactMap(\.seq)
        }
    }

    private let ben = Names.ben.userID
    private let thinned = Names.channel("a")
    private let hidden = Names.channel("b")
    private let lost = Names.channel("c")
    private let gained = Names.channel("d")
    private let gainedHidden = Names.channel("e")

    /// Changes on another device, and changes that affect the user, while this device was offline.
    private func away() throws -> Device {
        var device = try Device()
        device.rig.server.members = [thinned, hidden, lost]
        device.rig.server.resumeRows = 500
        try device.connect()
        for id in [thinned, hidden, lost] {
            for number in 1...3 { device.rig.server.write("\(number)", to: id, by: ben) }
        }
        try device.settle()
        for id in [thinned, hidden, lost] {
            #expect(try device.record(id)?.snapshot?.seq == 3)
            #expect(try device.rows(id) == [1, 2, 3])
        }
        device.rig.breakOff()
        device.rig.server.delete(2, in: thinned)
        device.rig.server.write("4", to: thinned, by: ben)
        device.rig.server.unlist(hidden)
        device.rig.server.kick(from: lost, by: ben)
        for id in [gained, gainedHidden] {
            device.rig.server.write("before", to: id, by: ben)
            device.rig.server.invite(to: id)
        }
        device.rig.server.unlist(gainedHidden)
        return device
    }

    @Test func `a row that arrives just before the answer that resets the own log is read again`() throws {
        var device = try Device()
        device.rig.server.members = [thinned]
        device.rig.server.resumeRows = 500
        try device.connect()
        device.rig.server.write("1", to: thinned, by: ben)
        try device.settle()
        device.rig.breakOff()
        device.rig.server.unlist(thinned)
        device.rig.server.forgetOwn()
        device.rig.wake()
        try device.rig.carryToServer()
        device.rig.carryToClient()
        // Connected, and `resume` has not been answered.
        device.rig.server.write("2", to: thinned, by: ben)
        try device.rig.carryToServer()
        #expect(device.rig.server.outbox.count >= 2)
        device.rig.carryToClient()
        try device.settle()
        #expect(device.rig.rows(of: thinned) == [1, 2])
        let record = try #require(try device.record(thinned))
        let isCovered = record.stretches.contains { $0.first <= 2 && 2 <= $0.last }
        #expect(try device.rows(thinned).contains(2) == isCovered)
        #expect(record.position == 2)
    }

    @Test(arguments: [false, true]) func `the store ends up with what the server has, killed amid it or not`(
        isKilled: Bool
    ) throws {
        var device = try away()
        device.rig.server.forgetOwn()
        try device.rig.comeBack()
        let resets = device.rig.events.compactMap { if case .reset(let reset) = $0 { reset } else { nil } }
        #expect(resets.contains(Reset(seq: Int64(device.rig.server.userLog.count), reason: .tooFar)))
        if isKilled {
            // Everything received is stored, and nothing has been requested yet.
            try device.commit()
            #expect(try device.record(thinned)?.isStale == true)
            try device.kill()
            try device.connect()
            #expect(!device.rig.events.contains { if case .reset = $0 { true } else { false } })
        }
        try device.settle()
        for id in [thinned, hidden, gained, gainedHidden] {
            let record = try #require(try device.record(id))
            #expect(record.snapshot == device.rig.server.snapshot(id), "\(id)")
            #expect(record.position == device.rig.server.head(id) && !record.isStale, "\(id)")
            #expect(record.isListed == (id == thinned || id == gained), "\(id)")
        }
        #expect(try device.record(lost) == nil)
        #expect(try device.rows(lost).isEmpty)
        // Messages that the user has deleted since are no longer shown.
        #expect(try device.rows(thinned) == [4])
        let list = ListMessages(channel: thinned, limit: 4)
        let page = try #require(
            StoredAnswer(.read(.listMessages(list)), device.rig.server.history(list), since: 0))
        try device.edit { try page.put(into: $0) }
        #expect(try device.rows(thinned) == [1, 3, 4])
        // From here on the log continues as usual.
        device.rig.server.write("5", to: hidden, by: ben)
        device.rig.server.unlist(thinned)
        try device.settle()
        #expect(try device.record(hidden)?.isListed == true)
        #expect(try device.record(thinned)?.isListed == false)
        let head = Int64(device.rig.server.userLog.count)
        #expect(try device.store.database.read(LocalStore.kept).positions?.userSeq == head)
    }

    @Test func `the state from rows and the state read without them are equal`() throws {
        var told = try away()
        try told.rig.comeBack()
        try told.settle()
        var read = try away()
        read.rig.server.forgetOwn()
        try read.rig.comeBack()
        try read.settle()
        #expect(try told.record(lost)?.snapshot == nil && read.record(lost)?.snapshot == nil)
        for id in [thinned, hidden, gained, gainedHidden] {
            let (one, other) = (try told.record(id), try read.record(id))
            #expect(one?.snapshot?.seq == other?.snapshot?.seq && one?.isListed == other?.isListed, "\(id)")
            #expect(one?.snapshot?.unread == other?.snapshot?.unread && one?.mark == other?.mark, "\(id)")
            #expect(one?.snapshot?.lastMessage == other?.snapshot?.lastMessage, "\(id)")
            #expect(one?.position == other?.position, "\(id)")
        }
    }
}
