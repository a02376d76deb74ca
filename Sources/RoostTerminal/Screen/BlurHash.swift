#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The colour of a pixel.
package struct Pixel: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The nearest colour of the 6 × 6 × 6 cube in a palette of 256 colours.
    var paletteIndex: Int {
        func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
        return 16 + 36 * level(red) + 6 * level(green) + level(blue)
    }
}

/// A blurred picture of a few dozen characters (https://blurha.sh).
package struct BlurHash: Hashable, Sendable {
    /// The linear colours of the components, row by row; the first one is the average.
    private let components: [[Double]]
    private let columns: Int

    /// Parses a hash; nil if it is not one.
    package init?(_ text: String) {
        var digits: [Int] = []
        for byte in text.utf8.prefix(200) {
            guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(digit)
        }
        guard digits.count >= 6 else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }
        let (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard rows <= 9, digits.count == 4 + 2 * columns * rows else { return nil }
        let average = number(2..<6)
        guard average <= 0xFF_FFFF else { return nil }
        var components = [[average >> 16, average >> 8 & 255, average & 255].map { Self.linear(Double($0) / 255) }]
        let largest = Double(digits[1] + 1) / 166
        for index in 1..<max(1, columns * rows) {
            let value = number(4 + 2 * index..<6 + 2 * index)
            guard value < 19 * 19 * 19 else { return nil }
            components.append(
                [value / 361, value / 19 % 19, value % 19].map { digit in
                    let part = Double(digit - 9) / 9
                    return (part < 0 ? -part * part : part * part) * largest
                })
        }
        self.components = components
        self.columns = columns
    }

    /// The picture in this size, row by row; empty if a side is not 1 to 256.
    package func pixels(width: Int, height: Int) -> [[Pixel]] {
        guard (1...256).contains(width), (1...256).contains(height) else { return [] }
        return (0..<height).map { y in
            (0..<width).map { x in
                var color = [0.0, 0.0, 0.0]
                for (index, component) in components.enumerated() {
                    let factor =
                        cos(.pi * Double(x) * Double(index % columns) / Double(width))
                        * cos(.pi * Double(y) * Double(index / columns) / Double(height))
                    for channel in 0..<3 { color[channel] += component[channel] * factor }
                }
                return Pixel(red: Self.byte(color[0]), green: Self.byte(color[1]), blue: Self.byte(color[2]))
            }
        }
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func byte(_ linear: Double) -> UInt8 {
        let value = min(max(linear, 0), 1)
        let encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8(min(255, encoded * 255 + 0.5))
    }
}
