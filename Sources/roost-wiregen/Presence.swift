import RoostWire
import WireExamples

/// What the examples show about fields: which are optional, and which may be negative.
///
/// For what clients send, the decoder reads each example again
/// without each of its fields: a field is required if no example can be read
/// without it. In what only the server sends, a field is always present if it is in
/// all examples and is not an optional in Swift.
struct Presence {
    /// The objects of one type in the examples.
    private struct Objects {
        var count = 0
        var having: [String: Int] = [:]

        mutating func add(_ object: [String: JSONTree]) {
            count += 1
            for key in object.keys { having[key, default: 0] += 1 }
        }
    }

    /// A value of a declared type in an example.
    private struct Found {
        var type: String
        var value: JSONTree
        var path: ArraySlice<JSONTree.Step>
    }

    private let types: Types
    /// The types of the bodies, by the name of the event.
    private let bodies: [String: String]
    /// The types that a client sends, as a command or inside one.
    private let ofClients: Set<String>
    private var sent: [String: Objects] = [:]
    private var told: [String: Objects] = [:]
    /// By type, the fields that an example can be read without.
    private var needless: [String: Set<String>] = [:]
    /// By type, the fields that are a negative number in an example.
    private var negative: [String: Set<String>] = [:]
    /// By type, the type of the plain string that may replace an object.
    private(set) var plainTypes: [String: String] = [:]
    /// The names of the commands that the decoder reads without a body.
    private(set) var withoutBody: Set<String> = []

    init(_ types: Types, bodies: [String: String]) throws {
        self.types = types
        self.bodies = bodies
        let exchanges = try Examples.exchanges()
        ofClients = try Self.reachable(
            from: exchanges.map { Types.name(of: type(of: $0.frame.command.value)) }, types)
        for example in exchanges {
            let command = example.frame.command.value
            try ask(example.frame, as: Types.name(of: type(of: command)))
            try look(at: JSONTree(example.answer), as: Types.name(of: Self.answerType(of: command)))
        }
        for example in try Examples.notices() {
            try look(at: JSONTree(try WireCodec.encode(example.event)), as: "Event")
        }
        for refusal in Examples.refusals() {
            try look(at: JSONTree(WireCodec.encodeError(refusal.error)), as: "WireError")
        }
    }

    /// The type of the answer to a command.
    static func answerType<C: Command>(of command: C) -> Any.Type { C.Answer.self }

    /// Whether a field of a type is always present.
    func isRequired(_ field: Types.Field, of type: String) throws -> Bool {
        if ofClients.contains(type) {
            guard let objects = sent[type] else { throw Missing("no example of a command has a \(type)") }
            return objects.having[field.name] == objects.count && needless[type]?.contains(field.name) != true
        }
        guard let objects = told[type] else { throw Missing("no example has a \(type)") }
        return objects.having[field.name] == objects.count && !field.isOptional
    }

    /// Whether a number field may be negative, because an example is.
    func mayBeNegative(_ field: String, of type: String) -> Bool { negative[type]?.contains(field) == true }

    /// These types and the types of all their fields.
    private static func reachable(from start: [String], _ types: Types) throws -> Set<String> {
        var waiting = start
        var reached: Set<String> = []
        while let name = waiting.popLast() {
            guard types.isObject(name), reached.insert(name).inserted else { continue }
            waiting += try types.fields(of: name).map(\.type)
        }
        return reached
    }

    /// Finds out which fields of a command the decoder can do without.
    private mutating func ask(_ frame: ClientFrame, as type: String) throws {
        let tree = try JSONTree(try WireCodec.encodeClientFrame(frame))
        guard case .object(let fields) = tree, let body = fields["body"], let read = Self.read(tree) else {
            throw Missing("the example of \(frame.command.name) cannot be read back")
        }
        if Self.read(tree.setting(nil, at: [.key("body")])) != nil { withoutBody.insert(frame.command.name) }
        for found in try find(type, in: body, at: [.key("body")]) {
            guard case .object(let object) = found.value else {
                plainTypes[found.type] = try plainType(of: found, in: tree, meaning: read)
                continue
            }
            sent[found.type, default: Objects()].add(object)
            note(found.type, object)
            for key in object.keys where Self.read(tree.setting(nil, at: found.path + [.key(key)])) != nil {
                needless[found.type, default: []].insert(key)
            }
        }
    }

    /// Counts the fields in a value that the server sends.
    private mutating func look(at tree: JSONTree, as type: String) throws {
        for found in try find(type, in: tree, at: []) {
            guard case .object(let object) = found.value else {
                throw Missing("an example has no object as \(found.type), but \(found.value.text())")
            }
            told[found.type, default: Objects()].add(object)
            note(found.type, object)
        }
    }

    private mutating func note(_ type: String, _ object: [String: JSONTree]) {
        for (key, value) in object {
            if case .number(..<0) = value { negative[type, default: []].insert(key) }
        }
    }

    /// A value and all values of declared types in it.
    private func find(_ type: String, in tree: JSONTree, at path: ArraySlice<JSONTree.Step>) throws -> [Found] {
        var all = [Found(type: type, value: tree, path: path)]
        guard case .object(let object) = tree else { return all }
        let fields = try types.fields(of: type)
        for (key, value) in object {
            guard let field = fields.first(where: { $0.name == key }) else {
                throw Missing("an example has \(type).\(key), which is not declared")
            }
            let inner = try type == "Event" && key == "body" ? bodyType(of: object) : field.type
            guard types.isObject(inner) else { continue }
            let path = path + [.key(key)]
            if case .array(let elements) = value {
                for (index, element) in elements.enumerated() {
                    all += try find(inner, in: element, at: path + [.index(index)])
                }
            } else {
                all += try find(inner, in: value, at: path)
            }
        }
        return all
    }

    private func bodyType(of event: [String: JSONTree]) throws -> String {
        guard case .string(let name)? = event["event"], let type = bodies[name] else {
            throw Missing("an example has an event without a type of body: \(event["event"]?.text() ?? "no name")")
        }
        return type
    }

    /// The type of the only field of an object that a plain string may replace.
    private func plainType(of found: Found, in tree: JSONTree, meaning frame: ClientFrame) throws -> String {
        for field in try types.fields(of: found.type) {
            let spelled = tree.setting(.object([field.name: found.value]), at: found.path)
            if Self.read(spelled) == frame { return field.type }
        }
        throw Missing("an example has \(found.value.text()) as \(found.type); no field alone means the same")
    }

    private static func read(_ tree: JSONTree) -> ClientFrame? {
        try? WireCodec.decodeClientFrame(Array(tree.text().utf8))
    }
}

extension JSONTree {
    /// A step from a value to one inside it.
    enum Step {
        case key(String)
        case index(Int)
    }

    /// The same tree with another value at a path; nil removes the key.
    func setting(_ value: JSONTree?, at path: ArraySlice<Step>) -> JSONTree {
        guard let step = path.first else { return value ?? self }
        let rest = path.dropFirst()
        switch (self, step) {
        case (.object(var fields), .key(let key)):
            fields[key] = rest.isEmpty ? value : fields[key]?.setting(value, at: rest)
            return .object(fields)
        case (.array(var elements), .index(let index)) where elements.indices.contains(index):
            elements[index] = elements[index].setting(value, at: rest)
            return .array(elements)
        default: return self
        }
    }
}
