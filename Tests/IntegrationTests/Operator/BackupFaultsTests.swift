import Crypto
import Foundation
import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Testing

/// Backups that are damaged, interrupted or in the wrong place, and restores that must not be.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(4))) final class BackupFaultsTests: BackupStage {
    @Test(.needsPostgres) func `a database that a server uses is not restored into`() async throws {
        let server = try await start("a")
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let options = ["--database", try Postgres.makeSchema()]
        let other = try await start("b", options)
        let refused = try await restore("c", options)
        #expect(refused.status == 1 && refused.errors.contains("stop it first"), "\(refused.errors)")
        try makeChannel(other)
        #expect(other.stop() == 0)
    }

    @Test func `a restore with files in a bucket is whole, and backups are refused where files are`()
        async throws
    {
        let objects = try await S3Server.start()
        let environment = ["ROOST_S3_ACCESS_KEY_ID": "test", "ROOST_S3_SECRET_ACCESS_KEY": "test-secret"]
        let server = try await start("a")
        try makeChannel(server)
        try Data("plan".utf8).write(to: URL(fileURLWithPath: path("plan.txt")))
        #expect(
            try await roost(
                ["send", "--as", "ann", "--channel", "club", "--file", path("plan.txt"), "hello"], server: server.url
            ).status == 0)
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        func withKeys(_ arguments: [String]) async throws -> Child.Result {
            try await Child.roost(arguments, environment: environment, in: folder).result()
        }
        let restored = try await withKeys(
            ["restore", "--from", place, "--data", path("a"), "--replace", "--files-in", objects.url])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(
            try await withKeys(["check", "--data", path("a"), "--files", "--files-in", objects.url]).status == 0)
        // Backups next to files would be deleted as files that nobody uses.
        for (place, files) in [
            (objects.url, objects.url), (path("a"), path("f")), (path("a/files/x"), path("f")),
            (path("f/x"), path("f")),
        ] {
            let refused = try await withKeys(
                ["backup", "create", "--data", path("a"), "--to", place, "--files-in", files])
            #expect(refused.status == 1 && refused.errors.contains("place of their own"), "\(refused.errors)")
        }
    }

    @Test func `a newest backup that is damaged does not keep one from older ones`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        let first = try await backUp("a")
        try send(1...3, to: server)
        let second = try await backUp("a")
        #expect(server.stop() == 0)
        let newest = try #require(try manifests().last)
        try Data("{".utf8).write(to: URL(fileURLWithPath: newest))
        let listed = try await roost(["backup", "list", "--from", place])
        #expect(listed.status == 1 && listed.output.count == 1, "\(listed.output)")
        #expect(listed.errors.contains(try #require(second["name"] as? String)), "\(listed.errors)")
        let restored = try await restore("b", ["--backup", try #require(first["name"] as? String)])
        #expect(restored.status == 0 && restored.errors.contains("cannot be used"), "\(restored.errors)")
    }

    @Test func `a part that has changed is stored again after a check deletes it`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...3, to: server)
        _ = try await backUp("a")
        let (log, part) = try part(of: "channel_log")
        var changed = try Data(contentsOf: part)
        changed[changed.count - 3] ^= 1
        try changed.write(to: part)
        _ = try await backUp("a")
        #expect(try await roost(["backup", "check", "--from", place]).status == 1)
        let checked = try await roost(["backup", "check", "--from", place, "--delete-damaged"])
        #expect(checked.status == 1 && checked.output.contains { $0.contains(log) })
        #expect(!FileManager.default.fileExists(atPath: part.path))
        _ = try await backUp("a")
        #expect(try await roost(["backup", "check", "--from", place]).status == 0)
        #expect(server.stop() == 0)
    }

    #if os(Linux)
        @Test(.enabled(if: FullDiskTests.isAllowed))
        func `a backup for which there is no room on the disk is none, and says so`() async throws {
            let server = try await start("a")
            try makeChannel(server)
            let big = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
            try big.write(to: URL(fileURLWithPath: path("big.bin")))
            let sent = try await roost(
                ["send", "--as", "ann", "--channel", "club", "--file", path("big.bin")], server: server.url)
            #expect(sent.status == 0, "\(sent.errors)")
            #expect(server.stop() == 0)
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let command = FullDiskTests.smallDisk(at: place, megabytes: 4)
            let create = [try ServerProcess.binary(), "backup", "create", "--data", path("a"), "--to", place, "--json"]
            let made = try await Child(
                Array(command.dropFirst()) + create, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
                binary: command[0]
            ).result()
            #expect(made.status == 1 && made.output.isEmpty, "\(made.output)")
            #expect(made.errors.contains("is nearly full: a backup leaves"), "\(made.errors)")
        }
    #endif

    @Test func `a file that has changed on the disk is replaced by that of the backup`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try Data("the plan".utf8).write(to: URL(fileURLWithPath: path("plan.txt")))
        let sent = try await roost(
            ["send", "--as", "ann", "--channel", "club", "--file", path("plan.txt")], server: server.url)
        #expect(sent.status == 0, "\(sent.errors)")
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let bytes = path("a/files/bytes")
        let name = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: bytes).first { $0.contains("/") })
        try Data("the plot".utf8).write(to: URL(fileURLWithPath: bytes + "/" + name))
        #expect(try await restore("a", ["--replace"]).status == 0)
        #expect(try String(contentsOfFile: bytes + "/" + name, encoding: .utf8) == "the plan")
    }

    @Test func `a damaged row is named and kept, and the restored server shows what the old one did`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...5, to: server)
        #expect(server.stop() == 0)
        let database = try SQLiteDatabase(directory: path("a"))
        let last = try database.write { connection in
            try connection.execute("UPDATE users SET name = CAST(X'FF41' AS TEXT) WHERE id = 'bob'")
            try connection.execute("UPDATE channel_log SET category = CAST(X'FF42' AS TEXT) WHERE seq = 3")
            let seq = try connection.rows("SELECT seq FROM channels WHERE id = 'club'") { try $0.int(0) }.first ?? 0
            try connection.execute("UPDATE channel_log SET frame = X'01020304' WHERE channel = 'club' AND seq = \(seq)")
            return seq
        }
        try database.close()
        let old = try await start("a")
        let shown = try texts(old)
        #expect(old.stop() == 0)
        let done = try await roost(["backup", "create", "--data", path("a"), "--to", place, "--keep", "1"])
        #expect(done.status == 1)
        #expect(done.output.contains { $0.contains("channel_log club 3: category") }, "\(done.output)")
        #expect(done.output.contains { $0.contains("channel_log club \(last): frame") }, "\(done.output)")
        #expect(done.output.contains { $0.contains("users bob: name") }, "\(done.output)")
        let listed = try await roost(["backup", "list", "--from", place])
        #expect(listed.output.first?.contains("3 damaged or missing") == true, "\(listed.output)")
        #expect(try await roost(["backup", "check", "--from", place]).status == 1)
        let restored = try await restore("b")
        #expect(restored.status == 0 && restored.output.contains { $0.contains("was made: 3") }, "\(restored.output)")
        let checked = try await roost(["check", "--data", path("b")])
        #expect(!checked.output.contains { $0.contains("missing") }, "\(checked.output)")
        let again = try await start("b")
        #expect(try texts(again) == shown)
        #expect(again.stop() == 0)
    }

    @Test(.needsPostgres) func `a database with the tables of something else is left alone`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let url = try Postgres.makeSchema()
        let database = try Postgres.open(url)
        try database.write { connection in
            try connection.execute("CREATE TABLE users (id BIGINT PRIMARY KEY)")
            try connection.execute("INSERT INTO users (id) VALUES (7)")
        }
        let refused = try await restore("b", ["--database", url])
        #expect(refused.status == 1 && refused.errors.contains("something else"), "\(refused.errors)")
        #expect(try database.write { try $0.rows("SELECT id FROM users") { try $0.int(0) } } == [7])
        try database.close()
    }

    @Test(arguments: [["roost.sqlite"], ["roost.sqlite", "roost.sqlite-wal"]])
    func `a restore that was killed while it replaced the database is taken back and repeated`(
        moved: [String]
    ) async throws {
        let server = try await start("a")
        try makeChannel(server)
        let before = try await backUp("a")
        let token = try await roost(["token", "--operator", "--user", "op", "--data", path("a")]).output.first
        try HTTPClient(server).perform(DeleteUser(userID: Cast.bob.userID), from: .token(try #require(token)))
        // What it has done is in the WAL alone.
        server.kill()
        let replacing = path("a/replacing")
        try FileManager.default.createDirectory(atPath: replacing, withIntermediateDirectories: false)
        for name in moved {
            try FileManager.default.moveItem(atPath: path("a/" + name), toPath: replacing + "/" + name)
        }
        let started = try await roost(["serve", "--dev", "--data", path("a"), "--port", "0"])
        #expect(started.status == 1 && started.errors.contains("roost restore again"), "\(started.errors)")
        let restored = try await restore("a", ["--backup", try #require(before["name"] as? String), "--replace"])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output.contains { $0.contains("deleted again: 1") }, "\(restored.output)")
        #expect(!FileManager.default.fileExists(atPath: replacing))
        #expect(try await start("a").stop() == 0)
    }

    @Test func `what an older database knows is not taken over`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        #expect(server.stop() == 0)
        try FileManager.default.copyItem(atPath: path("a"), toPath: path("older"))
        let older = try await start("older")
        let token = try await roost(["token", "--operator", "--user", "op", "--data", path("older")]).output.first
        try HTTPClient(older).perform(DeleteUser(userID: Cast.bob.userID), from: .token(try #require(token)))
        #expect(older.stop() == 0)
        let newer = try await start("a")
        try send(1...3, to: newer)
        _ = try await backUp("a")
        #expect(newer.stop() == 0)
        let restored = try await restore("older", ["--replace"])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(!restored.output.contains { $0.contains("deleted again") }, "\(restored.output)")
        let again = try await start("older")
        #expect(try HTTPClient(again).refusal(ListChannels(), from: bob) == nil)
        #expect(again.stop() == 0)
    }

    @Test func `a replaced database that cannot be read stops the restore, unless it is to be ignored`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...3, to: server)
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let database = try SQLiteDatabase(directory: path("a"))
        try database.write { try $0.execute("UPDATE schema_version SET version = 9999") }
        try database.close()
        let refused = try await restore("a", ["--replace"])
        #expect(refused.status == 1 && refused.errors.contains("--ignore-replaced"), "\(refused.errors)")
        #expect(try await restore("a", ["--replace", "--ignore-replaced"]).status == 0)
        let again = try await start("a")
        #expect(try texts(again) == ["1", "2", "3"])
        #expect(again.stop() == 0)
    }

    @Test func `a backup from before databases noted their first epoch is still of the same database`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        #expect(server.stop() == 0)
        let database = try SQLiteDatabase(directory: path("a"))
        try database.write { try $0.execute("DELETE FROM meta WHERE name = 'origin'") }
        try database.close()
        _ = try await backUp("a")
        #expect(try await restore("a", ["--replace"]).status == 0)
        #expect(try await start("a").stop() == 0)
        _ = try await backUp("a")
        let origins = try manifests().map { try manifest($0)["origin"] as? String }
        #expect(origins.count == 2 && origins[0] == origins[1])
    }

    @Test func `a backup whose manifest is damaged is deleted by name, and then old ones go again`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        _ = try await backUp("a")
        let name = try #require(try await backUp("a")["name"] as? String)
        try Data("{".utf8).write(to: URL(fileURLWithPath: try #require(try manifests().last)))
        let done = try await roost(["backup", "create", "--data", path("a"), "--to", place, "--keep", "2"])
        #expect(done.status == 1 && done.errors.contains("The backup was made"), "\(done.errors)")
        #expect(done.errors.contains("roost backup delete"), "\(done.errors)")
        #expect(try await roost(["backup", "delete", "--from", place, name]).output == ["deleted \(name)"])
        #expect(try await roost(["backup", "delete", "--from", place, name]).status == 1)
        #expect(try await roost(["backup", "prune", "--from", place, "--keep", "1"]).output.count == 1)
        #expect(server.stop() == 0)
    }

    @Test func `nothing is replaced unasked, or while a server runs, or by a backup that is not whole`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...10, to: server)
        _ = try await backUp("a")
        let running = try await restore("a", ["--replace"])
        #expect(running.status == 1 && running.errors.contains("Stop that server"), "\(running.errors)")
        #expect(server.stop() == 0)
        let unasked = try await restore("a")
        #expect(unasked.status == 1 && unasked.errors.contains("--replace"), "\(unasked.errors)")
        let unknown = try await restore("a", ["--replace", "--backup", "2020-01-01T00-00-00Z"])
        #expect(unknown.status == 1 && unknown.errors.contains("roost backup list"), "\(unknown.errors)")
        let empty = try await roost(["restore", "--from", path("nothing"), "--data", path("b")])
        #expect(empty.status == 1 && empty.errors.contains("no backup"), "\(empty.errors)")
        #expect(!FileManager.default.fileExists(atPath: path("nothing")))

        let (log, part) = try part(of: "channel_log")
        let whole = try Data(contentsOf: part)
        func expectDamage(_ fault: String) async throws {
            let checked = try await roost(["backup", "check", "--from", place])
            #expect(checked.status == 1 && checked.output.contains { $0.contains(log) }, "\(fault): \(checked.output)")
            let refused = try await restore("a", ["--replace"])
            #expect(refused.status == 1 && refused.errors.contains("another one"), "\(fault): \(refused.errors)")
        }
        var changed = whole
        changed[changed.count - 3] ^= 1
        try changed.write(to: part)
        try await expectDamage("changed")
        try whole.dropLast().write(to: part)
        try await expectDamage("cut")
        try FileManager.default.removeItem(at: part)
        try await expectDamage("missing")
        let unchanged = try await start("a")
        #expect(try texts(unchanged) == (1...10).map(String.init))
        #expect(unchanged.stop() == 0)
        // The next backup stores it again, so that this one is whole, too.
        _ = try await backUp("a")
        #expect(try await restore("a", ["--replace"]).status == 0)
        let again = try await start("a")
        #expect(try texts(again) == (1...10).map(String.init))
        #expect(again.stop() == 0)
    }

    @Test(arguments: [
        ("{}", "not understood"), ("not JSON", "not understood"), (#"{"format":2}"#, "newer version"),
        (#"{"format":1,"name":"2020-01-01T00-00-00Z"}"#, "not understood"),
    ])
    func `a manifest that cannot be read is named`(text: String, reason: String) async throws {
        let server = try await start("a")
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let file = try oldest()
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        for arguments in [
            ["backup", "list", "--from", place], ["backup", "check", "--from", place],
            ["backup", "prune", "--from", place, "--keep", "1"], ["restore", "--from", place, "--data", path("b")],
        ] {
            let refused = try await roost(arguments)
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(arguments): \(refused.errors)")
        }
    }

    @Test func `a backup of a newer schema is refused with what to use`() async throws {
        let server = try await start("a")
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let file = try oldest()
        var changed = try manifest(file)
        changed["schema"] = 9_999
        changed["version"] = "9.9.9"
        try JSONSerialization.data(withJSONObject: changed).write(to: URL(fileURLWithPath: file))
        let refused = try await restore("b")
        #expect(refused.status == 1 && refused.errors.contains("9.9.9"), "\(refused.errors)")
    }

    @Test(.needsPostgres)
    func `no server starts with a database whose restore has not ended, and the restore can be repeated`()
        async throws
    {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...10, to: server)
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let options = ["--database", try Postgres.makeSchema()]
        let part = try part(of: "user_log").file
        let whole = try Data(contentsOf: part)
        var changed = whole
        changed[changed.count - 1] ^= 1
        try changed.write(to: part)
        let refused = try await restore("b", options)
        #expect(refused.status == 1 && refused.errors.contains("has changed"), "\(refused.errors)")
        let started = try await roost(["serve", "--dev", "--data", path("b"), "--port", "0"] + options)
        #expect(started.status == 1 && started.errors.contains("roost restore"), "\(started.errors)")
        let saved = try await roost(["backup", "create", "--data", path("b"), "--to", path("c")] + options)
        #expect(saved.status == 1 && saved.errors.contains("has not ended"), "\(saved.errors)")
        try whole.write(to: part)
        #expect(try await restore("b", options).status == 0)
        // It has data now.
        let again = try await restore("b", options)
        #expect(again.status == 1 && again.errors.contains("has data"), "\(again.errors)")
        let restored = try await start("b", options)
        #expect(try texts(restored) == (1...10).map(String.init))
        #expect(restored.stop() == 0)
    }

    @Test func `a killed backup is none, and the next one is whole`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...50, to: server)
        for round in 1...5 {
            let child = try Child.roost(
                ["backup", "create", "--data", path("a"), "--to", place + "-\(round)"], in: folder)
            // From its first file on, until there are some.
            try await until {
                let folders = try? FileManager.default.contentsOfDirectory(atPath: place + "-\(round)/bytes")
                return (folders?.count ?? 0) >= round
            }
            child.signal(SIGKILL)
            _ = await child.result()
            _ = try await backUp("a", to: place + "-\(round)")
            let checked = try await roost(["backup", "check", "--from", place + "-\(round)"])
            #expect(checked.status == 0, "\(checked.output)")
            let left = try FileManager.default.contentsOfDirectory(atPath: place + "-\(round)")
            #expect(Set(left) == ["bytes", "format", "lock"])
        }
        #expect(server.stop() == 0)
    }

    @Test func `old backups are deleted with what only they have`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        for number in 1...4 {
            try send(number...number, to: server)
            _ = try await backUp("a")
        }
        let last = try #require(manifests().last)
        let deleted = try await roost(["backup", "prune", "--from", place, "--keep", "2"])
        #expect(deleted.output.count == 2)
        #expect(try await roost(["backup", "prune", "--from", place, "--keep", "2"]).output.isEmpty)
        _ = try await backUp("a", ["--keep", "1"])
        let kept = try manifests()
        #expect(kept.count == 1 && kept.first != last)
        let used = Set(try parts(try #require(kept.first)).values.joined())
        #expect(Set(try objects().map { ($0 as NSString).lastPathComponent }.filter { $0.count == 64 }) == used)
        #expect(try await roost(["backup", "check", "--from", place]).status == 0)
        #expect(server.stop() == 0)
    }

    @Test func `bytes that are missing are named, and the backup has everything else`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        for name in ["one", "two"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: path(name + ".txt")))
            let done = try await roost(
                ["send", "--as", "ann", "--channel", "club", "--file", path(name + ".txt")], server: server.url)
            #expect(done.status == 0, "\(done.errors)")
        }
        let bytes = path("a/files/bytes")
        let first = try #require(try FileManager.default.subpathsOfDirectory(atPath: bytes).last)
        try FileManager.default.removeItem(atPath: bytes + "/" + first)
        let done = try await roost(["backup", "create", "--data", path("a"), "--to", place])
        #expect(done.status == 1 && done.output.contains { $0.contains("missing") }, "\(done.output)")
        let checked = try await roost(["backup", "check", "--from", place])
        #expect(checked.status == 1 && checked.output.contains { $0.contains("when it was made") })
        #expect(try await roost(["backup", "list", "--from", place]).output.first?.contains("1 files") == true)
        #expect(server.stop() == 0)
    }

    @Test func `a backup cannot write outside of the place for files, and no number in it ends the process`()
        async throws
    {
        let server = try await start("a")
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let file = try oldest()
        // A list of files with a key that is a path.
        var list = Array("stored_files bytes_key,hash,size\n".utf8)
        for text in ["../../../escaped", String(repeating: "0", count: 64)] {
            list += [2, UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8)
        }
        list += [1, 0, 0, 0, 0, 0, 0, 0, 0]
        let hash = SHA256.hash(data: list).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let folder = place + "/bytes/" + hash.prefix(2)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(list).write(to: URL(fileURLWithPath: folder + "/" + hash))
        let whole = try manifest(file)
        func part(_ hash: String, _ bytes: Any, _ rows: Any) -> [String: Any] {
            ["hash": hash, "bytes": bytes, "rows": rows]
        }
        for part in [
            part(hash, list.count, 1), part("../../../../etc/passwd", 10, 1), part(hash, -1, 1),
            part(hash, Int64.max, 1), part(hash, list.count, Int64.max), part(hash, list.count, -1),
        ] {
            var changed = whole
            var files = try #require(changed["files"] as? [String: Any])
            files["parts"] = [part, part]
            changed["files"] = files
            try JSONSerialization.data(withJSONObject: changed).write(to: URL(fileURLWithPath: file))
            for arguments in [
                ["backup", "check", "--from", place], ["restore", "--from", place, "--data", path("b")],
                ["backup", "prune", "--from", place, "--keep", "1"],
            ] {
                let refused = try await roost(arguments)
                #expect(refused.status == 1 && refused.errors.contains("not understood"), "\(part): \(refused.errors)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path("escaped")))
    }

    @Test func `only one backup changes a place at a time, and only one restore a folder`() async throws {
        let server = try await start("a")
        _ = try await backUp("a")
        let lock = open(place + "/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        for arguments in [
            ["backup", "create", "--data", path("a"), "--to", place],
            ["backup", "prune", "--from", place, "--keep", "1"],
            ["backup", "delete", "--from", place, try #require(try manifest(oldest())["name"] as? String)],
        ] {
            let refused = try await roost(arguments)
            #expect(refused.status == 1 && refused.errors.contains("Another roost backup"), "\(refused.errors)")
        }
        close(lock)
        #expect(server.stop() == 0)
        try FileManager.default.createDirectory(atPath: path("b"), withIntermediateDirectories: true)
        let other = try DirectoryLock(directory: path("b"))
        let refused = try await restore("b")
        #expect(refused.status == 1 && refused.errors.contains("open in another process"), "\(refused.errors)")
        other.release()
        #expect(try await restore("b").status == 0)
    }

    @Test func `a backup of the future is not taken for the newest one`() async throws {
        let server = try await start("a")
        _ = try await backUp("a")
        let file = try oldest()
        var changed = try manifest(file)
        changed["name"] = "2099-01-01T00-00-00Z-0000"
        let later = (file as NSString).deletingLastPathComponent + "/manifest-2099-01-01T00-00-00Z-0000"
        try JSONSerialization.data(withJSONObject: changed).write(to: URL(fileURLWithPath: later))
        let refused = try await roost(["backup", "create", "--data", path("a"), "--to", place, "--keep", "1"])
        #expect(refused.status == 1 && refused.errors.contains("Set the clock right"), "\(refused.errors)")
        #expect(try manifests().count == 2)
        #expect(server.stop() == 0)
    }

    @Test func `a login that a browser kept and that has ended since does not come back`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        #expect(server.stop() == 0)
        func change(_ query: Query) throws {
            let database = try SQLiteDatabase(directory: path("a"))
            try database.write { try $0.execute(query) }
            try database.close()
        }
        for login in ["ended", "kept"] {
            try change(
                """
                INSERT INTO refresh_logins (user_id, token_id, is_operator, number, replaced_at, used_at, expires_at)
                VALUES ('ann', \(login), 0, 1, 0, 0, 9000000000000)
                """)
        }
        let before = try await backUp("a")
        let later = try await start("a")
        try send(1...1, to: later)
        #expect(later.stop() == 0)
        try change("DELETE FROM refresh_logins WHERE token_id = 'ended'")
        let restored = try await restore("a", ["--backup", try #require(before["name"] as? String), "--replace"])
        #expect(restored.status == 0, "\(restored.errors)")
        let database = try SQLiteDatabase(directory: path("a"))
        let left = try database.write { try $0.rows("SELECT token_id FROM refresh_logins") { try $0.text(0) } }
        #expect(left == ["kept"])
        try database.close()
    }
}
