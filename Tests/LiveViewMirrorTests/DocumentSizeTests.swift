import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// A small input must not create a document that is too large to read.
@Suite(.serialized) struct DocumentSizeTests {
  private static let pipelines = [
    UpdateOptions(pipeline: .full).withAnalyses, UpdateOptions(pipeline: .scoped).withAnalyses,
  ]
  /// A formatting element of 100 kB that is never closed, and 20,000 paragraphs that the parser
  /// clones it into.
  private static let unclosed = "<p><b title='\(String(repeating: "x", count: 100_000))'>"
  private static let paragraphs = String(repeating: "<p>x", count: 20_000)

  /// The reason why a diff is refused. The view must be unchanged.
  private func refusal(of diff: String, by view: LiveViewCoordinator) -> String? {
    let before = Untouched(view)
    do throws(UpdateError) {
      try view.update(diff)
      return nil
    } catch {
      #expect(error.kind == .unfitting)
      #expect(Untouched(view) == before)
      return error.reason
    }
  }

  private func mounted(_ json: String, _ options: UpdateOptions) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: options)
    try view.mount(Array(json.utf8), dialect: .html)
    return view
  }

  @Test(arguments: pipelines)
  func `a formatting element is cloned until its clones are as long as the markup`(options: UpdateOptions)
    throws
  {
    let view = LiveViewCoordinator(id: "main", options: options)
    let long = try view.mount(Array(#"{"s":["\#(Self.unclosed)\#(Self.paragraphs)"]}"#.utf8), dialect: .html)
    #expect(view.markup.utf8.count < 3_000_000)
    #expect(long.diagnostics.contains { $0.code == "formatting-limit" })
    let paragraphs = String(repeating: "<p>x", count: 4_000)
    let short = try view.mount(Array(#"{"s":["<p><b title=x>\#(paragraphs)"]}"#.utf8), dialect: .html)
    #expect(!short.diagnostics.contains { $0.code == "formatting-limit" })
    #expect(view.markup.matches(of: /<b title="x">/).count == 4_001)
  }

  @Test(arguments: pipelines)
  func `a mount whose document takes more than 16 MiB is refused with the largest node`(options: UpdateOptions) {
    let view = LiveViewCoordinator(id: "main", options: options)
    let text = String(repeating: "<", count: 5 << 20)
    let error = #expect(throws: UpdateError.self) {
      try view.mount(Array(#"{"rendered":{"0":"\#(text)","s":["<textarea>","</textarea><b>"]}}"#.utf8), dialect: .html)
    }
    #expect(error?.pointer == "/rendered")
    #expect(
      error?.reason == """
        the document would take 20480 KiB as markup, with its texts escaped and unclosed formatting elements cloned, \
        more than 16 MiB, of which one text takes 20971520 bytes: send less, or close those elements
        """)
    #expect(!view.isMounted)
  }

  @Test(arguments: pipelines)
  func `a diff that makes the document too large is refused on both paths`(options: UpdateOptions) throws {
    let view = try mounted(#"{"0":"a","1":"b","s":["<p title=\"","\">","</p>"]}"#, options)
    #expect(refusal(of: #"{"1":"&lt;&lt;&#38;"}"#, by: view) == nil)
    #expect(view.view.map { $0.size.document == DocumentSize(of: $0.document) } == true)
    let most = String(repeating: "\\u0001", count: 2_900_000)
    let reason = refusal(of: #"{"1":"\#(most)"}"#, by: view) ?? "nothing"
    #expect(reason.hasPrefix("the document would take 16992 KiB"), "\(reason)")
    #expect(refusal(of: #"{"1":"c"}"#, by: view) == nil)
    #expect(view.view.map { $0.size.document == DocumentSize(of: $0.document) } == true)
  }

  @Test(arguments: pipelines)
  func `a page with too many attributes is refused at a mount and at a diff`(options: UpdateOptions) throws {
    let view = try mounted(#"{"0":"","s":["<main><br a b>","</main>"]}"#, options)
    let names = (0..<1_024).map { "a\($0)" }.joined(separator: " ")
    let most = String(repeating: "<br \(names)>", count: 511)
    let reason = "the document would have 524289 attributes, more than 524288: send fewer"
    let others = (0..<1_022).map { "a\($0)" }.joined(separator: " ")
    #expect(refusal(of: #"{"0":"\#(most)<br \#(others) b>"}"#, by: view) == reason)
    #expect(refusal(of: #"{"0":"\#(most)<br \#(others)>"}"#, by: view) == nil)
    #expect(view.view.map { $0.size.document == DocumentSize(of: $0.document) } == true)
    let error = #expect(throws: UpdateError.self) {
      try LiveViewCoordinator(id: "other", options: options)
        .mount(Array(#"{"s":["\#(most)<br \#(names) b>"]}"#.utf8), dialect: .html)
    }
    #expect(error?.reason == reason)
  }

  @Test(arguments: pipelines)
  func `stream items that only the document keeps count toward its size`(options: UpdateOptions) throws {
    let most = 400
    let others = String(repeating: "<br>", count: MarkupParser.maximumNodes - 2 - 3 * most)
    let view = try mounted(
      #"""
      {"0":{"s":["<p id=\"","\">x</p>"],"d":[],"stream":["s",[],[],false]},
       "s":["\#(others)<div id=s phx-update=stream>","</div>"]}
      """#, options)
    var refusals: [String] = []
    for part in 0..<2 {
      let entries = (0..<most).map { "[\"s-\(part)-\($0)\"]" }.joined(separator: ",")
      let inserts = (0..<most).map { "[\"s-\(part)-\($0)\",-1,null]" }.joined(separator: ",")
      let diff = #"{"0":{"s":["<p id=\"","\">x</p>"],"d":[\#(entries)],"stream":["s",[\#(inserts)],[],false]}}"#
      if let reason = refusal(of: diff, by: view) { refusals.append(reason) }
    }
    #expect(
      refusals == [
        """
        the document would have \(MarkupParser.maximumNodes + most) nodes, more than \(MarkupParser.maximumNodes): send fewer, or give its \
        streams a limit
        """
      ])
    #expect(view.view?.version == 1)
  }
}
