public import Foundation
import RoostClient
public import RoostWire

// Schedules of this channel. Only their owner sees them.
extension ConversationModel {
    /// Whether the schedules are being loaded.
    struct ScheduleLoads {
        fileprivate var isWanted = false
        /// Whether they changed while they were being loaded.
        fileprivate var isStale = false
        var isLoading = false
    }

    /// Loads the user's schedules for this channel into ``schedules``, which is updated from then on; returns
    /// whether they were loaded.
    @discardableResult
    public func loadSchedules() async -> Bool {
        scheduleLoads.isWanted = true
        scheduleLoads.isStale = true
        guard !scheduleLoads.isLoading else { return false }
        scheduleLoads.isLoading = true
        defer { scheduleLoads.isLoading = false }
        do {
            var found: [Schedule] = []
            while scheduleLoads.isStale {
                scheduleLoads.isStale = false
                found = []
                var cursor: String?
                repeat {
                    let page = try await client.perform(ListSchedules(limit: 100, cursor: cursor))
                    found += page.schedules
                    cursor = page.next
                } while cursor != nil
            }
            show(found)
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Schedules messages for this channel at a time by the server's clock; returns whether they were scheduled.
    ///
    /// The time is more than a minute and at most 30 days ahead. The same messages are not scheduled twice while they
    /// are being scheduled, nor if it is tried again after the answer was lost.
    @discardableResult
    public func schedule(_ messages: [MessageContent], at time: Date) async -> Bool {
        await create(CreateSchedule(messages: messages, channels: [id], sendAt: time))
    }

    /// Schedules a vote for this channel, as ``schedule(_:at:)`` does messages.
    @discardableResult
    public func scheduleVote(_ subject: String, _ vote: Vote, at time: Date) async -> Bool {
        await create(CreateSchedule(channels: [id], sendAt: time, subject: subject, vote: vote))
    }

    /// Changes a schedule before it is due: other messages, another vote, another time.
    ///
    /// Absent values stay unchanged. Returns whether it was changed; the same change again changes nothing.
    @discardableResult
    public func changeSchedule(
        _ schedule: ScheduleID, messages: [MessageContent]? = nil, subject: String? = nil, vote: Vote? = nil,
        at time: Date? = nil
    ) async -> Bool {
        let command = ChangeSchedule(
            scheduleID: schedule, messages: messages, sendAt: time, subject: subject, vote: vote)
        return await act(command) != nil
    }

    /// Cancels a schedule, for all of its channels; returns whether it was cancelled.
    ///
    /// A schedule that is not in ``schedules`` is ignored.
    @discardableResult
    public func cancelSchedule(_ schedule: ScheduleID) async -> Bool {
        guard schedules.contains(where: { $0.scheduleID == schedule }) else { return false }
        return await act(CancelSchedule(scheduleID: schedule)) != nil
    }

    // MARK: Changes

    /// Loads them again after the connection was lost, if they were loaded before.
    func readSchedulesAgain() {
        guard scheduleLoads.isWanted else { return }
        life.run { [weak self] in await self?.loadSchedules() }
    }

    func applySchedules(_ events: [ClientEvent]) {
        guard scheduleLoads.isWanted else { return }
        for case .event(let event, isPast: _) in events {
            switch event.body {
            case .user(.scheduleCreated(let schedule)), .user(.scheduleChanged(let schedule)): put(schedule)
            case .user(.scheduleCancelled(let body)): drop(body.scheduleID)
            case .user(.scheduleSent(let body)): drop(body.scheduleID)
            default: continue
            }
            scheduleLoads.isStale = true
        }
    }

    private func create(_ command: CreateSchedule) async -> Bool {
        guard await act(command, isCreating: true) != nil else { return false }
        if !scheduleLoads.isWanted { await loadSchedules() }
        return true
    }

    private func put(_ schedule: Schedule) {
        show(schedules.filter { $0.scheduleID != schedule.scheduleID } + [schedule])
    }

    private func drop(_ schedule: ScheduleID) { show(schedules.filter { $0.scheduleID != schedule }) }

    private func show(_ all: [Schedule]) {
        let new = all.filter { $0.channels.contains(id) }
            .sorted { ($0.sendAt, $0.scheduleID) < ($1.sendAt, $1.scheduleID) }
        if new != schedules { schedules = new }
    }
}
