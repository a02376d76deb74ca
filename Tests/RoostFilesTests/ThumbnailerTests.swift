#if os(Linux)
    import Foundation
    import Logging
    import RoostFiles
    import RoostTesting
    import Testing

    @Suite(.timeLimit(.minutes(2))) struct ThumbnailerTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func makeThumbnailer(
            path: String = "/usr/bin:/bin", time: Duration = .seconds(60)
        ) async throws -> Thumbnailer {
            let thumbnailer = Thumbnailer(
                folder: folder.path + "/work", path: path, time: time,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            try await thumbnailer.prepare()
            return thumbnailer
        }

        private func look(
            at bytes: [UInt8], _ type: String, with thumbnailer: Thumbnailer, id: String = "a"
        ) async throws -> Thumbnailer.Finding {
            let path = folder.path + "/" + id + "[page=1]"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return await thumbnailer.look(at: path, type: type, id: id)
        }

        private func facts(
            of bytes: [UInt8], _ type: String, with thumbnailer: Thumbnailer
        ) async throws -> PictureFacts {
            guard case .facts(let facts) = try await look(at: bytes, type, with: thumbnailer) else {
                throw Nothing(type: type)
            }
            return facts
        }

        private struct Nothing: Error { var type: String }

        private func bytes(_ thumbnail: PictureFacts.Thumbnail?) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: try #require(thumbnail).path)))
        }

        @Test(.enabled(if: SamplePicture.hasVips))
        func `a picture of each type has a size, a hash and a thumbnail`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let source = SamplePicture.png(width: 900, height: 600)
            let hash = try await facts(of: source, "image/png", with: thumbnailer).blurHash
            #expect(hash?.utf8.count == 28 && hash?.first == "L")
            let files: [(String, String, String)] = [
                ("a.jpg[Q=90]", "image/jpeg", "image/jpeg"), ("b.jpg[interlace]", "image/jpeg", "image/jpeg"),
                ("a.webp", "image/webp", "image/jpeg"), ("a.gif", "image/gif", "image/jpeg"),
                ("a.png", "image/png", "image/jpeg"),
                ("a.heic[compression=hevc]", "image/heic", "image/jpeg"),
                ("a.avif[compression=av1]", "image/avif", "image/jpeg"),
            ]
            for (name, type, made) in files {
                let picture = try SamplePicture.converted(source, to: name, in: folder)
                let facts = try await facts(of: picture, type, with: thumbnailer)
                #expect(facts.width == 900 && facts.height == 600, "\(name)")
                let thumbnail = try #require(facts.thumbnail)
                #expect(thumbnail.contentType == made, "\(name)")
                #expect(thumbnail.width == 640 && (426...427).contains(thumbnail.height), "\(name)")
                let bytes = try bytes(thumbnail)
                #expect(bytes.count == thumbnail.size && FileSignatures.find(in: bytes) == .type(made), "\(name)")
                // The mean colour, and nearly all of the rest.
                #expect(facts.blurHash?.prefix(1) == "L" && facts.blurHash?.utf8.count == 28, "\(name)")
                await thumbnailer.discard("a")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/work").isEmpty)
        }

        @Test(.enabled(if: SamplePicture.hasVips))
        func `a thumbnail is upright, without metadata, and keeps transparency`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let plain = try SamplePicture.converted(
                SamplePicture.png(width: 900, height: 600), to: "a.jpg[strip]", in: folder)
            for (orientation, width) in [(1, 900), (3, 900), (6, 600), (8, 600)] {
                let picture = SamplePicture.jpeg(plain, orientation: orientation, description: "secret-garden")
                let facts = try await facts(of: picture, "image/jpeg", with: thumbnailer)
                #expect(facts.width == width && facts.height == 1_500 - width)
                let thumbnail = try #require(facts.thumbnail)
                #expect((thumbnail.width > thumbnail.height) == (width == 900), "\(orientation)")
                let data = Data(try bytes(thumbnail))
                for secret in ["secret-garden", "Exif", "http://ns.adobe.com", "ICC_PROFILE"] {
                    #expect(data.range(of: Data(secret.utf8)) == nil, "\(secret)")
                }
            }
            let glass = SamplePicture.png(width: 800, height: 700, hasAlpha: true)
            let thumbnail = try await facts(of: glass, "image/png", with: thumbnailer).thumbnail
            #expect(thumbnail?.contentType == "image/webp" && thumbnail?.width == 640 && thumbnail?.height == 560)
            #expect(try bytes(thumbnail).dropFirst(12).starts(with: "VP8X".utf8))
        }

        @Test(.enabled(if: SamplePicture.hasVips))
        func `a small picture is its own thumbnail`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let small = SamplePicture.png(width: 100, height: 80)
            let facts = try await facts(of: small, "image/png", with: thumbnailer)
            #expect(facts.width == 100 && facts.height == 80 && facts.thumbnail == nil && facts.blurHash != nil)
            let narrow = try SamplePicture.converted(SamplePicture.png(width: 641, height: 4), to: "a.png", in: folder)
            let thumbnail = try await self.facts(of: narrow, "image/png", with: thumbnailer).thumbnail
            #expect(thumbnail?.width == 640)
            // Few pixels, many bytes: it is not made larger.
            let heavy = SamplePicture.png(width: 200, height: 150)
            let lighter = try await self.facts(of: heavy, "image/png", with: thumbnailer).thumbnail
            #expect(lighter?.width == 200 && lighter.map { $0.size < 65_536 } == true)
        }

        @Test(.enabled(if: SamplePicture.hasVips))
        func `of a picture over a limit only the size is known, and of a broken one nothing`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let data = SamplePicture.zlib(zeros: 1_000)
            let table: [([UInt8], String, Int, Int)] = [
                (SamplePicture.png(width: 10_001, height: 10_000, data: data), "image/png", 10_001, 10_000),
                (SamplePicture.png(width: 16_385, height: 1, data: data), "image/png", 16_385, 1),
                (SamplePicture.png(width: 1_080, height: 17_000, data: data), "image/png", 1_080, 17_000),
            ]
            for (bytes, type, width, height) in table {
                let facts = try await facts(of: bytes, type, with: thumbnailer)
                #expect(facts.width == width && facts.height == height)
                #expect(facts.thumbnail == nil && facts.blurHash == nil && facts.durationMs == nil)
            }
            let film = try await facts(of: SamplePicture.gif(frames: 201), "image/gif", with: thumbnailer)
            #expect(film.width > 0 && film.thumbnail == nil && film.blurHash == nil)
            // A size that no client may claim is not told.
            let endless = SamplePicture.png(width: 100_001, height: 1, data: data)
            #expect(try await look(at: endless, "image/png", with: thumbnailer) == .unknown)
            #expect(try await look(at: SamplePicture.gif(frames: 200), "image/gif", with: thumbnailer) != .unknown)
            let valid = SamplePicture.png(width: 700, height: 700)
            let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
            for (bytes, type) in [
                ([], "image/png"), ([0x89], "image/png"), (Array(valid.prefix(40)), "image/png"),
                (valid, "image/jpeg"), (svg, "image/svg+xml"), (svg, "image/png"), (valid, "image/tiff"),
            ] {
                #expect(try await look(at: bytes, type, with: thumbnailer) == .unknown, "\(type) \(bytes.count)")
            }
        }

        @Test(.enabled(if: SampleVideo.hasFFmpeg && SamplePicture.hasVips))
        func `a video of each type has a size, a duration, a hash and a thumbnail [L-55]`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let fast = ["-preset", "ultrafast"]
            let sound = ["-f", "lavfi", "-i", "sine=duration=2", "-metadata", "title=secret-garden"]
            let files: [(String, String, [String])] = [
                ("a.mp4", "video/mp4", sound + ["-c:v", "libx264", "-c:a", "aac"] + fast),
                ("b.mov", "video/quicktime", sound + ["-c:v", "libx264", "-c:a", "pcm_s16le"] + fast),
                ("c.mp4", "video/mp4", ["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"] + fast),
                ("d.webm", "video/webm", ["-c:v", "libvpx", "-deadline", "realtime"]),
                ("e.webm", "video/webm", sound + ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"]),
                ("f.3gp", "video/3gpp", ["-c:v", "mpeg4"]),
            ]
            for (name, type, options) in files {
                let video = try SampleVideo.make(options, to: name, in: folder)
                #expect(FileSignatures.type(of: Array(video.prefix(512)), claimed: type) == type, "\(name)")
                let facts = try await facts(of: video, type, with: thumbnailer)
                #expect(facts.width == 1_280 && facts.height == 720, "\(name)")
                #expect((1_900...2_200).contains(facts.durationMs ?? 0), "\(name)")
                let thumbnail = try #require(facts.thumbnail)
                #expect(thumbnail.width == 640 && thumbnail.height == 360 && thumbnail.contentType == "image/jpeg")
                let bytes = try bytes(thumbnail)
                #expect(bytes.count == thumbnail.size && FileSignatures.find(in: bytes) == .type("image/jpeg"))
                for secret in ["secret-garden", "Lavc"] {
                    #expect(Data(bytes).range(of: Data(secret.utf8)) == nil, "\(name) \(secret)")
                }
                #expect(facts.blurHash?.prefix(1) == "L" && facts.blurHash?.utf8.count == 28, "\(name)")
                await thumbnailer.discard("a")
            }
        }

        @Test(.enabled(if: SampleVideo.hasFFmpeg && SamplePicture.hasVips))
        func `the thumbnail of a video is upright, not larger than it, and not its black beginning`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let options = ["-c:v", "libx264", "-preset", "ultrafast"]
            _ = try SampleVideo.make(options, to: "flat.mp4", in: folder)
            let turned = folder.path + "/turned.mp4"
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
            process.arguments = [
                "-nostdin", "-v", "error", "-i", folder.path + "/flat.mp4", "-c", "copy", "-metadata:s:v:0",
                "rotate=90", turned,
            ]
            try process.run()
            process.waitUntilExit()
            let upright = try await facts(
                of: Array(try Data(contentsOf: URL(fileURLWithPath: turned))), "video/mp4", with: thumbnailer)
            #expect(upright.width == 720 && upright.height == 1_280)
            #expect(upright.thumbnail?.width == 360 && upright.thumbnail?.height == 640)
            await thumbnailer.discard("a")
            let source = "testsrc2=size=160x120:duration=1"
            let small = try SampleVideo.make(options, of: source, to: "small.mp4", in: folder)
            let thumbnail = try await facts(of: small, "video/mp4", with: thumbnailer).thumbnail
            #expect(thumbnail?.width == 160 && thumbnail?.height == 120)
            await thumbnailer.discard("a")
            func hash(_ source: String, _ name: String) async throws -> String {
                let video = try SampleVideo.make(options + ["-g", "5"], of: source, to: name, in: folder)
                let hash = try await facts(of: video, "video/mp4", with: thumbnailer).blurHash
                await thumbnailer.discard("a")
                return try #require(hash)
            }
            let (black, white) = (
                try await hash("color=black:size=320x240:rate=10:duration=2", "black.mp4"),
                try await hash("color=white:size=320x240:rate=10:duration=2", "white.mp4")
            )
            #expect(black != white)
            let fading = "color=white:size=320x240:rate=10:duration=3,fade=in:start_frame=0:nb_frames=6"
            #expect(try await hash(fading, "fading.mp4") == white)
        }

        @Test(.enabled(if: SampleVideo.hasFFmpeg && SamplePicture.hasVips))
        func `a video that is broken, or of a format that is not read, is just not known`() async throws {
            let thumbnailer = try await makeThumbnailer()
            let options = ["-c:v", "libx264", "-preset", "ultrafast"]
            let video = try SampleVideo.make(options, to: "a.mp4", in: folder)
            let sound = try SampleVideo.make(
                ["-f", "lavfi", "-i", "sine=duration=1", "-map", "1", "-c:a", "aac"], of: "color=black", to: "b.mp4",
                in: folder)
            let other = try SampleVideo.make(["-c:v", "ffv1"], to: "c.mov", in: folder)
            let list = Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n".utf8)
            let script = Array("ffconcat version 1.0\nfile /picture\n".utf8)
            let box = Array("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ".utf8)
            for (bytes, type) in [
                ([], "video/mp4"), (box, "video/mp4"), (Array(video.prefix(40)), "video/mp4"), (sound, "video/mp4"),
                (Array(video.prefix(video.count / 2)), "video/mp4"), (video, "video/webm"), (other, "video/quicktime"),
                (list, "video/mp4"), (script, "video/mp4"), (box + list, "video/quicktime"),
                (SamplePicture.png(width: 700, height: 700), "video/mp4"), (video, "video/x-msvideo"),
            ] {
                #expect(try await look(at: bytes, type, with: thumbnailer) == .unknown, "\(type) \(bytes.count)")
                await thumbnailer.discard("a")
            }
        }

        @Test(.enabled(if: SamplePicture.hasVips))
        func `without ffmpeg nothing is known of videos, and pictures have thumbnails`() async throws {
            let path = folder.path + "/bin"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            for name in ["vips", "vipsheader", "prlimit", "env", "bwrap"] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/" + name, withDestinationPath: "/usr/bin/" + name)
            }
            let thumbnailer = try await makeThumbnailer(path: path)
            let box = Array("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ".utf8)
            #expect(try await look(at: box, "video/mp4", with: thumbnailer) == .unknown)
            let picture = SamplePicture.png(width: 700, height: 700)
            #expect(try await facts(of: picture, "image/png", with: thumbnailer).thumbnail != nil)
        }

        @Test func `without libvips nothing is known of any picture`() async throws {
            let thumbnailer = try await makeThumbnailer(path: folder.path)
            let finding = try await look(at: SamplePicture.png(width: 700, height: 700), "image/png", with: thumbnailer)
            #expect(finding == .unknown)
        }

        /// Programs in the place of those of libvips.
        private func programs(thumbnail: String, version: String = "") throws -> String {
            let path = folder.path + "/bin"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            for name in ["prlimit", "env"] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/" + name, withDestinationPath: "/usr/bin/" + name)
            }
            let scripts = [
                "vips": "if [ \"$1\" = --version ]; then \(version)echo vips-8.14.1; exit; fi\n\(thumbnail)\n",
                "vipsheader": "echo \"$1: 900x600 uchar, 3 bands, srgb, pngload\"\n",
            ]
            for (name, script) in scripts {
                try Data("#!/bin/sh\n\(script)".utf8).write(to: URL(fileURLWithPath: path + "/" + name))
                chmod(path + "/" + name, 0o755)
            }
            return path
        }

        private func lines(_ name: String) -> [String] {
            let text = (try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        @Test func `the programs are tried when the first picture comes, and once`() async throws {
            let root = folder.path
            let path = try programs(thumbnail: "exit 1", version: "echo tried >> \(root)/trials; ")
            let thumbnailer = try await makeThumbnailer(path: path)
            #expect(lines("trials") == [])
            let picture = SamplePicture.png(width: 2, height: 2)
            for id in ["a", "b"] { _ = try await look(at: picture, "image/png", with: thumbnailer, id: id) }
            await thumbnailer.findTools()
            #expect(lines("trials") == ["tried"])
        }

        @Test func `a program that fails when it is tried is tried again with the next picture`() async throws {
            let root = folder.path
            let path = try programs(
                thumbnail: "exit 1",
                version: "echo tried >> \(root)/trials; [ $(wc -l < \(root)/trials) = 1 ] && kill -9 $$; ")
            let thumbnailer = try await makeThumbnailer(path: path)
            let picture = SamplePicture.png(width: 2, height: 2)
            for id in ["a", "b", "c"] { _ = try await look(at: picture, "image/png", with: thumbnailer, id: id) }
            #expect(lines("trials") == ["tried", "tried"])
        }

        @Test func `a sandbox that fails after the start is not given up, and used when it works again`() async throws {
            let root = folder.path
            let path = try programs(
                thumbnail: "echo thumbnail >> \(root)/runs", version: "echo trial >> \(root)/runs; ")
            // In the place of bubblewrap: it runs what follows its own options.
            let script = "[ -e \(root)/broken ] && exit 1; while [ \"$1\" != -- ]; do shift; done; shift"
            try Data("#!/bin/sh\n\(script); echo sandbox >> \(root)/runs; exec \"$@\"\n".utf8)
                .write(to: URL(fileURLWithPath: path + "/bwrap"))
            chmod(path + "/bwrap", 0o755)
            let thumbnailer = try await makeThumbnailer(path: path)
            #expect(lines("runs") == ["sandbox"])
            try Data().write(to: URL(fileURLWithPath: root + "/broken"))
            let picture = SamplePicture.png(width: 2, height: 2)
            #expect(try await look(at: picture, "image/png", with: thumbnailer) == .unknown)
            #expect(lines("runs") == ["sandbox"])
            try FileManager.default.removeItem(atPath: root + "/broken")
            _ = try await look(at: picture, "image/png", with: thumbnailer, id: "b")
            // The header, the thumbnail and its size.
            let tried = ["sandbox", "sandbox", "trial"]
            #expect(lines("runs") == tried + ["sandbox", "sandbox", "thumbnail", "sandbox"])
        }

        @Test func `two programs run at a time`() async throws {
            let root = folder.path
            try FileManager.default.createDirectory(atPath: root + "/running", withIntermediateDirectories: false)
            let path = try programs(
                thumbnail:
                    "mkdir \(root)/running/$$; ls \(root)/running | wc -l >> \(root)/counts; rmdir \(root)/running/$$")
            let thumbnailer = try await makeThumbnailer(path: path)
            let picture = SamplePicture.png(width: 2, height: 2)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<20 {
                    tasks.addTask {
                        let finding = try await look(at: picture, "image/png", with: thumbnailer, id: "p\(number)")
                        #expect(finding == .unknown)
                    }
                }
                try await tasks.waitForAll()
            }
            let counts = lines("counts").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            #expect(counts.count == 20 && counts.allSatisfy { $0 <= 2 })
        }

        @Test func `a program that does not end is killed with all that it has started`() async throws {
            let root = folder.path
            let path = try programs(
                thumbnail:
                    "env > \(root)/variables; sleep 1000 & echo $! >> \(root)/pids; echo $$ >> \(root)/pids; sleep 1000"
            )
            let thumbnailer = try await makeThumbnailer(path: path, time: .seconds(4))
            let finding = try await look(at: SamplePicture.png(width: 2, height: 2), "image/png", with: thumbnailer)
            #expect(finding == .unknown)
            let pids = lines("pids").compactMap { pid_t($0) }
            // They are gone, or nobody has asked yet how they ended. On a busy machine a killed process ends a little later;
            // one that was not killed would run longer than the test may.
            for pid in pids {
                func status() -> String {
                    (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
                }
                while !status().contains(") Z"), !Task.isCancelled { await Task.yield() }
                #expect(status().contains(") Z"), "\(status())")
            }
            let names = Set(lines("variables").compactMap { $0.split(separator: "=").first.map(String.init) })
            let allowed: Set = [
                "PATH", "VIPS_BLOCK_UNTRUSTED", "VIPS_CONCURRENCY", "VIPS_DISC_THRESHOLD", "PWD", "OLDPWD",
            ]
            #expect(names.isSubset(of: allowed) && names.contains("VIPS_BLOCK_UNTRUSTED"), "\(names)")
        }
    }
#endif
