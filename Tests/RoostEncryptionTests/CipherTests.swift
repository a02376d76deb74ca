import RoostCore
import Testing

@testable import RoostEncryption

/// Encrypting and decrypting content.
@Suite struct CipherTests {
    private static let one = [UInt8](repeating: 1, count: 32)
    private static let two = [UInt8](repeating: 2, count: 40)

    private func cipher(_ secrets: [UInt8]...) throws -> ContentCipher {
        try #require(ContentCipher(secrets: secrets))
    }

    private func failure(_ cipher: ContentCipher, _ bytes: [UInt8]) -> DatabaseFailure? {
        let failure = #expect(throws: DatabaseFailure.self) { try cipher.open(bytes) }
        #expect(failure?.kind == .corrupt)
        return failure
    }

    @Test(arguments: [0, 1, 15, 16, 17, 70_000])
    func `content is read as it was written, and stored differently each time`(count: Int) throws {
        let cipher = try cipher(Self.one)
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let (first, second) = (try cipher.seal(content), try cipher.seal(content))
        #expect(try cipher.open(first) == content && cipher.open(second) == content)
        #expect(first != second && first.count == count + 33)
    }

    @Test func `a change of any byte is noticed`() throws {
        let cipher = try cipher(Self.one)
        let sealed = try cipher.seal(Array("{}".utf8))
        for index in sealed.indices.dropFirst() {
            var changed = sealed
            changed[index] ^= 1
            _ = failure(cipher, changed)
        }
        for count in 1..<sealed.count { _ = failure(cipher, Array(sealed.prefix(count))) }
        _ = failure(cipher, sealed + [0])
    }

    @Test func `the first key encrypts and all of them decrypt`() throws {
        let old = try cipher(Self.one).seal([5])
        let both = try cipher(Self.two, Self.one)
        let new = try both.seal([6])
        #expect(try both.open(old) == [5] && both.open(new) == [6] && cipher(Self.two).open(new) == [6])
        let id = try cipher(Self.two).keyID
        #expect(both.keyID == id)
        let failure = failure(try cipher(Self.one), new)
        #expect(failure?.description == "stored content is encrypted with the key \(id), which is not there")
    }

    @Test func `the id of a key is the beginning of its SHA-256`() throws {
        // printf '01%.0s' {1..32} | xxd -r -p | sha256sum | cut -c1-8
        #expect(try cipher(Self.one).keyID == "72cd6e84")
        #expect(ContentCipher(secrets: []) == nil)
    }

    @Test(arguments: ["", "{\"a\":1}", "[]", "r lobby 1 ", "e a", "u a"])
    func `what was stored before encryption was switched on is read as it is`(text: String) throws {
        #expect(try cipher(Self.one).open(Array(text.utf8)) == Array(text.utf8))
    }
}
