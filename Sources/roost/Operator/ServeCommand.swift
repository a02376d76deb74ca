import ArgumentParser
import Foundation
import Logging
import RoostBackup
import RoostCore
import RoostEncryption
import RoostFiles
import RoostNATS
import RoostPostgres
import RoostPush
import RoostSQLite
import RoostServer
import RoostWire

/// Runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Stores everything in one folder, or in PostgreSQL with --database. Prints "ready http://HOST:PORT" (or https) to standard output once \
            it accepts connections, then "admin http://127.0.0.1:PORT" with --admin-port, and stops cleanly within 30 seconds on SIGTERM or Ctrl-C.

            With --dev, guests may log in by name and open channels are created on first use; the server then \
            listens on this machine only. Without --dev, users log in with tokens: see roost token --help.

            Each option may also come from the environment, as ROOST_PUBLIC_URL for --public-url, or from the file of --config: see \
            roost config --help.
            """)

    @Option(
        help: ArgumentHelp(
            "A file in YAML or JSON with options of this command, such as port: 443; ROOST_CONFIG if omitted.",
            discussion: "Options and variables of the environment go before it.", valueName: "file"))
    var config: String?

    @Option(help: "The folder that holds the secret and, without --database, the database.")
    var data = "./roost-data"

    @Option(help: DatabaseURL.help)
    var database: String?

    @Flag(
        help: ArgumentHelp(
            "Start with an empty database, although the secret in --data was used with one.",
            discussion: """
                Without it the server refuses to start if its database is lost, because a backup belongs there. For the first start \
                only: with a database that has data, the server refuses it. See docs/backup.md.
                """))
    var newDatabase = false

    @Option(
        help: ArgumentHelp(
            "A file with the key that encrypts what users write before it is stored; without it, nothing is encrypted.",
            discussion: """
                Only its owner may be able to read it. Each line is a key of 64 or more hexadecimal digits; the first one encrypts, and all \
                decrypt. Without the keys, encrypted messages are lost. See docs/encryption.md.
                """, valueName: "file"))
    var encryptionKey: String?

    @Option(
        help: ArgumentHelp(
            "The folder for uploaded files, or s3://bucket/prefix?endpoint=URL&region=NAME; the folder files in --data if omitted.",
            discussion: """
                The keys of an object store come from ROOST_S3_ACCESS_KEY_ID and ROOST_S3_SECRET_ACCESS_KEY, or from the file named by \
                ROOST_S3_CREDENTIALS_FILE. Unfinished uploads stay in --data. See docs/files.md.
                """, valueName: "place"))
    var files: String?

    @Flag(
        help: ArgumentHelp(
            "Answer links to files with a redirect to the object store, which then sends the bytes itself.",
            discussion: "Needs --files s3://…, at an address that the users can reach. See docs/files.md."))
    var fileRedirects = false

    @Option(
        name: .customLong("sockets-per-address"),
        help: ArgumentHelp(
            "How many connections an address may have; a quarter of them before a login.",
            discussion: """
                As many WebSockets may begin at once without logging in, and a tenth of them a second. This machine has no \
                limit. With --behind-proxy only the beginnings count: limit the rest there.
                """,
            valueName: "count"))
    var socketsPerAddress = 256

    @Option(
        name: .customLong("connection-memory"),
        help: ArgumentHelp(
            "How many bytes all connections together may hold; a quarter of the memory, 64 MiB to 4 GiB, if omitted.",
            discussion: """
                At least 1048576. Beyond, clients without a login and those that read slowly are closed; they connect again. See \
                docs/security.md.
                """, valueName: "bytes"))
    var connectionMemory: Int?

    @Option(
        name: .customLong("disk-reserve"),
        help: ArgumentHelp(
            "How many bytes uploads leave free on the disk; 5 % of it and at most 1 GiB if omitted.",
            discussion: "Uploads beyond are refused with 7007; messages and everything else go on.",
            valueName: "bytes"))
    var diskReserve: Int64?

    @Option(
        help: ArgumentHelp(
            "A JSON file with the services that send push notifications; without it, none are sent.",
            discussion: "Only its owner may be able to read it. See docs/push.md.", valueName: "file"))
    var push: String?

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 picks a free one.")
    var port = 7878

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    @Flag(help: "Development mode: guests need no token, and open channels are created on first use.")
    var dev = false

    @Flag(
        help: "Allow --dev on an address that other machines can reach. Anyone who can reach it can log in as any user."
    )
    var insecureDev = false

    @Option(
        name: .customLong("allow-origin"),
        help: "An additional web origin that may connect. Repeatable.")
    var allowedOrigins: [String] = []

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The address that users type, such as https://chat.example.com: a page from there may connect, whatever a proxy makes of it. Repeatable.",
            discussion: "Without a path. See docs/proxy.md.", valueName: "url"))
    var publicURLs: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many days a browser stays signed in to the page without use; 0 turns this off.",
            discussion: "Never longer than the token used to sign in, and at most 12 hours for operators.",
            valueName: "days"))
    var keepLogins = 30

    @OptionGroup(title: "The page")
    var web: WebOptions

    @Option(help: "The number of event loops for sockets; half of the cores if omitted, at least one.")
    var loops: Int?

    @OptionGroup var limits: LimitOptions

    @Option(
        help: ArgumentHelp(
            "What answers about users name this installation: 1 to 64 characters of A-Z a-z 0-9 _ . -",
            discussion: "For apps that talk to several servers."))
    var brand = "roost"

    @Option(help: "The maximum number of accounts that can be registered; no limit if omitted.")
    var maxAccounts: Int?

    @Flag(
        help: """
            All clients come through a proxy: take their address, for limits and the log, from the last element of \
            X-Forwarded-For, which the proxy has to set, and the address of the page from X-Forwarded-Host, if the proxy sets it.
            """)
    var behindProxy = false

    @Option(help: "What deleted users are called, 1 to 200 characters.")
    var deletedUserName = "Deleted user"

    @Flag(help: "Also delete the messages of users who are deleted; otherwise they stay under that name.")
    var deleteMessagesOfDeletedUsers = false

    @OptionGroup var identity: IdentityOptions

    @OptionGroup(title: "Several servers")
    var nodes: NodeOptions

    @Flag(help: "Do not let users look up others by login name or phone number; operators and keys still can.")
    var noLookups = false

    @Flag(help: "Do not let users log in with a password; backends still can check passwords.")
    var noPasswordLogins = false

    @Flag(help: "Let people make accounts themselves, with a login name and a password; see --max-accounts.")
    var allowSignUp = false

    @Flag(
        help: ArgumentHelp(
            "Do not write the audit log: audit.jsonl, audit-users.jsonl and audit-refused.jsonl in --data.",
            discussion: """
                They have who did what as an operator or with a key, bans, deletions and changes of accounts, and what was refused: ids \
                and codes only. See docs/security.md.
                """))
    var noAuditLog = false

    @Flag(help: ArgumentHelp("Relay messages without storing them, for benchmarks.", visibility: .hidden))
    var relay = false

    @Flag(help: ArgumentHelp("Print database statistics on exit.", visibility: .hidden))
    var report = false

    @OptionGroup(title: "Backups")
    var backups: BackupOptions

    @OptionGroup(title: "Log and metrics")
    var watching: WatchOptions

    func validate() throws {
        guard socketsPerAddress > 0 else { throw ValidationError("--sockets-per-address must be at least 1.") }
        guard connectionMemory ?? .max >= 1 << 20 else {
            throw ValidationError("--connection-memory must be at least 1048576 bytes, which is 1 MiB.")
        }
        guard diskReserve ?? 0 >= 0 else { throw ValidationError("--disk-reserve must not be negative.") }
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard port == 0 || port != tls.redirectPort else {
            throw ValidationError("--redirect-port must be another port than --port.")
        }
        if let adminPort = watching.adminPort, adminPort > 0, [port, tls.redirectPort].contains(adminPort) {
            throw ValidationError("--admin-port must be another port than --port and --redirect-port.")
        }
        if fileRedirects, files?.hasPrefix("s3:") != true {
            throw ValidationError("--file-redirects needs an object store: --files s3://bucket/prefix?…")
        }
        if encryptionKey.map(Self.path) == Self.path(data + "/secret") {
            throw ValidationError(
                "--encryption-key needs a file of its own: roost secret rotate and drop change \(data)/secret.")
        }
        guard brand.wholeMatch(of: /[A-Za-z0-9_.-]{1,64}/) != nil else {
            throw ValidationError("--brand must have 1 to 64 characters of A-Z a-z 0-9 _ . -")
        }
        guard identity.identityClient == nil || keepLogins > 0 && !web.noWeb else {
            throw ValidationError("--identity-client signs in to the page, which needs --keep-logins and no --no-web.")
        }
        guard !allowSignUp || !noPasswordLogins else {
            throw ValidationError("--allow-sign-up needs logins with a password: omit --no-password-logins.")
        }
        do throws(WireError) {
            try TextRules.checkName(deletedUserName, "--deleted-user-name")
        } catch {
            throw ValidationError(error.message)
        }
        for url in publicURLs
        where url.wholeMatch(of: /https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?\/?/) == nil {
            throw ValidationError(
                "--public-url \(url): use the address of the server without a path, such as https://chat.example.com.")
        }
        guard 0...365 ~= keepLogins else { throw ValidationError("--keep-logins must be 0 to 365 days.") }
        guard maxAccounts ?? 1 > 0 else { throw ValidationError("--max-accounts must be at least 1.") }
        try nodes.validate(database: database, files: files, hasTLS: tls.isOn)
        if dev, !insecureDev, !ServerConfiguration(host: host).isLoopback {
            throw ValidationError(
                "--dev lets anyone log in as any user, so it cannot listen on \(host). "
                    + "Use tokens instead (roost token --help), or add --insecure-dev to allow it.")
        }
    }

    func run() async throws {
        let level = SharedLogLevel(watching.level)
        do {
            try await serve(watching.logger(level), level)
        } catch let error as DatabaseFailure {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as FileStoreError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as SecretError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as BackupError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        } catch let error as PushConfigurationError {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        }
    }

    /// Reads the files with the certificate, the keys and the push services.
    /// - Throws: an error that says what is wrong with one of them.
    func checkFiles() throws {
        if let certificate = try tls.certificate(), certificate.hasExpired(now: Clock.now()) {
            throw ValidationError("The certificate in \(tls.tlsCertificate ?? "") has expired.")
        }
        if let files, files.hasPrefix("s3:") { _ = try S3Location(url: files) }
        try backups.check(files: files, data: data)
        _ = try encryptionKey.map { try KeyFile.encryptionKeys(inFile: $0) }
        _ = try push.map { try PushConfiguration(file: $0) }
    }

    func coreConfiguration(_ linkKey: FileLinkKey) throws -> CoreConfiguration {
        var configuration = CoreConfiguration(
            limits: try limits.limits(), isDevelopment: dev, retention: try limits.retention(), fileLinks: linkKey.links
        )
        configuration.brand = brand
        configuration.allowsLookups = !noLookups
        configuration.maxAccounts = maxAccounts
        configuration.deletedUserName = deletedUserName
        configuration.deletesMessagesOfDeletedUsers = deleteMessagesOfDeletedUsers
        configuration.imageOrigins = web.imageOrigins
        return configuration
    }

    func serverConfiguration(_ metrics: MetricsRegistry?) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(host: host, port: port)
        configuration.certificate = try tls.certificate()
        configuration.redirectPort = tls.redirectPort
        configuration.challengeFolder = tls.acmeFolder
        configuration.adminPort = watching.adminPort
        configuration.metrics = metrics
        configuration.build = (Build.version, Build.commit)
        configuration.dataFolder = data
        configuration.isDevelopment = dev
        configuration.allowedOrigins = publicURLs + allowedOrigins
        configuration.publicOrigins = publicURLs
        configuration.keptLoginMs = Int64(keepLogins) * 86_400_000
        configuration.web = web.files
        configuration.frameAncestors = web.frameAncestors
        configuration.imageOrigins = web.imageOrigins
        configuration.isRelay = relay
        configuration.allowsPasswordLogins = !noPasswordLogins
        configuration.allowsSignUp = allowSignUp
        configuration.isBehindProxy = behindProxy
        if let loops { configuration.eventLoops = loops }
        configuration.connectionMemory = connectionMemory ?? MachineMemory.quarter(of: MachineMemory.bytes)
        configuration.socketsPerAddress = socketsPerAddress
        configuration.strangersPerAddress = max(1, socketsPerAddress / 4)
        configuration.sockets = Descriptors.raisedLimit().map { max(16, $0 - Descriptors.reserve) } ?? 0
        return configuration
    }

    static func nodeAddress(_ host: String, _ port: Int) -> String {
        let machine = ProcessInfo.processInfo.hostName
        // Before it listens, a server does not know the port that it was not given.
        return port == 0 ? machine : "\(machine) at \(address(host, port))"
    }

    func localNode(
        _ place: NodePlace, _ keys: TokenKeys, _ cipher: ContentCipher?, _ pushes: PushDrivers
    ) throws -> LocalNode {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let retention = try limits.retention().map { "\($0)=\($1.keepFor ?? 0),\($1.keepLast ?? 0)" }
        let services = pushes.byGateway.keys.map(\.rawValue).sorted() + [pushes.webPushKey ?? ""]
        let options = [
            "--dev": "\(dev)",
            "--limit": String(decoding: try encoder.encode(limits.limits()), as: UTF8.self),
            "--retain": retention.sorted().joined(separator: " "),
            "--brand": brand, "--max-accounts": maxAccounts.map(String.init) ?? "",
            "--deleted-user-name": deletedUserName,
            "--delete-messages-of-deleted-users": "\(deleteMessagesOfDeletedUsers)",
            "--no-lookups": "\(noLookups)", "--no-password-logins": "\(noPasswordLogins)",
            "--allow-sign-up": "\(allowSignUp)", "--keep-logins": "\(keepLogins)",
            "--image-origin": web.imageOrigins.sorted().joined(separator: " "),
            "--identity-keys": identity.identityKeys ?? "", "--identity-issuer": identity.identityIssuer ?? "",
            "--identity-audience": identity.identityAudience ?? identity.identityClient ?? "",
            "--identity-client": identity.identityClient ?? "",
            // A server without a service would drop its notifications.
            "--push": services.joined(separator: " "),
            "--files": try nodes.fingerprint(ofFiles: files),
        ]
        return LocalNode(
            place: place.name, version: Build.version, address: Self.nodeAddress(host, port),
            spool: place.id, url: nodes.url(host, port),
            settings: NodeSettings(
                allowsOthers: nodes.allowsOthers, secrets: keys.orderedIDs, encryptionKeys: cipher?.keyIDs ?? [],
                options: options))
    }

    func pushDrivers() async throws -> PushDrivers {
        guard let push else { return PushDrivers() }
        return try await PushConfiguration(file: push).drivers(now: Clock.now)
    }

    func fileStorage(_ linkKey: FileLinkKey, _ place: NodePlace?, _ logger: Logger) throws -> FileStorage {
        let threads = FileThreads()
        func thumbnailer(_ folder: String) -> Thumbnailer {
            Thumbnailer(
                folder: folder + "/thumbnails", path: ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                logger: logger)
        }
        if let files, files.hasPrefix("s3:") {
            let location = try S3Location(url: files)
            let credentials = try S3Credentials(environment: ProcessInfo.processInfo.environment)
            try FileManager.default.createDirectory(
                atPath: data + "/files", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return FileStorage(
                spool: UploadSpool(path: data + "/files/uploads", threads: threads, reserve: diskReserve),
                store: S3Store(location, credentials, threads: threads, now: Clock.now), linkKey: linkKey,
                redirects: fileRedirects, thumbnailer: thumbnailer(data + "/files"))
        }
        let folder = files ?? data + "/files"
        // Other servers have uploads of their own there. It is the same file system, as what is finished is moved.
        let uploads = nodes.filesShared ? UploadSpool.path(in: folder, server: place?.id ?? "") : folder + "/uploads"
        return FileStorage(
            spool: UploadSpool(path: uploads, threads: threads, reserve: diskReserve),
            store: FileFolder(path: folder, threads: threads), linkKey: linkKey,
            thumbnailer: thumbnailer(nodes.filesShared ? data : folder))
    }

    private static func path(_ text: String) -> String { URL(fileURLWithPath: text).standardizedFileURL.path }

    /// Returns host and port as in a URL, where an IPv6 address has brackets.
    static func address(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    func openDatabase(_ known: KnownDatabase, _ logger: Logger) throws -> any SQLDatabase {
        guard let url = try DatabaseURL.given(database) else { return try known.open(startsNew: newDatabase) }
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try PostgresDatabase(url: url, checksSessions: true, random: Effects.systemRandom(), logger: logger)
    }
}
