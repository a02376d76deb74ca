public import Observation
public import RoostClient
public import RoostWire

/// The members of a channel, by user id, a page at a time.
///
/// Moderators and admins see who is invited and who is banned too; participants
/// see members only. It needs a client with a `LocalStore`.
@MainActor @Observable public final class MemberListModel {
    /// The channel's id.
    public let id: ChannelID
    /// The members that are here, by user id, each once.
    public private(set) var members: [Member] = []
    /// How many members the channel has; those who are invited or banned do not count.
    public private(set) var memberCount = 0
    /// The user's own role in the channel; nil while it is not known.
    public private(set) var role: Role?
    /// Whether there are more than those that are here.
    public private(set) var hasMore = true
    /// Whether a page is on its way.
    public private(set) var isLoading = false
    /// What last went wrong, in a sentence for people.
    public private(set) var problem: RoostError?

    /// The members of a role, by user id.
    public func members(with role: Role) -> [Member] { members.filter { $0.role == role } }

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let pageSize: Int
    @ObservationIgnored private let life = ModelLife()
    /// Where the next page begins; nil before the first page and after the last one.
    @ObservationIgnored private var next: String?
    /// Whether the list changed while a page was on its way.
    @ObservationIgnored private var isStale = false

    /// Makes the list; it is empty before ``start()``. A page has 30 members unless told otherwise.
    public init(client: ChatClient, channel: ChannelID, pageSize: Int = 30) {
        self.client = client
        self.pageSize = min(max(pageSize, 1), 500)
        id = channel
    }

    /// Loads the first page and follows the channel from now on; running already, it loads the first page again.
    public func start() {
        guard let store = client.store else { return problem = ConversationModel.noStore }
        if life.isRunning { return life.run { [weak self] in await self?.reload() } }
        let changes = client.changes()
        let id = id
        life.start({ [weak self] in
            await self?.readRole(store)
            self?.life.run { [weak self] in await self?.loadNext() }
            for await change in changes {
                guard let self else { return }
                if let rows = change.rows[id], rows.appended.contains(where: { $0.body.changesRoles }) {
                    await self.readRole(store)
                    // Who is invited or banned stands in no store.
                    self.life.run { [weak self] in await self?.reload() }
                } else if change.members.contains(id) {
                    await self.update(store)
                }
            }
        })
    }

    /// Ends what ``start()`` began; the list stays.
    public func stop() {
        life.stop()
        isLoading = false
    }

    /// Takes the problem from the screen.
    public func dismissProblem() { problem = nil }

    /// Tells that a member is drawn: the last one loads the next page.
    public func shown(_ user: UserID) {
        guard members.last?.userID == user, hasMore, !isLoading else { return }
        life.run { [weak self] in await self?.loadNext() }
    }

    /// Loads the next page; returns whether it did. While one load runs, another call does nothing.
    @discardableResult
    public func loadNext() async -> Bool {
        guard hasMore else { return false }
        return await load(from: next, atLeast: 1)
    }

    /// Loads everything that is here again; while a page is on its way, after it.
    private func reload() async {
        isStale = true
        _ = await load(from: nil, atLeast: max(1, members.count))
    }

    private func load(from start: String?, atLeast count: Int) async -> Bool {
        guard !isLoading else { return false }
        isLoading = true
        if start == nil { isStale = false }
        defer {
            isLoading = false
            if isStale { life.run { [weak self] in await self?.reload() } }
        }
        do {
            var new: [Member] = []
            var cursor = start
            repeat {
                let page = try await client.perform(
                    ListMembers(channel: id, limit: pageSize, cursor: cursor, roles: wantedRoles))
                new += page.members
                cursor = page.next
                memberCount = page.memberCount
            } while cursor != nil && new.count < count
            next = cursor
            hasMore = cursor != nil
            let known = Set(new.map(\.userID))
            let kept = start == nil ? [] : members.filter { !known.contains($0.userID) }
            let all = (kept + new).sorted { $0.userID < $1.userID }
            if all != members { members = all }
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// All roles that the user's own may see; nil for the members only.
    private var wantedRoles: [Role]? {
        guard let role, RoleRules.visibleRoles(by: role).contains(.invited) else { return nil }
        return RoleRules.visibleRoles(by: role).sorted()
    }

    private func readRole(_ store: LocalStore) async {
        do {
            guard let known = try await store.channels([id])[id]?.channel else { return }
            if known.role != role { role = known.role }
            if known.memberCount != memberCount { memberCount = known.memberCount }
        } catch {
            fail(error)
        }
    }

    /// Takes over how the members that are here read now: their marks and names.
    private func update(_ store: LocalStore) async {
        do {
            let known = try await store.members(of: id)
            let byID = Dictionary(known.map { ($0.userID, $0) }, uniquingKeysWith: { first, _ in first })
            let new = members.map { byID[$0.userID] ?? $0 }
            if new != members { members = new }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: RoostError) {
        if error.code != .cancelled { problem = error }
    }
}

extension EventBody {
    /// Whether somebody came, went or has another role.
    fileprivate var changesRoles: Bool {
        switch self {
        case .channel(.memberInvited), .channel(.memberJoined), .channel(.memberLeft), .channel(.memberKicked),
            .channel(.memberBanned), .channel(.memberRoleChanged):
            true
        default: false
        }
    }
}
