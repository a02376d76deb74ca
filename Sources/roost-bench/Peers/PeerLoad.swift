import Foundation

/// Many connections to one server on a single thread.
final class PeerLoad {
    private final class Connection {
        let socket: Int32
        var dialect: any PeerDialect
        var input = PeerInput()
        var output: [UInt8] = []
        var address = ""
        var got = 0

        init(_ socket: Int32, _ dialect: any PeerDialect) {
            self.socket = socket
            self.dialect = dialect
        }
    }

    private var connections: [Connection] = []
    private var space = [UInt8](repeating: 0, count: 64 * 1_024)
    /// Called when a connection has received a message.
    private var next: ((Int) throws -> Void)?

    /// Connects and logs in all users.
    init(port: UInt16, count: Int, dialect: (Int) throws -> any PeerDialect) throws {
        for number in 0..<count {
            let connection = Connection(try Self.connect(port), try dialect(number))
            connection.output = connection.dialect.hello()
            connections.append(connection)
        }
        var isReady = 0
        try run(until: { isReady == count }) { number, event in
            guard case .ready(let address) = event else { return }
            connections[number].address = address
            isReady += 1
        }
    }

    deinit { for connection in connections { close(connection.socket) } }

    /// Lets the first user of each pair send to the second, with the given number of messages in flight.
    func direct(window: Int) throws {
        var isMet = 0
        for number in stride(from: 0, to: connections.count, by: 2) {
            if let bytes = try connections[number].dialect.meet(connections[number + 1].address) {
                connections[number].output += bytes
            } else {
                isMet += 1
            }
        }
        try run(until: { isMet == connections.count / 2 }) { if case .joined = $1 { isMet += 1 } }
        next = { [unowned self] number in
            try send(connections[number].got + window - 1, from: number - 1, to: connections[number].address)
        }
        for number in stride(from: 0, to: connections.count, by: 2) {
            for index in 0..<window { try send(index, from: number, to: connections[number + 1].address) }
        }
    }

    /// Lets the first user send to a room of all users, with the given number of messages in flight.
    func room(window: Int) throws {
        var members = 0
        for connection in connections { connection.output += try connection.dialect.join() }
        try run(until: { members == connections.count }) { if case .joined = $1 { members += 1 } }
        var whole = 0
        var missing: [Int: Int] = [:]
        next = { [unowned self] number in
            let index = connections[number].got - 1
            missing[index, default: connections.count] -= 1
            guard missing[index] == 0 else { return }
            missing[index] = nil
            whole += 1
            try send(whole + window - 1, from: 0, to: nil)
        }
        for index in 0..<window { try send(index, from: 0, to: nil) }
    }

    /// Runs until this number of messages has been received, each once and in order.
    func deliver(_ count: Int) throws {
        var delivered = 0
        try run(until: { delivered >= count }) { number, event in
            guard case .received(let text) = event else { return }
            let wanted = connections[number].got
            guard Int(text.prefix { $0 != " " }) == wanted else {
                throw BenchFailure(
                    description: "Connection \(number) expected \(wanted) and received \(text.prefix(20))")
            }
            connections[number].got += 1
            delivered += 1
            try next?(number)
        }
    }

    private func send(_ index: Int, from number: Int, to address: String?) throws {
        let text = "\(index) "
        let padding = String(repeating: "x", count: max(0, 100 - text.utf8.count))
        connections[number].output += try connections[number].dialect.send(text + padding, to: address)
    }

    // MARK: Sockets

    private static func connect(_ port: UInt16) throws -> Int32 {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(socket, $0, size) }
        }
        guard socket >= 0, code == 0 else {
            throw BenchFailure(description: "127.0.0.1:\(port): \(String(cString: strerror(errno))).")
        }
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        return socket
    }

    private func run(until isDone: () -> Bool, _ handle: (Int, PeerEvent) throws -> Void) throws {
        while !isDone() {
            var polled = connections.map { connection -> pollfd in
                write(connection)
                let events = connection.output.isEmpty ? POLLIN : POLLIN | POLLOUT
                return pollfd(fd: connection.socket, events: Int16(events), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), 120_000) > 0 else {
                throw BenchFailure(description: "No data was received for two minutes.")
            }
            for number in polled.indices where polled[number].revents & ~Int16(POLLOUT) != 0 {
                try read(number, handle)
            }
        }
    }

    private func write(_ connection: Connection) {
        guard !connection.output.isEmpty else { return }
        let count = Foundation.send(
            connection.socket, connection.output, connection.output.count, Int32(MSG_NOSIGNAL))
        if count > 0 { connection.output.removeFirst(count) }
    }

    private func read(_ number: Int, _ handle: (Int, PeerEvent) throws -> Void) throws {
        let connection = connections[number]
        let count = recv(connection.socket, &space, space.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            throw BenchFailure(description: "The server closed connection \(number).")
        }
        connection.input.append(space[..<count])
        while let event = try connection.dialect.next(&connection.input, &connection.output) {
            try handle(number, event)
        }
    }
}
