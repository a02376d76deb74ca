package import RoostClient
import RoostWire

extension ChannelHandle {
    /// Reports to the server that this user is typing or has stopped, and waits for its answer.
    package func typing(_ isTyping: Bool) async throws(RoostError) {
        if isTyping {
            _ = try await client.perform(StartTyping(channel: id))
        } else {
            _ = try await client.perform(EndTyping(channel: id))
        }
    }
}
