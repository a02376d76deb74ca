/// A frame from the client: `{"id","cmd","body"}`.
///
/// `id` is the transID where the command changes something, and any string of 1
/// to 64 bytes otherwise; the answer carries it back.
public struct ClientFrame: Hashable, Sendable {
    /// The id that the answer carries back.
    public var id: String
    /// The command.
    public var command: AnyCommand

    /// Makes a frame.
    public init(id: String, command: AnyCommand) {
        self.id = id
        self.command = command
    }
}

/// A frame from the server.
public enum ServerFrame: Sendable {
    /// A command was accepted: `{"id","result"}`; the result is the raw JSON of the command's answer.
    case result(id: String, body: [UInt8])
    /// A command was refused: `{"id","error"}`; without an id when the frame could not be read.
    case failure(id: String?, error: WireError)
    /// Something happened: `{"event",…}`.
    case event(Event)
}
