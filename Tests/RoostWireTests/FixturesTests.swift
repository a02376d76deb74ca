import Foundation
import RoostWire
import Testing
import WireExamples

/// `Protocol/fixtures` is what clients in the field were written from: what it holds must stay readable.
@Suite struct FixturesTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        var kind: String
        /// The name of the command, event or error, without the variant.
        var name: String
        var file: String
        var tree: JSONTree

        var testDescription: String { file }
    }

    private static func load() throws -> [Fixture] {
        let folder = Repository.file("Protocol/fixtures")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
            let parts = file.split(separator: ".", maxSplits: 1)
            let stem = try #require(parts.last?.hasSuffix(".json") == true ? parts.last?.dropLast(5) : nil)
            let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(file)))
            return Fixture(
                kind: String(parts[0]), name: String(stem.prefix { $0 != "-" }), file: file, tree: try JSONTree(bytes))
        }
    }

    /// Reads a frame and writes it again, as the side that receives it would.
    private func again(_ fixture: Fixture, _ tree: JSONTree) throws -> JSONTree {
        let bytes = Array(tree.text().utf8)
        if fixture.kind == "command" {
            let frame = try WireCodec.decodeClientFrame(bytes)
            #expect(frame.command.name == fixture.name)
            return try JSONTree(try WireCodec.encodeClientFrame(frame))
        }
        switch try WireCodec.decodeServerFrame(bytes) {
        case .result(let id, let body):
            #expect(fixture.kind == "result")
            let example = try #require(try Examples.exchanges().first { $0.name == fixture.name })
            return try JSONTree(WireCodec.encodeResult(id: id, body: try example.again(body)))
        case .failure(let id, let error):
            #expect(fixture.kind == "error" && error.name == fixture.name)
            return try JSONTree(WireCodec.encodeFailure(id: id, error: error))
        case .event(let event):
            #expect(fixture.kind == "event" && event.name == fixture.name)
            if case .unknown = event.body { Issue.record("the event \(event.name) is not known any more") }
            return try JSONTree(try WireCodec.encode(event))
        }
    }

    @Test func `every fixture is read, and written again it still holds all that it held`() throws {
        for fixture in try Self.load() {
            let written = try again(fixture, fixture.tree)
            #expect(written.contains(fixture.tree), "\(fixture.file): \(written.text())")
        }
    }

    @Test func `fields of a newer protocol are passed over in every object`() throws {
        for fixture in try Self.load() {
            let written = try again(fixture, fixture.tree.withForeignFields())
            #expect(written == (try again(fixture, fixture.tree)), "\(fixture.file)")
        }
    }

    @Test func `an event of a newer protocol keeps its name and its number`() throws {
        for fixture in try Self.load() where fixture.kind == "event" {
            guard case .object(var fields) = fixture.tree else { continue }
            fields["event"] = .string("message.translated")
            fields["body"] = .object(["language": .string("de"), "by": .array([.null, .bool(true)])])
            let frame = try WireCodec.decodeServerFrame(Array(JSONTree.object(fields).text().utf8))
            guard case .event(let event) = frame else {
                Issue.record("\(fixture.file) is no event")
                continue
            }
            #expect(event.name == "message.translated")
            #expect(try JSONTree(try WireCodec.encode(event)).contains(.object(["body": fields["body"] ?? .null])))
            #expect(event.seq.map { .number($0) } == fields["seq"])
            #expect(event.userSeq.map { .number($0) } == fields["userSeq"])
        }
    }

    @Test func `the key of every field is in lower camel case`() throws {
        for fixture in try Self.load() {
            for key in fixture.tree.keys {
                #expect(key.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil, "\(key) in \(fixture.file)")
            }
        }
    }

    @Test func `every command and every event has an example`() throws {
        let commands = try Examples.exchanges()
        #expect(commands.filter { $0.variant == nil }.map(\.name).sorted() == AnyCommand.names)
        for example in commands { #expect(example.frame.command.name == example.name) }
        let events = try Examples.notices()
        #expect(events.filter { $0.variant == nil }.map(\.event.name) == EventName.allCases.map(\.rawValue))
    }

    @Test func `every command and every event has its fixtures`() throws {
        let files = Set(try Self.load().map(\.file))
        for name in AnyCommand.names {
            #expect(files.isSuperset(of: ["command.\(name).json", "result.\(name).json"]), "\(name)")
        }
        for event in EventName.allCases { #expect(files.contains("event.\(event.rawValue).json"), "\(event)") }
        #expect(files.contains { $0.hasPrefix("error.") })
    }

    @Test func `the frames of the example conversation are read back as they were written`() throws {
        for line in try Examples.conversation() {
            switch line {
            case .client(let frame):
                #expect(try WireCodec.decodeClientFrame(try WireCodec.encodeClientFrame(frame)) == frame)
            case .event(let event):
                guard case .event(event) = try WireCodec.decodeServerFrame(try WireCodec.encode(event)) else {
                    Issue.record("\(event.name)")
                    continue
                }
            case .remark, .answer, .refusal: continue
            }
        }
    }
}

extension JSONTree {
    /// The same tree with a field that nobody knows in every object; the app's own `extras` are no object of ours.
    fileprivate func withForeignFields() -> JSONTree {
        switch self {
        case .object(let fields):
            var more = fields.mapValues { $0.withForeignFields() }
            more["extras"] = fields["extras"]
            more["fromTheFuture"] = .object(["list": .array([.null, .number(-1), .string("\\\"")])])
            return .object(more)
        case .array(let elements): return .array(elements.map { $0.withForeignFields() })
        case .string, .number, .fraction, .bool, .null: return self
        }
    }

    /// All keys of all objects.
    fileprivate var keys: [String] {
        switch self {
        case .object(let fields): fields.flatMap { [$0.key] + $0.value.keys }
        case .array(let elements): elements.flatMap(\.keys)
        case .string, .number, .fraction, .bool, .null: []
        }
    }
}
