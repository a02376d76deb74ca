public import Foundation
public import RoostWire

extension ChatClient {
    /// Schedules messages: at the given time the server sends every message to every channel, once.
    ///
    /// The time is more than a minute and at most 30 days ahead by the server's clock.
    /// The user's right to send there is checked now, and again when it is due. All
    /// devices of the user get `schedule.created`, and `schedule.sent` with the result
    /// for each message when they were sent. With the same `transID` it is executed once.
    /// - Throws: `.server(.scheduleTime)` for another time; the errors of a send to one of the channels now;
    ///   `.limitReached` beyond `limits.schedules`.
    @discardableResult
    public func schedule(
        _ messages: [MessageContent], to channels: [ChannelID], at time: Date, transID: TransID? = nil
    ) async throws(RoostError) -> Schedule {
        let command = CreateSchedule(messages: messages, channels: channels, sendAt: time)
        return try await perform(command, under: transID).schedule
    }

    /// Schedules a vote: at the given time the server creates it in every channel, once, as `createVote` would.
    ///
    /// The time is more than a minute and at most 30 days ahead by the server's clock, and `closesAt` of the vote is
    /// after it. The user's right to create a vote there is checked now, and again when it is due. All devices of the
    /// user get `schedule.created`, and `schedule.sent` with the id of the vote in each channel. With the same
    /// `transID` it is executed once.
    /// - Throws: as ``schedule(_:to:at:transID:)``; `.server(.invalidContent)` and `.dataFormat` for an invalid vote.
    @discardableResult
    public func scheduleVote(
        _ subject: String, _ vote: Vote, to channels: [ChannelID], at time: Date, transID: TransID? = nil
    ) async throws(RoostError) -> Schedule {
        let command = CreateSchedule(channels: channels, sendAt: time, subject: subject, vote: vote)
        return try await perform(command, under: transID).schedule
    }

    /// A page of this user's schedules that are not sent yet: at most `limit` (1 to 100), the earliest first.
    ///
    /// For the next page pass the `next` of this one as `cursor`.
    public func schedules(
        limit: Int = 50, cursor: String? = nil
    ) async throws(RoostError) -> Page<Schedule> {
        try await page(ListSchedules(limit: limit, cursor: cursor))
    }

    /// Changes a schedule before it is due: other messages, another vote, other channels, another time.
    ///
    /// Absent values stay unchanged. Messages replace a vote, and `subject` with `vote` replaces messages. All devices
    /// of the user get `schedule.changed`.
    /// With the same `transID` it is executed once.
    /// - Throws: `.server(.scheduleNotFound)` if it was sent or cancelled, `.timeExpired` if it is due; else as
    ///   ``schedule(_:to:at:transID:)``.
    @discardableResult
    public func changeSchedule(
        _ id: ScheduleID, messages: [MessageContent]? = nil, subject: String? = nil, vote: Vote? = nil,
        channels: [ChannelID]? = nil, at time: Date? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> Schedule {
        let command = ChangeSchedule(
            scheduleID: id, messages: messages, channels: channels, sendAt: time, subject: subject,
            vote: vote)
        return try await perform(command, under: transID).schedule
    }

    /// Cancels a schedule before it is due.
    ///
    /// All devices of the user get `schedule.cancelled`. With the same `transID` it is executed once.
    /// - Throws: `.server(.scheduleNotFound)` if it was sent or cancelled, `.timeExpired` if it is due.
    public func cancelSchedule(
        _ id: ScheduleID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(CancelSchedule(scheduleID: id), under: transID)
    }
}
