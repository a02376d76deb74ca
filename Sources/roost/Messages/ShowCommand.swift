import ArgumentParser
import Foundation
import RoostClient
import RoostTerminal
import RoostWire

/// How to show a picture: ``PicturePreview``, or what fits the terminal.
enum PreviewOption: String, CaseIterable, ExpressibleByArgument {
    case auto, kitty, iterm, blocks, none

    /// The way to use here.
    var resolved: PicturePreview {
        PicturePreview(rawValue: rawValue)
            ?? PicturePreview(
                environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    }
}

/// Shows a picture in the terminal.
struct ShowCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print what is known of a file, and show it if it is a picture.",
        discussion: """
            In kitty, iTerm2 and terminals that understand their sequences the picture itself is shown, up to 10 MB; \
            kitty's takes PNG only. Elsewhere the blurred preview of the picture is drawn in half blocks, without a \
            download, if the file has one. auto chooses by the environment; it shows nothing if standard output is \
            not a terminal, or if NO_COLOR is set.
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "auto, kitty, iterm, blocks or none.")
    var preview = PreviewOption.auto

    @Argument(help: "The id of the file, or of its thumbnail.")
    var file: FileID

    private static let maxBytes: Int64 = 10_000_000

    func run(_ client: ChatClient) async throws {
        guard let stored = try await client.files([file]).first?.file else { throw FileCommand.missing }
        try options.show(stored, "\(stored.fileID)  \(stored.summary)")
        if !options.json { Terminal.writeOutput(try await picture(stored, client)) }
    }

    /// The sequences that show a file; empty if it cannot be shown.
    private func picture(_ stored: FileReference, _ client: ChatClient) async throws -> [UInt8] {
        let way = preview.resolved
        let isSmall = (stored.size ?? .max) <= Self.maxBytes
        switch way {
        case .none: return []
        case .kitty where isSmall && stored.contentType == "image/png":
            let bytes = try await download(stored, client)
            if PicturePreview.isPNG(bytes) { return PicturePreview.kitty(png: bytes) }
        case .iterm where isSmall && stored.contentType?.hasPrefix("image/") == true:
            return PicturePreview.iterm(try await download(stored, client))
        case .kitty, .iterm, .blocks: break
        }
        guard let hash = stored.blurHash.flatMap({ BlurHash($0) }) else { return [] }
        let hasTrueColors = PicturePreview.hasTrueColors(environment: ProcessInfo.processInfo.environment)
        return PicturePreview.blocks(hash, hasTrueColors: hasTrueColors)
    }

    private func download(_ stored: FileReference, _ client: ChatClient) async throws -> [UInt8] {
        let bytes = Downloaded()
        try await client.download(stored) { bytes.value += $0 }
        return bytes.value
    }

    /// The bytes so far.
    private final class Downloaded { var value: [UInt8] = [] }
}
