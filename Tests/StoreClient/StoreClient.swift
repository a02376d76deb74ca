import RoostClient
import RoostWire

#if canImport(Glibc)
    import Glibc
#endif

/// A client with its store in a file, in its own process, so that a test can kill it.
///
/// Its arguments are the server's address, a user id, a file, the number of the first
/// message, how many messages to send, and the channels to send them to in turn.
/// It reports what happens, a line at a time: `opening`, `opened`, `live`, `commit`
/// for each commit of the store, `kept N` once message N is on disk, and
/// `refused CODE` at the end if something was refused. It exits when the queue
/// is empty.
@main
enum StoreClient {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            printLine("refused \(error.code)")
            exit(1)
        }
    }

    /// Writes a line immediately, even into a pipe.
    private static func printLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// Reports the changes of every commit.
    private static func report(_ changes: LocalChanges) async {
        var kept: Set<Int> = []
        for await change in changes {
            printLine("commit")
            for queued in change.queue.values.joined() {
                if let number = Int(queued.message.text), kept.insert(number).inserted { printLine("kept \(number)") }
            }
            if change.state == .live { printLine("live") }
        }
    }

    private static func run(_ arguments: [String]) async throws(RoostError) {
        let channels = arguments.dropFirst(5).compactMap(ChannelID.init(rawValue:))
        guard arguments.count > 5, let user = UserID(rawValue: arguments[1]), let first = Int(arguments[3]),
            let count = Int(arguments[4]), let device = DeviceID(rawValue: "phone"), !channels.isEmpty
        else { throw RoostError(.invalidConfiguration, "SERVER USER FILE FIRST COUNT CHANNEL...") }
        printLine("opening")
        let store = try await LocalStore.open(arguments[2])
        printLine("opened")
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
        let reporting = Task { await report(changes) }
        do {
            try await connecting.value
        } catch {
            throw error as? RoostError ?? RoostError(.disconnected, "The client could not connect.")
        }
        for message in pending { _ = try await message.sent }
        // Messages that an earlier run left in the queue are sent, too.
        if try await !store.queue().isEmpty {
            for await _ in later {
                if try await store.queue().isEmpty { break }
            }
        }
        reporting.cancel()
        await client.disconnect()
        try store.close()
        printLine("done")
    }
}
