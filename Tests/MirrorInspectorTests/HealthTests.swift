import MicroHTTP
import MirrorInspector
import Testing

/// `GET /healthz`: whether the server runs, and with `?ready`, whether it accepts diffs.
@Suite struct HealthTests {
  @Test func `a mirror is ready until it stops, and healthy after that`() throws {
    let client = try Client()
    for (target, expected) in [
      ("/healthz", #"{"status":"ok"}"#), ("/healthz?ready", #"{"memory":{},"status":"ok"}"#),
      ("/healthz?ready=1", #"{"memory":{},"status":"ok"}"#),
    ] {
      let answer = try client.get(target)
      #expect((answer.status, answer.json.description) == (200, expected))
    }
    client.inspector.close()
    let answer = try client.get("/healthz?ready")
    #expect(answer.status == 503)
    #expect(answer.response.headers["Retry-After"] == "1")
    #expect(answer.json["detail"].string == "The mirror is stopping.")
    #expect(try client.get("/healthz").status == 200)
  }
}
