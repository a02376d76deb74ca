/// The call of a notice about a call; the call itself does not go through Roost.
///
/// It is part of the messages `callReceived` (somebody is calling), `callCancelled` (the caller
/// gave up, or it was answered elsewhere) and `callRecorded` (a line for the list of calls).
public struct CallNotice: Codable, Hashable, Sendable {
    /// The app-defined id of the call, 1 to 64 of `A–Z a–z 0–9 _ . : -`: the notices of one call share it.
    public var callID: String
    /// What kind of call it is.
    public var kind: CallKind
    /// How the call ended; in `callRecorded` only.
    public var result: CallResult?
    /// The duration of the call, in ms, 0 or more; in `callRecorded` only.
    public var durationMs: Int64?

    /// Creates a value with these fields.
    public init(callID: String, kind: CallKind, result: CallResult? = nil, durationMs: Int64? = nil) {
        self.callID = callID
        self.kind = kind
        self.result = result
        self.durationMs = durationMs
    }
}

/// What kind of call it is. A name on the wire.
public enum CallKind: String, Codable, CaseIterable, Sendable {
    /// Voice only.
    case voice
    /// Voice and video.
    case video
}

/// How a call ended. A name on the wire.
public enum CallResult: String, Codable, CaseIterable, Sendable {
    /// Somebody answered it.
    case answered
    /// Nobody answered it.
    case missed
    /// It was declined.
    case declined
    /// The caller cancelled it.
    case cancelled
    /// The call could not be connected.
    case failed
}

extension CallNotice {
    /// Checks the fields for a message of this type.
    /// - Throws: `WireError` 6.
    func check(type: String) throws(WireError) {
        guard callID.isToken(most: 64, marks: "_.:-") else {
            throw WireError(
                .dataFormat, field: "callID", "\"callID\" must have 1 to 64 characters of A-Z a-z 0-9 _ . : -")
        }
        guard type == "callRecorded" || result == nil && durationMs == nil else {
            throw WireError(
                .dataFormat, field: result != nil ? "result" : "durationMs",
                "Only a message of the type \"callRecorded\" has a \"result\" and a \"durationMs\".")
        }
        if let durationMs, durationMs < 0 {
            throw WireError(.dataFormat, field: "durationMs", "\"durationMs\" cannot be negative.")
        }
    }
}
