import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Several actions with files at a time.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct ActionsTests {
    @Test func `each action has states of its own, and one that fails ends no other [L-75 L-76 LR-32 EN-7]`()
        async throws
    {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann).client
        let film = try TransferFile.make("film.bin", bytes: 5_000_000, in: harness.folder)
        let photo = try TransferFile.jpeg(in: harness.folder)
        let uploads = await ann.transfers([
            .upload(LocalFile(path: film)), .upload(LocalFile(path: "/none.bin")), .upload(LocalFile(path: photo)),
        ]).results()
        guard uploads.count == 3, case .uploaded(let large) = uploads[0].state,
            case .failed(let error) = uploads[1].state, case .uploaded(let small) = uploads[2].state
        else {
            Issue.record("\(uploads.map(\.state))")
            return
        }
        #expect(error.code == .fileFailed)
        let target = harness.folder.path + "/copy.bin"
        var states: [Int: [FileTransfer.State]] = [:]
        for await transfer in ann.transfers([
            .download(large, to: target), .download(FileReference(fileID: "none")), .link(large.fileID),
            .delete(small.fileID),
        ]) {
            states[transfer.id, default: []].append(transfer.state)
        }
        #expect(try TransferFile.bytes(target) == TransferFile.bytes(film))
        let bytes = (states[0] ?? []).compactMap { state in
            if case .downloading(let progress) = state { progress.completedBytes } else { nil }
        }
        #expect(bytes.first == 0 && bytes.last == 5_000_000)
        #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(states[0]?.first == .waiting && states[0]?.last == .downloaded(path: target))
        guard case .failed(let refusal) = states[1]?.last else {
            Issue.record("a file that does not exist was downloaded")
            return
        }
        #expect(refusal.code == .server(.noPrivilege))
        guard case .linked(let link, expiresAt: let end) = states[2]?.last else {
            Issue.record("there is no link")
            return
        }
        #expect(link.hasPrefix("/v1/files/\(large.fileID)?") && end > Date())
        #expect(states[3]?.last == .deleted)
        await ann.disconnect()
    }

    @Test func `one of several actions is cancelled [L-X5]`() async throws {
        let harness = try await ServerHarness()
        let proxy = try await FaultProxy.start(
            to: harness.port, seed: SeededNumbers.seed, profile: FaultProfile { $0.bytesPerSecond = 2_000_000 })
        let ann = try RecordingClient(proxy.url(), .guest(Cast.ann.userID), device: "a", positions: nil)
        try await ann.connect()
        let film = try TransferFile.make("film.bin", bytes: 20_000_000, in: harness.folder)
        let photo = try TransferFile.jpeg(in: harness.folder)
        let transfers = ann.client.transfers([.upload(LocalFile(path: film)), .upload(LocalFile(path: photo))])
        var last: [Int: FileTransfer.State] = [:]
        for await transfer in transfers {
            last[transfer.id] = transfer.state
            if case .uploading(let progress) = transfer.state, transfer.id == 0, progress.completedBytes > 0 {
                transfers.cancel(0)
            }
        }
        #expect(last[0] == .cancelled)
        guard case .uploaded = last[1] else {
            Issue.record("the other one was uploaded: \(String(describing: last[1]))")
            return
        }
        await ann.client.disconnect()
        try await proxy.stop()
    }
}
