/// One entry of the registry of error codes.
///
/// A code, once given, keeps its number, its name and its class of retry.
/// 0 stands for success in the reference numbers; it is no error and no
/// entry. 7000–7099 belong to Roost itself, and 7000 stays unused.
public struct ErrorCode: Hashable, Sendable {
    /// The number on the wire.
    public let code: Int
    /// The stable name on the wire, in lower camel case.
    public let name: String
    /// One sentence for people.
    public let meaning: String
    /// Whether the same request may succeed when it is sent again later.
    ///
    /// If it is false, something has to change first: the request, the
    /// token or the rights of the caller.
    public let isRetryable: Bool
    /// Whether the code is known, but this server never returns it yet.
    public let isReserved: Bool

    private init(
        _ code: Int, _ name: String, isRetryable: Bool = false, isReserved: Bool = false, _ meaning: String
    ) {
        self.code = code
        self.name = name
        self.meaning = meaning
        self.isRetryable = isRetryable
        self.isReserved = isReserved
    }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The entry of a number, or nil if the registry does not have it.
    ///
    /// A newer server may send numbers that this registry does not know.
    public static func find(_ code: Int) -> ErrorCode? {
        byCode[code]
    }
}

extension ErrorCode {
    /// Every code, in ascending order.
    public static let all: [ErrorCode] = [
        .wrongCredentials, .unknownOperation, .accountDatabase, .internalFault, .wrongEndpoint, .dataFormat,
        .functionUnavailable, .numberFormat,
        .wrongPassword, .noAccount, .accountExists, .passwordRequired, .accountLimitReached,
        .unknown, .invalidContent, .commandNotSupported, .databaseAccess, .tooManyRequests, .scheduleTime,
        .channelIDFormat, .channelIDExists, .channelTypeNotSupported, .channelTypeMismatch, .channelNotFound,
        .userMissing, .noPrivilege, .tooFewMembers, .nobodyToKick, .nobodyToBan, .noPreferenceToSet,
        .noProfileToSet, .messageNotOwned, .notAllMembers, .tooManyMembers, .notInvited, .notMember,
        .messageNotFound, .duplicateTransID, .noRoleToSet, .timeExpired, .tooManyVotes, .notCurrentUser,
        .notAuthenticated, .tokenExpired, .blocked, .orderBroken, .tooLarge, .positionUnknown, .storageFull,
        .draining, .protocolVersion, .alreadyOpen, .userNotFound, .broadcastNotFound, .scheduleNotFound, .notAVote,
        .voteNotOpen, .broadcastFinished, .notBanned, .limitReached, .tooManyChannels, .tooManyConnections,
        .alreadyLoggedIn, .uploadIncomplete, .fileTypeRefused, .fileStoreUnavailable, .uploadOffset, .userBanned,
        .userDeleted, .reportNotFound, .deviceNotFound,
    ]
}

// 1–8: the request as such.
extension ErrorCode {
    /// 1: the login or the token is wrong.
    public static let wrongCredentials = ErrorCode(
        1, "wrongCredentials",
        "The account, the password or the token is wrong."
    )

    /// 2: the operation is unknown over HTTP; over the WebSocket it is 1002.
    public static let unknownOperation = ErrorCode(
        2, "unknownOperation",
        "This server does not know the requested operation."
    )

    /// 3: the store of accounts fails.
    public static let accountDatabase = ErrorCode(
        3, "accountDatabase", isRetryable: true,
        "The accounts cannot be reached at the moment."
    )

    /// 4: the server fails because of a mistake in it.
    public static let internalFault = ErrorCode(
        4, "internalFault",
        "Something went wrong in the server."
    )

    /// 5: the path or the base URL is unknown.
    public static let wrongEndpoint = ErrorCode(5, "wrongEndpoint", "There is nothing at this address.")

    /// 6: a field is missing, has the wrong type, or has a value that is not allowed; the error's `field` names it.
    public static let dataFormat = ErrorCode(
        6, "dataFormat",
        "A field is missing or has a value that is not allowed."
    )

    /// 7: the feature is switched off.
    public static let functionUnavailable = ErrorCode(
        7, "functionUnavailable",
        "This function is not available here."
    )

    /// 8: a phone number is not in the form of E.164.
    public static let numberFormat = ErrorCode(
        8, "numberFormat",
        "The phone number is not in the international form."
    )
}

// 601–605: accounts.
extension ErrorCode {
    /// 601: the account exists and the password is wrong.
    public static let wrongPassword = ErrorCode(601, "wrongPassword", "The password is wrong.")

    /// 602: no account has this id.
    public static let noAccount = ErrorCode(602, "noAccount", "There is no such account.")

    /// 603: the account to register is there already.
    public static let accountExists = ErrorCode(603, "accountExists", "This account exists already.")

    /// 604: the password is missing.
    public static let passwordRequired = ErrorCode(604, "passwordRequired", "A password is required.")

    /// 605: no further account may be registered.
    public static let accountLimitReached = ErrorCode(
        605, "accountLimitReached",
        "No more accounts can be made here."
    )
}

// 1000–6000: messaging.
extension ErrorCode {
    /// 1000: a fault that no other code describes.
    public static let unknown = ErrorCode(1000, "unknown", "Something went wrong for which there is no other code.")

    /// 1001: the text of the message is empty or too long, has characters that are not allowed, or its content is of a
    /// kind that is not allowed there.
    public static let invalidContent = ErrorCode(
        1001, "invalidContent",
        "The content of the message is empty, too long or not supported."
    )

    /// 1002: the command is unknown over the WebSocket; over HTTP it is 2.
    public static let commandNotSupported = ErrorCode(
        1002, "commandNotSupported",
        "This server does not know the command."
    )

    /// 1003: the store of messages fails; nothing was changed.
    public static let databaseAccess = ErrorCode(
        1003, "databaseAccess", isRetryable: true,
        "The messages cannot be stored or read at the moment."
    )

    /// 1004: the rate limit is reached.
    public static let tooManyRequests = ErrorCode(
        1004, "tooManyRequests", isRetryable: true,
        "Too many requests came in a short time."
    )

    /// 1008: the time is not between one minute and 30 days ahead.
    public static let scheduleTime = ErrorCode(
        1008, "scheduleTime",
        "A message can be scheduled from one minute to 30 days ahead."
    )

    /// 1101: the channel id has a wrong length, or characters that are not allowed.
    public static let channelIDFormat = ErrorCode(
        1101, "channelIDFormat",
        "The channel id is too long, empty or has characters that are not allowed."
    )

    /// 1102: the channel id is taken, perhaps by a dismissed channel.
    public static let channelIDExists = ErrorCode(1102, "channelIDExists", "This channel id is taken already.")

    /// 1103: the kind of channel is not supported.
    public static let channelTypeNotSupported = ErrorCode(
        1103, "channelTypeNotSupported",
        "This kind of channel is not supported."
    )

    /// 1104: the command does not fit the kind of the channel.
    public static let channelTypeMismatch = ErrorCode(
        1104, "channelTypeMismatch",
        "This is not possible in a channel of this kind."
    )

    /// 1105: the channel is unknown or dismissed, or the caller never was a member.
    public static let channelNotFound = ErrorCode(1105, "channelNotFound", "There is no such channel.")

    /// 1106: a user whom the command names is not in the channel, or cannot be added because nobody has that id.
    public static let userMissing = ErrorCode(
        1106, "userMissing",
        "A named user is not in the channel or is not known."
    )

    /// 1107: the role of the caller does not allow it, or the caller is no operator.
    public static let noPrivilege = ErrorCode(1107, "noPrivilege", "You do not have the right to do this.")

    /// 1108: the channel would have fewer members than it must have.
    public static let tooFewMembers = ErrorCode(
        1108, "tooFewMembers",
        "The channel would have too few members."
    )

    /// 1109: the list of members to kick is empty.
    public static let nobodyToKick = ErrorCode(
        1109, "nobodyToKick",
        "Nobody was named to be removed."
    )

    /// 1110: the list of members to ban is empty.
    public static let nobodyToBan = ErrorCode(1110, "nobodyToBan", "Nobody was named to be banned.")

    /// 1111: a channel preference is to be set without any value.
    public static let noPreferenceToSet = ErrorCode(
        1111, "noPreferenceToSet",
        "No preference was given."
    )

    /// 1112: a profile is to be set without any value.
    public static let noProfileToSet = ErrorCode(
        1112, "noProfileToSet",
        "No part of the profile was given."
    )

    /// 1113: the message belongs to somebody else.
    public static let messageNotOwned = ErrorCode(
        1113, "messageNotOwned",
        "This message does not belong to you."
    )

    /// 1114: somebody in a list is no member.
    public static let notAllMembers = ErrorCode(
        1114, "notAllMembers",
        "Somebody in the given list is not in the channel."
    )

    /// 1115: the channel would have more members than it may have; for invitations and bans see 7018.
    public static let tooManyMembers = ErrorCode(1115, "tooManyMembers", "The channel would have too many members.")

    /// 1116: the caller answers an invitation and is not invited.
    public static let notInvited = ErrorCode(
        1116, "notInvited",
        "You are not invited to this channel."
    )

    /// 1117: the caller is not a member any more.
    public static let notMember = ErrorCode(1117, "notMember", "You are not a member of this channel.")

    /// 1118: the message does not exist, was recalled or may not be read.
    public static let messageNotFound = ErrorCode(1118, "messageNotFound", "There is no such message.")

    /// 1119: the same `transID` came before with another body.
    public static let duplicateTransID = ErrorCode(
        1119, "duplicateTransID",
        "Another command with the same transID was carried out already."
    )

    /// 1120: the member has this role already, or it cannot be given.
    public static let noRoleToSet = ErrorCode(
        1120, "noRoleToSet",
        "This role cannot be given to this member."
    )

    /// 1121: it is too late to recall the message, to vote, or to change a schedule.
    public static let timeExpired = ErrorCode(1121, "timeExpired", "The time for this is over.")

    /// 1122: more options were chosen than the vote allows, or the choice was changed and the vote does not allow that.
    public static let tooManyVotes = ErrorCode(
        1122, "tooManyVotes",
        "This vote does not allow these choices."
    )

    /// 6000: the token, or what a device has stored, belongs to another user than the connected one.
    public static let notCurrentUser = ErrorCode(6000, "notCurrentUser", "This is not the current user.")
}

// 7000–7099: Roost's own.
extension ErrorCode {
    /// 7001: there is no login: a command came before `hello`, or a request without a token.
    public static let notAuthenticated = ErrorCode(7001, "notAuthenticated", "You have to log in first.")

    /// 7002: the token has expired; a new one is needed.
    public static let tokenExpired = ErrorCode(7002, "tokenExpired", "The token is no longer valid.")

    /// 7003: one of the two users has blocked the other.
    public static let blocked = ErrorCode(7003, "blocked", "One of the users has blocked the other.")

    /// 7004: the send that `after` names is unknown.
    public static let orderBroken = ErrorCode(
        7004, "orderBroken", isRetryable: true,
        "The message that has to come before this one has not arrived."
    )

    /// 7005: the frame, the body or the answer is larger than the limit.
    public static let tooLarge = ErrorCode(7005, "tooLarge", "The request or its answer is too large.")

    /// 7006: reserved, this server never sends it. A log that cannot be continued is a reset in the answer to `resume`.
    public static let positionUnknown = ErrorCode(
        7006, "positionUnknown", isRetryable: true, isReserved: true,
        "The position to resume from is unknown, so start again from the newest state."
    )

    /// 7007: the disk of the server is full; nothing was changed.
    public static let storageFull = ErrorCode(
        7007, "storageFull", isRetryable: true,
        "The server has no more space to store messages."
    )

    /// 7008: the server is about to stop; connect again.
    public static let draining = ErrorCode(
        7008, "draining", isRetryable: true,
        "The server is about to stop or to restart."
    )

    /// 7009: the server does not speak the version of the protocol that `hello` names.
    public static let protocolVersion = ErrorCode(
        7009, "protocolVersion",
        "This version of the protocol is not supported."
    )

    /// 7010: reserved, this server never sends it. Somebody else holds what may be open only once.
    public static let alreadyOpen = ErrorCode(
        7010, "alreadyOpen", isReserved: true, "It is already open elsewhere.")

    /// 7011: nobody has this user id; if a channel is made or a member invited, it is 1106.
    public static let userNotFound = ErrorCode(7011, "userNotFound", "There is no such user.")

    /// 7012: no broadcast has this id.
    public static let broadcastNotFound = ErrorCode(7012, "broadcastNotFound", "There is no such broadcast.")

    /// 7013: the caller has no waiting schedule with this id.
    public static let scheduleNotFound = ErrorCode(7013, "scheduleNotFound", "There is no such schedule.")

    /// 7014: the message exists, but is no vote.
    public static let notAVote = ErrorCode(7014, "notAVote", "This message is not a vote.")

    /// 7015: the vote has not opened yet.
    public static let voteNotOpen = ErrorCode(7015, "voteNotOpen", "This vote has not opened yet.")

    /// 7016: the broadcast is done or cancelled, and cannot change any more.
    public static let broadcastFinished = ErrorCode(
        7016, "broadcastFinished",
        "This broadcast is done or cancelled already."
    )

    /// 7017: somebody in a list is not banned.
    public static let notBanned = ErrorCode(7017, "notBanned", "Somebody in the given list is not banned.")

    /// 7018: there are as many as allowed; something has to go first.
    ///
    /// It belongs to the limits `schedules`, `blockedUsers`, `broadcasts`, `reactionKinds`, `pins`,
    /// `invitations`, `bans`, `openChannelsPerConnection`, `fileBytesPerUser`, `uploads` and `reportsPerDay`.
    public static let limitReached = ErrorCode(7018, "limitReached", "The limit for this is reached.")

    /// 7019: a user would be in more channels than one user may be in.
    public static let tooManyChannels = ErrorCode(7019, "tooManyChannels", "The user would be in too many channels.")

    /// 7020: the user has as many connections as one user may have.
    public static let tooManyConnections = ErrorCode(
        7020, "tooManyConnections", isRetryable: true,
        "This user has too many connections."
    )

    /// 7021: the connection has said `hello` before.
    public static let alreadyLoggedIn = ErrorCode(7021, "alreadyLoggedIn", "This connection has logged in already.")

    /// 7022: not all bytes of the file have arrived, so no message can use it yet.
    public static let uploadIncomplete = ErrorCode(
        7022, "uploadIncomplete", "Not all bytes of this file have arrived.")

    /// 7023: a message or a picture needs a file of another type, or this server does not accept the type.
    public static let fileTypeRefused = ErrorCode(
        7023, "fileTypeRefused", "A file of this type is not accepted here.")

    /// 7024: the storage for files cannot be reached; messages without files are not affected.
    public static let fileStoreUnavailable = ErrorCode(
        7024, "fileStoreUnavailable", isRetryable: true, "The storage for files cannot be reached at the moment.")

    /// 7025: the bytes do not continue the upload where it ended; `HEAD` tells where to continue.
    public static let uploadOffset = ErrorCode(
        7025, "uploadOffset", isRetryable: true, "The upload has to be continued at another position.")

    /// 7026: an operator has banned the user from the server.
    public static let userBanned = ErrorCode(7026, "userBanned", "This user may not use the server.")

    /// 7027: the user was deleted, and the id cannot be used again.
    public static let userDeleted = ErrorCode(7027, "userDeleted", "This user was deleted.")

    /// 7028: no report has this id.
    public static let reportNotFound = ErrorCode(7028, "reportNotFound", "There is no such report.")

    /// 7029: no login of this device is known.
    public static let deviceNotFound = ErrorCode(7029, "deviceNotFound", "No login of this device is known.")
}
