import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

/// The texts that do not come from users.
@Suite @MainActor struct TextsTests {
    private static let all: [ChatTexts] = [.english, .german, .traditionalChinese, .korean, .arabic]

    private func each(_ text: (ChatTexts) -> String) -> [String] { Self.all.map(text) }

    @Test func `one and many are right in every language`() {
        #expect(
            each { $0.line(.left("Cid", members: 1, successor: nil)) } == [
                "Cid left (1 member)", "Cid ist gegangen (1 Mitglied)", "Cid 已離開（1 位成員）", "Cid님이 나갔습니다 (멤버 1명)",
                "غادر \u{2068}Cid\u{2069} (\u{2068}عضو واحد\u{2069})",
            ])
        #expect(
            each { $0.line(.joined(["Ann"], members: 2)) }.prefix(3) == [
                "Ann joined (2 members)", "Ann ist beigetreten (2 Mitglieder)", "Ann 已加入（2 位成員）",
            ])
        #expect(
            each { $0.line(.joined(["Ann", "Bob"], members: 3)) }.prefix(3) == [
                "Ann and Bob joined (3 members)", "Ann und Bob sind beigetreten (3 Mitglieder)",
                "Ann和Bob 已加入（3 位成員）",
            ])
        #expect(
            each { $0.tally(VoteTally(counts: [1, 0], voters: 1)) }.prefix(3) == [
                "option 1: 1 and option 2: 0 (1 voter)",
                "Option 1: 1 und Option 2: 0 (1 Person hat abgestimmt)", "選項 1：1 票和選項 2：0 票（共 1 人投票）",
            ])
        #expect(
            each { $0.tally(VoteTally(voters: 2)) }.prefix(3) == [
                "2 voters", "2 Personen haben abgestimmt", "共 2 人投票",
            ])
        #expect(
            each { $0.charactersLeft(1) }.prefix(3) == ["1 character left", "Noch 1 Zeichen", "還可以輸入 1 個字"])
        #expect(each { $0.charactersLeft(2) }[0] == "2 characters left")
        #expect(
            each { $0.setting(.history(.last, rows: 1)) }[1] == "neue Mitglieder sehen den letzten Eintrag")
        #expect(each { $0.typing(["Ann", "Bob", "Cid"]) }.prefix(3) == ["Ann, Bob +1", "Ann, Bob +1", "Ann、Bob +1"])
        #expect(each { $0.someFailed(1, 2) }[1] == "1 von 2 ist fehlgeschlagen.")
    }

    @Test func `every text exists in every language, and none is the English one by mistake`() {
        for preview in ChatTexts.Preview.allCases where ![.sticker, .video].contains(preview) {
            #expect(Set(each { $0.preview(preview) }).count == 5, "\(preview)")
        }
        for role in Role.allCases { #expect(Set(each { $0.line(.role("Ann", role)) }).count == 5, "\(role)") }
        let settings: [ChatTexts.Setting] = [
            .title("x"), .title(""), .customAttributes(1), .picture(true), .picture(false), .background(true),
            .background(false), .canJoin(true), .canJoin(false), .editors(.participants), .editors(.moderators),
            .history(.all, rows: nil), .history(.sinceJoin, rows: nil), .history(.last, rows: 5), .minMembers(2),
            .maxMembers(2), .moderatorsMayRecall(true), .moderatorsMayRecall(false), .noticesForwards(true),
            .noticesForwards(false), .pinners(.participants), .pinners(.moderators),
        ]
        for setting in settings { #expect(Set(each { $0.setting(setting) }).count == 5, "\(setting)") }
    }

    @Test func `the first language that has texts is chosen, and English without one`() {
        let chosen = [
            ["de-AT", "en"], ["fr", "ko"], ["zh_Hans_CN"], ["AR"], ["fr"], [], ["en-GB", "de"], ["kok", "de"],
        ].map { ChatTexts.preferred($0).cancel }
        #expect(chosen == ["Abbrechen", "취소", "取消", "إلغاء", "Cancel", "Cancel", "Cancel", "Abbrechen"])
    }

    @Test func `the drop-in chat speaks the language that it is given`() async {
        let chat = TextChatModel(clock: ManualClock().clock, texts: .german)
        #expect(chat.counter == "Noch 1000 Zeichen")
        chat.edit("Hallo")
        await chat.send()
        #expect(chat.errorText == ChatTexts.german.notSent)
    }
}

extension Screens {
    /// The same texts on screens that are connected to a server.
    @MainActor @Suite struct LanguageTests {
        @Test func `a conversation, the list and an open channel speak the language that they are given`()
            async throws
        {
            let clock = TestClock()
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let cid = try await server.client(Cast.cid)
            _ = try await bob.createGroup(channel: Cast.club, members: [Cast.ann.userID, Cast.cid.userID])
            var own = ChatTexts.traditionalChinese
            own.preview = { $0 == .video ? "Kino" : ChatTexts.traditionalChinese.preview($0) }
            let model = ConversationModel(client: ann, channel: Cast.club, texts: .german)
            let list = ChannelListModel(client: ann, texts: own)
            model.start()
            list.start()
            try await wait("the title") { model.hasLoaded && model.title == "Gruppe(3)" }

            try await bob.channel(Cast.club).send(.video(try await bob.uploadSample("film.mp4")))
            try await wait("a word of one's own") {
                list.rows.first?.lastText == "Kino" && model.items.last?.content?.type == "video"
            }
            let film = try #require(model.items.last { $0.content?.type == "video" })
            try await bob.channel(Cast.club).send(.voice(try await bob.uploadSample("note.ogg")))
            try await wait("the table's word") { list.rows.first?.lastText == "語音訊息" }
            let id = try #require(film.messageID)
            try await bob.channel(Cast.club).recall([id])
            try await model.waitFor("Bob hat diese Nachricht zurückgerufen")
            try await cid.channel(Cast.club).leave()
            try await model.waitFor("Cid ist gegangen (2 Mitglieder)")

            try await bob.channel(Cast.lobby).join()
            try await bob.channel(Cast.lobby).send("Hallo")
            let lobby = OpenChannelModel(client: ann, channel: Cast.lobby, texts: .german)
            lobby.start()
            let hallo = try await lobby.conversation.waitFor("Hallo")
            lobby.choose(hallo.id)
            #expect(lobby.sheet?.action == "Unterhaltung mit Bob beginnen" && lobby.sheet?.cancel == "Abbrechen")
            await lobby.stop()
            model.stop()
            list.stop()
            await server.stop()
        }
    }
}
