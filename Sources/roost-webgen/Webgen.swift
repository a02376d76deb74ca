import Foundation

/// Writes a Swift file that holds the files of the page: `roost-webgen FOLDER FILE`. The plugin EmbedWeb runs it.
///
/// In FOLDER, the folder `bundle` has the modules and the page that names them, and `src` everything else. Each file is in base64, which the compiler
/// reads as fast as any string; texts are there once more, compressed.
@main struct Webgen {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { throw Failure(description: "usage: roost-webgen FOLDER FILE") }
        let web = URL(filePath: arguments[1])
        let bundle = try files(in: web.appending(path: "bundle"))
        let bundled = Set(bundle.map(\.path))
        let others = try files(in: web.appending(path: "src"))
            .filter { !$0.path.hasSuffix(".js") && !bundled.contains($0.path) }
        var text = "let embeddedFiles: [(path: String, base64: String, gzip: String)] = [\n"
        for (path, file) in bundle + others {
            let bytes = try Data(contentsOf: file)
            let gzip = path.hasSuffix(".png") ? Data() : try compress(file)
            text += "    (\"\(path)\", \"\(bytes.base64EncodedString())\", \"\(gzip.base64EncodedString())\"),\n"
        }
        try Data((text + "]\n").utf8).write(to: URL(filePath: arguments[2]))
    }

    private static func files(in folder: URL) throws -> [(path: String, file: URL)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { path in
            let file = folder.appending(path: path)
            // A hidden file is one of an editor or of the system.
            guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
                try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            else { return nil }
            return (path, file)
        }
    }

    /// The bytes of a file, compressed by the program gzip.
    private static func compress(_ file: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-9nc", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "gzip failed for \(file.path)") }
        return bytes
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
