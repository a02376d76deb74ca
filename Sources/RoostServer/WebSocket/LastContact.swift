import NIOCore

/// When a client was last heard, and whether it has said goodbye.
///
/// A connected device is not a device that was reached: a phone in a lift takes what is written to its socket, and reads
/// none of it. What was sent after the last sign of life is pushed when the session ends, unless the client closed it.
struct LastContact {
    private var heardAt = NIODeadline.now()
    private var hasSaidGoodbye = false

    /// Notes that a frame has arrived.
    mutating func heard(_ frame: WebSocketSession.Frame) {
        heardAt = .now()
        if frame.opcode == 8 { hasSaidGoodbye = true }
    }

    /// Notes that the client has closed the connection after the server's close frame.
    mutating func followed() { hasSaidGoodbye = true }

    /// How long the client has been silent, in ms; nil if it has said goodbye.
    var silentMs: Int64? { hasSaidGoodbye ? nil : (.now() - heardAt).nanoseconds / 1_000_000 }
}
