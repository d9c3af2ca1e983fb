import LiveViewMirror
import RecordingFixtures
import Testing

/// Every report has the same number of observers, whether the page is drawn or not: a drawn view
/// and the mounted counter of its element are counted as one.
@Suite struct ObserverTotalsTests {
  @Test(arguments: Recording.all.filter(\.isNative), [false, true])
  func `headline, isolation, summary and subscriber list report the same number of observers`(
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

  /// The number of observers in the summary, the isolation report, the subscriber list and the
  /// headline.
  private static func totals(of view: String, on client: Client) throws -> [Int?] {
    let summary = try client.get("/views/\(view)").json
    let entry = "/views/\(view)/log/\(summary["version"].int ?? -1)"
    let headline = try client.get(entry, accept: "text/plain").text.prefix { $0 != "\n" }
    let total = headline.firstMatch(of: /whole document: (\d+)|nodes?, (\d+) subscriber/)?.output
    return [
      summary["observers"].int,
      try client.get(entry).json["isolation"]["everybody"].int,
      try client.get("/views/\(view)/subscribers").json["total"].int,
      (total?.1 ?? total?.2).flatMap { Int($0) },
    ]
  }
}
