public import RoostWire
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something to do with a file, for ``ChatClient/transfers(_:)``.
public enum FileAction: Hashable, Sendable {
    /// Upload a file of this device.
    case upload(LocalFile)
    /// Download a file to a path, or into the cache.
    case download(FileReference, to: String? = nil)
    /// Ask for a link with which a file can be downloaded without a token.
    case link(FileID)
    /// Delete an own file that no message uses.
    case delete(FileID)
}

/// How far one of several actions is.
public struct FileTransfer: Hashable, Sendable, Identifiable {
    /// The state of an action.
    public enum State: Hashable, Sendable {
        /// It has not begun.
        case waiting
        /// So many bytes are uploaded.
        case uploading(TransferProgress)
        /// So many bytes are downloaded.
        case downloading(TransferProgress)
        /// The file is on the server.
        case uploaded(FileReference)
        /// The file is at this path.
        case downloaded(path: String)
        /// The path and query on the server, and when the link expires.
        case linked(String, expiresAt: Date)
        /// The file is deleted.
        case deleted
        /// It came to nothing; the other actions go on.
        case failed(RoostError)
        /// It was cancelled.
        case cancelled

        /// Whether no other state follows.
        public var isFinal: Bool {
            switch self {
            case .waiting, .uploading, .downloading: false
            case .uploaded, .downloaded, .linked, .deleted, .failed, .cancelled: true
            }
        }
    }

    /// The place of the action among those that were given, from 0.
    public let id: Int
    /// The action.
    public let action: FileAction
    /// How far it is.
    public let state: State
}

/// Several actions with files, as ``ChatClient/transfers(_:)`` begins them. For one reader.
///
/// It gives the states of all actions as they change, and ends once each action has its final state.
public struct FileTransfers: AsyncSequence, Sendable {
    /// The new state of an action.
    public typealias Element = FileTransfer
    /// It never throws.
    public typealias Failure = Never

    fileprivate let run: TransferRun
    fileprivate let updates: AsyncStream<FileTransfer>

    /// Cancels one action; the others go on. One that is finished stays as it is.
    public func cancel(_ id: Int) { run.cancel(id) }

    /// Waits for the end, and returns the final state of each action, in the order in which they were given.
    public func results() async -> [FileTransfer] {
        for await _ in updates {}
        return run.states
    }

    /// Starts to read.
    public func makeAsyncIterator() -> AsyncStream<FileTransfer>.Iterator { updates.makeAsyncIterator() }
}

extension ChatClient {
    /// Begins several actions with files, three at a time, in their order. One that fails does not end the others.
    ///
    /// ```swift
    /// let transfers = client.transfers([.download(photo), .download(thumbnail), .upload(film)])
    /// for await transfer in transfers { print(transfer.id, transfer.state) }
    /// ```
    ///
    /// Read the sequence: when it is dropped before its end, or the task that reads it is cancelled, the actions that are
    /// not finished are cancelled. What each action does, and its errors, is described at
    /// ``upload(_:as:progress:)``, ``download(_:to:progress:)``, ``files(_:)`` and ``deleteFile(_:transID:)``.
    public func transfers(_ actions: [FileAction]) -> FileTransfers {
        let (updates, continuation) = AsyncStream.makeStream(of: FileTransfer.self)
        let run = TransferRun(actions, continuation)
        let task = Task { await run.perform(with: self) }
        continuation.onTermination = { _ in task.cancel() }
        return FileTransfers(run: run, updates: updates)
    }
}

/// The state of several actions.
private final class TransferRun: Sendable {
    private struct Entry {
        var transfer: FileTransfer
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let entries: Mutex<[Entry]>
    private let next = Atomic<Int>(0)
    private let updates: AsyncStream<FileTransfer>.Continuation

    init(_ actions: [FileAction], _ updates: AsyncStream<FileTransfer>.Continuation) {
        let transfers = actions.enumerated().map { FileTransfer(id: $0.offset, action: $0.element, state: .waiting) }
        entries = Mutex(transfers.map { Entry(transfer: $0) })
        self.updates = updates
        for transfer in transfers { updates.yield(transfer) }
    }

    var states: [FileTransfer] { entries.withLock { $0.map(\.transfer) } }

    func cancel(_ id: Int) {
        let task = entries.withLock { entries -> Task<Void, Never>? in
            guard entries.indices.contains(id) else { return nil }
            entries[id].isCancelled = true
            return entries[id].task
        }
        task?.cancel()
    }

    func perform(with client: ChatClient) async {
        let actions = states.map(\.action)
        await withDiscardingTaskGroup { workers in
            for _ in 0..<min(3, actions.count) {
                workers.addTask { [self] in
                    while true {
                        let id = next.add(1, ordering: .relaxed).oldValue
                        guard id < actions.count else { return }
                        await perform(actions[id], id, with: client)
                    }
                }
            }
        }
        updates.finish()
    }

    private func perform(_ action: FileAction, _ id: Int, with client: ChatClient) async {
        let task = Task {
            do throws(RoostError) {
                set(id, try await result(of: action, id, with: client))
            } catch {
                set(id, error.code == .cancelled ? .cancelled : .failed(error))
            }
        }
        let isCancelled = entries.withLock { entries in
            entries[id].task = task
            return entries[id].isCancelled
        }
        if isCancelled { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func result(
        of action: FileAction, _ id: Int, with client: ChatClient
    ) async throws(RoostError) -> FileTransfer.State {
        guard !Task.isCancelled else { return .cancelled }
        switch action {
        case .upload(let file):
            return .uploaded(try await client.upload(file) { [self] in set(id, .uploading($0)) })
        case .download(let file, let path):
            return .downloaded(
                path: try await client.download(file, to: path) { [self] in set(id, .downloading($0)) })
        case .link(let file):
            guard let stored = try await client.files([file]).first else {
                throw RoostError(wire: WireError(.noPrivilege, "There is no such file, or you may not read it."))
            }
            return .linked(stored.link, expiresAt: stored.linkExpiresAt)
        case .delete(let file):
            try await client.deleteFile(file)
            return .deleted
        }
    }

    private func set(_ id: Int, _ state: FileTransfer.State) {
        let transfer = entries.withLock { entries -> FileTransfer? in
            guard !entries[id].transfer.state.isFinal else { return nil }
            let transfer = FileTransfer(id: id, action: entries[id].transfer.action, state: state)
            entries[id].transfer = transfer
            return transfer
        }
        if let transfer { updates.yield(transfer) }
    }
}
