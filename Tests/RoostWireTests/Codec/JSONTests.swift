import RoostWire
import Testing

/// Whether the strict reader accepts these bytes as one JSON value.
private func accepts(_ bytes: [UInt8]) -> Bool {
    var reader = JSONReader(bytes)
    do {
        try reader.skip()
        try reader.finish()
        return true
    } catch {
        return false
    }
}

private func accepts(_ text: String) -> Bool { accepts(Array(text.utf8)) }

private func string(_ json: String) -> String? {
    var reader = JSONReader(Array(json.utf8))
    guard let text = try? reader.string(), (try? reader.finish()) != nil else { return nil }
    return text
}

private func int(_ json: String) -> Int64? {
    var reader = JSONReader(Array(json.utf8))
    guard let value = try? reader.int(), (try? reader.finish()) != nil else { return nil }
    return value
}

@Suite struct JSONTests {
    @Test(arguments: [
        "{}", "[]", "0", "-0", "1", "-1", "10", "1.5", "-1.5e10", "1E+2", "1e-2", "0.1", "\"\"", "\"a\"", "true",
        "false",
        "null", " { \"a\" : [ 1 , 2 ] } ", "\t\r\n[]\n", "[[],{}]", "{\"\":0}", "\"\u{7F}\"", "\"\u{1F600}\"",
        "[{\"a\":1},{\"a\":{\"a\":1}}]", "\"\\u0000\"", "\"\\uD83D\\uDE00\"", "\"\\/\"",
    ])
    func `the strict reader accepts JSON`(json: String) { #expect(accepts(json)) }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[,]", "[,1]", "[1 2]", "{\"a\"", "{\"a\":", "{\"a\":}",
        "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[}", "{]",
        "01", "-", "+1", "-01", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "1_000", "NaN", "Infinity", "-Infinity", "--1",
        "tru", "True", "nul", "nulll", "truefalse", "undefined", "\"", "\"a", "\"\\", "\"\\\"", "'a'", "\"\\x\"",
        "\"\\u\"",
        "\"\\u12\"", "\"\\u12G4\"", "\"\\U0041\"", "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "[] []", "{}{}",
        "1 2", "//\n1",
        "/**/1", "[1]//", "\u{FEFF}{}", "\u{A0}1", "\u{2028}1",
    ])
    func `the strict reader refuses what is not JSON`(json: String) { #expect(!accepts(json)) }

    @Test(arguments: [
        #""\uD800""#, #""\uDC00""#, #""\uDFFF\uD800""#, #""\uD83D""#, #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\u0041""#,
        #""\uD83D\uD83D""#, #""\uD83D\uDE0""#, #""\uD83D\"#, #""\uD83D\u"#,
    ])
    func `a lone surrogate is refused`(json: String) { #expect(!accepts(json)) }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"c":1,"d":2,"c":3}}]"#, #"{"":1,"":2}"#,
        #"{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"1":0}"#,
        #"{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"9":0}"#,
    ])
    func `a key twice in one object is refused`(json: String) { #expect(!accepts(json)) }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xFF, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22],
            [0xEF, 0xBB, 0xBF, 0x31],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) { #expect(!accepts(bytes)) }

    @Test func `escapes are read as what they stand for`() {
        #expect(string(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
        #expect(string(#""\u0041\u00e4\u20AC""#) == "Aä€")
        #expect(string(#""x\uD83D\uDE00y""#) == "x😀y")
        #expect(string(#""\uDBFF\uDFFF""#) == "\u{10FFFF}")
        #expect(string(#""\uE000\uFFFF\uD7FF""#) == "\u{E000}\u{FFFF}\u{D7FF}")
        #expect(string(#""\u0000""#) == "\u{0}")
        #expect(string(#""e\u0301""#) == "e\u{301}")
    }

    @Test func `whole numbers fit 64 bits or are refused`() {
        #expect(int("9223372036854775807") == .max)
        #expect(int("-9223372036854775808") == .min)
        #expect(int("-0") == 0)
        for json in ["9223372036854775808", "-9223372036854775809", "1e3", "1.0", "\"1\"", "01", "", "-", "null"] {
            #expect(int(json) == nil, "\(json)")
        }
        #expect(int(String(repeating: "9", count: 4_000)) == nil)
    }

    @Test func `32 levels are read and 33 are too many`() {
        func nested(_ open: String, _ close: String, _ levels: Int) -> String {
            String(repeating: open, count: levels) + "0" + String(repeating: close, count: levels)
        }
        #expect(accepts(nested("[", "]", 32)))
        #expect(!accepts(nested("[", "]", 33)))
        #expect(accepts(nested("{\"a\":", "}", 32)))
        #expect(!accepts(nested("{\"a\":", "}", 33)))
        #expect(!accepts(String(repeating: "[", count: 100_000)))
        #expect(!accepts(String(repeating: "{\"a\":", count: 100_000)))
        // Depth is the number of open levels; many siblings add none.
        #expect(accepts("[" + Array(repeating: "[]", count: 1_000).joined(separator: ",") + "]"))
    }

    @Test func `256 keys are read and 257 are too many`() {
        func object(_ keys: Int) -> String {
            "{" + (0..<keys).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
        }
        #expect(accepts(object(256)))
        #expect(!accepts(object(257)))
    }

    @Test func `null is accepted only where it is allowed`() throws {
        var reader = JSONReader(Array("[null,1]".utf8))
        var found: [Bool] = []
        try reader.array { reader in
            let isNull = try reader.null()
            found.append(isNull)
            if !isNull { _ = try reader.int() }
        }
        try reader.finish()
        #expect(found == [true, false])
    }

    @Test func `what the writer writes the reader and Foundation read back`() throws {
        let texts =
            (0..<0x80).compactMap { Unicode.Scalar($0).map { "a\($0)b" } }
            + ["", "\"", "\\", "\\\"", "/", "</script>", "😀", "e\u{301}", "\u{2028}", "\u{FEFF}", "\u{10FFFF}"]
        for text in texts {
            var writer = JSONWriter()
            writer.open("[")
            writer.string(text)
            writer.close("]")
            #expect(try WireCodec.decode([String].self, from: writer.bytes) == [text])
            var reader = JSONReader(writer.bytes)
            var found: [String] = []
            try reader.array { found.append(try $0.string()) }
            try reader.finish()
            #expect(found == [text])
        }
        for number in [0, 1, -1, 9, 10, 99, 100, Int64.max, Int64.min, Int64.min + 1] {
            var writer = JSONWriter()
            writer.int(number)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(number)")
            #expect(int(String(decoding: writer.bytes, as: UTF8.self)) == number)
        }
    }

    @Test func `commas stand between values and nowhere else`() {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("a")
        writer.open("[")
        writer.int(1)
        writer.bool(true)
        writer.open("{")
        writer.close("}")
        writer.splice(Array("null".utf8))
        writer.open("[")
        writer.close("]")
        writer.close("]")
        writer.key("b")
        writer.string("x")
        writer.close("}")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":[1,true,{},null,[]],"b":"x"}"#)
    }
}
