import Foundation
import RoostWire
import Synchronization

/// Records the refusals of cores without sockets for `dev/schema`, beside the file that `ROOST_FRAMES` names.
final class RefusalLog: Sendable {
    private struct State {
        var file: FileHandle
        var count = 0
    }

    /// The log; nil if recording is disabled.
    static let shared = ProcessInfo.processInfo.environment["ROOST_FRAMES"].flatMap { path in
        RefusalLog(path: path.replacing(/\.jsonl$/, with: "") + "-refusals.jsonl")
    }

    private let state: Mutex<State>

    private init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        state = Mutex(State(file: file))
    }

    /// Records that a command was refused.
    func note(_ error: WireError, of command: String) {
        state.withLock { state in
            state.count += 1
            let id = "\(state.count)"
            let answer = String(decoding: WireCodec.encodeFailure(id: id, error: error), as: UTF8.self)
            let lines = """
                {"connection":"core","from":"client","frame":{"id":"\(id)","cmd":"\(command)"}}
                {"connection":"core","from":"server","frame":\(answer)}

                """
            // A failed write leaves a gap in the log; no test fails because of it.
            try? state.file.write(contentsOf: Data(lines.utf8))
        }
    }
}
