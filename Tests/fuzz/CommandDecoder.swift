/// Fuzzes the decoder of commands with libFuzzer: it must return for all bytes, and never trap.
///
/// Run it with `dev/fuzz`. It is compiled together with the sources of RoostWire.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCommandDecoder(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let frame = try? WireCodec.decodeClientFrame(bytes) {
        // A decoded command must be the same after encoding and decoding.
        guard let again = try? WireCodec.encodeClientFrame(frame), let second = try? WireCodec.decodeClientFrame(again),
            second == frame
        else { preconditionFailure("A frame that was read is not read again from what was written.") }
    }
    _ = try? WireCodec.decodeServerFrame(bytes)
    if let text = String(validating: bytes, as: UTF8.self) {
        _ = try? TextRules.check(text, limits: Limits())
        _ = ChannelID(rawValue: text)
        _ = UserID(rawValue: text)
    }
    return 0
}
