import Foundation
import RoostTesting
import Synchronization

/// Records the traffic between clients and servers for `dev/schema`, in the file named by `ROOST_FRAMES`.
///
/// The file has one JSON object per line: the connection, the sender, and the bytes.
final class FrameLog: Sendable {
    private struct State {
        var file: FileHandle
        var count = 0
    }

    /// The log; nil if recording is disabled.
    static let shared = ProcessInfo.processInfo.environment["ROOST_FRAMES"].flatMap(FrameLog.init)

    private let state: Mutex<State>

    private init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        state = Mutex(State(file: file))
    }

    /// One connection of a client that records its own bytes.
    struct Connection: Sendable {
        fileprivate let log: FrameLog
        fileprivate let name: String

        /// Records bytes that the client is about to send.
        func sends(_ bytes: [UInt8]) { log.write(name, isFromServer: false, bytes) }

        /// Records bytes that the client has read.
        func reads(_ bytes: some Sequence<UInt8>) { log.write(name, isFromServer: true, Array(bytes)) }
    }

    /// A new connection.
    func connection() -> Connection { Connection(log: self, name: name("c")) }

    /// Starts a proxy that only records what it relays.
    func proxy(inTurn ports: [Int]) async throws -> FaultProxy {
        let name = name("p")
        return try await FaultProxy.start(inTurn: ports, seed: 0) { connection, isFromServer, bytes in
            self.write("\(name).\(connection)", isFromServer: isFromServer, bytes)
        }
    }

    private func name(_ kind: String) -> String {
        state.withLock { state in
            state.count += 1
            return "\(kind)\(state.count)"
        }
    }

    private func write(_ connection: String, isFromServer: Bool, _ bytes: [UInt8]) {
        let side = isFromServer ? "server" : "client"
        let text = Data(bytes).base64EncodedString()
        let line = Data("{\"connection\":\"\(connection)\",\"from\":\"\(side)\",\"bytes\":\"\(text)\"}\n".utf8)
        // A failed write leaves a gap in the log; no test fails because of it.
        state.withLock { try? $0.file.write(contentsOf: line) }
    }
}
