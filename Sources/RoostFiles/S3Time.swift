/// A time as object stores write it, in UTC and the Gregorian calendar.
enum S3Time {
    /// A time as in signatures, such as `20130524T000000Z`.
    /// - Parameter ms: in ms since 1970.
    static func stamp(_ ms: Int64) -> String {
        let (days, rest) = floor(ms / 1_000, 86_400)
        let date = civil(days)
        return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + "T"
            + padded(rest / 3_600, 2) + padded(rest / 60 % 60, 2) + padded(rest % 60, 2) + "Z"
    }

    /// Reads `2009-10-12T17:50:30.000Z` as ms since 1970; nil if it is anything else.
    static func parse(iso text: String) -> Int64? {
        let parts = text.split(whereSeparator: { "-T:.Z".contains($0) })
        guard text.hasSuffix("Z"), parts.count == 6 || parts.count == 7 else { return nil }
        let numbers = parts.prefix(6).compactMap { number($0) }
        guard numbers.count == 6 else { return nil }
        guard let seconds = seconds(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]) else {
            return nil
        }
        guard parts.count == 7 else { return seconds * 1_000 }
        guard let fraction = number(parts[6].prefix(3)) else { return nil }
        return seconds * 1_000 + fraction * [100, 10, 1][min(parts[6].utf8.count, 3) - 1]
    }

    /// Reads the header `Date`, such as `Fri, 24 May 2013 00:00:00 GMT`, as ms since 1970; nil if it is anything else.
    static func parse(header text: String) -> Int64? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let clock = words[4].split(separator: ":").compactMap { number($0) }
        guard clock.count == 3, let day = number(words[1]), let year = number(words[3]) else { return nil }
        return seconds(year, Int64(month) + 1, day, clock[0], clock[1], clock[2]).map { $0 * 1_000 }
    }

    private static func number(_ text: Substring) -> Int64? {
        let isNumber = (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int64(text) : nil
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let rest = (number % divisor + divisor) % divisor
        return ((number - rest) / divisor, rest)
    }

    // A year begins in March here, so that the day of a leap year is its last one.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floor(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func seconds(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
    ) -> Int64? {
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else { return nil }
        let (era, yearOfEra) = floor(month <= 2 ? year - 1 : year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }
}
