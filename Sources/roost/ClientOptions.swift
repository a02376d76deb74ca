import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// The options of every command that connects to a server.
struct ClientOptions: ParsableArguments {
    @Option(help: "The URL of the server; ROOST_SERVER if omitted, otherwise http://127.0.0.1:7878.")
    var server: String?

    @Option(
        name: .customLong("as"),
        help: "Log in as this guest if the server runs in dev mode; the device id if omitted.")
    var guest: String?

    @Option(help: "The guest's display name; if omitted, the name that the server already knows, otherwise the id.")
    var name: String?

    @Option(help: "Log in with this token; ROOST_TOKEN if omitted.")
    var token: String?

    @Option(
        help:
            "The folder that stores the device id; ROOST_PROFILE if omitted, otherwise a folder in the XDG state folder."
    )
    var profile: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws {
        guard let guest else { return }
        if token != nil { throw ValidationError("Give either --as or --token, not both.") }
        if UserID(rawValue: guest) == nil {
            throw ValidationError("\"\(guest)\" is not a user id. Use 1 to 64 of A-Z a-z 0-9 _ . @ -")
        }
    }

    /// Creates a client that is not connected yet. With a store, queued messages survive the process.
    func makeClient(store: LocalStore? = nil, keepsTrying: Bool = false) throws -> ChatClient {
        let environment = ProcessInfo.processInfo.environment
        let deviceID = try deviceID()
        let credentials: Credentials
        if let token = token ?? environment["ROOST_TOKEN"], guest == nil {
            credentials = .token { token.trimmingCharacters(in: .whitespacesAndNewlines) }
        } else {
            guard let userID = UserID(rawValue: guest ?? deviceID.rawValue) else { throw ExitCode(ExitStatus.usage) }
            credentials = .guest(userID, name: name)
        }
        var configuration = ClientConfiguration(server: address, credentials: credentials, deviceID: deviceID)
        configuration.store = store
        configuration.keepsTryingToConnect = keepsTrying
        return ChatClient(configuration: configuration)
    }

    var address: String {
        server ?? ProcessInfo.processInfo.environment["ROOST_SERVER"] ?? "http://127.0.0.1:7878"
    }

    /// A connected client.
    func connect() async throws -> ChatClient {
        let client = try makeClient()
        try await client.connect()
        return client
    }

    private var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "."
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/state"
        return profile ?? environment["ROOST_PROFILE"] ?? state + "/roost"
    }

    /// Opens the local store of this user on this server, a file in the profile.
    /// - Throws: `RoostError` `storeInUse` if another process has it open.
    func openStore() async throws -> LocalStore {
        let stores = folder + "/stores"
        try? FileManager.default.createDirectory(
            atPath: stores, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let place = address.drop { $0 != "/" }.drop { $0 == "/" }
        let name = "\(try storeOwner())@\(place.isEmpty ? address[...] : place)"
        let safe = name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._@-".contains($0)) ? $0 : "_" }
        return try await LocalStore.open(stores + "/" + String(safe) + ".sqlite")
    }

    /// The user who logs in, as far as this is known without the server. It is part of the store's file name.
    private func storeOwner() throws -> String {
        let text = token ?? ProcessInfo.processInfo.environment["ROOST_TOKEN"]
        guard guest == nil, let text else { return try guest ?? deviceID().rawValue }
        struct Claims: Decodable { var sub: String }
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ".")
        guard parts.count == 3 else { return "token" }
        var base64 = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        while base64.count % 4 != 0 { base64 += "=" }
        guard let bytes = Data(base64Encoded: base64) else { return "token" }
        return (try? JSONDecoder().decode(Claims.self, from: bytes))?.sub ?? "token"
    }

    /// The device id, created once and stored in the profile.
    private func deviceID() throws -> DeviceID {
        let folder = folder
        let file = folder + "/device"
        if let text = try? String(contentsOfFile: file, encoding: .utf8),
            let id = DeviceID(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return id
        }
        guard let id = DeviceID(rawValue: UUID().uuidString.lowercased()) else { throw ExitCode(ExitStatus.refused) }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? Data((id.rawValue + "\n").utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        return id
    }

    /// Runs a command and turns its errors into messages and exit codes.
    func run(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as RoostError {
            report(error)
            throw ExitCode(error.exitStatus)
        } catch let error as WireError {
            report(RoostError(wire: error))
            throw ExitCode(ExitStatus.refused)
        }
    }

    /// Prints an error to standard error; as JSON with `--json`.
    func report(_ error: RoostError) {
        if json, let wire = error.wire, let bytes = try? WireCodec.encodeSorted(wire) {
            Terminal.writeError(bytes + [0x0A])
        } else {
            Terminal.printError(error.message)
        }
    }
}

/// Options that select the conversation of a command.
struct Target: ParsableArguments {
    @Option(help: "The channel.")
    var channel: String?

    @Option(help: "The other user of a 1-on-1.")
    var to: String?

    func validate() throws {
        if (channel == nil) == (to == nil) { throw ValidationError("Give either --channel C or --to USER.") }
        if let channel, ChannelID(rawValue: channel) == nil {
            throw ValidationError("\"\(channel)\" is not a channel id. Use 1 to 64 of A-Z a-z 0-9 _ . -")
        }
        if let to, UserID(rawValue: to) == nil { throw ValidationError("\"\(to)\" is not a user id.") }
    }

    /// Opens the channel: creates a 1-on-1 if needed and joins an open channel.
    func open(_ client: ChatClient) async throws -> ChannelHandle {
        try await Self.open(
            client, channel: channel.flatMap(ChannelID.init(rawValue:)), to: to.flatMap(UserID.init(rawValue:)))
    }

    static func open(_ client: ChatClient, channel: ChannelID?, to user: UserID?) async throws -> ChannelHandle {
        if let user { return client.channel(try await client.startMessaging(with: user).channel) }
        guard let id = channel else { throw ExitCode(ExitStatus.usage) }
        let handle = client.channel(id)
        if id.pair == nil {
            do {
                try await handle.join()
            } catch let error where error.wire?.code == ErrorCode.channelTypeMismatch.code {
                // The channel is a group that the user is a member of, so there is nothing to join.
            }
        }
        return handle
    }
}

extension RoostError {
    /// The exit code for this error.
    var exitStatus: Int32 {
        if wire != nil { return ExitStatus.refused }
        switch code {
        case .timedOut: return ExitStatus.timedOut
        case .fileFailed: return ExitStatus.refused
        default: return ExitStatus.unreachable
        }
    }
}
