import Foundation
package import RoostServer

extension WebFile {
    /// A file of the page by its path in `Web/bundle` or `Web/src`, as it was when the binary was built; nil if there is none.
    @Sendable package static func embedded(_ path: String) -> WebFile? { table[path] }

    private static let table = Dictionary(
        embeddedFiles.map { ($0.path, WebFile($0.path, bytes($0.base64), gzip: bytes($0.gzip))) },
        uniquingKeysWith: { first, _ in first })

    private static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
