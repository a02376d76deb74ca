public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An own message in the send queue: not in the channel's log yet, or not known to be.
///
/// It is on this device's disk, so it outlives the process. It leaves the queue
/// in the same moment in which its row of the log is stored.
public struct QueuedMessage: Hashable, Sendable, Identifiable {
    /// How far a message in the queue has come.
    public enum State: Hashable, Sendable {
        /// Waiting for the connection, for those before it, or for its answer.
        case sending
        /// On the server's disk as this row; the row itself is still to come.
        case sent(seq: Int64)
        /// Refused or given up. It stays until it is retried or discarded.
        case failed(RoostError)
    }

    /// The key of the send; retrying keeps it.
    public let transID: TransID
    /// What is sent, with all its fields.
    public let message: SendMessage
    /// When it was written, by this device's clock. For people, never for order.
    public let createdAt: Date
    /// Its place among the messages in the queue; a larger one is sent later.
    public let order: Int64
    /// How far it has come.
    public let state: State
    /// The file that is uploaded first; nil when there is none, or it is uploaded.
    public let upload: LocalFile?

    /// The key of the send.
    public var id: TransID { transID }

    /// Makes a message of the queue.
    public init(
        transID: TransID, message: SendMessage, createdAt: Date, order: Int64, state: State, upload: LocalFile? = nil
    ) {
        self.transID = transID
        self.message = message
        self.createdAt = createdAt
        self.order = order
        self.state = state
        self.upload = upload
    }
}
