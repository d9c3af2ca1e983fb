import Foundation
import RecordingFixtures
import ScriptedPhoenix
import Testing

extension Mirror {
  /// Compares the views of a page, and the causes of their versions, with those of a mirror that
  /// was fed with the recording.
  func expectViews(of page: String, equalTo recording: Recording) throws {
    let reference = try Mirror()
    try reference.post("/frames", String(contentsOf: recording.url, encoding: .utf8))
    let topics = Set(recording.steps.filter(\.isUpdate).map(\.topic))
    #expect(!topics.isEmpty)
    for topic in topics {
      let (expected, actual) = (try reference.get("/views/\(topic)/html"), try get("/views/\(topic)~\(page)/html"))
      #expect(actual.status == 200, "\(topic)")
      #expect(actual.body == expected.body, "\(topic)")
      #expect(try causes(of: "\(topic)~\(page)") == reference.causes(of: topic), "\(topic)")
    }
  }

  /// The causes of a view's versions, without the latencies.
  private func causes(of view: String) throws -> [String] {
    let log = try get("/views/\(view)/log?limit=1000").body
    let json = try JSONSerialization.jsonObject(with: Data(log.utf8)) as? [String: Any]
    return (json?["entries"] as? [[String: Any]] ?? []).map { entry in
      var cause = entry["cause"] as? [String: Any]
      cause?["latency_ms"] = nil
      return ChannelFrame.text(cause ?? [:])
    }
  }
}
