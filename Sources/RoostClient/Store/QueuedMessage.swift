public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message of this user in the send queue: its row in the channel's log is not stored yet.
///
/// It is on this device's disk, so it survives the end of the process. It leaves the queue
/// in the commit that stores its row.
public struct QueuedMessage: Hashable, Sendable, Identifiable {
    /// The state of a message in the queue.
    public enum State: Hashable, Sendable {
        /// Waiting for the connection, for earlier messages, or for its answer.
        case sending
        /// On the server's disk as this row, which has not arrived yet.
        case sent(seq: Int64)
        /// Refused or timed out. It stays until it is retried or discarded.
        case failed(RoostError)
    }

    /// The transID of the send; retrying keeps it.
    public let transID: TransID
    /// The message, with all its fields.
    public let message: SendMessage
    /// When it was written, by this device's clock. To show, not to sort by.
    public let createdAt: Date
    /// Its order in the queue; a larger one is sent later.
    public let order: Int64
    /// Its state.
    public let state: State
    /// The file to upload first; nil if there is none, or if it is uploaded.
    public let upload: LocalFile?

    /// The transID of the send.
    public var id: TransID { transID }

    /// Creates a message of the queue.
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
