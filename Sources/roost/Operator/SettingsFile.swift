import Configuration
import Foundation
import RoostServer
import Yams

/// What is wrong with the settings: a sentence for each.
struct SettingsError: Error, Equatable {
    var problems: [String]

    init(_ problems: [String]) { self.problems = problems }
}

/// A file of settings in YAML, or in JSON, which is YAML, too: the names of options of `roost serve` and their values.
struct SettingsFile {
    /// A list of texts for an option that can be given several times, `limit` and `retain` as NAME=VALUE; otherwise a text.
    private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
    /// The line of each setting.
    private(set) var lines: [String: Int] = [:]

    private static let maxBytes = 1 << 20
    private let path: String
    private var problems: [String] = []

    /// - Throws: `SettingsError` with everything that is wrong in it.
    init(path: String) throws(SettingsError) {
        self.path = path
        do {
            guard let bytes = try KeyFile.bytes(of: path, atMost: Self.maxBytes, forbidden: 0) else {
                throw SettingsError(["There is no file of settings at \(path)."])
            }
            // Editors on Windows put a byte order mark before it.
            read(
                String(
                    decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self))
            let hasSecret = SettingOption.all.contains { option in
                guard case .string(let text) = values[AbsoluteConfigKey([option.name])]?.content else { return false }
                return ServeSettings.shown(text, of: option) != text
            }
            if hasSecret { _ = try KeyFile.bytes(of: path, atMost: Self.maxBytes, forbidden: 0o007) }
        } catch let error as SettingsError {
            problems += error.problems
        } catch {
            problems.append("\(error)")
        }
        if !problems.isEmpty { throw SettingsError(problems) }
    }

    private mutating func read(_ text: String) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            problems.append(Self.problem(error, path))
            return
        }
        guard let root, root.null == nil else { return }
        guard let mapping = root.mapping else {
            problems.append("\(path): write each setting as NAME: VALUE on a line of its own.")
            return
        }
        for (key, value) in mapping { add(key, value) }
    }

    private static func problem(_ error: any Error, _ path: String) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(path):\(mark.line): \(problem)."
        case .duplicatedKeysInMapping(let names, let context):
            "\(path):\(context.mark.line): \(names.joined(separator: ", ")) is there twice."
        default: "\(path) is no YAML."
        }
    }

    private mutating func add(_ key: Node, _ value: Node) {
        let place = "\(path):\(key.mark?.line ?? 1)"
        let name = key.string ?? ""
        guard let option = SettingOption.named(name) else {
            let nearest = SettingOption.nearest(to: name).map { " Did you mean \"\($0)\"?" } ?? ""
            problems.append("\(place): there is no setting \"\(name)\".\(nearest)")
            return
        }
        guard let content = Self.content(value, of: option) else {
            let expected =
                switch option.kind {
                case .flag: "true or false"
                case .value: "one value"
                case .list where ["limit", "retain"].contains(name): "NAME: VALUE on lines of their own"
                case .list: "a value or a list of values"
                }
            problems.append("\(place): \"\(name)\" needs \(expected).")
            return
        }
        values[AbsoluteConfigKey([name])] = ConfigValue(content, isSecret: false)
        lines[name] = key.mark?.line
    }

    private static func content(_ value: Node, of option: SettingOption) -> ConfigContent? {
        switch option.kind {
        case .flag: return (value.bool ?? value.string.flatMap { Bool($0) }).map { .bool($0) }
        case .value: return text(value).map { .string($0) }
        case .list:
            if let one = text(value) { return .stringArray([one]) }
            if let mapping = value.mapping {
                let pairs = mapping.map { key, value in
                    // A policy of retention has two parts.
                    let parts = value.sequence.map { $0.map(text) } ?? [text(value)]
                    let all = parts.compactMap(\.self)
                    return all.count == parts.count ? "\(key.string ?? "")=\(all.joined(separator: ","))" : nil
                }
                return pairs.contains(nil) ? nil : .stringArray(pairs.compactMap(\.self))
            }
            guard let texts = value.sequence?.map(text), !texts.contains(nil) else { return nil }
            return .stringArray(texts.compactMap(\.self))
        }
    }

    /// The text of a scalar; nil of anything else, and of none.
    private static func text(_ node: Node) -> String? {
        guard let scalar = node.scalar,
            node.null == nil || scalar.style == .doubleQuoted || scalar.style == .singleQuoted
        else { return nil }
        return scalar.string.trimmingCharacters(in: .newlines)
    }
}
