/// A frame from the client: `{"id","cmd","body"}`.
///
/// `id` is the transID if the command changes stored state, and any string of 1
/// to 64 bytes otherwise. The answer has the same id.
public struct ClientFrame: Hashable, Sendable {
    /// The id of the frame, repeated in the answer.
    public var id: String
    /// The command.
    public var command: AnyCommand

    /// Creates a frame.
    public init(id: String, command: AnyCommand) {
        self.id = id
        self.command = command
    }
}

/// A frame from the server.
public enum ServerFrame: Sendable {
    /// A command was accepted: `{"id","result"}`; the result is the raw JSON of the command's answer.
    case result(id: String, body: [UInt8])
    /// A command was refused: `{"id","error"}`; without an id if the frame could not be read.
    case failure(id: String?, error: WireError)
    /// Something happened: `{"event",…}`.
    case event(Event)
}
