import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Stream operations that change nothing are waste, with the bytes that they take in the diff.
/// Scoped and full updates must report the same.
@Suite struct StreamWasteTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var diff: String
    /// The wasted parts of the diff: their names and their JSON.
    var waste: [(slot: String, json: String)]
    var changes: Int
    var testDescription: String { name }

    init(_ name: String, _ diff: String, waste: [(slot: String, json: String)], changes: Int = 0) {
      (self.name, self.diff, self.waste, self.changes) = (name, diff, waste, changes)
    }
  }

  /// A stream with the items `a` and `b`.
  static let stream = #"""
    {"0":{"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"kc":2},"s":["<li id=\"","\">","</li>"],
     "stream":["0",[["a",-1,null,null],["b",-1,null,null]],[]]},"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"]}
    """#

  static func diff(_ entries: [String], _ operation: String) -> String {
    let entries = entries.enumerated().map { "\"\($0)\":\($1)," }.joined() + "\"kc\":\(entries.count)"
    return "{\"0\":{\"k\":{\(entries)},\"stream\":\(operation)}}"
  }

  static let (a, b, c) = (#"{"0":"a","1":"A"}"#, #"{"0":"b","1":"B"}"#, #"{"0":"c","1":"C"}"#)

  static let cases: [Case] = [
    whole("update_only of an unknown id", [c], #"["0",[["c",-1,null,true]],[]]"#),
    whole("update_only of an unknown id at the start, with a limit", [c], #"["0",[["c",0,-100,true]],[]]"#),
    whole("a delete of an unknown id", [], #"["0",[],["c"]]"#),
    whole("an insert at the end of the last item", [b], #"["0",[["b",-1,null,null]],[]]"#),
    whole("an insert of an item as LiveView 1.0 sends it", [b], #"["0",[["b",-1,null]],[]]"#),
    whole("an insert elsewhere, which does not move an item", [a], #"["0",[["a",-1,null,null]],[]]"#),
    whole("a limit that removes nothing", [a], #"["0",[["a",-1,-2,null]],[]]"#),
    whole(
      "a reset to the same items", [a, b], #"["0",[["b",-1,null,null],["a",-1,null,null]],[],true]"#),
    Case(
      "one item changes, one does not", diff([#"{"0":"a","1":"new"}"#, b], #"["0",[["b",-1,null],["a",-1,null]],[]]"#),
      waste: [("0.stream.1.0", #"["b",-1,null]"#), ("0.k.1", b)], changes: 1),
    Case(
      "a known and an unknown id are deleted", diff([], #"["0",[],["x","b"]]"#), waste: [("0.stream.2.0", #""x""#)],
      changes: 1),
    Case(
      "a reset that only adds", diff([a, b, c], #"["0",[["c",-1,null],["b",-1,null],["a",-1,null]],[],true]"#),
      waste: [
        ("0.stream.1.1", #"["b",-1,null]"#), ("0.stream.1.2", #"["a",-1,null]"#), ("0.stream.3", ",true"), ("0.k.0", a),
        ("0.k.1", b),
      ], changes: 1),
    Case(
      "a reset that removes an item", diff([b], #"["0",[["b",-1,null]],[],true]"#),
      waste: [("0.stream.1.0", #"["b",-1,null]"#), ("0.k.0", b)], changes: 1),
    Case("a new item", diff([c], #"["0",[["c",-1,null,null]],[]]"#), waste: [], changes: 1),
    Case("a new item whose limit removes another", diff([c], #"["0",[["c",-1,-2,null]],[]]"#), waste: [], changes: 2),
    whole("a new item that its limit removes", [c], #"["0",[["c",-1,2,null]],[]]"#),
    Case(
      "an item inside of the replaced list", #"{"0":\#(sent([c], #"["0",[["c",-1,null,true]],[]]"#))}"#,
      waste: [("0", sent([c], #"["0",[["c",-1,null,true]],[]]"#))]),
  ]

  /// A comprehension with its statics.
  static func sent(_ entries: [String], _ operation: String) -> String {
    let inside = diff(entries, operation).dropFirst(#"{"0":{"#.count).dropLast(2)
    return #"{"s":["<li id=\"","\">","</li>"],\#(inside)}"#
  }

  /// A diff that is waste in whole.
  static func whole(_ name: String, _ entries: [String], _ operation: String) -> Case {
    Case(
      name, diff(entries, operation),
      waste: [("0.stream", operation)] + entries.enumerated().map { ("0.k.\($0)", $1) })
  }

  @Test(arguments: cases, [UpdateOptions.Pipeline.scoped, .full])
  func `the parts of a stream operation without effect are waste`(
    change: Case, pipeline: UpdateOptions.Pipeline
  ) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(Self.stream.utf8), dialect: .html)
    let record = try view.update(change.diff)
    #expect(record.changeSet.changes.count == change.changes, "\(record.lines)")
    #expect(record.waste.slots == change.waste.map(\.slot))
    #expect(record.waste.bytes == change.waste.reduce(0) { $0 + $1.json.utf8.count })
    expectNoWastedCause(in: record)
    #expect(record.slots.allSatisfy { !$0.isEmpty })
    OraclePair.expectSame(Self.stream, change.diff, "{}")
  }

  /// A slot without effect cannot be the cause of a change.
  private func expectNoWastedCause(in record: ChangeRecord, _ place: String = "") {
    let causes = Set(record.slots.joined()).intersection(record.waste.slots)
    #expect(causes == [], "\(place) \(record.lines)")
  }

  @Test(arguments: cases.filter { $0.changes == 0 }, [UpdateOptions.Pipeline.scoped, .full])
  func `an operation without effect is not the cause of other changes of the diff`(
    change: Case, pipeline: UpdateOptions.Pipeline
  ) throws {
    let stream = Self.stream.dropFirst().replacing(
      #"},"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"]}"#, with: "}")
    let mount =
      #"{\#(stream),"1":"<b>x</b>","2":"y","s":["<ul id=\"l\" phx-update=\"stream\">","</ul><div>","</div><i>","</i>"]}"#
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(mount.utf8), dialect: .html)
    let record = try view.update(change.diff.dropLast() + #","1":"","2":"z"}"#)
    #expect(record.slots.sorted { $0.description < $1.description } == [["1"], ["2"]], "\(record.lines)")
    expectNoWastedCause(in: record)
  }

  @Test(arguments: [UpdateOptions.Pipeline.scoped, .full])
  func `an item is affected by changes deep inside of it, and by a change of its id`(
    pipeline: UpdateOptions.Pipeline
  ) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(
      Array(
        #"""
        {"0":{"k":{"0":{"0":"a","1":"A"},"kc":1},"s":["<li id=\"","\"><p><b><i title=\"","\"></i></b></p></li>"],
         "stream":["0",[["a",-1,null,null]],[]]},"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"]}
        """#.utf8), dialect: .html)
    let record = try view.update(Self.diff([#"{"0":"a","1":"B"}"#], #"["0",[["a",-1,null,null]],[]]"#))
    #expect(record.changeSet.changes.count == 1 && record.waste.slots == [] && record.waste.bytes == 0)
    let again = try view.update(Self.diff([#"{"0":"a","1":"B"}"#], #"["0",[["a",-1,null,null]],[]]"#))
    #expect(again.changeSet.isEmpty && again.waste.slots == ["0.stream", "0.k.0"])
  }

  @Test
  func `a recorded diff has the same waste in both pipelines, and never more bytes than the diff`() throws {
    var wasted = 0
    for recording in Recording.all {
      let decoder = WireDecoder()
      var views: [String: (scoped: LiveViewCoordinator, full: LiveViewCoordinator)] = [:]
      for step in recording.steps {
        let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
        let view =
          views[step.topic]
          ?? (
            LiveViewCoordinator(id: step.topic, options: UpdateOptions(pipeline: .scoped).withAnalyses),
            LiveViewCoordinator(id: step.topic, options: UpdateOptions(pipeline: .full).withAnalyses)
          )
        views[step.topic] = view
        let dialect: Dialect = recording.isNative ? .native : .html
        let scoped = try view.scoped.receive(message, dialect: dialect)
        let full = try view.full.receive(message, dialect: dialect)
        guard let scoped, let full else { continue }
        #expect(scoped.waste == full.waste, "\(recording.name), step \(step.index)")
        expectNoWastedCause(in: scoped, "\(recording.name), step \(step.index)")
        expectNoWastedCause(in: full, "\(recording.name), step \(step.index)")
        #expect(scoped.waste.bytes <= scoped.bytes, "\(recording.name), step \(step.index)")
        if scoped.waste.slots.contains(where: { $0.contains("stream") }) { wasted += 1 }
      }
    }
    #expect(wasted >= 4)
  }
}
