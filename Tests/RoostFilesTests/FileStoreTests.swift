import Foundation
import NIOCore
import RoostFiles
import RoostTesting
import Synchronization
import Testing

/// What every storage does.
@Suite(.timeLimit(.minutes(1))) struct FileStoreTests {
    private let text = Data("The quick brown fox".utf8)

    @Test(arguments: Driver.allCases) func `what was stored is read whole`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        try await test.store(text, as: "abc1")
        #expect(try await test.read("abc1", 0..<19) == text)
    }

    @Test(arguments: Driver.allCases)
    func `ranges at the edges have exactly their bytes`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        try await test.store(text, as: "abc1")
        #expect(try await test.read("abc1", 0..<1) == Data("T".utf8))
        #expect(try await test.read("abc1", 18..<19) == Data("x".utf8))
        #expect(try await test.read("abc1", 4..<9) == Data("quick".utf8))
        #expect(try await test.read("abc1", 19..<19).isEmpty)
        #expect(try await failure { _ = try await test.read("abc1", 10..<20) }?.kind == .unavailable)
        #expect(try await failure { _ = try await test.read("abc1", 19..<20) }?.kind == .unavailable)
    }

    @Test(arguments: Driver.allCases) func `the size of what is stored is known, and of nothing else`(
        driver: Driver
    ) async throws {
        let test = try await StoreUnderTest(driver)
        try await test.store(text, as: "abc1")
        try await test.store(Data(), as: "abc2")
        #expect(try await test.store.size(of: "abc1") == 19)
        #expect(try await test.store.size(of: "abc2") == 0)
        #expect(try await test.store.size(of: "abc3") == nil)
    }

    @Test(arguments: Driver.allCases) func `an empty file is stored and listed`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        try await test.store(Data(), as: "abc1")
        #expect(try await test.read("abc1", 0..<0).isEmpty)
        #expect(try await test.store.keys(after: "", limit: 10, storedBefore: .max) == ["abc1"])
    }

    @Test(arguments: Driver.allCases)
    func `a file of 20 MB is read as it was stored, whole and across the borders of its parts`(
        driver: Driver
    ) async throws {
        let test = try await StoreUnderTest(driver)
        let bytes = StoreUnderTest.bytes(20_000_000)
        try await test.store(bytes, as: "abc1")
        #expect(try await test.read("abc1", 0..<20_000_000) == bytes)
        let part: Range<Int64> = (8 << 20) - 3..<(16 << 20) + 3
        #expect(try await test.read("abc1", part) == bytes[Int(part.lowerBound)..<Int(part.upperBound)])
    }

    @Test(arguments: Driver.allCases)
    func `a file of 16 MiB, the largest in one piece, is stored whole`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        let bytes = StoreUnderTest.bytes(16 << 20)
        try await test.store(bytes, as: "abc1")
        #expect(try await test.read("abc1", 0..<16 << 20) == bytes)
    }

    @Test(arguments: Driver.allCases) func `reading what is not there says so`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        #expect(try await failure { _ = try await test.read("abc1", 0..<10) }?.kind == .missing)
    }

    @Test(arguments: Driver.allCases) func `bytes can be deleted twice`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        try await test.store(text, as: "abc1")
        try await test.store.delete("abc1")
        try await test.store.delete("abc1")
        #expect(try await failure { _ = try await test.read("abc1", 0..<19) }?.kind == .missing)
        #expect(try await test.store.keys(after: "", limit: 10, storedBefore: .max) == [])
    }

    @Test(arguments: Driver.allCases)
    func `keys come in order, after a key, with a limit and before a time`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        for key in ["bb2", "aa1", "cc3", "aa0"] { try await test.store(text, as: key) }
        let store = test.store
        #expect(try await store.keys(after: "", limit: 10, storedBefore: .max) == ["aa0", "aa1", "bb2", "cc3"])
        #expect(try await store.keys(after: "", limit: 2, storedBefore: .max) == ["aa0", "aa1"])
        #expect(try await store.keys(after: "aa1", limit: 1, storedBefore: .max) == ["bb2"])
        #expect(try await store.keys(after: "b", limit: 10, storedBefore: .max) == ["bb2", "cc3"])
        #expect(try await store.keys(after: "cc3", limit: 10, storedBefore: .max) == [])
        #expect(try await store.keys(after: "", limit: 10, storedBefore: 1) == [])
    }

    @Test(arguments: Driver.allCases)
    func `the same key can be stored twice at the same time`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        async let first: Void = test.store(text, as: "abc1")
        async let second: Void = test.store(text, as: "abc1")
        _ = try await (first, second)
        #expect(try await test.read("abc1", 0..<19) == text)
        #expect(try await test.store.keys(after: "", limit: 10, storedBefore: .max) == ["abc1"])
    }

    @Test(arguments: Driver.allCases)
    func `a file that cannot be stored leaves nothing behind`(driver: Driver) async throws {
        let test = try await StoreUnderTest(driver)
        let error = try await failure {
            try await test.store.store(fileAt: test.folder.path + "/none", size: 19, as: "abc1")
        }
        #expect(error?.kind == .missing)
        #expect(try await failure { _ = try await test.read("abc1", 0..<19) }?.kind == .missing)
        #expect(try await test.store.keys(after: "", limit: 10, storedBefore: .max) == [])
    }

    @Test(arguments: Driver.allCases)
    func `a reader gets one chunk at a time, and its error ends the reading`(driver: Driver) async throws {
        struct Enough: Error {}
        let test = try await StoreUnderTest(driver)
        try await test.store(StoreUnderTest.bytes(3_000_000), as: "abc1")
        let calls = Mutex((running: 0, most: 0, sum: 0))
        await #expect(throws: Enough.self) {
            try await test.store.read("abc1", in: 0..<3_000_000) { chunk in
                let sum = calls.withLock { calls in
                    calls.running += 1
                    calls.most = max(calls.most, calls.running)
                    calls.sum += chunk.readableBytes
                    return calls.sum
                }
                await Task.yield()
                calls.withLock { $0.running -= 1 }
                if sum > 1_000_000 { throw Enough() }
            }
        }
        let (most, sum) = calls.withLock { ($0.most, $0.sum) }
        #expect(most == 1 && sum > 1_000_000 && sum < 3_000_000)
    }
}
