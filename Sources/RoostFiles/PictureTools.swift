#if os(Linux)
    /// The programs that read pictures and videos: those of libvips and ffmpeg, within limits and, where possible, in a
    /// sandbox.
    struct PictureTools: Sendable {
        private var vips: String
        private var vipsheader: String
        private var ffmpeg: String?
        private var ffprobe: String?
        private var prlimit: String
        private var env: String
        /// Bubblewrap; nil if it is not installed or cannot be used here.
        private var bwrap: String?
        /// The version of libvips, such as `8.14.1`.
        private(set) var version = ""
        /// The version of ffmpeg, such as `5.1.9`; nil if videos cannot be read.
        private(set) var videoVersion: String?

        /// Whether the programs run in a sandbox: without network, and without any files but the system's own, the
        /// picture or video and their working folder.
        var isSandboxed: Bool { bwrap != nil }

        /// The most that a program may take. The address space holds libvips itself, about 330 MiB of which little is
        /// used, and the largest picture: with this, a HEIC of 24 megapixels can be read.
        private static let limits = ["--as=671088640", "--cpu=5", "--fsize=8388608", "--nofile=64", "--core=0"]

        /// Looks for the programs, and whether they can run in a sandbox; it blocks the thread, for a moment.
        ///
        /// Nobody can be connected yet: whoever made this fail would have taken the sandbox away.
        /// - Parameters:
        ///   - path: the folders to look in, separated by `:`.
        ///   - folder: a working folder.
        /// - Returns: the programs, or a sentence that says what is missing.
        static func find(in path: String, trying folder: String) -> (tools: PictureTools?, problem: String) {
            func program(_ name: String) -> String? {
                path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { LocalFile.isProgram($0) }
            }
            guard let vips = program("vips"), let vipsheader = program("vipsheader") else {
                return (nil, "libvips is not installed. On Debian: apt-get install libvips-tools bubblewrap")
            }
            guard let prlimit = program("prlimit"), let env = program("env") else {
                return (nil, "prlimit or env is not installed. On Debian: apt-get install util-linux coreutils")
            }
            var tools = PictureTools(
                vips: vips, vipsheader: vipsheader, ffmpeg: program("ffmpeg"), ffprobe: program("ffprobe"),
                prlimit: prlimit, env: env, bwrap: program("bwrap"))
            // It has to see libvips, too, which may be elsewhere than the system's own programs.
            if tools.isSandboxed, !tools.trial(env, ["test", "-x", vips], in: folder).isDone { tools.bwrap = nil }
            return (tools, "")
        }

        /// Tries the programs and notes their versions; it blocks the thread, for half a second.
        /// - Returns: a sentence that says why libvips cannot be used; nil if it can.
        /// - Throws: `FileStoreError` if a program failed, as it may on a busy machine: it may work the next time.
        mutating func tryPrograms(in folder: String) throws(FileStoreError) -> String? {
            let found = trial(vips, ["--version"], in: folder)
            guard found.isDone else { throw FileStoreError(.unavailable, "\(vips) does not work. \(found.complaint)") }
            version = String(decoding: found.output, as: UTF8.self).filter { $0.isNumber || $0 == "." }
            let parts = version.split(separator: ".").compactMap { Int($0) }
            // Older ones cannot refuse the formats that are not meant for untrusted files.
            guard parts.count > 1, (parts[0], parts[1]) >= (8, 13) else { return "\(vips) is older than 8.13" }
            if let ffmpeg, ffprobe != nil {
                let found = trial(ffmpeg, ["-version"], in: folder)
                if found.isLate { throw FileStoreError(.unavailable, "\(ffmpeg) took too long") }
                // Its first line is `ffmpeg version 5.1.9-0+deb12u1 Copyright …`.
                let words = String(decoding: found.output.prefix(100), as: UTF8.self).split(separator: " ")
                if found.isDone, words.count > 2 { videoVersion = String(words[2].prefix { $0 != "-" }) }
            }
            return nil
        }

        private func trial(_ program: String, _ arguments: [String], in folder: String) -> HelperProcess.Ending {
            run(program, arguments, reading: "/dev/null", in: folder, until: .now + .seconds(10))
        }

        /// Describes a picture from its header, without its pixels.
        func header(of file: String, in folder: String, until end: ContinuousClock.Instant) -> HelperProcess.Ending {
            run(vipsheader, ["-a", input], reading: file, in: folder, until: end)
        }

        /// The size of a picture in the working folder.
        func size(of name: String, in folder: String, until end: ContinuousClock.Instant) -> HelperProcess.Ending {
            run(vipsheader, [name], reading: "/dev/null", in: folder, until: end)
        }

        /// Makes a smaller picture in the working folder: upright, in sRGB, without metadata.
        func shrink(
            _ file: String, to name: String, in folder: String, until end: ContinuousClock.Instant
        ) -> HelperProcess.Ending {
            let side = "\(Thumbnailer.side)"
            return run(
                vips, ["thumbnail", input, name, side, "--height", side, "--size", "down", "--export-profile", "srgb"],
                reading: file, in: folder, until: end)
        }

        /// Makes a picture of 32 x 32 pixels, three bytes each, from the picture or from one in the working folder.
        func squeeze(
            _ file: String, made: String?, to name: String, in folder: String, until end: ContinuousClock.Instant
        ) -> HelperProcess.Ending {
            run(
                vips,
                [
                    "thumbnail", made ?? input, name, "32", "--height", "32", "--size", "force", "--export-profile",
                    "srgb",
                ],
                reading: file, in: folder, until: end)
        }

        /// The formats inside of videos that are read. Other sounds than the common ones make a video unreadable; they are
        /// not played, but looked at.
        private static let codecs = [
            "h264", "hevc", "vp8", "vp9", "av1", "libdav1d", "mpeg4", "h263", "mjpeg", "aac", "mp3", "mp3float", "opus",
            "libopus", "vorbis", "amrnb", "amrwb", "alac", "ac3", "eac3", "pcm_s16le", "pcm_s16be", "pcm_s24le",
        ].joined(separator: ",")

        /// What both programs of ffmpeg are told of a video: no network, no playlists, no formats but these.
        private func reading(_ demuxer: String) -> [String] {
            ["-v", "error", "-protocol_whitelist", "file", "-codec_whitelist", Self.codecs, "-f", demuxer]
        }

        /// Describes a video and its first stream of pictures, as lines such as `width=1280`.
        func describe(
            _ file: String, _ demuxer: String, in folder: String, until end: ContinuousClock.Instant
        ) -> HelperProcess.Ending {
            let entries = "format=duration:stream=width,height:stream_side_data=rotation"
            return run(
                ffprobe ?? "",
                reading(demuxer) + [
                    "-select_streams", "v:0", "-show_entries", entries, "-of", "default=noprint_wrappers=1", input,
                ], reading: file, in: folder, until: end)
        }

        /// Makes a JPEG of a video in the working folder, upright and without metadata: of its first five key frames in
        /// 30 s the one that is most like the others, which is seldom a black one.
        func poster(
            of file: String, _ demuxer: String, to name: String, in folder: String, until end: ContinuousClock.Instant
        ) -> HelperProcess.Ending {
            let side = Thumbnailer.side
            let filter =
                "scale=w='min(\(side),iw)':h='min(\(side),ih)':force_original_aspect_ratio=decrease,thumbnail=5"
            return run(
                ffmpeg ?? "",
                ["-nostdin", "-threads", "1", "-skip_frame", "nokey", "-t", "30"] + reading(demuxer) + [
                    "-i", input, "-map", "0:v:0", "-filter_threads", "1", "-vf", filter, "-frames:v", "1",
                    "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-threads", "1", "-q:v", "3",
                    "-update", "1", "-f", "image2", "-c:v", "mjpeg", name,
                ], reading: file, in: folder, until: end)
        }

        /// The name under which a program sees the picture or video. It never sees the real path, which could contain
        /// characters that they take for options.
        private var input: String { isSandboxed ? "/picture" : "picture" }

        private func run(
            _ program: String, _ arguments: [String], reading file: String, in folder: String,
            until end: ContinuousClock.Instant
        ) -> HelperProcess.Ending {
            var command = [prlimit] + Self.limits + ["--"]
            if let bwrap {
                command += [
                    bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr",
                ]
                for folder in ["/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"] {
                    command += ["--ro-bind-try", folder, folder]
                }
                command += ["--ro-bind", file, input, "--bind", folder, "/work", "--chdir", "/work", "--"]
            } else {
                LocalFile.link(file, at: folder + "/" + input)
                command = [env, "-C", folder] + command
            }
            return HelperProcess.run(
                command + [program] + arguments,
                environment: [
                    "PATH": "/usr/local/bin:/usr/bin:/bin", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
                    // Pictures are kept in memory, which is limited, and never written to a temporary file.
                    "VIPS_DISC_THRESHOLD": "1g",
                ], until: end)
        }
    }
#endif
