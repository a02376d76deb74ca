public import RoostWire

/// All texts that the SDK and the models show to users, in one language.
///
/// ```swift
/// let model = ConversationModel(client: client, channel: id, texts: .german)
///
/// var texts = ChatTexts.english        // or custom texts, one by one
/// texts.preview = { $0 == .video ? "Clip" : ChatTexts.english.preview($0) }
/// ```
///
/// It has no side effects. The messages of errors are not included: a `RoostError` has a
/// code for choosing a text.
public struct ChatTexts: Sendable {
    /// The kind of a message without a text, for the channel list. Cases may be added.
    public enum Preview: Hashable, Sendable, CaseIterable {
        /// A sticker.
        case sticker
        /// A picture.
        case picture
        /// A video.
        case video
        /// A voice message.
        case voiceMessage
        /// A contact.
        case contact
        /// Any other file.
        case file
        /// A place.
        case place
        /// A call.
        case call
        /// Its sender took a screenshot.
        case screenshot
        /// Its sender copied a message.
        case copy
        /// Its sender forwarded messages.
        case forward
        /// Its sender saved a message or its file.
        case save
        /// It was recalled.
        case recalled
        /// Anything else.
        case message
    }

    /// A change in a channel. The names are those in the channel, or ids if a name is not known.
    public enum Line: Hashable, Sendable {
        /// Somebody created the channel.
        case created(by: String, title: String)
        /// A channel for news was created.
        case newsBegins(title: String)
        /// Somebody dismissed the channel.
        case dismissed(by: String)
        /// These users joined, and the channel now has this many members.
        case joined([String], members: Int)
        /// Somebody invited these users.
        case invited(by: String, [String])
        /// Somebody accepted an invitation, and the channel now has this many members.
        case accepted(String, members: Int)
        /// Somebody left; with the new admin, if there is one.
        case left(String, members: Int, successor: String?)
        /// Somebody removed these users.
        case removed(by: String, [String], members: Int)
        /// Somebody banned these users.
        case banned(by: String, [String], members: Int)
        /// Somebody has another role; `none` for a user who is not banned or invited any more.
        case role(String, Role)
        /// The user with this id has another name in the channel.
        case renamed(String, name: String)
        /// A member has another picture in the channel.
        case memberPicture(String)
        /// A member has the usual name and picture again.
        case memberUsual(String)
        /// Somebody changed these settings.
        case settings(by: String, [Setting])
        /// A vote was closed, by a user or at its `closesAt`.
        case voteClosed(by: String?, VoteTally)
        /// A user pinned a message.
        case pinned(by: String)
    }

    /// A setting of a channel with its new value.
    public enum Setting: Hashable, Sendable {
        /// The title; empty if there is none.
        case title(String)
        /// The app-defined bits.
        case customAttributes(Int64)
        /// The picture; whether there is one.
        case picture(Bool)
        /// The background; whether there is one.
        case background(Bool)
        /// Whether users can join by themselves.
        case canJoin(Bool)
        /// Who may edit what the channel shows.
        case editors(ProfileEditors)
        /// What new members may read; with the number of rows, if there is one.
        case history(HistoryVisibility, rows: Int?)
        /// The fewest members.
        case minMembers(Int)
        /// The most members.
        case maxMembers(Int)
        /// Whether moderators may recall messages of others.
        case moderatorsMayRecall(Bool)
        /// Whether the channel gets a notice when its messages are forwarded.
        case noticesForwards(Bool)
        /// Who may pin messages.
        case pinners(Pinners)
    }

    /// The name of the acting user if none is known.
    public var server: String
    /// The kind of a message without a text: `Picture`.
    public var preview: @Sendable (Preview) -> String
    /// A system line of a conversation, without a full stop: `Cid left (3 members)`.
    public var line: @Sendable (Line) -> String
    /// A setting, inside a line: `at most 5 members`.
    public var setting: @Sendable (Setting) -> String
    /// The tally of a vote: `option 1: 2 and option 2: 1 (3 voters)`.
    public var tally: @Sendable (VoteTally) -> String
    /// Several names or clauses in one line: `Ann and Bob`.
    public var list: @Sendable ([String]) -> String
    /// The users who are typing, by name, at least one: `Ann, Bob +1`.
    public var typing: @Sendable ([String]) -> String
    /// The text of a shell; the name is nil if the viewer recalled the message.
    public var recalled: @Sendable (_ name: String?) -> String
    /// The title of a group without one, by the number of its members: `Group(5)`.
    public var groupTitle: @Sendable (Int) -> String
    /// The offer to start a conversation with a user: `Start messaging with Bob`.
    public var startMessaging: @Sendable (_ name: String) -> String
    /// The button that only closes a sheet.
    public var cancel: String
    /// How many characters can still be typed: `10 characters left`.
    public var charactersLeft: @Sendable (Int) -> String
    /// A message was not sent.
    public var notSent: String
    /// Some of several actions failed: `2 of 3 failed.`
    public var someFailed: @Sendable (_ failed: Int, _ all: Int) -> String
}

extension ChatTexts {
    /// English.
    public static let english = ChatTexts(ClientText.english)
    /// German.
    public static let german = ChatTexts(ClientText.german)
    /// Traditional Chinese, as it is written in Taiwan.
    public static let traditionalChinese = ChatTexts(ClientText.traditionalChinese)
    /// Korean.
    public static let korean = ChatTexts(ClientText.korean)
    /// Arabic.
    public static let arabic = ChatTexts(ClientText.arabic)

    /// The texts of the first language that has some, or English.
    ///
    /// ```swift
    /// let texts = ChatTexts.preferred(Locale.preferredLanguages)
    /// ```
    ///
    /// - Parameter languages: Tags of BCP 47 such as `de-AT`, the best one first. All of Chinese gets Traditional
    ///   Chinese.
    public static func preferred(_ languages: [String]) -> ChatTexts {
        let all: [String: ChatTexts] = [
            "en": english, "de": german, "zh": traditionalChinese, "ko": korean, "ar": arabic,
        ]
        return RoostClient.preferred(languages, among: all) ?? english
    }

    private init(_ words: Words<ClientText>) {
        self.init(
            server: words(.server), preview: { words.preview($0) }, line: { words.line($0) },
            setting: { words.setting($0) }, tally: { words.tally($0) }, list: { words.list($0) },
            typing: { words.typing($0) },
            recalled: { $0.map { words(.recalledBy, ["name": .text($0)]) } ?? words(.recalledOwn) },
            groupTitle: { words(.groupTitle, ["count": .number($0)]) },
            startMessaging: { words(.startMessaging, ["name": .text($0)]) }, cancel: words(.cancel),
            charactersLeft: { words(.charactersLeft, ["count": .digits($0)]) }, notSent: words(.notSent),
            someFailed: { words(.someFailed, ["count": .number($0), "all": .number($1)]) })
    }
}

extension Words where Key == ClientText {
    fileprivate func preview(_ preview: ChatTexts.Preview) -> String {
        switch preview {
        case .sticker: self(.stickerPreview)
        case .picture: self(.picturePreview)
        case .video: self(.videoPreview)
        case .voiceMessage: self(.voicePreview)
        case .contact: self(.contactPreview)
        case .file: self(.filePreview)
        case .place: self(.placePreview)
        case .call: self(.callPreview)
        case .screenshot: self(.screenshotPreview)
        case .copy: self(.copyPreview)
        case .forward: self(.forwardPreview)
        case .save: self(.savePreview)
        case .recalled: self(.recalledPreview)
        case .message: self(.messagePreview)
        }
    }

    fileprivate func line(_ line: ChatTexts.Line) -> String {
        switch line {
        case .created(let name, let title): self(.created, ["name": .text(name), "title": .text(title)])
        case .newsBegins(let title): self(.newsBegins, ["title": .text(title)])
        case .dismissed(let name): self(.dismissed, ["name": .text(name)])
        case .joined(let names, let count):
            self(
                .joined, ["names": .text(list(names)), "count": .number(names.count), "members": members(count)])
        case .invited(let name, let names): self(.invited, ["name": .text(name), "names": .text(list(names))])
        case .accepted(let name, let count): self(.accepted, ["name": .text(name), "members": members(count)])
        case .left(let name, let count, nil): self(.left, ["name": .text(name), "members": members(count)])
        case .left(let name, let count, let successor?):
            self(.leftSuccessor, ["name": .text(name), "members": members(count), "successor": .text(successor)])
        case .removed(let name, let names, let count):
            self(.removed, ["name": .text(name), "names": .text(list(names)), "members": members(count)])
        case .banned(let name, let names, let count):
            self(.banned, ["name": .text(name), "names": .text(list(names)), "members": members(count)])
        case .role(let name, let role): self(Self.key(of: role), ["name": .text(name)])
        case .renamed(let user, let name): self(.renamed, ["user": .text(user), "name": .text(name)])
        case .memberPicture(let name): self(.memberPicture, ["name": .text(name)])
        case .memberUsual(let name): self(.memberUsual, ["name": .text(name)])
        case .settings(let name, let settings): changed(settings, by: name)
        case .voteClosed(let name?, let numbers):
            self(.voteClosed, ["name": .text(name), "tally": .text(tally(numbers))])
        case .voteClosed(nil, let numbers): self(.voteOver, ["tally": .text(tally(numbers))])
        case .pinned(let name): self(.pinned, ["name": .text(name)])
        }
    }

    private func changed(_ settings: [ChatTexts.Setting], by name: String) -> String {
        guard let first = settings.first else { return self(.settingsNone, ["name": .text(name)]) }
        if settings.count == 1 {
            if case .title(let title) = first, !title.isEmpty {
                return self(.newTitle, ["name": .text(name), "title": .text(title)])
            }
            if first == .picture(true) { return self(.newPicture, ["name": .text(name)]) }
        }
        return self(.settings, ["name": .text(name), "settings": .text(list(settings.map(setting)))])
    }

    private static func key(of role: Role) -> Key {
        switch role {
        case .none: .noRole
        case .outcast: .outcast
        case .invited: .invitedRole
        case .participant: .participant
        case .moderator: .moderator
        case .admin: .admin
        }
    }

    fileprivate func setting(_ setting: ChatTexts.Setting) -> String {
        switch setting {
        case .title(""): self(.noTitle)
        case .title(let title): self(.title, ["title": .text(title)])
        case .customAttributes(let bits): self(.attributes, ["number": .number(Int(clamping: bits))])
        case .picture(let exists): self(exists ? .picture : .noPicture)
        case .background(let exists): self(exists ? .background : .noBackground)
        case .canJoin(let isAllowed): self(isAllowed ? .canJoin : .cannotJoin)
        case .editors(let editors): self(editors == .moderators ? .moderatorsEdit : .participantsEdit)
        case .history(.all, _): self(.allHistory)
        case .history(.sinceJoin, _): self(.historySinceJoin)
        case .history(.last, let rows): self(.lastHistory, ["count": .number(rows ?? 1)])
        case .minMembers(let count): self(.minMembers, ["count": .number(count)])
        case .maxMembers(let count): self(.maxMembers, ["count": .number(count)])
        case .moderatorsMayRecall(let isAllowed): self(isAllowed ? .moderatorsRecall : .moderatorsNoRecall)
        case .noticesForwards(let isNoticed): self(isNoticed ? .forwardsNoticed : .forwardsUnnoticed)
        case .pinners(let pinners): self(pinners == .moderators ? .moderatorsPin : .participantsPin)
        }
    }

    fileprivate func tally(_ tally: VoteTally) -> String {
        let voters = self(.voters, ["count": .number(tally.voters)])
        guard let counts = tally.counts else { return voters }
        let options = counts.enumerated().map { index, count in
            self(.tallyOption, ["number": .number(index + 1), "votes": .number(count)])
        }
        return self(.tally, ["options": .text(list(options)), "voters": .text(voters)])
    }

    /// At most two names, then how many more.
    fileprivate func typing(_ names: [String]) -> String {
        let separator = ["zh-Hant": "、", "ar": "، "][code] ?? ", "
        let shown = names.prefix(2).map(isolated).joined(separator: separator)
        return names.count > 2 ? "\(shown) +\(names.count - 2)" : shown
    }

    private func members(_ count: Int) -> Value { .text(self(.members, ["count": .number(count)])) }
}
