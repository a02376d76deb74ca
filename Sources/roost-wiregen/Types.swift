/// The types of the protocol and their fields, as RoostWire declares them.
struct Types {
    /// A field as it is declared.
    struct Field {
        var name: String
        /// The type on the wire: one of ``plain``, an id or another type of RoostWire.
        var type: String
        var isArray: Bool
        /// Whether it is an optional in Swift; ``Presence`` knows whether it is optional on the wire.
        var isOptional: Bool
        var meaning: String
    }

    /// The types on the wire that RoostWire does not declare.
    static let plain: Set<String> = ["string", "integer", "time", "number", "boolean", "object", "object of strings"]

    /// All public types, in the order of the source.
    let declared: [TypeDeclaration]
    private let byName: [String: TypeDeclaration]

    init(_ types: [TypeDeclaration]) {
        declared = types
        byName = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The type with this name; nil if there is none.
    subscript(name: String) -> TypeDeclaration? { byName[name] }

    /// The type with this name, which must have a doc comment.
    func documented(_ name: String) throws -> TypeDeclaration {
        guard let found = byName[name], !found.doc.isEmpty else { throw Missing("no documented type \(name)") }
        return found
    }

    /// The doc comment of a case.
    func meaning(of name: String, in owner: String) throws -> String {
        guard let found = try documented(owner).cases.first(where: { $0.name == name }), !found.doc.isEmpty else {
            throw Missing("\(owner).\(name) has no doc comment")
        }
        return found.doc.joined(separator: " ")
    }

    /// Whether values of this type are JSON objects with the fields that the type declares.
    func isObject(_ name: String) -> Bool {
        byName[name].map { !$0.isEnumeration && !$0.conformances.contains("Identifier") } ?? false
    }

    /// The fields of a type: its stored properties, or the computed ones for a value that is `LiesFlat`.
    func fields(of name: String) throws -> [Field] {
        let owner = try documented(name)
        func liesFlat(_ property: Declaration) -> Bool {
            let type = byName[property.type] ?? byName[owner.name + "." + property.type]
            return type?.conformances.contains("LiesFlat") == true
        }
        let hasFlat = owner.properties.contains(where: liesFlat)
        // The requirements of `Command` are not on the wire.
        let facts = Set(byName["Command"]?.properties.map(\.name) ?? [])
        let properties = owner.properties.filter {
            hasFlat ? !liesFlat($0) && !facts.contains($0.name) : $0.isStored
        }
        return try eventName(of: owner) + properties.map { try field($0, of: owner) }
    }

    private func field(_ property: Declaration, of owner: TypeDeclaration) throws -> Field {
        guard !property.doc.isEmpty else { throw Missing("\(owner.name).\(property.name) has no doc comment") }
        var name = property.type
        let isOptional = name.hasSuffix("?")
        if isOptional { name.removeLast() }
        let isArray = name.hasPrefix("[") && !name.contains(":")
        if isArray { name = String(name.dropFirst().dropLast()) }
        let type = Self.wire(name)
        guard Self.plain.contains(type) || byName[type] != nil else {
            throw Missing("\(owner.name).\(property.name) is a \(name), which RoostWire does not declare")
        }
        return Field(
            name: property.name, type: type, isArray: isArray, isOptional: isOptional,
            meaning: property.doc.joined(separator: " "))
    }

    /// The name of an event, which is not stored but comes from its body.
    private func eventName(of owner: TypeDeclaration) throws -> [Field] {
        guard owner.name == "Event" else { return [] }
        guard let name = owner.properties.first(where: { $0.name == "name" }) else { throw Missing("Event.name") }
        return [
            Field(
                name: "event", type: "string", isArray: false, isOptional: false,
                meaning: name.doc.joined(separator: " "))
        ]
    }

    private static func wire(_ name: String) -> String {
        switch name {
        case "Int", "Int64": "integer"
        case "Date": "time"
        case "Bool": "boolean"
        case "String": "string"
        case "Double": "number"
        case "EventBody": "object"
        case "[String : String]": "object of strings"
        default: name
        }
    }

    /// The name of a type without its module, as the symbol graph has it.
    static func name(of type: Any.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }
}
