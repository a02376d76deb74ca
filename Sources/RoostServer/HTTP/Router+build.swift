import HTTPTypes
import Hummingbird
import RoostCore
import RoostWire

/// Creates the routes of the server.
func buildRouter(
    commands: CommandsController, files: FilesController, web: WebController, draining: Draining
) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    let core = commands.core
    web.add(to: router)
    router.get("/healthz") { _, _ in HTTPAnswer.response(Array(#"{"alive":true}"#.utf8)) }
    router.get("/readyz") { _, _ in
        let isReady = core.isReady && !draining.isOn
        return HTTPAnswer.response(
            Array(#"{"ready":\#(isReady)}"#.utf8), status: isReady ? .ok : .serviceUnavailable)
    }
    router.get("/v1/connect") { _, _ in
        var response = HTTPAnswer.response(
            WireError(.wrongEndpoint, "This endpoint is for WebSockets: connect with version 13."),
            status: .upgradeRequired)
        response.headers[.upgrade] = "websocket"
        response.headers[.secWebSocketVersion] = "13"
        return response
    }
    files.add(to: router)
    router.post("/v1/{command}") { request, context in
        await commands.perform(context.parameters.get("command") ?? "", request, from: context.address)
    }
    return router
}

/// Responds to one request by a route, or with a JSON error.
func answer(
    _ request: Request, _ context: ServerContext, _ responder: some HTTPResponder<ServerContext>,
    _ configuration: ServerConfiguration
) async throws -> Response {
    guard request.headers[.roostRefused] == nil else { return HTTPAnswer.response(Origins.refusal(configuration)) }
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
