import RoostClient
import RoostWire

// The common part of all actions of the viewer.
extension ConversationModel {
    /// Actions in progress, and those whose answer was lost.
    struct Actions {
        fileprivate var running: Set<AnyHashable> = []
        fileprivate var unanswered: [AnyHashable: TransID] = [:]
    }

    /// Executes a command; nil if it failed, which sets ``problem``, or if the same one is in progress.
    ///
    /// With `isCreating`, a retry after a lost answer returns what the first attempt created, not a second one.
    func act<C: Command>(_ command: C, isCreating: Bool = false) async -> C.Answer? {
        guard actions.running.insert(command).inserted else { return nil }
        defer { actions.running.remove(command) }
        let transID = actions.unanswered[command] ?? client.makeTransID()
        do {
            let answer = try await client.perform(command, transID: transID)
            actions.unanswered[command] = nil
            return answer
        } catch {
            actions.unanswered[command] = isCreating && error.wire == nil ? transID : nil
            fail(error)
            return nil
        }
    }

    /// The items with these ids that are messages on the server, in their order.
    func messages(_ ids: [TimelineItem.ID]) -> [TimelineItem] {
        let ids = Set(ids)
        return timeline.items.filter { ids.contains($0.id) && $0.messageID != nil }
    }

    /// Reports that some of several actions failed, with the first error of their codes; 0 is none.
    func reportFailures(_ codes: [Int]) {
        let failed = codes.filter { $0 != 0 }
        guard let first = failed.first else { return }
        let code = ErrorCode.find(first)
        let text = "\(texts.someFailed(failed.count, codes.count)) \(code?.meaning ?? "")"
        problem = RoostError(.server(first), text, isRetryable: code?.isRetryable ?? false)
    }
}
