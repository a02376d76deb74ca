#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time of an entity: a `Date` in Swift, a whole number of ms since 1970 on the wire.
///
/// It stores that number, so a time that only passes through keeps its value.
/// The projected value is the number itself, for code that calculates in ms:
/// `event.$sentAt`.
@propertyWrapper
public struct Timestamp: Codable, Hashable, Sendable {
    /// The time in ms since 1970.
    public var projectedValue: Int64

    /// The time; one that is set is rounded to the nearest ms, as `Date.milliseconds` does.
    public var wrappedValue: Date {
        get { Date(milliseconds: projectedValue) }
        set { projectedValue = newValue.milliseconds }
    }

    /// Creates it from a date, rounded to the nearest ms.
    public init(wrappedValue: Date) { projectedValue = wrappedValue.milliseconds }

    /// Creates it from a number of ms since 1970.
    public init(projectedValue: Int64) { self.projectedValue = projectedValue }

    /// Reads the number.
    public init(from decoder: any Decoder) throws { projectedValue = try Int64(from: decoder) }

    /// Writes the number.
    public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

/// A time of an entity that may be absent; otherwise as ``Timestamp``.
///
/// A key that is missing or null is nil; nil writes no key.
@propertyWrapper
public struct OptionalTimestamp: Codable, Hashable, Sendable {
    /// The time in ms since 1970.
    public var projectedValue: Int64?

    /// The time; one that is set is rounded to the nearest ms, as `Date.milliseconds` does.
    public var wrappedValue: Date? {
        get { projectedValue.map { Date(milliseconds: $0) } }
        set { projectedValue = newValue?.milliseconds }
    }

    /// Creates it from a date, rounded to the nearest ms; nil for no time.
    public init(wrappedValue: Date?) { projectedValue = wrappedValue?.milliseconds }

    /// Creates it from a number of ms since 1970; nil for no time.
    public init(projectedValue: Int64?) { self.projectedValue = projectedValue }

    /// Reads the number, or null.
    public init(from decoder: any Decoder) throws { projectedValue = try Int64?(from: decoder) }

    /// Writes the number, or null.
    public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// Reads a time: the compiler calls this for a property with ``Timestamp``.
    public func decode(_ type: Timestamp.Type, forKey key: Key) throws -> Timestamp {
        Timestamp(projectedValue: try decode(Int64.self, forKey: key))
    }

    /// Reads a time that may be absent: the compiler calls this for a property with ``OptionalTimestamp``.
    public func decode(_ type: OptionalTimestamp.Type, forKey key: Key) throws -> OptionalTimestamp {
        OptionalTimestamp(projectedValue: try decodeIfPresent(Int64.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes a time: the compiler calls this for a property with ``Timestamp``.
    public mutating func encode(_ value: Timestamp, forKey key: Key) throws {
        try encode(value.projectedValue, forKey: key)
    }

    /// Writes a time that may be absent: the compiler calls this for a property with ``OptionalTimestamp``.
    public mutating func encode(_ value: OptionalTimestamp, forKey key: Key) throws {
        try encodeIfPresent(value.projectedValue, forKey: key)
    }
}

extension Date {
    /// 1 January 2001 in ms since 1970: the reference date of `Date`.
    private static let reference: Int64 = 978_307_200_000
    /// Up to here every whole number is a `Double` of its own.
    private static let limit: Int64 = 1 << 53

    /// Creates the date from a number of ms since 1970.
    ///
    /// ``milliseconds`` gives the same number back for 70,000 years around now.
    public init(milliseconds: Int64) {
        let (sinceReference, isTooMuch) = milliseconds.subtractingReportingOverflow(Self.reference)
        self.init(timeIntervalSinceReferenceDate: Double(isTooMuch ? milliseconds : sinceReference) / 1_000)
    }

    /// The nearest whole number of ms since 1970, at most 2⁵³ away from it; 0 if it is not a number.
    public var milliseconds: Int64 {
        let sinceReference = (timeIntervalSinceReferenceDate * 1_000).rounded()
        guard !sinceReference.isNaN else { return 0 }
        // Twice the bound, so that the sum does not overflow and is clamped at both ends.
        let bound = 2 * Double(Self.limit)
        let milliseconds = Int64(max(-bound, min(bound, sinceReference))) + Self.reference
        return max(-Self.limit, min(Self.limit, milliseconds))
    }
}
