import Foundation
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Strangers who try passwords, many at the same time.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct PasswordFloodTests {
    /// Tries wrong passwords at the same time, each on a thread and a connection of its own.
    private final class Flood: Sendable {
        private let codes = Mutex<[Int]>([])
        private let count: Int
        private let answers: AsyncStream<Void>

        init(_ addresses: [String], at server: ServerProcess) {
            count = addresses.count
            let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
            self.answers = answers
            for (number, address) in addresses.enumerated() {
                let thread = Thread {
                    let body = #"{"loginName":"nobody\#(number)","password":"wrong"}"#
                    let caller = HTTPClient.Caller(headers: ["X-Forwarded-For": address])
                    let answer = try? HTTPClient(server).post("account.logIn", body, from: caller)
                    self.codes.withLock { $0.append(answer?.error?.code ?? -1) }
                    continuation.yield()
                }
                thread.start()
            }
        }

        /// How many passwords were checked so far, and how many were refused unchecked.
        var progress: (checked: Int, refused: Int) {
            codes.withLock { codes in
                let refused = codes.count { $0 == ErrorCode.tooManyRequests.code }
                return (codes.count - refused, refused)
            }
        }

        /// The codes of all answers.
        func all() async -> [Int] {
            var left = count
            for await _ in answers {
                left -= 1
                if left == 0 { break }
            }
            return codes.withLock(\.self)
        }
    }

    @Test func `while strangers try passwords everything else goes on, and only few of them wait`() async throws {
        let harness = try await ServerHarness(options: ["--behind-proxy"], isRecorded: false)
        let http = HTTPClient(harness)
        let ann = HTTPClient.Caller.guest(Cast.ann)
        try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        let flood = Flood((0..<40).map { "192.0.2.\($0 / 2)" }, at: harness.server)
        // Commands are answered before the first password is checked.
        var rounds = 0
        while flood.progress.checked == 0 {
            #expect(try http.exchange("GET", "/healthz", [], [:]).status == 200)
            try http.perform(SendMessage(channel: Cast.club, text: "still here"), from: ann)
            rounds += 1
        }
        #expect(rounds > 10 && flood.progress.refused > 0)
    }

    @Test func `an address has two passwords checked at a time, and the other attempts do not count`() async throws {
        let harness = try await ServerHarness(options: ["--behind-proxy"], isRecorded: false)
        let codes = await Flood(Array(repeating: "192.0.2.1", count: 60), at: harness.server).all()
        #expect(codes.contains(ErrorCode.tooManyRequests.code) && codes.contains(ErrorCode.wrongCredentials.code))
        #expect(codes.allSatisfy { [1, 1_004].contains($0) }, "\(codes)")
        // 50 wrong passwords shut an address out; of these only few were tried.
        #expect(await Flood(["192.0.2.1", "192.0.2.2"], at: harness.server).all() == [1, 1])
    }
}
