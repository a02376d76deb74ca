import RoostWire
import Testing

/// An answer over HTTP.
struct RawAnswer {
    let status: Int
    /// The fields of the head, by their names in lower case.
    let headers: [String: [String]]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The error in its body; nil if there is none.
    var error: WireError? {
        struct Failure: Decodable { var error: WireError }
        return try? WireCodec.decode(Failure.self, from: body).error
    }

    /// The value of a field; nil if there is none.
    subscript(name: String) -> String? { headers[name]?.joined(separator: ", ") }
}

extension LiveServer {
    /// Sends one request over a new connection, with these lines of its head.
    func ask(
        _ path: String, _ headers: [String] = [], method: String = "GET", body: String = "", at port: Int? = nil
    ) async throws -> RawAnswer {
        // The port for those who run the server has none.
        let client = try await RawClient.connect(port ?? self.port, hasTLS: port == nil)
        let lines = (["Host: localhost", "Connection: close", "Content-Length: \(body.utf8.count)"] + headers)
            .map { $0 + "\r\n" }.joined()
        try await client.write("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)")
        let head = try await client.head().split(separator: "\r\n")
        var fields: [String: [String]] = [:]
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased(), default: []].append(
                parts.count > 1 ? String(parts[1].trimmingPrefix { $0 == " " }) : "")
        }
        let status = head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return RawAnswer(status: try #require(status), headers: fields, body: await client.restOfBytes())
    }
}
