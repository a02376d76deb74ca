import Foundation

/// What a backup consists of. All parts and files are named by the SHA-256 of their bytes, and backups share them.
package struct BackupManifest: Codable, Sendable {
    package struct Part: Hashable, Codable, Sendable {
        /// The SHA-256 in hexadecimal digits.
        package var hash: String
        package var bytes: Int64
        package var rows: Int
    }

    package struct Rows: Codable, Sendable {
        package var table: BackupTable
        package var parts: [Part]
    }

    /// The format of the manifest and of the parts.
    package static let format = 1

    package var format = Self.format
    /// The time at which it was begun, as in `2026-11-30T18-05-12Z-4f2a`; names the backup.
    package var name: String
    /// The same in ms since 1970.
    package var createdAt: Int64
    /// The version of roost that has made it.
    package var version: String
    /// The schema of the database.
    package var schema: Int
    package var epoch: String
    /// The number of its last commit in this epoch; 0 if they are not counted.
    package var commits: Int64
    /// The first epoch of the database: other states with the same one are earlier or later ones.
    package var origin: String
    package var tables: [Rows]
    /// The list of the files, as rows of `BackupTable.storedFiles`.
    package var files: Rows
    /// What was missing or damaged when it was made, a line each; at most 1,000.
    package var faults: [String]

    package var rowCount: Int { tables.flatMap(\.parts).reduce(0) { $0 + $1.rows } }
    package var fileCount: Int { files.parts.reduce(0) { $0 + $1.rows } }
    package var databaseBytes: Int64 { tables.flatMap(\.parts).reduce(0) { $0 + $1.bytes } }
    package var allParts: [Part] { tables.flatMap(\.parts) + files.parts }

    /// - Parameter random: tells backups of two machines apart.
    static func name(at time: Int64, random: UInt64) -> String {
        let digits = String(random % 0x10000, radix: 16)
        let date = Date(timeIntervalSince1970: Double(time / 1_000))
        return date.formatted(.iso8601).replacing(":", with: "-") + "-"
            + String(repeating: "0", count: 4 - digits.count) + digits
    }

    static let prefix = "manifest-"

    init(
        name: String, createdAt: Int64, version: String, schema: Int, epoch: String, commits: Int64, origin: String,
        tables: [Rows],
        files: Rows,
        faults: [String]
    ) {
        self.name = name
        self.createdAt = createdAt
        self.version = version
        self.schema = schema
        self.epoch = epoch
        self.commits = commits
        self.origin = origin
        self.tables = tables
        self.files = files
        self.faults = Array(faults.prefix(1_000))
    }

    /// Reads a manifest.
    /// - Throws: `BackupError` if it is none, or one of a newer version of roost.
    init(_ bytes: [UInt8], name: String) throws(BackupError) {
        struct Format: Decodable { var format: Int }
        let decoder = JSONDecoder()
        let data = Data(bytes)
        guard let format = try? decoder.decode(Format.self, from: data).format else {
            throw BackupError("The backup \(name) is damaged: its manifest is not understood.")
        }
        guard format == Self.format else {
            throw BackupError(
                "The backup \(name) was made by a newer version of roost (format \(format)). Use that version.")
        }
        guard let manifest = try? decoder.decode(Self.self, from: data), manifest.name == name, manifest.isPlausible
        else {
            throw BackupError("The backup \(name) is damaged: its manifest is not understood.")
        }
        self = manifest
    }

    /// Whether no number or name in it is one that a backup cannot have.
    private var isPlausible: Bool {
        let numbers: ClosedRange<Int64> = 0...(1 << 40)
        return allParts.count < 1 << 22
            && commits >= 0 && commits < 1 << 60
            && allParts.allSatisfy {
                BackupPlace.isHash($0.hash) && numbers.contains($0.bytes) && numbers.contains(Int64($0.rows))
            }
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(self))
    }
}

/// Why a backup cannot be made or used.
package struct BackupError: Error, Hashable, CustomStringConvertible {
    /// A sentence for the operator, and what to do.
    package let description: String

    package init(_ description: String) { self.description = description }
}
