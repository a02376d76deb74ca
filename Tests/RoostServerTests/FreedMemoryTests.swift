import Foundation
import Testing

@testable import RoostServer

/// Memory that goes back to the system after a peak.
@Suite struct FreedMemoryTests {
    @Test func `a peak of connections has ended once half of them are gone, and each half of the rest ends one more`() {
        var peak = ConnectionPeak()
        let ends = [10, 5_000, 4_900, 2_501, 2_500, 2_499, 1_251, 1_250, 700, 625, 600, 0].map {
            peak.hasEnded(count: $0, most: $0)
        }
        #expect(ends == [false, false, false, false, true, false, false, true, false, true, false, false])
        #expect(
            [999, 0, 1_000, 501, 500].map { peak.hasEnded(count: $0, most: $0) } == [false, false, false, false, true])
        #expect([(0, 5_000), (0, 0), (10, 900)].map { peak.hasEnded(count: $0, most: $1) } == [true, false, false])
    }

    #if os(Linux)
        @Test func `what is free between what is used goes back`() throws {
            let (size, count) = (4_000, 20_000)
            var blocks: [UnsafeMutableRawPointer] = []
            for _ in 0..<count {
                let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
                blocks.append(block)
            }
            let kept = stride(from: 9, to: count, by: 10).map { blocks[$0] }
            for (index, block) in blocks.enumerated() where index % 10 != 9 { block.deallocate() }
            let before = try resident()
            #expect(FreedMemory.returnToSystem())
            let after = try resident()
            for block in kept { block.deallocate() }
            // Of 72 MB a page goes back only if nothing in it is used.
            #expect(before - after > 30_000_000, "\(before) bytes before, \(after) after")
        }

        /// The bytes of this process that are in memory.
        private func resident() throws -> Int {
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(pages[1])) * sysconf(Int32(_SC_PAGESIZE))
        }
    #endif
}
