#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which votes are valid and how their state changes. Pure rules, the same in the server and the SDK.
public enum VoteRules {
    /// How many options a vote may have.
    public static let optionCounts = 2...20

    /// The message types that an option may have, and for each the type of a vote with such an option.
    public static let voteTypes: [String: String] = [
        "text": "voteText", "sticker": "voteSticker", "image": "voteImage", "video": "voteVideo",
        "voice": "voteVoice", "contact": "voteContact", "location": "voteLocation", "document": "voteDocument",
    ]

    /// The type of a vote with these options: that of the first one that is not a text.
    public static func type(of options: [MessageContent]) -> String {
        let text = MessageType.text.name
        return options.first { $0.type != text }.flatMap { voteTypes[$0.type] } ?? voteTypes[text] ?? text
    }

    /// Checks a new vote.
    /// - Throws: `WireError` 1001 for a subject that is no text, or an option that cannot be one; 6 for numbers and
    ///   times outside their bounds.
    public static func check(_ create: CreateVote, now: Date, limits: Limits) throws(WireError) {
        try TextRules.check(create.subject, field: "subject", limits: limits)
        try WireError.inside("vote") { () throws(WireError) in try check(create.vote, now: now, limits: limits) }
    }

    private static func check(_ vote: Vote, now: Date, limits: Limits) throws(WireError) {
        guard optionCounts.contains(vote.options.count) else {
            throw WireError(
                .dataFormat, field: "options",
                "A vote has \(optionCounts.lowerBound) to \(optionCounts.upperBound) options.")
        }
        guard (1...vote.options.count).contains(vote.choices) else {
            throw WireError(.dataFormat, field: "choices", "\"choices\" must be 1 to the number of options.")
        }
        for (index, option) in vote.options.enumerated() {
            try WireError.inside("options[\(index)]") { () throws(WireError) in try check(option, limits: limits) }
        }
        if let opensAt = vote.$opensAt, opensAt < 0 {
            throw WireError(.dataFormat, field: "opensAt", "\"opensAt\" cannot be negative.")
        }
        if let closesAt = vote.$closesAt, closesAt <= max(now.milliseconds, vote.$opensAt ?? 0) {
            throw WireError(
                .dataFormat, field: "closesAt", "\"closesAt\" must lie after now and after \"opensAt\".")
        }
    }

    private static func check(_ option: MessageContent, limits: Limits) throws(WireError) {
        guard voteTypes[option.type] != nil else {
            throw WireError(
                .invalidContent, field: "type",
                "An option is a text, a sticker, a file of any kind or a place.")
        }
        guard option.mentions == nil else {
            throw WireError(.dataFormat, field: "mentions", "An option cannot mention anybody. Leave \"mentions\" out.")
        }
        try MessageRules.check(option, limits: limits)
    }

    /// The phase of a vote; `closedAt` is when it was closed.
    public static func phase(of vote: Vote, closedAt: Date?, now: Date) -> VotePhase {
        if closedAt != nil { return .closed }
        let now = now.milliseconds
        if let closesAt = vote.$closesAt, now >= closesAt { return .closed }
        if let opensAt = vote.$opensAt, now < opensAt { return .waiting }
        return .open
    }

    /// The new ballot of a voter with a current choice who asks for other options: ascending.
    /// - Throws: `WireError` 7015 before the vote opens, 1121 after it has closed, 6 for options that are not there or
    ///   come twice, 1122 for more than are allowed and for a change that is not.
    public static func ballot(
        _ options: [Int], after old: [Int], in vote: Vote, phase: VotePhase
    ) throws(WireError) -> [Int] {
        switch phase {
        case .waiting: throw WireError(.voteNotOpen, "This vote has not opened yet. Wait until it does.")
        case .closed: throw WireError(.timeExpired, "This vote is closed. No more ballots are taken.")
        case .open: break
        }
        var chosen: Set<Int> = []
        for (index, option) in options.enumerated() {
            guard vote.options.indices.contains(option), chosen.insert(option).inserted else {
                throw WireError(
                    .dataFormat, field: "options[\(index)]",
                    "\"options\" names options of 0 to \(vote.options.count - 1), each of them once.")
            }
        }
        guard options.count <= vote.choices else {
            throw WireError(.tooManyVotes, "You can choose at most \(vote.choices) of the options.")
        }
        guard vote.canChange || chosen.isSuperset(of: old) else {
            throw WireError(.tooManyVotes, "What you have chosen in this vote cannot be changed.")
        }
        return options.sorted()
    }

    /// The part of a tally that is shown in a phase.
    public static func shown(_ tally: VoteTally, of vote: Vote, phase: VotePhase) -> VoteTally {
        VoteTally(counts: vote.results == .live || phase == .closed ? tally.counts : nil, voters: tally.voters)
    }

    /// Whether somebody may close a vote.
    public static func mayClose(isOwn: Bool, role: Role) -> Bool { isOwn || role >= .moderator }
}

extension VoteTally {
    /// The tally after a voter has changed from some options to others.
    public func changed(from old: [Int], to new: [Int]) -> VoteTally {
        var tally = self
        for option in old where tally.counts?.indices.contains(option) == true { tally.counts?[option] -= 1 }
        for option in new where tally.counts?.indices.contains(option) == true { tally.counts?[option] += 1 }
        tally.voters += (new.isEmpty ? 0 : 1) - (old.isEmpty ? 0 : 1)
        return tally
    }
}

extension VoteState {
    /// The state after a row of the channel's log; a row about something else, or one that the state includes already,
    /// changes nothing.
    ///
    /// Apply the rows to keep a state up to date. The viewer's choices on another
    /// device are not in the rows of a secret vote or of one with its results at the
    /// end: read them with `vote.get`. The opening of a vote has no row: see `opensAt`.
    /// - Returns: nil if the vote was recalled or purged.
    public func after(_ event: Event, viewer: UserID) -> VoteState? {
        guard event.channel == self.event.channel, let messageID = self.event.messageID else { return self }
        var state = self
        switch event.body {
        case .channel(.voteCast(let cast)) where cast.messageID == messageID && cast.revision > revision:
            state.revision = cast.revision
            state.tally = cast.tally
            if event.senderID == viewer, let options = cast.options { state.ownOptions = options }
        case .channel(.voteClosed(let closed)) where closed.messageID == messageID && closed.revision > revision:
            state.revision = closed.revision
            state.tally = closed.tally
            state.phase = .closed
            state.$closedAt = event.$sentAt
        case .channel(.channelPurged(let purged)) where purged.upTo >= messageID.seq: return nil
        case .channel(.messageRecalled(let recalled)) where recalled.messages.contains { $0.messageID == messageID }:
            return nil
        default: break
        }
        return state
    }
}
