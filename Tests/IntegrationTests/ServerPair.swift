import Foundation
import RoostServer
import RoostTesting
import RoostWire

/// Two servers on one PostgreSQL, each with a data folder of its own, and with one secret.
struct ServerPair {
    let folder: TemporaryFolder
    let servers: [ServerProcess]
    /// The NATS server between them, if there is one.
    let nats: NATSServer?
    /// How both were started.
    let arguments: [String]

    /// Arguments for servers that share a database and the folder of files.
    static func arguments(_ database: String, files folder: TemporaryFolder) -> [String] {
        ["--database", database, "--several-nodes", "--files", folder.path + "/files", "--files-shared"]
    }

    /// What carries commits from one server to the other.
    enum Link: CaseIterable {
        case database, nats

        static var available: [Link] { NATSServer.isAvailable ? allCases : [.database] }
    }

    init(_ link: Link = .database, options: [String] = []) async throws {
        folder = try TemporaryFolder()
        nats = link == .nats ? try await NATSServer.start() : nil
        let bus = nats.map { ["--bus", $0.url] } ?? []
        arguments = Self.arguments(try Postgres.makeSchema(), files: folder) + bus + options
        let first = try await ServerProcess.start(
            data: folder.path + "/one", isDevelopment: false, arguments: arguments)
        try Self.copySecret(from: first.data, to: folder.path + "/two")
        let second = try await ServerProcess.start(
            data: folder.path + "/two", isDevelopment: false, arguments: arguments)
        servers = [first, second]
        if nats != nil { try await servers.waitUntilBus("up") }
    }

    /// Gives a data folder the secret of another one.
    static func copySecret(from one: String, to other: String) throws {
        try FileManager.default.createDirectory(
            atPath: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: one + "/secret", toPath: other + "/secret")
    }

    /// A token that both servers accept for an hour.
    func token(of user: User, isOperator: Bool = false) async throws -> String {
        try await Self.token(of: user, isOperator: isOperator, data: servers[0].data)
    }

    /// A token of the secret in a data folder.
    static func token(of user: User, isOperator: Bool = false, data: String) async throws -> String {
        try await TokenIssuer(secret: Secret.load(fromDirectory: data)).issue(
            userID: user.userID, name: user.name, imageURL: user.imageURL, isOperator: isOperator, ttl: 3_600,
            now: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    /// A user on a device, for HTTP.
    func caller(_ user: User, device: String = "1", isOperator: Bool = false) async throws -> HTTPClient.Caller {
        let token = try await token(of: user, isOperator: isOperator)
        return HTTPClient.Caller(headers: ["Authorization": "Bearer \(token)", "Roost-Device": device])
    }
}

extension [ServerProcess] {
    /// Waits until all servers say so of the bus.
    func waitUntilBus(_ state: String) async throws {
        for server in self {
            let http = HTTPClient(server)
            var answer = ""
            while !answer.contains(#""bus":"\#(state)""#) {
                answer = String(decoding: try http.exchange("GET", "/readyz", [], [:]).bytes, as: UTF8.self)
                await Task.yield()
            }
        }
    }
}
