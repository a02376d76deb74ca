import RoostWire

/// Writes the catalogue as a JSON Schema, 2020-12, with a definition of each type.
struct Schema {
    private let catalogue: Catalogue
    /// Whether it is for programs that read what a server of any version sends.
    ///
    /// Then it accepts words, codes and events that it does not know, and generators of code can use it: its names have no
    /// dots, and it has no conditions.
    private let isForReading: Bool
    private var definitions: [String: JSONTree] = [:]

    init(_ catalogue: Catalogue, isForReading: Bool = false) {
        self.catalogue = catalogue
        self.isForReading = isForReading
        for id in catalogue.ids {
            define(
                id.name,
                [
                    "description": text(id.meaning), "type": "string", "pattern": .string(id.pattern),
                    "minLength": number(id.minLength), "maxLength": number(id.maxLength),
                ])
        }
        for list in catalogue.enumerations {
            define(
                list.name,
                [
                    "description": text(list.meaning), "type": "string", "enum": words(list.values.map(\.name)),
                ])
        }
        for type in catalogue.types { definitions[type.name] = named(type) }
        for command in catalogue.commands { add(command) }
        for event in catalogue.events { add(event) }
        addFrames()
    }

    /// Defines a string. A reader takes any.
    private mutating func define(_ name: String, _ fields: [String: JSONTree]) {
        definitions[name] = .object(isForReading ? fields.filter { ["description", "type"].contains($0.key) } : fields)
    }

    /// The whole schema.
    var tree: JSONTree { isForReading ? readingTree : strictTree }

    private var readingTree: JSONTree {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string("What a server of Roost sends, version \(catalogue.version) and later"),
            "description": """
            For generators of code and for reading. ServerFrame is any frame; ResultMessageSend is the result of \
            message.send, EventMessageSent the event message.sent. Words, error codes and events that are not here are \
            accepted, and so are more fields, because a newer server may have them: what you do not know, ignore.
            """,
            "anyOf": .array([reference("serverFrame")]),
            "$defs": .object(
                Dictionary(
                    definitions.map { (Self.title($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })),
        ])
    }

    /// A name without dots: `event.message.sent` becomes `EventMessageSent`.
    private static func title(_ name: String) -> String {
        name.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private var strictTree: JSONTree {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string("The protocol of Roost, version \(catalogue.version)"),
            "description": """
            Every frame. To know what is wrong with one, validate it against its own definition: \
            command.NAME, event.NAME, error, or result.NAME of the command whose id the answer carries. \
            command.NAME.body, event.NAME.body and result.NAME.result are what stands in them under that key, and \
            the bodies of HTTP. More fields than are named are allowed: a newer version may have them.
            """,
            "anyOf": .array([reference("clientFrame"), reference("serverFrame")]),
            "$defs": .object(definitions),
        ])
    }

    // MARK: Frames

    private var frameID: JSONTree {
        value("string", catalogue.frameID, meaning: "The client chooses it, and the answer carries it back.")
    }

    private mutating func add(_ command: Catalogue.Command) {
        let id = command.needsTransID ? reference("TransID") : frameID
        let meaning = text(command.meaning)
        let answer =
            command.answerType.map(reference)
            ?? object(command.answer, meaning: .string("What \(command.name) answers."))
        guard !isForReading else {
            definitions["result.\(command.name)"] = answer
            return
        }
        definitions["command.\(command.name).body"] = object(command.fields, meaning: meaning)
        definitions["command.\(command.name)"] = object(
            ["id": id, "cmd": ["const": .string(command.name)], "body": reference("command.\(command.name).body")],
            required: ["id", "cmd"] + (command.needsBody ? ["body"] : []), meaning: meaning)
        definitions["result.\(command.name).result"] = answer
        definitions["result.\(command.name)"] = object(
            ["id": id, "result": reference("result.\(command.name).result")], required: ["id", "result"],
            meaning: .string("The answer to \(command.name)."))
    }

    private mutating func add(_ event: Catalogue.Event) {
        let meaning = text(event.meaning)
        definitions["event.\(event.name).body"] =
            event.bodyType.map(reference) ?? object(event.fields, meaning: meaning)
        // The log of an event decides which row numbers it has.
        let (numbers, others): ([String], [String]) =
            switch event.log {
            case "channel": (["channel", "seq"], ["userSeq"])
            case "user": (["userSeq"], ["channel", "seq"])
            default: ([], ["seq", "userSeq"])
            }
        let fields = catalogue.eventFields.filter { !others.contains($0.name) }
        var properties = properties(of: fields)
        properties["event"] = ["const": .string(event.name)]
        properties["body"] = reference("event.\(event.name).body")
        definitions["event.\(event.name)"] = object(
            properties, required: fields.filter(\.isRequired).map(\.name) + numbers, meaning: meaning)
    }

    private mutating func addFrames() {
        let commands = catalogue.commands.map(\.name)
        if isForReading {
            let fields = catalogue.eventFields
            definitions["otherEvent"] = object(
                properties(of: fields), required: fields.filter(\.isRequired).map(\.name),
                meaning: "An event that this schema does not know, from a newer server. If it has a number, count it.")
        }
        if !isForReading {
            definitions["clientFrame"] = object(
                ["id": frameID, "cmd": ["type": "string", "enum": words(commands)], "body": ["type": "object"]],
                required: ["id", "cmd"], meaning: "Any command.", cases: cases("cmd", of: commands, "command"))
        }
        definitions["answer"] = object(
            ["id": frameID, "result": ["type": "object"]], required: ["id", "result"],
            meaning: "Any result; which one, the command says whose id it carries.")
        definitions["error"] = object(
            ["id": frameID, "error": reference("WireError")], required: ["error"],
            meaning: "A refusal; without an id when the frame could not be read, and over HTTP.")
        definitions["serverFrame"] = [
            "description": "Any answer, refusal or event.",
            "anyOf": .array(["Event", "error", "answer"].map(reference)),
        ]
    }

    /// A condition per name: a frame with that name must match the definition of that name.
    private func cases(_ key: String, of names: [String], _ kind: String) -> JSONTree {
        .array(
            names.map { name in
                [
                    "if": ["properties": [key: ["const": .string(name)]]],
                    "then": reference("\(kind).\(name)"),
                ]
            })
    }

    // MARK: Types

    private func named(_ type: Catalogue.Named) -> JSONTree {
        let meaning = text(type.meaning)
        var properties = properties(of: type.fields)
        let required = type.fields.filter(\.isRequired).map(\.name)
        switch type.name {
        case "Event" where isForReading:
            return [
                "description": meaning,
                "anyOf": .array((catalogue.events.map { "event." + $0.name } + ["otherEvent"]).map(reference)),
            ]
        case "Event":
            let events = catalogue.events.map(\.name)
            properties["event"] = ["type": "string", "enum": words(events)]
            return object(properties, required: required, meaning: meaning, cases: cases("event", of: events, "event"))
        case "WireError" where !isForReading:
            // Code, name and class belong together.
            let errors = catalogue.errors.map { error -> JSONTree in
                [
                    "description": .string(error.meaning),
                    "properties": [
                        "code": ["const": number(error.code)], "name": ["const": .string(error.name)],
                        "retryable": ["const": .bool(error.retryable)],
                    ],
                ]
            }
            guard case .object(var fields) = object(properties, required: required, meaning: meaning) else { break }
            fields["anyOf"] = .array(errors)
            return .object(fields)
        default: break
        }
        let whole = object(properties, required: required, meaning: meaning)
        guard let plain = type.plainType else { return whole }
        return ["description": meaning, "anyOf": .array([value(plain), whole])]
    }

    private func object(_ fields: [Catalogue.Field], meaning: JSONTree) -> JSONTree {
        object(properties(of: fields), required: fields.filter(\.isRequired).map(\.name), meaning: meaning)
    }

    private func object(
        _ properties: [String: JSONTree], required: [String], meaning: JSONTree, cases: JSONTree? = nil
    ) -> JSONTree {
        var fields: [String: JSONTree] = [
            "description": meaning, "type": "object", "properties": .object(properties),
        ]
        if !required.isEmpty { fields["required"] = words(required) }
        if let cases { fields["allOf"] = cases }
        return .object(fields)
    }

    private func properties(of fields: [Catalogue.Field]) -> [String: JSONTree] {
        Dictionary(
            fields.map { field in
                (field.name, field.isArray ? array(of: field) : value(field.type, field.bounds, meaning: field.meaning))
            }, uniquingKeysWith: { first, _ in first })
    }

    private func array(of field: Catalogue.Field) -> JSONTree {
        var fields: [String: JSONTree] = [
            "description": .string(field.meaning), "type": "array", "items": value(field.type, field.bounds),
        ]
        if !isForReading, let least = field.bounds?.minItems { fields["minItems"] = number(least) }
        if !isForReading, let most = field.bounds?.maxItems { fields["maxItems"] = number(most) }
        return .object(fields)
    }

    private func value(_ type: String, _ bounds: Bounds? = nil, meaning: String? = nil) -> JSONTree {
        var fields: [String: JSONTree] =
            switch type {
            case "object of strings": ["type": "object", "additionalProperties": ["type": "string"]]
            case "time": ["type": "integer"]
            case _ where Types.plain.contains(type): ["type": .string(type)]
            default: ["$ref": .string("#/$defs/\(isForReading ? Self.title(type) : type)")]
            }
        if let meaning { fields["description"] = .string(meaning) }
        if !isForReading, let bounds {
            let numbers = [
                "minimum": bounds.minimum, "maximum": bounds.maximum, "minLength": bounds.minLength,
                "maxLength": bounds.maxLength,
            ]
            for (key, bound) in numbers { if let bound { fields[key] = number(bound) } }
            if let allowed = bounds.words { fields["enum"] = words(allowed) }
        }
        return .object(fields)
    }

    private func reference(_ name: String) -> JSONTree {
        ["$ref": .string("#/$defs/\(isForReading ? Self.title(name) : name)")]
    }

    private func words(_ words: [String]) -> JSONTree { .array(words.map { .string($0) }) }

    private func number(_ number: Int) -> JSONTree { .number(Int64(number)) }

    /// The paragraphs of a doc comment.
    private func text(_ paragraphs: [String]) -> JSONTree { .string(paragraphs.joined(separator: "\n\n")) }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral text: String) { self = .string(text) }

    init(dictionaryLiteral fields: (String, JSONTree)...) {
        self = .object(Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }
}
