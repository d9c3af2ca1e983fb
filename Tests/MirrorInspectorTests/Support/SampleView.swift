import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import RecordingFixtures
import RenderedTree
import Testing

@testable import MirrorInspector

/// Views with known content.
enum SampleView {
  static let address = "http://127.0.0.1:8080"

  /// A view that is mounted with `<p>Count: 0</p>` and then updated by the diffs. Diffs that do not
  /// fit are rejected.
  static func counter(diffs: [String] = []) throws -> ViewState {
    try mounted(#"{"s":["<p>Count: ","</p>"],"0":"0"}"#, diffs: diffs)
  }

  static func mounted(_ rendered: String, diffs: [String] = [], drawsPage: Bool = false) throws -> ViewState {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: drawsPage).withAnalyses)
    try view.mount(Array(rendered.utf8), dialect: .html)
    for diff in diffs { _ = try? view.update(Array(diff.utf8)) }
    return try #require(view.view)
  }

  /// A view whose template has no slots.
  static func page(_ markup: String) throws -> ViewState {
    try mounted(#"{"s":[\#(JSONSyntax.quoted(markup))]}"#)
  }

  /// The main view of a recording after its last frame.
  static func recorded(_ recording: Recording) throws -> ViewState {
    let decoder = WireDecoder()
    let view = LiveViewCoordinator(id: "lv:\(recording.rootID)", options: UpdateOptions().withAnalyses)
    for step in recording.steps where step.topic == view.id {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      _ = try view.receive(message, dialect: recording.isNative ? .native : .html)
    }
    return try #require(view.view)
  }
}

extension ViewState {
  func page(_ query: ViewPage.Query = .init()) throws -> HTML {
    let document = try #require(self.document(at: query.version ?? version))
    return ViewPage(view: self, document: document, query: query, address: SampleView.address).html
  }
}

extension HTML {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
