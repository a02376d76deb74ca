public import Observation
public import RoostClient
public import RoostWire

/// The members of a channel, by user id, one page at a time.
///
/// Moderators and admins also see who is invited and who is banned; participants
/// see members only. It needs a client with a `LocalStore`.
@MainActor @Observable public final class MemberListModel {
    /// The channel's id.
    public let id: ChannelID
    /// The loaded members, by user id, each once.
    public private(set) var members: [Member] = []
    /// How many members the channel has, without those invited or banned.
    public private(set) var memberCount = 0
    /// The user's role in the channel; nil until it is known.
    public private(set) var role: Role?
    /// Whether there are more members than the loaded ones.
    public private(set) var hasMore = true
    /// Whether a page is being loaded.
    public private(set) var isLoading = false
    /// The last failure, to show to the user; nil if there is none, or it was cleared.
    public private(set) var problem: RoostError?

    /// The members of a role, by user id.
    public func members(with role: Role) -> [Member] { members.filter { $0.role == role } }

    @ObservationIgnored private let client: ChatClient
    @ObservationIgnored private let pageSize: Int
    @ObservationIgnored private let life = ModelLife()
    /// The cursor of the next page; nil before the first page and after the last one.
    @ObservationIgnored private var next: String?
    /// Whether the list changed while a page was being loaded.
    @ObservationIgnored private var isStale = false

    /// Creates the list; it is empty before ``start()``. A page has 30 members by default.
    public init(client: ChatClient, channel: ChannelID, pageSize: Int = 30) {
        self.client = client
        self.pageSize = min(max(pageSize, 1), 500)
        id = channel
    }

    /// Loads the first page and follows the channel; if it is running already, it loads the first page again.
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
                    // The store does not contain users who are invited or banned.
                    self.life.run { [weak self] in await self?.reload() }
                } else if change.members.contains(id) {
                    await self.update(store)
                }
            }
        })
    }

    /// Stops the work that ``start()`` began; the list stays.
    public func stop() {
        life.stop()
        isLoading = false
    }

    /// Clears the failure that is shown.
    public func dismissProblem() { problem = nil }

    /// Call it when a member is drawn: the last one loads the next page.
    public func shown(_ user: UserID) {
        guard members.last?.userID == user, hasMore, !isLoading else { return }
        life.run { [weak self] in await self?.loadNext() }
    }

    /// Loads the next page; returns whether it was loaded. While a load runs, another call does nothing.
    @discardableResult
    public func loadNext() async -> Bool {
        guard hasMore else { return false }
        return await load(from: next, atLeast: 1)
    }

    /// Reloads all loaded members; after the current page, if one is being loaded.
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

    /// All roles that the user may see; nil for members only.
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

    /// Updates the read marks and names of the loaded members.
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
    /// Whether somebody joined, left or has another role.
    fileprivate var changesRoles: Bool {
        switch self {
        case .channel(.memberInvited), .channel(.memberJoined), .channel(.memberLeft), .channel(.memberKicked),
            .channel(.memberBanned), .channel(.memberRoleChanged):
            true
        default: false
        }
    }
}
