import NIOCore
import NIOHTTP1
import RoostWire

extension HTTPConnection {
    /// Carries out a command.
    /// - Throws: `RoostError` for a refusal, otherwise as `request`.
    func perform<C: Command>(_ command: C, _ headers: HTTPHeaders = HTTPHeaders()) async throws -> C.Answer {
        let json = ByteBuffer(bytes: try WireCodec.encode(command))
        var headers = headers
        headers.replaceOrAdd(name: "Content-Type", value: "application/json")
        let response = try await request(
            .POST, "/v1/\(C.name)", headers, body: Body(size: Int64(json.readableBytes)) { try await $0.write(json) })
        guard response.status == 200 else { throw SyncEngine.refusal(response) }
        return try WireCodec.decode(C.Answer.self, from: response.body)
    }
}

extension SyncEngine {
    /// Carries out a command over HTTP; it is tried again as `persistently` says.
    func request<C: Command>(_ command: C, _ transID: TransID) async throws(RoostError) -> C.Answer {
        try await persistently(progress: { 0 }) { connection, headers in
            var headers = headers
            headers.add(name: "Idempotency-Key", value: transID.rawValue)
            return try await connection.perform(command, headers)
        }
    }
}
