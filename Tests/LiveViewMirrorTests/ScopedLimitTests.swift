import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// Many small scoped diffs must not make a page larger than a full update would allow.
@Suite struct ScopedLimitTests {
  /// Applies diffs to a view until one is rejected. The rejected diff must change nothing, and a
  /// small diff must then be applied.
  ///
  /// - Parameters:
  ///   - twin: whether a second view applies every diff as a full update. It must reject the same
  ///     diff for the same reason.
  ///   - small: a diff that always fits.
  ///   - isSmallScoped: whether the small diff is a scoped update; otherwise it must be a full one.
  ///   - diff: returns the diff with a number, from 0 on.
  /// - Returns: the number of diffs before the rejected one, and its error.
  private func grow(
    _ mount: String, twin: Bool, small: String, isSmallScoped: Bool = true, _ diff: (Int) -> String
  ) throws -> (count: Int, error: UpdateError) {
    let full = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    let scoped = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped).withAnalyses)
    if twin { try full.mount(Array(mount.utf8), dialect: .html) }
    try scoped.mount(Array(mount.utf8), dialect: .html)
    var number = 0
    while true {
      let wanted = twin ? Result { () throws(UpdateError) in try full.update(diff(number)) } : nil
      let before = scoped.document
      switch Result(catching: { () throws(UpdateError) in try scoped.update(diff(number)) }) {
      case .success(let record):
        #expect(record.path == .scoped)
        if case .failure(let error) = wanted { throw error }
        number += 1
      case .failure(let error):
        if case .success(let record) = wanted { Issue.record("the full update made version \(record.version)") }
        if case .failure(let other) = wanted {
          #expect((error.kind, error.reason, error.pointer) == (other.kind, other.reason, other.pointer))
        }
        #expect(scoped.view?.version == number)
        #expect(before.map { scoped.document?.isSame(as: $0) } == true)
        #expect(try (scoped.update(small).path == .scoped) == isSmallScoped)
        if twin {
          try full.update(small)
          let trees = (full.document?.tree, scoped.document?.tree)
          #expect(trees.0.flatMap { trees.1?.isEqual(to: $0) } == true)
        }
        return (number, error)
      }
    }
  }

  @Test
  func `more than 8 MiB of markup in several texts is refused`() throws {
    let text = String(repeating: "a", count: 9 << 18)
    let mount = #"{"0":"","1":"","2":"","3":"","s":["<p>","</p><p>","</p><p>","</p><p>","</p>"]}"#
    let (count, error) = try grow(mount, twin: true, small: #"{"0":"b"}"#) { "{\"\($0)\":\"\(text)\"}" }
    #expect(count == 3)
    #expect(error.reason.hasPrefix("the page is larger than 8 MiB, which is the limit"))
  }

  @Test
  func `a large text that is replaced repeatedly does not enlarge the page`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"","1":"","s":["<p>","</p><p>","</p>"]}"#)
    var paths: [UpdatePath] = []
    for letter in ["a", "b", "c", "d", "e"] {
      paths.append(try view.update("{\"0\":\"\(String(repeating: letter, count: 9 << 18))\"}").path)
    }
    // A scoped update adds the rendered bytes to the size and subtracts nothing. When this upper
    // bound exceeds the limit, a full update computes the exact size.
    let counted = UpdatePath.full(reason: "the page may have become too large")
    #expect(paths == [.scoped, .scoped, .scoped, counted, .scoped])
  }

  @Test
  func `more than 163,840 nodes in several parts are refused`() throws {
    let elements = { (count: Int) in String(repeating: "<br>", count: count) }
    let mount = #"{"0":"","1":"","2":"","3":"\#(elements(163_696))","s":["<p>","</p><p>","</p><p>","</p><p>","</p>"]}"#
    let (count, error) = try grow(mount, twin: false, small: #"{"0":"a"}"#) { "{\"\($0)\":\"\(elements(60))\"}" }
    // After two diffs: the document, four paragraphs and 163,696 + 2 × 60 `br` elements. The next
    // 60 exceed the limit.
    #expect(count == 2)
    #expect(error.reason == "the page has more than 163840 nodes")
  }

  @Test
  func `more than 524,288 fragments in copies of a component are refused`() throws {
    let entries = (0..<75_000).map { "\"\($0)\":{}" }.joined(separator: ",")
    let slots = (0..<8).map { "\"\($0)\":\"\"" }.joined(separator: ",")
    let statics = (0...8).map { _ in "\"<hr>\"" }.joined(separator: ",")
    let mount = #"""
      {\#(slots),"s":[\#(statics)],
       "c":{"1":{"0":{"k":{\#(entries),"kc":75000},"s":[""]},"s":["<i>","</i>"]}}}
      """#
    let (count, error) = try grow(mount, twin: false, small: #"{"0":""}"#) {
      "{\"\($0)\":\($0 + 2),\"c\":{\"\($0 + 2)\":{\"s\":-1}}}"
    }
    #expect(count == 6)
    #expect(error.reason == "the page has more than 524288 fragments, components and entries")
  }

  @Test
  func `more than 1,000 nested levels are refused`() throws {
    // Each element has three levels of fragments: a scoped update is impossible inside of more than
    // 500 nested elements.
    func component(_ cid: Int) -> String {
      "\"\(cid)\":{\"0\":{\"0\":{\"0\":\"\",\"s\":[\"\",\"\"]},\"s\":[\"\",\"\"]},\"s\":[\"<div>\",\"</div>\"]}"
    }
    let mount = "{\"0\":1,\"s\":[\"<main>\",\"</main>\"],\"c\":{\(component(1))}}"
    let small = #"{"c":{"1":{"0":{"0":{"0":""}}}}}"#
    // The small diff removes most of the page, so it is a full update.
    let (count, error) = try grow(mount, twin: true, small: small, isSmallScoped: false) { number in
      let cid = number + 1
      return "{\"c\":{\"\(cid)\":{\"0\":{\"0\":{\"0\":\(cid + 1)}}},\(component(cid + 1))}}"
    }
    #expect(count == 332)
    #expect(error.reason == "the page is nested more than 1000 levels deep")
  }
}
