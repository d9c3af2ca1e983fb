import MirrorAnalysis
import LiveViewMirror
import RecordingFixtures
import Testing

/// The search for a slot in the JSON of an update, against the paths that the explanation of the
/// update shows.
@Suite struct SlotSearchTests {
  private func records(of recording: Recording) throws -> [ChangeRecord] {
    var views = RecordedViews(recording)
    return try recording.steps.compactMap { try views.next($0).receive() }
  }

  /// The paths of a record's explanation, and every beginning of them.
  private func paths(of record: ChangeRecord) -> (paths: Set<String>, isComplete: Bool) {
    var (found, parts, isComplete) = (Set<String>(), [DiffExplanation(record).root], true)
    while let part = parts.popLast() {
      let steps = part.path.split(separator: ".")
      for count in steps.indices { found.insert(steps[...count].joined(separator: ".")) }
      parts += part.children
      if part.more > 0 { isComplete = false }
    }
    return (found, isComplete)
  }

  @Test(arguments: Recording.committed)
  func `a slot is found in the updates whose explanation has it, or one below it`(recording: Recording) throws {
    let records = try records(of: recording)
    let shown = records.map { paths(of: $0) }
    for path in shown.reduce(into: Set<String>(), { $0.formUnion($1.paths) }).sorted().prefix(300) {
      let search = SlotSearch(path)
      for (record, shown) in zip(records, shown) where shown.isComplete || shown.paths.contains(path) {
        let isFound = search.isFound(in: record.input)
        #expect(isFound == shown.paths.contains(path), "\(path) in v\(record.version)")
      }
    }
  }

  @Test(arguments: Recording.committed)
  func `each slot that a record names is in its JSON`(recording: Recording) throws {
    for record in try records(of: recording) {
      for slot in record.slots.joined() + record.waste.slots where !slot.isEmpty {
        #expect(SlotSearch(slot).isFound(in: record.input), "\(slot) of v\(record.version)")
      }
    }
  }

  @Test(arguments: [
    ("1", true), ("1.k", true), ("1.k.0", true), ("1.k.0.0", false), ("1.k.0.1", true), ("1.k.0.1.0", true),
    ("1.k.1", true), ("1.k.1.0", false), ("1.k.2.0", true), ("1.k.km", true), ("1.k.km.0", false), ("1.k.k", false),
    ("0.s", true), ("0.s.0", false), ("12", true), ("2", false), ("0.stream", true), ("0.stream.0", false),
    ("0.stream.1", true), ("0.stream.1.0", true), ("0.stream.1.1", false), ("0.stream.2", false),
    ("0.stream.3", true), ("3.stream.1", false), ("3.stream.2.1", true), ("3.stream.3", false), ("c.7", true),
    ("c.7.0", true), ("c.7.1", false), ("e", true), ("e.0", true), ("e.0.0", false), ("e.1", false), ("t", true),
    ("r", true), ("r.x", false), ("", false), (".", false), ("4", true), ("é", true), ("p.0", true), ("p.0.0", false),
    ("5.d.1.0", true), ("5.d.1.0.s", true), ("5.d.2", false), ("5.d.1.1.0", false),
  ])
  func `the steps are those of the protocol`(path: String, isThere: Bool) {
    let update = #"""
      {"0": {"s": ["<p>"], "stream": ["a", [["id", -1, null, false]], [], true]},
       "1": {"k": {"0": [3, {"0": "}\"]"}], "1": 2, "2": {"0": "x"}, "km": true}},
       "3":{"stream":["b",[],["1","2"],false]}, "\u0034": "4", "12": 1, "\u00e9": 0, "p": {"0": ["a"]},
       "5": {"d": [[], [{"s": 0}, "0"]]},
       "c": {"7": {"0": "a"}}, "e": [["name", {"0": 1}]], "t": "title", "r": {"x": 1}}
      """#
    #expect(SlotSearch(path).isFound(in: update) == isThere)
  }

  @Test func `a text that is not JSON does not end the search badly`() {
    for text in ["", "{", "[", #"{""#, #"{"1"#, #"{"1":"#, #"{"1":{"#, "}", #"{"1":{"k":[1"#, #"{"1"}"#, "1.1", "{,}"] {
      #expect(!SlotSearch("1.k.0.0").isFound(in: text))
    }
  }
}
