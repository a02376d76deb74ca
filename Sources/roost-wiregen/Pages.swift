/// Cuts the catalogue into pages: the guide, one for each noun with its commands, events and types, and the rest.
struct Pages {
    /// The pages by file name.
    private(set) var files: [String: String] = [:]

    /// A chapter of the second or third level.
    private struct Section {
        var title: String
        var anchor: String
        var page: String
        var lines: [Substring]

        /// The first sentence of its text.
        var summary: String {
            let line = lines.first { !$0.isEmpty } ?? ""
            let end = line.firstRange(of: ". ")?.lowerBound ?? line.endIndex
            return line[..<end].hasSuffix(".") || line[..<end].isEmpty ? String(line[..<end]) : line[..<end] + "."
        }
    }

    /// The chapters after the guide, and the page of those among their sections that have no noun.
    private static let chapters = [
        "Commands": "", "Events": "", "Types": "types", "Ids": "types", "Words": "types", "Errors": "errors",
        "Close codes": "errors", "Limits of a server": "limits", "Message types": "message-types",
    ]
    /// The nouns that belong to another one.
    private static let joined = [
        "login": "account", "key": "account", "session": "connection", "hello": "connection", "resume": "connection",
        "goaway": "connection", "positions": "connection", "row": "message", "retention": "channel", "device": "push",
    ]

    init(_ catalogue: String) {
        var sections: [Section] = []
        var guide: [Substring] = []
        var chapter: String?
        var isCode = false
        for line in catalogue.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("## ") {
                chapter = Self.chapters[String(line.dropFirst(3))].map { _ in String(line.dropFirst(3)) } ?? chapter
            }
            guard let chapter else {
                guide.append(line)
                continue
            }
            if !isCode, line.hasPrefix("## ") || line.hasPrefix("### ") {
                let title = String(line.drop { $0 == "#" || $0 == " " })
                sections.append(
                    Section(
                        title: title, anchor: Markdown.anchor(title), page: Self.page(of: title, in: chapter), lines: []
                    ))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        Self.moveTypes(&sections)
        write(guide: guide, sections)
    }

    private static func page(of title: String, in chapter: String) -> String {
        guard chapter == "Commands" || chapter == "Events" else { return chapters[chapter] ?? "types" }
        guard title != chapter else { return chapter.lowercased() }
        let name = title.hasPrefix("event ") ? String(title.dropFirst(6)) : title
        let noun = String(name.prefix { $0 != "." })
        return joined[noun] ?? noun
    }

    /// A type goes to the page that uses it, if there is only one.
    private static func moveTypes(_ sections: inout [Section]) {
        var hasMoved = true
        while hasMoved {
            hasMoved = false
            for index in sections.indices where sections[index].page == "types" {
                let link = "](#\(sections[index].anchor))"
                let users = Set(
                    sections.filter { section in
                        section.anchor != sections[index].anchor && section.lines.contains { $0.contains(link) }
                    }.map(\.page))
                guard users.count == 1, let page = users.first, page != "types" else { continue }
                sections[index].page = page
                hasMoved = true
            }
        }
    }

    private mutating func write(guide: [Substring], _ sections: [Section]) {
        let homes = Dictionary(sections.map { ($0.anchor, $0.page) }, uniquingKeysWith: { first, _ in first })
        // The tables of all commands and of all events are the table of contents.
        let lists = ["commands", "events"]
        var contents =
            "# The protocol of Roost, page by page\n\nMade by `roost-wiregen` from [catalogue.md](../catalogue.md)"
        contents += ", which has the same on one page.\n\nStart with the [guide](guide.md).\n"
        for section in sections where lists.contains(section.page) {
            contents += "\n## \(section.title)\n" + section.lines.joined(separator: "\n")
        }
        let pages = Set(sections.map(\.page)).subtracting(lists).sorted()
        contents += "\n## Pages\n\n" + (["guide"] + pages).map { "- [\($0)](\($0).md)\n" }.joined()
        files["README.md"] = Self.linked(contents, on: "README", homes)
        files["guide.md"] = Self.linked(guide.joined(separator: "\n"), on: "guide", homes)
            .replacing("](ids.json)", with: "](../ids.json)")
        for page in pages {
            let parts = sections.filter { $0.page == page }
            var text = "# \(page)\n\n[All pages](README.md)\n\n"
            for part in parts { text += "- [\(part.title)](#\(part.anchor)): \(part.summary)\n" }
            for part in parts { text += "\n## \(part.title)\n" + part.lines.joined(separator: "\n") }
            files[page + ".md"] = Self.linked(text, on: page, homes).replacing("](ids.json)", with: "](../ids.json)")
        }
    }

    /// Lets links lead to the page of what they name.
    private static func linked(_ text: String, on page: String, _ homes: [String: String]) -> String {
        let trimmed = text.replacing(/\n{3,}/, with: "\n\n")
        return trimmed.replacing(/\]\(#([^)]*)\)/) { match in
            let anchor = String(match.output.1)
            // The guide has what no section has.
            var home = homes[anchor] ?? "guide"
            if home == "commands" || home == "events" { home = "README" }
            return home == page ? String(match.output.0) : "](\(home).md#\(anchor))"
        }.trimmingSuffix("\n") + "\n"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
