import ArgumentParser
import Foundation
import RoostClient
import RoostTerminal
import RoostWire
import Synchronization

/// Uploads and downloads files.
struct FileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Upload and download files.",
        discussion: """
            A file is uploaded first and then named in messages by its id. To do both at once: roost send --file. A file that \
            no message uses is deleted after a day.
            """,
        subcommands: [Put.self, Get.self, Info.self, Delete.self])

    struct Put: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Upload files and print their ids.",
            discussion: """
                An interrupted upload continues if the command is repeated with the same --trans-id.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(help: "The media type, such as image/jpeg; derived from the name if omitted.")
        var contentType: String?

        @Argument(help: "The files.")
        var paths: [String]

        func validate() throws {
            if key.transID != nil, paths.count > 1 { throw ValidationError("--trans-id applies to a single file.") }
        }

        func run(_ client: ChatClient) async throws {
            for path in paths {
                let bar = ProgressBar(path)
                defer { bar.end() }
                let file = try await client.upload(
                    LocalFile(path: path, contentType: contentType), transID: key.transID, progress: bar.update)
                bar.end()
                try options.show(file, "\(file.fileID)  \(file.line)")
            }
        }
    }

    struct Get: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Download a file.",
            discussion: "Without a path, the file is stored in the current folder under its own name.")

        @OptionGroup var options: ClientOptions

        @Flag(help: "Replace an existing file.")
        var force = false

        @Argument(help: "The id of the file.")
        var file: FileID

        @Argument(help: "The path, or - for standard output.")
        var path: String?

        func run(_ client: ChatClient) async throws {
            guard let stored = try await client.files([file]).first else {
                throw RoostError(wire: WireError(.noPrivilege, "There is no such file, or you may not read it."))
            }
            let isOutput = path == "-"
            // The name comes from somebody else: only its last part is used, in the current folder.
            let name = FileRules.name(stored.file.name ?? "file")
            let target = isOutput ? NSTemporaryDirectory() + "roost-\(UUID().uuidString)" : path ?? name
            if !isOutput, !force, FileManager.default.fileExists(atPath: target) {
                throw RoostError(.fileUnreadable, "\(target) exists already. Choose another path, or add --force.")
            }
            let bar = ProgressBar(name)
            defer { bar.end() }
            try await client.download(file, to: target, progress: bar.update)
            bar.end()
            guard isOutput else { return try options.show(stored.file, target) }
            defer { try? FileManager.default.removeItem(atPath: target) }
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: target))
            while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty { Terminal.writeOutput(Array(chunk)) }
        }
    }

    struct Info: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what is known of files, and links to download them.",
            discussion: "Files that do not exist or may not be read are left out. A link expires after ten minutes.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "The ids of the files.")
        var files: [FileID]

        func run(_ client: ChatClient) async throws {
            for stored in try await client.files(files) {
                try options.show(
                    stored, "\(stored.file.fileID)  \(stored.file.line)\n  \(options.address)\(stored.link)")
            }
        }
    }

    struct Delete: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an own file that no message uses.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the file.")
        var file: FileID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(DeleteFile(fileID: file), under: key.transID), done: "deleted \(file)")
        }
    }
}

extension FileReference {
    /// The name, type and size on one line.
    var line: String {
        [name, contentType, size.map(ByteCount.text)].compactMap { $0 }.joined(separator: ", ")
    }
}

/// Sizes for people.
enum ByteCount {
    static func text(_ bytes: Int64) -> String {
        if bytes < 1_000 { return "\(bytes) bytes" }
        var (value, index) = (Double(bytes) / 1_000, 0)
        let units = ["kB", "MB", "GB", "TB"]
        while value >= 999.95, index < units.count - 1 {
            value /= 1_000
            index += 1
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[index])"
    }
}

/// A line that shows the progress of a transfer, on a terminal only.
final class ProgressBar: Sendable {
    private let name: String
    private let isShown: Bool
    private let state = Mutex((percent: -1, hasEnded: false))

    init(_ path: String) {
        name = Printable.safe(FileRules.name(path))
        isShown = isatty(STDERR_FILENO) == 1
    }

    @Sendable func update(_ progress: TransferProgress) {
        guard isShown else { return }
        let percent = Int(progress.fraction * 100)
        let line = state.withLock { state -> String? in
            guard percent != state.percent, !state.hasEnded else { return nil }
            state.percent = percent
            let full = percent / 5
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
            return "\r\(bar) \(percent) %  \(ByteCount.text(progress.totalBytes))  \(name)\u{1B}[K"
        }
        if let line { write(line) }
    }

    /// Removes the line.
    func end() {
        let mustClear = state.withLock { state in
            defer { state.hasEnded = true }
            return isShown && !state.hasEnded && state.percent >= 0
        }
        if mustClear { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
