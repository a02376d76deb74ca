import Foundation
import RoostWire
import WireExamples

/// Writes `Protocol/` and the types of the client in JavaScript from RoostWire, or checks that they are up to date.
@main struct Wiregen {
    private static let usage = """
        usage: roost-wiregen [--check] [--root DIR]

        Writes Protocol/catalogue.md, its pages in Protocol/pages/, Protocol/catalogue.json, the two schemas,
        Protocol/fixtures/ and Web/src/client/protocol.js from the types and doc comments of RoostWire, from the examples in
        Sources/WireExamples and from Protocol/preface.md. A link of the catalogue that leads nowhere is an error.
        The compiler says what is in RoostWire: build first (swift run does), with the swift in the PATH.

          --check     change nothing; exit 1 and name the files that are stale, missing or extra
          --root DIR  the folder that holds Protocol and Web, instead of the current one
        """

    static func main() {
        var isCheck = false
        var root = "."
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--check": isCheck = true
            case "--root":
                guard let folder = arguments.popFirst() else { leave(2, usage) }
                root = folder
            case "--help", "-h":
                print(usage)
                return
            default: leave(2, "roost-wiregen: \"\(argument)\" is no option of mine.\n\n" + usage)
            }
        }
        do {
            let found = try run(root: root, isCheck: isCheck)
            if isCheck, !found.isEmpty {
                leave(1, found.joined(separator: "\n") + "\nRun: swift run roost-wiregen")
            }
            for line in found { print(line) }
        } catch {
            leave(1, "roost-wiregen: \(error)")
        }
    }

    private static func leave(_ code: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(code)
    }

    /// Writes or compares; answers what was different, a line per file.
    private static func run(root: String, isCheck: Bool) throws -> [String] {
        let files = FileManager.default
        let target = root + "/"
        let wanted = try Output.files(root: root)
        var found: [String] = []
        for (name, text) in wanted.sorted(by: { $0.key < $1.key }) {
            let old = files.contents(atPath: target + name)
            if old == Data(text.utf8) { continue }
            if !isCheck {
                let folder = target + name.split(separator: "/").dropLast().joined(separator: "/")
                try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(fileURLWithPath: target + name))
            }
            found.append((isCheck ? (old == nil ? "missing: " : "stale: ") : "written: ") + name)
        }
        let present = ["Protocol/fixtures", "Protocol/pages"].flatMap { folder in
            ((try? files.contentsOfDirectory(atPath: target + folder)) ?? []).map { folder + "/" + $0 }
        }
        for name in present.sorted() where wanted[name] == nil {
            if !isCheck { try files.removeItem(atPath: target + name) }
            found.append((isCheck ? "extra: " : "removed: ") + name)
        }
        return found
    }
}

/// The files that are written, by their paths.
enum Output {
    static func files(root: String) throws -> [String: String] {
        let catalogue = try CatalogueMaker(SymbolGraph.types(of: "RoostWire")).make()
        var fixtures: [String: JSONTree] = [:]
        var lines: [String: [String]] = [:]
        func add(_ kind: String, _ name: String, _ variant: String?, _ bytes: [UInt8]) throws {
            let tree = try JSONTree(bytes)
            fixtures["fixtures/\(kind).\(name)\(variant.map { "-" + $0 } ?? "").json"] = tree
            let shown = line(tree)
            if lines["\(kind).\(name)"]?.contains(shown) != true { lines["\(kind).\(name)", default: []].append(shown) }
        }
        for example in try Examples.exchanges() {
            let frame = try WireCodec.encodeClientFrame(example.frame)
            try add("command", example.name, example.variant, frame)
            let result = WireCodec.encodeResult(id: example.frame.id, body: example.answer)
            try add("result", example.name, example.variant, result)
        }
        for example in try Examples.notices() {
            try add("event", example.event.name, example.variant, try WireCodec.encode(example.event))
        }
        for refusal in Examples.refusals() {
            let frame = WireCodec.encodeFailure(id: refusal.id, error: refusal.error)
            try add("error", refusal.error.name, nil, frame)
        }
        let preface = try read(root + "/Protocol/preface.md").replacing("{{transcript}}", with: try transcript())
        let markdown = Markdown(catalogue, preface: preface, examples: lines)
        try markdown.checkLinks()
        var files = fixtures.mapValues { $0.text(isPretty: true) + "\n" }
        files["catalogue.md"] = markdown.text
        files["catalogue.json"] = try JSONTree(try WireCodec.encode(catalogue)).text(isPretty: true) + "\n"
        files["schema.json"] = Schema(catalogue).tree.text(isPretty: true) + "\n"
        files["schema-reading.json"] = Schema(catalogue, isForReading: true).tree.text(isPretty: true) + "\n"
        for (name, page) in Pages(markdown.text).files { files["pages/" + name] = page }
        files = Dictionary(uniqueKeysWithValues: files.map { ("Protocol/" + $0.key, $0.value) })
        files["Web/src/client/protocol.js"] = ScriptTypes(catalogue).text
        return files
    }

    private static func read(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else { throw Missing("cannot read \(path)") }
        return String(decoding: data, as: UTF8.self)
    }

    /// The conversation of the examples, an arrow before each frame.
    private static func transcript() throws -> String {
        try Examples.conversation().map { entry in
            switch entry {
            case .remark(let words): "\n   \(words)"
            case .client(let frame): "→ " + line(try JSONTree(try WireCodec.encodeClientFrame(frame)))
            case .answer(let id, let body): "← " + line(try JSONTree(WireCodec.encodeResult(id: id, body: body)))
            case .refusal(let refusal):
                "← " + line(try JSONTree(WireCodec.encodeFailure(id: refusal.id, error: refusal.error)))
            case .event(let event): "← " + line(try JSONTree(try WireCodec.encode(event)))
            }
        }.joined(separator: "\n").trimmingPrefix("\n").description
    }

    /// One line for people: who and what first, the body last.
    private static func line(_ tree: JSONTree) -> String {
        let rank = ["id": 0, "cmd": 1, "event": 1, "channel": 2, "seq": 3, "userSeq": 3, "body": 9]
        return tree.text { (rank[$0] ?? 5, $0) < (rank[$1] ?? 5, $1) }
    }
}
