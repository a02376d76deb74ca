import HTTPTypes
import Hummingbird
import RoostCore
import RoostWire

/// The error for a request to the endpoint of the WebSockets that does not ask for one.
private let noWebSocket = WireError(
    .wrongEndpoint,
    """
    This endpoint is for WebSockets: connect with version 13. If a proxy is before the server, let it pass on the headers Upgrade \
    and Connection.
    """)

/// Creates the routes of the server.
func buildRouter(
    commands: CommandsController, files: FilesController, web: WebController, readiness: ReadinessCheck
) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    web.add(to: router)
    // For requests that the gate leaves here: those of pages, and those behind others on the same connection.
    router.get("/healthz") { _, _ in HTTPAnswer.response(UpgradeGate.health) }
    router.get("/readyz") { _, _ in try await readiness.response() }
    router.get("/v1/connect") { _, _ in
        var response = HTTPAnswer.response(noWebSocket, status: .upgradeRequired)
        response.headers[.upgrade] = "websocket"
        response.headers[.secWebSocketVersion] = "13"
        return response
    }
    // A browser does not tell a page why it gets no WebSocket, but a POST of the page names its origin, as the WebSocket does:
    // a page whose origin is refused gets the reason, and this answer says that it is something else.
    router.post("/v1/connect") { _, _ in HTTPAnswer.response(noWebSocket) }
    files.add(to: router)
    RefreshController(commands: commands).add(to: router)
    router.post("/v1/{command}") { request, context in
        await commands.perform(context.parameters.get("command") ?? "", request, context)
    }
    return router
}

/// Responds to one request by a route, or with a JSON error.
func answer(
    _ request: Request, _ context: ServerContext, _ responder: some HTTPResponder<ServerContext>,
    _ configuration: ServerConfiguration
) async throws -> Response {
    if let sentence = request.headers[.roostRefused] {
        var response = HTTPAnswer.response(WireError(.noPrivilege, sentence))
        // A page that may not connect may know why.
        if request.uri.path == UpgradeGate.path { response.headers[.accessControlAllowOrigin] = "*" }
        return response
    }
    var response: Response
    if let preflight = CrossOrigin.preflight(request, configuration) {
        response = preflight
    } else {
        response = try await responder.respond(to: request, context: context)
    }
    // The router's default response to an unknown path or method has no body.
    if response.status == .notFound, response.headers[.contentType] == nil {
        response = HTTPAnswer.response(
            WireError(
                .wrongEndpoint, "There is no such endpoint for this method. Send commands with POST /v1/<command>."))
    }
    CrossOrigin.addHeaders(to: &response, for: request, configuration)
    return request.method == .head ? response.createHeadResponse() : response
}
