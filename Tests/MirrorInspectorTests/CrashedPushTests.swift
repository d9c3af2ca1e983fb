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
