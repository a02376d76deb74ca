import RoostClient
import RoostWire

#if canImport(Glibc)
    import Glibc
#endif

/// A client with its store in a file, in a process of its own: something to kill.
///
/// It takes the server's address, a user id, a file, the number of the first
/// message, how many messages to send, and the channels to send them to in turn.
/// It says what happens, a line at a time: `opening`, `opened`, `live`, `commit`
/// for each commit of the store, `kept N` once message N is on its disk, and
/// `refused CODE` at its end when something was. It ends when the queue is empty.
@main
enum StoreClient {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            say("refused \(error.code)")
            exit(1)
        }
    }

    /// A line at once, even into a pipe.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// Says what every commit has brought.
    private static func tell(_ changes: LocalChanges) async {
        var kept: Set<Int> = []
        for await change in changes {
            say("commit")
            for queued in change.queue.values.joined() {
                if let number = Int(queued.message.text), kept.insert(number).inserted { say("kept \(number)") }
            }
            if change.state == .live { say("live") }
        }
    }

    private static func run(_ arguments: [String]) async throws(RoostError) {
        let channels = arguments.dropFirst(5).compactMap(ChannelID.init(rawValue:))
        guard arguments.count > 5, let user = UserID(rawValue: arguments[1]), let first = Int(arguments[3]),
            let count = Int(arguments[4]), let device = DeviceID(rawValue: "phone"), !channels.isEmpty
        else { throw RoostError(.invalidConfiguration, "SERVER USER FILE FIRST COUNT CHANNEL...") }
        say("opening")
        let store = try await LocalStore.open(arguments[2])
        say("opened")
        var configuration = ClientConfiguration(server: arguments[0], credentials: .guest(user), deviceID: device)
        configuration.store = store
        configuration.keepsTryingToConnect = true
        let client = ChatClient(configuration: configuration)
        let changes = client.changes()
        let later = client.changes()
        let connecting = Task { try await client.connect() }
        var pending: [PendingMessage] = []
        for number in first..<(first + count) {
            guard let transID = TransID(rawValue: "\(user.rawValue)-\(number)") else { continue }
            pending.append(
                client.channel(channels[number % channels.count]).enqueue("\(number)", transID: transID))
        }
        let telling = Task { await tell(changes) }
        do {
            try await connecting.value
        } catch {
            throw error as? RoostError ?? RoostError(.disconnected, "The client could not connect.")
        }
        for message in pending { _ = try await message.sent }
        // What an earlier life left in the queue goes out, too.
        if try await !store.queue().isEmpty {
            for await _ in later {
                if try await store.queue().isEmpty { break }
            }
        }
        telling.cancel()
        await client.disconnect()
        try store.close()
        say("done")
    }
}
