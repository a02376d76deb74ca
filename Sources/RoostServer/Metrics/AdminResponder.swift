import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import RoostWire

/// Answers on the port for those who run the server: metrics, and whether it works.
///
/// Only programs of this machine reach the port. A page in a browser of this machine is one of them, so a request has to
/// name this machine as its host: a page of another host cannot, even if the name of that host leads here.
struct AdminResponder: Sendable {
    private static let metricsType = "text/plain; version=0.0.4; charset=utf-8"

    let readiness: ReadinessCheck
    let metrics: MetricsPage

    func response(to head: HTTPRequest) async throws -> Response {
        guard Self.isHere(head.authority) else {
            return HTTPAnswer.response(
                WireError(.noPrivilege, "This port answers to 127.0.0.1, [::1] and localhost only."))
        }
        guard head.method == .get || head.method == .head else {
            return HTTPAnswer.response(
                WireError(.wrongEndpoint, "Only GET is answered here."), status: .methodNotAllowed)
        }
        let path = head.path?.prefix { $0 != "?" } ?? ""
        let response: Response =
            switch path {
            case "/metrics":
                Response(
                    status: .ok, headers: [.contentType: Self.metricsType, .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await page())))
            case "/healthz": HTTPAnswer.response(UpgradeGate.health)
            case "/readyz": try await readiness.response()
            default:
                HTTPAnswer.response(
                    WireError(.wrongEndpoint, "There are /metrics, /readyz and /healthz on this port."))
            }
        return head.method == .head ? response.createHeadResponse() : response
    }

    /// The metrics. A client that does not wait must not make those of another one wrong.
    private func page() async -> String { await Task { [metrics] in await metrics.text() }.value }

    private static func isHere(_ authority: String?) -> Bool {
        guard let authority else { return false }
        let host = authority.replacing(/:[0-9]+$/, with: "").lowercased()
        return ["127.0.0.1", "localhost", "[::1]"].contains(host)
    }
}
