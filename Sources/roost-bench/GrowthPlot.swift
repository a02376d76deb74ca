import Foundation

extension GrowthResult {
    /// Two charts side by side: the server CPU time per message, and the messages delivered per second.
    var svg: String {
        let cost = Panel(
            title: "server CPU per message, µs",
            points: sizes.map { size in
                Panel.Point(
                    stored: size.stored, value: size.cpuSecondsPerMillionDelivered, low: size.cpuSpread.first,
                    high: size.cpuSpread.last)
            })
        let rate = Panel(
            title: "messages delivered per second",
            points: sizes.map { Panel.Point(stored: $0.stored, value: $0.deliveredPerSecond) })
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 290" font-family="sans-serif" font-size="12">
            <rect width="800" height="290" fill="#fff"/>
            \(cost.svg(x: 0))
            \(rate.svg(x: 400))
            </svg>

            """
    }
}

/// A chart over the number of stored messages, on a logarithmic axis; the value axis starts at zero.
private struct Panel {
    struct Point {
        var stored: Int
        var value: Double?
        var low: Double?
        var high: Double?
    }

    var title: String
    var points: [Point]

    private static let left = 60.0
    private static let right = 380.0
    private static let top = 40.0
    private static let bottom = 240.0

    func svg(x offset: Int) -> String {
        let step = Self.step(for: points.compactMap { $0.high ?? $0.value }.max() ?? 1)
        let lines = (0...5).map { number -> String in
            let value = Double(number) * step
            let y = Self.y(value, top: 5 * step)
            return """
                <line x1="\(Self.left)" x2="\(Self.right)" y1="\(y)" y2="\(y)" stroke="#ddd"/>
                <text x="\(Self.left - 8)" y="\(y + 4)" text-anchor="end" fill="#555">\(Self.grouped(Int(value)))</text>
                """
        }
        var spots: [(x: Double, y: Double)] = []
        var marks: [String] = []
        for point in points {
            let x = self.x(point.stored)
            marks.append(
                """
                <text x="\(x)" y="\(Self.bottom + 18)" text-anchor="middle" fill="#555">\(Self.short(point.stored))</text>
                """)
            guard let value = point.value else { continue }
            let y = Self.y(value, top: 5 * step)
            spots.append((x, y))
            if let low = point.low, let high = point.high {
                let (from, to) = (Self.y(low, top: 5 * step), Self.y(high, top: 5 * step))
                marks.append("<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(from)\" y2=\"\(to)\" stroke=\"#27c\"/>")
            }
            marks.append("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"4\" fill=\"#27c\"/>")
        }
        let path = spots.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        return """
            <g transform="translate(\(offset))">
            <text x="\(Self.left)" y="22" font-size="14">\(title)</text>
            \(lines.joined(separator: "\n"))
            <polyline points="\(path)" fill="none" stroke="#27c" stroke-width="2"/>
            \(marks.joined(separator: "\n"))
            <text x="\((Self.left + Self.right) / 2)" y="\(Self.bottom + 40)" text-anchor="middle" fill="#555">stored messages</text>
            </g>
            """
    }

    private func x(_ stored: Int) -> Double {
        let logarithms = points.map { log10(Double($0.stored)) }
        guard let first = logarithms.min(), let last = logarithms.max(), last > first else { return Self.left }
        let share = (log10(Double(stored)) - first) / (last - first)
        return Self.tenth(Self.left + 20 + share * (Self.right - Self.left - 40))
    }

    private static func y(_ value: Double, top: Double) -> Double {
        tenth(bottom - value / top * (bottom - Self.top))
    }

    private static func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    /// A round step size such that five steps cover the maximum.
    private static func step(for most: Double) -> Double {
        var step = 1.0
        while true {
            for factor in [1.0, 2, 5] where step * factor * 5 >= most { return step * factor }
            step *= 10
        }
    }

    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : "\(number / 1_000),\(String("\(number % 1_000 + 1_000)".dropFirst()))"
    }

    private static func short(_ number: Int) -> String {
        for (size, word) in [(1_000_000, "M"), (1_000, "k")] where number >= size {
            let tenths = number * 10 / size
            return tenths % 10 == 0 ? "\(tenths / 10) \(word)" : "\(tenths / 10).\(tenths % 10) \(word)"
        }
        return "\(number)"
    }
}
