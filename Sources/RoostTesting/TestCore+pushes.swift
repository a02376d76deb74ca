package import RoostCore
package import RoostWire

extension TestCore {
    /// Takes the notifications that are due, without sending them, and notes them as done.
    /// - Returns: those to be sent, and the reasons why others are not.
    package func pushes(
        to gateway: PushGateway = .webhook
    ) async throws -> (sent: [PushRequest], skipped: [String]) {
        await settle()
        var (sent, skipped) = ([PushRequest](), [String]())
        while true {
            let leased = try await core.leasePushes(of: gateway, limit: 100, for: 60_000)
            if leased.isEmpty { return (sent, skipped) }
            for push in leased {
                switch try await core.request(for: push) {
                case .send(let request): sent.append(request)
                case .skip(let reason): skipped.append(reason)
                }
            }
            try await core.endPushes(leased.map { ($0, .done) })
        }
    }
}
