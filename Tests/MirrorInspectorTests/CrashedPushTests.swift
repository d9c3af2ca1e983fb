import Foundation
import MirrorSupport
import Testing

/// Pushes to a LiveView whose process crashes.
@Suite struct CrashedPushTests {
  private let client: Client

  init() throws {
    client = try Client()
    for view in ["lv:r", "lv:kid"] {
      _ = try client.post("/frames?page=p", PageTests.join(view, page: #"{"0":"0","s":["<p>","</p>"]}"#))
    }
  }

  /// Pushes `inc` to `lv:r`, and feeds frames after the carrier has read it.
  private func push(wait: String, feeding frames: [String]) throws -> Client.Answer {
    let client = client
    try client.events("/pages/p/pushes").onMessages { _, _ in
      _ = try? client.post("/frames?page=p", frames.joined(separator: "\n"))
    }
    return try client.post("/views/lv:r~p/push?wait=\(wait)", #"{"event":"inc"}"#)
  }

  private static let event = #"["4","9","lv:r","event",{"type":"click","event":"inc","value":{}}]"#

  @Test func `a crash ends the push with a 504 at once`() throws {
    let start = ContinuousClock.now
    let answer = try push(wait: "60", feeding: [Self.event, #"["4","4","lv:r","phx_error",{}]"#])
    #expect(answer.status == 504)
    #expect(
      answer.json["detail"].string
        == "View \"lv:r~p\" crashed before it answered \"inc\". The log of the app's server has the reason; LiveView's client joins the view again."
    )
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func `a push after a crash waits until the client has joined again`() throws {
    _ = try client.post("/frames?page=p", #"["4","4","lv:r","phx_error",{}]"#)
    let client = client
    let isJoined = Guarded(false)
    try client.events("/pages/p/pushes").onMessages { _, _ in
      #expect(isJoined.current)
      _ = try? client.post(
        "/frames?page=p",
        #"["5","9","lv:r","event",{"type":"click","event":"inc","value":{}}]"# + "\n"
          + #"["5","9","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]"#)
    }
    Thread.detachNewThread {
      usleep(100_000)
      isJoined.withLock { $0 = true }
      _ = try? client.post("/frames?page=p", PageTests.join("lv:r", ref: 5, page: #"{"0":"0","s":["<p>","</p>"]}"#))
    }
    let answer = try client.post("/views/lv:r~p/push?wait=60", #"{"event":"inc"}"#)
    #expect(answer.status == 200)
    #expect((answer.json["epoch"].int, answer.json["changes"][0]["after"].string) == (2, "1"))
  }

  @Test func `a push to a view whose client does not join again fails with the reason, and sends nothing`() throws {
    let carrier = try client.events("/pages/p/pushes")
    _ = try client.post("/frames?page=p", #"["4","4","lv:r","phx_error",{}]"#)
    var answer = try client.post("/views/lv:r~p/push?wait=0.1", #"{"event":"inc"}"#)
    #expect(answer.status == 504)
    #expect(
      answer.json["detail"].string
        == "View \"lv:r~p\" has crashed, and its client has not joined it again. Nothing was sent. Wait longer with ?wait=SECONDS."
    )
    _ = try client.post(
      "/frames?page=p",
      #"["5","5","lv:r","phx_join",{}]"# + "\n"
        + #"["5","5","lv:r","phx_reply",{"status":"error","response":{"reason":"stale"}}]"#)
    answer = try client.post("/views/lv:r~p/push?wait=60", #"{"event":"inc"}"#)
    #expect(answer.status == 504)
    #expect(
      answer.json["detail"].string == "The server has refused the join of view \"lv:r~p\": stale. Nothing was sent.")
    #expect(carrier.read().isEmpty)
  }

  @Test func `the crash of another view, or of an earlier join, does not end the push`() throws {
    let answer = try push(
      wait: "60",
      feeding: [
        Self.event, #"["4","4","lv:kid","phx_error",{}]"#, #"["3","3","lv:r","phx_error",{}]"#,
        #"["4","9","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]"#,
      ])
    #expect(answer.status == 200)
    #expect(answer.json["changes"][0]["after"].string == "1")
  }
}
