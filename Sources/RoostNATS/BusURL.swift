import Foundation

/// Where the NATS servers of a bus are, and how to log in there.
///
/// The text is `nats://user:password@host:4222`, or several of these with commas between them: the servers of one NATS
/// cluster, with one login. `tls://` encrypts, and checks certificate and host name. `nats://token@host` logs in with a token.
/// A server on another machine needs a login, as whoever reaches NATS can read what users write.
package struct BusURL: Sendable {
    struct Login: Hashable, Sendable {
        /// A token if there is no password.
        var user: String
        var password: String?
    }

    /// The URL of each server, with its port and without the login.
    package let servers: [String]
    let login: Login?
    let isEncrypted: Bool
    /// The host whose name the certificate must have; nil if each server has another one.
    let hostName: String?

    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: ``Mistake`` if it is not such a text. What is wrong is not repeated, as it may be a password.
    package init(_ text: String) throws {
        var (servers, schemes, hosts, logins): ([String], Set<String>, Set<String>, Set<Login?>) = ([], [], [], [])
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let url = URLComponents(string: part.trimmingCharacters(in: .whitespaces)),
                let scheme = url.scheme?.lowercased(), ["nats", "tls"].contains(scheme), let host = url.host,
                !host.isEmpty, url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil
            else {
                throw Mistake(
                    description: """
                        --bus: use nats://user:password@host:4222 or tls://…, several with commas between them. Characters such \
                        as @ and the comma in a password are written as %40 and %2C.
                        """)
            }
            let login = url.user.flatMap { $0.isEmpty ? nil : Login(user: $0, password: url.password) }
            if login == nil, !Self.isLoopback(host) {
                throw Mistake(
                    description: """
                        --bus: a NATS server on another machine needs a user and a password, or a token: \
                        nats://user:password@host:4222.
                        """)
            }
            servers.append("\(scheme)://\(host):\(url.port ?? 4_222)")
            schemes.insert(scheme)
            hosts.insert(host)
            logins.insert(login)
        }
        guard schemes.count == 1, logins.count == 1 else {
            throw Mistake(description: "--bus: use one of nats:// and tls://, and one login, for all servers.")
        }
        self.servers = servers
        login = logins.first ?? nil
        isEncrypted = schemes == ["tls"]
        hostName = hosts.count == 1 ? hosts.first?.trimmingCharacters(in: ["[", "]"]) : nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "::1", "[::1]"].contains(host) || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
    }

    /// Whether the text asks for encryption.
    package static func isEncrypted(_ text: String) -> Bool { (try? BusURL(text))?.isEncrypted == true }
}
