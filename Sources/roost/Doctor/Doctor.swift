import Foundation
import RoostBackup
import RoostCore
import RoostFiles
import RoostPush
import RoostServer

/// What a check has found.
struct Finding: Encodable, Equatable {
    enum Level: String, Encodable {
        case good, warning, fault
        /// It was not looked at, because the installation does not have it, or another check has found why it cannot be.
        case skipped
    }

    var check = ""
    var level: Level
    var text: String
    /// What to do, for a fault or a warning.
    var advice: String?

    static func good(_ text: String) -> Finding { Finding(level: .good, text: text) }
    static func skipped(_ text: String) -> Finding { Finding(level: .skipped, text: text) }

    static func warning(_ text: String, _ advice: String) -> Finding {
        Finding(level: .warning, text: text, advice: advice)
    }

    static func fault(_ text: String, _ advice: String) -> Finding {
        Finding(level: .fault, text: text, advice: advice)
    }

    /// What an error says, which for errors of Roost includes what to do.
    static func fault(_ error: any Error, _ advice: String = "See docs/operations.md.") -> Finding {
        switch error {
        case let error as DatabaseFailure: fault(error.description, advice)
        case let error as FileStoreError: fault(error.description, advice)
        case let error as SecretError: fault(error.description, advice)
        case let error as BackupError: fault(error.description, advice)
        case let error as PushConfigurationError: fault(error.description, advice)
        default: fault("\(error)", advice)
        }
    }
}

/// The checks of an installation.
///
/// Each looks at one thing, changes nothing, and takes seconds at most.
struct Doctor {
    let serve: ServeCommand
    let settings: ServeSettings

    struct Check {
        /// One word for `--skip`.
        var name: String
        var look: (Doctor) async -> [Finding]
    }

    /// All checks, in their order.
    static var checks: [Check] {
        [
            Check(name: "settings") { $0.settingsFile() }, Check(name: "mode") { $0.mode() },
            Check(name: "data") { $0.dataFolder() }, Check(name: "secret") { $0.secrets() },
            Check(name: "disk-space") { $0.diskSpace() }, Check(name: "disk-speed") { $0.diskSpeed() },
            Check(name: "descriptors") { $0.descriptors() }, Check(name: "memory") { $0.memory() },
            Check(name: "clock") { $0.clock() }, Check(name: "programs") { $0.programs() },
            Check(name: "database") { await $0.database() }, Check(name: "servers") { await $0.servers() },
            Check(name: "bus") { await $0.bus() }, Check(name: "files") { await $0.files() },
            Check(name: "push") { await $0.push() }, Check(name: "backups") { await $0.backups() },
            Check(name: "certificate") { $0.certificate() }, Check(name: "port") { await $0.port() },
            Check(name: "address") { await $0.addresses() },
        ]
    }

    static let nameWidth = 13

    /// The URL of PostgreSQL; nil if the database is in the data folder.
    var databaseURL: String? { (try? DatabaseURL.given(serve.database)) ?? nil }

    static func bytes(_ count: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var (value, unit) = (Double(count), 0)
        while value >= 1_024, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
        return unit == 0 ? "\(count) bytes" : String(format: "%.1f %@", value, units[unit])
    }
}
