import RoostWire

/// How content is stored: a marker, a checksum, and the content.
///
/// The checksum is the CRC-32 of the content, 4 bytes, the most significant one first. Content without the marker was stored
/// before there were checksums: JSON, or lines of the push outbox, each of which begins with a letter. Neither begins with
/// the marker, and encrypted content has another one.
package enum StoredContent {
    private static let marker: UInt8 = 2
    private static let headerBytes = 5

    /// Returns the bytes to store for a content.
    package static func framed(_ content: [UInt8]) -> [UInt8] {
        var stored: [UInt8] = []
        stored.reserveCapacity(headerBytes + content.count)
        stored.append(marker)
        withUnsafeBytes(of: CRC32.of(content).bigEndian) { stored.append(contentsOf: $0) }
        stored.append(contentsOf: content)
        return stored
    }

    /// Returns the content of stored bytes.
    /// - Throws: `DatabaseFailure` `.corrupt` if they are not as they were stored.
    package static func opened(_ stored: [UInt8]) throws -> [UInt8] {
        guard let first = stored.first else { return stored }
        if first == marker {
            let checksum = stored.dropFirst().prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard stored.count >= headerBytes, CRC32.of(stored, from: headerBytes) == checksum else {
                throw DatabaseFailure(.corrupt, "the checksum of a stored value is wrong")
            }
            var content = stored
            content.removeFirst(headerBytes)
            return content
        }
        let isSound =
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): JSONReader.isValid(stored)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): true
            default: false
            }
        guard isSound else { throw DatabaseFailure(.corrupt, "a stored value is not what was stored") }
        return stored
    }
}

/// The checksum of Ethernet, gzip and PNG.
enum CRC32 {
    /// Eight tables of 256 entries: eight bytes are processed at a time.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for number in UInt32(0)..<256 {
            var rest = number
            for _ in 0..<8 { rest = rest & 1 == 1 ? (rest >> 1) ^ 0xEDB8_8320 : rest >> 1 }
            tables.append(rest)
        }
        for index in 256..<2_048 {
            let last = tables[index - 256]
            tables.append((last >> 8) ^ tables[Int(last & 0xFF)])
        }
        return tables
    }()

    /// The checksum of the bytes from an index on, which must not be beyond the end.
    static func of(_ bytes: [UInt8], from start: Int = 0) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            bytes.withUnsafeBytes { bytes in
                var rest = ~UInt32(0)
                var at = start
                while at + 8 <= bytes.count {
                    let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) ^ rest
                    let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
                    let first = tables[1_792 + Int(low & 0xFF)] ^ tables[1_536 + Int(low >> 8 & 0xFF)]
                    let second = tables[1_280 + Int(low >> 16 & 0xFF)] ^ tables[1_024 + Int(low >> 24)]
                    let third = tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)]
                    let fourth = tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                    rest = first ^ second ^ third ^ fourth
                    at += 8
                }
                while at < bytes.count {
                    rest = rest >> 8 ^ tables[Int((rest ^ UInt32(bytes[at])) & 0xFF)]
                    at += 1
                }
                return ~rest
            }
        }
    }
}
