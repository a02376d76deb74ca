import CNATS
import Foundation
import Logging
import RoostCore
import RoostNATS
import RoostTesting
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A bus, and what it has heard.
private final class Ear: Sendable {
    let bus: NATSBus
    private let heard: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let names = Names()
    let logs = LogRecorder()

    init(_ url: String, certificates: String? = nil, topic: String = "test", secret: String = "secret") throws {
        bus = NATSBus(
            try BusURL(url), key: BusKey(secrets: [Array(secret.utf8)]), certificates: certificates, times: .quick,
            logger: logs.logger)
        (heard, continuation) = AsyncStream.makeStream(of: String.self)
        bus.open(topic: topic) { [continuation, names] doorbell in
            names.all.withLock { _ = $0.insert(doorbell.name) }
            // What is said until it is heard may come several times.
            if !doorbell.name.contains(" from ") { continuation.yield(doorbell.name) }
        }
    }

    func hasHeard(_ name: String) -> Bool { names.all.withLock { $0.contains(name) } }

    deinit { bus.close() }

    /// Waits until the next doorbell.
    func next() async -> String? {
        for await name in heard { return name }
        return nil
    }

    func waitUntil(connected: Bool) async throws {
        while bus.isConnected != connected {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    func waitUntilDropped() async throws {
        while bus.dropped == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}

private final class Names: Sendable {
    let all = Mutex<Set<String>>([])
}

extension NATSBus.Times {
    /// For tests, which cannot wait.
    fileprivate static let quick: NATSBus.Times = {
        var times = NATSBus.Times()
        (times.reconnect, times.ping) = (10, 100)
        return times
    }()
}

extension Doorbell {
    fileprivate static func of(_ name: String, bytes: Int = 0) throws -> Doorbell {
        let padding = String(repeating: "x", count: bytes)
        let header = #"{"f":1,"o":"\#(name)","w":"w","i":1,"d":[{"k":"e","c":"club","s":0}]}"#
        return try Doorbell(decoding: Array("\(header)\n\"\(padding)\"".utf8))
    }

    fileprivate var name: String {
        let text = String(decoding: (try? encoded()) ?? [], as: UTF8.self)
        return text.firstMatch(of: /"o":"([^"]*)"/).map { String($0.1) } ?? text
    }
}

@Suite(.serialized, .enabled(if: NATSServer.isAvailable), .timeLimit(.minutes(2))) struct NATSBusTests {
    private func talk(_ one: Ear, _ two: Ear, _ word: String) async throws {
        for ear in [one, two] { try await ear.waitUntil(connected: true) }
        try await say("\(word) from one", one, two)
        try await say("\(word) from two", two, one)
        // Its own did not come back.
        #expect(!one.hasHeard("\(word) from one") && !two.hasHeard("\(word) from two"))
    }

    /// Says something until it is heard: a subscription is made again some time after its connection.
    private func say(_ text: String, _ speaker: Ear, _ listener: Ear) async throws {
        while !listener.hasHeard(text) {
            try Task.checkCancellation()
            speaker.bus.publish(try .of(text))
            for _ in 0..<1_000 where !listener.hasHeard(text) { await Task.yield() }
        }
    }

    @Test func `what is published reaches all others with the same topic, in order`() async throws {
        let nats = try await NATSServer.start()
        let (one, two, three) = (try Ear(nats.url), try Ear(nats.url), try Ear(nats.url, topic: "other"))
        try await talk(one, two, "hello")
        let dropped = one.bus.dropped
        for number in 0..<1_000 { one.bus.publish(try .of("\(number)")) }
        for number in 0..<1_000 { #expect(await two.next() == "\(number)") }
        try await three.waitUntil(connected: true)
        three.bus.publish(try .of("three"))
        one.bus.publish(try .of("last"))
        #expect(await two.next() == "last")
        #expect(one.bus.dropped == dropped)
    }

    @Test func `it starts without NATS`() async throws {
        let nats = try await NATSServer.start()
        nats.stop()
        let (one, two) = (try Ear(nats.url), try Ear(nats.url))
        #expect(!one.bus.isConnected)
        one.bus.publish(try .of("lost"))
        try await one.waitUntilDropped()
        try await nats.restart()
        try await talk(one, two, "hello")
    }

    @Test func `after more than 60 tries to connect again it still goes on`() async throws {
        let nats = try await NATSServer.start()
        let (one, two) = (try Ear(nats.url), try Ear(nats.url))
        try await talk(one, two, "before")
        nats.stop()
        for ear in [one, two] { try await ear.waitUntil(connected: false) }
        one.bus.publish(try .of("late"))
        try refuse(connections: 200, on: nats.port)
        try await nats.restart()
        try await talk(one, two, "after")
    }

    /// Accepts connections on a port and closes them.
    private func refuse(connections: Int, on port: Int) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound && listen(socket, 64) == 0)
        for _ in 0..<connections { close(accept(socket, nil, nil)) }
    }

    @Test func `a connection that is half open is given up, and nobody waits for it`() async throws {
        let nats = try await NATSServer.start()
        let (one, two) = (try Ear(nats.url), try Ear(nats.url))
        try await talk(one, two, "before")
        nats.freeze()
        // More than the queue and the sockets take.
        for number in 0..<20_000 { one.bus.publish(try .of("\(number)", bytes: 1_000)) }
        try await one.waitUntilDropped()
        for ear in [one, two] { try await ear.waitUntil(connected: false) }
        nats.thaw()
        // Connections that were begun while it was frozen may end once more.
        repeat {
            try Task.checkCancellation()
            for ear in [one, two] { try await ear.waitUntil(connected: true) }
            one.bus.publish(try .of("after"))
        } while !two.hasHeard("after")
    }

    @Test func `what is no doorbell is passed over, and reported once`() async throws {
        let nats = try await NATSServer.start()
        let (one, two) = (try Ear(nats.url), try Ear(nats.url))
        try await talk(one, two, "before")
        var connection: OpaquePointer?
        #expect(natsConnection_ConnectTo(&connection, nats.url) == NATS_OK)
        defer { natsConnection_Destroy(connection) }
        for text in ["", "hello", "{}", #"{"f":99}"#] {
            #expect(natsConnection_PublishString(connection, "roost.test", text) == NATS_OK)
        }
        #expect(natsConnection_Flush(connection) == NATS_OK)
        one.bus.publish(try .of("after"))
        #expect(await two.next() == "after")
        let stranger = try Ear(nats.url, secret: "another secret")
        try await stranger.waitUntil(connected: true)
        stranger.bus.publish(try .of("forged"))
        // What it hears of the others is forged for it, too.
        while !stranger.logs.lines.contains(where: { $0.contains("was not sent by a server") }) {
            one.bus.publish(try .of("more"))
            #expect(await two.next() == "more")
        }
        #expect(two.logs.lines.filter { $0.contains("was not sent by a server of this database") }.count == 1)
    }

    @Test func `a wrong password never connects, and is not in the log`() async throws {
        let nats = try await NATSServer.start(options: ["--user", "roost", "--pass", "ri@ght"])
        let wrong = try Ear("nats://roost:geheim@127.0.0.1:\(nats.port)")
        // The library would give up after the second refusal.
        while !wrong.logs.lines.contains(where: { $0.contains("Authorization") }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        let one = try Ear("nats://roost:ri%40ght@127.0.0.1:\(nats.port)")
        let two = try Ear("nats://roost:ri@ght@localhost:\(nats.port)")
        try await talk(one, two, "hello")
        #expect(!wrong.bus.isConnected)
        #expect(!wrong.logs.lines.contains { $0.contains("geheim") })
        // With another password for the server it connects after all.
        nats.stop()
        let changed = try await NATSServer.start(port: nats.port, options: ["--user", "roost", "--pass", "geheim"])
        try await wrong.waitUntil(connected: true)
        #expect(changed.port == nats.port)
    }

    @Test func `with TLS the certificate and the name of the server are checked`() async throws {
        let (certificate, other) = (try TestCertificate(), try TestCertificate())
        let nats = try await NATSServer.start(options: [
            "-a", "0.0.0.0", "--tls", "--tlscert", certificate.certificate, "--tlskey", certificate.key,
        ])
        let url = "tls://token@localhost:\(nats.port)"
        // 127.0.0.2 is the same server under a name that the certificate does not have.
        let strangers = [
            try Ear(url), try Ear(url, certificates: other.certificate),
            try Ear("tls://token@127.0.0.2:\(nats.port)", certificates: certificate.certificate),
        ]
        for stranger in strangers {
            while !stranger.logs.lines.contains(where: { $0.contains("NATS does not work") }) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        let one = try Ear(url, certificates: certificate.certificate)
        let two = try Ear("tls://token@127.0.0.1:\(nats.port)", certificates: certificate.certificate)
        try await talk(one, two, "hello")
        #expect(strangers.allSatisfy { !$0.bus.isConnected })
    }
}
