import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// The secret of these tests.
private let secret = [UInt8](1...32)
/// The clock of these tests, in seconds and in ms.
private let second: Int64 = 1_780_000_000
private let now = second * 1000

private let goodHeader = #"{"alg":"HS256","typ":"JWT"}"#
private let goodClaims = [
    "iss": #""roost""#, "aud": #""roost""#, "use": #""user""#, "sub": #""ada""#, "op": "false",
    "iat": "\(second)", "exp": "\(second + 3600)",
]

/// The valid payload with some claims replaced; nil leaves one out. Values are raw JSON.
private func payload(_ changes: [String: String?] = [:]) -> String {
    let claims = changes.reduce(into: goodClaims) { claims, change in claims[change.key] = change.value }
    return "{" + claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}

private func base64(_ text: String) -> String { base64(Array(text.utf8)) }
private func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }

private struct Signer {
    let key: TokenKey

    init(_ secret: [UInt8] = secret) async throws { key = try await TokenKey(secret: secret) }

    /// Signs any two texts, valid or not.
    func token(header: String = goodHeader, payload: String = payload()) throws -> String {
        try raw(base64(header) + "." + base64(payload))
    }

    func raw(_ signed: String) throws -> String {
        signed + "." + base64(try key.signature(of: signed.utf8))
    }
}

/// A token that must be refused, and the expected refusal.
private struct Forgery {
    let what: String
    let token: String
    /// The claim that the refusal names; nil if the fault is not in a claim.
    var fault: TokenFault?
    /// Whether its only fault is that it has expired.
    var isExpired = false
}

/// Signed with the right key, but with an invalid header.
private let badHeaders: [(String, String)] = [
    ("no algorithm", #"{"typ":"JWT"}"#),
    ("alg none", #"{"alg":"none","typ":"JWT"}"#),
    ("alg None", #"{"alg":"None","typ":"JWT"}"#),
    ("alg NONE", #"{"alg":"NONE","typ":"JWT"}"#),
    ("alg nOnE", #"{"alg":"nOnE","typ":"JWT"}"#),
    ("alg empty", #"{"alg":"","typ":"JWT"}"#),
    ("alg null", #"{"alg":null,"typ":"JWT"}"#),
    ("alg number", #"{"alg":256,"typ":"JWT"}"#),
    ("alg array", #"{"alg":["HS256"],"typ":"JWT"}"#),
    ("alg hs256", #"{"alg":"hs256","typ":"JWT"}"#),
    ("alg Hs256", #"{"alg":"Hs256","typ":"JWT"}"#),
    ("alg with a space", #"{"alg":"HS256 ","typ":"JWT"}"#),
    ("alg with NUL", #"{"alg":"HS256\u0000","typ":"JWT"}"#),
    ("alg HS384", #"{"alg":"HS384","typ":"JWT"}"#),
    ("alg HS512", #"{"alg":"HS512","typ":"JWT"}"#),
    ("alg RS256", #"{"alg":"RS256","typ":"JWT"}"#),
    ("alg ES256", #"{"alg":"ES256","typ":"JWT"}"#),
    ("alg EdDSA", #"{"alg":"EdDSA","typ":"JWT"}"#),
    ("alg under another case", #"{"Alg":"HS256","typ":"JWT"}"#),
    ("alg twice", #"{"alg":"HS256","alg":"HS256","typ":"JWT"}"#),
    ("alg twice, first none", #"{"alg":"none","typ":"JWT","alg":"HS256"}"#),
    ("alg twice, once in escapes", #"{"alg":"HS256","\u0061lg":"none"}"#),
    ("typ twice", #"{"alg":"HS256","typ":"JWT","typ":"JWT"}"#),
    ("typ jwt", #"{"alg":"HS256","typ":"jwt"}"#),
    ("typ at+jwt", #"{"alg":"HS256","typ":"at+jwt"}"#),
    ("typ null", #"{"alg":"HS256","typ":null}"#),
    ("an embedded jwk", #"{"alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}"#),
    ("jku", #"{"alg":"HS256","jku":"https://example.org/keys"}"#),
    ("x5u", #"{"alg":"HS256","x5u":"https://example.org/chain"}"#),
    ("x5c", #"{"alg":"HS256","x5c":["MIIB"]}"#),
    ("x5t", #"{"alg":"HS256","x5t":"AAAA"}"#),
    ("an unknown crit", #"{"alg":"HS256","crit":["b64"],"b64":false}"#),
    ("an empty crit", #"{"alg":"HS256","crit":[]}"#),
    ("b64 false", #"{"alg":"HS256","b64":false}"#),
    ("zip", #"{"alg":"HS256","zip":"DEF"}"#),
    ("cty", #"{"alg":"HS256","cty":"JWT"}"#),
    ("kid unknown", #"{"alg":"HS256","kid":"1"}"#),
    ("kid empty", #"{"alg":"HS256","kid":""}"#),
    ("kid that is a path", #"{"alg":"HS256","kid":"../../dev/null"}"#),
    ("an unknown key", #"{"alg":"HS256","x":1}"#),
    ("an array", #"["alg","HS256"]"#),
    ("a string", #""HS256""#),
    ("null", "null"),
    ("an empty object", "{}"),
    ("nothing", ""),
    ("two objects", #"{"alg":"HS256"}{"alg":"HS256"}"#),
    ("a trailing comma", #"{"alg":"HS256",}"#),
    ("single quotes", "{'alg':'HS256'}"),
    ("a byte order mark", "\u{FEFF}" + goodHeader),
    ("a lone surrogate", #"{"alg":"HS256\ud800"}"#),
    ("a cut end", #"{"alg":"HS256""#),
]

/// Signed with the right key, but with invalid claims.
private let badClaims: [(String, [String: String?])] = [
    ("no exp", ["exp": nil]),
    ("exp null", ["exp": "null"]),
    ("exp as string", ["exp": "\"\(second + 3600)\""]),
    ("exp as float", ["exp": "\(second + 3600).5"]),
    ("exp as whole float", ["exp": "\(second + 3600).0"]),
    ("exp with exponent", ["exp": "1.78e9"]),
    ("exp true", ["exp": "true"]),
    ("exp in ms", ["exp": "\(now + 3_600_000)"]),
    ("exp huge", ["exp": "9223372036854775807"]),
    ("exp beyond 64 bits", ["exp": "9223372036854775808"]),
    ("exp beyond a double", ["exp": "1e999"]),
    ("exp with 1000 digits", ["exp": String(repeating: "9", count: 1000)]),
    ("exp negative", ["exp": "-1"]),
    ("exp most negative", ["exp": "-9223372036854775808"]),
    ("exp with leading zero", ["exp": "0\(second + 3600)"]),
    ("exp NaN", ["exp": "NaN"]),
    ("exp as array", ["exp": "[\(second + 3600)]"]),
    ("exp 365 days and a second after iat", ["exp": "\(second + 365 * 86_400 + 1)"]),
    ("exp equal to iat", ["exp": "\(second)"]),
    ("exp before iat", ["exp": "\(second - 10)"]),
    ("no iat", ["iat": nil]),
    ("iat 61 s ahead", ["iat": "\(second + 61)"]),
    ("iat as string", ["iat": "\"\(second)\""]),
    ("iat negative", ["iat": "-9223372036854775808"]),
    ("nbf 61 s ahead", ["nbf": "\(second + 61)"]),
    ("nbf huge", ["nbf": "9223372036854775807"]),
    ("nbf as string", ["nbf": "\"0\""]),
    ("nbf null", ["nbf": "null"]),
    ("jti as number", ["jti": "7"]),
    ("jti null", ["jti": "null"]),
    ("jti empty", ["jti": "\"\""]),
    ("jti of 129 bytes", ["jti": "\"\(String(repeating: "a", count: 129))\""]),
    ("jti with a control character", ["jti": #""a\u0007""#]),
    ("host as number", ["use": #""visitor""#, "host": "7"]),
    ("host null", ["use": #""visitor""#, "host": "null"]),
    ("host empty", ["use": #""visitor""#, "host": #""""#]),
    ("host that is no user id", ["use": #""visitor""#, "host": #""two words""#]),
    ("host who is the user", ["use": #""visitor""#, "host": #""ada""#]),
    ("host of an operator", ["use": #""visitor""#, "host": #""support""#, "op": "true"]),
    ("host of a user who is no visitor", ["host": #""support""#]),
    ("no host of a visitor", ["use": #""visitor""#]),
    ("no iss", ["iss": nil]),
    ("iss of another", ["iss": #""rooster""#]),
    ("iss in another case", ["iss": #""Roost""#]),
    ("iss null", ["iss": "null"]),
    ("no aud", ["aud": nil]),
    ("aud of another", ["aud": #""nest""#]),
    ("aud as array of others", ["aud": #"["nest","Roost"]"#]),
    ("aud as empty array", ["aud": "[]"]),
    ("aud as array with a number", ["aud": #"["roost",7]"#]),
    ("aud as array in an array", ["aud": #"[["roost"]]"#]),
    ("aud empty", ["aud": #""""#]),
    ("no use", ["use": nil]),
    ("use admin", ["use": #""admin""#]),
    ("use upload", ["use": #""upload""#]),
    ("no sub", ["sub": nil]),
    ("sub empty", ["sub": #""""#]),
    ("sub null", ["sub": "null"]),
    ("sub as number", ["sub": "7"]),
    ("sub as object", ["sub": #"{"id":"ada"}"#]),
    ("sub with a colon", ["sub": #""ada:bob""#]),
    ("sub with a space", ["sub": #""ada bob""#]),
    ("sub with a slash", ["sub": #""../ada""#]),
    ("sub with a line end", ["sub": #""ada\n""#]),
    ("sub with NUL", ["sub": #""ada\u0000""#]),
    ("sub with raw NUL", ["sub": "\"ada\u{0}\""]),
    ("sub with an umlaut", ["sub": #""ädä""#]),
    ("sub with the Kelvin sign", ["sub": "\"\u{212A}\""]),
    ("sub of 65 characters", ["sub": "\"" + String(repeating: "a", count: 65) + "\""]),
    ("sub with a lone surrogate", ["sub": #""ada\udc00""#]),
    ("op as string", ["op": #""true""#]),
    ("op as number", ["op": "1"]),
    ("op null", ["op": "null"]),
    ("name as number", ["name": "7"]),
    ("name empty", ["name": #""""#]),
    ("name with an escape sequence", ["name": #""\u001b[2J""#]),
    ("name of 201 characters", ["name": "\"" + String(repeating: "a", count: 201) + "\""]),
    ("picture as object", ["picture": "{}"]),
    ("picture empty", ["picture": #""""#]),
    ("picture with a line end", ["picture": #""https://example.org/\r\nX""#]),
    ("picture of 2001 bytes", ["picture": "\"" + String(repeating: "a", count: 2001) + "\""]),
    ("33 levels", ["deep": String(repeating: "[", count: 33) + String(repeating: "]", count: 33)]),
    ("1000 levels that never close", ["deep": String(repeating: "[", count: 1000)]),
]

/// The claim that the refusal of a row of `badClaims` names: the first word of its description, if it is valid JSON.
private func faultOfClaims(_ what: String) throws -> TokenFault {
    let broken = [
        "exp with leading zero", "exp NaN", "sub with raw NUL", "sub with a lone surrogate", "33 levels",
        "1000 levels that never close",
    ]
    if broken.contains(what) { return .payload }
    let claim = try #require(
        what.split(separator: " ").lazy.compactMap { TokenFault.Claim(rawValue: String($0)) }.first, "\(what)")
    return what.hasSuffix("ahead") ? .ahead(claim) : .claim(claim)
}

/// Signed with the right key, but with a payload that is not an object of claims.
private let badPayloads: [(String, String)] = [
    ("an array of claims", "[" + payload() + "]"),
    ("an empty array", "[]"),
    ("an empty object", "{}"),
    ("a string", #""ada""#),
    ("a number", "7"),
    ("null", "null"),
    ("nothing", ""),
    ("NUL", "\u{0}"),
    ("an object and more", payload() + " true"),
    ("an object and NUL", payload() + "\u{0}"),
    ("sub twice", payload().dropLast() + #","sub":"bob"}"#),
    ("sub twice, once in escapes", payload().dropLast() + #","s\u0075b":"bob"}"#),
    ("exp twice", payload().dropLast() + ",\"exp\":\(second + 3600)}"),
    ("an unknown claim twice", payload().dropLast() + #","x":1,"x":2}"#),
    ("a trailing comma", payload().dropLast() + ",}"),
    ("a comment", "/* */" + payload()),
    ("257 claims", payload().dropLast() + (0..<257).map { ",\"\($0)\":0" }.joined() + "}"),
]

/// Altered valid tokens.
private func alteredTokens(_ signer: Signer) async throws -> [Forgery] {
    let good = try signer.token()
    let parts = good.split(separator: ".").map(String.init)
    let (header, claims, signature) = (parts[0], parts[1], parts[2])
    let other = try await Signer([UInt8](2...33)).token()
    let longer = try await Signer(secret + [1]).token()
    // The last letter of 43 carries four bits; the other two of its six must be zero.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let last = try #require(signature.last.flatMap { alphabet.firstIndex(of: $0) })
    var forgeries = [
        Forgery(what: "nothing", token: ""),
        Forgery(what: "one part", token: header),
        Forgery(what: "two parts", token: header + "." + claims),
        Forgery(what: "four parts", token: good + "." + signature),
        Forgery(what: "five parts", token: good + ".."),
        Forgery(what: "only dots", token: ".."),
        Forgery(what: "many dots", token: String(repeating: ".", count: 4096)),
        Forgery(what: "no header", token: "." + claims + "." + signature),
        Forgery(what: "no payload", token: header + ".." + signature),
        Forgery(what: "no signature", token: header + "." + claims + "."),
        Forgery(what: "no header, signed", token: try signer.raw("." + claims)),
        Forgery(what: "no payload, signed", token: try signer.raw(header + ".")),
        Forgery(what: "unsigned with alg none", token: base64(#"{"alg":"none"}"#) + "." + claims + "."),
        Forgery(what: "signed by another secret", token: other),
        Forgery(what: "signed by a longer secret", token: longer),
        Forgery(what: "another's signature", token: header + "." + claims + other.suffix(44)),
        Forgery(
            what: "another's claims",
            token: header + "." + base64(payload(["sub": #""bob""#])) + "." + signature),
        Forgery(what: "parts in another order", token: claims + "." + header + "." + signature),
        Forgery(what: "padding at the signature", token: good + "="),
        Forgery(what: "padding at the header, signed", token: try signer.raw(header + "=." + claims)),
        Forgery(what: "padding at the payload, signed", token: try signer.raw(header + "." + claims + "==")),
        Forgery(what: "a space before", token: " " + good),
        Forgery(what: "a space after", token: good + " "),
        Forgery(what: "a line end after", token: good + "\n"),
        Forgery(what: "Windows' line end after", token: good + "\r\n"),
        Forgery(what: "a space within, signed", token: try signer.raw(header + " ." + claims)),
        Forgery(what: "a line end within, signed", token: try signer.raw(header + ".\n" + claims)),
        Forgery(what: "NUL after", token: good + "\u{0}"),
        Forgery(what: "NUL before", token: "\u{0}" + good),
        Forgery(what: "NUL within, signed", token: try signer.raw(header + ".\u{0}" + claims)),
        Forgery(what: "Bearer before", token: "Bearer " + good),
        Forgery(what: "quotes around", token: "\"" + good + "\""),
        Forgery(what: "JSON serialisation", token: #"{"payload":"\#(claims)","signature":"\#(signature)"}"#),
        Forgery(what: "a full-width dot", token: header + "\u{FF0E}" + claims + "." + signature),
        Forgery(what: "a combining mark on the dot", token: header + ".\u{301}" + claims + "." + signature),
        Forgery(what: "an emoji", token: good + "🐔"),
        Forgery(what: "a no-break space", token: good + "\u{A0}"),
        Forgery(what: "a Cyrillic letter", token: "е" + good.dropFirst()),
        Forgery(what: "a byte that is not UTF-8", token: String(decoding: Array(good.utf8) + [0xFF], as: UTF8.self)),
        Forgery(what: "percent encoding", token: good.replacingOccurrences(of: ".", with: "%2E")),
        Forgery(what: "signature of 33 bytes", token: header + "." + claims + "." + base64([UInt8](0..<33))),
        Forgery(
            what: "signature of zeros", token: header + "." + claims + "." + base64([UInt8](repeating: 0, count: 32))),
        Forgery(what: "an impossible length", token: good + "AA"),
        Forgery(what: "payload of one letter, signed", token: try signer.raw(header + ".A")),
        Forgery(what: "4097 bytes", token: try filled(to: 4097, signer)),
        Forgery(what: "a mebibyte", token: String(repeating: "A", count: 1 << 20)),
        Forgery(
            what: "a mebibyte of payload",
            token: header + "." + String(repeating: "A", count: 1 << 20) + "." + signature),
    ]
    for bits in 1...3 {
        forgeries.append(
            Forgery(what: "\(bits) in the bits left over", token: good.dropLast() + String(alphabet[last | bits])))
    }
    // A payload whose standard base64 contains both characters that base64url replaces, signed in that form.
    let standard = Data(payload(["name": #""~~~???>>>ÿÿ""#]).utf8).base64EncodedString().filter { $0 != "=" }
    #expect(standard.contains("+") || standard.contains("/"))
    forgeries.append(Forgery(what: "the standard alphabet, signed", token: try signer.raw(header + "." + standard)))
    for count in 1...signature.count {
        forgeries.append(Forgery(what: "the signature short of \(count)", token: String(good.dropLast(count))))
    }
    return forgeries
}

/// A valid token of exactly `count` bytes.
private func filled(to count: Int, _ signer: Signer) throws -> String {
    for length in 0..<count {
        let token = try signer.token(payload: payload(["x": "\"" + String(repeating: "a", count: length) + "\""]))
        if token.utf8.count == count { return token }
        if token.utf8.count > count { break }
    }
    // Three payload bytes are four characters, so one length in four needs a longer header.
    for length in 0..<count {
        let token = try signer.token(
            header: goodHeader + " ", payload: payload(["x": "\"" + String(repeating: "a", count: length) + "\""]))
        if token.utf8.count == count { return token }
        if token.utf8.count > count { break }
    }
    throw TokenFault.form
}

private func expectRefused(_ forgeries: [Forgery]) async throws {
    let verifier = try await TokenVerifier(secret: secret)
    let advice = "Get a new token: roost token --data DIR --user ID"
    for forgery in forgeries {
        do {
            let identity = try await verifier.verify(forgery.token, now: now)
            Issue.record("\(forgery.what): taken for \(identity.userID)")
        } catch {
            let code = forgery.isExpired ? ErrorCode.tokenExpired : .wrongCredentials
            #expect(error.code == code.code, "\(forgery.what)")
            #expect(!error.retryable, "\(forgery.what)")
            if forgery.isExpired {
                #expect(error.message == "The token has expired: \"exp\" is in the past. \(advice)", "\(forgery.what)")
                continue
            }
            let faults = forgery.fault.map { [$0] } ?? [.form, .header, .payload, .signature]
            let messages = faults.map { "The token is not valid: \($0.reason). \(advice)" }
            #expect(messages.contains(error.message), "\(forgery.what): \(error.message)")
        }
    }
}

@Suite struct TokenTests {
    @Test func `a header that is not ours is refused`() async throws {
        let signer = try await Signer()
        try await expectRefused(
            badHeaders.map {
                Forgery(what: $0, token: try signer.token(header: $1), fault: $0.hasPrefix("kid") ? .key : .header)
            })
    }

    @Test func `claims that are not a session's are refused, and the refusal names the claim`() async throws {
        let signer = try await Signer()
        try await expectRefused(
            badClaims.map { what, changes in
                Forgery(
                    what: what, token: try signer.token(payload: payload(changes)), fault: try faultOfClaims(what))
            })
        // Every claim has a row.
        let named = try badClaims.compactMap { what, _ in
            if case .claim(let claim) = try faultOfClaims(what) { claim } else { nil }
        }
        #expect(Set(named) == Set(TokenFault.Claim.allCases))
    }

    @Test(arguments: [#"["roost"]"#, #"["nest", "roost"]"#])
    func `an audience may be a list with this server in it, as many libraries write it`(list: String) async throws {
        let token = try await Signer().token(payload: payload(["aud": list]))
        let verifier = try await TokenVerifier(secret: secret)
        let identity = try await verifier.verify(token, now: now)
        #expect(identity.userID.rawValue == "ada")
    }

    @Test func `a code is no token, a token is no code, and a code is valid for ten minutes at most`() async throws {
        let signer = try await Signer()
        let verifier = try await TokenVerifier(secret: secret)
        func code(_ changes: [String: String?] = [:]) throws -> String {
            let claims = ["use": #""code""#, "exp": "\(second + 600)", "jti": #""j""#] as [String: String?]
            return try signer.token(payload: payload(claims.merging(changes) { $1 }))
        }
        let identity = try verifier.verify(code: code(["op": "true", "name": #""Ada""#]), now: now)
        #expect(identity.userID.rawValue == "ada" && identity.isOperator && identity.name == "Ada")
        // No token has this id.
        #expect(identity.access.tokenID == "code j")
        _ = try verifier.verify(code: code(), now: now + 599_999)
        try await expectRefused([Forgery(what: "a code", token: code(), fault: .claim(.use))])
        func expectNoCode(_ text: String, at time: Int64 = now, _ what: String) {
            do throws(WireError) {
                _ = try verifier.verify(code: text, now: time)
                Issue.record("accepted: \(what)")
            } catch {
                #expect(error == .wrongCode, "\(what)")
            }
        }
        expectNoCode(try signer.token(), "a token")
        expectNoCode(try code(["exp": "\(second + 601)"]), "a code of more than ten minutes")
        expectNoCode(try code(), at: now + 600_000, "an expired code")
        expectNoCode(try code(["iat": "\(second + 61)"]), "a code of the future")
        expectNoCode(try code(["use": #""Code""#]), "another use")
        expectNoCode(try code(["use": nil]), "no use")
        expectNoCode(try await Signer([UInt8](2...33)).token(payload: payload(["use": #""code""#])), "another secret")
        for (what, changes) in badClaims where changes["exp"] == nil && changes["use"] == nil {
            expectNoCode(try code(changes), what)
        }
    }

    @Test func `the error for a token with a foreign signature discloses no claims`() async throws {
        let signer = try await Signer([UInt8](2...33))
        for (what, changes) in badClaims {
            let fault = try faultOfClaims(what)
            try await expectRefused([
                Forgery(
                    what: what, token: try signer.token(payload: payload(changes)),
                    fault: fault == .payload ? .payload : .signature)
            ])
        }
    }

    @Test func `a payload that is no object of claims is refused`() async throws {
        let signer = try await Signer()
        try await expectRefused(
            badPayloads.map { what, text in
                Forgery(
                    what: what, token: try signer.token(payload: text),
                    fault: what == "an empty object" ? .claim(.iss) : .payload)
            })
    }

    @Test func `an altered token is refused`() async throws {
        try await expectRefused(alteredTokens(Signer()))
    }

    @Test func `payload bytes that are not UTF-8 are refused`() async throws {
        let signer = try await Signer()
        let signed = [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]].map { bad in
            base64(goodHeader) + "."
                + base64(Array(payload().dropLast().utf8) + Array(",\"name\":\"".utf8) + bad + Array("\"}".utf8))
        }
        try await expectRefused(signed.map { Forgery(what: $0, token: try signer.raw($0)) })
    }

    @Test func `no single changed bit of a token is accepted`() async throws {
        let good = Array(try await Signer().token().utf8)
        var forgeries: [Forgery] = []
        for index in good.indices {
            for bit in 0..<8 {
                var bytes = good
                bytes[index] ^= 1 << UInt8(bit)
                forgeries.append(
                    Forgery(what: "bit \(bit) of byte \(index)", token: String(decoding: bytes, as: UTF8.self)))
            }
        }
        try await expectRefused(forgeries)
    }

    @Test func `signed garbage is answered, and what passes is sane`() async throws {
        let signer = try await Signer()
        let verifier = try await TokenVerifier(secret: secret)
        let good = Array(payload(["name": #""Ada""#, "nbf": "0", "x": "[1.5e3,{}]"]).utf8)
        var generator = SeededNumbers(for: "signed garbage")
        var accepted = 0
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(good.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            let token = try signer.raw(base64(goodHeader) + "." + base64(bytes))
            do {
                let identity = try await verifier.verify(token, now: now)
                accepted += 1
                #expect(UserID(rawValue: identity.userID.rawValue) != nil, "ROOST_SEED=\(SeededNumbers.seed)")
                #expect(identity.access.expiresAt > now, "ROOST_SEED=\(SeededNumbers.seed)")
            } catch {
                #expect([1, 7002].contains(error.code), "ROOST_SEED=\(SeededNumbers.seed)")
            }
        }
        // Changing the name or a number gives a valid token; if there are none, nothing was checked.
        #expect((1..<3000).contains(accepted), "ROOST_SEED=\(SeededNumbers.seed)")
    }

    @Test func `only a valid token that has expired is reported as expired`() async throws {
        let signer = try await Signer()
        let old: [String: String?] = ["iat": "\(second - 7200)", "exp": "\(second - 3600)"]
        try await expectRefused([
            Forgery(what: "expired", token: try signer.token(payload: payload(old)), isExpired: true),
            Forgery(
                what: "expired, by another secret",
                token: try await Signer([UInt8](2...33)).token(payload: payload(old))),
            Forgery(
                what: "expired, for another app",
                token: try signer.token(payload: payload(old.merging(["aud": #""nest""#]) { $1 })),
                fault: .claim(.aud)),
        ])
    }

    @Test func `the clocks may differ by a minute`() async throws {
        let signer = try await Signer()
        let verifier = try await TokenVerifier(secret: secret)
        let token = try signer.token(payload: payload(["nbf": "\(second + 100)"]))
        let valid = (second + 40) * 1000...(second + 3660) * 1000 - 1
        for time in [valid.lowerBound, valid.upperBound] {
            let identity = try await verifier.verify(token, now: time)
            #expect(identity.access.expiresAt == valid.upperBound + 1)
        }
        for (time, code) in [(valid.lowerBound - 1, 1), (valid.upperBound + 1, 7002), (.max, 7002), (.min, 1)] {
            let error = await #expect(throws: WireError.self) { try await verifier.verify(token, now: time) }
            #expect(error?.code == code)
        }
    }

    @Test func `a token that other software made by the standard is accepted`() async throws {
        // From Python's json and hmac: another order of keys, spaces, \u escapes, a null, an unknown claim.
        let token = """
            eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJIUzI1NiJ9.eyJzdWIiOiAiYWRhQGV4YW1wbGUub3JnIiwgImlzcyI6ICJyb\
            29zdCIsICJhdWQiOiAicm9vc3QiLCAidXNlIjogInVzZXIiLCAibmFtZSI6ICJBZGEgTFx1MDBmNndlIiwgInBpY3R\
            1cmUiOiBudWxsLCAiaWF0IjogMTc4MDAwMDAwMCwgImV4cCI6IDE3ODAwMDM2MDAsICJ0ZWFtIjogeyJpZCI6IDd9f\
            Q.9NEBOQGzDTAYaYV9OPhNIDI1XgFAnBbIVWafP0LgsUQ
            """
        var identity = try await TokenVerifier(secret: secret).verify(token, now: now)
        // The beginning of the SHA-256 hash of the bytes 1 to 32.
        #expect(identity.keyID == "ae216c2ef5247a37")
        identity.keyID = nil
        #expect(
            identity
                == Identity(
                    userID: try #require(UserID(rawValue: "ada@example.org")), name: "Ada Löwe", isOperator: false,
                    access: Access(
                        tokenID: "B1OI-StqpM3rnDwm4TA44Q", issuedAt: second * 1000, expiresAt: (second + 3660) * 1000)))
    }

    @Test func `typ may be omitted, and white space and unknown claims are allowed`() async throws {
        let signer = try await Signer()
        let verifier = try await TokenVerifier(secret: secret)
        let tokens = [
            try signer.token(header: #"{"alg":"HS256"}"#),
            try signer.token(header: " {\r\n\t\"\\u0061lg\" : \"HS256\" } ", payload: "\n" + payload() + " "),
            try signer.token(payload: payload(["jti": #""7""#, "roles": #"[{"a":null}]"#, "op": "true"])),
            try signer.token(payload: payload(["op": nil, "name": "null", "iat": "\(second + 60)"])),
        ]
        for token in tokens {
            #expect(try await verifier.verify(token, now: now).userID.rawValue == "ada")
        }
    }

    @Test func `the signature is that of RFC 7515, appendix A.1`() async throws {
        let secret = try Base64URL.decode(
            "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow".utf8)
        let signed = """
            eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\
            eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
            """
        let signature = try await TokenKey(secret: secret).signature(of: signed.utf8)
        #expect(base64(signature) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test func `what the issuer writes the verifier reads`() async throws {
        let issuer = try await TokenIssuer(secret: secret)
        let verifier = try await TokenVerifier(secret: secret)
        let ada = try #require(UserID(rawValue: "Ada_1.x@example-0.org"))
        let longest = try #require(UserID(rawValue: String(repeating: "z", count: 64)))
        let cases: [(UserID, String?, String?, Bool, Int64)] = [
            (ada, nil, nil, false, 1),
            (ada, "Ada", "https://example.org/ada.png?a=1&b=\"2\"", true, 3600),
            (longest, #"a"b\c/d <e> é 🐔 漢字"#, nil, false, 365 * 86_400),
            (longest, String(repeating: "漢", count: 200), "https://" + String(repeating: "a", count: 1500), true, 60),
        ]
        var ids: Set<String> = []
        for (userID, name, imageURL, isOperator, life) in cases {
            let token = try await issuer.issue(
                userID: userID, name: name, imageURL: imageURL, isOperator: isOperator, ttl: life, now: now + 999)
            var identity = try await verifier.verify(token, now: now)
            #expect(identity.keyID == "ae216c2ef5247a37")
            identity.keyID = nil
            let expected = Identity(
                userID: userID, name: name, imageURL: imageURL, isOperator: isOperator,
                access: Access(
                    tokenID: identity.access.tokenID, issuedAt: second * 1000, expiresAt: (second + life + 60) * 1000))
            #expect(identity == expected)
            #expect(identity.access.tokenID.utf8.count == 32)
            #expect(ids.insert(identity.access.tokenID).inserted)
        }
    }

    @Test func `the issuer refuses what the verifier would refuse`() async throws {
        let issuer = try await TokenIssuer(secret: secret)
        let ada = try #require(UserID(rawValue: "ada"))
        let long = String(repeating: "a", count: 2001)
        let wide = String(repeating: "漢", count: 200)
        let cases: [(String?, String?, Int64, Int64)] = [
            (nil, nil, 0, now), (nil, nil, -1, now), (nil, nil, .min, now), (nil, nil, .max, now),
            (nil, nil, 365 * 86_400 + 1, now), (nil, nil, 60, -1000), (nil, nil, 60, .max), (nil, nil, 60, .min),
            ("", nil, 60, now), ("a\nb", nil, 60, now), (String(long.prefix(201)), nil, 60, now),
            (nil, "", 60, now), (nil, "https://\u{0}", 60, now), (nil, long, 60, now),
            (wide, String(repeating: "\"", count: 2000), 60, now),
        ]
        for (name, imageURL, life, time) in cases {
            let error = await #expect(throws: WireError.self) {
                try await issuer.issue(userID: ada, name: name, imageURL: imageURL, ttl: life, now: time)
            }
            #expect(error?.entry == .dataFormat)
        }
    }

    @Test func `after a rotation the old key is accepted, a new one signs, and a dropped one is refused`() async throws
    {
        let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let keys = try await TokenKeys(secrets: [old])
        let (issuer, verifier) = (TokenIssuer(keys: keys), TokenVerifier(keys: keys))
        let ada = try #require(UserID(rawValue: "ada"))
        func issue() async throws -> String { try await issuer.issue(userID: ada, ttl: 3_600, now: now) }
        let first = try await issue()
        // Of a backend that names no key.
        let nameless = try await Signer(old).token(header: goodHeader)
        #expect(try await !keys.replace(with: [old]))
        #expect(try await keys.replace(with: [new, old]))
        let second = try await issue()
        var ids: [String?] = []
        for token in [first, second] { ids.append(try await verifier.verify(token, now: now).keyID) }
        #expect(ids[0] != nil && ids[1] != nil && ids[0] != ids[1])
        #expect(try await verifier.verify(nameless, now: now).keyID == ids[0])
        #expect(try await keys.replace(with: [new]))
        #expect(try await verifier.verify(second, now: now).keyID == ids[1])
        for token in [first, nameless] {
            await #expect(throws: WireError.self) { try await verifier.verify(token, now: now) }
        }
        // A key cannot vouch for another one's token.
        let swapped = try await Signer(new).token(header: #"{"alg":"HS256","kid":"\#(ids[0] ?? "")"}"#)
        #expect(try await keys.replace(with: [new, old]))
        await #expect(throws: WireError.self) { try await verifier.verify(swapped, now: now) }
        await #expect(throws: SecretError.self) { try await keys.replace(with: []) }
    }

    @Test func `a token of 4096 bytes is accepted, of 4097 not`() async throws {
        let signer = try await Signer()
        let verifier = try await TokenVerifier(secret: secret)
        #expect(try await verifier.verify(filled(to: 4096, signer), now: now).userID.rawValue == "ada")
        try await expectRefused([Forgery(what: "4097 bytes", token: try filled(to: 4097, signer))])
    }

    @Test func `a secret shorter than 32 bytes is rejected`() async throws {
        for count in [0, 1, 31] {
            let short = [UInt8](repeating: 7, count: count)
            await #expect(throws: SecretError.self) { try await TokenVerifier(secret: short) }
            await #expect(throws: SecretError.self) { try await TokenIssuer(secret: short) }
        }
    }

    @Test func `base64url has one spelling per value`() throws {
        for (bytes, text) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg")] {
            #expect(base64(bytes) == text)
            #expect(try Base64URL.decode(text.utf8) == Array(bytes.utf8))
        }
        #expect(base64([0xFB, 0xFF, 0xBF]) == "-_-_")
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        for text in ["A", "Zh", "Zm9", "Zg=", "Zg==", "Z g", "Zg\n", "+/+/", "Zm9vA", "ä", "\u{0}\u{0}"] {
            #expect(throws: TokenFault.self) { try Base64URL.decode(text.utf8) }
        }
    }
}

@Suite struct SecretTests {
    /// Runs with a new directory and removes it.
    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("roost-secret-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url.path)
    }

    private func write(_ text: String, mode: Int = 0o600, to directory: String) throws {
        let file = directory + "/secret"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    @Test func `the first start creates a secret that no other user can read`() async throws {
        try await withDirectory { directory in
            let secret = try Secret.loadOrMake(inDirectory: directory)
            #expect(secret.count == 32)
            #expect(Set(secret).count > 8)
            let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/secret")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOfFile: directory + "/secret", encoding: .utf8)
            #expect(text == secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
        }
    }

    @Test func `the second start finds the same secret`() async throws {
        try await withDirectory { directory in
            let secret = try Secret.loadOrMake(inDirectory: directory)
            #expect(try Secret.loadOrMake(inDirectory: directory) == secret)
            #expect(try Secret.load(fromDirectory: directory) == secret)
        }
    }

    @Test func `two directories have two secrets`() async throws {
        try await withDirectory { one in
            try await withDirectory { two in
                let secrets = try [one, two].map(Secret.loadOrMake(inDirectory:))
                #expect(secrets[0] != secrets[1])
            }
        }
    }

    @Test func `starts at the same moment agree on one secret`() async throws {
        for _ in 0..<20 {
            try await withDirectory { directory in
                let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for _ in 0..<8 { group.addTask { try Secret.loadOrMake(inDirectory: directory) } }
                    return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
                }
                #expect(secrets.count == 1)
                #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
            }
        }
    }

    @Test func `a secret that others have rights on is refused`() async throws {
        let digits = String(repeating: "5a", count: 32) + "\n"
        for mode in [0o604, 0o640, 0o644, 0o620, 0o602, 0o610, 0o601, 0o666, 0o777] {
            try await withDirectory { directory in
                try write(digits, mode: mode, to: directory)
                let error = #expect(throws: SecretError.self) { try Secret.loadOrMake(inDirectory: directory) }
                #expect(error?.description.contains("chmod 600 \(directory)/secret") == true)
            }
        }
        try await withDirectory { directory in
            try write(digits, mode: 0o400, to: directory)
            #expect(try Secret.load(fromDirectory: directory) == [UInt8](repeating: 0x5A, count: 32))
        }
    }

    @Test func `a short or spoilt secret is refused, kept and not shown`() async throws {
        let texts = [
            "", "\n", "5a\n", String(repeating: "5a", count: 31), String(repeating: "5a", count: 32) + "5",
            String(repeating: "zz", count: 32), String(repeating: "5A", count: 32),
            String(repeating: "5a", count: 32) + "\n\n", " " + String(repeating: "5a", count: 32),
            String(repeating: "5a", count: 16) + "\n" + String(repeating: "5a", count: 16),
            String(repeating: "\u{0}", count: 64), String(repeating: "5a", count: 3000),
        ]
        for text in texts {
            try await withDirectory { directory in
                try write(text, to: directory)
                let error = #expect(throws: SecretError.self) { try Secret.loadOrMake(inDirectory: directory) }
                #expect(error?.description.contains(directory + "/secret") == true)
                #expect(error?.description.contains("5a5a") == false)
                #expect(try String(contentsOfFile: directory + "/secret", encoding: .utf8) == text)
            }
        }
    }

    @Test func `a secret without a line end and a longer one are accepted`() async throws {
        try await withDirectory { directory in
            try write(String(repeating: "01", count: 64), to: directory)
            #expect(try Secret.load(fromDirectory: directory) == [UInt8](repeating: 1, count: 64))
        }
    }

    @Test func `a rotation keeps the old secrets, and dropping them keeps the newest`() async throws {
        try await withDirectory { directory in
            let first = try Secret.loadOrMake(inDirectory: directory)
            var known = [first]
            for _ in 0..<3 {
                try Secret.rotate(inDirectory: directory)
                let all = try Secret.loadAll(fromDirectory: directory)
                #expect(Array(all.dropFirst()) == known && all.count == Set(all).count)
                #expect(try Secret.loadOrMake(inDirectory: directory) == all.first)
                known = all
            }
            #expect(throws: SecretError.self) { try Secret.rotate(inDirectory: directory) }
            #expect(try Secret.loadAll(fromDirectory: directory) == known)
            try Secret.drop(inDirectory: directory)
            #expect(try Secret.loadAll(fromDirectory: directory) == [known[0]])
            let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/secret")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
        }
        try await withDirectory { directory in
            #expect(throws: SecretError.self) { try Secret.rotate(inDirectory: directory) }
        }
    }

    @Test func `anything but a regular file is refused`() async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(
                atPath: directory + "/secret", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            #expect(throws: SecretError.self) { try Secret.loadOrMake(inDirectory: directory) }
        }
    }

    @Test func `without a secret or a directory the error describes what to do`() async throws {
        try await withDirectory { directory in
            let missing = #expect(throws: SecretError.self) { try Secret.load(fromDirectory: directory) }
            #expect(missing?.description.contains("roost serve --data \(directory)") == true)
            #expect(throws: SecretError.self) { try Secret.loadOrMake(inDirectory: directory + "/none") }
        }
    }
}
