import RoostWire

/// Writes the catalogue as Markdown.
struct Markdown {
    private(set) var text: String
    private let catalogue: Catalogue
    /// The examples of commands, answers and events by name, on one line each.
    private let examples: [String: [String]]
    /// By type, the type of the plain string that may replace it.
    private let plainTypes: [String: String]

    init(_ catalogue: Catalogue, preface: String, examples: [String: [String]]) {
        self.catalogue = catalogue
        self.examples = examples
        plainTypes = Dictionary(
            catalogue.types.compactMap { type in type.plainType.map { (type.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        text = preface
        commands()
        events()
        types()
        registries()
    }

    private mutating func line(_ line: String = "") { text += line + "\n" }

    private mutating func heading(_ level: Int, _ title: String) {
        line()
        line(String(repeating: "#", count: level) + " " + title)
        line()
    }

    private mutating func paragraphs(_ paragraphs: [String]) {
        for (index, paragraph) in paragraphs.enumerated() {
            let isList = paragraph.hasPrefix("- ")
            if index > 0, !(isList && paragraphs[index - 1].hasPrefix("- ")) { line() }
            line(paragraph)
        }
    }

    private mutating func table(_ head: [String], _ rows: [[String]]) {
        line("| " + head.joined(separator: " | ") + " |")
        line("|" + String(repeating: "---|", count: head.count))
        for row in rows {
            line("| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
    }

    private mutating func fields(_ fields: [Catalogue.Field]) {
        table(
            ["field", "type", "meaning"],
            fields.map { field in
                let type = (field.isArray ? "array of " : "") + link(field.type)
                return ["`\(field.name)`", type + (field.isRequired ? "" : ", optional"), field.meaning]
            })
    }

    /// A type as a link to its description.
    private func link(_ type: String) -> String {
        if Types.plain.contains(type) { return type }
        let link = "[\(type)](#\(Self.anchor(type)))"
        return plainTypes[type].map { self.link($0) + " or " + link } ?? link
    }

    /// The anchor that GitHub gives to a heading.
    static func anchor(_ title: some StringProtocol) -> String {
        title.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
    }

    /// Checks that no two headings have the same anchor, and that every link within the text leads to one.
    func checkLinks() throws {
        var anchors: [String: Int] = [:]
        var links: Set<String> = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                let title = line.drop { $0 == "#" }
                if line.hasPrefix("#") { anchors[Self.anchor(title.drop { $0 == " " }), default: 0] += 1 }
                for link in line.matches(of: /\]\(#([^)]*)\)/) { links.insert(String(link.output.1)) }
            }
        }
        let twice = anchors.filter { $0.value > 1 }.keys.sorted()
        guard twice.isEmpty else {
            throw Missing("catalogue.md has several headings with the anchor \(twice.joined(separator: ", "))")
        }
        let dead = links.filter { anchors[$0] == nil }.sorted()
        guard dead.isEmpty else {
            throw Missing("catalogue.md links to \(dead.joined(separator: ", ")), where no heading is")
        }
    }

    private mutating func example(_ name: String) {
        guard let lines = examples[name], !lines.isEmpty else { return }
        line()
        line("```json")
        for example in lines { line(example) }
        line("```")
    }

    private mutating func commands() {
        heading(2, "Commands")
        line("What a command does to the order of a connection:")
        line()
        for effect in catalogue.effects { line("- `\(effect.name)`: \(effect.meaning)") }
        line()
        table(
            ["command", "effect", "id", "HTTP", "meaning"],
            catalogue.commands.map { command in
                [
                    "[`\(command.name)`](#\(Self.anchor(command.name)))", command.effect,
                    command.needsTransID ? "transID" : "any",
                    command.onlyHTTP ? "only" : command.overHTTP ? "yes" : "no",
                    command.meaning.first ?? "",
                ]
            })
        for command in catalogue.commands {
            heading(3, command.name)
            paragraphs(command.meaning)
            line()
            if command.fields.isEmpty {
                line("The body has no fields.")
            } else {
                fields(command.fields)
                if !command.needsBody {
                    line()
                    line("The body may be left out.")
                }
            }
            line()
            if let shared = command.answerType {
                line("Answer: \(link(shared)).")
            } else {
                line("Answer:")
                line()
                fields(command.answer)
            }
            line()
            let errors = command.errors.map { code in
                "\(code)" + (catalogue.errors.first { $0.code == code }.map { " `\($0.name)`" } ?? "")
            }
            line(
                "Errors: " + (errors + ["those of any command, see [Errors](#errors)"]).joined(separator: ", ") + ".")
            example("command." + command.name)
            example("result." + command.name)
        }
    }

    /// A command may have the same name.
    private func title(_ event: Catalogue.Event) -> String { "event " + event.name }

    private mutating func events() {
        heading(2, "Events")
        line("Every event is one object with these fields; the tables below show its `body`.")
        line()
        fields(catalogue.eventFields)
        line()
        table(
            ["event", "log", "meaning"],
            catalogue.events.map { event in
                ["[`\(event.name)`](#\(Self.anchor(title(event))))", event.log, event.meaning.first ?? ""]
            })
        for event in catalogue.events {
            heading(3, title(event))
            paragraphs(event.meaning)
            line()
            let shows = event.isShown.map { " It \($0 ? "shows" : "does not show") in a conversation." }
            line(
                event.log == "ephemeral"
                    ? "Ephemeral: no log, no number, not repeated." : "A row of the \(event.log)'s log.\(shows ?? "")")
            line()
            fields(event.fields)
            example("event." + event.name)
        }
    }

    private mutating func types() {
        heading(2, "Types")
        for type in catalogue.types {
            heading(3, type.name)
            paragraphs(type.meaning)
            line()
            if type.fields.isEmpty { line("It has no fields: `{}`.") } else { fields(type.fields) }
        }
        heading(2, "Ids")
        line("Ids are strings of ASCII, compared as bytes. Vectors to test yours against are in [ids.json](ids.json).")
        for id in catalogue.ids {
            heading(3, id.name)
            paragraphs(id.meaning)
            line()
            line("As a regular expression: `\(id.pattern)`")
        }
        heading(2, "Words")
        line("Strings of a closed list. A number, where there is one, is never on the wire.")
        for list in catalogue.enumerations {
            heading(3, list.name)
            paragraphs(list.meaning)
            line()
            let hasNumbers = list.values.contains { $0.number != nil }
            table(
                hasNumbers ? ["word", "number", "meaning"] : ["word", "meaning"],
                list.values.map { choice in
                    ["`\(choice.name)`"] + (hasNumbers ? [choice.number.map { "\($0)" } ?? ""] : []) + [choice.meaning]
                })
        }
    }

    private mutating func registries() {
        heading(2, "Errors")
        line("Reserved codes are known, but this server never sends them yet. Be ready for codes that are not here.")
        line()
        line(
            "Any command may give those that say so; the text of each command names the others that it may give. Every")
        line("command is refused with 1107 to a key without its scope.")
        line()
        table(
            ["code", "name", "retry", "any command", "meaning"],
            catalogue.errors.map { error in
                let name = "`\(error.name)`" + (error.reserved ? ", reserved" : "")
                let answers = [error.retryable, error.general].map { $0 ? "yes" : "no" }
                return ["\(error.code)", name] + answers + [error.meaning]
            })
        heading(2, "Close codes")
        table(
            ["code", "name", "come back by itself", "meaning"],
            catalogue.closeCodes.map { ["\($0.code)", "`\($0.name)`", $0.mayReconnect ? "yes" : "no", $0.meaning] })
        heading(2, "Limits of a server")
        line("These are the defaults. What holds for a connection is in `welcome`.")
        line()
        table(
            ["limit", "default", "meaning"],
            catalogue.limits.map { ["`\($0.name)`", "\($0.default)", $0.meaning] })
        heading(2, "Message types")
        line("`message.send` takes \(MessageRules.types.map { "`\($0)`" }.joined(separator: ", ")).")
        line("The others stand for events, or come later. Columns: is it stored (I), does it become the last message")
        line(
            "(L), is it sent at once (S), does it push (N), does it count as unread (U); Y yes, N no, O as the message")
        line("says, – open.")
        line()
        table(
            ["type", "number", "I", "L", "S", "N", "U", "audience", "meaning"],
            catalogue.messageTypes.map { type in
                let flags = [type.stored, type.lastMessage, type.realtime, type.pushed, type.unread]
                return ["`\(type.name)`", "\(type.number)"] + flags + [type.audience, type.meaning]
            })
    }
}
