import RoostWire

extension ChatTexts {
    /// German.
    public static let german = ChatTexts(
        server: "Der Server", preview: { German.preview($0) }, line: { German.line($0) },
        setting: { German.setting($0) }, tally: { German.tally($0) }, list: { $0.joined(separator: ", ") },
        typing: { typingLine($0, separator: ", ") },
        recalled: {
            $0.map { "\($0) hat diese Nachricht zurückgerufen" } ?? "Du hast diese Nachricht zurückgerufen"
        },
        groupTitle: { "Gruppe(\($0))" }, startMessaging: { "Unterhaltung mit \($0) beginnen" }, cancel: "Abbrechen",
        charactersLeft: { "Noch \($0) Zeichen" },
        notSent: "Die Nachricht wurde nicht gesendet. Bitte versuche es noch einmal.",
        someFailed: { $0 == 1 ? "1 von \($1) ist fehlgeschlagen." : "\($0) von \($1) sind fehlgeschlagen." })
}

private enum German {
    static func preview(_ preview: ChatTexts.Preview) -> String {
        switch preview {
        case .sticker: "Sticker"
        case .picture: "Bild"
        case .film: "Video"
        case .voiceMessage: "Sprachnachricht"
        case .contact: "Kontakt"
        case .file: "Datei"
        case .place: "Standort"
        case .call: "Anruf"
        case .screenshot: "Hat einen Screenshot gemacht"
        case .copy: "Hat eine Nachricht kopiert"
        case .forward: "Hat Nachrichten weitergeleitet"
        case .save: "Hat eine Nachricht gespeichert"
        case .recalled: "Nachricht zurückgerufen"
        case .message: "Nachricht"
        }
    }

    static func line(_ line: ChatTexts.Line) -> String {
        switch line {
        case .created(let name, let title): "\(name) hat \(title) erstellt"
        case .newsBegins(let title): "\(title) beginnt"
        case .dismissed(let name, let channel): "\(name) hat \(channel) aufgelöst"
        case .joined(let names, let count):
            "\(list(names)) \(names.count == 1 ? "ist" : "sind") beigetreten (\(members(count)))"
        case .invited(let name, let names): "\(name) hat \(list(names)) eingeladen"
        case .accepted(let name, let count): "\(name) hat die Einladung angenommen (\(members(count)))"
        case .left(let name, let count, let successor):
            "\(name) ist gegangen (\(members(count)))"
                + (successor.map { ", Administrationsrechte hat jetzt \($0)" } ?? "")
        case .removed(let name, let names, let count): "\(name) hat \(list(names)) entfernt (\(members(count)))"
        case .banned(let name, let names, let count): "\(name) hat \(list(names)) gesperrt (\(members(count)))"
        case .role(let name, let role): self.role(name, role)
        case .renamed(let user, let name): "\(user) heißt hier jetzt \(name)"
        case .settings(let name, let settings):
            settings.isEmpty
                ? "\(name) hat nichts geändert"
                : "\(name) hat die Einstellungen geändert: \(list(settings.map(setting)))"
        case .voteClosed(let name, let numbers):
            (name.map { "\($0) hat eine Abstimmung beendet" } ?? "Eine Abstimmung ist beendet") + ": \(tally(numbers))"
        case .pinned(let name): "\(name) hat eine Nachricht angeheftet"
        }
    }

    private static func role(_ name: String, _ role: Role) -> String {
        switch role {
        case .none: "\(name) ist nicht mehr gesperrt oder eingeladen"
        case .outcast: "\(name) ist jetzt gesperrt"
        case .invited: "\(name) ist jetzt eingeladen"
        case .participant: "\(name) ist jetzt einfaches Mitglied"
        case .moderator: "\(name) hat jetzt Moderationsrechte"
        case .admin: "\(name) hat jetzt Administrationsrechte"
        }
    }

    static func setting(_ setting: ChatTexts.Setting) -> String {
        switch setting {
        case .title(let title): title.isEmpty ? "kein Titel" : "Titel „\(title)“"
        case .customAttributes(let bits): "eigene Attribute \(bits)"
        case .picture(let url): url.isEmpty ? "kein Bild" : "Bild \(url)"
        case .background(let url): url.isEmpty ? "kein Hintergrund" : "Hintergrund \(url)"
        case .canJoin(let isAllowed): isAllowed ? "alle dürfen beitreten" : "Beitritt nur auf Einladung"
        case .editors(.participants): "alle Mitglieder dürfen bearbeiten"
        case .editors(.moderators): "nur die Moderation darf bearbeiten"
        case .history(.all, _): "neue Mitglieder sehen den ganzen Verlauf"
        case .history(.sinceJoin, _): "neue Mitglieder sehen den Verlauf ab ihrem Beitritt"
        case .history(.last, let rows):
            switch rows {
            case nil: "neue Mitglieder sehen die letzten Einträge"
            case 1: "neue Mitglieder sehen den letzten Eintrag"
            case let rows?: "neue Mitglieder sehen die letzten \(rows) Einträge"
            }
        case .minMembers(let count): count == 1 ? "mindestens ein Mitglied" : "mindestens \(count) Mitglieder"
        case .maxMembers(let count): count == 1 ? "höchstens ein Mitglied" : "höchstens \(count) Mitglieder"
        case .moderatorsMayRecall(let isAllowed):
            isAllowed
                ? "die Moderation darf Nachrichten zurückrufen" : "die Moderation darf keine Nachrichten zurückrufen"
        case .noticesForwards(let isTold):
            isTold ? "Weiterleitungen werden angezeigt" : "Weiterleitungen werden nicht angezeigt"
        case .pinners(.participants): "alle Mitglieder dürfen Nachrichten anheften"
        case .pinners(.moderators): "nur die Moderation darf Nachrichten anheften"
        }
    }

    static func tally(_ tally: VoteTally) -> String {
        let people = tally.voters == 1 ? "1 Person hat abgestimmt" : "\(tally.voters) Personen haben abgestimmt"
        guard let counts = tally.counts else { return people }
        return list(counts.enumerated().map { "Option \($0 + 1): \($1)" }) + " (\(people))"
    }

    static func members(_ count: Int) -> String { count == 1 ? "1 Mitglied" : "\(count) Mitglieder" }

    static func list(_ parts: [String]) -> String { parts.joined(separator: ", ") }
}
