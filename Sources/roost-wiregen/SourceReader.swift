/// One declaration with its doc comment.
struct Declaration {
    var name: String
    /// The type of a property, the associated type of a case, what a type alias stands for, or nothing.
    var type: String?
    /// The literal that stands behind `=`.
    var value: String?
    /// The paragraphs of the doc comment; a list is a paragraph per entry.
    var doc: [String]
}

/// One type with what it declares.
struct TypeDeclaration {
    /// The name, `Outer.Inner` for a nested type.
    var name: String
    var conformances: [String] = []
    var doc: [String] = []
    var properties: [Declaration] = []
    var computed: [Declaration] = []
    var constants: [Declaration] = []
    var aliases: [Declaration] = []
    var cases: [Declaration] = []
}

/// Reads types, fields and their doc comments from formatted Swift source.
///
/// It goes by lines and indentation, which the formatter of the house fixes, so
/// it needs no parser of Swift. What it does not know it passes over.
struct SourceReader {
    /// The types by name.
    private(set) var types: [String: TypeDeclaration] = [:]
    private var open: [(indent: Int, name: String)] = []
    private var doc: [String] = []

    /// Reads one more file.
    mutating func read(_ source: String) {
        open = []
        doc = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) { read(line: line) }
    }

    private mutating func read(line: Substring) {
        let text = line.drop { $0 == " " }
        let indent = line.count - text.count
        if text.hasPrefix("///") {
            doc.append(String(text.dropFirst(3).drop { $0 == " " }))
            return
        }
        if text.isEmpty || text.hasPrefix("//") {
            if text.isEmpty { doc = [] }
            return
        }
        while let last = open.last, indent <= last.indent, !text.hasPrefix("where ") { open.removeLast() }
        declare(text, at: indent)
        doc = []
    }

    private mutating func declare(_ text: Substring, at indent: Int) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)[...]
        let isPublic = words.first == "public"
        if isPublic { words = words.dropFirst() }
        let isStatic = words.first == "static"
        if isStatic { words = words.dropFirst() }
        while let word = words.first, ["private", "package", "final", "indirect", "fileprivate"].contains(word) {
            words = words.dropFirst()
        }
        guard let keyword = words.first else { return }
        let rest = words.dropFirst().joined(separator: " ")
        switch keyword {
        case "struct", "enum", "protocol", "class", "extension": declareType(rest, isPublic: isPublic, at: indent)
        case "var", "let": declareProperty(rest, isPublic: isPublic, isStatic: isStatic, at: indent)
        case "typealias":
            let parts = rest.parts(around: " = ")
            add(\.aliases, Declaration(name: parts.0, type: parts.1, doc: paragraphs()), at: indent)
        case "case" where !rest.hasPrefix("."): declareCase(rest, at: indent)
        default: break
        }
    }

    private mutating func declareType(_ rest: String, isPublic: Bool, at indent: Int) {
        let head = rest.parts(around: " {").0.parts(around: " where ").0
        let parts = head.parts(around: ": ")
        let name = ((open.last.map { [$0.name] } ?? []) + [parts.0]).joined(separator: ".")
        if isPublic, types[name] == nil {
            types[name] = TypeDeclaration(
                name: name, conformances: parts.1?.split(separator: ", ").map(String.init) ?? [], doc: paragraphs())
        }
        if !rest.hasSuffix("{}") { open.append((indent, name)) }
    }

    private mutating func declareProperty(_ rest: String, isPublic: Bool, isStatic: Bool, at indent: Int) {
        guard isPublic else { return }
        let isComputed = rest.contains("{")
        let sides = rest.parts(around: " {").0.parts(around: " = ")
        let parts = sides.0.parts(around: ": ")
        let value = sides.1.map { $0.filter { $0 != "\"" } }
        let declaration = Declaration(name: parts.0, type: parts.1, value: value, doc: paragraphs())
        add(isStatic ? \.constants : isComputed ? \.computed : \.properties, declaration, at: indent)
    }

    private mutating func declareCase(_ rest: String, at indent: Int) {
        let sides = rest.parts(around: " = ")
        let parts = sides.0.parts(around: "(")
        add(
            \.cases,
            Declaration(
                name: parts.0, type: parts.1.map { String($0.prefix { $0 != ")" }) },
                value: sides.1.map { $0.filter { $0 != "\"" } }, doc: paragraphs()),
            at: indent)
    }

    private mutating func add(
        _ list: WritableKeyPath<TypeDeclaration, [Declaration]>, _ declaration: Declaration, at indent: Int
    ) {
        guard let owner = open.last, indent == owner.indent + 4 else { return }
        types[owner.name]?[keyPath: list].append(declaration)
    }

    /// The doc comment that stands before a declaration, its lines joined.
    private func paragraphs() -> [String] {
        var paragraphs: [String] = []
        var isNew = true
        for line in doc {
            if line.isEmpty {
                isNew = true
            } else if isNew || line.hasPrefix("- ") {
                paragraphs.append(line)
                isNew = false
            } else {
                paragraphs[paragraphs.count - 1] += " " + line
            }
        }
        let known = paragraphs.filter { !$0.hasPrefix("- Throws:") && !$0.hasPrefix("- Parameter") }
        return known.map { $0.replacing("``", with: "`") }
    }
}

extension String {
    /// What stands before and after the first occurrence of a separator.
    func parts(around separator: String) -> (String, String?) {
        guard let range = firstRange(of: separator) else { return (self, nil) }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
