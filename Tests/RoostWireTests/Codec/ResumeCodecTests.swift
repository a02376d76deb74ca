import Testing

@testable import RoostWire

/// The hand-written reading of `resume` against Codable.
@Suite struct ResumeCodecTests {
    @Test func `what the fast reading accepts is what Codable reads`() throws {
        for count in [0, 1, 3, 200] {
            let positions = (0..<count).compactMap { number in
                ChannelID(rawValue: "channel-\(number)").map { ChannelPosition(channel: $0, seq: Int64(number)) }
            }
            for resume in [
                Resume(channels: positions), Resume(epoch: "é\"\\ \u{1F600}", userSeq: .max, channels: positions),
            ] {
                let json = try WireCodec.encode(resume)
                #expect(WireCodec.resume(JSONReader(json)) == resume)
                #expect(try WireCodec.decode(Resume.self, from: json) == resume)
            }
        }
    }

    @Test(arguments: [
        "{}", #"{"channels":null}"#, #"{"channels":[{"channel":"a b","seq":1}]}"#, #"{"channels":[{"seq":1}]}"#,
        #"{"channels":[],"channels":[]}"#, #"{"channels":[],"epoch":null}"#, #"{"channels":[],"new":1}"#,
        #"{"channels":[{"channel":"a","seq":1.5}]}"#, #"{"channels":[{"channel":"a","seq":1}]"#, "[]",
    ])
    func `everything else is left to Codable`(json: String) {
        #expect(WireCodec.resume(JSONReader(Array(json.utf8))) == nil)
    }
}
