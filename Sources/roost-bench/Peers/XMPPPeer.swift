import Foundation

/// XMPP without TLS: each user logs in anonymously and is reached at the address assigned by the server.
struct XMPPPeer: PeerDialect {
    private enum Phase {
        case greeting, authenticating, binding, asking, live
    }

    let number: Int
    private var phase = Phase.greeting
    private var address = ""

    private static let room = "room@conference.localhost"
    private static let stream =
        "<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams'>"

    init(number: Int) { self.number = number }

    func hello() -> [UInt8] { Array(Self.stream.utf8) }

    mutating func next(_ input: inout PeerInput, _ output: inout [UInt8]) throws -> PeerEvent? {
        switch phase {
        case .greeting:
            guard let features = input.read(through: "</stream:features>") else { return nil }
            if features.contains("urn:ietf:params:xml:ns:xmpp-bind") {
                output += "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>".utf8
                phase = .binding
            } else {
                output += "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>".utf8
                phase = .authenticating
            }
            return .other
        case .authenticating:
            guard let answer = input.read(through: "/>", "</failure>") else { return nil }
            guard answer.contains("<success") else { throw BenchFailure(description: "No login: \(answer)") }
            output += Self.stream.utf8
            phase = .greeting
            return .other
        case .binding:
            guard let answer = input.read(through: "</iq>") else { return nil }
            guard let jid = answer.between("<jid>", "</jid>") else {
                throw BenchFailure(description: "No address: \(answer)")
            }
            address = jid
            // The answer to this ping shows that everything before it has been processed.
            output += "<presence/><iq type='get' id='p' to='localhost'><ping xmlns='urn:xmpp:ping'/></iq>".utf8
            phase = .asking
            return .other
        case .asking:
            guard let answer = input.read(through: "</iq>", "</presence>", "/>") else { return nil }
            guard answer.contains("<iq") else { return .other }
            phase = .live
            return .ready(address)
        case .live:
            // Other stanzas such as <iq> are skipped together with the next message.
            guard let stanza = input.read(through: "</message>", "</presence>") else { return nil }
            guard !stanza.contains("type='error'") else { throw BenchFailure(description: "Refused: \(stanza)") }
            if stanza.hasSuffix("</presence>") { return stanza.contains("code='110'") ? .joined : .other }
            return stanza.between("<body>", "</body>").map { .received($0) } ?? .other
        }
    }

    func meet(_ address: String) -> [UInt8]? { nil }

    func join() -> [UInt8] {
        Array(
            """
            <presence to='\(Self.room)/n\(number)'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x>\
            </presence>
            """.utf8)
    }

    func send(_ text: String, to address: String?) -> [UInt8] {
        let kind = address == nil ? "groupchat" : "chat"
        return Array("<message type='\(kind)' to='\(address ?? Self.room)'><body>\(text)</body></message>".utf8)
    }
}
