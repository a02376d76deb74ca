import RoostFiles
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileSignaturesTests {
    /// The first bytes of a file: text in which `\0` and such stand for themselves, as Latin 1.
    private static func head(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static let png = "\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR"

    @Test(arguments: [
        (png, "image/png"), ("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF", "image/jpeg"), ("GIF87a", "image/gif"),
        ("GIF89a\u{1}\0", "image/gif"), ("RIFF\u{24}\0\0\0WEBPVP8 ", "image/webp"),
        ("RIFF\u{24}\0\0\0WAVEfmt ", "audio/wav"), ("RIFF\u{24}\0\0\0AVI LIST", "video/x-msvideo"),
        ("\0\0\0\u{18}ftypheic\0\0", "image/heic"),
        ("\0\0\0\u{18}ftypmif1", "image/heic"), ("\0\0\0\u{1C}ftypavif", "image/avif"),
        ("\0\0\0\u{20}ftypM4A \0", "audio/mp4"), ("\0\0\0\u{14}ftypqt  ", "video/quicktime"),
        ("\0\0\0\u{18}ftyp3gp5", "video/3gpp"), ("\0\0\0\u{18}ftypisom", "video/mp4"),
        ("\u{1A}\u{45}\u{DF}\u{A3}\u{9F}", "video/webm"), ("OggS\0\u{2}", "audio/ogg"), ("fLaC\0\0", "audio/flac"),
        ("ID3\u{4}\0", "audio/mpeg"), ("\u{FF}\u{FB}\u{90}d", "audio/mpeg"), ("\u{FF}\u{F1}P", "audio/aac"),
        ("\0\0\0\u{18}ftyphevc\0\0", "image/heic"), ("\0\0\0\u{18}ftypheim\0\0", "image/heic"),
        ("\0\0\0\u{18}ftypmsf1\0\0\0\0hevc", "image/heic"), ("\0\0\0\u{18}ftypavis\0\0", "image/avif"),
        ("\0\0\0\u{18}ftypMiHE\0\0\0\0mif1heic", "image/heic"),
        ("\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avifmiaf", "image/avif"),
        ("\0\0\0\u{1C}ftypMSNV\0\0\0\0isommp42heic", "video/mp4"), ("\u{FF}\u{FA}\u{90}d", "audio/mpeg"),
        ("\u{FF}\u{E3}\u{18}\u{C4}", "audio/mpeg"),
        ("#!AMR\n", "audio/amr"), ("II*\0", "image/tiff"), ("MM\0*", "image/tiff"),
        ("BM\u{46}\0\0\0\0\0\0\0", "image/bmp"), ("%PDF-1.7\n", "application/pdf"),
        ("PK\u{3}\u{4}\u{14}\0", "application/zip"), ("\u{1F}\u{8B}\u{8}", "application/gzip"),
        ("7z\u{BC}\u{AF}\u{27}\u{1C}", "application/x-7z-compressed"), ("\u{7F}ELF\u{2}", "application/x-executable"),
        ("MZ\u{90}\0", "application/vnd.microsoft.portable-executable"), ("BEGIN:VCARD\r\n", "text/vcard"),
    ])
    func `a signature names its type`(text: String, type: String) {
        #expect(FileSignatures.find(in: Self.head(text)) == .type(type))
        #expect(FileSignatures.type(of: Self.head(text), claimed: nil) == type)
        #expect(FileSignatures.type(of: Self.head(text), claimed: "application/octet-stream") == type)
        #expect(FileSignatures.type(of: Self.head(text), claimed: type) == type)
    }

    @Test func `bytes without a signature are text or unknown`() {
        #expect(FileSignatures.find(in: Self.head("Grüße\n\tyou")) == .text)
        #expect(FileSignatures.find(in: Self.head("a\0b")) == .unknown)
        #expect(FileSignatures.find(in: []) == .unknown)
        #expect(FileSignatures.type(of: Self.head("hello"), claimed: nil) == "text/plain")
        #expect(FileSignatures.type(of: Self.head("a\0b"), claimed: nil) == "application/octet-stream")
        #expect(FileSignatures.type(of: [], claimed: nil) == "application/octet-stream")
    }

    @Test func `every beginning of a signature that is too short is not taken for it`() {
        let head = Self.head(Self.png)
        for count in 0..<8 { #expect(FileSignatures.find(in: Array(head.prefix(count))) != .type("image/png")) }
    }

    private static let claims: [(text: String, claimed: String, type: String)] = [
        // A picture, a sound or a video must be one of its family.
        (png, "image/jpeg", "image/png"), (png, "video/mp4", "application/octet-stream"),
        (png, "audio/mpeg", "application/octet-stream"),
        ("<html><script>", "image/png", "application/octet-stream"), ("a\0b", "image/png", "application/octet-stream"),
        ("hello", "audio/mpeg", "application/octet-stream"),
        ("\0\0\0\u{18}ftypisom", "image/heic", "application/octet-stream"),
        ("\0\0\0\u{18}ftypisom", "video/quicktime", "video/mp4"),
        // A container that holds sound alone is what it is claimed to be.
        ("\0\0\0\u{18}ftypisom", "audio/mp4", "audio/mp4"), ("\u{1A}\u{45}\u{DF}\u{A3}", "audio/webm", "audio/webm"),
        ("OggS\0", "video/ogg", "video/ogg"),
        // Anything else must not be a picture, a sound or a video.
        (png, "text/plain", "application/octet-stream"), (png, "application/pdf", "application/octet-stream"),
        ("GIF89a", "text/html", "application/octet-stream"),
        ("PK\u{3}\u{4}", "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
        ("hello", "text/csv", "text/csv"), ("a\0b", "application/x-own", "application/x-own"),
        // What browsers call files by their names alone.
        ("export const a = 1;\n", "video/mp2t", "application/octet-stream"),
        ("G\0\0\0", "video/mp2t", "application/octet-stream"),
        ("\0\0\u{1}\u{BA}", "video/mpeg", "application/octet-stream"),
        ("8BPS\0\u{1}", "image/vnd.adobe.photoshop", "application/octet-stream"),
        ("\0\0\u{1}\0\u{1}\0", "image/vnd.microsoft.icon", "application/octet-stream"),
        ("MThd\0\0\0\u{6}", "audio/midi", "application/octet-stream"),
        ("\0\0\0\u{18}ftypXXXX", "image/heic", "application/octet-stream"),
        ("\0\0\0\0\0", "audio/mpeg", "application/octet-stream"),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "image/svg+xml"),
    ]

    @Test(arguments: claims)
    func `the claimed type counts unless the bytes contradict it, and then they are bytes of no type`(
        text: String, claimed: String, type: String
    ) {
        #expect(FileSignatures.type(of: Self.head(text), claimed: claimed) == type)
    }

    @Test func `no beginning of a container is too short to be looked at`() {
        for head in ["\0\0\0\u{18}ftypMiHE\0\0\0\0mif1heic", "\u{FF}\u{FF}\u{FF}\u{FF}ftypmif1\0\0\0\0avif"] {
            let bytes = Self.head(head)
            for count in 0...bytes.count { _ = FileSignatures.find(in: Array(bytes.prefix(count))) }
        }
    }

    @Test func `what may contain scripts is never shown on a page`() {
        for type in ["text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/pdf"] {
            #expect(!FileSignatures.isShownInline(type), "\(type)")
        }
        for type in ["image/png", "image/jpeg", "audio/mpeg", "video/mp4"] {
            #expect(FileSignatures.isShownInline(type), "\(type)")
        }
    }
}
