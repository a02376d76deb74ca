import ArgumentParser
import Foundation
import RoostCore
import RoostWire

/// The options of `roost serve` about limits and retention.
struct LimitOptions: ParsableArguments {
    @Option(
        help: "Set a limit from Protocol/catalogue.md, as NAME=VALUE. Repeatable.")
    var limit: [String] = []

    @Option(
        help: ArgumentHelp(
            "The retention of a kind of channel, such as group=90d or open=30d,1000. Repeatable. Everything is kept if omitted.",
            discussion: """
                KIND is single, group, open, self, publicNews or corporateNews. A duration (at least 1d) keeps newer rows; a number keeps that \
                many of the newest messages. With both, a row is deleted if neither rule keeps it. Rows are deleted for everybody.
                """, valueName: "kind=policy"))
    var retain: [String] = []

    func validate() throws {
        _ = try limits()
        _ = try retention()
    }

    /// The limits that can be disabled with 0.
    private static let limitsThatMayBeOff: Set = [
        "sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond", "recallWindowMs",
    ]

    /// The retention of each kind of channel that has one.
    func retention() throws -> [ChannelKind: RetentionPolicy] {
        let kinds = ChannelKind.allCases.map(\.rawValue).joined(separator: ", ")
        var policies: [ChannelKind: RetentionPolicy] = [:]
        for text in retain {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let kind = ChannelKind(rawValue: parts[0]), let policy = Self.policy(parts[1])
            else {
                throw ValidationError(
                    "--retain \(text): use KIND=90d, KIND=1000 or KIND=90d,1000 with KIND one of \(kinds); "
                        + "the duration must be at least 1d and the number at least 1.")
            }
            guard policies.updateValue(policy, forKey: kind) == nil else {
                throw ValidationError(
                    "--retain is given twice for \(kind.rawValue). Combine both parts: KIND=90d,1000.")
            }
        }
        return policies
    }

    /// Parses a duration, a number of messages, or both in any order; nil if the text is anything else.
    private static func policy(_ text: String) -> RetentionPolicy? {
        var policy = RetentionPolicy()
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if policy.keepLast == nil, let count = Int64(part), count > 0 {
                policy.keepLast = count
            } else if policy.keepFor == nil, let seconds = TokenCommand.seconds(part), seconds >= 86_400 {
                let (ms, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000)
                if isTooMuch { return nil }
                policy.keepFor = ms
            } else {
                return nil
            }
        }
        return policy
    }

    /// The limits, with the defaults for those that are not given.
    func limits() throws -> Limits {
        var values = try JSONSerialization.jsonObject(with: Data(WireCodec.encode(Limits()))) as? [String: Any] ?? [:]
        for limit in limit {
            let parts = limit.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = Int(parts[1]), values[parts[0]] != nil,
                value > 0 || value == 0 && Self.limitsThatMayBeOff.contains(parts[0])
            else {
                let names = values.keys.sorted().joined(separator: ", ")
                throw ValidationError("--limit \(limit): use NAME=VALUE with NAME one of \(names).")
            }
            values[parts[0]] = value
        }
        return try WireCodec.decode(Limits.self, from: Array(JSONSerialization.data(withJSONObject: values)))
    }
}
