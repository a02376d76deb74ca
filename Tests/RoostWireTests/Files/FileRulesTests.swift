import RoostWire
import Testing

@Suite struct FileRulesTests {
    private let limits = Limits()

    private func refusal(_ create: CreateFile) -> WireError? {
        do throws(WireError) {
            try FileRules.check(create, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file of an allowed size, type and form may be created`() {
        let file = CreateFile(
            name: "a.jpg", size: limits.fileBytes, contentType: "image/svg+xml", width: 1, height: 100_000,
            durationMs: 0, blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
        #expect(refusal(file) == nil)
        #expect(refusal(CreateFile(name: "", size: 0)) == nil)
    }

    @Test func `a field that is not allowed is refused by its name`() {
        let table: [(CreateFile, ErrorCode, String)] = [
            (CreateFile(name: "a", size: -1), .dataFormat, "size"),
            (CreateFile(name: "a", size: limits.fileBytes + 1), .tooLarge, "size"),
            (CreateFile(name: "a", size: .max), .tooLarge, "size"),
            (CreateFile(name: "a", size: 1, width: 1), .dataFormat, "width"),
            (CreateFile(name: "a", size: 1, height: 1), .dataFormat, "height"),
            (CreateFile(name: "a", size: 1, width: 0, height: 1), .dataFormat, "width"),
            (CreateFile(name: "a", size: 1, width: 1, height: 100_001), .dataFormat, "height"),
            (CreateFile(name: "a", size: 1, durationMs: -1), .dataFormat, "durationMs"),
            (CreateFile(name: "a", size: 1, blurHash: "abcde"), .dataFormat, "blurHash"),
            (CreateFile(name: "a", size: 1, blurHash: "äbcdef"), .dataFormat, "blurHash"),
        ]
        for (create, code, field) in table {
            let error = refusal(create)
            #expect(error?.code == code.code && error?.field == field, "\(create)")
        }
        let types = ["image", "image/", "/png", "a/b/c", ";", "; x", "image/p\r\ng", "ä/b", "a b/c"]
        for type in types + [String(repeating: "a", count: 255) + "/b"] {
            #expect(refusal(CreateFile(name: "a", size: 1, contentType: type))?.field == "contentType", "\(type)")
        }
        for type in ["", "image/png; x", "Image/PNG"] {
            #expect(refusal(CreateFile(name: "a", size: 1, contentType: type)) == nil, "\(type)")
        }
    }

    @Test func `a name is the last part of a path without characters that deceive`() {
        let table = [
            "photo.jpg": "photo.jpg", "/etc/passwd": "passwd", "C:\\Users\\ann\\a.txt": "a.txt", "../..": "file",
            "": "file", "/": "file", ".": "file", "a\u{0}\r\nb": "ab", "user\u{202E}gpj.exe": "usergpj.exe",
            "\u{2066}a\u{2069}": "a", "überblick 東京.pdf": "überblick 東京.pdf",
        ]
        for (text, name) in table { #expect(FileRules.name(text) == name) }
        #expect(FileRules.name(String(repeating: "a", count: 300)).utf16.count == 200)
        #expect(FileRules.name(String(repeating: "👩‍👩‍👧", count: 300)).utf16.count <= 200)
        #expect(FileRules.name("a" + String(repeating: "\u{301}", count: 5_000)) == "file")
    }

    @Test func `common misnomers of media types are corrected [C-J8]`() {
        #expect(FileRules.mediaType("image/jpg") == "image/jpeg")
        #expect(FileRules.mediaType("video/mov") == "video/quicktime")
        #expect(FileRules.mediaType("IMAGE/PNG") == "image/png")
        #expect(FileRules.mediaType("text/x-vcard") == "text/vcard")
        #expect(FileRules.mediaType("text/x-vcard; charset=utf-8") == "text/vcard")
        #expect(FileRules.mediaType("Text/Plain;charset=\"a;b\"") == "text/plain")
        for empty in ["", ";", " "] { #expect(FileRules.mediaType(empty) == "") }
    }

    @Test func `a type of message takes files of its own kind`() {
        let table: [(String, String, Bool)] = [
            ("image", "image/png", true), ("image", "video/mp4", false), ("video", "video/quicktime", true),
            ("video", "image/gif", false), ("voice", "audio/ogg", true), ("voice", "video/webm", true),
            ("voice", "text/plain", false), ("contact", "text/vcard", true), ("contact", "text/plain", false),
            ("document", "application/x-executable", true), ("document", "image/png", true),
        ]
        for (type, contentType, isFitting) in table {
            #expect(FileRules.fits(contentType, type) == isFitting, "\(type) \(contentType)")
        }
    }
}
