/// Writes the types of the protocol and its tables for the client in JavaScript, as one module: what is on the wire as
/// JSDoc typedefs, which TypeScript checks, and the lists that a client has to know as constants.
struct ScriptTypes {
    private let catalogue: Catalogue
    private var lines: [String] = []

    /// The text of the module.
    private(set) var text = ""

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        for list in catalogue.enumerations {
            define(list.name, list.values.map { "\"\($0.name)\"" }.joined(separator: " | "))
        }
        for type in catalogue.types where type.name != "Event" {
            define(type.name, (type.plainType == nil ? "" : "string | ") + object(type.fields))
        }
        defineEvents()
        let commands = catalogue.commands.map { command in
            let answer = command.answerType.flatMap(known) ?? object(command.answer, isResume: command.name == "resume")
            return "\"\(command.name)\": {body: \(object(command.fields)), answer: \(answer)}"
        }
        define("Commands", "{\(commands.joined(separator: ", "))}")
        define("ErrorName", catalogue.errors.map { "\"\($0.name)\"" }.joined(separator: " | "))
        let final = catalogue.closeCodes.filter { !$0.mayReconnect && $0.name != "normal" }.map { String($0.code) }
        let shown = catalogue.events.filter { $0.isShown == true }.map { "\"\($0.name)\"" }
        text = """
            // Written by roost-wiregen. Protocol/catalogue.md says what everything means.

            /**
             * What travels on the wire.
             *
            \(lines.map { " * " + $0 }.joined(separator: "\n"))
             */

            /** The close codes of a server after which a client does not come back by itself. */
            export const finalCloseCodes = [
            \(Self.wrapped(final.joined(separator: ", "), indent: "  ", width: 118)),
            ];

            /** The rows of a channel's log that show in a conversation. */
            export const shownEvents = [
            \(Self.wrapped(shown.joined(separator: ", "), indent: "  ", width: 118)),
            ];

            """
    }

    /// The events of each kind of log by their names, and what is around their bodies.
    private mutating func defineEvents() {
        let kinds = [
            (
                "channel", "Row", "RowBodies",
                "channel: string, seq: number, userSeq?: undefined, senderID?: string, transID?: string, sentAt: number"
            ),
            (
                "user", "OwnRow", "OwnRowBodies",
                "userSeq: number, channel?: undefined, seq?: undefined, senderID?: string, transID?: string, sentAt: number"
            ),
            (
                "ephemeral", "Signal", "SignalBodies",
                "channel?: string, seq?: undefined, userSeq?: undefined, senderID?: string, sentAt?: number"
            ),
        ]
        for (log, name, bodies, frame) in kinds {
            let events = catalogue.events.filter { $0.log == log }
            let fields = events.map { "\"\($0.name)\": \($0.bodyType.flatMap(known) ?? object($0.fields))" }
            define(bodies, "{\(fields.joined(separator: ", "))}")
            define(name, "{[Name in keyof \(bodies)]: {event: Name, \(frame), body: \(bodies)[Name]}}[keyof \(bodies)]")
        }
        define("Event", "Row | OwnRow | Signal")
        define(
            "MessageRow",
            """
            Omit<Extract<Row, {event: "message.sent"}>, "event"> & {event: "message.sent" | "message.announced"}
            """)
    }

    private mutating func define(_ name: String, _ type: String) {
        let whole = "@typedef {\(type)} \(Self.title(name))"
        let wrapped = Self.wrapped(whole, indent: "", width: 115).split(separator: "\n")
        lines += wrapped.enumerated().map { $0 == 0 ? String($1) : "  " + $1 }
    }

    /// The name of a type that is in the catalogue; nil for others, whose fields stand in their place.
    private func known(_ name: String) -> String? {
        catalogue.types.contains { $0.name == name } ? Self.title(name) : nil
    }

    private func object(_ fields: [Catalogue.Field], isResume: Bool = false) -> String {
        let written = fields.map { field in
            "\(field.name)\(field.isRequired ? "" : "?"): \(type(of: field, isResume: isResume))"
        }
        return "{\(written.joined(separator: ", "))}"
    }

    /// Events in answers are rows: those of `resume` of both logs, others of a channel's, one by itself of a message.
    private func type(of field: Catalogue.Field, isResume: Bool) -> String {
        if field.type == "Event" { return field.isArray ? isResume ? "(Row | OwnRow)[]" : "Row[]" : "MessageRow" }
        let name =
            switch field.type {
            case "string", "boolean", "number": field.type
            case "integer", "time": "number"
            case "object": "Record<string, any>"
            case "object of strings": "Record<string, string>"
            default: catalogue.ids.contains { $0.name == field.type } ? "string" : Self.title(field.type)
            }
        return name + (field.isArray ? "[]" : "")
    }

    /// A name without dots.
    private static func title(_ name: String) -> String { name.replacing(".", with: "") }

    /// A text in lines of at most so many characters, broken at blanks.
    private static func wrapped(_ text: String, indent: String, width: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(indent + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [indent + line]).joined(separator: "\n")
    }
}
