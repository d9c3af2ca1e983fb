/// Posts diffs at a constant rate, from several threads with one connection each.
struct Writers {
  var port: UInt16
  var views: [String]
  var count = 4
  /// Diffs per second of all threads together; 0 is as fast as possible.
  var rate: Double
  var seconds: Double

  struct Outcome: Sendable {
    var latencies = Latencies()
    var posted = 0
    /// The version of each view according to its last responses.
    var versions: [String: Int] = [:]
    var faults: [String] = []
  }

  /// - Parameter isStopping: called before each post.
  func run(until isStopping: @escaping @Sendable () -> Bool = { false }) throws -> Outcome {
    let start = now()
    let outcomes = try concurrently(count) { writer in try post(as: writer, from: start, until: isStopping) }
    return outcomes.reduce(into: Outcome()) { all, one in
      all.latencies.add(one.latencies)
      all.posted += one.posted
      all.versions.merge(one.versions, uniquingKeysWith: max)
      all.faults += one.faults
    }
  }

  /// Measures from the scheduled start of a post, so a post that waits behind a slow one counts as
  /// slow.
  private func post(as writer: Int, from start: UInt64, until isStopping: () -> Bool) throws -> Outcome {
    var outcome = Outcome()
    let client = Client(port: port)
    let step = rate > 0 ? Double(count) / rate * 1e9 : 0
    let end = start + UInt64(seconds * 1e9)
    var number = 0
    while !isStopping() {
      let due = rate > 0 ? start + UInt64(Double(number) * step + Double(writer) * step / Double(count)) : now()
      guard due < end else { break }
      sleep(until: due)
      let view = views[(number + writer * 5) % views.count]
      number += 1
      let answer = try client.post("/views/\(view)/diffs", #"{"0":"\#(writer) counts \#(number)"}"#)
      outcome.latencies.add(now() - due)
      outcome.posted += 1
      guard answer.status == 200 else {
        outcome.faults.append("\(answer.status): \(answer.text.prefix(200))")
        if outcome.faults.count > 10 { break }
        continue
      }
      if let version = answer.text.firstMatch(of: /"version":(\d+)/).flatMap({ Int($0.1) }) {
        outcome.versions[view] = max(version, outcome.versions[view] ?? 0)
      }
    }
    return outcome
  }
}

/// A page with other content besides the number that the writers count.
enum CountedPage {
  static let rendered =
    #"{"0":"0","s":["<main><h1>Counter</h1><p id=\"count\" class=\"number\">","</p><ul>"#
    + (1...20).map { #"<li id=\"row-\#($0)\">row \#($0)</li>"# }.joined() + #"</ul></main>"]}"#
}
