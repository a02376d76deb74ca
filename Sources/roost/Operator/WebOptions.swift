import ArgumentParser
import Foundation
import RoostServer
import RoostWeb

/// The options of `roost serve` about the page that it shows to browsers.
struct WebOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder with the files of the page, for changing them: they are read for each request. The built-in ones if omitted.",
            discussion: "Such as Web/src of the repository. Nothing outside of it is served.", valueName: "folder"))
    var webFolder: String?

    @Flag(help: "Do not serve the page; / describes the server in JSON to everybody.")
    var noWeb = false

    @Option(
        name: .customLong("frame-ancestor"),
        help: ArgumentHelp(
            "A web origin whose pages may show the page in a frame, such as https://example.com. Repeatable; nobody if omitted.",
            valueName: "origin"))
    var frameAncestors: [String] = []

    @Option(
        name: .customLong("image-origin"),
        help: ArgumentHelp(
            "A web origin from which web pages may load pictures of users and channels, such as https://images.example.com. Repeatable; uploaded pictures only if omitted.",
            discussion:
                "Users choose the addresses of their pictures, and the host of a picture sees the address of everyone who looks at it.",
            valueName: "origin"))
    var imageOrigins: [String] = []

    func validate() throws {
        if noWeb, webFolder != nil || !frameAncestors.isEmpty {
            throw ValidationError("--no-web leaves nothing for --web-folder and --frame-ancestor.")
        }
        if let webFolder, !FileManager.default.isReadableFile(atPath: webFolder + "/app/index.html") {
            throw ValidationError("--web-folder \(webFolder): there is no app/index.html in it.")
        }
        for (option, origins) in [("--frame-ancestor", frameAncestors), ("--image-origin", imageOrigins)] {
            for origin in origins
            where origin.wholeMatch(of: /https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?/) == nil {
                throw ValidationError("\(option) \(origin): use a web origin, such as https://example.com.")
            }
        }
    }

    /// Finds the files of the page; nil without a page.
    var files: (@Sendable (String) -> WebFile?)? {
        guard !noWeb else { return nil }
        guard let webFolder else { return WebFile.embedded }
        return { WebFile.read($0, inFolder: webFolder) }
    }
}
