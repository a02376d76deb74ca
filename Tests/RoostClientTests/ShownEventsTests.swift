import RoostClient
import RoostWire
import Testing
import WireExamples

/// What the protocol says to show is what the SDK has words for.
@Suite struct ShownEventsTests {
    @Test func `an event of a channel's log shows if it is a message or has a line, and only then`() throws {
        var names: Set<String> = []
        for notice in try Examples.notices() {
            guard case .channel = notice.event.body, let name = EventName(rawValue: notice.event.name) else { continue }
            let isMessage = name == .messageSent || name == .messageAnnounced
            #expect(name.isShown == (isMessage || ServerLine(notice.event) != nil), "\(name)")
            names.insert(name.rawValue)
        }
        #expect(names.count == 20)
    }
}
