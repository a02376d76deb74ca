import Foundation
import RoostTesting

#if canImport(Glibc)
    import Glibc
#endif

/// What a process uses, as the system of this machine says.
struct ProcessFigures: Sendable {
    /// The resident memory in bytes, now and at most so far.
    let memory: Int
    let maxMemory: Int
    let threads: Int
    let descriptors: Int
    /// The user and system time so far, in seconds.
    let cpu: Double

    init(of pid: Int32) {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let fields = status.split(separator: "\n").map { $0.split(whereSeparator: { $0 == ":" || $0.isWhitespace }) }
        func number(_ name: String) -> Int { fields.first { $0.first == name[...] }.flatMap { Int($0[1]) } ?? 0 }
        memory = number("VmRSS") * 1_024
        maxMemory = number("VmHWM") * 1_024
        threads = number("Threads")
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
        // The name of the process, in parentheses, may contain spaces.
        let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let times = stat.split(separator: ")").last?.split(separator: " ").compactMap { Double($0) } ?? []
        cpu = times.count > 11 ? (times[10] + times[11]) / 100 : 0
    }
}

extension ServerProcess {
    /// What the server uses now.
    var figures: ProcessFigures { ProcessFigures(of: pid) }
}

/// The size of a file in bytes; 0 if there is none.
func fileBytes(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
}

/// Raises the number of descriptors that this process, and those that it starts, may have, as far as the system allows.
func raiseDescriptorLimit() {
    #if canImport(Glibc)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
}

extension Array where Element == Double {
    /// The value below which this share of them lies; nil if there are none.
    func percentile(_ share: Double) -> Double? {
        isEmpty ? nil : sorted()[Swift.min(count - 1, Int(share * Double(count)))]
    }
}

/// A number with one digit after the point, or two below one.
func shortNumber(_ number: Double) -> String { String(format: abs(number) < 1 ? "%.2f" : "%.1f", number) }

/// Bytes as MiB.
func mebibytes(_ bytes: Int) -> String { shortNumber(Double(bytes) / 1_048_576) }
