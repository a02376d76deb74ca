import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The terminal itself: its settings, its size, its keys, and the bytes that are written to it. Thin on purpose.
package final class TerminalDevice: Sendable {
    /// What comes from the terminal.
    package enum Input: Sendable {
        case keys([Key])
        case resized(ScreenSize)
        /// The process was stopped and goes on: the terminal is set up again.
        case resumed
        /// Nothing comes any more.
        case ended
    }

    /// What comes, for one reader.
    package let input: AsyncStream<Input>
    private let entering: [UInt8]
    private let raw: termios

    /// Whether both ends of the process are a terminal that can place the cursor.
    package static var isUsable: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
    }

    /// Takes the terminal over: its other screen, key by key. It is given back by ``restore()`` and when the process ends.
    ///
    /// - Returns: nil when the terminal cannot be set up.
    package init?(hasMouse: Bool) {
        var settings = termios()
        var ends: [Int32] = [0, 0]
        guard tcgetattr(STDIN_FILENO, &settings) == 0, pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let kept = settings
        cfmakeraw(&settings)
        raw = settings
        // The other screen, marked pastes, the wheel, and whether the window is the one that is used.
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

    /// Sets the terminal up again after a stop.
    package func resume() {
        TerminalRestorer.rearm()
        enter()
    }

    /// Gives the terminal back as it was.
    package func restore() { TerminalRestorer.restore() }

    /// Stops the process as the shell's Ctrl-Z does; returns when it goes on.
    package func suspend() {
        restore()
        kill(getpid(), SIGTSTP)
    }

    /// The size of the terminal now.
    package static var size: ScreenSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return ScreenSize(columns: 80, rows: 24) }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Writes bytes; what cannot be written is lost, as the terminal is.
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

    /// Reads keys until the terminal is gone. A thread of its own: reading blocks.
    private static func read(bell: Int32, _ continuation: AsyncStream<Input>.Continuation) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var ends = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            // An escape that nothing follows is the key of that name.
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

// Inside the class the names mean its own methods.
private func unistd_write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
private func unistd_read(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}

extension ChatApp {
    /// Runs the chat on a terminal until the person leaves or the terminal is gone.
    package func run(on terminal: TerminalDevice, hasColors: Bool) async {
        var renderer = Renderer(hasColors: hasColors)
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
