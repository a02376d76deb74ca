import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// The order of turns: a value with jobs that do nothing.
@Suite struct JobQueueTests {
    private let ann = Cast.ann.userID
    private let bob = Cast.bob.userID
    private let cid = Cast.cid.userID

    private func job(_ number: Int, of user: UserID) -> Job {
        .participate(SessionID(lane: 0, number: UInt64(number)), user, [Cast.lobby], then: { _ in })
    }

    /// A job that takes more than one turn.
    private func long(_ number: Int, of user: UserID) -> Job {
        let ids = Array(repeating: Cast.lobby, count: Job.channelsAtOnce + 1)
        return .participate(SessionID(lane: 0, number: UInt64(number)), user, ids, then: { _ in })
    }

    private func login(_ number: Int, of user: User) throws -> Job {
        let device = try #require(DeviceID(rawValue: "device"))
        let actor = Actor(user: user, deviceID: device, isOperator: false)
        return .attach(SessionID(lane: 0, number: UInt64(number)), id: "", actor)
    }

    /// A job that looks up this many channels.
    private func wide(_ channels: Int, of user: User) throws -> Job {
        let many = SendMany(messages: [], channels: Array(repeating: Cast.lobby, count: channels))
        let device = try #require(DeviceID(rawValue: "device"))
        let actor = Actor(user: user, deviceID: device, isOperator: false)
        return .command(.write(.sendMany(many)), id: "", actor, .closure { _ in }, nil)
    }

    private func numbers(_ jobs: [Job]) -> [Int] {
        jobs.map { job in
            switch job {
            case .detach(let session, _, _), .participate(let session, _, _, _), .attach(let session, _, _):
                Int(session.number)
            case .command, .work: -1
            }
        }
    }

    @Test func `what fits one batch stays in the order in which it came`() {
        var queue = JobQueue()
        #expect(queue.isEmpty && queue.next(most: 5).isEmpty)
        queue.append([job(1, of: ann), job(2, of: ann), job(3, of: bob)])
        queue.append([job(4, of: ann), job(5, of: cid)])
        #expect(!queue.isEmpty)
        #expect(numbers(queue.next(most: 5)) == [1, 2, 3, 4, 5])
        #expect(queue.isEmpty)
    }

    @Test func `otherwise users take turns, and each user's order is kept`() {
        var queue = JobQueue()
        queue.append((1...6).map { job($0, of: ann) } + [job(7, of: bob), job(8, of: cid), job(9, of: bob)])
        #expect(numbers(queue.next(most: 4)) == [1, 7, 8, 2])
        // A job that is added now waits for at most one job of each other user.
        queue.append([job(10, of: cid)])
        #expect(numbers(queue.next(most: 4)) == [9, 3, 10, 4])
        #expect(numbers(queue.next(most: 4)) == [5, 6])
        #expect(queue.isEmpty)
    }

    @Test func `connections come and go before what the other devices of their user wait for`() throws {
        var queue = JobQueue()
        let gone = Job.detach(SessionID(lane: 0, number: 9), ann, unreachedSince: nil)
        queue.append((1...6).map { job($0, of: ann) } + [job(7, of: bob), try login(8, of: Cast.ann), gone])
        #expect(numbers(queue.next(most: 3)) == [8, 7, 9])
        queue.append([job(10, of: ann), try login(11, of: Cast.ann)])
        queue.requeue([gone, job(0, of: ann)])
        // Each of the two keeps its order.
        #expect(numbers(queue.next(most: 4)) == [9, 11, 0, 1])
        #expect(numbers(queue.next(most: 9)) == [2, 3, 4, 5, 6, 10])
        #expect(queue.isEmpty)
    }

    @Test func `a requeued job comes before all waiting jobs of its user`() {
        var queue = JobQueue()
        queue.append((1...4).map { job($0, of: ann) } + [job(5, of: bob)])
        #expect(numbers(queue.next(most: 4)) == [1, 5, 2, 3])
        queue.append([job(6, of: ann), job(7, of: bob)])
        queue.requeue([job(5, of: bob), job(2, of: ann), job(3, of: ann)])
        #expect(numbers(queue.next(most: 9)) == [5, 2, 7, 3, 4, 6])
        #expect(queue.isEmpty)
        // It may be the only job.
        queue.requeue([job(1, of: ann), job(2, of: bob)])
        #expect(numbers(queue.next(most: 9)) == [1, 2])
        #expect(queue.isEmpty)
    }

    @Test func `a job of several turns runs exclusively, with a batch of the others in between`() {
        var queue = JobQueue()
        queue.append([long(1, of: ann), job(2, of: ann), job(3, of: bob)])
        #expect(numbers(queue.next(most: 9)) == [3])
        #expect(numbers(queue.next(most: 9)) == [1])
        queue.requeue([long(1, of: ann)])
        queue.append([job(4, of: bob), long(5, of: cid), job(6, of: bob)])
        #expect(numbers(queue.next(most: 9)) == [4, 6])
        // Exclusive jobs take turns, too.
        #expect(numbers(queue.next(most: 9)) == [1])
        queue.requeue([long(1, of: ann)])
        queue.append([job(7, of: bob)])
        #expect(numbers(queue.next(most: 9)) == [7])
        #expect(numbers(queue.next(most: 9)) == [5])
        queue.append([job(8, of: cid)])
        #expect(numbers(queue.next(most: 9)) == [8])
        // The next job in the same queue has waited.
        #expect(numbers(queue.next(most: 9)) == [1])
        #expect(numbers(queue.next(most: 9)) == [2])
        #expect(queue.isEmpty)
    }

    @Test func `without other jobs, a job of several turns does not wait`() {
        var queue = JobQueue()
        queue.append([long(1, of: ann)])
        for _ in 0..<3 {
            #expect(numbers(queue.next(most: 9)) == [1])
            #expect(queue.isEmpty)
            queue.requeue([long(1, of: ann)])
        }
        queue.append([job(2, of: ann)])
        #expect(numbers(queue.next(most: 9)) == [1])
        #expect(numbers(queue.next(most: 9)) == [2])
        #expect(queue.isEmpty)
    }

    @Test func `a batch is bounded by what it looks up, and one job always fits`() throws {
        var queue = JobQueue()
        queue.append([try wide(60, of: Cast.ann), try wide(60, of: Cast.bob), job(1, of: cid)])
        #expect(queue.next(most: 100).map(\.weight) == [60])
        #expect(queue.next(most: 100).map(\.weight) == [60, 1])
        #expect(queue.isEmpty)
        queue.append([try wide(60, of: Cast.ann), job(1, of: cid)])
        #expect(queue.next(most: 5).map(\.weight) == [60])
        #expect(queue.next(most: 5).map(\.weight) == [1])
        #expect(queue.isEmpty)
        // More channels than a command may name are refused, whatever their cost.
        #expect(try wide(5_000, of: Cast.ann).weight == 100)
        #expect(long(1, of: ann).weight == 13)
    }

    @Test
    func `with random jobs, none is lost or duplicated, none overtakes another of its user, and all make progress`() {
        var random = SeededNumbers(22)
        for _ in 0..<TestLength.rounds(200, long: 5_000) {
            var queue = JobQueue()
            var waiting: [UserID: [Int]] = [:]
            var number = 0
            var idle: [UserID: Int] = [:]
            for step in 0..<40 {
                var new: [Job] = []
                for _ in 0..<(step < 30 ? random.int(0...6) : 0) {
                    number += 1
                    let user = random.pick([ann, ann, ann, bob, cid])
                    new.append(random.int(0...7) == 0 ? long(number, of: user) : job(number, of: user))
                    waiting[user, default: []].append(number)
                }
                queue.append(new)
                let most = random.int(1...6)
                let batch = queue.next(most: most)
                #expect(batch.count <= max(1, most), "\(seed)")
                #expect(batch.count == 1 || !batch.contains(where: \.needsOwnBatch), "\(seed)")
                var left: [Job] = []
                var unfinished: Set<UserID> = []
                for (place, job) in batch.enumerated() {
                    idle[job.user] = 0
                    // Sometimes a user has no more room in the batch, or needs another turn.
                    let isCut = (place > 0 || job.needsOwnBatch) && random.int(0...4) == 0
                    if unfinished.contains(job.user) || isCut {
                        unfinished.insert(job.user)
                        left.append(job)
                    } else {
                        #expect(waiting[job.user]?.first == numbers([job])[0], "\(seed)")
                        waiting[job.user]?.removeFirst()
                    }
                }
                queue.requeue(left)
                #expect(queue.isEmpty == waiting.values.allSatisfy(\.isEmpty), "\(seed)")
                for (user, jobs) in waiting where !jobs.isEmpty {
                    idle[user, default: 0] += 1
                    #expect(idle[user, default: 0] <= 25, "\(seed)")
                }
            }
            while !queue.isEmpty {
                for job in queue.next(most: 3) {
                    #expect(waiting[job.user]?.first == numbers([job])[0], "\(seed)")
                    waiting[job.user]?.removeFirst()
                }
            }
            #expect(waiting.values.allSatisfy { $0.isEmpty }, "\(seed)")
        }
    }
}

/// The budget of one batch: a value that is given the time and the rows.
@Suite struct BatchBudgetTests {
    private let ann = Cast.ann.userID
    private let bob = Cast.bob.userID

    @Test func `who has used the share of a user has no more room, and the others have`() {
        var budget = BatchBudget(uptime: 1_000, rows: 7)
        budget.charge(ann, uptime: 3_000, rows: 100)
        #expect(budget.hasRoom(for: ann))
        budget.charge(bob, uptime: 3_900, rows: 100)
        budget.charge(ann, uptime: 4_900, rows: 120)
        #expect(!budget.hasRoom(for: ann))
        #expect(budget.hasRoom(for: bob))
    }

    @Test func `rows count as time does, and those of a refused command do not`() {
        var budget = BatchBudget(uptime: 0, rows: 0)
        budget.charge(ann, uptime: 0, rows: 299)
        budget.charge(bob, uptime: 0, rows: 100)
        #expect(budget.hasRoom(for: ann) && budget.hasRoom(for: bob))
        budget.charge(ann, uptime: 0, rows: 101)
        #expect(!budget.hasRoom(for: ann))
        #expect(budget.hasRoom(for: bob))
    }

    @Test func `a batch ends for all when it is large enough`() throws {
        var budget = BatchBudget(uptime: 0, rows: 0)
        for number in 1...9 { budget.charge(try user("u\(number)").userID, uptime: Int64(number) * 2_100, rows: 0) }
        #expect(budget.hasRoom(for: ann))
        budget.charge(bob, uptime: 20_000, rows: 0)
        #expect(!budget.hasRoom(for: ann))
        budget = BatchBudget(uptime: 0, rows: 0)
        for number in 1...20 { budget.charge(try user("u\(number)").userID, uptime: 0, rows: number * 200) }
        #expect(!budget.hasRoom(for: ann))
    }

    @Test func `a clock that goes back uses up nothing`() {
        var budget = BatchBudget(uptime: 0, rows: 0)
        budget.charge(ann, uptime: -1_000_000, rows: 1)
        #expect(budget.hasRoom(for: ann))
    }
}
