import Foundation
import RoostCore
import RoostSQLite
import RoostTesting
import Testing

/// The files of a data folder: who may read them, and which process may have them open.
@Suite struct SQLiteFilesTests {
    private static let names = ["roost.sqlite", "roost.sqlite-wal", "roost.sqlite-shm", "lock"]

    /// The permissions of a file in the folder.
    private func mode(of name: String, in folder: TemporaryFolder) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private func setMode(_ mode: Int, of name: String, in folder: TemporaryFolder) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
    }

    @Test func `in a folder that others may enter only the owner reads the database`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let database = try SQLiteDatabase(directory: folder.path)
        try database.write { try $0.execute("CREATE TABLE t (id INTEGER)") }
        for name in Self.names { #expect(try mode(of: name, in: folder) == 0o600, "\(name)") }
        try database.close()
    }

    @Test func `files that an earlier run left open to others are closed to them`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteDatabase(directory: folder.path)
        try first.write { try $0.execute("CREATE TABLE t (id INTEGER)") }
        // A copy of the files of a killed server, with its WAL and open permissions.
        let copy = try TemporaryFolder()
        for name in Self.names {
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
            try setMode(0o644, of: name, in: copy)
        }
        try first.close()
        let second = try SQLiteDatabase(directory: copy.path)
        for name in Self.names { #expect(try mode(of: name, in: copy) == 0o600, "\(name)") }
        try second.write { try $0.execute("INSERT INTO t VALUES (1)") }
        try second.close()
    }

    @Test func `if the lock file is deleted, still no second process can open the folder`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteDatabase(directory: folder.path)
        try FileManager.default.removeItem(atPath: folder.path + "/lock")
        let failure = #expect(throws: DatabaseFailure.self) { try SQLiteDatabase(directory: folder.path) }
        #expect(failure?.kind == .openElsewhere)
        try first.close()
        try SQLiteDatabase(directory: folder.path).close()
    }

    @Test func `a folder whose database cannot be opened does not stay locked`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/roost.sqlite"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for _ in 0..<2 {
            let failure = #expect(throws: DatabaseFailure.self) { try SQLiteDatabase(directory: folder.path) }
            #expect(failure?.kind == .unavailable)
        }
        try FileManager.default.removeItem(atPath: path)
        try SQLiteDatabase(directory: folder.path).close()
    }
}
