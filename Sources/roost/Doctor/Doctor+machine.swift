import Foundation
import RoostServer

/// What the machine gives the server.
extension Doctor {
    /// How many files and sockets the server may have open.
    func descriptors() -> [Finding] {
        guard let limit = Descriptors.raisedLimit() else { return [.skipped("the limit is not known")] }
        let sockets = max(16, limit - Descriptors.reserve)
        let text = "\(limit) files and sockets may be open, so \(sockets) clients can be connected"
        guard limit >= 4_096 else {
            return [
                .warning(
                    text, "Set LimitNOFILE=1048576 in the unit, or ulimit -Hn 1048576 where the server is started.")
            ]
        }
        return [.good(text)]
    }

    /// How much memory connections may hold, of how much there is.
    func memory() -> [Finding] {
        let all = MachineMemory.bytes
        let most = serve.connectionMemory ?? MachineMemory.quarter(of: all)
        let text = "connections may hold \(Self.bytes(Int64(most))), of \(Self.bytes(Int64(all)))"
        if most > all / 2 {
            return [
                .fault(
                    text + ": the server would be killed first", "Set --connection-memory to a quarter of the memory.")
            ]
        }
        if all < 256 << 20 {
            return [.warning(text, "Give the server 256 MiB or more.")]
        }
        return [.good(text)]
    }

    /// Whether something sets the clock right, as far as systemd knows.
    func clock() -> [Finding] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timedatectl")
        process.arguments = ["show", "--property=NTPSynchronized", "--value"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else {
            return [.skipped("systemd does not say whether it is right")]
        }
        process.waitUntilExit()
        switch String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) {
        case "yes": return [.good("it is set by the network")]
        case "no":
            return [
                .warning(
                    "nothing sets the clock of this machine right, or it has not begun to",
                    "timedatectl set-ntp true, or install chrony.")
            ]
        default: return [.skipped("systemd does not say whether it is right")]
        }
    }

    /// The programs that the server uses.
    func programs() -> [Finding] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let isThere = path.split(separator: ":").contains { access($0 + "/vipsthumbnail", X_OK) == 0 }
        guard isThere else {
            return [
                .warning(
                    "vipsthumbnail is not in PATH, so pictures get no small versions",
                    "apt install libvips-tools, or set PATH.")
            ]
        }
        return [.good("vipsthumbnail is there")]
    }
}
