import ArgumentParser
import Crypto
import Foundation
import RoostClient
import RoostWire

/// The commands for the keys of backends.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Create, list and revoke the keys with which backends use the HTTP API.",
        discussion: """
            These commands need an operator's token. A backend sends its key in place of a token:

              KEY=$(roost key create --token OPERATOR-TOKEN backend --scope accounts)
              curl -H "Authorization: Bearer $KEY" http://127.0.0.1:7878/v1/user.find -d '{"userIDs":["ann"]}'
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a key and print it: it is shown only this once.",
            discussion: """
                The key is made here, and the server stores only its hash.

                A key with the scope visitors may stand in the source of a page: with it, people without an account can \
                talk to the user of the key, and do nothing else. See docs/accounts.md.
                """)

        @OptionGroup var options: ClientOptions

        @Argument(help: "The name of the key: 1 to 64 of A-Z a-z 0-9 _ . -")
        var key: String

        @Option(
            help: "What the key may be used for: accounts, messages, operator, or visitors alone. Repeatable.",
            transform: { text in
                guard let scope = KeyScope(rawValue: text) else {
                    throw ValidationError("A scope is one of accounts, messages, operator and visitors.")
                }
                return scope
            })
        var scope: [KeyScope] = []

        @Option(help: ArgumentHelp("The user in whose name it is used; I if omitted.", valueName: "user"))
        var of: UserID?

        func validate() throws {
            guard !scope.isEmpty else { throw ValidationError("Give at least one --scope.") }
            guard !scope.contains(.visitors) || Set(scope).count == 1 else {
                throw ValidationError("A key for visitors is public: give it no other --scope.")
            }
        }

        func run(_ client: ChatClient) async throws {
            var generator = SystemRandomNumberGenerator()
            var digits = Array(APIKey.prefix.utf8)
            for _ in 0..<APIKey.digits / 16 { HexDigits.append(generator.next(), digits: 16, to: &digits) }
            var hash: [UInt8] = []
            for byte in SHA256.hash(data: digits) { HexDigits.append(UInt64(byte), digits: 2, to: &hash) }
            _ = try await client.perform(
                CreateKey(key: key, hash: String(decoding: hash, as: UTF8.self), scopes: scope, userID: of))
            let text = String(decoding: digits, as: UTF8.self)
            try options.show(Created(name: key, key: text), text)
        }

        private struct Created: Encodable {
            var name: String
            var key: String
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the keys, revoked ones included.")

        @OptionGroup var options: ClientOptions

        func run(_ client: ChatClient) async throws {
            for key in try await client.perform(ListKeys()).keys {
                let scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
                let end = key.revokedAt.map { ", revoked \($0.formatted(.iso8601))" } ?? ""
                try options.show(
                    key,
                    "\(key.name)  \(scopes)  as \(key.userID), created \(key.createdAt.formatted(.iso8601))\(end)")
            }
        }
    }

    struct Revoke: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke a key: it is refused from now on.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The name of the key.")
        var name: String

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(RevokeKey(key: name), under: key.transID), done: "revoked \(name)")
        }
    }
}
