import Foundation

/// What the process uses of the machine; nil for what this system does not tell.
struct ProcessUsage {
    var cpuSeconds: Double?
    var residentBytes: Double?
    var descriptors: Double?
    var maxDescriptors: Double?
    /// In seconds since 1970.
    var startedAt: Double?

    /// Reads it now, from `/proc` on Linux.
    init() {
        var usage = rusage()
        if getrusage(Self.itself, &usage) == 0 {
            cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        }
        var limit = rlimit()
        if getrlimit(Self.openFiles, &limit) == 0 { maxDescriptors = Double(limit.rlim_cur) }
        let files = FileManager.default
        descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count) }
        if let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap(Double.init) {
            residentBytes = pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        }
        startedAt = Self.start
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

    private static func words(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ")
    }

    /// The start of the process: the time of the boot, and the ticks from then on in field 22 of `stat`.
    private static let start: Double? = {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let boot = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            // The name of the program, which may have spaces, is in brackets.
            let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 19,
            let ticks = Double(fields[19]),
            let line = boot.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }),
            let booted = Double(line.dropFirst(6))
        else { return nil }
        return booted + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    #if canImport(Glibc)
        private static let itself = __rusage_who_t(RUSAGE_SELF.rawValue)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let itself = RUSAGE_SELF
        private static let openFiles = RLIMIT_NOFILE
    #endif
}
