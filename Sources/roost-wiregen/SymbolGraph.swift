import Foundation

/// One declaration with its doc comment.
struct Declaration {
    var name: String
    /// The type of a property, or of a case's associated value; empty if there is none.
    var type: String
    /// Whether a property is stored; false for one that is computed.
    var isStored: Bool
    /// The paragraphs of the doc comment; a list is a paragraph per entry.
    var doc: [String]
}

/// One public type with its declarations, in the order of the source.
struct TypeDeclaration {
    /// The name, `Outer.Inner` for a nested type.
    var name: String
    var isEnumeration: Bool
    /// The protocols of the module that it conforms to.
    var conformances: Set<String>
    var doc: [String]
    var properties: [Declaration]
    var cases: [Declaration]
}

/// The public declarations of a module, as `swift symbolgraph-extract` writes them.
struct SymbolGraph: Decodable {
    fileprivate struct Symbol: Decodable {
        struct Kind: Decodable {
            var identifier: String
        }

        struct Identifier: Decodable {
            var precise: String
        }

        struct Comment: Decodable {
            struct Line: Decodable {
                var text: String
            }

            var lines: [Line]
        }

        struct Fragment: Decodable {
            var kind: String
            var spelling: String

            /// Whether it is the name of a wrapper that stores a time as a whole number.
            var isTimestamp: Bool { ["Timestamp", "OptionalTimestamp"].contains(spelling) }
        }

        struct Location: Decodable {
            struct Position: Decodable {
                var line: Int
                var character: Int
            }

            var uri: String
            var position: Position
        }

        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var docComment: Comment?
        var declarationFragments: [Fragment]?
        /// Where it is declared; nil if the compiler has added it.
        var location: Location?
    }

    private struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
    }

    private var symbols: [Symbol]
    private var relationships: [Relationship]

    /// The public types of a module that was built beside this program.
    static func types(of module: String) throws -> [TypeDeclaration] {
        let types = try JSONDecoder().decode(SymbolGraph.self, from: try Toolchain.symbolGraph(of: module)).types()
        guard !types.isEmpty else { throw Missing("no type of \(module) has a place in the source: build it here") }
        return types
    }

    private func types() -> [TypeDeclaration] {
        let declared = symbols.compactMap { symbol in symbol.location.map { (symbol, $0) } }.sorted {
            ($0.1.uri, $0.1.position.line, $0.1.position.character)
                < ($1.1.uri, $1.1.position.line, $1.1.position.character)
        }.map(\.0)
        let members = Dictionary(grouping: declared, by: \.owner)
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.name) }, uniquingKeysWith: { first, _ in first })
        let conformances = Dictionary(grouping: relationships.filter { $0.kind == "conformsTo" }, by: \.source)
        return declared.filter { ["swift.struct", "swift.enum", "swift.protocol"].contains($0.kind.identifier) }.map {
            type in
            let own = members[type.name] ?? []
            return TypeDeclaration(
                name: type.name, isEnumeration: type.kind.identifier == "swift.enum",
                conformances: Set((conformances[type.identifier.precise] ?? []).compactMap { names[$0.target] }),
                doc: type.paragraphs,
                properties: own.filter { $0.kind.identifier == "swift.property" }.map(\.declaration),
                cases: own.filter { $0.kind.identifier == "swift.enum.case" }.map(\.declaration))
        }
    }
}

fileprivate extension SymbolGraph.Symbol {
    var name: String { pathComponents.joined(separator: ".") }
    var owner: String { pathComponents.dropLast().joined(separator: ".") }

    /// A property or a case. `: Int64?`, `: Bool { get }` or `(Message)` follows its name.
    var declaration: Declaration {
        let fragments = declarationFragments ?? []
        let behind = fragments.drop { $0.kind != "identifier" }.dropFirst()
        let text = behind.map(\.spelling).joined()
        return Declaration(
            name: String((pathComponents.last ?? "").prefix { $0 != "(" }),
            type: text.prefix { $0 != "{" }.trimmingCharacters(in: CharacterSet(charactersIn: ": ()")),
            isStored: !text.contains("{") || fragments.contains { $0.isTimestamp }, doc: paragraphs)
    }

    /// The doc comment, its lines joined.
    var paragraphs: [String] {
        var paragraphs: [String] = []
        var isNew = true
        for line in docComment?.lines ?? [] {
            let text = line.text.drop { $0 == " " }
            if text.isEmpty {
                isNew = true
            } else if isNew || text.hasPrefix("- ") {
                paragraphs.append(String(text))
                isNew = false
            } else {
                paragraphs[paragraphs.count - 1] += " " + text
            }
        }
        let known = paragraphs.filter { !$0.hasPrefix("- Throws:") && !$0.hasPrefix("- Parameter") }
        return known.map { $0.replacing("``", with: "`") }
    }
}

/// The compiler that built this program.
private enum Toolchain {
    struct Info: Decodable {
        struct Target: Decodable {
            var triple: String
        }

        struct Paths: Decodable {
            var sdkPath: String?
        }

        var target: Target
        var paths: Paths
    }

    /// The symbol graph of a module that SwiftPM has put into the folder of this program, or into `Modules` there.
    ///
    /// The compiler reads the comments from the sources, at the positions of the build: if a file has changed
    /// since the build, they are wrong.
    static func symbolGraph(of module: String) throws -> Data {
        guard let program = Bundle.main.executableURL else { throw Missing("this program's own place") }
        let built = program.resolvingSymlinksInPath().deletingLastPathComponent()
        let info = try JSONDecoder().decode(Info.self, from: try swift("-print-target-info"))
        let files = FileManager.default
        let output = files.temporaryDirectory.appendingPathComponent("roost-wiregen-\(UUID().uuidString)")
        try files.createDirectory(at: output, withIntermediateDirectories: false)
        defer { try? files.removeItem(at: output) }
        var arguments = [
            "symbolgraph-extract", "-module-name", module, "-target", info.target.triple,
            "-I", built.appendingPathComponent("Modules").path, "-I", built.path,
            "-minimum-access-level", "public", "-skip-inherited-docs", "-skip-synthesized-members",
            "-output-dir", output.path,
        ]
        if let sdk = info.paths.sdkPath { arguments += ["-sdk", sdk] }
        _ = try swift(arguments)
        return try Data(contentsOf: output.appendingPathComponent(module + ".symbols.json"))
    }

    private static func swift(_ arguments: String...) throws -> Data { try swift(arguments) }

    /// Runs `swift`, and returns what it prints.
    private static func swift(_ arguments: [String]) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Missing("swift \(arguments.joined(separator: " ")): exit \(process.terminationStatus)")
        }
        return data
    }
}
