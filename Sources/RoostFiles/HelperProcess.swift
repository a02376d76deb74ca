#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif
    import Synchronization

    /// A short-lived process that works on bytes of which nothing is known.
    enum HelperProcess {
        /// How a process ended.
        struct Ending: Sendable {
            /// The exit code; nil if a signal ended it, or if it could not be started.
            var code: Int32?
            /// Whether it was killed because it took too long.
            var isLate = false
            /// What it has written to standard output, at most `outputLimit` bytes.
            var output: [UInt8] = []
            /// The beginning of what it has written to standard error, for a log: printable ASCII, 200 at most.
            var complaint = ""

            var isDone: Bool { code == 0 }
        }

        /// How many bytes of each output are kept; the rest is read and dropped.
        static let outputLimit = 65_536

        private static let isStarting = Mutex(())

        /// Runs a program and waits until it has ended; it blocks the thread. When the time is over, the process and all
        /// that it has started in its group are killed.
        ///
        /// The program gets an empty standard input, this environment and no other open files.
        /// - Parameter arguments: the path of the program, and its arguments.
        static func run(
            _ arguments: [String], environment: [String: String], until deadline: ContinuousClock.Instant
        ) -> Ending {
            guard let (process, output, errors) = start(arguments, environment) else {
                return Ending(complaint: "it cannot be started")
            }
            var (ending, complaint, status) = (Ending(), [UInt8](), Int32(0))
            defer { for pipe in [output, errors] { close(pipe) } }
            var open = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while !open.isEmpty {
                let left = milliseconds(until: deadline)
                guard left > 0 else { break }
                guard poll(&open, nfds_t(open.count), left) > 0 else { continue }
                open.removeAll { pipe in
                    guard pipe.revents != 0 else { return false }
                    let bytes = read(pipe.fd)
                    if pipe.fd == output {
                        ending.output += bytes.prefix(outputLimit - ending.output.count)
                    } else {
                        complaint += bytes.prefix(outputLimit - complaint.count)
                    }
                    return bytes.isEmpty
                }
            }
            // A process may close its outputs and go on.
            while !hasEnded(process) {
                guard milliseconds(until: deadline) > 0 else {
                    ending.isLate = true
                    break
                }
                _ = poll(nil, 0, 2)
            }
            // What it has started may still run. The number of the group is not used again before waitpid().
            _ = kill(-process, SIGKILL)
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            ending.code = !ending.isLate && status & 0x7F == 0 ? status >> 8 & 0xFF : nil
            ending.complaint = String(
                decoding: complaint.lazy.filter { (0x20...0x7E).contains($0) }.prefix(200), as: UTF8.self)
            return ending
        }

        private static func hasEnded(_ process: pid_t) -> Bool {
            var info = siginfo_t()
            let found = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
            return found == 0 ? info.si_signo != 0 : errno != EINTR
        }

        private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
            Int32(max(0, min(60_000, ((deadline - .now) / .milliseconds(1)).rounded(.up))))
        }

        /// What can be read now; nothing at the end.
        private static func read(_ pipe: Int32) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                var got = -1
                repeat {
                    #if canImport(Glibc)
                        got = Glibc.read(pipe, buffer.baseAddress, buffer.count)
                    #else
                        got = Musl.read(pipe, buffer.baseAddress, buffer.count)
                    #endif
                } while got < 0 && errno == EINTR
                count = max(0, got)
            }
        }

        private static func start(
            _ arguments: [String], _ environment: [String: String]
        ) -> (process: Int32, output: Int32, errors: Int32)? {
            // One at a time, so that none inherits the pipes of another.
            isStarting.withLock { _ in
                guard let output = makePipe() else { return nil }
                guard let errors = makePipe() else {
                    for end in [output.read, output.write] { close(end) }
                    return nil
                }
                defer { for end in [output.write, errors.write] { close(end) } }
                var process: pid_t = 0
                guard spawn(&process, arguments, environment, output.write, errors.write) == 0 else {
                    for end in [output.read, errors.read] { close(end) }
                    return nil
                }
                return (process, output.read, errors.read)
            }
        }

        private static func makePipe() -> (read: Int32, write: Int32)? {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }

        private static func spawn(
            _ process: inout pid_t, _ arguments: [String], _ environment: [String: String], _ output: Int32,
            _ errors: Int32
        ) -> Int32 {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_adddup2(&actions, errors, 2)
            // All that the server opens is closed at this point anyway; this is for what a library may have left open.
            for name in (try? LocalFile.names(in: "/proc/self/fd")) ?? [] {
                if let open = Int32(name), open > 2 { posix_spawn_file_actions_addclose(&actions, open) }
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // A group of its own, and signals as at the start of a program: the server ignores some.
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setpgroup(&attributes, 0)
            posix_spawnattr_setflags(
                &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            var texts = arguments.map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in texts + variables { free(text) } }
            return posix_spawn(&process, arguments[0], &actions, &attributes, &texts, &variables)
        }
    }
#endif
