#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The only JSON configuration of the package: UTF-8, keys as in Swift, no key instead of null, times as ms since 1970.
///
/// The frames of a message (`message.send`, its acknowledgement, the event) have
/// a hand-written codec, five to seven times as fast; a property test holds it
/// equal to `Codable`.
public enum WireCodec {
    /// Writes any value of the protocol.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Writes any value with sorted keys: the form that fixtures and hashes use.
    public static func encodeSorted(_ value: some Encodable, pretty: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty
            ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Reads any value of the protocol.
    public static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    /// Reads a frame from a client.
    /// - Throws: `FrameFault` with the frame's id, if it is a JSON object that has one, and the error to answer.
    public static func decodeClientFrame(_ bytes: [UInt8]) throws(FrameFault) -> ClientFrame {
        var id: String?
        var name: String?
        var body: Range<Int>?
        var reader = JSONReader(bytes)
        do {
            try reader.object { reader, key in
                switch key {
                case "id": id = try reader.string()
                case "cmd": name = try reader.null() ? nil : try reader.string()
                case "body":
                    let value = try reader.skip()
                    body = reader.isNull(value) ? nil : value
                default: try reader.skip()
                }
            }
            try reader.finish()
        } catch {
            throw FrameFault(of: bytes, after: error)
        }
        guard let id, FrameFault.isID(id) else { throw FrameFault(id: nil, error: FrameFault.needsID) }
        guard let name else { throw FrameFault(id: id, error: FrameFault.needsCommand) }
        if let body, !reader.isObject(body) { throw FrameFault(id: id, error: FrameFault.needsObject) }
        do {
            if name == SendMessage.name, let body, let fast = sendMessage(JSONReader(bytes, in: body)) {
                return ClientFrame(id: id, command: .write(.sendMessage(fast)))
            }
            if name == Resume.name, let body, let fast = resume(JSONReader(bytes, in: body)) {
                return ClientFrame(id: id, command: .read(.resume(fast)))
            }
            let json = body.map { reader.slice($0) } ?? Array("{}".utf8)
            return ClientFrame(id: id, command: try AnyCommand(name: name, body: json))
        } catch let error {
            throw FrameFault(id: id, error: error)
        }
    }

    /// Writes a frame for a server.
    public static func encodeClientFrame(_ frame: ClientFrame) throws -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("id")
        writer.string(frame.id)
        writer.key("cmd")
        writer.string(frame.command.name)
        writer.key("body")
        if case .write(.sendMessage(let send)) = frame.command {
            try write(send, to: &writer)
        } else {
            writer.splice(try encode(frame.command.value))
        }
        writer.close("}")
        return writer.bytes
    }

    /// Writes `{"id","result"}` around an answer that is JSON already.
    public static func encodeResult(id: String, body: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: body.count + id.utf8.count + 32)
        writer.open("{")
        writer.key("id")
        writer.string(id)
        writer.key("result")
        writer.splice(body)
        writer.close("}")
        return writer.bytes
    }

    /// Writes `{"id","error"}`; without an id when the frame had none.
    public static func encodeFailure(id: String?, error: WireError) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        if let id {
            writer.key("id")
            writer.string(id)
        }
        writer.key("error")
        writer.splice(encodeError(error))
        writer.close("}")
        return writer.bytes
    }

    /// Writes an error as a JSON object.
    public static func encodeError(_ error: WireError) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("code")
        writer.int(Int64(error.code))
        writer.key("name")
        writer.string(error.name)
        writer.key("message")
        writer.string(error.message)
        if let field = error.field {
            writer.key("field")
            writer.string(field)
        }
        writer.key("retryable")
        writer.bool(error.retryable)
        if let wait = error.retryAfterMs {
            writer.key("retryAfterMs")
            writer.int(Int64(wait))
        }
        writer.close("}")
        return writer.bytes
    }

    /// Reads a frame from a server.
    public static func decodeServerFrame(_ bytes: [UInt8]) throws -> ServerFrame {
        var id: String?
        var result: Range<Int>?
        var error: Range<Int>?
        var isEvent = false
        var reader = JSONReader(bytes)
        try reader.object { reader, key in
            switch key {
            case "id": id = try reader.string()
            case "result": result = try reader.skip()
            case "error": error = try reader.skip()
            case "event":
                isEvent = true
                try reader.skip()
            default: try reader.skip()
            }
        }
        try reader.finish()
        if isEvent { return .event(try decodeEvent(bytes)) }
        if let error { return .failure(id: id, error: try decode(WireError.self, from: reader.slice(error))) }
        guard let id, let result else { throw JSONFault.syntax(at: 0) }
        return .result(id: id, body: reader.slice(result))
    }
}
