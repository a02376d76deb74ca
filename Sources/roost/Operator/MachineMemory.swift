import Foundation

/// The memory that this process can have: that of the machine, or less in a container.
enum MachineMemory {
    /// The bytes.
    static var bytes: Int {
        let limit = limit(groups: read("/proc/self/cgroup") ?? "", read: read)
        return min(limit ?? .max, Int(clamping: ProcessInfo.processInfo.physicalMemory))
    }

    /// A quarter of it, at least 64 MiB and at most 4 GiB.
    static func quarter(of bytes: Int) -> Int { min(max(bytes / 4, 64 << 20), 4 << 30) }

    /// The least limit of the control groups that the process is in; nil if there is none.
    /// - Parameters:
    ///   - groups: the content of `/proc/self/cgroup`.
    ///   - read: the content of a file; nil if there is none.
    static func limit(groups: String, read: (String) -> String?) -> Int? {
        var least: Int?
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let (root, file): (String, String)
            if parts[1].isEmpty {
                (root, file) = ("/sys/fs/cgroup", "memory.max")
            } else if parts[1].split(separator: ",").contains("memory") {
                (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                continue
            }
            // The limits of the groups around it hold, too. In a container, its own group is the root.
            var names = parts[2].split(separator: "/")
            while true {
                let path = ([root] + names.map(String.init) + [file]).joined(separator: "/")
                if let limit = read(path).flatMap({ Int($0.filter { !$0.isWhitespace }) }), limit > 0 {
                    least = min(least ?? .max, limit)
                }
                if names.popLast() == nil { break }
            }
        }
        return least
    }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
