import RoostWire

extension ChatTexts {
    /// Traditional Chinese, as it is written in Taiwan.
    public static let traditionalChinese = ChatTexts(
        server: "伺服器", preview: { Chinese.preview($0) }, line: { Chinese.line($0) },
        setting: { Chinese.setting($0) }, tally: { Chinese.tally($0) }, list: { $0.joined(separator: "、") },
        typing: { typingLine($0, separator: "、") },
        recalled: { $0.map { "\($0) 已收回訊息" } ?? "你已收回訊息" },
        groupTitle: { "群組(\($0))" }, startMessaging: { "與 \($0) 開始聊天" }, cancel: "取消",
        charactersLeft: { "還可以輸入 \($0) 個字" }, notSent: "訊息未送出，請再試一次。",
        someFailed: { "\($1) 項中有 \($0) 項失敗。" })
}

private enum Chinese {
    static func preview(_ preview: ChatTexts.Preview) -> String {
        switch preview {
        case .sticker: "貼圖"
        case .picture: "圖片"
        case .film: "影片"
        case .voiceMessage: "語音訊息"
        case .contact: "聯絡人"
        case .file: "檔案"
        case .place: "位置"
        case .call: "通話"
        case .screenshot: "擷取了螢幕畫面"
        case .copy: "複製了訊息"
        case .forward: "轉傳了訊息"
        case .save: "儲存了訊息"
        case .recalled: "訊息已收回"
        case .message: "訊息"
        }
    }

    static func line(_ line: ChatTexts.Line) -> String {
        switch line {
        case .created(let name, let title): "\(name) 建立了 \(title)"
        case .newsBegins(let title): "\(title) 開始發布"
        case .dismissed(let name, let channel): "\(name) 解散了 \(channel)"
        case .joined(let names, let count): "\(list(names)) 已加入（\(members(count))）"
        case .invited(let name, let names): "\(name) 邀請了 \(list(names))"
        case .accepted(let name, let count): "\(name) 接受了邀請（\(members(count))）"
        case .left(let name, let count, let successor):
            "\(name) 已離開（\(members(count))）" + (successor.map { "，現在由 \($0) 擔任管理員" } ?? "")
        case .removed(let name, let names, let count): "\(name) 將 \(list(names)) 移出（\(members(count))）"
        case .banned(let name, let names, let count): "\(name) 封鎖了 \(list(names))（\(members(count))）"
        case .role(let name, let role): self.role(name, role)
        case .renamed(let user, let name): "\(user) 的名稱已改為 \(name)"
        case .settings(let name, let settings):
            settings.isEmpty ? "\(name) 沒有變更任何設定" : "\(name) 變更了設定：\(list(settings.map(setting)))"
        case .voteClosed(let name, let numbers):
            (name.map { "\($0) 結束了投票" } ?? "投票已結束") + "：\(tally(numbers))"
        case .pinned(let name): "\(name) 釘選了一則訊息"
        }
    }

    private static func role(_ name: String, _ role: Role) -> String {
        switch role {
        case .none: "\(name) 不再是封鎖或受邀的對象"
        case .outcast: "\(name) 已被封鎖"
        case .invited: "\(name) 已受邀"
        case .participant: "\(name) 現在是一般成員"
        case .moderator: "\(name) 現在是版主"
        case .admin: "\(name) 現在是管理員"
        }
    }

    static func setting(_ setting: ChatTexts.Setting) -> String {
        switch setting {
        case .title(let title): title.isEmpty ? "沒有標題" : "標題「\(title)」"
        case .customAttributes(let bits): "自訂屬性 \(bits)"
        case .picture(let url): url.isEmpty ? "沒有圖片" : "圖片 \(url)"
        case .background(let url): url.isEmpty ? "沒有背景" : "背景 \(url)"
        case .canJoin(let isAllowed): isAllowed ? "任何人都可以加入" : "受邀才能加入"
        case .editors(.participants): "所有成員都可以編輯"
        case .editors(.moderators): "只有版主和管理員可以編輯"
        case .history(.all, _): "新成員可以看到所有訊息"
        case .history(.sinceJoin, _): "新成員只能看到加入後的訊息"
        case .history(.last, let rows):
            rows.map { "新成員可以看到加入前的 \($0) 則訊息" } ?? "新成員可以看到加入前的部分訊息"
        case .minMembers(let count): "至少 \(members(count))"
        case .maxMembers(let count): "最多 \(members(count))"
        case .moderatorsMayRecall(let isAllowed): isAllowed ? "版主可以收回訊息" : "版主不能收回訊息"
        case .noticesForwards(let isTold): isTold ? "轉傳時會通知" : "轉傳時不會通知"
        case .pinners(.participants): "所有成員都可以釘選訊息"
        case .pinners(.moderators): "只有版主和管理員可以釘選訊息"
        }
    }

    static func tally(_ tally: VoteTally) -> String {
        let people = "共 \(tally.voters) 人投票"
        guard let counts = tally.counts else { return people }
        return list(counts.enumerated().map { "選項 \($0 + 1)：\($1) 票" }) + "（\(people)）"
    }

    static func members(_ count: Int) -> String { "\(count) 位成員" }

    static func list(_ parts: [String]) -> String { parts.joined(separator: "、") }
}
