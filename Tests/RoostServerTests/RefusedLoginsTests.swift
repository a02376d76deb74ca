import Logging
import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostServer

/// Limits of what a flood of bad logins writes to the log.
@Suite(.timeLimit(.minutes(1))) struct RefusedLoginsTests {
    @Test func `the first refusals of a second are logged, and the others are counted`() {
        var limiter = RefusalLogLimiter()
        for _ in 0..<3 {
            var lines = 0
            var seconds = 0
            for _ in 0..<1_000 {
                let (shouldLog, startsSecond) = limiter.record()
                lines += shouldLog ? 1 : 0
                seconds += startsSecond ? 1 : 0
            }
            #expect(lines == RefusalLogLimiter.lines)
            #expect(seconds == 1)
            #expect(limiter.endSecond() == 1_000 - lines)
        }
        #expect(limiter.endSecond() == 0)
        #expect(limiter.record() == (true, true))
        #expect(limiter.endSecond() == 0)
    }

    @Test func `each refused login is logged, by a line or in a count`() async throws {
        let log = Log()
        let core = try Core(
            database: SQLiteDatabase(), configuration: CoreConfiguration(),
            effects: Effects(now: { LiveServer.now }, random: { 7 }), logger: log.logger)
        var configuration = ServerConfiguration(port: 0)
        configuration.eventLoops = 1
        configuration.certificate = try LiveServer.serverCertificate()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let files = try TestFiles(secret: LiveServer.secret)
        let server = try await buildServer(
            core: core, configuration: configuration, keys: TokenKeys(secrets: [LiveServer.secret]),
            files: files.storage, logger: log.logger, onReady: { _, number in port.yield(number) })
        let running = Task {
            defer { port.finish() }
            try await server.run()
            withExtendedLifetime(files) {}
        }
        defer { running.cancel() }
        let count = 60
        for await number in ports {
            for _ in 0..<count {
                let client = try await RawClient.webSocket(number)
                let body = #"{"version":1,"token":"a.b.c","deviceID":"d"}"#
                try await client.write(RawClient.command("h", "hello", body))
                #expect(try await client.closeCode() == 4401)
                await client.close()
            }
            break
        }
        running.cancel()
        try await running.value
        let lines = log.lines.filter { $0.message == "login refused" }.count
        let counted = log.lines.filter { $0.message == "more logins refused" }.compactMap { Int($0.count) }
        #expect(lines + counted.reduce(0, +) == count)
        #expect(lines >= min(count, RefusalLogLimiter.lines))
    }
}

/// The log messages.
private final class Log: Sendable {
    private let taken = Mutex<[(message: String, count: String)]>([])

    var lines: [(message: String, count: String)] { taken.withLock { $0 } }

    var logger: Logger { Logger(label: "test", factory: { _ in Handler(log: self) }) }

    private struct Handler: LogHandler {
        let log: Log
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let count = event.metadata?["count"]?.description ?? ""
            log.taken.withLock { $0.append((event.message.description, count)) }
        }
    }
}
