import AsyncHTTPClient
package import NIOCore
import NIOHTTP1

/// A storage in a bucket of an object store that speaks the protocol of Amazon S3.
///
/// The bytes of the key `abcd…` are the object `PREFIXbytes/abcd…`. The object store shows an object once it is
/// complete, so there is never a part of it. Requests are sent up to three times; redirects are not followed.
package struct S3Store: FileStore {
    private let client: S3Client
    private let threads: FileThreads
    private let location: S3Location

    /// Files up to this size are stored with one request, in bytes.
    private static let largestSingle: Int64 = 16 << 20
    /// The size of the parts of larger files, in bytes.
    private static let usualPart: Int64 = 8 << 20
    /// The most parts that an object store accepts.
    private static let maxParts: Int64 = 10_000
    /// The longest time for which a link is valid, in seconds.
    private static let longestLink: Int64 = 600

    /// - Parameters:
    ///   - threads: for reading local files.
    ///   - now: the time in ms since 1970, for signatures.
    package init(
        _ location: S3Location, _ credentials: S3Credentials, threads: FileThreads, now: @escaping @Sendable () -> Int64
    ) {
        self.location = location
        self.threads = threads
        client = S3Client(location, credentials, now: now)
    }

    private func object(_ key: String) -> String { location.prefix + "bytes/" + key }

    package func prepare() async throws(FileStoreError) {
        let query = [("list-type", "2"), ("max-keys", "1"), ("prefix", object(""))]
        let answer = try await client.send(
            client.request("GET", "", query), to: "use the bucket \"\(location.bucket)\" for files")
        guard S3Document(answer.body)?.root == "ListBucketResult" else { throw strange("the list of files") }
    }

    package func store(fileAt path: String, size: Int64, as key: String) async throws(FileStoreError) {
        let found = try await S3FilePart.size(of: path, threads)
        guard found == size else {
            throw FileStoreError(.unavailable, "\(path) has \(found) bytes instead of \(size).")
        }
        if size > Self.largestSingle {
            try await storeParts(path, size, key)
        } else {
            _ = try await client.send(
                client.request("PUT", object(key)), .file(part(path, 0..<size)), to: "store a file")
        }
    }

    private func part(_ path: String, _ range: Range<Int64>) -> S3FilePart {
        S3FilePart(path: path, range: range, threads: threads)
    }

    private func storeParts(_ path: String, _ size: Int64, _ key: String) async throws(FileStoreError) {
        let started = try await client.send(client.request("POST", object(key), [("uploads", "")]), to: "store a file")
        guard let upload = S3Document(started.body)?.text("UploadId"), !upload.isEmpty else {
            throw strange("the start of an upload")
        }
        do throws(FileStoreError) {
            try await sendParts(path, size, key, upload)
        } catch {
            // Also if this task is cancelled; otherwise the parts stay and are paid for.
            let abort = client.request("DELETE", object(key), [("uploadId", upload)])
            let client = client
            await Task { _ = try? await client.send(abort, to: "abort an upload", expecting: ["NoSuchUpload"]) }.value
            throw error
        }
    }

    private func sendParts(
        _ path: String, _ size: Int64, _ key: String, _ upload: String
    ) async throws(FileStoreError) {
        let length = max(Self.usualPart, (size + Self.maxParts - 1) / Self.maxParts)
        var list = "<CompleteMultipartUpload>"
        var (start, number): (Int64, Int) = (0, 1)
        while start < size {
            let end = min(size, start + length)
            let answer = try await client.send(
                client.request("PUT", object(key), [("partNumber", "\(number)"), ("uploadId", upload)]),
                .file(part(path, start..<end)), to: "store a part of a file")
            guard let tag = answer.headers.first(name: "etag") else { throw strange("a part of an upload") }
            let escaped = tag.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
                .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
            list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(escaped)</ETag></Part>"
            (start, number) = (end, number + 1)
        }
        let answer = try await client.send(
            client.request("POST", object(key), [("uploadId", upload)]), .text(list + "</CompleteMultipartUpload>"),
            to: "complete a file", expecting: ["NoSuchUpload"])
        if answer.code == nil { return }
        // The upload is over: it was completed by a request whose answer was lost, or somebody aborted it.
        let head = try await client.send(client.request("HEAD", object(key)), to: "complete a file")
        guard head.headers.first(name: "content-length") == "\(size)" else {
            throw FileStoreError(.unavailable, "Cannot complete a file: the object store has ended its upload.")
        }
    }

    package func read(
        _ key: String, in range: Range<Int64>, _ receive: @escaping @Sendable (ByteBuffer) async throws -> Void
    ) async throws {
        var offset = range.lowerBound
        var attempts = S3Attempts()
        // If the connection breaks, the rest is read with another request.
        while offset < range.upperBound {
            let before = offset
            let failure: S3Failure
            do {
                switch try await open(key, offset..<range.upperBound) {
                case .failure(let found): failure = found
                case .success(let body):
                    for try await chunk in body {
                        var chunk = chunk
                        let rest = range.upperBound - offset
                        guard let bytes = chunk.readSlice(length: Int(min(Int64(chunk.readableBytes), rest))),
                            bytes.readableBytes > 0
                        else { break }
                        do { try await receive(bytes) } catch { throw ReceiverError(error: error) }
                        offset += Int64(bytes.readableBytes)
                    }
                    if offset == range.upperBound { return }
                    failure = .cut
                }
            } catch let error as ReceiverError {
                throw error.error
            } catch let error as FileStoreError {
                throw error
            } catch {
                failure = S3Failure(connection: error)
            }
            if offset > before { attempts = S3Attempts() }
            try await client.pause(after: failure, &attempts, "read a file")
        }
    }

    /// An error of `receive`, which is not one of the connection.
    private struct ReceiverError: Error {
        var error: any Error
    }

    private enum Reading {
        case success(HTTPClientResponse.Body)
        case failure(S3Failure)
    }

    private func open(_ key: String, _ range: Range<Int64>) async throws -> Reading {
        var request = client.request("GET", object(key))
        request.headers = [(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        let response = try await client.start(request)
        if let failure = try await client.failure(in: response) { return .failure(failure) }
        let first = response.headers.first(name: "content-range").map { $0.hasPrefix("bytes \(range.lowerBound)-") }
        guard response.status == .partialContent && first == true || response.status == .ok && range.lowerBound == 0
        else { throw strange("a part of a file") }
        return .success(response.body)
    }

    package func size(of key: String) async throws(FileStoreError) -> Int64? {
        var attempts = S3Attempts()
        while true {
            let failure: S3Failure
            do {
                // The answers to HEAD have no body that names an error.
                let response = try await client.start(client.request("HEAD", object(key)))
                if response.status == .notFound { return nil }
                if let found = try await client.failure(in: response) {
                    failure = found
                } else {
                    guard let size = response.headers.first(name: "content-length").flatMap({ Int64($0) }) else {
                        throw strange("the size of a file")
                    }
                    return size
                }
            } catch let error as FileStoreError {
                throw error
            } catch {
                failure = S3Failure(connection: error)
            }
            try await client.pause(after: failure, &attempts, "examine a file")
        }
    }

    package func delete(_ key: String) async throws(FileStoreError) {
        _ = try await client.send(
            client.request("DELETE", object(key)), to: "delete a file", expecting: ["NoSuchKey"])
    }

    package func keys(
        after last: String, limit: Int, storedBefore time: Int64
    ) async throws(FileStoreError) -> [String] {
        var keys: [String] = []
        var last = last
        while keys.count < limit {
            var query = [("list-type", "2"), ("max-keys", "1000"), ("prefix", object("")), ("delimiter", "/")]
            if !last.isEmpty { query.append(("start-after", object(last))) }
            let answer = try await client.send(client.request("GET", "", query), to: "list files")
            guard let list = Self.list(answer.body, prefix: object("")) else { throw strange("the list of files") }
            for item in list.items where item.key > last {
                if item.storedAt < time { keys.append(item.key) }
                if keys.count == limit { return keys }
            }
            guard list.hasMore, let end = list.items.last?.key, end > last else { return keys }
            last = end
        }
        return keys
    }

    private struct List {
        var items: [(key: String, storedAt: Int64)] = []
        var hasMore = false
    }

    /// Reads a list of objects; nil if it is not understood.
    private static func list(_ bytes: ByteBuffer, prefix: String) -> List? {
        guard let document = S3Document(bytes), document.root == "ListBucketResult",
            let more = document.text("IsTruncated"), more == "true" || more == "false"
        else { return nil }
        var list = List(hasMore: more == "true")
        var key: String?
        for element in document.elements {
            switch element.path {
            case "ListBucketResult/Contents/Key":
                guard element.text.hasPrefix(prefix), key == nil else { return nil }
                key = String(element.text.dropFirst(prefix.count))
            case "ListBucketResult/Contents/LastModified":
                guard let found = key, let time = S3Time.parse(iso: element.text) else { return nil }
                list.items.append((found, time))
                key = nil
            default: break
            }
        }
        return key == nil ? list : nil
    }

    private func strange(_ what: String) -> FileStoreError {
        FileStoreError(
            .unavailable, "\(location.address) does not answer as an object store: \(what) is not understood.")
    }

    /// - Parameter lifetime: in seconds; 600 at most, and at least 1.
    package func link(
        to key: String, contentType: String, disposition: String, lifetime: Int64
    ) -> String? {
        var request = client.request("GET", object(key))
        request.query = [
            (name: "response-content-type", value: contentType),
            (name: "response-content-disposition", value: disposition),
        ]
        client.signature.presign(&request, lifetime: max(1, min(lifetime, Self.longestLink)), at: client.time)
        return (location.isSecure ? "https://" : "http://") + location.host + request.target
    }
}
