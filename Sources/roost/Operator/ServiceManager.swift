import Foundation

/// Tells systemd, or another service manager that reads `NOTIFY_SOCKET`, how far the server is (sd_notify(3)).
enum ServiceManager {
    /// Sends a state, such as `READY=1`; does nothing if nobody has asked for it.
    /// - Parameter path: the path of a socket, or its name in Linux's abstract space behind an `@`.
    static func notify(
        _ state: String, at path: String? = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"]
    ) {
        guard let path, path.hasPrefix("/") || path.hasPrefix("@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout.size(ofValue: address) - room + name.count)
        let text = Array(state.utf8)
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.count, 0, address, length)
            }
        }
    }
}
