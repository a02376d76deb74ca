#if os(Linux)
    import Foundation
    import RoostTesting
    import RoostWire
    import Testing

    /// The store of a client on a disk that is full or fails, in a process of its own.
    @Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct DeviceDiskTests {
        enum Fault: String, CaseIterable { case full, failing }

        /// A disk for the profile of `roost chat`, with a fault that can be switched on and off.
        ///
        /// A full disk is a small file system with a file that fills it. A failing one cannot write beyond the first
        /// 4,096 bytes of a file, which for SQLite is an I/O error.
        private final class DeviceDisk {
            private let fault: Fault
            private let folder = try? TemporaryFolder()
            private let holder: Child?
            private let profile: String
            private var broken = false
            private var chats: [Child] = []

            init(_ fault: Fault) async throws {
                self.fault = fault
                profile = try #require(folder).path + "/profile"
                try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
                guard fault == .full else {
                    holder = nil
                    return
                }
                let holder = try Child(
                    [
                        "--map-root-user", "--mount", "/bin/sh", "-c",
                        "mount -t tmpfs -o size=12m,mode=0700 none \"$0\" && echo mounted && exec sleep 600", profile,
                    ], environment: ["PATH": "/usr/bin:/bin"], binary: "/usr/bin/unshare")
                try #require(await holder.line() == "mounted")
                self.holder = holder
            }

            func chat(_ words: String..., server: String) throws -> Child {
                let words = ["chat", "--lines", "--profile", profile, "--server", server] + words
                let environment = ["HOME": profile, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
                let chat: Child
                if let holder {
                    chat = try Child(
                        ["--target", "\(holder.pid)", "--user", "--preserve-credentials", "--mount"]
                            + [try ServerProcess.binary()] + words, environment: environment,
                        binary: "/usr/bin/nsenter")
                } else {
                    // Without the signal that would end it, the process gets an error.
                    let limit = broken ? "ulimit -S -f 8; " : ""
                    chat = try Child(
                        ["-c", "trap '' XFSZ; \(limit)exec \"$0\" \"$@\"", try ServerProcess.binary()] + words,
                        environment: environment, binary: "/bin/bash")
                }
                chats.append(chat)
                return chat
            }

            func fail() throws {
                broken = true
                guard let holder else { return try setLimit("4096:") }
                let file = open("/proc/\(holder.pid)/root\(profile)/filler", O_WRONLY | O_CREAT, 0o600)
                try #require(file >= 0)
                defer { close(file) }
                for size in [65_536, 4_096, 1] {
                    let bytes = [UInt8](repeating: 1, count: size)
                    while write(file, bytes, size) > 0 {}
                }
            }

            func heal() throws {
                broken = false
                guard let holder else { return try setLimit("unlimited:") }
                #expect(unlink("/proc/\(holder.pid)/root\(profile)/filler") == 0)
            }

            private func setLimit(_ limit: String) throws {
                guard let chat = chats.last, kill(chat.pid, 0) == 0 else { return }
                let process = try Process.run(
                    URL(fileURLWithPath: "/usr/bin/prlimit"),
                    arguments: ["--pid", "\(chat.pid)", "--fsize=\(limit)"])
                process.waitUntilExit()
                try #require(process.terminationStatus == 0)
            }
        }

        /// Reads lines until one fits, and returns all of them.
        private func lines(_ chat: Child, until fits: (String) -> Bool) async throws -> [String] {
            var lines: [String] = []
            while let line = await chat.line() {
                lines.append(line)
                if fits(line) { return lines }
            }
            throw ExpectationFailure(description: "the chat ended: \(lines)")
        }

        @Test(arguments: Fault.allCases.filter { $0 != .full || FullDiskTests.isAllowed })
        func `a device whose disk is full or fails says so, and shows and sends everything once when it works again`(
            fault: Fault
        ) async throws {
            let server = try await ServerHarness(isFile: true, limits: ["sendsPerSecond": 0])
            let http = HTTPClient(server.server)
            let (ann, bob) = (HTTPClient.Caller.guest(Cast.ann), HTTPClient.Caller.guest(Cast.bob))
            try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: bob)
            try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
            var count = 0
            func send(_ messages: Int) throws {
                for _ in 0..<messages {
                    count += 1
                    let text = "message \(count) " + String(repeating: "x", count: 3_000)
                    try http.perform(SendMessage(channel: Cast.annAndBob, text: text), from: ann)
                }
            }
            func numbers(_ lines: [String]) -> [Int] {
                lines.compactMap { line in
                    line.firstRange(of: "message ").map { line[$0.upperBound...].prefix { $0.isNumber } }
                        .flatMap { Int($0) }
                }
            }
            let disk = try await DeviceDisk(fault)
            let chat = try disk.chat("--as", "bob", "--to", "ann", server: server.url)
            _ = try await lines(chat) { $0.hasPrefix("──") }
            try send(3)
            var shown = try await lines(chat) { $0.contains("message 3 ") }

            try disk.fail()
            try send(40)
            let reason = "The local store cannot be written. Is the disk full?"
            shown += try await lines(chat) { $0.contains(reason) }
            // What cannot be stored cannot be promised: the writer is told.
            try chat.write("mine\n")
            shown += try await lines(chat) { $0.hasPrefix("!! not sent: mine") }
            #expect(shown.last == "!! not sent: mine (\(reason))")
            try disk.heal()
            shown += try await lines(chat) { $0.contains("message 43 ") }
            #expect(numbers(shown) == Array(1...43))
            try chat.write("mine again\n")
            func own() throws -> [String] {
                try http.perform(ListMessages(channel: Cast.annAndBob, limit: 100), from: ann).events
                    .filter { $0.senderID == Cast.bob.userID }.compactMap(\.text)
            }
            try await until { try !own().isEmpty }

            // The process is killed in the middle of it.
            try disk.fail()
            try send(40)
            _ = try await lines(chat) { $0.contains(reason) }
            chat.signal(SIGKILL)
            #expect(await chat.result().status == -SIGKILL)
            // Nothing is thrown away at the start, whether it works or not.
            let blocked = await (try disk.chat("--as", "bob", "--to", "ann", server: server.url)).result()
            #expect(blocked.status == 0 || blocked.status == 3 && blocked.errors.contains(reason), "\(blocked)")
            #expect(!blocked.errors.contains("damaged"), "\(blocked.errors)")
            try disk.heal()
            let again = try disk.chat("--as", "bob", "--to", "ann", server: server.url)
            let past = try await lines(again) { $0.contains("message 83 ") }
            #expect(numbers(past) == Array(64...83))
            try again.write("and again\n/quit\n")
            #expect(await again.result().status == 0)
            try await until { try own().count == 2 }
            #expect(try own() == ["mine again", "and again"])
        }
    }
#endif
