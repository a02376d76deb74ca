import ArgumentParser
import Configuration
import Foundation

/// Where the options of `roost serve` come from: the command line, or else the environment, or else a file.
///
/// What does not come from the command line is added to it, so that it is parsed and checked in one way.
struct ServeSettings {
    /// A setting that is given somewhere.
    struct Value: Equatable {
        var option: SettingOption
        var texts: [String]
        /// The option, the variable, or the file and the line.
        var source: String
    }

    /// The command line as it was typed.
    let given: [String]
    /// The file of settings; nil if there is none.
    let file: String?
    /// The command line, with what comes from elsewhere.
    let arguments: [String]
    /// What is given, in the order of the options.
    private(set) var values: [Value]

    /// - Parameter arguments: those behind `serve`.
    /// - Throws: `SettingsError`.
    init(
        _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) {
        let given = Self.given(in: arguments)
        var layers: [(any ConfigProvider, (LookupResult, String) -> String)] = []
        let (texts, sources) = try Self.variables(environment)
        let variables = EnvironmentVariablesProvider(environmentVariables: texts, arraySeparator: " ")
        layers.append(
            (variables.prefixKeys(with: "roost"), { result, _ in sources[result.encodedKey] ?? result.encodedKey }))
        let path = given["config"]?.last ?? environment["ROOST_CONFIG"] ?? ""
        self.given = arguments
        file = path.isEmpty ? nil : path
        if !path.isEmpty {
            let file = try SettingsFile(path: path)
            layers.append((InMemoryProvider(values: file.values), { "\(path):\(file.lines[$1] ?? 1)" }))
        }
        var (added, values, problems) = ([String](), [Value](), [String]())
        for option in SettingOption.all {
            if let texts = given[option.name] {
                values.append(Value(option: option, texts: texts, source: "--" + option.name))
                continue
            }
            do {
                guard let value = try Self.look(for: option, in: layers) else { continue }
                values.append(value)
                added += Self.arguments(of: value)
            } catch {
                problems.append("\(option.variable) must be true or false.")
            }
        }
        if !problems.isEmpty { throw SettingsError(problems) }
        self.arguments = added + arguments
        self.values = values
    }

    /// The variables as they are looked up, and those that stand for others.
    private static func variables(
        _ environment: [String: String]
    ) throws(SettingsError) -> (texts: [String: String], sources: [String: String]) {
        // An empty variable is none. Kubernetes sets ROOST_PORT=tcp://… if there is a service of this name.
        var texts = environment.mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.value.isEmpty && !$0.value.hasPrefix("tcp://") }
        for option in SettingOption.all where option.kind == .list {
            texts[option.variable] = texts[option.variable]?.split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
        }
        guard texts["ROOST_DATABASE"] == nil, texts["ROOST_DATABASE_FILE"] != nil else { return (texts, [:]) }
        do {
            texts["ROOST_DATABASE"] = try DatabaseURL.given(nil, in: texts)
        } catch {
            throw SettingsError(["\(error)"])
        }
        return (texts, ["ROOST_DATABASE": "ROOST_DATABASE_FILE"])
    }

    private static func look(
        for option: SettingOption, in layers: [(any ConfigProvider, (LookupResult, String) -> String)]
    ) throws -> Value? {
        let key = AbsoluteConfigKey([option.name])
        for (layer, source) in layers {
            let type: ConfigType =
                switch option.kind {
                case .flag: .bool
                case .value: .string
                case .list: .stringArray
                }
            let result = try layer.value(forKey: key, type: type)
            guard let content = result.value?.content else { continue }
            let texts =
                switch content {
                case .bool(let isOn): ["\(isOn)"]
                case .string(let text): [text]
                case .stringArray(let texts): texts
                default: [String]()
                }
            return Value(option: option, texts: texts, source: source(result, option.name))
        }
        return nil
    }

    private static func arguments(of value: Value) -> [String] {
        switch value.option.kind {
        case .flag: value.texts == ["true"] ? ["--" + value.option.name] : []
        case .value, .list: value.texts.map { "--\(value.option.name)=\($0)" }
        }
    }

    /// The options in a command line, with their values; what is none of them is for the parser to refuse.
    private static func given(in arguments: [String]) -> [String: [String]] {
        var given: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            guard argument.hasPrefix("--") else { continue }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            let option = SettingOption.named(name)
            guard name == "config" || option != nil else { continue }
            if option?.kind == .flag {
                given[name] = ["true"]
            } else {
                given[name, default: []].append(parts.count == 2 ? String(parts[1]) : rest.popFirst() ?? "")
            }
        }
        return given
    }

    /// The parameters of a URL for PostgreSQL that everybody may see.
    private static let open: Set = [
        "application_name", "channel_binding", "connect_timeout", "dbname", "gssencmode", "host", "hostaddr",
        "keepalives",
        "load_balance_hosts", "options", "port", "sslcert", "sslcrl", "sslkey", "sslmode", "sslrootcert",
        "target_session_attrs", "user",
    ]

    /// The value of a setting without what is secret in it.
    static func shown(_ text: String, of option: SettingOption) -> String {
        switch option.name {
        case "bus":
            // A token looks like a user.
            return text.split(separator: ",", omittingEmptySubsequences: false).map { server in
                server.replacing(/^([^:\/]*:\/\/)?.*@/) { "\($0.1 ?? "")***@" }
            }.joined(separator: ",")
        case "database":
            let parts = text.split(separator: "?", maxSplits: 1).map(String.init)
            var shown = (parts.first ?? "").replacing(/:\/\/([^:@\/]*):.*@/) { "://\($0.1):***@" }
            guard parts.count == 2 else { return shown }
            let parameters = parts[1].split(separator: "&").map { parameter in
                let name = String(parameter.prefix { $0 != "=" })
                return open.contains(name) ? String(parameter) : name + "=***"
            }
            shown += "?" + parameters.joined(separator: "&")
            return shown
        default: return text
        }
    }
}

extension ServeSettings {
    /// The settings of this process if there is a file that can be read again. Without one SIGHUP ends the process, as it does
    /// when a terminal is closed.
    static var withFile: ServeSettings? {
        let given = CommandLine.arguments.dropFirst()
        guard given.first == ServeCommand.configuration.commandName,
            let settings = try? ServeSettings(Array(given.dropFirst()))
        else { return nil }
        return settings.file == nil ? nil : settings
    }

    /// The names of the options that have other values, or are given only here or there.
    func changes(since other: ServeSettings) -> Set<String> {
        let (new, old) = (texts, other.texts)
        return Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }
    }

    private var texts: [String: [String]] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.option.name, $0.texts) })
    }

    /// The same with the values of others for some options.
    func keeping(_ names: Set<String>, of other: ServeSettings) -> ServeSettings {
        var settings = self
        settings.values =
            values.filter { !names.contains($0.option.name) } + other.values.filter { names.contains($0.option.name) }
        return settings
    }
}
