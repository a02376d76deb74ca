/// A step from one schema of the database to the next one.
///
/// Servers of the schema before it may be running, so a step either adds something that they need not know, or takes away what
/// they do not use; docs/adding-a-feature.md has how a change is split in two.
package enum Migration: Sendable {
    /// Changes rows, some at a time. It reads and writes no content, which may be encrypted.
    /// - Parameters:
    ///   - connection: in a transaction, which should take some milliseconds.
    ///   - position: what the turn before has returned; empty for the first one.
    /// - Returns: where the next turn goes on; nil if all is done.
    package typealias Turn = @Sendable (_ connection: any SQLConnection, _ position: String) throws -> String?

    /// Adds tables, columns with a default, and few rows: versions of older schemas still work with the database.
    case additive([Query])
    /// Takes away or changes something that versions from schema `oldest` on do not use. All turns of earlier steps are done before.
    case contracting([Query], oldest: Int)
    /// Adds an index to a table that may be large, such as `on: "files (spool)"`; others go on writing if the engine allows it.
    case index(String, on: String)
    /// Changes rows in turns, after the start and between other work. Until it ends, the server has to work with both. What an
    /// older version writes after the last turn is not changed: a contracting step before it shuts such versions out.
    case rows(Turn)

    /// What changes the schema.
    var statements: [Query] {
        switch self {
        case .additive(let statements), .contracting(let statements, _): statements
        case .index(let name, let columns):
            [Query(stringLiteral: "CREATE INDEX IF NOT EXISTS \(name) ON \(columns)")]
        case .rows: []
        }
    }

    /// The oldest schema whose versions work with the changed database; nil if they all do that could before.
    var oldest: Int? { if case .contracting(_, let oldest) = self { oldest } else { nil } }

    /// What `meta` calls the position of turns.
    static func positionName(_ schema: Int) -> String { "migration:\(schema)" }
}

/// The two numbers that say which versions can work with a database.
package struct SchemaNumbers: Hashable, Sendable {
    /// The number of migrations that the database has had.
    package var schema: Int
    /// The oldest schema whose versions can work with it.
    package var oldest: Int

    package init(schema: Int, oldest: Int) {
        self.schema = schema
        self.oldest = oldest
    }

    /// Checks that a version can work with the database.
    /// - Parameter known: the schema of the version.
    /// - Throws: `DatabaseFailure` `.newerVersion`.
    func check(_ known: Int) throws {
        guard schema > known, oldest > known else { return }
        throw DatabaseFailure(
            .newerVersion,
            """
            The database was changed by a newer version of roost: it has the schema \(schema), which needs a version that supports \
            at least the schema \(oldest), and this one supports \(known). Start the newer version again (roost --version says \
            the schema of a version), or restore a backup that was made before the upgrade.
            """)
    }
}
