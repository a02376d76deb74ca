import ArgumentParser
import Foundation

/// An option of `roost serve` as a setting, which a file and the environment can give, too.
struct SettingOption: Equatable {
    enum Kind {
        /// It is on or off.
        case flag
        case value
        /// It can be given several times.
        case list
    }

    var name: String
    var kind: Kind
    /// What it is for, in a sentence.
    var abstract: String
    /// Its value if it is not given; nil if it has none.
    var usual: String?

    /// The variable of the environment that gives it.
    var variable: String { "ROOST_" + name.uppercased().replacing("-", with: "_") }

    /// All of them, in the order of `roost serve --help`.
    static let all: [SettingOption] = {
        let help = try? JSONDecoder().decode(Help.self, from: Data(ServeCommand._dumpHelp().utf8))
        return (help?.command.arguments ?? []).compactMap { argument in
            guard argument.shouldDisplay, let name = argument.names?.first(where: { $0.kind == "long" })?.name,
                !["config", "help", "version"].contains(name)
            else { return nil }
            let kind: Kind = argument.kind == "flag" ? .flag : argument.isRepeating ? .list : .value
            return SettingOption(
                name: name, kind: kind, abstract: argument.abstract ?? "", usual: argument.defaultValue)
        }
    }()

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func named(_ name: String) -> SettingOption? { byName[name] }

    /// The name that is most like a misspelled one; nil if none is.
    static func nearest(to name: String) -> String? {
        let candidates = all.map { ($0.name, distance(name.lowercased().replacing("_", with: "-"), $0.name)) }
        guard let best = candidates.min(by: { $0.1 < $1.1 }), best.1 <= max(2, name.count / 3) else { return nil }
        return best.0
    }

    /// How many letters have to be added, removed or replaced to make one word of another (Levenshtein).
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.prefix(100)), Array(second))
        var row = Array(0...second.count)
        for (number, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }

    /// What ArgumentParser tells of a command.
    private struct Help: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        struct Argument: Decodable {
            var kind: String
            var names: [Name]?
            var isRepeating: Bool
            var shouldDisplay: Bool
            var abstract: String?
            var defaultValue: String?
        }

        var command: Command
    }
}
