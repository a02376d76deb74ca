import RoostWire
import WireExamples

/// Everything that the catalogue says: from the registries of RoostWire, its examples and its doc comments.
struct Catalogue: Encodable {
    struct Field: Encodable {
        var name: String
        /// The type on the wire: `string`, `integer`, `number`, `boolean`, `object`, an id or a type of the catalogue.
        var type: String
        var isArray: Bool
        var isRequired: Bool
        var meaning: String
    }

    struct Command: Encodable {
        var name: String
        var effect: String
        var needsTransID: Bool
        var overHTTP: Bool
        var meaning: [String]
        var fields: [Field]
        /// The name of the type of the answer; absent when no other command answers with it.
        var answerType: String?
        var answer: [Field]
    }

    struct Event: Encodable {
        var name: String
        /// `channel` or `user` for a row of that log, `ephemeral` for none.
        var log: String
        var meaning: [String]
        var fields: [Field]
    }

    struct Named: Encodable {
        var name: String
        var meaning: [String]
        var fields: [Field]
    }

    struct Choice: Encodable {
        var name: String
        var number: Int?
        var meaning: String
    }

    struct Choices: Encodable {
        var name: String
        var meaning: [String]
        var values: [Choice]
    }

    struct Identifier: Encodable {
        var name: String
        var meaning: [String]
    }

    struct Failure: Encodable {
        var code: Int
        var name: String
        var retryable: Bool
        var reserved: Bool
        var meaning: String
    }

    struct Close: Encodable {
        var code: UInt16
        var name: String
        var mayReconnect: Bool
        var meaning: String
    }

    struct Limit: Encodable {
        var name: String
        var `default`: Int64
        var meaning: String
    }

    struct Kind: Encodable {
        var name: String
        var number: Int
        var stored: String
        var lastMessage: String
        var realtime: String
        var pushed: String
        var unread: String
        var audience: String
        var emitted: Bool
        var meaning: String
    }

    var version: Int
    var commands: [Command] = []
    var events: [Event] = []
    /// The fields around the body of every event.
    var eventFields: [Field] = []
    var types: [Named] = []
    var enumerations: [Choices] = []
    var ids: [Identifier] = []
    var errors: [Failure] = []
    var closeCodes: [Close] = []
    var limits: [Limit] = []
    var messageTypes: [Kind] = []
    var effects: [Choice] = []
}

/// A doc comment or an example that is not where it must be.
struct Missing: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Puts the catalogue together.
struct CatalogueMaker {
    private let declared: [TypeDeclaration]
    private let docs: [String: TypeDeclaration]
    /// The enumerations whose words travel. The symbol graph has their cases, but not the raw values.
    private static let enumerations: [any (CaseIterable & RawRepresentable<String> & Sendable).Type] = [
        BroadcastSegment.Kind.self, BroadcastState.self, CallKind.self, CallResult.self, ChannelJoined.Reason.self,
        ChannelKind.self, DeletionScope.self, DepartureReason.self, HistoryVisibility.self, JoinMethod.self,
        ProfileEditors.self, Reset.Reason.self, Role.self, TimeDirection.self, VotePhase.self, VoteResults.self,
    ]

    /// Takes the public types of RoostWire, in the order in which their ids shall stand.
    init(_ types: [TypeDeclaration]) {
        declared = types
        docs = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func make() throws -> Catalogue {
        var catalogue = Catalogue(version: ProtocolVersion.current)
        var used: [String] = []
        catalogue.commands = try commands(&used)
        catalogue.events = try events(&used)
        catalogue.eventFields = try eventFields()
        try follow(used + ["WireError", "Event", "Limits"], into: &catalogue)
        catalogue.ids = try declared.filter { $0.conformances.contains("Identifier") }.map {
            Catalogue.Identifier(name: $0.name, meaning: try type($0.name).doc)
        }
        catalogue.errors = ErrorCode.all.map {
            Catalogue.Failure(
                code: $0.code, name: $0.name, retryable: $0.isRetryable, reserved: $0.isReserved, meaning: $0.meaning)
        }
        catalogue.closeCodes = try CloseCode.allCases.map { code in
            Catalogue.Close(
                code: code.rawValue, name: "\(code)", mayReconnect: code.mayReconnect,
                meaning: try meaning(of: "\(code)", in: "CloseCode"))
        }
        catalogue.limits = try limits()
        catalogue.messageTypes = MessageType.all.map {
            Catalogue.Kind(
                name: $0.name, number: $0.number, stored: $0.isStored.rawValue, lastMessage: $0.isLastMessage.rawValue,
                realtime: $0.isRealtime.rawValue, pushed: $0.isPushed.rawValue, unread: $0.countsAsUnread.rawValue,
                audience: $0.audience.rawValue, emitted: $0.isEmitted, meaning: $0.meaning)
        }
        catalogue.effects = try type("AnyCommand.Effect").cases.map {
            Catalogue.Choice(name: $0.name, meaning: try meaning(of: $0.name, in: "AnyCommand.Effect"))
        }
        return catalogue
    }

    private func commands(_ used: inout [String]) throws -> [Catalogue.Command] {
        try Examples.exchanges().filter { $0.variant == nil }.map { example in
            let value = example.frame.command.value
            let command = try type(nameOfType(Swift.type(of: value)))
            let answer = try type(nameOfType(answerType(of: value)))
            used += [command.name, answer.name]
            return Catalogue.Command(
                name: example.name, effect: "\(example.frame.command.effect)",
                needsTransID: example.frame.command.effect == .writes,
                overHTTP: Swift.type(of: value).reach == .anywhere, meaning: command.doc,
                fields: try fields(command),
                answerType: answer.name == command.name + ".Answer" ? nil : answer.name, answer: try fields(answer))
        }
    }

    private func events(_ used: inout [String]) throws -> [Catalogue.Event] {
        let names = try type("EventName")
        return try Examples.notices().filter { $0.variant == nil }.map { example in
            let event = example.event
            let (log, place, bodies) =
                switch event.body {
                case .channel: ("channel", "Channel log.", "ChannelRowBody")
                case .user: ("user", "User log.", "UserRowBody")
                case .ephemeral, .unknown: ("ephemeral", "Ephemeral.", "EphemeralBody")
                }
            guard let name = names.cases.first(where: { $0.name == EventName(rawValue: event.name).map { "\($0)" } }),
                let body = try type(bodies).cases.first(where: { $0.name == name.name })?.type
            else { throw Missing("no case of EventName or \(bodies) for \"\(event.name)\"") }
            guard let sentence = name.doc.first, sentence.hasSuffix(" " + place), let declared = docs[body] else {
                throw Missing("the comment of EventName.\(name.name) must end with \"\(place)\"")
            }
            guard (event.seq != nil) == (log == "channel"), (event.userSeq != nil) == (log == "user") else {
                throw Missing("the example of \"\(event.name)\" must have the number of its log and no other")
            }
            used.append(body)
            return Catalogue.Event(
                name: event.name, log: log,
                meaning: [String(sentence.dropLast(place.count + 1))] + declared.doc.dropFirst(),
                fields: try fields(declared))
        }
    }

    private func eventFields() throws -> [Catalogue.Field] {
        let event = try type("Event")
        guard let name = event.properties.first(where: { $0.name == "name" }) else { throw Missing("Event.name") }
        let first = Catalogue.Field(
            name: "event", type: "string", isArray: false, isRequired: true, meaning: name.doc.joined(separator: " "))
        return try [first] + fields(event)
    }

    /// Adds the types that the fields of these types name, and those that they name in turn.
    private func follow(_ start: [String], into catalogue: inout Catalogue) throws {
        var waiting = start
        var seen = Set(start)
        let shown = Set(catalogue.commands.compactMap(\.answerType))
        let isInline = Set(start).subtracting(shown).subtracting(["WireError", "Limits"])
        while let name = waiting.popLast() {
            guard let declared = docs[name] else { continue }
            if declared.conformances.contains("Identifier") || name == "EventBody" { continue }
            if declared.isEnumeration {
                catalogue.enumerations.append(try choices(name))
                continue
            }
            let fields = try fields(declared)
            for field in fields where docs[field.type] != nil && seen.insert(field.type).inserted {
                waiting.append(field.type)
            }
            let isEvent = name == "Event"
            if !isInline.contains(name) || isEvent {
                catalogue.types.append(
                    Catalogue.Named(
                        name: name, meaning: declared.doc, fields: isEvent ? catalogue.eventFields : fields))
            }
        }
        catalogue.types.sort { $0.name < $1.name }
        catalogue.enumerations.sort { $0.name < $1.name }
    }

    private func choices(_ name: String) throws -> Catalogue.Choices {
        guard let list = Self.enumerations.first(where: { nameOfType($0) == name }) else {
            throw Missing("\(name) is not in CatalogueMaker.enumerations")
        }
        let words = wordsByCase(of: list)
        let declared = try type(name)
        return Catalogue.Choices(
            name: name, meaning: declared.doc,
            values: try declared.cases.map { choice in
                guard let wire = words[choice.name] else { throw Missing("the word of \(name).\(choice.name)") }
                return Catalogue.Choice(
                    name: wire, number: number(of: wire, in: name),
                    meaning: try meaning(of: choice.name, in: name))
            })
    }

    /// The reference number of a word, where its list has numbers.
    private func number(of word: String, in list: String) -> Int? {
        switch list {
        case "Role": Role(rawValue: word)?.number
        case "ChannelKind": ChannelKind(rawValue: word)?.number
        case "JoinMethod": JoinMethod(rawValue: word)?.number
        default: nil
        }
    }

    private func limits() throws -> [Catalogue.Limit] {
        guard case .object(let defaults) = try JSONTree(try WireCodec.encode(Limits())) else { return [] }
        return try fields(try type("Limits")).map { field in
            guard case .number(let value) = defaults[field.name] else { throw Missing("Limits.\(field.name)") }
            return Catalogue.Limit(name: field.name, default: value, meaning: field.meaning)
        }
    }

    /// The fields of a type: its stored properties. Of what lies flat in it the fields are declared as computed ones.
    private func fields(_ owner: TypeDeclaration) throws -> [Catalogue.Field] {
        func liesFlat(_ property: Declaration) -> Bool {
            let type = docs[property.type] ?? docs[owner.name + "." + property.type]
            return type?.conformances.contains("LiesFlat") == true
        }
        let hasFlat = owner.properties.contains(where: liesFlat)
        // What a command is for the server does not travel.
        let facts = Set(docs["Command"]?.properties.map(\.name) ?? [])
        return try owner.properties.filter { hasFlat ? !liesFlat($0) && !facts.contains($0.name) : $0.isStored }.map {
            property in
            guard !property.doc.isEmpty else { throw Missing("\(owner.name).\(property.name) has no doc comment") }
            var name = property.type
            let isRequired = !name.hasSuffix("?")
            if !isRequired { name.removeLast() }
            let isArray = name.hasPrefix("[") && !name.contains(":")
            if isArray { name = String(name.dropFirst().dropLast()) }
            return Catalogue.Field(
                name: property.name, type: wire(name), isArray: isArray, isRequired: isRequired,
                meaning: property.doc.joined(separator: " "))
        }
    }

    private func wire(_ name: String) -> String {
        switch name {
        case "Int", "Int64": "integer"
        case "Bool": "boolean"
        case "String": "string"
        case "Double": "number"
        case "EventBody", "[String : String]": "object"
        default: name
        }
    }

    private func type(_ name: String) throws -> TypeDeclaration {
        guard let found = docs[name], !found.doc.isEmpty else { throw Missing("no documented type \(name)") }
        return found
    }

    private func meaning(of name: String, in owner: String) throws -> String {
        guard let found = try type(owner).cases.first(where: { $0.name == name }), !found.doc.isEmpty else {
            throw Missing("\(owner).\(name) has no doc comment")
        }
        return found.doc.joined(separator: " ")
    }
}

/// The name of a type without its module, as the symbol graph has it.
private func nameOfType(_ type: Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
}

private func answerType<C: Command>(of command: C) -> Any.Type { C.Answer.self }

/// The words of an enumeration by the names of its cases.
private func wordsByCase<T: CaseIterable & RawRepresentable<String>>(of list: T.Type) -> [String: String] {
    Dictionary(list.allCases.map { ("\($0)", $0.rawValue) }, uniquingKeysWith: { first, _ in first })
}
