import MarkupDocument
import RenderedTree
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// The size of an update is that of its text as it was received, in every form of input.
@Suite struct ReceivedBytesTests {
  /// White space, escapes that a writer would not use, a key in front of the changed one, and a
  /// number with a fraction.
  private static let diff =
    #"{ "t" : "a\u0062\/c" ,  "e":[ ["x",{"n" : [1.0, true , null]}] ], "0" : "caf\u00e9 \"}]\\" }"#
  private static let rendered = #"{ "s" : [ "<p>" , "<\/p>" ],  "0":"\u0030" }"#

  private static func mounted() throws -> LiveViews {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    _ = try views.mount("main", Array(rendered.utf8), dialect: .html)
    return views
  }

  /// The inputs of `POST /views/main/diffs` that contain the same diff.
  private static func alone(_ diff: String) -> [String] {
    [
      diff, " \n\(diff)\r\n\t", #"{"diff":\#(diff)}"#, #"{ "x" : [{"a":"]"},"b"] , "diff" :  \#(diff) }"#,
      #"{"response":{"diff":\#(diff)}}"#, #"[null,null,"main","diff",\#(diff)]"#,
      #" [ "1" , "2","main" ,"phx_reply", { "status":"ok","response" : { "diff" : \#(diff) , "x":1} } ] "#,
    ]
  }

  /// The inputs of `POST /frames` that contain the same diff.
  private static func frames(_ diff: String) -> [String] {
    let frame = #"[null,null,"main","diff",\#(diff)]"#
    let other = #"["1","9","main","event",{"type":"click","event":"[{\"","value":{}}]"#
    return [
      frame, "[\(frame)]", #"[ \#(other) , {"frame": \#(frame) ,"at":1} ]"#, "\(other)\n\(frame)\n\(other)",
      "\u{FEFF}\(frame)", #"{"view":"main","diff":\#(diff)}"#, #"[{"a":1,"view":"main","diff" : \#(diff)}, \#(other)]"#,
      #"{"format":"html","steps":[{"sent":[\#(other)],"frame":\#(other)}, {"frame":\#(frame),"sent":[]} ]}"#,
      #"["1","9","main","phx_reply",{"response":{"diff":\#(diff)},"status":"ok"}]"#,
    ]
  }

  @Test
  func `one diff has the same bytes and text in every form of input`() throws {
    for body in Self.alone(Self.diff) {
      let record = try Self.mounted().update("main", Array(body.utf8))
      #expect((record.bytes, record.input) == (Self.diff.utf8.count, Self.diff), "\(body)")
      #expect(record.title == "ab/c")
    }
    for body in Self.frames(Self.diff) {
      let views = try Self.mounted()
      let report = try views.receive(frames: Array(body.utf8), dialect: .html)
      #expect(report.applied == 1 && report.rejected.isEmpty, "\(body)")
      let record = try #require(views["main"]?.log.record(of: 1))
      #expect((record.bytes, record.input) == (Self.diff.utf8.count, Self.diff), "\(body)")
    }
  }

  @Test
  func `one page has the same bytes in every form of input`() throws {
    let rendered = Self.rendered
    for body in [rendered, "\n\(rendered) ", #"{"rendered":\#(rendered)}"#] {
      let record = try LiveViews(options: UpdateOptions().withAnalyses).mount("main", Array(body.utf8), dialect: .html)
      #expect((record.bytes, record.input) == (rendered.utf8.count, rendered), "\(body)")
    }
    let reply =
      #"["1","1","main","phx_reply",{"response":{"rendered":\#(rendered),"liveview_version":"1.1.0"},"status":"ok"}]"#
    for body in [reply, #"[\#(reply)]"#, #"{"view":"main","rendered":\#(rendered)}"#] {
      let views = LiveViews(options: UpdateOptions().withAnalyses)
      _ = try views.receive(frames: Array(body.utf8), dialect: .html)
      let record = try #require(views["main"]?.log.record(of: 0))
      #expect((record.bytes, record.input) == (rendered.utf8.count, rendered), "\(body)")
    }
  }

  @Test(arguments: [#"{ "7" : "no such\u0020slot" }"#, #"{ "0" : { "s" : 7.5, "0":"\u0041" } }"#])
  func `a rejected diff counts its own bytes, not those of its frame`(diff: String) throws {
    for body in Self.alone(diff) {
      let views = try Self.mounted()
      #expect(throws: UpdateError.self) { try views.update("main", Array(body.utf8)) }
      guard case .rejected(let rejection)? = views["main"]?.log.last(1).first?.outcome else {
        Issue.record("nothing was logged for \(body)")
        continue
      }
      #expect((rejection.bytes, rejection.input) == (diff.utf8.count, diff), "\(body)")
    }
  }

  @Test
  func `past versions are rebuilt from inputs with white space and escapes`() throws {
    let views = try Self.mounted()
    for number in 1...20 { _ = try views.update("main", Array(#" { "0" : "\u0041\#(number)" , "t":"\u0042" } "#.utf8)) }
    let view = try #require(views["main"]?.view)
    for version in 1...20 {
      #expect(try view.rendered(at: version)?.render().markup == Array("<p>A\(version)</p>".utf8))
    }
  }
}
