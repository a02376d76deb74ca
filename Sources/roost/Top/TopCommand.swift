import ArgumentParser
import Foundation
import RoostTerminal
import RoostWire

/// Shows what a server does.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show what a server does, live: clients, commands, times, storage, pushes.",
        discussion: """
            Reads the metrics of roost serve --admin-port again and again. Rates and times are of what happened since the last look. \
            Ctrl-C ends it. docs/metrics.md says what each figure means; --json has their names.

              roost top                          # the server of the package
              roost top --admin 127.0.0.1:9090 --once
            """)

    @Option(
        help: ArgumentHelp("Where the server has its --admin-port.", valueName: "address"))
    var admin = "127.0.0.1:7879"

    @Option(help: ArgumentHelp("The time between two looks, in seconds, 0.5 to 3600.", valueName: "seconds"))
    var interval = 2.0

    @Flag(help: "Look twice, print once, and end.")
    var once = false

    @Flag(help: "Print one JSON object per look.")
    var json = false

    func validate() throws {
        guard 0.5...3_600 ~= interval else { throw ValidationError("--interval must be 0.5 to 3600 seconds.") }
        guard Self.place(admin) != nil else {
            throw ValidationError("--admin \(admin): use a host and a port, such as 127.0.0.1:7879.")
        }
    }

    /// The host and the port of an address.
    private static func place(_ text: String) -> (host: String, port: Int)? {
        let text = text.contains("://") ? text : "http://" + text
        guard let url = URLComponents(string: text), url.scheme == "http", let host = url.host, !host.isEmpty,
            let port = url.port, 1...65_535 ~= port, ["", "/", "/metrics"].contains(url.path)
        else { return nil }
        return (host, port)
    }

    func run() async throws {
        do {
            try await look()
        } catch let failure as SocketProbe.Failure {
            Terminal.printError(
                "\(admin) does not answer: \(failure.description). Start the server with --admin-port, and name that port with --admin."
            )
            throw ExitCode(ExitStatus.unreachable)
        }
    }

    private func look() async throws {
        var last = try await sample()
        let isScreen = !json && !once && isatty(STDOUT_FILENO) == 1
        repeat {
            try await Task.sleep(for: .seconds(interval))
            let next: MetricsSample
            do {
                next = try await sample()
            } catch let failure as SocketProbe.Failure where isScreen {
                // A server that is started again comes back.
                show(["\(admin) does not answer: \(failure.description)"], onScreen: true)
                continue
            }
            let now = Date()
            let screen = TopScreen(MetricsChange(before: last, after: next), now: now.timeIntervalSince1970)
            last = next
            if json {
                try Terminal.printLine(json: screen)
            } else {
                let clock = now.formatted(.dateTime.hour(.twoDigits(amPM: .omitted)).minute().second())
                show(
                    screen.lines(rows: isScreen ? Self.rows : .max, clock: clock, now: now.timeIntervalSince1970),
                    onScreen: isScreen)
            }
        } while !once
    }

    private func show(_ lines: [String], onScreen isScreen: Bool) {
        guard isScreen else { return Terminal.printLine(lines.joined(separator: "\n") + (once ? "" : "\n")) }
        // Each line is cleared to its end, and what is below is removed, so that nothing flickers.
        let text = lines.map { String($0.prefix(Self.columns)) + "\u{1B}[K" }.joined(separator: "\n")
        Terminal.writeOutput(Array("\u{1B}[H\(text)\n\u{1B}[J".utf8))
    }

    /// The size of the terminal.
    private static var size: winsize {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
    }

    private static var rows: Int { size.ws_row > 0 ? Int(size.ws_row) - 1 : 24 }
    private static var columns: Int { size.ws_col > 0 ? Int(size.ws_col) : 80 }

    /// - Throws: `SocketProbe.Failure`.
    private func sample() async throws -> MetricsSample {
        guard let (host, port) = Self.place(admin) else { throw ExitCode(ExitStatus.usage) }
        let request = "GET /metrics HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n"
        let text = try await SocketProbe.exchange(host, port, sending: request, until: nil, atMost: 16 << 20).text
        guard let head = text.firstRange(of: "\r\n\r\n"), text.hasPrefix("HTTP/1.1 200"),
            text.contains("roost_build_info")
        else { throw SocketProbe.Failure(description: "it has no metrics of Roost") }
        return MetricsSample(
            String(text[head.upperBound...]), time: Double(DispatchTime.now().uptimeNanoseconds) / 1e9)
    }
}
