import NIOCore
import NIOEmbedded
import Testing

@testable import RoostServer

/// How many sockets there may be, and which are closed first.
@Suite struct ConnectionsTests {
    private func socket() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func sockets(_ count: Int) throws -> [EmbeddedChannel] { try (0..<count).map { _ in try socket() } }

    @Test func `an address loses its oldest stranger for a new one, and nobody who has logged in`() throws {
        let connections = Connections(.init(all: 0, perAddress: 6, strangersPerAddress: 3))
        let (first, others) = (try sockets(3), try sockets(5))
        for socket in first { #expect(connections.admit(socket, from: "192.0.2.1")) }
        connections.noteLogin(on: first[0])
        connections.noteLogin(on: first[0])
        // Two strangers are left, so there is room for one more.
        #expect(connections.admit(others[0], from: "192.0.2.1"))
        #expect(first.allSatisfy { $0.isActive })
        #expect(connections.admit(others[1], from: "192.0.2.1"))
        #expect(first.map { $0.isActive } == [true, false, true])
        for socket in [first[2], others[0], others[1]] { connections.noteLogin(on: socket) }
        for socket in others[2...] { #expect(connections.admit(socket, from: "192.0.2.1")) }
        // Six sockets, of which two are strangers: the older one goes.
        #expect(others.map { $0.isActive } == [true, true, false, true, true] && connections.count == 6)
        for socket in others[3...] { connections.noteLogin(on: socket) }
        let refused = try socket()
        #expect(!connections.admit(refused, from: "192.0.2.1") && connections.count == 6)
        // Another address has its own, and a place that is free is used.
        #expect(try connections.admit(socket(), from: "192.0.2.2"))
        _ = try others[0].finish()
        #expect(connections.admit(refused, from: "192.0.2.1"))
    }

    @Test func `of IPv6 a network counts, and this machine and a proxy have no limit of their own`() throws {
        let connections = Connections(.init(all: 0, perAddress: 2, strangersPerAddress: 2))
        let same = try sockets(3)
        for (number, socket) in same.enumerated() { #expect(connections.admit(socket, from: "2001:db8::\(number)")) }
        #expect(same.map { $0.isActive } == [false, true, true])
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", nil] {
            let sockets = try sockets(5)
            for socket in sockets { #expect(connections.admit(socket, from: address)) }
            #expect(sockets.allSatisfy { $0.isActive })
        }
    }

    @Test func `if all sockets are taken, the oldest stranger of any address is closed`() throws {
        let connections = Connections(.init(all: 4, perAddress: 100, strangersPerAddress: 100))
        let sockets = try sockets(8)
        for (number, socket) in sockets[..<4].enumerated() {
            #expect(connections.admit(socket, from: "192.0.2.\(number)"))
        }
        connections.noteLogin(on: sockets[0])
        #expect(connections.admit(sockets[4], from: nil))
        #expect(sockets[..<5].map { $0.isActive } == [true, false, true, true, true])
        for socket in sockets[2...4] { connections.noteLogin(on: socket) }
        #expect(!connections.admit(sockets[5], from: "127.0.0.1"))
        #expect(connections.count == 4)
    }

    @Test func `sockets that are over leave nothing behind`() throws {
        let connections = Connections(.init(all: 0, perAddress: 10, strangersPerAddress: 10))
        for _ in 0..<1_000 {
            let socket = try socket()
            #expect(connections.admit(socket, from: "192.0.2.1"))
            _ = try socket.finish()
        }
        #expect(connections.count == 0)
        #expect(connections.takeMost() > 0 && connections.takeMost() == 0)
        let sockets = try sockets(10)
        for socket in sockets { #expect(connections.admit(socket, from: "192.0.2.1")) }
        #expect(sockets.allSatisfy { $0.isActive })
    }

    @Test func `sockets that rest over HTTP are closed first, the one that rests longest, whoever has logged in`()
        throws
    {
        let connections = Connections(.init(all: 4, perAddress: 3, strangersPerAddress: 3))
        let sockets = try sockets(9)
        for socket in sockets[..<3] { #expect(connections.admit(socket, from: "192.0.2.1")) }
        for socket in sockets[..<3] {
            connections.noteLogin(on: socket)
            connections.noteRequest(on: socket)
        }
        // All three have a request.
        #expect(!connections.admit(sockets[3], from: "192.0.2.1"))
        for socket in [sockets[1], sockets[0], sockets[2]] { connections.noteRest(on: socket) }
        connections.noteRequest(on: sockets[1])
        connections.noteRest(on: sockets[1])
        #expect(connections.admit(sockets[4], from: "192.0.2.1"))
        #expect(sockets[..<3].map { $0.isActive } == [false, true, true])
        // A stranger of another address, which fills the last place, stays as long as some rest.
        #expect(connections.admit(sockets[5], from: "192.0.2.2"))
        #expect(connections.admit(sockets[6], from: nil))
        #expect(connections.admit(sockets[7], from: nil))
        #expect(sockets[1...2].allSatisfy { !$0.isActive } && sockets[4...7].allSatisfy { $0.isActive })
        #expect(connections.admit(sockets[8], from: nil))
        #expect(!sockets[4].isActive && sockets[5...8].allSatisfy { $0.isActive } && connections.count == 4)
    }

    @Test func `a connection that is used again and again leaves nothing behind`() throws {
        let connections = Connections(.init(all: 2, perAddress: 2, strangersPerAddress: 2))
        let sockets = try sockets(3)
        for socket in sockets[..<2] { #expect(connections.admit(socket, from: "192.0.2.1")) }
        for _ in 0..<10_000 {
            for socket in sockets[..<2] {
                connections.noteRequest(on: socket)
                connections.noteRest(on: socket)
            }
        }
        // It is over, but somebody still writes to it.
        _ = try sockets[0].finish()
        connections.noteRest(on: sockets[0])
        #expect(connections.count == 1 && connections.admit(sockets[2], from: "192.0.2.1"))
        #expect(sockets[1].isActive)
    }
}
