import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A relay between a client and a server that delivers every batch of events twice if it arrives in one piece.
///
/// Answers are delivered once.
private final class DoublingRelay: Sendable {
    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    private struct State {
        var open: Set<Int32> = []
        var doubled = 0
        var isOver = false
    }

    /// The number of events that were delivered a second time.
    var doubled: Int { state.withLock { $0.doubled } }

    init(to server: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        state = Mutex(State())
        let bound = Self.withAddress(port: 0) { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 8) == 0 else { throw Missing(description: "no port for the relay") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [weak self, listener] in
            while true {
                let front = accept(listener, nil, nil)
                guard front >= 0, let self else { return }
                self.relay(front, to: server)
            }
        }.start()
    }

    deinit { stop() }

    /// Ends all connections.
    func stop() {
        let files = state.withLock { state in
            defer { (state.open, state.isOver) = ([], true) }
            return state.isOver ? [] : Array(state.open) + [listener]
        }
        for file in files { shutdown(file, Int32(SHUT_RDWR)) }
    }

    private static func withAddress(
        port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private func relay(_ front: Int32, to server: Int) {
        let back = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let connected = Self.withAddress(port: server) { connect(back, $0, $1) }
        let isOver = state.withLock { state in
            state.open.formUnion([front, back])
            return state.isOver
        }
        guard connected == 0, !isOver else { return end(front, back) }
        Thread { [weak self] in
            while let bytes = Self.bytes(from: front), Self.put(bytes, to: back) {}
            self?.end(front, back)
        }.start()
        Thread { [weak self] in
            var frames = Frames()
            while let bytes = Self.bytes(from: back) {
                let (all, events) = frames.append(bytes)
                guard Self.put(all + events.flatMap { $0 }, to: front) else { break }
                self?.state.withLock { $0.doubled += events.count }
            }
            self?.end(front, back)
        }.start()
    }

    /// Shuts both sides down. The descriptors stay open, as another thread may still read from them.
    private func end(_ front: Int32, _ back: Int32) {
        for file in [front, back] { shutdown(file, Int32(SHUT_RDWR)) }
    }

    private static func bytes(from file: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func put(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The output of a server, split into whole frames.
    private struct Frames {
        private var rest: [UInt8] = []
        private var isOpen = false

        /// Returns the bytes that can be passed on, and those of its frames that are events.
        mutating func append(_ bytes: [UInt8]) -> (all: [UInt8], events: [[UInt8]]) {
            rest += bytes
            var all: [UInt8] = []
            var events: [[UInt8]] = []
            if !isOpen {
                guard let head = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return ([], []) }
                isOpen = true
                all += rest[..<head.upperBound]
                rest.removeFirst(head.upperBound)
            }
            while let size = frameSize, rest.count >= size {
                let frame = Array(rest[..<size])
                rest.removeFirst(size)
                all += frame
                if frame.firstRange(of: Array(#"{"event":"message.sent""#.utf8)) != nil { events.append(frame) }
            }
            return (all, events)
        }

        /// The size of the first frame; nil until its head has arrived. A server's frames have no mask.
        private var frameSize: Int? {
            guard rest.count >= 2 else { return nil }
            let short = Int(rest[1] & 0x7F)
            let more = short == 126 ? 2 : short == 127 ? 8 : 0
            guard rest.count >= 2 + more else { return nil }
            return 2 + more + (more == 0 ? short : rest[2..<2 + more].reduce(0) { $0 << 8 | Int($1) })
        }
    }
}

extension Screens {
    /// A page that gets the same messages again from several sources.
    @MainActor @Suite struct DoublesTests {
        @Test
        func `the same events twice, amid pages that overlap them, double nothing and change no snapshot [SC-003]`()
            async throws
        {
            let server = try await ScreenServer()
            let relay = try DoublingRelay(to: server.process.port)
            defer { relay.stop() }
            let bob = try await server.connectedClient(Cast.bob)
            _ = try await server.connectedClient(Cast.ann, device: "0")
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.fill(Cast.annAndBob, 1...50)
            var settings = ClientConfiguration(
                server: "http://127.0.0.1:\(relay.port)", credentials: .guest(Cast.ann.userID, name: Cast.ann.name),
                deviceID: try #require(DeviceID(rawValue: "ann-relayed")))
            settings.store = try LocalStore.inMemory()
            let ann = ChatClient(configuration: settings)
            try await ann.connect()
            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 20
            let model = ConversationModel(client: ann, channel: Cast.annAndBob, configuration: configuration)
            model.start()
            try await wait("20") { model.texts == (31...50).map { "m\($0)" } }
            let snapshot = model.items
            let shown = snapshot.map(\.text)

            // Events arrive, each batch twice, while older pages are added.
            let filling = Task { try await bob.fill(Cast.annAndBob, 51...90) }
            while await model.loadPrevious() {}
            try await filling.value
            _ = try await ann.channel(Cast.annAndBob).send("mine")
            try await wait("all of them") { model.texts == (1...90).map { "m\($0)" } + ["mine"] }
            try await wait("mine is sent") { model.item("mine")?.seq != nil }
            #expect(relay.doubled > 0)
            // The newest page again, overlapping the rows that arrived live.
            let whole = model.items
            model.stop()
            model.start()
            try await bob.channel(Cast.annAndBob).send("last")
            try await model.waitFor("last")
            #expect(Array(model.items.dropLast()) == whole)
            #expect(Set(model.items.map(\.id)).count == model.items.count)
            #expect(Set(model.items.compactMap(\.messageID)).count == 92)
            #expect(snapshot.map(\.text) == shown)
            #expect(snapshot.filter(\.isContent).count == 20)
            await ann.disconnect()
        }
    }
}
