import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import RoostWire
import Synchronization

/// Serves the page: the app at `/`, its files below `/web`, and the modules that pages of others import.
struct WebController: Sendable {
    let configuration: ServerConfiguration
    /// The key for notifications to browsers, if there are any.
    let webPushKey: String?
    /// Whether links to files lead to another server.
    let hasRedirects: Bool
    /// Whether anybody has a password.
    let hasPasswords: @Sendable () async -> Bool
    /// The host of the identity provider where people sign in to the page; nil if they do not.
    let provider: String?

    private let known = KnownFiles()

    private static let modules = ["roost.js", "roost-chat.js", "roost-text-chat.js", "roost-launcher.js"]

    /// Whether this is a request for a module, which has nothing to hide and which any page may import.
    static func isModule(_ head: HTTPRequestHead) -> Bool {
        guard head.method == .GET || head.method == .HEAD else { return false }
        let path = head.uri.prefix { $0 != "?" }
        return modules.contains { path == "/\($0)" } || path.hasPrefix("/web/") && path.hasSuffix(".js")
    }

    /// Adds the routes.
    func add(to router: Router<ServerContext>) {
        router.get("/") { request, _ in
            var response: Response
            if configuration.web != nil, request.headers[.accept]?.contains("text/html") == true {
                response = answer(request, file("app/index.html"))
            } else {
                response = HTTPAnswer.response(Array(await summary().utf8))
            }
            response.headers[values: .vary].append("Accept")
            return response
        }
        guard configuration.web != nil else { return }
        router.get("/web/**") { request, _ in
            let path = request.uri.path
            return answer(request, path.hasPrefix("/web/") ? file(String(path.dropFirst(5))) : nil)
        }
        // A service worker may only control the pages below its own path.
        for name in ["worker.js", "app.webmanifest"] {
            router.get("/\(name)") { request, _ in answer(request, file("app/\(name)")) }
        }
        for name in Self.modules {
            let module = WebFile(name, Array("export * from \"./web/\(name)\";\n".utf8))
            router.get("/\(name)") { request, _ in answer(request, file(name) == nil ? nil : module) }
        }
    }

    /// What a program gets at `/`.
    private func summary() async -> String {
        let key = webPushKey.map { #","webPushKey":"\#($0)""# } ?? ""
        let provider = provider.map { #","provider":"\#($0)""# } ?? ""
        let allowsSignUp = configuration.allowsPasswordLogins && configuration.allowsSignUp
        let hasPasswords = configuration.allowsPasswordLogins ? await hasPasswords() || allowsSignUp : false
        return """
            {"server":"roost","protocol":\(ProtocolVersion.current),"connect":"\(UpgradeGate.path)",\
            "guests":\(configuration.isDevelopment),"passwords":\(hasPasswords),\
            "signUp":\(allowsSignUp),"keepsLogins":\(configuration.keptLoginMs > 0)\(provider)\(key)}
            """
    }

    private func file(_ path: String) -> WebFile? { configuration.web?(path).map { known.same($0, at: path) } }

    private func answer(_ request: Request, _ file: WebFile?) -> Response {
        guard let file else { return Response(status: .notFound) }
        var headers: HTTPFields = [
            .contentType: file.mediaType, .eTag: file.tag, .contentTypeOptions: "nosniff",
            .vary: "Accept-Encoding",
            .cacheControl: file.isFinal ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if file.mediaType.hasPrefix("text/html") {
            headers.append(contentsOf: pageHeaders)
        } else {
            headers[.accessControlAllowOrigin] = "*"
            headers[.crossOriginResourcePolicy] = "cross-origin"
        }
        if let known = request.headers[.ifNoneMatch], HTTPAnswer.matches(known, file.tag) {
            return Response(status: .notModified, headers: headers)
        }
        var bytes = file.buffer
        if let gzip = file.gzip, Self.acceptsGzip(request) {
            bytes = gzip
            headers[.contentEncoding] = "gzip"
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    private static func acceptsGzip(_ request: Request) -> Bool {
        request.headers[.acceptEncoding]?.split(separator: ",").contains { part in
            let name = part.trimmingPrefix { $0 == " " }
            return name == "gzip" || name.hasPrefix("gzip;") && !name.hasSuffix("q=0")
        } == true
    }

    /// Headers of an HTML page, with which it runs nothing but its own modules, and is framed only by whom the operator
    /// allows.
    private var pageHeaders: HTTPFields {
        let ancestors = configuration.frameAncestors
        let fileSources = "'self' blob:" + (hasRedirects ? " https:" : "")
        let images = (["data:"] + configuration.imageOrigins).joined(separator: " ")
        var headers: HTTPFields = [
            .contentSecurityPolicy: [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(fileSources) \(images)",
                "media-src \(fileSources)", "connect-src 'self'", "font-src 'self'", "manifest-src 'self'",
                "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
                "frame-ancestors \(ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " "))",
                "require-trusted-types-for 'script'", "trusted-types roost",
            ].joined(separator: "; "),
            .referrerPolicy: "no-referrer", .crossOriginOpenerPolicy: "same-origin",
            .permissionsPolicy: [
                "microphone=(self)", "camera=()", "display-capture=()", "geolocation=()", "payment=()", "usb=()",
                "serial=()", "hid=()", "midi=()", "accelerometer=()", "gyroscope=()", "magnetometer=()",
                "browsing-topics=()",
            ].joined(separator: ", "),
        ]
        if ancestors.isEmpty { headers[.frameOptions] = "DENY" }
        return headers
    }
}

/// The files of the page that were served last. A folder's file is read again for each request, but its responses share one copy.
private final class KnownFiles: Sendable {
    private let files = Mutex<[String: WebFile]>([:])

    /// The file that was served at this path, if that has the same content.
    func same(_ file: WebFile, at path: String) -> WebFile {
        files.withLock { files in
            if let known = files[path], known.tag == file.tag { return known }
            files[path] = file
            return file
        }
    }
}
