import Foundation
import Synchronization

/// Room on the disk for changes that make room: the file `reserve`, which is made shorter when a disk is full.
final class RoomReserve: Sendable {
    private struct State {
        /// How long the file is.
        var held: Int64 = 0
        /// How long it was, and is to be again.
        var wanted: Int64 = 0
    }

    private let file: Int32
    private let state = Mutex(State())

    private static let most: Int64 = 8 << 20
    /// What is given up at a time: several commits.
    private static let piece: Int64 = 256 << 10

    /// Makes the file as long as there is room for it, up to an eighth of the disk; nil if it cannot be made.
    init?(directory: String) {
        file = open(directory + "/reserve", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var (status, disk) = (stat(), statvfs())
        guard file >= 0, fstat(file, &status) == 0, fstatvfs(file, &disk) == 0 else { return nil }
        let (blocks, size) = (Int64(clamping: disk.f_blocks), Int64(clamping: disk.f_frsize))
        let (bytes, isHuge) = blocks.multipliedReportingOverflow(by: size)
        var wanted = isHuge ? Self.most : min(Self.most, bytes / 8)
        let before = Int64(status.st_size)
        while wanted > before, !extend(from: before, to: wanted) { wanted /= 2 }
        let held = max(before, wanted)
        state.withLock { $0 = State(held: held, wanted: held) }
    }

    deinit { if file >= 0 { close(file) } }

    /// Makes the file as long as it was, if it is shorter and there is room.
    /// - Returns: whether it is shorter.
    func isShort() -> Bool {
        state.withLock { state in
            guard state.held < state.wanted else { return false }
            guard extend(from: state.held, to: state.wanted) else { return true }
            state.held = state.wanted
            return false
        }
    }

    /// Makes the file shorter.
    /// - Returns: whether there is more room now.
    func giveUp() -> Bool {
        state.withLock { state in
            let left = max(0, state.held - Self.piece)
            guard state.held > 0, ftruncate(file, off_t(left)) == 0 else { return false }
            state.held = left
            return true
        }
    }

    private func extend(from size: Int64, to wanted: Int64) -> Bool {
        #if os(Linux)
            if posix_fallocate(file, 0, off_t(wanted)) == 0 { return true }
            // What was allocated before there was no room left.
            _ = ftruncate(file, off_t(size))
        #endif
        return false
    }
}
