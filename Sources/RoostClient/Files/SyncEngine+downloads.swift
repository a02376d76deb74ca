import NIOCore
import NIOHTTP1
import RoostWire

extension SyncEngine {
    /// Downloads a file to a path, over what is there: the file at the path is never partial.
    /// - Returns: the size in bytes.
    @discardableResult
    func download(
        _ file: FileReference, to path: String, progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(RoostError) -> Int64 {
        let part = Self.partPath(path)
        let target = try await DiskFile.create(part)
        do {
            let size = try await receive(file, progress) { bytes, offset throws(RoostError) in
                try await target.write(bytes, at: offset)
            }
            try await target.sync()
            try await DiskFile.move(part, to: path)
            return size
        } catch {
            DiskFile.delete(part)
            throw error
        }
    }

    /// The path of a file that is not whole yet, in the same folder.
    private static func partPath(_ path: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = String(path[slash...].prefix(40))
        return path[..<slash] + "." + name + "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
            + partSuffix
    }

    /// The end of the names of files that are not whole yet.
    static let partSuffix = ".roost-part"

    /// Receives the bytes of a file in their order.
    /// - Returns: the size in bytes.
    func receive(
        _ file: FileReference, _ progress: (@Sendable (TransferProgress) -> Void)?,
        write: (ByteBuffer, Int64) async throws(RoostError) -> Void
    ) async throws(RoostError) -> Int64 {
        let meter = TransferMeter(total: file.size ?? 0, progress)
        meter.advance(to: 0)
        var offset: Int64 = 0
        var total = file.size
        let size = try await persistently {
            offset
        } _: { connection, headers in
            var headers = headers
            if offset > 0 { headers.add(name: "Range", value: "bytes=\(offset)-") }
            let start = offset
            let path = FileRules.path(of: file.fileID)
            let response = try await connection.request(.GET, path, headers) { head, bytes in
                let (first, size) = try Self.range(head)
                guard first == start, offset + Int64(bytes.readableBytes) <= size else { throw Self.wrongRange }
                if let total, total != size { throw Self.wrongSize }
                if total == nil { meter.setTotal(size) }
                total = size
                try await write(bytes, offset)
                offset += Int64(bytes.readableBytes)
                meter.advance(to: offset)
            }
            guard response.status == 200 || response.status == 206 else { throw Self.refusal(response) }
            let size = try Self.range(response).size
            guard size == total ?? size else { throw Self.wrongSize }
            guard offset == size else { throw HTTPFault.lost("The connection was lost.") }
            return size
        }
        meter.setTotal(size)
        meter.finish()
        return size
    }

    private static var wrongRange: HTTPFault { .invalid("The server sent another part of the file.") }
    private static var wrongSize: HTTPFault { .invalid("The file has another size than expected.") }

    /// Where the body of a response begins in the file, and the size of the file.
    private static func range(_ head: HTTPResponse) throws(HTTPFault) -> (first: Int64, size: Int64) {
        if head.status == 206 {
            let text = head.headers.first(name: "Content-Range") ?? ""
            let parts = text.dropFirst(6).split { $0 == "-" || $0 == "/" }.map { Int64($0) }
            guard text.hasPrefix("bytes "), parts.count == 3, let first = parts[0], let size = parts[2] else {
                throw wrongRange
            }
            return (first, size)
        }
        guard let size = head.number("Content-Length"), size >= 0 else {
            throw .invalid("The server does not say how large the file is.")
        }
        return (0, size)
    }
}
