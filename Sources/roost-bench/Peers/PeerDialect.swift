import Foundation

/// One connection in the words of one protocol; the comparison says and hears the same in all of them.
protocol PeerDialect {
    /// What is said first.
    func hello() -> [UInt8]
    /// Takes the next thing from what has come, and adds what is to be answered.
    /// - Returns: nil when nothing is complete.
    mutating func next(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> PeerEvent?
    /// Makes the 1-on-1 with another one, where that is needed.
    func meet(_ address: String) throws -> [UInt8]?
    /// Enters the room.
    func join() throws -> [UInt8]
    /// Sends a text to another one, or into the room.
    mutating func send(_ text: String, to address: String?) throws -> [UInt8]
}

/// What a connection hears.
enum PeerEvent {
    /// It is logged in; others reach it at this address.
    case ready(String)
    /// It is in the room, or its 1-on-1 is made.
    case joined
    /// A message for it.
    case received(String)
    /// Whatever the load does not wait for.
    case other
}

/// What has come on a connection and was not taken yet.
struct PeerInput {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Takes as many bytes; nil when there are fewer.
    mutating func read(_ count: Int) -> [UInt8]? {
        guard bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return Array(bytes[..<count])
    }

    /// Takes everything up to the end of the first of these; nil when none is there.
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
    /// What stands between two marks.
    func between(_ first: String, _ last: String) -> String? {
        guard let start = range(of: first)?.upperBound, let end = range(of: last, range: start..<endIndex)?.lowerBound
        else { return nil }
        return String(self[start..<end])
    }
}
