import RoostFiles
import Testing

@Suite struct BlurHashTests {
    private func encode(
        _ width: Int, _ height: Int, columns: Int = 4, rows: Int = 3, _ colour: (Int, Int) -> (Int, Int, Int)
    ) -> String? {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = colour(x, y)
                bytes += [red, green, blue].map { UInt8($0) }
            }
        }
        return BlurHash.encode(width: width, height: height, rgb: bytes, columns: columns, rows: rows)
    }

    // Computed from the definition by another program.
    @Test func `a picture has the hash of the definition`() {
        #expect(encode(32, 32) { ($0 * 8, $1 * 8, 128) } == "LxH2cX2swxX8l}WDjte;gJfjfQfj")
        #expect(encode(20, 12) { _, _ in (255, 0, 0) } == "LRTI:j;$fQ;$|co1fQo1fQfQfQfQ")
        #expect(
            encode(16, 16) { ($0 / 4 + $1 / 4) % 2 == 1 ? (255, 255, 255) : (0, 0, 0) }
                == "LKLqe9-;fQ-;-;D%fQ00fQfQfQfQ")
        #expect(
            encode(32, 32) { (($0 * $0 * 7 + $1 * 13) % 256, $0 * $1 * 5 % 256, ($0 * 3 + $1 * $1 * 11) % 256) }
                == "L7H2NGvpqaaC+EVURDR%4qMyro5:")
        #expect(encode(8, 8) { _, _ in (0, 0, 0) } == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
        #expect(encode(32, 24, columns: 1, rows: 1) { ($0 * 8, $1 * 8, 128) } == "00H14G")
    }

    @Test func `bytes that are no picture have no hash`() {
        #expect(BlurHash.encode(width: 2, height: 2, rgb: [1, 2, 3]) == nil)
        #expect(BlurHash.encode(width: 0, height: 0, rgb: []) == nil)
        #expect(BlurHash.encode(width: 1, height: 1, rgb: [1, 2, 3], columns: 10) == nil)
    }
}
