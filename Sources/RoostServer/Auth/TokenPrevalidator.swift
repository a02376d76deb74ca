import RoostWire

/// The strict look at a token's bytes, before its signature is computed.
///
/// RFC 7519 leaves much open that forgeries live from: other algorithms, keys
/// named in the header, keys given twice, bytes that one decoder skips and the
/// next one reads. Here a token has one spelling only.
enum TokenPrevalidator {
    /// The most bytes of a token.
    static let maximumBytes = 4096
    /// The bytes of an HMAC-SHA-256.
    static let signatureBytes = 32

    /// A token in its parts, well-formed but not yet proven.
    struct Parts {
        /// What the signature covers: header and payload as they came, with the dot.
        let signed: ArraySlice<UInt8>
        /// The payload: JSON, an object without duplicate keys.
        let payload: [UInt8]
        /// The signature that the token claims.
        let signature: [UInt8]
    }

    /// Takes a token apart.
    /// - Throws: `form`, `header` or `payload`, or `signature` for one of another length.
    static func parts(of token: String) throws(TokenFault) -> Parts {
        guard token.utf8.count <= maximumBytes else { throw .form }
        let bytes = Array(token.utf8)
        let texts = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard texts.count == 3 else { throw .form }
        try checkHeader(Base64URL.decode(texts[0]))
        let payload = try Base64URL.decode(texts[1])
        try readObject(payload, otherwise: .payload) { reader, _ in try reader.skip() }
        let signature = try Base64URL.decode(texts[2])
        guard signature.count == signatureBytes else { throw .signature }
        return Parts(signed: bytes[..<texts[1].endIndex], payload: payload, signature: signature)
    }

    /// Allows `alg` and `typ` and nothing else: there is one key, so a `kid` is unknown, and no extension is spoken.
    private static func checkHeader(_ header: [UInt8]) throws(TokenFault) {
        var algorithm: String?
        try readObject(header, otherwise: .header) { reader, key in
            switch key {
            case "alg": algorithm = try reader.string()
            case "typ": guard try reader.string() == "JWT" else { throw TokenFault.header }
            default: throw TokenFault.header
            }
        }
        guard algorithm == "HS256" else { throw .header }
    }

    /// Reads bytes that are one JSON object, no key of which comes twice.
    /// - Throws: what `field` throws as a `TokenFault`, and `fault` for everything else.
    static func readObject(
        _ bytes: [UInt8], otherwise fault: TokenFault, field: (inout JSONReader, String) throws -> Void
    ) throws(TokenFault) {
        var reader = JSONReader(bytes)
        var keys: Set<String> = []
        do {
            try reader.object { reader, key in
                guard keys.insert(key).inserted else { throw fault }
                try field(&reader, key)
            }
            try reader.finish()
        } catch let own as TokenFault {
            throw own
        } catch {
            throw fault
        }
    }
}

/// The alphabet of RFC 4648 §5, without padding and with one spelling per value.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Spells bytes.
    static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var pool: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pool = pool << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(pool >> UInt32(bits) & 0x3F)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(pool << UInt32(6 - bits) & 0x3F)]) }
        return text
    }

    /// Reads bytes.
    /// - Throws: `form` for padding, a byte outside the alphabet, an impossible length, and bits left over.
    static func decode(_ text: some Collection<UInt8>) throws(TokenFault) -> [UInt8] {
        guard text.count % 4 != 1 else { throw .form }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var pool: UInt32 = 0
        var bits = 0
        for letter in text {
            pool = pool << 6 | UInt32(try value(letter))
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pool >> UInt32(bits)))
            }
        }
        guard pool & ((1 << UInt32(bits)) - 1) == 0 else { throw .form }
        return bytes
    }

    private static func value(_ letter: UInt8) throws(TokenFault) -> UInt8 {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: throw .form
        }
    }
}
