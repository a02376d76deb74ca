import RoostWire
import WireExamples

/// The contents of the catalogue: from the registries of RoostWire, its examples and its doc comments.
struct Catalogue: Encodable {
    struct Field: Encodable {
        var name: String
        /// The type on the wire: `string`, `integer`, `time` (an integer, in ms since 1970), `number`, `boolean`, `object`,
        /// `object of strings`, an id or a type of the catalogue.
        var type: String
        var isArray: Bool
        /// Whether it is always present.
        var isRequired: Bool
        /// The bounds of its value, or of an array's elements.
        var bounds: Bounds?
        var meaning: String
    }

    struct Command: Encodable {
        var name: String
        var effect: String
        var needsTransID: Bool
        var overHTTP: Bool
        /// Whether it may be sent over HTTP only.
        var onlyHTTP: Bool
        var meaning: [String]
        /// Whether the body is required.
        var needsBody: Bool
        var fields: [Field]
        /// The name of the type of the answer; nil if no other command has this answer.
        var answerType: String?
        var answer: [Field]
        /// The codes of the errors with which it may be refused, beside those of any command; ascending.
        var errors: [Int]
    }

    struct Event: Encodable {
        var name: String
        /// `channel` or `user` for a row of that log, `ephemeral` for none.
        var log: String
        /// Whether it shows in a conversation; nil if it is no row of a channel's log.
        var isShown: Bool?
        var meaning: [String]
        /// The name of the type of the body; nil if nothing else has this body.
        var bodyType: String?
        var fields: [Field]
    }

    struct Named: Encodable {
        var name: String
        var meaning: [String]
        /// The type of the plain string that may replace an object with only this field; nil if none may.
        var plainType: String?
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
        /// A regular expression of ECMA-262.
        var pattern: String
        /// In bytes, all of them ASCII.
        var minLength: Int
        var maxLength: Int
    }

    struct Failure: Encodable {
        var code: Int
        var name: String
        var retryable: Bool
        var reserved: Bool
        /// Whether any command may be refused with it.
        var general: Bool
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
    /// The length of a frame's id if it need not be a transID.
    var frameID = Bounds()
    var errors: [Failure] = []
    var closeCodes: [Close] = []
    var limits: [Limit] = []
    var messageTypes: [Kind] = []
    var effects: [Choice] = []
}

/// A missing doc comment or example.
struct Missing: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Builds the catalogue.
struct CatalogueMaker {
    /// The body of an event.
    private struct Body {
        /// `channel`, `user` or `ephemeral`.
        var log: String
        /// How the comment of the name must end.
        var place: String
        /// The case of `EventName`.
        var name: Declaration
        /// The name of the type.
        var type: String
    }

    private let types: Types
    private let bodies: [String: Body]
    private let presence: Presence
    /// The enumerations on the wire. The symbol graph has their cases, but not the raw values.
    private static let enumerations: [any (CaseIterable & RawRepresentable<String> & Sendable).Type] = [
        AccountSource.self, BroadcastSegment.Kind.self, BroadcastState.self, CallKind.self, CallResult.self,
        ChannelJoined.Reason.self,
        ChannelKind.self, DeletionScope.self, DepartureReason.self, HistoryVisibility.self, InvitesFrom.self,
        JoinMethod.self, RecallRole.self,
        KeyScope.self, Pinners.self,
        ProfileEditors.self, PushGateway.self, PushKind.self, PushTestStep.Check.self, Reset.Reason.self, Role.self,
        TimeDirection.self,
        VotePhase.self, VoteResults.self,
    ]
    /// The ids. The symbol graph does not have their rules.
    private static let ids: [any Identifier.Type] = [
        UserID.self, ChannelID.self, MessageID.self, ScheduleID.self, BroadcastID.self, TransID.self, DeviceID.self,
        FileID.self,
    ]

    /// Creates it with the public types of RoostWire, in the order for the catalogue's ids.
    init(_ declared: [TypeDeclaration]) throws {
        types = Types(declared)
        bodies = try Self.bodies(types)
        presence = try Presence(types, bodies: bodies.mapValues(\.type))
    }

    func make() throws -> Catalogue {
        try checkBounds()
        var catalogue = Catalogue(version: ProtocolVersion.current)
        catalogue.commands = try commands()
        catalogue.eventFields = try fields("Event")
        try addTypes(to: &catalogue)
        // The body of an event has its own table, and is also among the types if a field has that type.
        let named = Set(catalogue.types.map(\.name))
        catalogue.events = try events(named)
        catalogue.ids = try ids()
        let lengths = try IDForm.frameIDLengths()
        catalogue.frameID = Bounds(minLength: lengths.lowerBound, maxLength: lengths.upperBound)
        catalogue.errors = ErrorCode.all.map {
            Catalogue.Failure(
                code: $0.code, name: $0.name, retryable: $0.isRetryable, reserved: $0.isReserved,
                general: CommandErrors.general.contains($0.code), meaning: $0.meaning)
        }
        catalogue.closeCodes = try CloseCode.allCases.map { code in
            Catalogue.Close(
                code: code.rawValue, name: "\(code)", mayReconnect: code.mayReconnect,
                meaning: try types.meaning(of: "\(code)", in: "CloseCode"))
        }
        catalogue.limits = try limits()
        catalogue.messageTypes = MessageType.all.map {
            Catalogue.Kind(
                name: $0.name, number: $0.number, stored: $0.isStored.rawValue, lastMessage: $0.isLastMessage.rawValue,
                realtime: $0.isRealtime.rawValue, pushed: $0.isPushed.rawValue, unread: $0.countsAsUnread.rawValue,
                audience: $0.audience.rawValue, emitted: $0.isEmitted, meaning: $0.meaning)
        }
        catalogue.effects = try types.documented("AnyCommand.Effect").cases.map {
            Catalogue.Choice(name: $0.name, meaning: try types.meaning(of: $0.name, in: "AnyCommand.Effect"))
        }
        return catalogue
    }

    private func commands() throws -> [Catalogue.Command] {
        try Examples.exchanges().filter { $0.variant == nil }.map { example in
            let value = example.frame.command.value
            let command = try types.documented(Types.name(of: Swift.type(of: value)))
            let answer = Types.name(of: Presence.answerType(of: value))
            return Catalogue.Command(
                name: example.name, effect: "\(example.frame.command.effect)",
                needsTransID: example.frame.command.effect == .writes,
                overHTTP: [.anywhere, .request].contains(Swift.type(of: value).reach),
                onlyHTTP: Swift.type(of: value).reach == .request, meaning: command.doc,
                needsBody: !presence.withoutBody.contains(example.name), fields: try fields(command.name),
                answerType: answer == command.name + ".Answer" ? nil : answer, answer: try fields(answer),
                errors: CommandErrors.byCommand[example.name] ?? [])
        }
    }

    /// The types of the bodies, from the closed lists and the examples.
    private static func bodies(_ types: Types) throws -> [String: Body] {
        let names = try types.documented("EventName")
        var bodies: [String: Body] = [:]
        for example in try Examples.notices() {
            let event = example.event
            let (log, place, list) =
                switch event.body {
                case .channel: ("channel", "Channel log.", "ChannelRowBody")
                case .user: ("user", "User log.", "UserRowBody")
                case .ephemeral, .unknown: ("ephemeral", "Ephemeral.", "EphemeralBody")
                }
            guard let name = names.cases.first(where: { $0.name == EventName(rawValue: event.name).map { "\($0)" } }),
                let type = try types.documented(list).cases.first(where: { $0.name == name.name })?.type
            else { throw Missing("no case of EventName or \(list) for \"\(event.name)\"") }
            guard (event.seq != nil) == (log == "channel"), (event.userSeq != nil) == (log == "user") else {
                throw Missing("the example of \"\(event.name)\" must have the number of its log and no other")
            }
            bodies[event.name] = Body(log: log, place: place, name: name, type: type)
        }
        return bodies
    }

    private func events(_ named: Set<String>) throws -> [Catalogue.Event] {
        try EventName.allCases.map { event in
            guard let body = bodies[event.rawValue] else { throw Missing("no example of \"\(event.rawValue)\"") }
            guard let sentence = body.name.doc.first, sentence.hasSuffix(" " + body.place) else {
                throw Missing("the comment of EventName.\(body.name.name) must end with \"\(body.place)\"")
            }
            return Catalogue.Event(
                name: event.rawValue, log: body.log, isShown: body.log == "channel" ? event.isShown : nil,
                meaning: [String(sentence.dropLast(body.place.count + 1))]
                    + (try types.documented(body.type).doc.dropFirst()),
                bodyType: named.contains(body.type) ? body.type : nil, fields: try fields(body.type))
        }
    }

    /// Adds the types that some field has, and those that several commands answer with.
    private func addTypes(to catalogue: inout Catalogue) throws {
        var named = Set(catalogue.commands.compactMap(\.answerType)).union(["WireError", "Event", "Limits"])
        var waiting = Array(named) + bodies.values.map(\.type)
        for example in try Examples.exchanges() {
            let value = example.frame.command.value
            waiting += [Types.name(of: Swift.type(of: value)), Types.name(of: Presence.answerType(of: value))]
        }
        var seen: Set<String> = []
        while let name = waiting.popLast() {
            guard seen.insert(name).inserted else { continue }
            if types.isObject(name) {
                let inner = try types.fields(of: name).map(\.type)
                named.formUnion(inner)
                waiting += inner
            } else if types[name]?.isEnumeration == true {
                catalogue.enumerations.append(try choices(name))
            }
        }
        catalogue.types = try named.filter(types.isObject).sorted().map { name in
            Catalogue.Named(
                name: name, meaning: try types.documented(name).doc, plainType: presence.plainTypes[name],
                fields: try fields(name))
        }
        catalogue.enumerations.sort { $0.name < $1.name }
    }

    private func ids() throws -> [Catalogue.Identifier] {
        try types.declared.filter { $0.conformances.contains("Identifier") }.map { declared in
            guard let type = Self.ids.first(where: { Types.name(of: $0) == declared.name }) else {
                throw Missing("\(declared.name) is not in CatalogueMaker.ids")
            }
            let form = try IDForm.of(type)
            return Catalogue.Identifier(
                name: declared.name, meaning: try types.documented(declared.name).doc, pattern: form.pattern,
                minLength: form.lengths.lowerBound, maxLength: form.lengths.upperBound)
        }
    }

    private func choices(_ name: String) throws -> Catalogue.Choices {
        guard let list = Self.enumerations.first(where: { Types.name(of: $0) == name }) else {
            throw Missing("\(name) is not in CatalogueMaker.enumerations")
        }
        let words = wordsByCase(of: list)
        let declared = try types.documented(name)
        return Catalogue.Choices(
            name: name, meaning: declared.doc,
            values: try declared.cases.map { choice in
                guard let wire = words[choice.name] else { throw Missing("the word of \(name).\(choice.name)") }
                return Catalogue.Choice(
                    name: wire, number: number(of: wire, in: name),
                    meaning: try types.meaning(of: choice.name, in: name))
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
        return try fields("Limits").map { field in
            guard case .number(let value) = defaults[field.name] else { throw Missing("Limits.\(field.name)") }
            return Catalogue.Limit(name: field.name, default: value, meaning: field.meaning)
        }
    }

    /// Every constant bound must be that of a field.
    private func checkBounds() throws {
        for key in Bounds.constants.keys.sorted() {
            let parts = key.split(separator: ".")
            let fields = try types.fields(of: parts.dropLast().joined(separator: "."))
            guard fields.contains(where: { $0.name[...] == parts.last }) else {
                throw Missing("Bounds.constants has \(key), which is no field")
            }
        }
    }

    private func fields(_ type: String) throws -> [Catalogue.Field] {
        try types.fields(of: type).map { field in
            var bounds = Bounds.constants["\(type).\(field.name)"]
            let isWhole = ["integer", "time"].contains(field.type)
            if isWhole, bounds?.minimum == nil, !presence.mayBeNegative(field.name, of: type) {
                bounds = bounds ?? Bounds()
                bounds?.minimum = 0
            }
            return Catalogue.Field(
                name: field.name, type: field.type, isArray: field.isArray,
                isRequired: try presence.isRequired(field, of: type), bounds: bounds, meaning: field.meaning)
        }
    }
}

/// The words of an enumeration by the names of its cases.
private func wordsByCase<T: CaseIterable & RawRepresentable<String>>(of list: T.Type) -> [String: String] {
    Dictionary(list.allCases.map { ("\($0)", $0.rawValue) }, uniquingKeysWith: { first, _ in first })
}
