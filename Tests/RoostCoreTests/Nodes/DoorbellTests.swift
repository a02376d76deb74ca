import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

@Suite struct DoorbellTests {
    private static let all: [Delivery] = [
        .row(Array(#"{"a":"Grüße 🎉"}"#.utf8), of: .channel(Cast.club), seq: 7),
        .row(Array("{}".utf8), of: .user(Cast.ann.userID), seq: 8),
        .moved(.channel(Cast.lobby), seq: 9),
        .subscribe(Cast.bob.userID, Cast.club, at: SubscriptionPlace(seq: 1, userSeq: 2)),
        .unsubscribe(Cast.ann.userID, Cast.club, at: SubscriptionPlace(seq: 3, userSeq: 4)),
        .event(Array("one".utf8), to: .channel(Cast.club), after: 7),
        .event(Array("two".utf8), to: .others(Cast.club, except: Cast.bob.userID), after: 0),
        .event([], to: .user(Cast.cid.userID), after: 5),
    ]

    private static func full() -> Doorbell {
        var doorbell = Doorbell(node: "n", writer: "w", number: 12)
        doorbell.isCommit = true
        doorbell.after = ["a": 1, "b": 2]
        doorbell.versions = [Cast.club: 4, Cast.lobby: 5]
        doorbell.renamed = [Cast.ann.userID]
        doorbell.restricted = [Cast.bob.userID]
        doorbell.deliveries = all.filter { if case .moved = $0 { false } else { true } }
        return doorbell
    }

    private static func text(_ doorbell: Doorbell) -> String {
        "\(doorbell.node) \(doorbell.writer) \(doorbell.number) \(doorbell.isCommit) \(doorbell.after.sorted { $0.key < $1.key }) "
            + "\(doorbell.versions.sorted { $0.key < $1.key }) \(doorbell.renamed) \(doorbell.restricted) "
            + doorbell.deliveries.map { "\($0)" }.joined(separator: "\n")
    }

    @Test func `what is encoded is decoded`() throws {
        let full = Self.full()
        #expect(Self.text(try Doorbell(decoding: full.encoded())) == Self.text(full))
        let sign = Doorbell(node: "n", writer: "w", number: 3)
        #expect(Self.text(try Doorbell(decoding: sign.encoded())) == Self.text(sign))
        #expect(sign.isEmpty && !full.isEmpty)
        #expect(full.record?.subscriptions.map(\.user) == [Cast.ann.userID])
    }

    @Test func `rows that make it too long are only announced, and with too many events all of it is to be read`()
        throws
    {
        var doorbell = Doorbell(node: "n", writer: "w", number: 5)
        doorbell.isCommit = true
        doorbell.after = ["a": 1]
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 200_000)
        doorbell.deliveries = (1...4).map { .row(long, of: .channel(Cast.club), seq: $0) }
        let bytes = try doorbell.encoded()
        #expect(bytes.count <= Doorbell.maxBytes)
        let kinds = try Doorbell(decoding: bytes).deliveries.map { delivery in
            switch delivery {
            case .row(_, _, let seq): "row \(seq)"
            case .moved(_, let seq): "moved \(seq)"
            default: "other"
            }
        }
        #expect(kinds == ["row 1", "row 2", "moved 3", "moved 4"])
        doorbell.deliveries = (1...4).map { .event(long, to: .channel(Cast.club), after: $0) }
        let hint = try Doorbell(decoding: doorbell.encoded())
        #expect(hint.isEmpty && hint.number == 5 && hint.after == ["a": 1])
    }

    @Test func `what is no doorbell is refused`() throws {
        let bytes = try Self.full().encoded()
        var random = SeededNumbers(for: "DoorbellTests")
        var refused = 0
        for _ in 0..<2_000 {
            var damaged = bytes
            switch random.next() % 3 {
            case 0: damaged = Array(damaged.prefix(Int(random.next() % UInt64(damaged.count))))
            case 1: damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
            default: damaged.insert(UInt8(ascii: "\n"), at: Int(random.next() % UInt64(damaged.count)))
            }
            do { _ = try Doorbell(decoding: damaged) } catch { refused += 1 }
        }
        #expect(refused > 500)
        for header in [
            "", "{}", "[]", #"{"f":2,"o":"n","w":"w","i":1}"#, #"{"f":1,"o":"n","w":"w","i":-1}"#,
            #"{"f":1,"o":"n","w":"w","i":1,"d":[{"k":"r","c":"club","s":1}]}"#,
            #"{"f":1,"o":"n","w":"w","i":1,"d":[{"k":"m","c":"club","s":9223372036854775807}]}"#,
            #"{"f":1,"o":"n","w":"w","i":1,"d":[{"k":"s","c":"club","s":1}]}"#,
            #"{"f":1,"o":"n","w":"w","i":1,"d":[{"k":"z","c":"club","s":1}]}"#,
        ] {
            #expect(throws: (any Error).self, "\(header)") { try Doorbell(decoding: Array(header.utf8)) }
        }
    }
}
