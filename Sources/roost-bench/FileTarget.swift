import Foundation
import RoostWire
import Synchronization

/// A server that files are sent to and read from.
enum FileTarget: Sendable {
    /// Roost, as the guest with this name.
    case roost(port: UInt16, user: String)
    case nginx(Nginx)

    var port: UInt16 {
        switch self {
        case .roost(let port, _): port
        case .nginx(let nginx): nginx.port
        }
    }

    var isNginx: Bool { if case .nginx = self { true } else { false } }

    /// Uploads a file with one request.
    /// - Returns: the name of the file at this server.
    func upload(_ body: FileBody, over connection: inout FileConnection) throws -> String {
        switch self {
        case .roost(_, let user):
            let answer = try connection.exchange(
                [
                    "POST /v1/files HTTP/1.1", "Roost-Guest: \(user)", "Tus-Resumable: 1.0.0",
                    "Upload-Length: \(body.size)", "Content-Type: application/offset+octet-stream",
                ], body)
            guard answer.status == 201, answer.fields["upload-offset"] == "\(body.size)" else {
                throw refused("the upload", answer)
            }
            return try WireCodec.decode(FileUpload.self, from: answer.body).fileID.rawValue
        case .nginx:
            let name = String(decoding: body.beginning, as: UTF8.self)
            let answer = try connection.exchange(["PUT /\(name) HTTP/1.1"], body)
            guard answer.status == 201 else { throw refused("the upload", answer) }
            return name
        }
    }

    /// Downloads a file of this size and drops its bytes.
    func download(_ path: String, size: Int, over connection: inout FileConnection) throws {
        let answer = try connection.exchange(["GET \(path) HTTP/1.1"], isKept: false)
        guard answer.status == 200, answer.size == size else { throw refused("the download", answer) }
    }

    private func refused(_ what: String, _ answer: FileConnection.Answer) -> BenchFailure {
        let text = String(decoding: answer.body.prefix(200), as: UTF8.self)
        return BenchFailure(
            description: "\(isNginx ? "nginx" : "The server") answered \(what) with \(answer.status). \(text)")
    }
}

/// An nginx of this machine, as an unprivileged process with its own configuration and a temporary folder.
final class Nginx: Sendable {
    let port: UInt16
    private let folder: String
    private let process: Mutex<Process?>

    /// How to get nginx.
    static let hint = "nginx is not installed, so only Roost is measured. To compare: apt-get install nginx"

    /// Starts nginx; nil if it is not installed.
    static func start() async throws -> Nginx? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let programs = (folders + ["/usr/sbin", "/usr/local/sbin"]).map { $0 + "/nginx" }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else { return nil }
        let nginx = try Nginx(program, port: freePort())
        for _ in 0..<250 {
            if (try? FileConnection(port: nginx.port)) != nil { return nginx }
            try await Task.sleep(for: .milliseconds(20))
        }
        nginx.stop()
        throw BenchFailure(description: "nginx has not started within 5 s.")
    }

    private init(_ program: String, port: UInt16) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-bench-nginx-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        try Self.configuration(folder, port).write(toFile: folder + "/nginx.conf", atomically: false, encoding: .utf8)
        var words = [program, "-e", "stderr", "-p", folder, "-c", folder + "/nginx.conf"]
        if geteuid() == 0, let nobody = getpwnam("nobody")?.pointee {
            chown(folder, nobody.pw_uid, nobody.pw_gid)
            chown(folder + "/files", nobody.pw_uid, nobody.pw_gid)
            let ids = ["--reuid", "\(nobody.pw_uid)", "--regid", "\(nobody.pw_gid)", "--clear-groups"]
            words = ["/usr/bin/setpriv"] + ids + words
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        try process.run()
        self.port = port
        self.folder = folder
        self.process = Mutex(process)
    }

    /// As Debian's, but it writes to the folder only, and does not end connections after 1,000 requests.
    private static func configuration(_ folder: String, _ port: UInt16) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off;
            worker_processes auto;
            pid \(folder)/nginx.pid;
            error_log stderr error;
            events { worker_connections 768; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                client_max_body_size 0;
                \(temporary.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port);
                    root \(folder)/files;
                    dav_methods PUT;
                }
            }

            """
    }

    private static func freePort() throws -> UInt16 {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw BenchFailure(description: "There is no free port.") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until these files are durable; nginx answers before they are.
    func sync(_ names: [String]) {
        for name in names {
            let file = open(folder + "/files/" + name, O_RDONLY)
            fsync(file)
            close(file)
        }
    }

    func delete(_ names: [String]) {
        for name in names { unlink(folder + "/files/" + name) }
    }

    /// Stops it and deletes its folder.
    func stop() {
        process.withLock { running in
            running?.terminate()
            running?.waitUntilExit()
            running = nil
        }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
