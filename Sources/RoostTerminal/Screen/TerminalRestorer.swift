#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Restores the terminal when the process ends for any reason.
///
/// A signal handler may not allocate, lock or call most of the library. All data that it needs is allocated in
/// advance, and it calls only `dup2`, `write`, `tcsetattr`, `sigaction` and `raise`.
enum TerminalRestorer {
    /// The signals that end a process.
    private static let deadly = [
        SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
    ]

    private struct Memory {
        /// The descriptor that other threads write to.
        var output: Int32
        /// A duplicate of it, for the restoring bytes only.
        var lastOutput: Int32
        /// Discards what other threads still write.
        var nowhere: Int32
        var input: Int32
        let settings: UnsafeMutablePointer<termios>
        let bytes: UnsafeMutableBufferPointer<UInt8>
        let former: UnsafeMutableBufferPointer<sigaction>
        let signals: UnsafeMutableBufferPointer<Int32>
        /// Written to when the size changes or the process is resumed.
        var bell: Int32
    }

    // Written once, before the first handler is installed; a handler cannot lock.
    nonisolated(unsafe) private static var memory: Memory?
    nonisolated(unsafe) private static var isArmed: sig_atomic_t = 0

    /// Arranges for the terminal to get these settings and bytes when the process ends.
    static func arm(input: Int32, output: Int32, settings: termios, bytes: [UInt8], bell: Int32) {
        guard memory == nil else { return rearm() }
        let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        kept.initialize(to: settings)
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        let former = UnsafeMutableBufferPointer<sigaction>.allocate(capacity: deadly.count)
        former.initialize(repeating: sigaction())
        let signals = UnsafeMutableBufferPointer<Int32>.allocate(capacity: deadly.count)
        _ = signals.initialize(from: deadly)
        memory = Memory(
            output: output, lastOutput: fcntl(output, F_DUPFD_CLOEXEC, 0),
            nowhere: open("/dev/null", O_WRONLY | O_CLOEXEC),
            input: input, settings: kept, bytes: text, former: former, signals: signals, bell: bell)
        isArmed = 1
        for (index, number) in deadly.enumerated() {
            install(number, former.baseAddress.map { $0 + index }) { number in
                TerminalRestorer.silence()
                TerminalRestorer.restore()
                TerminalRestorer.pass(number)
            }
        }
        for number in [SIGWINCH, SIGCONT] {
            install(number, nil) { number in
                guard let bell = TerminalRestorer.memory?.bell else { return }
                var byte: UInt8 = number == SIGWINCH ? 0x77 : 0x63
                let before = errno
                _ = write(bell, &byte, 1)
                errno = before
            }
        }
        atexit { TerminalRestorer.restore() }
    }

    /// Rearms after a stop.
    static func rearm() { isArmed = memory == nil ? 0 : 1 }

    /// Restores the terminal once; later calls do nothing until it is rearmed.
    static func restore() {
        guard isArmed == 1, let memory else { return }
        isArmed = 0
        let output = memory.lastOutput < 0 ? memory.output : memory.lastOutput
        _ = write(output, memory.bytes.baseAddress, memory.bytes.count)
        _ = tcsetattr(memory.input, TCSANOW, memory.settings)
    }

    /// Discards the output of other threads, which draw until the process ends.
    private static func silence() {
        guard isArmed == 1, let memory, memory.lastOutput >= 0, memory.nowhere >= 0 else { return }
        _ = dup2(memory.nowhere, memory.output)
    }

    /// Restores the former action of the signal and raises it.
    private static func pass(_ number: Int32) {
        guard let memory else { return }
        var index = 0
        while index < memory.signals.count {
            if memory.signals[index] == number {
                sigaction(number, memory.former.baseAddress.map { $0 + index }, nil)
            }
            index += 1
        }
        raise(number)
    }

    private static func install(
        _ number: Int32, _ former: UnsafeMutablePointer<sigaction>?, _ handler: @escaping @convention(c) (Int32) -> Void
    ) {
        var action = sigaction()
        #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        action.sa_flags = Int32(SA_RESTART)
        sigaction(number, &action, former)
    }
}
