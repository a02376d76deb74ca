import Foundation
import RoostTesting
import RoostWire

/// The push notifications that a webhook has received, by the token of the device.
final class PushLog: Sendable {
    private let receiver: PushReceiver
    private let signal = ChangeSignal()
    private let folder: TemporaryFolder

    /// The options with which a server sends its notifications here.
    let options: [String]

    init() async throws {
        receiver = try await PushReceiver.start()
        folder = try TemporaryFolder()
        let path = folder.path + "/push.json"
        let secret = String(repeating: "0123456789abcdef", count: 2)
        let json = #"{"webhook": {"url": "\#(receiver.url)", "secret": "\#(secret)"}}"#
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(json.utf8), attributes: [.posixPermissions: 0o600])
        else { throw ExpectationFailure(description: "\(path) cannot be written") }
        options = ["--push", path]
        receiver.answer { [signal] _, _ in
            signal.notify()
            return .status(200)
        }
    }

    /// What was sent to a token so far; a notification that came twice counts once.
    func all(to token: String) throws -> [PushPayload] {
        try receiver.distinct.map { try WireCodec.decode(PushDelivery.self, from: $0.body) }
            .filter { $0.token == token }.map(\.roost)
    }

    /// The messages of which a token was notified so far.
    func messages(to token: String) throws -> [MessageID] { try all(to: token).compactMap(\.messageID) }

    /// Waits for the notification of a message.
    func push(of message: MessageID, to token: String) async throws -> PushPayload {
        while true {
            let count = signal.count
            let all = try all(to: token)
            if let push = all.first(where: { $0.messageID == message }) { return push }
            do {
                try await signal.wait(after: count)
            } catch {
                throw ExpectationFailure(description: "\(token) was not notified of \(message); \(all.count) others")
            }
        }
    }
}
