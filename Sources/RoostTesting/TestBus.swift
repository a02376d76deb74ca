import Foundation
package import RoostCore
import Synchronization

/// A bus between the cores of one process, which can lose, double and delay what it carries.
package final class TestBus: Bus {
    /// What becomes of a doorbell.
    package enum Fault: Sendable {
        case none, lost, doubled
        /// It comes after the next one.
        case swapped
        /// It comes when it is released.
        case late
    }

    /// What connects several of them.
    package final class Hub: Sendable {
        fileprivate struct State {
            var receivers: [ObjectIdentifier: @Sendable ([UInt8]) -> Void] = [:]
            var held: [[UInt8]] = []
            var late: [[UInt8]] = []
            var count = 0
            var isDown = false
        }

        fileprivate let state = Mutex(State())
        private let fault: @Sendable (Int) -> Fault
        private let queue = DispatchQueue(label: "bus")

        /// - Parameter fault: what happens to the doorbell with this number.
        package init(fault: @escaping @Sendable (Int) -> Fault = { _ in .none }) { self.fault = fault }

        /// Whether nothing is carried.
        package var isDown: Bool {
            get { state.withLock { $0.isDown } }
            set { state.withLock { $0.isDown = newValue } }
        }

        /// The number of doorbells that were sent.
        package var count: Int { state.withLock { $0.count } }

        fileprivate func carry(_ bytes: [UInt8], from sender: ObjectIdentifier) {
            queue.async { [self] in
                let (due, receivers) = state.withLock { state in
                    if state.isDown { return ([[UInt8]](), state.receivers) }
                    let fault = fault(state.count)
                    state.count += 1
                    let held = state.held
                    state.held = []
                    switch fault {
                    case .none: return ([bytes] + held, state.receivers)
                    case .lost: return (held, state.receivers)
                    case .doubled: return ([bytes] + held + [bytes], state.receivers)
                    case .swapped:
                        state.held = [bytes]
                        return (held, state.receivers)
                    case .late:
                        state.late.append(bytes)
                        return (held, state.receivers)
                    }
                }
                // A doorbell that was held may reach its own sender, who drops it.
                for bytes in due { for (id, receive) in receivers where id != sender { receive(bytes) } }
            }
        }

        /// Carries the doorbells that were late.
        package func release() {
            queue.async { [self] in
                let (due, receivers) = state.withLock { state in
                    defer { state.late = [] }
                    return (state.late, state.receivers)
                }
                for bytes in due { for receive in receivers.values { receive(bytes) } }
            }
        }

        /// Waits until everything that was sent is received.
        package func settle() async {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
    }

    private let hub: Hub

    package init(_ hub: Hub) { self.hub = hub }

    package var isConnected: Bool { !hub.isDown }

    package func open(topic: String, _ receive: @escaping @Sendable (Doorbell) -> Void) {
        hub.state.withLock {
            $0.receivers[ObjectIdentifier(self)] = {
                if let doorbell = try? Doorbell(decoding: $0) { receive(doorbell) }
            }
        }
    }

    package func publish(_ doorbell: Doorbell) {
        guard let bytes = try? doorbell.encoded() else { return }
        hub.carry(bytes, from: ObjectIdentifier(self))
    }

    package func close() { hub.state.withLock { $0.receivers[ObjectIdentifier(self)] = nil } }
}
