package import RoostCore
package import RoostWire

extension TestCore {
    /// Takes the notifications that are due, without sending them, and notes them as done.
    /// - Parameter showsThem: whether they are noted as sent instead, so that the devices show them.
    /// - Returns: those to be sent, and the reasons why others are not.
    package func pushes(
        to gateway: PushGateway = .webhook, showsThem: Bool = false
    ) async throws -> (sent: [PushRequest], skipped: [String]) {
        await settle()
        var (sent, skipped) = ([PushRequest](), [String]())
        while true {
            let leased = try await core.leasePushes(of: gateway, limit: 100, for: 60_000)
            if leased.isEmpty { return (sent, skipped) }
            var ends: [(push: LeasedPush, end: PushEnd)] = []
            for push in leased {
                switch try await core.request(for: push) {
                case .send(let request):
                    sent.append(request)
                    ends.append((push, showsThem ? .sent(request) : .done))
                case .skip(let reason):
                    skipped.append(reason)
                    ends.append((push, .done))
                }
            }
            try await core.endPushes(ends)
        }
    }
}
