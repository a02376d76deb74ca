package import Foundation
package import RoostCore

/// What a released version has stored, from `Tests/Fixtures/schema`; `dev/schema-fixture` writes it.
package struct SchemaFixture: Decodable, Sendable, CustomStringConvertible {
    package let version: String
    package let schema: Int
    /// The file `secret` of the server.
    package let secret: String
    private let sqlite: [String]
    private let postgres: [String]
    private let tables: [String: Table]

    private struct Table: Decodable {
        var columns: [String]
        var rows: [[Value]]
    }

    private enum Value: Decodable {
        case null
        case int(Int64)
        case text(String)
        case blob([UInt8])

        private enum CodingKeys: CodingKey { case blob }

        init(from decoder: any Decoder) throws {
            if let keyed = try? decoder.container(keyedBy: CodingKeys.self) {
                let digits = try keyed.decode(String.self, forKey: .blob)
                self = .blob(
                    stride(from: 0, to: digits.count, by: 2).compactMap { offset in
                        let start = digits.index(digits.startIndex, offsetBy: offset)
                        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
                    })
                return
            }
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let number = try? single.decode(Int64.self) {
                self = .int(number)
            } else {
                self = .text(try single.decode(String.self))
            }
        }

        var stored: SQLValue {
            switch self {
            case .null: .null
            case .int(let number): .int(number)
            case .text(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
        }
    }

    /// The folder of the fixtures.
    private static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tests/Fixtures/schema", directoryHint: .isDirectory)

    /// The files of all releases, the oldest first.
    package static var files: [URL] {
        get throws {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "json" }
                .sorted { $0.path.compare($1.path, options: .numeric) == .orderedAscending }
        }
    }

    /// The fixtures of all releases, the oldest first.
    package static var all: [SchemaFixture] {
        get throws { try files.map { try JSONDecoder().decode(SchemaFixture.self, from: Data(contentsOf: $0)) } }
    }

    package var description: String { "\(version), schema \(schema)" }

    /// Makes the tables of the release in an empty database, with their rows.
    package func load(into database: any SQLDatabase) throws {
        try database.write { connection in
            for statement in database.isShared ? postgres : sqlite {
                try connection.execute(Query(stringLiteral: statement))
            }
        }
        try database.write { connection in
            for (name, table) in tables {
                try connection.write(table.rows.map { $0.map(\.stored) }, Upsert(name, table.columns))
            }
        }
    }
}
