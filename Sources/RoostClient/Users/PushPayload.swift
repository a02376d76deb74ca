import Foundation
public import RoostWire

extension PushPayload {
    /// Reads the payload of a notification as the app got it, for a notification extension: it needs no connection.
    ///
    /// - Parameter json: the notification's `userInfo` or data as JSON, or only what is under its key `roost`.
    /// - Throws: `.dataFormat` if it is no payload of this server.
    public init(json: [UInt8]) throws(RoostError) {
        do {
            struct Notification: Decodable { var roost: PushPayload }
            if let whole = try? WireCodec.decode(Notification.self, from: json) {
                self = whole.roost
            } else {
                self = try WireCodec.decode(PushPayload.self, from: json)
            }
        } catch {
            throw RoostError(wire: WireError(.dataFormat, "This is not a push notification of Roost."))
        }
    }

    /// Reads the payload of a notification as Apple's frameworks hand it to an app: `request.content.userInfo`.
    ///
    /// - Throws: `.dataFormat` if it is no payload of this server.
    public init(userInfo: [AnyHashable: Any]) throws(RoostError) {
        guard let value = userInfo["roost"], JSONSerialization.isValidJSONObject(value),
            let data = try? JSONSerialization.data(withJSONObject: value)
        else { throw RoostError(wire: WireError(.dataFormat, "This is not a push notification of Roost.")) }
        try self.init(json: Array(data))
    }
}
