import ArgumentParser
import Foundation
import RoostClient
import RoostTerminal
import RoostWire
import Synchronization

/// The commands that upload and download files.
struct FileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Upload, download and delete files.",
        discussion: """
              roost file put --as ann roof.jpg
              roost file info --as ann FILE
              roost file get --as ann FILE ./roof.jpg
              roost file show --as ann FILE
              roost send --as ann --to bob --file roof.jpg "The new roof"
            """,
        subcommands: [Put.self, Get.self, ShowCommand.self, Info.self, Delete.self])

    struct Put: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Upload files, and print their ids.",
            discussion: """
                An upload continues after the connection was lost. The server deletes a file that no message uses \
                within a day. If one file fails, the others are uploaded, and the exit code is that of the first error.
                """)

        @OptionGroup var options: ClientOptions

        @Option(help: "The media type, such as image/jpeg; derived from each file's extension if omitted.")
        var contentType: String?

        @Option(help: "A free field of your app, for everybody who may read the files: at most 1,000 bytes.")
        var customField: String?

        @Argument(help: "The paths of the files.")
        var paths: [String]

        func run(_ client: ChatClient) async throws {
            var failed: RoostError?
            for path in paths {
                do {
                    let file = try await client.upload(
                        LocalFile(path: path, contentType: contentType, customField: customField),
                        showing: ProgressLine(options))
                    try options.show(file, "\(file.fileID)  \(file.summary)")
                } catch let error as RoostError where paths.count > 1 {
                    options.report(error)
                    failed = failed ?? error
                }
            }
            if let failed { throw ExitCode(failed.exitStatus) }
        }
    }

    struct Get: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Download a file.",
            discussion: """
                A download continues after the connection was lost. The file appears at the path once all bytes have \
                arrived; with -, the bytes go to standard output as they arrive.
                """)

        @OptionGroup var options: ClientOptions

        @Argument(help: "The id of the file.")
        var file: FileID

        @Argument(help: "The path to write to, or - for standard output; the name of the file if omitted.")
        var path: String?

        func run(_ client: ChatClient) async throws {
            guard let stored = try await client.files([file]).first?.file else { throw FileCommand.missing }
            if path == "-" {
                return try await client.download(stored) { bytes in Terminal.writeOutput(bytes) }
            }
            var target = path ?? FileRules.name(stored.name ?? file.rawValue)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) {
                if isFolder.boolValue {
                    target += "/" + FileRules.name(stored.name ?? file.rawValue)
                }
                // A name that the sender of the file chose must not replace anything.
                if path == nil || isFolder.boolValue, FileManager.default.fileExists(atPath: target) {
                    throw RoostError(.fileFailed, "\(target) exists already. Give another path.")
                }
            }
            let line = ProgressLine(options)
            defer { line.end() }
            try await client.download(stored, to: target) { line.show($0) }
            line.end()
            try options.show(Downloaded(file: stored, path: target), "saved \(target)  \(stored.summary)")
        }
    }

    /// The result of a download, as JSON.
    private struct Downloaded: Encodable {
        var file: FileReference
        var path: String
    }

    struct Info: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "info",
            abstract:
                "Print what is known of files, with links to download them; files that I may not read are left out.")

        @OptionGroup var options: ClientOptions

        @Argument(help: "1 to 100 ids of files.")
        var files: [FileID]

        func run(_ client: ChatClient) async throws {
            let found = try await client.files(files)
            for stored in found {
                try options.show(stored, "\(stored.file.fileID)  \(stored.file.summary)  \(stored.link)")
            }
            if found.isEmpty { throw FileCommand.missing }
        }
    }

    struct Delete: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete an own file that no message uses.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the file.")
        var file: FileID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(DeleteFile(fileID: file), under: key.transID), done: "deleted \(file)")
        }
    }

    static var missing: RoostError {
        RoostError(wire: WireError(.noPrivilege, "There is no such file, or you may not read it."))
    }
}

extension FileReference {
    /// Its name, type, and size, and its duration.
    var summary: String {
        [
            name, contentType, size.map { "\($0) bytes" }, width.flatMap { width in height.map { "\(width)x\($0)" } },
            durationMs.map(Printable.duration),
        ].compactMap { $0 }.joined(separator: "  ")
    }
}

extension ChatClient {
    /// Uploads a file, and shows how far it is.
    func upload(_ file: LocalFile, as transID: TransID? = nil, showing line: ProgressLine) async throws
        -> FileReference
    {
        defer { line.end() }
        return try await upload(file, as: transID) { line.show($0) }
    }
}

/// The progress of a transfer on standard error: a bar if that is a terminal, otherwise nothing.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let isStarted = Mutex(false)

    init(_ options: ClientOptions) { isShown = !options.json && isatty(STDERR_FILENO) == 1 }

    func show(_ progress: TransferProgress) {
        guard isShown else { return }
        isStarted.withLock { $0 = true }
        Terminal.writeProgress("\r" + Self.text(progress))
    }

    /// Removes the bar.
    func end() {
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = false }
            return isStarted
        }
        if wasStarted { Terminal.writeProgress("\r" + String(repeating: " ", count: 60) + "\r") }
    }

    /// A bar of 30 columns, the percentage and the size.
    static func text(_ progress: TransferProgress) -> String {
        let done = Int(progress.fraction * 30)
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 30 - done)
        let percent = Int(progress.fraction * 100)
        return "[\(bar)] \(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent)% of "
            + "\(progress.totalBytes) bytes"
    }
}
