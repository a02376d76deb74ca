import Foundation
import RoostWire

/// The Roost protocol without the SDK: a guest on a WebSocket.
struct RoostPeer: PeerDialect {
    private let user: UserID
    private var isUpgraded = false

    private static let room = ChannelID(rawValue: "room")

    init(number: Int) throws {
        guard let user = UserID(rawValue: "u\(number)") else { throw BenchFailure(description: "No user \(number).") }
        self.user = user
    }

    func hello() -> [UInt8] {
        let head = """
            GET /v1/connect HTTP/1.1\r
            Host: localhost\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
            \r

            """
        return Array(head.utf8)
    }

    mutating func next(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> PeerEvent? {
        guard isUpgraded else {
            guard let head = input.read(through: "\r\n\r\n") else { return nil }
            guard head.hasPrefix("HTTP/1.1 101 "), let device = DeviceID(rawValue: "bench") else {
                throw BenchFailure(description: "No upgrade: \(head)")
            }
            isUpgraded = true
            output += try say(.hello(Hello(guest: Guest(userID: user), deviceID: device)), id: "hello")
            return .other
        }
        guard let payload = try Self.readFrame(&input, &output) else { return nil }
        guard !payload.isEmpty else { return .other }
        switch try WireCodec.decodeServerFrame(payload) {
        case .result(let id, _):
            switch id {
            case "hello":
                output += try say(.read(.resume(Resume())), id: "resume")
                return .other
            case "resume": return .ready(user.rawValue)
            case "join": return .joined
            default: return id.hasPrefix("meet") ? .joined : .other
            }
        case .failure(_, let error): throw BenchFailure(description: error.message)
        case .event(let event):
            guard let message = event.message else { return .other }
            // In a 1-on-1 the sender's devices receive the message too; this does not count as a delivery.
            return event.channel != Self.room && event.senderID == user ? .other : .received(message.text)
        }
    }

    func meet(_ address: String) throws -> [UInt8]? {
        guard let other = UserID(rawValue: address) else { return nil }
        return try say(.write(.createChannel(CreateChannel(kind: .single, members: [other]))), id: "meet-\(user)")
    }

    func join() throws -> [UInt8] {
        guard let room = Self.room else { return [] }
        return try say(.move(.joinChannel(JoinChannel(channel: room))), id: "join")
    }

    func send(_ text: String, to address: String?) throws -> [UInt8] {
        let channel = address.flatMap { UserID(rawValue: $0) }.map { ChannelID(single: user, $0) } ?? Self.room
        guard let channel else { return [] }
        let id = TransID(now: millisecondsNow(), random: randomBits())
        return try say(.write(.sendMessage(SendMessage(channel: channel, text: text))), id: id.rawValue)
    }

    /// A client frame, masked with zeros.
    private func say(_ command: AnyCommand, id: String) throws -> [UInt8] {
        let payload = try WireCodec.encodeClientFrame(ClientFrame(id: id, command: command))
        return Self.frame(0x81, payload)
    }

    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        let length = count < 126 ? [0x80 | UInt8(count)] : [0xFE, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        return [first] + length + [0, 0, 0, 0] + payload
    }

    /// Reads a frame and answers a ping.
    /// - Returns: the text of the frame; empty for a ping.
    private static func readFrame(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> [UInt8]? {
        guard input.bytes.count >= 2 else { return nil }
        let head = Int(input.bytes[1]) < 126 ? 2 : input.bytes[1] == 126 ? 4 : 10
        guard input.bytes.count >= head else { return nil }
        let count = head == 2 ? Int(input.bytes[1]) : input.bytes[2..<head].reduce(0) { $0 << 8 | Int($1) }
        guard let whole = input.read(head + count) else { return nil }
        switch whole[0] & 0xF {
        case 1: return Array(whole[head...])
        case 9:
            output += frame(0x8A, [])
            return []
        default: throw BenchFailure(description: "The server closed the connection.")
        }
    }
}
