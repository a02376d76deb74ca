import NIOCore
import NIOHTTP1
import RoostWire
import Synchronization

// What uploads and downloads have in common.
extension SyncEngine {
    /// Carries out a command over the connection, without the store.
    func ask<C: Command>(_ command: C, _ transID: TransID) async throws(RoostError) -> C.Answer {
        let promise = Promise<[UInt8]>()
        submit(.perform(command.any, id: transID.rawValue, promise))
        do {
            return try WireCodec.decode(C.Answer.self, from: try await promise.value)
        } catch let error as RoostError {
            throw error.naming(C.name)
        } catch {
            throw RoostError(.invalidAnswer, "The server's answer to \(C.name) cannot be read.").naming(C.name)
        }
    }

    /// Makes a connection for requests about files, and goes on with another one after every loss.
    ///
    /// `attempt` is called until it does not throw. After a loss it is called again for as long as the task lives; while
    /// the client is disconnected it waits. What the server refuses for now is tried again up to eight times in a row.
    /// - Parameter progress: how far it has come; after a larger number the pauses are short again.
    func persistently<T: Sendable>(
        progress: () -> Int64, _ attempt: (HTTPConnection, HTTPHeaders) async throws -> T
    ) async throws(RoostError) -> T {
        guard let http else {
            throw RoostError.notAnAddress(configuration.server)
        }
        var retries = Retries()
        var last = progress()
        do {
            while true {
                try await awake()
                let token = token.withLock { $0 }
                do {
                    let headers = try await authentication()
                    return try await http.connected { try await attempt($0, headers) }
                } catch let error as HTTPFault {
                    guard case .lost = error else { throw error }
                    retries.refusals = 0
                } catch let error as RoostError where Self.isTokenRefused(error) {
                    try await renewToken(after: token, error)
                    retries.refusals += 1
                    guard retries.refusals < Retries.most else { throw error }
                } catch let error as RoostError where error.isRetryable {
                    retries.refusals += 1
                    guard retries.refusals < Retries.most else { throw error }
                    retries.after = error.retryAfterMs
                }
                let now = progress()
                if now > last { retries = Retries(after: retries.after) }
                last = now
                try await pause(retries.next())
            }
        } catch let error as RoostError {
            throw error
        } catch is CancellationError {
            throw RoostError(.cancelled, "The transfer was cancelled.")
        } catch HTTPFault.invalid(let why), HTTPFault.lost(let why) {
            throw RoostError(.invalidAnswer, why)
        } catch {
            throw RoostError(.invalidAnswer, "The transfer failed: \(error).")
        }
    }

    private struct Retries {
        static let most = 8
        var failures = 0
        var refusals = 0
        /// How long to wait before the next request, in ms, as the server asked.
        var after: Int?

        mutating func next() -> Duration {
            let ceiling = min(30_000, 250 << min(failures, 7))
            failures += 1
            let jitter = Int.random(in: ceiling / 2...ceiling)
            defer { after = nil }
            return .milliseconds(max(jitter, after ?? 0))
        }
    }

    /// Waits while the client is disconnected.
    private func awake() async throws {
        var states = Batch(subscription: liveStates())
        while let state = await states.next() { if state != .offline { return } }
        try Task.checkCancellation()
        throw RoostError(.disconnected, "The client was disconnected.")
    }

    /// Waits for a time, or until the client is connected again.
    private func pause(_ time: Duration) async throws {
        let states = states.subscribe()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await Task.sleep(for: time) }
            tasks.addTask {
                var states = Batch(subscription: states)
                while let state = await states.next(), state != .live {}
            }
            try await tasks.next()
            tasks.cancelAll()
        }
        try Task.checkCancellation()
    }

    // MARK: Credentials

    private func authentication() async throws -> HTTPHeaders {
        var headers = HTTPHeaders([
            ("Roost-Device", configuration.deviceID.rawValue), ("Tus-Resumable", "1.0.0"),
        ])
        switch configuration.credentials.kind {
        case .guest(let guest):
            headers.add(name: "Roost-Guest", value: guest.userID.rawValue)
            if let name = guest.name { headers.add(name: "Roost-Guest-Name", value: name) }
        case .password: break
        case .token(let provide):
            var text = token.withLock { $0 }
            if text == nil {
                do {
                    text = try await provide()
                } catch {
                    try Task.checkCancellation()
                    throw HTTPFault.lost("There is no token: the closure that provides it failed.")
                }
                token.withLock { $0 = text }
            }
            headers.add(name: "Authorization", value: "Bearer \(text ?? "")")
        }
        return headers
    }

    private static func isTokenRefused(_ error: RoostError) -> Bool {
        [.server(.tokenExpired), .server(.wrongCredentials), .server(.notAuthenticated)].contains(error.code)
    }

    /// Asks for another token once the server refuses one.
    /// - Throws: the refusal, if there is no other token.
    private func renewToken(after refused: String?, _ error: RoostError) async throws {
        guard case .token(let provide) = configuration.credentials.kind else { throw error }
        // Another transfer may have asked already.
        if let known = token.withLock({ $0 }), known != refused { return }
        guard let new = try? await provide(), new != refused || refused == nil else { throw error }
        token.withLock { $0 = new }
    }

    // MARK: What the server says

    private struct Failure: Decodable { var error: WireError }

    /// What a response that is no success means.
    static func refusal(_ response: HTTPResponse) -> any Error {
        if let failure = try? WireCodec.decode(Failure.self, from: response.body) {
            return RoostError(wire: failure.error)
        }
        // The response to HEAD has no body, and a proxy has words of its own.
        switch response.status {
        case 401: return RoostError(wire: WireError(.notAuthenticated))
        case 404, 403:
            return RoostError(wire: WireError(.noPrivilege, "There is no such file, or you may not read it."))
        case 409: return RoostError(wire: WireError(.uploadOffset))
        case 413:
            return RoostError(wire: WireError(.tooLarge, "A server in between does not accept a body of this size."))
        // The request itself cannot be answered: the same one fails again.
        case 500: return RoostError(wire: WireError(.internalFault))
        case 408, 425, 429, 501...599:
            let seconds = response.number("Retry-After").map { Int(clamping: min(max($0, 0), 60) * 1_000) }
            return RoostError(wire: WireError(.fileStoreUnavailable, retryAfterMs: seconds))
        default: return HTTPFault.invalid("The server answered the request for a file with \(response.status).")
        }
    }
}
