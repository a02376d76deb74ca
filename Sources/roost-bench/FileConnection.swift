import CoreFoundation  // which defines `timeval` where it is imported first
import Foundation
import RoostWire

/// A connection to an HTTP server of this machine, with blocking calls, so that the load takes little CPU.
///
/// It is used on one thread.
struct FileConnection: ~Copyable {
    /// An answer; `body` is empty if it was only counted.
    struct Answer {
        var status: Int
        var fields: [String: String]
        var body: [UInt8]
        var size: Int
    }

    private let socket: Int32
    private var space = [UInt8](repeating: 0, count: 256 * 1_024)

    init(port: UInt16) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in.loopback(port: port)
        var isOn: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw BenchFailure(description: "There is no server at port \(port).") }
    }

    deinit { close(socket) }

    /// Sends a request and reads the answer.
    /// - Parameter isKept: whether the body of the answer is kept, or only counted.
    mutating func exchange(_ head: [String], _ body: FileBody? = nil, isKept: Bool = true) throws -> Answer {
        let size = body.map { ["Content-Length: \($0.size)"] } ?? []
        let text = (head + ["Host: 127.0.0.1"] + size).joined(separator: "\r\n") + "\r\n\r\n"
        try send(Array(text.utf8) + (body?.beginning ?? []))
        if let body { try send(body.rest) }
        return try answer(isKept: isKept)
    }

    private func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let sent = Foundation.send(socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                guard sent > 0 else { throw Self.ended }
                rest = rest.dropFirst(sent)
            }
        }
    }

    private mutating func answer(isKept: Bool) throws -> Answer {
        var head: [UInt8] = []
        var body: ArraySlice<UInt8> = []
        while true {
            let count = try receive()
            head += space[..<count]
            if let end = head.firstRange(of: Array("\r\n\r\n".utf8)) {
                body = head[end.upperBound...]
                head.removeSubrange(end.lowerBound...)
                break
            }
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let pairs = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        let fields = pairs.reduce(into: [:]) { fields, pair in
            fields[pair[0].lowercased()] = pair.last?.trimmingCharacters(in: .whitespaces)
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchFailure(description: "The answer is not HTTP.")
        }
        let size = fields["content-length"].flatMap { Int($0) } ?? 0
        var answer = Answer(status: status, fields: fields, body: Array(body), size: body.count)
        while answer.size < size {
            let count = try receive()
            answer.size += count
            if isKept { answer.body += space[..<count] }
        }
        return answer
    }

    private mutating func receive() throws -> Int {
        let count = recv(socket, &space, space.count, 0)
        guard count > 0 else { throw Self.ended }
        return count
    }

    private static var ended: BenchFailure {
        BenchFailure(description: "The server has ended the connection, or has not moved for two minutes.")
    }
}

/// The bytes of a file: all are equal but for their beginning, as a server may store equal files once.
struct FileBody: Sendable {
    let beginning: [UInt8]
    let rest: [UInt8]
    var size: Int { beginning.count + rest.count }

    /// The least size in bytes.
    static let leastSize = 32

    /// Bytes for files of this size.
    static func rest(size: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        while bytes.count < size - leastSize {
            withUnsafeBytes(of: random.next()) { bytes += $0.prefix(size - leastSize - bytes.count) }
        }
        return bytes
    }

    init(rest: [UInt8]) {
        let number = String(randomBits(), radix: 36)
        beginning = Array((number + String(repeating: "-", count: max(0, Self.leastSize - number.count))).utf8)
        self.rest = rest
    }
}

extension sockaddr_in {
    static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// Runs blocking calls on a thread of their own.
/// - Parameter niceness: 0, or how much lower the thread's priority is.
func onThread<Value: Sendable>(
    niceness: Int32 = 0, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            // On Linux this is the priority of the calling thread, not of the process.
            if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
            continuation.resume(with: Result { try body() })
        }
    }
}
