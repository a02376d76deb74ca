import Foundation
import RoostBackup
import RoostFiles
import RoostNATS
import RoostPush
import RoostWire

/// What the server uses elsewhere.
extension Doctor {
    /// NATS: whether it lets the server in, and nobody else.
    func bus() async -> [Finding] {
        guard let text = serve.nodes.givenBus else { return [.skipped("there is none")] }
        do {
            let url = try BusURL(text)
            var findings: [Finding] = []
            for server in url.servers {
                if let finding = await Self.greeting(of: server) { findings.append(finding) }
            }
            if findings.contains(where: { $0.level == .fault }) { return findings }
            do {
                try NATSBus.check(url, certificates: serve.nodes.busCertificates)
            } catch {
                return findings + [
                    .fault(
                        "NATS does not let this server in: \(error)",
                        "Look at the user, the password and the certificates in --bus.")
                ]
            }
            return findings.isEmpty ? [.good("NATS lets this server in")] : findings
        } catch {
            return [.fault(error)]
        }
    }

    /// What a NATS server says before a login; nil if there is nothing wrong with it.
    private static func greeting(of server: String) async -> Finding? {
        guard let url = URLComponents(string: server), let host = url.host, let port = url.port else { return nil }
        let advice =
            "Start it, or look at --bus and at firewalls. Meanwhile the servers look into the database every 0.3 s."
        do {
            let line = try await SocketProbe.exchange(host, port, until: "\r\n").text
            guard line.hasPrefix("INFO ") else {
                return .fault("\(host):\(port) is not a NATS server", "Look at --bus.")
            }
            guard !line.contains(#""auth_required":true"#), !line.contains(#""tls_verify":true"#) else { return nil }
            return .warning(
                "NATS at \(host):\(port) lets anybody in, who can then read what users write",
                "Give it a user and a password: see docs/scaling.md.")
        } catch {
            return .fault("NATS at \(host):\(port) does not answer: \(error)", advice)
        }
    }

    /// Where the bytes of files are.
    func files() async -> [Finding] {
        guard let files = serve.files, StoragePlace.isBucket(files) else {
            let folder = serve.files ?? serve.data + "/files"
            guard FileManager.default.fileExists(atPath: folder) else {
                if serve.files == nil { return [.skipped("there are none yet")] }
                return [
                    .fault("there is no folder \(folder)", "Mount it, or make it: a server would begin with no files.")
                ]
            }
            guard access(folder, R_OK | W_OK | X_OK) == 0 else {
                return [.fault("this user cannot write to \(folder)", "chown it to the user of the server.")]
            }
            return [.good("they are in \(folder)")]
        }
        do {
            try await StoragePlace.files(files, data: serve.data, FileThreads()).prepare()
            return [.good("the bucket can be used")]
        } catch {
            return [
                .fault(
                    error, "Look at --files, at ROOST_S3_ACCESS_KEY_ID and the secret, and at the rights of the key.")
            ]
        }
    }

    /// Whether notifications can be sent.
    func push() async -> [Finding] {
        guard let file = serve.push else {
            return [.warning("there is no --push, so nobody is notified", "See docs/push.md.")]
        }
        do {
            let drivers = try await PushConfiguration(file: file).drivers(now: Clock.now)
            let names = drivers.byGateway.keys.map(\.rawValue).sorted()
            if names.isEmpty { return [.fault("\(file) names no service, so nobody is notified", "See docs/push.md.")] }
            return [
                .good(
                    "the keys can be read: \(names.joined(separator: ", ")). roost push test says what is sent to whom")
            ]
        } catch {
            return [.fault(error, "See docs/push.md.")]
        }
    }

    /// How old the newest backup may be, in ms: the one of last night, and a day when it could not be made.
    private static let patience: Int64 = 50 * 3_600_000

    /// Whether there is a backup from last night.
    func backups() async -> [Finding] {
        guard let place = serve.backups.backupTo else {
            return [.warning("the server makes no backups", "Name a place with --backup-to: see docs/backup.md.")]
        }
        do {
            try serve.backups.check(files: serve.files, data: serve.data)
            if !StoragePlace.isBucket(place), !FileManager.default.fileExists(atPath: place) {
                return [.fault("there is no folder \(place)", "Mount it, or make it for the user of the server.")]
            }
            let backups = try StoragePlace.backups(place, FileThreads())
            guard let name = try await backups.names().last else {
                return [.warning("there is no backup yet in \(place)", "The first start makes one.")]
            }
            let createdAt = try await backups.manifest(named: name).createdAt
            let hours = (Clock.now() - createdAt) / 3_600_000
            if hours < 0 {
                return [.fault("the newest backup in \(place) is of a later time than now", "Set the clock right.")]
            }
            guard Clock.now() - createdAt < Self.patience else {
                return [
                    .fault(
                        "the newest backup in \(place) is \(hours / 24) days old",
                        "Look for errors of backups in the log, or make one now: roost backup create.")
                ]
            }
            return [.good("the newest one in \(place) is \(hours) hours old")]
        } catch {
            return [.fault(error, "See docs/backup.md.")]
        }
    }
}
