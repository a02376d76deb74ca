import Foundation
import RoostTesting
import RoostWire
import Testing

/// The metrics of a real server, over the port for those who run it.
@Suite(.firstPassOnly, .timeLimit(.minutes(1))) struct MetricsTests {
    /// A server with its metrics.
    private struct Watched {
        let folder = try? TemporaryFolder()
        let server: ServerProcess
        let address: String
        let admin: HTTPClient

        init(_ engine: Engine, _ options: [String] = []) async throws {
            server = try await ServerProcess.start(
                data: try #require(folder).path + "/data",
                arguments: ["--admin-port", "0"] + engine.options() + options)
            let line = try #require(await server.line())
            #expect(line.hasPrefix("admin http://127.0.0.1:"))
            address = String(line.dropFirst("admin http://".count))
            admin = HTTPClient(port: try #require(Int(line.dropFirst("admin http://127.0.0.1:".count))))
        }

        /// All values, by name and labels.
        func scrape() throws -> [String: Double] {
            let answer = try admin.exchange("GET", "/metrics", [], [:])
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            var values: [String: Double] = [:]
            for line in String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#")
            {
                let parts = line.split(separator: " ")
                #expect(parts.count == 2 && values[String(parts[0])] == nil, "\(line)")
                let value: Double = try #require(Double(String(parts[1])))
                values[String(parts[0])] = value
            }
            return values
        }

        /// How much a value has grown since another look.
        func grown(_ name: String, since before: [String: Double]) throws -> Double {
            try scrape()[name, default: 0] - before[name, default: 0]
        }
    }

    @Test func `roost top shows what a running server does`() async throws {
        let watched = try await Watched(.file)
        let folder = try #require(watched.folder)
        let admin = watched.address
        let top = try Child.roost(["top", "--admin", admin, "--json", "--interval", "0.5"], in: folder)
        let http = HTTPClient(watched.server)
        let ann = HTTPClient.Caller.guest(Cast.ann)
        try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        var rates: [String: Double] = [:]
        while rates["message.send"] == nil {
            try http.perform(SendMessage(channel: Cast.club, text: "hello"), from: ann)
            _ = try http.refusal(SendMessage(channel: "none", text: "hello"), from: ann)
            let shown = try Child.object(try #require(await top.line()))
            #expect(shown["isReady"] as? Bool == true && (shown["gauges"] as? [String: Double])?["roost_sessions"] == 0)
            for command in shown["commands"] as? [[String: Any]] ?? [] {
                rates[try #require(command["name"] as? String)] = command["perSecond"] as? Double
            }
        }
        #expect(rates["message.send", default: 0] > 0)
        top.signal(SIGTERM)
        let once = try await Child.roost(["top", "--admin", admin, "--once", "--interval", "0.5"], in: folder).result()
        #expect(once.status == 0 && once.output.first?.hasPrefix("roost 0.1.0") == true, "\(once)")
        #expect(watched.server.stop() == 0)
        let gone = try await Child.roost(["top", "--admin", admin], in: folder).result()
        #expect(gone.status == 3 && gone.errors.contains("nothing listens there"), "\(gone.errors)")
        #expect(gone.errors.contains("--admin-port"))
    }

    @Test(arguments: Engine.available)
    func `commands are counted by name and code, once for each answer`(engine: Engine) async throws {
        let watched = try await Watched(engine)
        let http = HTTPClient(watched.server)
        let ann = HTTPClient.Caller.guest(Cast.ann)
        let before = try watched.scrape()
        try http.perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        for _ in 1...2 {
            #expect(
                try http.post("message.send", #"{"channel":"club","text":"one"}"#, from: ann, key: "one").error == nil)
        }
        let stranger = HTTPClient.Caller.guest(Cast.cid)
        let refused = try #require(
            try http.post("message.send", #"{"channel":"club","text":"no"}"#, from: stranger).error)
        let other = try #require(
            try http.post("message.send", #"{"channel":"club","text":"two"}"#, from: ann, key: "one").error)
        #expect(ErrorCode.duplicateTransID ~= other)
        try http.perform(ListMessages(channel: Cast.club), from: ann)
        let send = #"roost_commands_total{name="message.send",code="#
        #expect(try watched.grown(send + "\"0\"}", since: before) == 2)
        #expect(try watched.grown(send + "\"\(refused.code)\"}", since: before) == 1)
        #expect(try watched.grown(send + "\"\(other.code)\"}", since: before) == 1)
        #expect(try watched.grown(#"roost_command_seconds_count{name="message.send"}"#, since: before) == 4)
        #expect(try watched.grown(#"roost_commands_total{name="\#(ListMessages.name)",code="0"}"#, since: before) == 1)
        #expect(try watched.grown("roost_commit_seconds_count", since: before) >= 3)
        #expect(try watched.grown("roost_batch_commands_sum", since: before) >= 5)
        #expect((try watched.grown("roost_lock_wait_seconds_count", since: before) > 0) == (engine == .postgres))
        #expect(try watched.scrape()["roost_database_bytes", default: 0] > 10_000)
        #expect(watched.server.stop() == 0)
    }

    @Test func `a login, a login that is refused and what is delivered are counted`() async throws {
        let watched = try await Watched(.file)
        let before = try watched.scrape()
        #expect(before["roost_sessions"] == 0 && before["roost_ready"] == 1)
        let tail = try Child.roost(
            ["tail", "--as", "ann", "--channel", "lobby"], server: watched.server.url,
            in: try #require(watched.folder))
        while try watched.scrape()["roost_sessions"] != 1 { await Task.yield() }
        while try watched.grown(#"roost_logins_total{result="accepted"}"#, since: before) != 1 { await Task.yield() }
        let wrong = try await Child.roost(
            ["send", "--token", "x.y.z", "--channel", "lobby", "hi"], server: watched.server.url,
            in: try #require(watched.folder)
        ).result()
        #expect(wrong.status != 0)
        #expect(try watched.grown(#"roost_logins_total{result="refused"}"#, since: before) == 1)
        try HTTPClient(watched.server).perform(
            SendMessage(channel: "lobby", text: "hi"), from: .guest(Cast.bob))
        while try watched.grown("roost_deliveries_total", since: before) < 3 { await Task.yield() }
        _ = tail
        #expect(watched.server.stop() == 0)
    }

    @Test func `the port has its own paths, and answers to GET`() async throws {
        let watched = try await Watched(.file)
        let admin = watched.admin
        #expect(try admin.exchange("GET", "/metrics?x=y", [], [:]).status == 200)
        #expect(try admin.exchange("GET", "/readyz", [], [:]).status == 200)
        #expect(try admin.exchange("GET", "/healthz", [], [:]).status == 200)
        #expect(try admin.exchange("POST", "/metrics", [], [:]).status == 405)
        #expect(try admin.exchange("GET", "/v1/connect", [], [:]).status == 404)
        #expect(try admin.exchange("GET", "/metrics/", [], [:]).status == 404)
        // Nor are they on the port of the server.
        #expect(try HTTPClient(watched.server).exchange("GET", "/metrics", [], [:]).status == 404)
        #expect(watched.server.stop() == 0)
    }

    @Test func `a port that is in use is named`() async throws {
        let watched = try await Watched(.file)
        let refused = try await Child.roost(
            [
                "serve", "--data", try #require(watched.folder).path + "/other", "--port", "0", "--admin-port",
                String(watched.server.port),
            ], in: try #require(watched.folder)
        ).result()
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("The server cannot run on 127.0.0.1:\(watched.server.port)"), "\(refused.errors)")
        #expect(refused.errors.contains("Try another --admin-port."), "\(refused.errors)")
    }
}
