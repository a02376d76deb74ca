import Foundation

/// MQTT 3.1.1: each user subscribes to its own topic, or to that of the room.
struct MQTTPeer: PeerDialect {
    let number: Int
    /// The quality of service: 0 without acknowledgements, 1 with acknowledgements by server and receivers.
    let quality: UInt8
    private var packet: UInt16 = 1
    private var isInRoom = false

    private static let room = "room"
    private var topic: String { "u/\(number)" }

    init(number: Int, quality: UInt8) {
        self.number = number
        self.quality = quality
    }

    func hello() -> [UInt8] {
        // Protocol level 4, clean session, no keep-alive.
        Self.packet(0x10, Self.text("MQTT") + [4, 2, 0, 0] + Self.text("c\(number)"))
    }

    mutating func next(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> PeerEvent? {
        guard let (kind, body) = Self.readFrame(&input) else { return nil }
        switch kind >> 4 {
        case 2:
            guard body.last == 0 else { throw BenchFailure(description: "The server refuses the connection.") }
            output += subscribe(topic)
            return .other
        case 3:
            guard body.count >= 2 else { throw BenchFailure(description: "A message without a topic.") }
            var start = 2 + Int(body[0]) << 8 + Int(body[1])
            if kind & 6 != 0, body.count >= start + 2 {
                output += Self.packet(0x40, Array(body[start..<start + 2]))
                start += 2
            }
            return .received(String(decoding: body[min(start, body.count)...], as: UTF8.self))
        case 9: return isInRoom ? .joined : ready()
        default: return .other
        }
    }

    private mutating func ready() -> PeerEvent {
        isInRoom = true
        return .ready(topic)
    }

    func meet(_ address: String) -> [UInt8]? { nil }

    func join() -> [UInt8] { subscribe(Self.room) }

    private func subscribe(_ topic: String) -> [UInt8] { Self.packet(0x82, [0, 1] + Self.text(topic) + [quality]) }

    mutating func send(_ text: String, to address: String?) -> [UInt8] {
        var body = Self.text(address ?? Self.room)
        if quality > 0 {
            packet = packet == .max ? 1 : packet + 1
            body += [UInt8(packet >> 8), UInt8(packet & 0xFF)]
        }
        return Self.packet(0x30 | quality << 1, body + Array(text.utf8))
    }

    private static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count >> 8 & 0xFF), UInt8(text.utf8.count & 0xFF)] + Array(text.utf8)
    }

    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [kind]
        var rest = body.count
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes + body
    }

    private static func readFrame(_ input: inout PeerInput) -> (kind: UInt8, body: [UInt8])? {
        var length = 0
        for index in 1...4 {
            guard input.bytes.count > index else { return nil }
            let byte = input.bytes[index]
            length |= Int(byte & 0x7F) << (7 * (index - 1))
            guard byte & 0x80 == 0 else { continue }
            guard let whole = input.read(1 + index + length) else { return nil }
            return (whole[0], Array(whole[(1 + index)...]))
        }
        return nil
    }
}
