import Foundation
import NIOCore
import RoostCore
import RoostWire

/// What the server counts and measures, with what is only looked at when somebody asks.
struct MetricsPage: Sendable {
    let core: Core
    let configuration: ServerConfiguration
    let hubs: [LaneHub]
    let connections: Connections
    let memory: ConnectionMemory
    let readiness: ReadinessCheck
    let figures: SharedReading<StoredFigures>

    /// The text that Prometheus reads; empty if nothing is kept.
    func text() async -> String {
        guard let registry = configuration.metrics else { return "" }
        let meters = core.meters
        await setFigures(meters)
        var sessions = 0
        for hub in hubs { sessions += (try? await hub.count().get()) ?? 0 }
        meters.set(.sessions, to: Double(sessions))
        meters.set(.sockets, to: Double(connections.count))
        meters.set(.connectionBytes, to: Double(memory.used))
        meters.set(.connectionMaxBytes, to: Double(configuration.connectionMemory))
        meters.set(.databaseDamaged, to: core.damage == nil ? 0 : 1)
        for (task, delay) in core.taskDelays { meters.set(.dueLagSeconds, to: Double(delay) / 1_000, task) }
        meters.set(.queueCommands, to: Double(core.queueLength))
        meters.set(.ready, to: await readiness.readiness().ready ? 1 : 0)
        if core.hasOthers { meters.set(.busLagSeconds, to: Double(core.journalDelay) / 1_000) }
        if let isUp = core.isBusUp { meters.set(.busUp, to: isUp ? 1 : 0) }
        if let end = configuration.certificate?.endsAt { meters.set(.certificateEnd, to: Double(end / 1_000)) }
        if let free = configuration.dataFolder.flatMap(Self.freeBytes) { meters.set(.diskFreeBytes, to: free) }
        let build = configuration.build
        meters.set(
            .build, to: 1, build.version, build.commit, String(Migrations.all.count), String(ProtocolVersion.current))
        let usage = ProcessUsage()
        for (metric, value) in [
            (Metric.processSeconds, usage.cpuSeconds), (.processBytes, usage.residentBytes),
            (.processDescriptors, usage.descriptors), (.processMaxDescriptors, usage.maxDescriptors),
            (.processStart, usage.startedAt),
        ] {
            if let value { meters.set(metric, to: value) }
        }
        return registry.text()
    }

    /// Sets what is read from the database. If it does not answer, the last figures stay.
    private func setFigures(_ meters: Meters) async {
        let figures = await figures.value(withinMs: ReadinessCheck.patience)
        meters.set(.databaseUp, to: figures == nil ? 0 : 1)
        guard let figures else { return }
        meters.set(.databaseBytes, to: Double(figures.bytes))
        meters.set(.nodes, to: Double(max(1, figures.nodes)))
        meters.set(.uploads, to: Double(figures.uploads))
        meters.set(.pushOutboxAge, to: Double(figures.pushAge) / 1_000)
    }

    private static func freeBytes(in folder: String) -> Double? {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        return (attributes?[.systemFreeSize] as? NSNumber)?.doubleValue
    }
}
