import RoostClient
import RoostWire

// What all actions of the viewer have in common.
extension ConversationModel {
    /// Actions that are on their way, and those of which the answer was lost.
    struct Actions {
        fileprivate var running: Set<AnyHashable> = []
        fileprivate var unanswered: [AnyHashable: TransID] = [:]
    }

    /// Carries out a command; nil when it failed, which is told as ``problem``, or when the same one is on its way.
    ///
    /// With `isCreating`, who tries again after the answer was lost gets what the first try has made, not a second one.
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

    /// The items with these ids that the server has as messages, in their order.
    func messages(_ ids: [TimelineItem.ID]) -> [TimelineItem] {
        let ids = Set(ids)
        return timeline.items.filter { ids.contains($0.id) && $0.messageID != nil }
    }

    /// Tells that some of several things did not happen, with the first of the codes that say why; 0 is none.
    func tellFailures(_ codes: [Int]) {
        let failed = codes.filter { $0 != 0 }
        guard let first = failed.first else { return }
        let code = ErrorCode.find(first)
        let text = "\(texts.someFailed(failed.count, codes.count)) \(code?.meaning ?? "")"
        problem = RoostError(.server(first), text, isRetryable: code?.isRetryable ?? false)
    }
}
