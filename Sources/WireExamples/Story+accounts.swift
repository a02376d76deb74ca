import RoostWire

// Accounts and keys: the commands with their answers.
extension Story {
    func accounts() throws -> [Examples.Exchange] {
        let dan = try Self.id("u-9c3e51d721f04b66a8c0") as UserID
        let visitor = try Self.id("u-47d10be2a95c3f6e8b21") as UserID
        let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1LTljM2U1MSJ9.c2lnbmF0dXJl"
        let login = LoginAnswer(userID: dan, loginName: "Dan@work", token: token, expiresAt: at(86_400))
        return try [
            try exchange(
                RegisterAccounts(accounts: [
                    NewAccount(
                        loginName: "Dan@work", password: "correct horse", name: "Dan", phone: "+491701234567",
                        email: "dan@example.com", corpID: "example-kk"),
                    NewAccount(loginName: "ann", password: "battery staple", userID: ann.userID),
                ]), id: "o-0012",
                answer: RegisterAccounts.Answer(results: [
                    .init(loginName: "Dan@work", userID: dan),
                    .init(
                        loginName: "ann",
                        error: WireError(
                            .accountExists,
                            "The login name, the phone number or the user id has an account already.")),
                ])),
            try exchange(
                Authenticate(
                    loginName: "dan@work", password: "correct horse", ttl: 86_400, address: "192.0.2.17"), id: "33",
                answer: login),
            try exchange(LogIn(loginName: "dan@work", password: "correct horse"), id: "34", answer: login),
            try exchange(
                SignUp(loginName: "Dan.work", password: "correct horse", name: "Dan"), id: "40",
                answer: LoginAnswer(userID: dan, loginName: "Dan.work", token: token, expiresAt: at(86_400))),
            try exchange(
                StartVisit(key: "roost-key-" + String(repeating: "0123456789abcdef", count: 4), name: "Kim"), id: "41",
                answer: StartVisit.Answer(
                    userID: visitor, host: ann.userID, token: token, expiresAt: at(30 * 86_400))),
            try exchange(
                LogIn(code: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2UiOiJjb2RlIn0.c2lnbmF0dXJl"), id: "39", "code",
                answer: LoginAnswer(userID: bob.userID, loginName: "bob", token: token, expiresAt: at(86_400))),
            try exchange(
                SetAccount(password: "staple battery", oldPassword: "correct horse"), id: "t-0075",
                answer: try acknowledged(nil, transID: "t-0075", at: 251)),
            try exchange(
                SetAccount(userID: dan, phone: "+4930123456", email: "", corpID: ""), id: "o-0013", "another",
                answer: try acknowledged(nil, transID: "o-0013", at: 252)),
        ] + lookups(of: dan) + keys()
    }

    private func lookups(of dan: UserID) throws -> [Examples.Exchange] {
        [
            try exchange(
                GetAccount(userID: dan), id: "35",
                answer: Account(
                    userID: dan, loginName: "Dan@work", phone: "+491701234567", email: "dan@example.com",
                    corpID: "example-kk", source: .registered)),
            try exchange(
                GetAccount(), id: "36", "own",
                answer: Account(userID: ann.userID, source: .token, deviceID: device, canCall: false)),
            try exchange(
                FindUsers(userIDs: [bob.userID], loginNames: ["dan@work"], phones: ["+491701234567"]), id: "37",
                answer: FindUsers.Answer(users: [
                    FoundUser(
                        userID: bob.userID, name: bob.name, imageURL: "https://example.com/bob.png", brand: "roost",
                        canChat: true, canCall: true),
                    FoundUser(
                        userID: dan, name: "Dan", loginName: "Dan@work", phone: "+491701234567",
                        email: "dan@example.com", brand: "roost", corpID: "example-kk", canChat: true, canCall: false),
                ])),
        ]
    }

    private func keys() throws -> [Examples.Exchange] {
        let key = APIKey(name: "backend", userID: ann.userID, scopes: [.accounts, .messages], createdAt: at(250))
        return [
            try exchange(
                CreateKey(
                    key: "backend", hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    scopes: [.accounts, .messages], userID: ann.userID), id: "o-0014",
                answer: try acknowledged(nil, transID: "o-0014", at: 250)),
            try exchange(
                ListKeys(), id: "38",
                answer: ListKeys.Answer(keys: [
                    key,
                    APIKey(
                        name: "old", userID: ann.userID, scopes: [.operator], createdAt: at(5), revokedAt: at(249)),
                ])),
            try exchange(
                RevokeKey(key: "backend"), id: "o-0015", answer: try acknowledged(nil, transID: "o-0015", at: 253)),
        ]
    }
}
