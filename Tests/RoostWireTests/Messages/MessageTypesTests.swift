import FoundationEssentials
import RoostWire
import Testing

/// The table of message types, written down a second time: number, the flags
/// I, L, S, N and U, and the name on the wire.
private let expectedTypes = """
    1 YYYYY text
    2 YYYYY sticker
    3 YYYYY image
    4 YYYYY video
    5 YYYYY voice
    6 YYYYY contact
    7 YYYYY location
    8 YYYYY document
    101 YYYYY voteText
    102 YNYYY voteSticker
    103 YNYYY voteImage
    104 YNYYY voteVideo
    105 YNYYY voteVoice
    106 YNYYY voteContact
    107 YNYYY voteLocation
    108 YNYYY voteDocument
    201 NNNNN messageScheduledVariant
    202 YNYYN scheduledMessageSent
    203 NNNNN voteScheduled
    204 YNYYN scheduledVoteSent
    205 YNYYN messageScheduled
    206 NNNNN scheduledMessageSentVariant
    221 YYYNN screenshotTaken
    222 YYYNN messageCopied
    223 YYYNN messagesForwarded
    224 YYYNN messageSaved
    1001 YNYY– channelCreated
    1002 YNYNN channelDismissed
    1003 YNYNN memberLeft
    1004 YNYYN membersInvited
    1005 YNYNN memberJoined
    1006 YNYNN membersKicked
    1007 YNYNN membersBanned
    1008 YNYNN subjectChanged
    1009 YNYNN channelImageChanged
    1010 YNYNN roleChanged
    1011 YNYNN channelPreferenceChanged
    1012 YNYNN userProfileChanged
    1013 YNYNN memberProfileChanged
    1015 YNYNN channelBackgroundChanged
    1017 YNYNN channelCreatedVariant
    1018 YNYNN rolesChanged
    1101 –NYNN readMarkMoved
    1102 YNYNN messagesDeleted
    1103 YNYNN channelMessagesDeleted
    1104 YNYNN messageRecalled
    1105 YNYNN allMessagesDeleted
    1106 NNYNN activeCountChanged
    1201 YNYNN publicNewsChannelCreated
    1202 YNYYY publicNews
    1203 YNYNN corporateNewsChannelCreated
    1204 YNYYY corporateNews
    2001 YNYYN callReceived
    2002 YNYYN callCancelled
    2003 YNYNN callRecorded
    3000 OOOOO custom
    3001 YNYNN customQuiet
    3002 YYYYN customUncounted
    """

@Suite struct MessageTypesTests {
    @Test func `the registry of message types equals the reference table [LT-0 EN-3]`() {
        let lines = MessageType.all.map { type in
            let flags = [type.isStored, type.isLastMessage, type.isRealtime, type.isPushed, type.countsAsUnread]
            return "\(type.number) \(flags.map(\.rawValue).joined()) \(type.name)"
        }
        #expect(MessageType.all.count == 58)
        #expect(Array(lines.joined(separator: "\n").utf8) == Array(expectedTypes.utf8))
    }

    @Test func `no name and no number of a message type is used twice`() {
        #expect(Set(MessageType.all.map(\.name)).count == MessageType.all.count)
        #expect(Set(MessageType.all.map(\.number)).count == MessageType.all.count)
    }

    @Test(arguments: MessageType.all) func `every type is found by name and by number`(type: MessageType) {
        #expect(MessageType.named(type.name) == type)
        #expect(MessageType.numbered(type.number) == type)
    }

    @Test func `unknown types are not found`() {
        for name in ["", "Text", "text ", "1", "réaction"] {
            #expect(MessageType.named(name) == nil)
        }
        for number in [0, -1, 9, 109, 1014, 1016, 1205, Int.min, Int.max] {
            #expect(MessageType.numbered(number) == nil)
        }
    }

    @Test(arguments: MessageType.all) func `every type has a plain name and one sentence`(type: MessageType) {
        #expect(type.name.wholeMatch(of: /[a-z][A-Za-z]+/) != nil)
        #expect(type.meaning.wholeMatch(of: /[A-Z][^.]+\./) != nil)
    }

    @Test func `exactly the four doubled or flagless types are never sent by a server`() {
        #expect(MessageType.all.filter { !$0.isEmitted }.map(\.number) == [201, 203, 206, 1017])
    }

    @Test func `what rings goes to the other token, everything else that is pushed is shown`() {
        for type in MessageType.all {
            let kind: PushKind? =
                switch type.isPushed {
                case .yes: [2001, 2002].contains(type.number) ? .voip : .alert
                case .no, .option, .unspecified: nil
                }
            #expect(type.pushKind == kind, "\(type.name)")
            if type.name != "custom" { #expect(type.behaviour().pushKind == kind, "\(type.name)") }
            #expect(type.behaviour().isPushed == (type.behaviour().pushKind != nil))
        }
        #expect(MessageType.all.filter { $0.pushKind == .voip }.map(\.number) == [2001, 2002])
        #expect(MessageType.text.pushKind == .alert)
        for bits in 1...63 {
            let kind = MessageType.named("custom")?.behaviour(attributes: bits).pushKind
            #expect(kind == (bits & 8 != 0 ? .alert : nil))
        }
    }

    @Test func `only the custom type leaves its flags to the message`() {
        let optional = MessageType.all.filter { type in
            [type.isStored, type.isLastMessage, type.isRealtime, type.isPushed, type.countsAsUnread].contains(.option)
        }
        #expect(optional.map(\.name) == ["custom"])
    }

    @Test func `private facts go only to the acting user`() {
        let numbers = MessageType.all.filter { $0.audience == .ownDevices }.map(\.number)
        #expect(numbers == [201, 202, 203, 204, 205, 206, 1011, 1102, 1103, 1105])
    }

    @Test func `those who lose a channel learn of it`() {
        let numbers = MessageType.all.filter { $0.audience == .membersBeforeChange }.map(\.number)
        #expect(numbers == [1002, 1003, 1006])
    }

    @Test func `roles have the numbers of the reference table`() {
        let lines = Role.allCases.map { "\($0.rawValue) \($0.number)" }
        #expect(lines == ["none 0", "outcast 1", "invited 2", "participant 4", "moderator 8", "admin 16"])
        for role in Role.allCases {
            #expect(Role(number: role.number) == role)
        }
        for number in [-1, 3, 5, 6, 7, 15, 17, 32] {
            #expect(Role(number: number) == nil)
        }
    }

    @Test func `kinds of channels have the numbers of the reference table`() {
        let lines = ChannelKind.allCases.map { "\($0.rawValue) \($0.number)" }
        #expect(lines == ["single 1", "group 4", "open 2", "self 102", "publicNews 107", "corporateNews 106"])
        for kind in ChannelKind.allCases {
            #expect(ChannelKind(number: kind.number) == kind)
        }
        for number in [-1, 0, 3, 5, 100, 111] {
            #expect(ChannelKind(number: number) == nil)
        }
    }

    @Test func `ways to join have the numbers of the reference table`() {
        let lines = JoinMethod.allCases.map { "\($0.rawValue) \($0.number)" }
        #expect(lines == ["normal 0", "userCode 1", "moderatorPhone 2", "userSearch 3", "moderatorCode 4"])
        for method in JoinMethod.allCases { #expect(JoinMethod(number: method.number) == method) }
        for number in [-1, 5, Int.max] { #expect(JoinMethod(number: number) == nil) }
    }

    @Test func `roles and kinds travel as strings`() throws {
        let roles = try JSONEncoder().encode([Role.none, .moderator])
        #expect(String(decoding: roles, as: UTF8.self) == #"["none","moderator"]"#)
        let kinds = try JSONDecoder().decode([ChannelKind].self, from: Data(#"["self","open"]"#.utf8))
        #expect(kinds == [.own, .open])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Role].self, from: Data("[3]".utf8)) }
    }
}
