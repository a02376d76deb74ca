import RoostWire

/// Strict validation of a token's bytes before its signature is verified.
///
/// RFC 7519 permits much that forgeries exploit: other algorithms, keys named in the header, duplicate keys, and
/// bytes that decoders treat differently. Here each token has exactly one encoding.
enum TokenPrevalidator {
    /// The maximum length of a token in bytes.
    static let maximumBytes = 4096
    /// The algorithm of the tokens of this server.
    static let own = "HS256"
    /// The length of an HMAC-SHA-256 in bytes.
    static let signatureBytes = 32

    /// The parts of a token: well-formed but not verified yet.
    struct Parts {
        /// The signed bytes: header and payload as received, with the dot.
        let signed: ArraySlice<UInt8>
        /// The payload: a JSON object without duplicate keys.
        let payload: [UInt8]
        /// The signature in the token.
        let signature: [UInt8]
        /// Which key has signed it, if it says so.
        let keyID: String?
        /// The algorithm in the header.
        let algorithm: String
    }

    /// Splits a token into its parts; its algorithm must be one of these.
    /// - Throws: `form`, `header` or `payload`, or `signature` if it has the wrong length.
    static func parts(of token: String, signedWith algorithms: Set<String> = [own]) throws(TokenFault) -> Parts {
        guard token.utf8.count <= maximumBytes else { throw .form }
        let bytes = Array(token.utf8)
        let texts = bytes.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard texts.count == 3 else { throw .form }
        let (algorithm, keyID) = try header(Base64URL.decode(texts[0]))
        guard algorithms.contains(algorithm) else { throw .header }
        let payload = try Base64URL.decode(texts[1])
        try readObject(payload, otherwise: .payload) { reader, _ in try reader.skip() }
        let signature = try Base64URL.decode(texts[2])
        guard algorithm == own ? signature.count == signatureBytes : (1...1_024).contains(signature.count) else {
            throw .signature
        }
        return Parts(
            signed: bytes[..<texts[1].endIndex], payload: payload, signature: signature, keyID: keyID,
            algorithm: algorithm)
    }

    /// In a token of this server only `alg`, `typ` and `kid` are allowed. In one of a provider other parameters are ignored, as
    /// RFC 7515 wants it: providers add `x5t` and such. Only extensions that must be understood are refused.
    /// - Returns: `alg` and `kid`.
    private static func header(_ header: [UInt8]) throws(TokenFault) -> (algorithm: String, keyID: String?) {
        var algorithm: String?
        var keyID: String?
        var type: String?
        var hasOthers = false
        try readObject(header, otherwise: .header) { reader, key in
            switch key {
            case "alg": algorithm = try reader.string()
            case "kid": keyID = try reader.string()
            case "typ": type = try reader.string()
            case "crit", "b64", "zip": throw TokenFault.header
            default:
                hasOthers = true
                try reader.skip()
            }
        }
        guard let algorithm else { throw .header }
        if algorithm == own {
            guard !hasOthers, type == nil || type == "JWT" else { throw .header }
        } else if let type {
            // RFC 9068 has a type of its own for access tokens.
            guard providerTypes.contains(type.lowercased()) else { throw .header }
        }
        return (algorithm, keyID)
    }

    private static let providerTypes = ["jwt", "at+jwt", "application/at+jwt"]

    /// Reads bytes that are a single JSON object without duplicate keys.
    /// - Throws: any `TokenFault` that `field` throws, and `fault` for every other error.
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

/// Base64url as in RFC 4648 §5, without padding and with exactly one encoding per value.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes bytes.
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

    /// Decodes bytes.
    /// - Throws: `form` for padding, a byte outside the alphabet, an impossible length or non-zero trailing bits.
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
