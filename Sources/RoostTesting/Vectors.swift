package import Foundation
import RoostWire

/// The families of `Protocol/vectors`: what the rules of a client say of given values. Tests write them from the SDK, and
/// clients in other languages are tested with them.
package enum Vectors {
    private static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Protocol", directoryHint: .isDirectory)

    /// The folder with an example of each event, command and answer.
    package static let fixtures = folder.appending(path: "fixtures", directoryHint: .isDirectory)

    private struct Line<Given: Encodable, Result: Encodable>: Encodable {
        var name: String?
        var given: Given
        var result: Result?
    }

    /// Compares a family with its file, which has one line for each case; with `ROOST_WRITE_VECTORS=1` in the environment
    /// the file is written first.
    ///
    /// - Parameters:
    ///   - family: the name of the file without its extension.
    ///   - cases: the names of the cases, nil for one that speaks for itself, and what is given.
    ///   - rule: what the SDK says of it; nil if nothing.
    /// - Returns: whether the file has these cases and results.
    /// - Throws: what the rule throws, and errors of writing.
    package static func isKept<Given: Encodable, Result: Encodable>(
        _ family: String, _ cases: [(String?, Given)], _ rule: (Given) throws -> Result?
    ) throws -> Bool {
        let lines = try cases.map { name, given in
            let line = Line(name: name, given: given, result: try rule(given))
            return String(decoding: try WireCodec.encodeSorted(line), as: UTF8.self)
        }
        let made = "[\n\(lines.joined(separator: ",\n"))\n]\n"
        let vectors = folder.appending(path: "vectors", directoryHint: .isDirectory)
        let file = vectors.appending(path: "\(family).json", directoryHint: .notDirectory)
        if ProcessInfo.processInfo.environment["ROOST_WRITE_VECTORS"] == "1" {
            try FileManager.default.createDirectory(at: vectors, withIntermediateDirectories: true)
            try Data(made.utf8).write(to: file)
        }
        return made == String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }
}
