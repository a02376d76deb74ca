import RoostCore
import RoostWire

/// Relays messages without core and store: the baseline for benchmarks.
///
/// Confined to the event loop of its hub.
final class Relay {
    private var seqs: [ChannelID: Int64] = [:]

    /// The answer to a send, and the event for the participants of its channel.
    func deliveries(of send: SendMessage, id: String, from actor: Actor) throws -> [Delivery] {
        guard let session = actor.session, let transID = TransID(rawValue: id) else { return [] }
        let seq = seqs[send.channel, default: 0] + 1
        seqs[send.channel] = seq
        let messageID = MessageID(sentAt: 0, seq: seq, salt: 0)
        let message = Message(
            messageID: messageID, content: MessageContent(.text, text: send.text), senderName: actor.user.name,
            count: seq)
        let event = Event(
            channel: send.channel, seq: seq, senderID: actor.user.userID, transID: transID,
            sentAt: .init(milliseconds: 0), body: .channel(.messageSent(message)))
        let acknowledgement = Acknowledgement(
            channel: send.channel, seq: seq, messageID: messageID, transID: transID, sentAt: .init(milliseconds: 0))
        return [
            .reply(session, id: id, .accepted(WireCodec.encode(acknowledgement))),
            .event(try WireCodec.encode(event), to: .channel(send.channel)),
        ]
    }
}
