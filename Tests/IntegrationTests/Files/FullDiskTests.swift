#if os(Linux)
    import Foundation
    import RoostClient
    import RoostTesting
    import RoostWire
    import Testing

    /// A server whose storage is a real file system that is too small.
    @Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct FullDiskTests {
        /// Runs a program with a small file system of its own, which ends with it.
        static func smallDisk(at path: String, megabytes: Int = 12, inodes: Int = 1_000) -> [String] {
            let options = "size=\(megabytes)m,nr_inodes=\(inodes),mode=0700"
            return [
                "/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c",
                "mount -t tmpfs -o \(options) none \"$0\" && exec \"$@\"", path,
            ]
        }

        /// Whether this machine allows it; some containers do not.
        static let isAllowed: Bool = {
            let path = FileManager.default.temporaryDirectory.path
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = smallDisk(at: path) + ["true"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        @Test(.enabled(if: isAllowed))
        func `a full disk refuses uploads with a typed error, messages go on, and room that is made is used at once`()
            async throws
        {
            let folder = try TemporaryFolder()
            let files = folder.path + "/data/files"
            try FileManager.default.createDirectory(
                atPath: files, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let server = try await ServerProcess.start(data: folder.path + "/data", under: Self.smallDisk(at: files))
            let http = HTTPClient(server)
            let (ann, bob) = (HTTPClient.Caller.guest(Cast.ann), HTTPClient.Caller.guest(Cast.bob))
            // The first command makes a user known.
            _ = try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)
            _ = try http.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]), from: ann)

            func send(_ bytes: ArraySlice<UInt8>, at offset: Int, to upload: FileUpload) throws -> HTTPClient.Answer {
                let headers = ["Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream"]
                return try HTTPClient(server).exchange(
                    "PATCH", upload.path, Array(bytes), ann.headers.merging(headers) { $1 })
            }
            func offset(of upload: FileUpload) throws -> Int {
                let answer = try http.exchange("HEAD", upload.path, [], ann.headers)
                return try #require(answer.headers["upload-offset"].flatMap { Int($0) })
            }
            func announced(_ bytes: [UInt8]) throws -> FileUpload {
                try http.perform(CreateFile(name: "a.bin", size: Int64(bytes.count)), from: ann)
            }

            let bytes = [UInt8](repeating: 7, count: 5_000_000) + [UInt8](repeating: 8, count: 5_000_001)
            let first = try announced(Array(bytes.prefix(5_000_000)))
            #expect(try send(bytes.prefix(5_000_000), at: 0, to: first).status == 204)
            let second = try announced(bytes)
            let refused = try send(bytes[...], at: 0, to: second)
            #expect(refused.error?.entry == .storageFull && refused.error?.retryable == true)
            #expect(refused.status == 503 && refused.error?.retryAfterMs != nil)
            // What has arrived is kept, and everything else works.
            let kept = try offset(of: second)
            #expect(kept > 0 && kept < bytes.count)
            #expect(try http.perform(SendMessage(channel: Cast.annAndBob, text: "still here"), from: ann).seq != nil)
            #expect(try http.perform(GetFiles(fileIDs: [first.fileID]), from: ann).files.count == 1)
            let again = try send(bytes[kept...], at: kept, to: second)
            #expect(again.error?.entry == .storageFull)
            // Room is made, and the same upload continues where it was, without a restart.
            try http.perform(DeleteFile(fileID: first.fileID), from: ann)
            try await until {
                let from = try offset(of: second)
                return try send(bytes[from...], at: from, to: second).status == 204
            }
            let link = try #require(try http.perform(GetFiles(fileIDs: [second.fileID]), from: ann).files.first?.link)
            #expect(try http.exchange("GET", link, [], [:]).bytes == bytes)
        }

        @Test(.enabled(if: isAllowed))
        func `uploads that fill the disk leave room for messages, logins and deletions`() async throws {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let server = try await ServerProcess.start(
                data: data, arguments: ["--disk-reserve", "12000000", "--limit", "sendsPerSecond=0"],
                under: Self.smallDisk(at: data, megabytes: 36))
            let http = HTTPClient(server)
            let (ann, bob) = (HTTPClient.Caller.guest(Cast.ann), HTTPClient.Caller.guest(Cast.bob))
            try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)

            // One user uploads until nothing is taken any more.
            let bytes = [UInt8](repeating: 7, count: 2_000_000)
            func upload() throws -> (FileID, HTTPClient.Answer) {
                let upload = try http.perform(CreateFile(name: "a.bin", size: Int64(bytes.count)), from: ann)
                let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
                // A request that is refused early may end its connection.
                let answer = try HTTPClient(server).exchange(
                    "PATCH", upload.path, bytes, ann.headers.merging(headers) { $1 })
                return (upload.fileID, answer)
            }
            var files: [FileID] = []
            while true {
                let (file, answer) = try upload()
                files.append(file)
                if answer.status == 204 { continue }
                #expect(answer.status == 503 && answer.error?.entry == .storageFull)
                break
            }
            #expect(files.count > 2)

            // Everybody else goes on, and so does that user.
            let long = String(repeating: "a", count: 3_000)
            for _ in 0..<100 { try http.perform(SendMessage(channel: Cast.club, text: long), from: bob) }
            let cat = try RecordingClient(
                server.url, .guest(Cast.cid.userID, name: "Cid"), device: "new", positions: nil)
            try await cat.connect()
            #expect(try http.exchange("GET", "/readyz", [], [:]).status == 200)
            #expect(try upload().1.status == 503)
            for file in files { try http.perform(DeleteFile(fileID: file), from: ann) }
            try await until {
                let (file, answer) = try upload()
                if answer.status != 204 { try http.perform(DeleteFile(fileID: file), from: ann) }
                return answer.status == 204
            }
        }

        @Test(.enabled(if: isAllowed))
        func `on a disk with room but without free inodes only uploads are refused, until there are some again`()
            async throws
        {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let server = try await ServerProcess.start(
                data: data, under: Self.smallDisk(at: data, megabytes: 60, inodes: 100))
            let http = HTTPClient(server)
            let (ann, bob) = (HTTPClient.Caller.guest(Cast.ann), HTTPClient.Caller.guest(Cast.bob))
            try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)
            try http.perform(SetAllReadMarks(), from: ann)
            // The file system of the server is not that of the test.
            let fillers = "/proc/\(server.pid)/root\(data)/fillers"
            try FileManager.default.createDirectory(atPath: fillers, withIntermediateDirectories: false)
            var count = 0
            while true {
                let file = open("\(fillers)/\(count)", O_WRONLY | O_CREAT, 0o600)
                guard file >= 0 else { break }
                close(file)
                count += 1
            }
            #expect(errno == ENOSPC && count > 0)

            func upload() throws -> (FileID, HTTPClient.Answer) {
                let upload = try http.perform(CreateFile(name: "a.bin", size: 1_000), from: ann)
                let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
                let bytes = [UInt8](repeating: 7, count: 1_000)
                // A request that is refused early may end its connection.
                let answer = try HTTPClient(server).exchange(
                    "PATCH", upload.path, bytes, ann.headers.merging(headers) { $1 })
                return (upload.fileID, answer)
            }
            let refused = try upload().1
            #expect(refused.status == 503 && refused.error?.entry == .storageFull)
            #expect(refused.error?.retryAfterMs != nil)
            // More than the WAL takes before it is copied to the database.
            let long = String(repeating: "a", count: 3_000)
            for _ in 0..<700 { try http.perform(SendMessage(channel: Cast.club, text: long), from: bob) }
            let laptop = try RecordingClient(
                server.url, .guest(Cast.bob.userID, name: Cast.bob.name), device: "laptop", positions: nil)
            try await laptop.connect()
            #expect(try await laptop.client.perform(ListChannels()).channels.map(\.count) == [700])
            #expect(try http.exchange("GET", "/readyz", [], [:]).status == 200)

            for number in 0..<count { #expect(unlink("\(fillers)/\(number)") == 0) }
            let (file, answer) = try upload()
            #expect(answer.status == 204)
            #expect(try http.perform(GetFiles(fileIDs: [file]), from: ann).files.count == 1)
        }

        @Test(.enabled(if: isAllowed))
        func `while the disk is full the server says that it is not ready and why, and with room it is ready at once`()
            async throws
        {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let server = try await ServerProcess.start(data: data, under: Self.smallDisk(at: data))
            let http = HTTPClient(server)
            let ann = HTTPClient.Caller.guest(Cast.ann)
            struct Readiness: Decodable {
                var ready: Bool
                var reason: String?
            }
            func readiness() throws -> (status: Int, body: Readiness) {
                let answer = try http.exchange("GET", "/readyz", [], [:])
                return (answer.status, try answer.decode(Readiness.self))
            }
            let token = try await Child.roost(
                ["token", "--data", "/proc/\(server.pid)/root\(data)", "--user", "bob", "--name", "Bob"], in: folder
            ).result().output.first
            let text = try #require(token)
            func bob(_ device: String) throws -> RecordingClient {
                try RecordingClient(server.url, .token { text }, device: device, positions: nil)
            }
            let first = try bob("phone")
            try await first.connect()
            await first.client.disconnect()
            try http.perform(
                CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(Cast.bob.userID)]), from: ann)
            #expect(try readiness().status == 200)
            // The file system of the server is not that of the test.
            let filler = "/proc/\(server.pid)/root\(data)/filler"
            let file = open(filler, O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            for size in [65_536, 4_096, 1] {
                let bytes = [UInt8](repeating: 1, count: size)
                while write(file, bytes, size) > 0 {}
            }
            close(file)
            let long = String(repeating: "a", count: 3_000)
            try await until {
                try http.refusal(SendMessage(channel: Cast.club, text: long), from: ann)?.code
                    == ErrorCode.storageFull.code
            }
            let full = try readiness()
            #expect(full.status == 503 && !full.body.ready && full.body.reason?.contains("full") == true)
            // Whoever is known still logs in, on a device of which nothing is stored, and reads.
            let second = try bob("laptop")
            try await second.connect()
            #expect(try await second.client.perform(ListChannels()).channels.map(\.channel) == [Cast.club])
            let stranger = try #require(UserID(rawValue: "stranger"))
            let refused = try http.refusal(SetAllReadMarks(), from: .guest(User(userID: stranger, name: "Stranger")))
            #expect(refused?.entry == .storageFull)
            // A trial does not help as long as there is no room.
            try await until {
                try http.refusal(SendMessage(channel: Cast.club, text: long), from: ann) != nil
                    && readiness().status == 503
            }
            #expect(unlink(filler) == 0)
            try await until { try readiness().status == 200 }
            #expect(try readiness().body.reason == nil)
            try http.perform(SendMessage(channel: Cast.club, text: long), from: ann)
        }

        /// A small file system that stays while servers on it are killed and started.
        private final class KeptDisk {
            private let holder = Process()
            private let data: String

            init(at data: String, megabytes: Int) async throws {
                self.data = data
                let command = FullDiskTests.smallDisk(at: data, megabytes: megabytes)
                holder.executableURL = URL(fileURLWithPath: command[0])
                holder.arguments = Array(command.dropFirst()) + ["/bin/sh", "-c", "echo mounted; exec sleep 600"]
                let output = Pipe()
                holder.standardOutput = output
                try holder.run()
                #expect(await LineReader(output.fileHandleForReading).next() == "mounted")
            }

            deinit { holder.terminate() }

            /// A command that runs another one where the file system is.
            var wrapper: [String] {
                let target = "\(holder.processIdentifier)"
                return ["/usr/bin/nsenter", "--preserve-credentials", "--user", "--mount", "--target", target]
            }

            /// Takes what is free, as another program would.
            func fill() {
                let file = open(
                    "/proc/\(holder.processIdentifier)/root\(data)/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
                for size in [65_536, 4_096, 1] {
                    let bytes = [UInt8](repeating: 1, count: size)
                    while write(file, bytes, size) > 0 {}
                }
                close(file)
            }
        }

        @Test(.enabled(if: isAllowed))
        func
            `without a free byte files and messages can be deleted, also after a kill, and sends wait until there is room`()
            async throws
        {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let disk = try await KeptDisk(at: data, megabytes: 60)
            var server = try await ServerProcess.start(data: data, under: disk.wrapper)
            let (ann, bob) = (HTTPClient.Caller.guest(Cast.ann), HTTPClient.Caller.guest(Cast.bob))
            try HTTPClient(server).perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)
            let long = String(repeating: "a", count: 3_000)
            let message = try #require(
                try HTTPClient(server).perform(SendMessage(channel: Cast.club, text: long), from: bob).messageID)
            let bytes = [UInt8](repeating: 7, count: 5_000_000)
            var files: [FileID] = []
            for number in 0..<4 {
                let upload = try HTTPClient(server).perform(CreateFile(name: "a.bin", size: 5_000_000), from: ann)
                let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
                // Not the same bytes twice, as those are stored once.
                let answer = try HTTPClient(server).exchange(
                    "PATCH", upload.path, [UInt8(number)] + bytes.dropFirst(), ann.headers.merging(headers) { $1 })
                #expect(answer.status == 204)
                files.append(upload.fileID)
            }
            func send() throws -> WireError? {
                try HTTPClient(server).refusal(SendMessage(channel: Cast.club, text: long), from: bob)
            }
            func delete(_ file: FileID) throws -> Int {
                try HTTPClient(server).exchange("DELETE", "/v1/files/\(file.rawValue)", [], ann.headers).status
            }
            disk.fill()
            try await until { try send()?.entry == .storageFull }
            disk.fill()
            // Nothing that grows uses the room which is kept for deletions.
            for _ in 0..<20 { #expect(try send()?.entry == .storageFull) }
            try HTTPClient(server).perform(DeleteMessages([message], in: Cast.club), from: bob)
            for file in files[..<2] { #expect(try delete(file) == 204) }
            // Their bytes are deleted a moment later.
            try await until { try send() == nil }
            disk.fill()
            server.kill()
            server = try await ServerProcess.start(data: data, under: disk.wrapper)
            disk.fill()
            try await until { try send()?.entry == .storageFull }
            for file in files[2...] { #expect(try delete(file) == 204) }
            try await until { try send() == nil }
            #expect(server.stop() == 0)
        }
    }
#endif
