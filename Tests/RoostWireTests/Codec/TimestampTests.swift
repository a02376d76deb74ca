import Foundation
import RoostWire
import Testing

@Suite struct TimestampTests {
    private struct Times: Codable, Hashable {
        @Timestamp var sentAt: Date
        @OptionalTimestamp var closesAt: Date?
    }

    private struct Numbers: Codable, Hashable {
        var sentAt: Int64
        var closesAt: Int64?
    }

    private static let exact: ClosedRange<Int64> = -(1 << 51)...1 << 51

    @Test func `ms are the same after a date`() {
        var random = Seeded(31)
        let edges: [Int64] = [
            0, 1, -1, 999, 1_000, 1_001, -999, 978_307_200_000, 978_307_199_999, 1_767_225_600_123,
            253_402_300_799_999, -62_135_596_800_000, Self.exact.lowerBound, Self.exact.upperBound,
        ]
        let near = (0..<20_000).map { _ in Int64.random(in: 0...4_102_444_800_000, using: &random) }
        let all = (0..<20_000).map { _ in Int64.random(in: Self.exact, using: &random) }
        for milliseconds in edges + near + all {
            var time = Timestamp(projectedValue: milliseconds)
            #expect(time.wrappedValue.milliseconds == milliseconds)
            time.wrappedValue = Timestamp(projectedValue: milliseconds).wrappedValue
            #expect(time.projectedValue == milliseconds)
        }
    }

    @Test func `a date is rounded to the nearest ms`() {
        for (seconds, milliseconds) in [(1.2344, 1_234), (1.2346, 1_235), (-0.0006, -1), (-0.0004, 0)] {
            #expect(Timestamp(wrappedValue: Date(timeIntervalSince1970: seconds)).projectedValue == Int64(milliseconds))
        }
    }

    @Test func `a date that means nothing is clamped`() {
        let limit: Int64 = 1 << 53
        for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e300, 1e16, 9.1e15] {
            #expect(Date(timeIntervalSinceReferenceDate: seconds).milliseconds == limit)
            #expect(Date(timeIntervalSinceReferenceDate: -seconds).milliseconds == -limit)
        }
        #expect(Date(timeIntervalSinceReferenceDate: .nan).milliseconds == 0)
        #expect(Date.distantFuture.milliseconds == 64_092_211_200_000)
        #expect(Date.distantPast.milliseconds == -62_135_769_600_000)
        for milliseconds in [Int64.max, .min, limit, -limit] {
            // What came over the wire stays as it was, whatever date it makes.
            let time = Timestamp(projectedValue: milliseconds)
            #expect(time.projectedValue == milliseconds)
            #expect(abs(time.wrappedValue.milliseconds) <= limit)
        }
    }

    @Test func `a time travels as the whole number that it is`() throws {
        for (sentAt, closesAt) in [(0, nil), (5, 6), (.max, .min), (1_767_225_600_123, 0)] as [(Int64, Int64?)] {
            var times = Times(sentAt: Date(), closesAt: nil)
            (times.$sentAt, times.$closesAt) = (sentAt, closesAt)
            let numbers = Numbers(sentAt: sentAt, closesAt: closesAt)
            let json = try WireCodec.encodeSorted(times)
            #expect(json == (try WireCodec.encodeSorted(numbers)))
            #expect(try WireCodec.decode(Times.self, from: json) == times)
            #expect(try WireCodec.decode(Numbers.self, from: json) == numbers)
        }
    }

    @Test func `a time that may be absent is missing, null or there`() throws {
        func read(_ json: String) throws -> Times { try WireCodec.decode(Times.self, from: Array(json.utf8)) }
        #expect(try read(#"{"sentAt":1}"#).closesAt == nil)
        #expect(try read(#"{"sentAt":1,"closesAt":null}"#).closesAt == nil)
        #expect(try read(#"{"sentAt":1,"closesAt":2000}"#).closesAt == Date(timeIntervalSince1970: 2))
        let absent = try WireCodec.encodeSorted(Times(sentAt: Date(timeIntervalSince1970: 1)))
        #expect(String(decoding: absent, as: UTF8.self) == #"{"sentAt":1000}"#)
        for bad in ["{}", #"{"sentAt":null}"#, #"{"sentAt":"1"}"#, #"{"sentAt":1.5}"#, #"{"sentAt":1,"closesAt":"x"}"#]
        {
            #expect(throws: DecodingError.self, "\(bad)") { try read(bad) }
        }
    }

    @Test func `entities with times are equal by ms`() throws {
        let now = Date(timeIntervalSince1970: 1_767_225_600.1234)
        let one = ReadMark(userID: try #require(UserID(rawValue: "ann")), seq: 1, count: 1, readAt: now)
        let two = try WireCodec.decode(ReadMark.self, from: WireCodec.encode(one))
        #expect(one == two && one.hashValue == two.hashValue)
        #expect(one.$readAt == 1_767_225_600_123)
    }
}
