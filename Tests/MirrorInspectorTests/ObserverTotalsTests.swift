import LiveViewMirror
import RecordingFixtures
import Testing

/// How many listen is the same number wherever the mirror says it, since its views stand in for the counters.
@Suite struct ObserverTotalsTests {
  @Test(arguments: Recording.all.filter(\.isNative), [false, true])
  func `headline, isolation, summary and subscribers agree in every native recording, drawn and not`(
    recording: Recording, isDrawn: Bool
  ) throws {
    let client = try Client(options: UpdateOptions(drawsPage: true))
    var updates = 0
    for step in recording.steps {
      let frame = String(decoding: step.frame, as: UTF8.self)
      let counts = try client.post("/frames?dialect=native", frame).json
      guard counts["applied"].int == 1 else { continue }
      updates += 1
      let totals = try Self.totals(of: step.topic, on: client)
      #expect(Set(totals).count == 1, "step \(step.index): \(totals)")
      if isDrawn {
        #expect(try client.get("/views/\(step.topic)/page?frame").status == 200)
        let totals = try Self.totals(of: step.topic, on: client)
        #expect(Set(totals).count == 1, "step \(step.index), drawn: \(totals)")
      }
    }
    #expect(updates > 0)
  }

  /// What the summary, the isolation report, the subscribers and the headline say.
  private static func totals(of view: String, on client: Client) throws -> [Int?] {
    let summary = try client.get("/views/\(view)").json
    let entry = "/views/\(view)/log/\(summary["version"].int ?? -1)"
    let headline = try client.get(entry, accept: "text/plain").text.prefix { $0 != "\n" }
    let said = headline.firstMatch(of: /whole document: (\d+)|nodes?, (\d+) observer/)?.output
    return [
      summary["observers"].int,
      try client.get(entry).json["isolation"]["everybody"].int,
      try client.get("/views/\(view)/subscribers").json["total"].int,
      (said?.1 ?? said?.2).flatMap { Int($0) },
    ]
  }
}
