#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A BlurHash: a few colours of a picture as a short text, to show until the picture is there.
///
/// The definition: https://github.com/woltapp/blurhash/blob/master/Algorithm.md
package enum BlurHash {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    /// A colour in linear light, each part 0 to 1; the parts of a factor may be negative.
    private struct Colour {
        var red = 0.0
        var green = 0.0
        var blue = 0.0

        var parts: [Double] { [red, green, blue] }
    }

    /// Encodes a picture. Its shape does not matter: a picture squeezed into a square has the same hash.
    /// - Parameters:
    ///   - rgb: three bytes of sRGB per pixel, row by row.
    ///   - columns: how many factors there are across, 1 to 9; `rows` the same, down.
    /// - Returns: nil if `rgb` is not as large as the picture.
    package static func encode(width: Int, height: Int, rgb: [UInt8], columns: Int = 4, rows: Int = 3) -> String? {
        guard (1...1_024).contains(width), (1...1_024).contains(height), rgb.count == width * height * 3,
            (1...9).contains(columns), (1...9).contains(rows)
        else { return nil }
        let linear = (0...255).map { Self.linear(UInt8($0)) }
        let across = (0..<columns).map { cosines($0, width) }
        let down = (0..<rows).map { cosines($0, height) }
        var factors: [Colour] = []
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = Colour()
                for y in 0..<height {
                    for x in 0..<width {
                        let (weight, pixel) = (across[column][x] * down[row][y], (y * width + x) * 3)
                        sum.red += weight * linear[Int(rgb[pixel])]
                        sum.green += weight * linear[Int(rgb[pixel + 1])]
                        sum.blue += weight * linear[Int(rgb[pixel + 2])]
                    }
                }
                let scale = (row == 0 && column == 0 ? 1.0 : 2.0) / Double(width * height)
                factors.append(Colour(red: sum.red * scale, green: sum.green * scale, blue: sum.blue * scale))
            }
        }
        let details = factors.dropFirst()
        var text = number(columns - 1 + (rows - 1) * 9, length: 1)
        var largest = 1.0
        if let found = details.flatMap(\.parts).map(abs).max() {
            let step = Int(min(82, max(0, (found * 166 - 0.5).rounded(.down))))
            largest = Double(step + 1) / 166
            text += number(step, length: 1)
        } else {
            text += number(0, length: 1)
        }
        let mean = factors[0].parts.map(sRGB)
        text += number(mean[0] << 16 | mean[1] << 8 | mean[2], length: 4)
        for factor in details {
            let steps = factor.parts.map { step($0 / largest) }
            text += number(steps[0] * 19 * 19 + steps[1] * 19 + steps[2], length: 2)
        }
        return text
    }

    private static func cosines(_ factor: Int, _ length: Int) -> [Double] {
        (0..<length).map { cos(.pi * Double(factor) * Double($0) / Double(length)) }
    }

    /// One of 19 steps from -1 to 1, which are closer to each other near 0.
    private static func step(_ value: Double) -> Int {
        let root = value < 0 ? -(-value).squareRoot() : value.squareRoot()
        return Int(min(18, max(0, (root * 9 + 9.5).rounded(.down))))
    }

    private static func linear(_ byte: UInt8) -> Double {
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func sRGB(_ linear: Double) -> Int {
        let value = min(1, max(0, linear))
        return Int((value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255 + 0.5)
    }

    /// A number to the base 83.
    private static func number(_ value: Int, length: Int) -> String {
        var (rest, text) = (value, "")
        for _ in 0..<length {
            text = String(digits[rest % 83]) + text
            rest /= 83
        }
        return text
    }
}
