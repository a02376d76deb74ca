#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Date {
    /// The time of so many ms since 1970.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// ms since 1970; what is out of all bounds is at its end.
    package var milliseconds: Int64 {
        let ms = (timeIntervalSince1970 * 1_000).rounded()
        return Int64(exactly: ms) ?? (ms > 0 ? .max : 0)
    }
}
