#if os(Linux)
    import Foundation
    import RoostTesting
    import RoostWire
    import Testing

    /// Files that are made to do harm to a server.
    @Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(4)), .seeded) struct BombsTests {
        private let ann = HTTPClient.Caller.guest(Cast.ann)

        /// A number in kB from what the system knows of a process.
        private func memory(_ field: String, of pid: Int32) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
            return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }

        /// The processes that a process has started and that are still there.
        private func children(of pid: Int32) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").flatMap { thread in
                let path = "/proc/\(pid)/task/\(thread)/children"
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                return text.split(separator: " ").map(String.init)
            }
        }

        @Test func `hostile files harm neither the server nor its other users`() async throws {
            let harness = try await ServerHarness()
            let folder = try TemporaryFolder()
            let (http, other) = (HTTPClient(harness), HTTPClient(harness))
            let bombs = try Bomb.all(in: folder)
            #expect(bombs.count >= 60)
            let pid = harness.server.pid
            let before = try memory("VmHWM", of: pid)
            var (untyped, known, slowest) = (0, 0, (Duration.zero, ""))
            for bomb in bombs {
                let start = ContinuousClock.now
                let upload = try http.perform(
                    CreateFile(name: bomb.name, size: Int64(bomb.bytes.count), contentType: bomb.type), from: ann)
                let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
                let answer = try http.exchange("PATCH", upload.path, bomb.bytes, ann.headers.merging(headers) { $1 })
                let duration = ContinuousClock.now - start
                if duration > slowest.0 { slowest = (duration, bomb.name) }
                #expect(answer.status == 204, "\(bomb.name)")
                let stored = try http.perform(GetFiles(fileIDs: [upload.fileID]), from: ann).files.first
                #expect(stored?.file.size == Int64(bomb.bytes.count), "\(bomb.name)")
                if stored?.file.width != nil { known += 1 }
                if bomb.isOnlyKept { #expect(stored?.file.blurHash == nil, "\(bomb.name)") }
                if stored?.file.contentType == "application/octet-stream" { untyped += 1 }
                #expect(try other.perform(GetFiles(fileIDs: [upload.fileID]), from: .guest(Cast.bob)).files.isEmpty)
            }
            #expect(harness.server.pid == pid)
            try await until { try children(of: pid).isEmpty }
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.data + "/files/thumbnails") == [])
            print(
                "hostile files: \(bombs.count), without a type \(untyped), with a size \(known); slowest",
                "\(slowest.1) \(slowest.0); the server's memory \(before) kB before, \(try memory("VmHWM", of: pid)) kB at most"
            )
            // And pictures are still looked at.
            guard SamplePicture.hasVips else { return }
            let picture = SamplePicture.png(width: 700, height: 500)
            let upload = try http.perform(CreateFile(name: "a.png", size: Int64(picture.count)), from: ann)
            let headers = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
            _ = try http.exchange("PATCH", upload.path, picture, ann.headers.merging(headers) { $1 })
            #expect(try http.perform(GetFiles(fileIDs: [upload.fileID]), from: ann).files.first?.file.width == 700)
        }
    }
#endif
