import ArgumentParser
import Foundation

extension BenchCommand {
    /// The protocols that can be used without an SDK.
    enum Peer: String, ExpressibleByArgument, CaseIterable {
        case roost, xmpp, mqtt0, mqtt1

        func dialect(_ number: Int) throws -> any PeerDialect {
            switch self {
            case .roost: try RoostPeer(number: number)
            case .xmpp: XMPPPeer(number: number)
            case .mqtt0: MQTTPeer(number: number, quality: 0)
            case .mqtt1: MQTTPeer(number: number, quality: 1)
            }
        }
    }

    /// The direct and room scenarios over plain sockets, identical for every server.
    func plain(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        guard let peer, let port = bench.url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchFailure(description: "\(bench.url) ends with no port.")
        }
        let window = window ?? 1
        let connections = scenario == .direct ? pairs * 2 : members ?? 1_000
        let load = try PeerLoad(port: port, count: connections) { try peer.dialect($0) }
        let count = count ?? (scenario == .direct ? 50_000 : 400 * connections)
        if scenario == .direct { try load.direct(window: window) } else { try load.room(window: window) }
        try load.deliver(count / 10)
        try await measure(bench, &result) { try load.deliver(count) }
        result.scenario += " \(peer)"
        result.settings = ["connections": connections, "window": window]
        result.finish(messages: scenario == .direct ? count : count / connections, delivered: count, Latencies())
    }
}
