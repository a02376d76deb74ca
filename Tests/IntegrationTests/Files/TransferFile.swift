import Foundation
import RoostTesting
import Synchronization

/// Files for tests.
enum TransferFile {
    /// Creates a file of this size, whose bytes differ from block to block.
    static func make(_ name: String, bytes size: Int, in folder: TemporaryFolder) throws -> String {
        var data = Data(capacity: size + 4_096)
        var numbers = SeededNumbers(seed: UInt64(size))
        let block = (0..<512).map { _ in numbers.next() }.withUnsafeBytes { Data($0) }
        var number: UInt64 = 0
        while data.count < size {
            withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
            data.append(block)
            number += 1
        }
        return try write(data.prefix(size), name, in: folder)
    }

    /// Creates a file that begins as a JPEG picture does.
    static func jpeg(_ name: String = "roof.jpg", in folder: TemporaryFolder) throws -> String {
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]
        return try write(Data(head) + Data(name.utf8) + Data([0x0A, 0xFF, 0xD9]), name, in: folder)
    }

    private static func write(_ data: Data, _ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/" + name
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}

/// The traffic through a proxy.
final class Traffic: Sendable {
    private struct State {
        var up = 0
        var down = 0
        var nextCut: Int?
        var requests: [String] = []
    }

    private let state = Mutex(State())
    let cuts: AsyncStream<Void>
    private let cut: AsyncStream<Void>.Continuation

    init() { (cuts, cut) = AsyncStream.makeStream() }

    /// Ends `cuts`, after the cuts that are due already.
    func stopCutting() { cut.finish() }

    /// Announces a cut after every so many bytes in a direction.
    func listen(cutting step: Int? = nil, fromServer isDown: Bool = false) -> FaultProxy.Listener {
        state.withLock { $0.nextCut = step }
        return { [self] _, isFromServer, bytes in
            let mustCut = state.withLock { state in
                if isFromServer { state.down += bytes.count } else { state.up += bytes.count }
                if !isFromServer, let line = Self.line(bytes) { state.requests.append(line) }
                guard let step, let next = state.nextCut, (isDown ? state.down : state.up) >= next else { return false }
                state.nextCut = next + step
                return true
            }
            if mustCut { cut.yield() }
        }
    }

    /// The first line of a request.
    private static func line(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return nil }
        let line = String(decoding: bytes.prefix(200).prefix { $0 != 13 }, as: UTF8.self)
        return line.hasSuffix("HTTP/1.1") ? line : nil
    }

    /// How many bytes clients have sent.
    var up: Int { state.withLock { $0.up } }

    func requests(_ method: String) -> Int { state.withLock { $0.requests.count { $0.hasPrefix(method + " ") } } }
}

/// The progress of a transfer.
final class ProgressLog: Sendable {
    private let all = Mutex<[TransferProgressValue]>([])

    struct TransferProgressValue: Sendable {
        var completed: Int64
        var total: Int64
    }

    func note(_ completed: Int64, of total: Int64) {
        all.withLock { $0.append(TransferProgressValue(completed: completed, total: total)) }
    }

    var completed: [Int64] { all.withLock { $0.map(\.completed) } }
    var total: Int64? { all.withLock { $0.last?.total } }
}
