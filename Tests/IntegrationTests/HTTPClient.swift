import Foundation
import RoostTesting
import RoostWire

/// A client of the HTTP API: sends one command at a time over one persistent connection.
final class HTTPClient {
    /// An answer over HTTP.
    struct Answer {
        let status: Int
        /// The fields of the head, by their names in lower case.
        let headers: [String: String]
        let bytes: [UInt8]

        /// The error; nil if the command was accepted.
        var error: WireError? { try? WireCodec.decode(Failure.self, from: bytes).error }

        /// Decodes the answer.
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try WireCodec.decode(type, from: bytes) }
    }

    private struct Failure: Decodable {
        let error: WireError
    }

    /// The sender of a command.
    struct Caller {
        var headers: [String: String]

        /// A guest on a device.
        static func guest(_ user: User, device: String = "1") -> Caller {
            Caller(headers: [
                "Roost-Guest": user.userID.rawValue, "Roost-Guest-Name": user.name, "Roost-Device": device,
            ])
        }

        /// A user with a token.
        static func token(_ token: String) -> Caller { Caller(headers: ["Authorization": "Bearer \(token)"]) }

        /// An unauthenticated sender.
        static let nobody = Caller(headers: [:])
    }

    private let port: Int
    private var file: Int32 = -1
    private var rest: [UInt8] = []
    private var count = 0
    private let run = UUID().uuidString.prefix(8)
    private let log = FrameLog.shared?.connection()

    init(_ server: ServerProcess) { port = server.port }

    init(_ harness: ServerHarness) { port = harness.port }

    init(port: Int) { self.port = port }

    deinit { if file >= 0 { close(file) } }

    /// Sends a command by name and JSON, with a new key unless one is given.
    func post(_ command: String, _ body: String, from caller: Caller, key: String? = nil) throws -> Answer {
        count += 1
        var headers = caller.headers
        headers["Idempotency-Key"] = key ?? "\(run)-\(count)"
        return try request("POST", "/v1/" + command, body, headers)
    }

    /// Sends a command.
    /// - Throws: `WireError` if it is refused.
    @discardableResult
    func perform<C: Command>(_ command: C, from caller: Caller, key: String? = nil) throws -> C.Answer {
        let body = String(decoding: try WireCodec.encode(command), as: UTF8.self)
        let answer = try post(C.name, body, from: caller, key: key)
        if let error = answer.error { throw error }
        return try answer.decode(C.Answer.self)
    }

    /// Sends a command and returns its error; nil if it was accepted.
    func refusal(_ command: some Command, from caller: Caller, key: String? = nil) throws -> WireError? {
        do {
            try perform(command, from: caller, key: key)
            return nil
        } catch let error as WireError {
            return error
        }
    }

    /// Sends any request.
    func request(_ method: String, _ path: String, _ body: String, _ headers: [String: String]) throws -> Answer {
        try exchange(method, path, Array(body.utf8), headers, log: log)
    }

    /// Sends any request with any bytes, which are not recorded.
    func exchange(
        _ method: String, _ path: String, _ body: [UInt8], _ headers: [String: String]
    ) throws -> Answer {
        try exchange(method, path, body, headers, log: nil)
    }

    private func exchange(
        _ method: String, _ path: String, _ body: [UInt8], _ headers: [String: String], log: FrameLog.Connection?
    ) throws -> Answer {
        // This call blocks, so a loop has to end here when the test has timed out.
        try Task.checkCancellation()
        if file < 0 { try open() }
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\(lines)\r\n"
        let bytes = Array(text.utf8) + body
        log?.sends(bytes)
        try write(bytes)
        return try answer(hasBody: method != "HEAD", log)
    }

    /// Reads the answer to a request that has begun.
    func answer() throws -> Answer { try answer(hasBody: true, nil) }

    private func answer(hasBody: Bool, _ log: FrameLog.Connection?) throws -> Answer {
        let head = try readHead(log)
        var fields: [String: String] = [:]
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        guard let status = head.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw ExpectationFailure(description: "no status: \(head)")
        }
        let hasBody = hasBody && status != 204 && status != 304
        guard let length = hasBody ? fields["content-length"].flatMap({ Int($0) }) : 0 else {
            throw ExpectationFailure(description: "no answer with a length: \(head)")
        }
        while rest.count < length { try readMore(log) }
        let bytes = Array(rest.prefix(length))
        rest.removeFirst(length)
        if fields["connection"] == "close" {
            close(file)
            file = -1
            rest = []
        }
        return Answer(status: status, headers: fields, bytes: bytes)
    }

    /// Sends the beginning of a request, and reads nothing.
    func begin(_ request: String) throws {
        if file < 0 { try open() }
        try write(Array(request.utf8))
    }

    /// Reads until the server closes the connection.
    /// - Returns: how many bytes came.
    func drain() -> Int {
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let part = read(file, &buffer, buffer.count)
            guard part > 0 else { return count }
            count += part
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
            guard written > 0 else { throw ExpectationFailure(description: "the server took no request") }
            bytes = bytes.dropFirst(written)
        }
    }

    private func readHead(_ log: FrameLog.Connection?) throws -> [Substring] {
        while true {
            if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest.removeFirst(end.upperBound)
                return head.split(separator: "\r\n")
            }
            try readMore(log)
        }
    }

    private func readMore(_ log: FrameLog.Connection?) throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { throw ExpectationFailure(description: "the server closed the connection") }
        log?.reads(buffer[..<count])
        rest += buffer[..<count]
    }

    private func open() throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(file, $0, size) }
        }
        guard connected == 0 else { throw ExpectationFailure(description: "nobody listens on port \(port)") }
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
