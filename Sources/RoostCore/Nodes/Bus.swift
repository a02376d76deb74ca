/// Carries doorbells between the servers of one database, quickly and without a promise: they may be lost, come twice or
/// in another order. What matters is found in the journal.
package protocol Bus: Sendable {
    /// Whether what is published can reach others, as far as the bus can know.
    var isConnected: Bool { get }

    /// Begins to carry doorbells.
    /// - Parameters:
    ///   - topic: what the servers of one database have in common.
    ///   - receive: called with each doorbell of others, one after the other, on a thread of the bus.
    func open(topic: String, _ receive: @escaping @Sendable (Doorbell) -> Void)

    /// Sends a doorbell to all other servers. It does not wait; what cannot be sent is dropped.
    func publish(_ doorbell: Doorbell)

    /// Ends after what was published is sent, or cannot be; it waits for that, for some seconds at most.
    func close()
}
