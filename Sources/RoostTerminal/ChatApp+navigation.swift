import RoostClient
import RoostModels
import RoostWire

// Navigation between conversations.
extension ChatApp {
    /// Shows a channel whose kind is known.
    func show(_ id: ChannelID, isOpen: Bool) {
        isChoosing = false
        marked = nil
        sheet = nil
        question = nil
        guard room?.id != id else { return }
        if let old = room {
            // Messages that arrive while it is hidden are counted but not scrolled to.
            if old.open != nil { old.conversation.setAtBottom(false) }
            run { await old.hide() }
        }
        let new = openRooms[id] ?? ChatRoom(client: client, channel: id, isOpen: isOpen, clock: clock, texts: texts)
        if isOpen, openRooms[id] == nil {
            openRooms[id] = new
            openOrder.append(id)
        }
        room = new
        new.start()
        if isOpen { new.move(to: .bottom) }
        run { [weak self] in
            await new.conversation.loadPins()
            await self?.readKnownUsers()
        }
    }

    /// Opens a channel by its id.
    func open(_ id: ChannelID) async {
        if openRooms[id] != nil { return show(id, isOpen: true) }
        if let store = client.store, let known = try? await store.channels([id])[id]?.channel {
            return show(id, isOpen: known.kind == .open)
        }
        if id.pair != nil { return show(id, isOpen: false) }
        await whenConnected(words(.notHere, ["channel": .text(id.rawValue)])) {
            [client] () async throws(RoostError) -> (ChannelID, isOpen: Bool) in
            let kind: ChannelKind
            do throws(RoostError) {
                kind = try await client.channel(id).get(withMembers: false).kind
            } catch  where error.code == .server(.channelNotFound) {
                // In dev mode, the first user who joins creates the channel.
                kind = try await client.channel(id).join().kind
            }
            return (id, isOpen: kind == .open)
        }
    }

    /// Opens the 1-on-1 with a user.
    func open(_ user: UserID) async {
        let known = try? await client.store?.owner
        let connected = await client.user?.userID
        if let me = connected ?? known, let store = client.store {
            let id = ChannelID(single: me, user)
            if (try? await store.channels([id])[id]) != nil { return show(id, isOpen: false) }
        }
        await whenConnected(words(.userNotHere, ["user": .text(user.rawValue)])) {
            [client] () async throws(RoostError) -> (ChannelID, isOpen: Bool) in
            (try await client.startMessaging(with: user).channel, isOpen: false)
        }
    }

    private func whenConnected(
        _ wait: String, _ find: @MainActor () async throws(RoostError) -> (ChannelID, isOpen: Bool)
    ) async {
        var isTold = false
        for await state in client.states {
            guard state == .live else {
                if !isTold { say(wait) }
                isTold = true
                continue
            }
            do throws(RoostError) {
                let found = try await find()
                if isTold { notice = nil }
                show(found.0, isOpen: found.isOpen)
            } catch {
                if error.isRetryable { continue }
                if error.code != .cancelled { say(error.message, isProblem: true) }
                if room == nil { isChoosing = true }
            }
            changed()
            return
        }
    }

    /// Goes to the next or previous conversation in the list.
    func step(by step: Int) {
        let entries = entries
        guard !entries.isEmpty else { return }
        let index = entries.firstIndex { $0.id == room?.id }
        let next = index.map { $0 + step } ?? (step > 0 ? 0 : entries.count - 1)
        guard entries.indices.contains(next) else { return }
        show(entries[next].id, isOpen: entries[next].isOpenChannel)
    }

    /// Opens a known channel by its id or title, otherwise a channel with that id.
    func join(_ name: String) {
        let name = name.hasPrefix("#") ? String(name.dropFirst()) : name
        if let entry = entries.first(where: { $0.id.rawValue == name }) ?? entries.first(where: { $0.title == name }) {
            return show(entry.id, isOpen: entry.isOpenChannel)
        }
        guard let id = ChannelID(rawValue: name) else {
            return say(words(.notChannel, ["text": .text(name)]), isProblem: true)
        }
        run { [weak self] in await self?.open(id) }
    }

    /// Leaves the open conversation; a group is left permanently.
    func leave() {
        guard let room else { return say(words(.noConversation), isProblem: true) }
        let title = room.conversation.title.isEmpty ? room.id.rawValue : room.conversation.title
        if room.open != nil {
            openRooms[room.id] = nil
            openOrder.removeAll { $0 == room.id }
            closeRoom()
            return run { await room.close() }
        }
        question = (
            words(.leaveQuestion, ["title": .text(title)]),
            { [weak self] in
                self?.run {
                    guard let self else { return }
                    do throws(RoostError) {
                        try await self.client.channel(room.id).leave()
                        if self.room === room { self.closeRoom() }
                        await room.close()
                        self.say(self.words(.left, ["title": .text(title)]))
                    } catch {
                        self.say(error.message, isProblem: true)
                    }
                }
            }
        )
    }

    private func closeRoom() {
        room = nil
        isChoosing = true
        marked = nil
    }

    /// Shows the members of the channel and how far they have read.
    func who() {
        guard let room else { return say(words(.noConversation), isProblem: true) }
        run { [weak self] in
            guard let self else { return }
            do throws(RoostError) {
                let handle = self.client.channel(room.id)
                let lines: [String]
                if room.open != nil {
                    lines = [self.words(.here, ["count": .number(try await handle.get().memberCount)])]
                } else {
                    let last = room.conversation.items.last { $0.seq != nil }?.seq ?? 0
                    lines = try await handle.members(limit: 100).map { member in
                        let read =
                            member.readSeq >= last
                            ? self.words(.readAll)
                            : self.words(.readUpTo, ["seq": .digits(Int(member.readSeq)), "last": .digits(Int(last))])
                        return "\(member.name) (\(member.userID))  \(self.words(.role(member.role)))  \(read)"
                    }
                }
                self.sheet = ChatState.Sheet(title: self.words(.who), lines: lines)
            } catch {
                self.say(error.message, isProblem: true)
            }
        }
    }

    /// Loads the users for completion: the members of the conversations on this device.
    func readKnownUsers() async {
        guard let store = client.store, let channels = try? await store.channels(limit: 100) else { return }
        var users = Set(channels.flatMap(\.members).map(\.userID.rawValue))
        if let room, let members = try? await store.members(of: room.id) {
            users.formUnion(members.map(\.userID.rawValue))
        }
        knownUsers = users.sorted()
    }
}
