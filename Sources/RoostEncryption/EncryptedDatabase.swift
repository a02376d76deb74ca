package import RoostCore

/// A database that encrypts content before another one stores it.
package final class EncryptedDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    private let cipher: ContentCipher
    package var isShared: Bool { inner.isShared }
    package let encryptsContent = true

    init(_ inner: any SQLDatabase, _ cipher: ContentCipher) {
        self.inner = inner
        self.cipher = cipher
    }

    package func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try inner.write { try body(EncryptedConnection(inner: $0, cipher: cipher)) }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        inner.read({ [cipher] in try body(EncryptedConnection(inner: $0, cipher: cipher)) }, then: then)
    }

    package func removeTraces() throws { try inner.removeTraces() }
    package func isShortOfRoom() -> Bool { inner.isShortOfRoom() }
    package func giveUpRoom() -> Bool { inner.giveUpRoom() }

    package func close() throws { try inner.close() }
}

private struct EncryptedConnection: SQLConnection {
    let inner: any SQLConnection
    let cipher: ContentCipher

    func execute(_ query: Query) throws { try inner.execute(sealed(query)) }

    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        try inner.rows(sealed(query)) { try read(EncryptedRow(inner: $0, cipher: cipher)) }
    }

    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws { try inner.write(rows.map(sealed), upsert) }

    private func sealed(_ query: Query) throws -> Query {
        try query.mapValues { value in
            guard case .content(let content) = value else { return value }
            return .blob(try cipher.seal(content))
        }
    }

    private func sealed(_ row: [SQLValue]) throws -> [SQLValue] {
        var row = row
        for (index, value) in row.enumerated() {
            guard case .content(let content) = value else { continue }
            row[index] = .blob(try cipher.seal(content))
        }
        return row
    }
}

private struct EncryptedRow: SQLRow {
    let inner: any SQLRow
    let cipher: ContentCipher

    func int(_ column: Int) throws -> Int64 { try inner.int(column) }
    func text(_ column: Int) throws -> String { try inner.text(column) }
    func blob(_ column: Int) throws -> [UInt8] { try inner.blob(column) }
    func content(_ column: Int) throws -> [UInt8] {
        try StoredContent.opened(cipher.open(inner.blob(column)))
    }
    func isNull(_ column: Int) -> Bool { inner.isNull(column) }
}
