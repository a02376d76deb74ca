import Synchronization

/// This server as one of those that use a database, which have to agree on some settings.
package final class LocalNode: Sendable {
    /// What another process proves by holding it: whoever held it before has ended. Nil if nothing can prove that.
    package let place: String?
    /// The version of the binary, for people.
    package let version: String
    /// Names the bytes of unfinished uploads that the server has, from one start to the next.
    package let spool: String?
    private let state: Mutex<(address: String, url: String?, settings: NodeSettings)>

    /// - Parameters:
    ///   - place: names what only one process can hold, such as a locked file.
    ///   - address: where the server can be found, for people.
    ///   - spool: names the bytes of unfinished uploads that it has.
    ///   - url: where other servers reach it; nil as long as it does not know that.
    package init(
        place: String?, version: String, address: String, spool: String? = nil, url: String? = nil,
        settings: NodeSettings
    ) {
        self.place = place
        self.version = version
        self.spool = spool
        state = Mutex((address, url, settings))
    }

    /// Where the server can be found. A change is stored with the next beat.
    package var address: String {
        get { state.withLock { $0.address } }
        set { state.withLock { $0.address = newValue } }
    }

    /// Where other servers reach it. A change is stored with the next beat.
    package var url: String? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// What the servers have to agree on. A change is stored with the next beat.
    package var settings: NodeSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }
}

/// What servers that use one database at the same time have to agree on.
///
/// Servers of several versions read it from each other, so what is added to it is optional.
package struct NodeSettings: Codable, Hashable, Sendable {
    /// Whether other servers may use the database at the same time.
    package var allowsOthers: Bool
    /// Whether the server is ending, so that the next one waits for that.
    package var isLeaving = false
    /// The ids of the keys that sign tokens, the one that signs first.
    package var secrets: [String]
    /// The ids of the keys for content, the one that encrypts first; empty if nothing is encrypted.
    package var encryptionKeys: [String]
    /// The values of all options that this version knows, by name.
    package var options: [String: String]

    package init(allowsOthers: Bool, secrets: [String], encryptionKeys: [String], options: [String: String]) {
        self.allowsOthers = allowsOthers
        self.secrets = secrets
        self.encryptionKeys = encryptionKeys
        self.options = options
    }

    /// Why a server with these settings cannot run beside another one, as sentences; nil if it can.
    /// - Parameter name: the other one, at the beginning of a sentence.
    func refusal(beside other: NodeSettings, name: String) -> String? {
        guard allowsOthers, other.allowsOthers else {
            return """
                \(name) uses this database. Stop it first; docs/stores.md has what is missing if both are started with \
                --several-nodes.
                """
        }
        guard Self.agree(secrets, other.secrets) else {
            return
                "\(name) has another secret, so neither accepts the other's tokens. Copy the file secret from its --data to this one."
        }
        guard Self.agree(encryptionKeys, other.encryptionKeys) else {
            return """
                \(name) encrypts with another key, so neither reads what the other writes. Give both the same file with \
                --encryption-key; to change the key, first add the new one to the end of each file.
                """
        }
        // What only one of two versions knows is nothing to agree on.
        let names = Set(options.keys).intersection(other.options.keys).filter { options[$0] != other.options[$0] }
            .sorted()
        guard names.isEmpty else {
            return "\(name) has other values of \(names.joined(separator: ", ")). Start all with the same ones."
        }
        return nil
    }

    /// Whether each side knows the key that the other one uses.
    private static func agree(_ keys: [String], _ others: [String]) -> Bool {
        guard let key = keys.first, let other = others.first else { return keys.isEmpty && others.isEmpty }
        return others.contains(key) && keys.contains(other)
    }
}
