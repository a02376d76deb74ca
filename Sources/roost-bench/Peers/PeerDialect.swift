import Foundation

/// One connection in a specific protocol. The benchmark performs the same operations in each protocol.
protocol PeerDialect {
    /// The first bytes to send.
    func hello() -> [UInt8]
    /// Parses the next event from the input and appends any reply to the output.
    /// - Returns: nil if the input holds no complete event.
    mutating func next(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> PeerEvent?
    /// Creates the 1-on-1 with another user, if the protocol needs it.
    func meet(_ address: String) throws -> [UInt8]?
    /// Joins the room.
    func join() throws -> [UInt8]
    /// Sends a text to another user, or to the room if the address is nil.
    mutating func send(_ text: String, to address: String?) throws -> [UInt8]
}

/// An event on a connection.
enum PeerEvent {
    /// Logged in; other users reach it at this address.
    case ready(String)
    /// Joined the room, or created the 1-on-1.
    case joined
    /// Received a message.
    case received(String)
    /// Any event that the load does not wait for.
    case other
}

/// The unread input of a connection.
struct PeerInput {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Reads this number of bytes; nil if there are fewer.
    mutating func read(_ count: Int) -> [UInt8]? {
        guard bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }

    /// Reads everything through the first of these delimiters; nil if there is none.
    mutating func read(through ends: String...) -> String? {
        let ends = ends.map { Array($0.utf8) }
        for index in bytes.indices {
            for end in ends where bytes[index] == end.last && bytes[...index].suffix(end.count) == end[...] {
                return read(index + 1).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        return nil
    }
}

extension String {
    /// The text between two delimiters.
    func between(_ first: String, _ last: String) -> String? {
        guard let start = range(of: first)?.upperBound, let end = range(of: last, range: start..<endIndex)?.lowerBound
        else { return nil }
        return String(self[start..<end])
    }
}
