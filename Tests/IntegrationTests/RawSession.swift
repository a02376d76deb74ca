import Foundation
import RoostTesting
import RoostWire

/// A WebSocket client without the SDK, which can send arbitrary frames.
final class RawSession {
    private let file: Int32
    private var rest: [UInt8] = []
    private var count = 0
    private let log = FrameLog.shared?.connection()

    convenience init(_ server: ServerProcess) throws { try self.init(port: server.port) }

    convenience init(_ harness: ServerHarness) throws { try self.init(port: harness.port) }

    init(port: Int) throws {
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
        try put(
            Array(
                ("GET /v1/connect HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").utf8))
        let end = Array("\r\n\r\n".utf8)
        while rest.firstRange(of: end) == nil { try readMore() }
        guard let head = rest.firstRange(of: end) else { return }
        rest.removeFirst(head.upperBound)
    }

    deinit { close(file) }

    /// Logs in and returns the error; nil if the login was accepted.
    func hello(_ caller: HTTPClient.Caller) throws -> WireError? {
        let body: String
        if let token = caller.headers["Authorization"]?.split(separator: " ").last {
            body = #"{"version":1,"token":"\#(token)","deviceID":"op"}"#
        } else {
            let user = caller.headers["Roost-Guest"] ?? ""
            let name = caller.headers["Roost-Guest-Name"] ?? user
            let device = caller.headers["Roost-Device"] ?? "1"
            body = #"{"version":1,"guest":{"userID":"\#(user)","name":"\#(name)"},"deviceID":"\#(device)"}"#
        }
        return try perform("hello", body)
    }

    /// Sends a command by name and JSON and returns its error; nil if it was accepted.
    func perform(_ command: String, _ body: String) throws -> WireError? {
        count += 1
        let id = "raw-\(count)"
        try send(#"{"id":"\#(id)","cmd":"\#(command)","body":\#(body)}"#)
        return try error(of: id)
    }

    /// Waits for the answer to a command and returns its error; nil if it was accepted.
    func error(of id: String) throws -> WireError? {
        while true {
            switch try next() {
            case .result(id, _): return nil
            case .failure(let other, let error) where other == id || other == nil: return error
            default: continue
            }
        }
    }

    /// Sends a text of fewer than 64 KiB.
    func send(_ text: String) throws {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        // A mask of zeroes leaves the payload as it is.
        try put(frame + [0, 0, 0, 0] + payload)
    }

    /// Closes the connection as a client does that says goodbye, and waits for the end.
    func sayGoodbye() throws {
        try put([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
        while (try? next()) != nil {}
    }

    /// Returns the next frame of the protocol.
    /// - Throws: `ExpectationFailure` if the server closes the connection.
    func next() throws -> ServerFrame {
        while true {
            while rest.count < 2 { try readMore() }
            var start = 2
            var length = Int(rest[1] & 0x7F)
            if length > 125 {
                let bytes = length == 126 ? 2 : 8
                while rest.count < 2 + bytes { try readMore() }
                length = rest[2..<2 + bytes].reduce(0) { $0 << 8 | Int($1) }
                start += bytes
            }
            while rest.count < start + length { try readMore() }
            let opcode = rest[0] & 0x0F
            let payload = Array(rest[start..<start + length])
            rest.removeFirst(start + length)
            switch opcode {
            case 1: return try WireCodec.decodeServerFrame(payload)
            case 8:
                throw ExpectationFailure(
                    description: "the server closed with \(payload.prefix(2).reduce(0) { $0 << 8 | Int($1) })")
            default: continue
            }
        }
    }

    private func put(_ bytes: [UInt8]) throws {
        log?.sends(bytes)
        guard write(file, bytes, bytes.count) == bytes.count else {
            throw ExpectationFailure(description: "the server took no frame")
        }
    }

    private func readMore() throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { throw ExpectationFailure(description: "the server closed the connection") }
        log?.reads(buffer[..<count])
        rest += buffer[..<count]
    }
}
