package import Logging
import Synchronization

/// What is known of a picture or a video.
package struct PictureFacts: Hashable, Sendable {
    /// The width in pixels, as it is shown.
    package var width: Int
    /// The height in pixels, as it is shown.
    package var height: Int
    /// How long a video is; nil for a picture.
    package var durationMs: Int64?
    package var blurHash: String?
    /// A smaller picture, or one of the video; nil if the picture is small itself, or over a limit.
    package var thumbnail: Thumbnail?

    /// A small picture that stands for a picture or a video.
    package struct Thumbnail: Hashable, Sendable {
        /// The path of its bytes, until `discard(_:)`.
        package var path: String
        package var size: Int64
        package var hash: [UInt8]
        package var contentType: String
        package var width: Int
        package var height: Int
    }
}

/// Looks at pictures and videos, and makes thumbnails of them.
///
/// Their bytes are read by libvips and ffmpeg in short-lived processes with little memory and time, never in this one.
/// Two are looked at at a time; the others wait. Without libvips, nothing is known of any; without ffmpeg, nothing of
/// videos.
package final class Thumbnailer: Sendable {
    /// What has become of a picture or a video.
    package enum Finding: Hashable, Sendable {
        case facts(PictureFacts)
        /// Nothing is known: it is broken, it takes too long, or there are no programs to read it.
        case unknown
    }

    /// The maximum width and height of a picture in the answer, in pixels, as of those that clients name.
    static let maxReported = 100_000
    /// The longest side of a thumbnail in pixels.
    package static let side = 640
    /// The most pixels of a picture that gets a thumbnail.
    package static let maxPixels = 100_000_000
    /// The longest side of such a picture in pixels.
    package static let maxSide = 16_384
    /// The most frames of such an animation.
    package static let maxFrames = 200

    private static let loaders = [
        "image/jpeg": "jpegload", "image/png": "pngload", "image/webp": "webpload", "image/gif": "gifload",
        "image/heic": "heifload", "image/avif": "heifload",
    ]
    /// The parts of ffmpeg that read videos.
    private static let demuxers = [
        "video/mp4": "mov", "video/quicktime": "mov", "video/3gpp": "mov", "video/webm": "matroska",
    ]
    /// Up to this size a small picture is its own thumbnail.
    private static let smallBytes: Int64 = 65_536
    /// How many pictures may be looked at or wait.
    private static let maxQueue = 34

    private let folder: String
    private let path: String
    private let time: Duration
    private let logger: Logger
    private let threads = FileThreads(count: 2, hasLowPriority: false)
    private let queued = Mutex(0)
    #if os(Linux)
        private let tools = Mutex<Tools>(.none)

        private enum Tools {
            /// There are no programs that can be used.
            case none
            /// They are there, and have not been tried.
            case found(PictureTools)
            case tried(PictureTools)
        }
    #endif

    /// - Parameters:
    ///   - folder: for thumbnails until they are stored; everything in it is deleted at the start.
    ///   - path: the folders in which the programs are, separated by `:`.
    ///   - time: how long a picture may wait, and then how long it may be looked at.
    package init(folder: String, path: String, time: Duration = .seconds(10), logger: Logger) {
        self.folder = folder
        self.path = path
        self.time = time
        self.logger = logger
    }

    /// Creates the folder and looks for the programs, which are tried later: that takes half a second.
    /// - Throws: `FileStoreError`.
    package func prepare() async throws(FileStoreError) {
        try await threads.run { () throws(FileStoreError) in
            try LocalFile.makeFolder(self.folder)
            for name in try LocalFile.names(in: self.folder) { try LocalFile.deleteFolder(self.folder + "/" + name) }
            #if os(Linux)
                let (found, problem) = try self.inTrialFolder { PictureTools.find(in: self.path, trying: $0) }
                guard let found else { return self.logger.notice("no thumbnails are made: \(problem)") }
                self.tools.withLock { $0 = .found(found) }
            #endif
        }
    }

    /// Tries the programs and logs what they are, unless the first file has done so already.
    package func findTools() async {
        #if os(Linux)
            do {
                try await threads.run { () throws(FileStoreError) in _ = try self.triedTools() }
            } catch {
                logger.notice("no thumbnails are made: \(error.description) It is tried again with the next file.")
            }
        #endif
    }

    #if os(Linux)
        /// The programs; nil if there are none. It blocks the thread while they are tried.
        /// - Throws: `FileStoreError` if they could not be tried now.
        private func triedTools() throws(FileStoreError) -> PictureTools? {
            try tools.withLock { tools throws(FileStoreError) in
                switch tools {
                case .none: return nil
                case .tried(let tried): return tried
                case .found(var found):
                    let problem = try inTrialFolder { folder throws(FileStoreError) in
                        try found.tryPrograms(in: folder)
                    }
                    if let problem {
                        tools = .none
                        logger.notice("no thumbnails are made: \(problem)")
                        return nil
                    }
                    tools = .tried(found)
                    log(found)
                    return found
                }
            }
        }

        private func inTrialFolder<Result>(
            _ body: (String) throws(FileStoreError) -> Result
        ) throws(FileStoreError) -> Result {
            let trial = folder + "/trial"
            try LocalFile.makeFolder(trial)
            defer { try? LocalFile.deleteFolder(trial) }
            return try body(try LocalFile.absolute(trial))
        }

        private func log(_ tools: PictureTools) {
            let text = "thumbnails are made by libvips \(tools.version)"
            if tools.isSandboxed {
                logger.info("\(text) in a sandbox (bubblewrap)")
            } else {
                let reason = "bubblewrap is not installed, or cannot be used here"
                logger.notice("\(text) with limits, but without a sandbox: \(reason)")
            }
            if let version = tools.videoVersion {
                logger.info("those of videos are made by ffmpeg \(version)")
            } else {
                logger.notice("videos have no thumbnails: there is no ffmpeg. On Debian: apt-get install ffmpeg")
            }
        }
    #endif

    /// Looks at a picture or a video. Its thumbnail is there until `discard(_:)`, which must be called afterwards in any case.
    /// - Parameters:
    ///   - file: the path of its bytes.
    ///   - type: its media type, which the first bytes have confirmed.
    ///   - id: names its working folder; no other one may have the same at the same time.
    package func look(at file: String, type: String, id: String) async -> Finding {
        #if os(Linux)
            let (loader, demuxer) = (Self.loaders[type], Self.demuxers[type])
            guard loader != nil || demuxer != nil else { return .unknown }
            let isFull = queued.withLock { queued in
                queued += 1
                return queued > Self.maxQueue
            }
            defer { queued.withLock { $0 -= 1 } }
            var problem = "too many are waiting"
            if !isFull {
                let (folder, time, latest, logger) = (folder + "/" + id, time, ContinuousClock.now + time, logger)
                do {
                    return try await threads.run { () throws(FileStoreError) in
                        guard .now < latest else { throw FileStoreError(.unavailable, "it had to wait for too long") }
                        guard let tools = try self.triedTools(), demuxer == nil || tools.videoVersion != nil else {
                            return .unknown
                        }
                        try LocalFile.makeFolder(folder)
                        let job = PictureJob(
                            file: try LocalFile.absolute(file), folder: try LocalFile.absolute(folder), tools: tools,
                            end: .now + time)
                        if let demuxer { return try job.look(atVideo: demuxer) }
                        return try job.look(atPicture: loader ?? "") { problem in
                            logger.info(
                                "a file gets no thumbnail", metadata: ["file": "\(id)", "reason": "\(problem)"])
                        }
                    }
                } catch {
                    problem = error.description
                }
            }
            logger.info("a file gets no thumbnail", metadata: ["file": "\(id)", "reason": "\(problem)"])
        #endif
        return .unknown
    }

    /// Deletes what is left of the work on a picture.
    package func discard(_ id: String) async {
        let folder = folder + "/" + id
        try? await threads.run { () throws(FileStoreError) in try LocalFile.deleteFolder(folder) }
    }

    /// The limit that a picture exceeds, for the log; nil if it exceeds none.
    static func problem(width: Int, height: Int, frames: Int) -> String? {
        let (pixels, isOver) = width.multipliedReportingOverflow(by: height)
        if isOver || pixels > maxPixels { return "it has more than \(maxPixels / 1_000_000) megapixels" }
        if max(width, height) > maxSide { return "a side has more than \(maxSide) pixels" }
        return frames > maxFrames ? "it has more than \(maxFrames) frames" : nil
    }

    /// Whether a picture is its own thumbnail.
    static func isSmall(width: Int, height: Int, bytes: Int64) -> Bool {
        max(width, height) <= side && bytes <= smallBytes
    }
}
