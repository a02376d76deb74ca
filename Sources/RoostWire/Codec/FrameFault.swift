/// A frame that could not be read, with what to answer.
public struct FrameFault: Error, Sendable {
    /// The frame's id; nil if the frame is not a JSON object with one id of 1 to 64 bytes.
    public var id: String?
    /// The error to answer.
    public var error: WireError

    init(id: String?, error: WireError) {
        self.id = id
        self.error = error
    }
}

extension FrameFault {
    static let needsID = WireError(.dataFormat, "A frame needs an id: a string of 1 to 64 bytes.")
    static let needsCommand = WireError(.dataFormat, "A frame needs a cmd: the name of a command, as a string.")
    static let needsObject = WireError(.dataFormat, "The body of a command has to be a JSON object.")

    /// Whether a frame may have this id.
    static func isID(_ id: String) -> Bool { (1...64).contains(id.utf8.count) }

    /// Creates the fault of a frame for which the strict reader threw `fault`.
    ///
    /// Only the id tells the client which of its commands was refused, so the frame is read again, only for its id:
    /// JSON that this protocol does not accept is still JSON.
    init(of bytes: [UInt8], after fault: any Error) {
        do {
            guard let id = try Self.id(in: bytes) else {
                self.init(id: nil, error: Self.needsID)
                return
            }
            // The frame is JSON and its id a string, so only the cmd can be of the wrong kind.
            self.init(id: id, error: Self.refusal(of: fault) ?? Self.needsCommand)
        } catch {
            self.init(
                id: nil, error: WireError(.dataFormat, "The frame is not a JSON object with id, cmd and body."))
        }
    }

    /// The id in a frame; nil if there is none, more than one, or one that is not valid.
    /// - Throws: `JSONFault` if the frame is not a JSON object.
    private static func id(in bytes: [UInt8]) throws -> String? {
        var reader = JSONReader(bytes)
        reader.isLenient = true
        var ids: [Range<Int>] = []
        try reader.object { reader, key in
            let value = try reader.pass()
            if key == "id" { ids.append(value) }
        }
        try reader.finish()
        guard ids.count == 1 else { return nil }
        var value = JSONReader(bytes, in: ids[0])
        guard let id = try? value.string(), isID(id) else { return nil }
        return id
    }

    /// The error for JSON that this protocol does not accept; nil if it is not JSON.
    private static func refusal(of fault: any Error) -> WireError? {
        switch fault as? JSONFault {
        case .loneSurrogate:
            WireError(
                .invalidContent,
                "A text contains half a surrogate pair (a lone \\uD800 to \\uDFFF): part of a character was cut off.")
        case .duplicateKey: WireError(.dataFormat, "An object contains the same key twice.")
        case .tooComplex:
            WireError(
                .dataFormat,
                "The JSON has more than \(JSONReader.maximumDepth) levels, "
                    + "or an object with more than \(JSONReader.maximumKeys) keys.")
        case .syntax, nil: nil
        }
    }

    /// Checks the body of a command that comes without a frame by the same rules.
    /// - Throws: `WireError` 1001 for half a surrogate pair; 6 for anything else that is not a JSON object, or not one
    ///   that this protocol accepts.
    package static func check(body bytes: [UInt8]) throws(WireError) {
        var reader = JSONReader(bytes)
        let value: Range<Int>
        do {
            value = try reader.skip()
            try reader.finish()
        } catch {
            throw refusal(of: error) ?? WireError(.dataFormat, "The body is not JSON.")
        }
        guard reader.isObject(value) else { throw needsObject }
    }
}
