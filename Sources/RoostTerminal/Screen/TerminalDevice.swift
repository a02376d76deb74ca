import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A thin wrapper around the terminal: its settings, size, input and output.
package final class TerminalDevice: Sendable {
    /// Input from the terminal.
    package enum Input: Sendable {
        case keys([Key])
        case resized(ScreenSize)
        /// The process was resumed after a stop, so the terminal must be set up again.
        case resumed
        /// The input has ended.
        case ended
    }

    /// The input, for a single reader.
    package let input: AsyncStream<Input>
    private let entering: [UInt8]
    private let raw: termios

    /// Whether standard input and output are a terminal with cursor positioning.
    package static var isUsable: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
    }

    /// Takes over the terminal, with the alternate screen and unbuffered input. It is restored by ``restore()`` and
    /// when the process ends.
    ///
    /// - Returns: nil if the terminal cannot be set up.
    package init?(hasMouse: Bool) {
        var settings = termios()
        var ends: [Int32] = [0, 0]
        guard tcgetattr(STDIN_FILENO, &settings) == 0, pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let kept = settings
        cfmakeraw(&settings)
        raw = settings
        // Alternate screen, bracketed paste, mouse wheel, and focus events.
        let modes = ["1049", "2004"] + (hasMouse ? ["1000", "1006"] : []) + ["1004"]
        entering = Array((modes.map { "\u{1B}[?\($0)h" }.joined() + "\u{1B}[?25l").utf8)
        let leaving = "\u{1B}[0m\u{1B}[?25h" + modes.reversed().map { "\u{1B}[?\($0)l" }.joined()
        let (input, continuation) = AsyncStream.makeStream(of: Input.self)
        self.input = input
        TerminalRestorer.arm(
            input: STDIN_FILENO, output: STDOUT_FILENO, settings: kept, bytes: Array(leaving.utf8), bell: ends[1])
        enter()
        let read = ends[0]
        let thread = Thread { Self.read(bell: read, continuation) }
        thread.start()
    }

    private func enter() {
        var settings = raw
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        write(entering)
    }

    /// Sets up the terminal again after a stop.
    package func resume() {
        TerminalRestorer.rearm()
        enter()
    }

    /// Restores the terminal.
    package func restore() { TerminalRestorer.restore() }

    /// Suspends the process, as Ctrl-Z does in a shell; returns when it is resumed.
    package func suspend() {
        restore()
        kill(getpid(), SIGTSTP)
    }

    /// The current size of the terminal.
    package static var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return ScreenSize(columns: 80, rows: 24) }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes bytes; failures are ignored, because the terminal is then gone.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unistd_write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Reads keys until the terminal is closed, on a separate thread because reading blocks.
    private static func read(bell: Int32, _ continuation: AsyncStream<Input>.Continuation) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var ends = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // An escape byte that nothing follows is the Escape key.
            let count = poll(&ends, nfds_t(ends.count), parser.isWaiting ? 50 : -1)
            if count < 0 {
                if errno == EINTR { continue }
                break
            }
            if count == 0 {
                continuation.yield(.keys(parser.flush()))
                continue
            }
            if ends[1].revents != 0 {
                let count = unistd_read(bell, &buffer, buffer.count)
                if count > 0, buffer.prefix(count).contains(0x63) { continuation.yield(.resumed) }
                continuation.yield(.resized(size))
            }
            if ends[0].revents != 0 {
                let count = unistd_read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                let keys = parser.parse(buffer.prefix(count))
                if !keys.isEmpty { continuation.yield(.keys(keys)) }
            }
        }
        continuation.yield(.ended)
        continuation.finish()
    }
}

// Aliases, because inside the class these names refer to its methods.
private func unistd_write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
private func unistd_read(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}

extension ChatApp {
    /// Runs the chat on a terminal until the user quits or the terminal is closed.
    package func run(on terminal: TerminalDevice, hasColors: Bool, hasTrueColors: Bool = false) async {
        var renderer = Renderer(hasColors: hasColors, hasTrueColors: hasTrueColors)
        let listen: Job = {
            for await input in terminal.input {
                switch input {
                case .keys(let keys): for key in keys { self.handle(key) }
                case .resized(let size): self.resize(size)
                case .resumed:
                    terminal.resume()
                    self.wantsRedraw = true
                    self.changed()
                case .ended: self.quit()
                }
            }
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await listen() }
            await run { screen in
                if self.wantsSuspend {
                    self.wantsSuspend = false
                    terminal.suspend()
                    return
                }
                if self.wantsRedraw {
                    self.wantsRedraw = false
                    renderer.forget()
                }
                terminal.write(renderer.render(screen))
            }
            group.cancelAll()
        }
    }
}
