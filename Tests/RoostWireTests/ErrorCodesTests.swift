import RoostWire
import Testing

/// The registry, written down a second time: a number or a name that changes
/// here breaks every client in the field.
private let expectedCodes = """
    1 wrongCredentials
    2 unknownOperation
    3 accountDatabase retryable
    4 internalFault
    5 wrongEndpoint
    6 dataFormat
    7 functionUnavailable
    8 numberFormat
    601 wrongPassword
    602 noAccount
    603 accountExists
    604 passwordRequired
    605 accountLimitReached
    1000 unknown
    1001 invalidContent
    1002 commandNotSupported
    1003 databaseAccess retryable
    1004 tooManyRequests retryable
    1008 scheduleTime
    1101 channelIDFormat
    1102 channelIDExists
    1103 channelTypeNotSupported
    1104 channelTypeMismatch
    1105 channelNotFound
    1106 userMissing
    1107 noPrivilege
    1108 tooFewMembers
    1109 nobodyToKick
    1110 nobodyToBan
    1111 noPreferenceToSet
    1112 noProfileToSet
    1113 messageNotOwned
    1114 notAllMembers
    1115 tooManyMembers
    1116 notInvited
    1117 notMember
    1118 messageNotFound
    1119 duplicateTransID
    1120 noRoleToSet
    1121 timeExpired
    1122 tooManyVotes
    6000 notCurrentUser
    7001 notAuthenticated
    7002 tokenExpired
    7003 blocked
    7004 orderBroken retryable
    7005 tooLarge
    7006 positionUnknown retryable reserved
    7007 storageFull retryable
    7008 draining retryable
    7009 protocolVersion
    7010 alreadyOpen reserved
    7011 userNotFound
    7012 broadcastNotFound
    7013 scheduleNotFound
    7014 notAVote
    7015 voteNotOpen
    7016 broadcastFinished
    7017 notBanned
    7018 limitReached
    7019 tooManyChannels
    7020 tooManyConnections retryable
    7021 alreadyLoggedIn
    7022 uploadIncomplete
    7023 fileTypeRefused
    7024 fileStoreUnavailable retryable
    7025 uploadOffset retryable
    7026 userBanned
    7027 userDeleted
    7028 reportNotFound
    7029 deviceNotFound
    """

@Suite struct ErrorCodesTests {
    @Test func `the registry of error codes equals the table`() {
        let lines = ErrorCode.all.map { entry in
            "\(entry.code) \(entry.name)" + (entry.isRetryable ? " retryable" : "")
                + (entry.isReserved ? " reserved" : "")
        }
        #expect(lines.joined(separator: "\n") == expectedCodes)
    }

    @Test func `numbers ascend and no name is used twice`() {
        let codes = ErrorCode.all.map(\.code)
        #expect(zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(ErrorCode.all.map(\.name)).count == ErrorCode.all.count)
    }

    @Test(arguments: ErrorCode.all) func `every code is found by its number`(entry: ErrorCode) {
        #expect(ErrorCode.find(entry.code) == entry)
    }

    @Test(arguments: [0, -1, 9, 606, 1005, 1100, 1123, 7000, 7030, 7099, Int.min, Int.max])
    func `success and unknown numbers are not errors of the registry`(code: Int) {
        #expect(ErrorCode.find(code) == nil)
    }

    @Test(arguments: ErrorCode.all) func `every code has a plain name and one sentence`(entry: ErrorCode) {
        #expect(entry.name.wholeMatch(of: /[a-z][A-Za-z]+/) != nil)
        #expect(entry.meaning.wholeMatch(of: /[A-Z][^.]+\./) != nil)
    }

    @Test func `Roost's own codes stay between 7001 and 7099`() {
        let reference = Set(1...8).union(601...605).union(1000...1004).union([1008]).union(1101...1122).union([6000])
        let own = ErrorCode.all.map(\.code).filter { !reference.contains($0) }
        #expect(own.count == 29)
        #expect(own.allSatisfy { (7001...7099).contains($0) })
        #expect(reference.allSatisfy { ErrorCode.find($0) != nil })
    }
}
