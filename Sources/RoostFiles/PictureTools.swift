#if os(Linux)
    /// The programs that read pictures: those of libvips, within limits and, where possible, in a sandbox.
    struct PictureTools: Sendable {
        private var vips: String
        private var vipsheader: String
        private var prlimit: String
        private var env: String
        /// Bubblewrap; nil if it is not installed or cannot be used here.
        private var bwrap: String?
        /// The version of libvips, such as `8.14.1`.
        private(set) var version = ""

        /// Whether the programs run in a sandbox: without network, and without any files but the system's own, the
        /// picture and their working folder.
        var isSandboxed: Bool { bwrap != nil }

        /// The most that a program may take. The address space holds libvips itself, about 330 MiB of which little is
        /// used, and the largest picture: with this, a HEIC of 24 megapixels can be read.
        private static let limits = ["--as=671088640", "--cpu=5", "--fsize=8388608", "--nofile=64", "--core=0"]

        /// Looks for the programs and tries them; it blocks the thread.
        /// - Parameters:
        ///   - path: the folders to look in, separated by `:`.
        ///   - folder: a working folder for the trial.
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
                vips: vips, vipsheader: vipsheader, prlimit: prlimit, env: env, bwrap: program("bwrap"))
            func trial() -> HelperProcess.Ending {
                tools.run(vips, ["--version"], reading: "/dev/null", in: folder, until: .now + .seconds(10))
            }
            var found = trial()
            if !found.isDone, tools.isSandboxed {
                tools.bwrap = nil
                found = trial()
            }
            tools.version = String(decoding: found.output, as: UTF8.self).filter { $0.isNumber || $0 == "." }
            let parts = tools.version.split(separator: ".").compactMap { Int($0) }
            // Older ones cannot refuse the formats that are not meant for untrusted files.
            guard found.isDone, parts.count > 1, (parts[0], parts[1]) >= (8, 13) else {
                return (nil, "\(vips) does not work, or is older than 8.13. \(found.complaint)")
            }
            return (tools, "")
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

        /// The name under which a program sees the picture. It never sees the real path, which could contain
        /// characters that libvips takes for options.
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
