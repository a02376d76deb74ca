import RoostWire

extension PushPayload {
    /// What `encode` makes of it; the least important parts are left out until it has at most so many bytes.
    func fitted(into most: Int, _ encode: (PushPayload) throws -> [UInt8]) throws -> [UInt8] {
        var payload = self
        var bytes = try encode(payload)
        let shortenings: [(inout PushPayload) -> Void] = [
            { $0.extras = nil }, { $0.text = nil }, { $0.locArgs = [] }, { $0.imageURL = nil }, { $0.body = "" },
        ]
        for shorten in shortenings where bytes.count > most {
            shorten(&payload)
            bytes = try encode(payload)
        }
        return bytes
    }
}
