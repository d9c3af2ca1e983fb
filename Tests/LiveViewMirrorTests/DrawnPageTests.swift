import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import NodeObservation
import RecordingFixtures
import RenderedTree
import TestSupport
import Testing

/// The page that the views draw always equals the document's markup, and only the views of notified
/// nodes are evaluated.
@Suite struct DrawnPageTests {
  private static let options = UpdateOptions(drawsPage: true).withAnalyses

  @Test(arguments: Recording.all)
  func `the mirror page of every recording is the markup of its document`(recording: Recording) throws {
    var views = RecordedViews(recording, options: Self.options)
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      guard let record = try receive() else { continue }
      #expect(Self.fault(of: record, in: view) == nil, "step \(step.index)")
    }
  }

  @Test(arguments: WireForm.allCases)
  func `the mirror page of a random server is its markup, however often it is drawn`(wire: WireForm) throws {
    for seed in 0..<UInt64(30) {
      var server = RandomServer(wire: wire, seed: seed)
      let view = LiveViewCoordinator(id: "main", options: Self.options)
      try view.mount(Array(server.mount().utf8), dialect: .html)
      for step in 1...30 {
        let (diff, destroyed, _) = server.step()
        let record = try view.update(diff)
        // The page is drawn at every fifth step only. In between, a signal must create the views
        // that no drawing has created.
        let fault = Self.fault(of: record, in: view, drawing: step % 5 == Int(seed % 5))
        #expect(fault == nil, "seed \(seed), step \(step): \(diff)")
        if !destroyed.isEmpty {
          let frame = OraclePair.frame(destroying: destroyed)
          _ = try view.receive(try WireDecoder().decode(Array(frame.utf8), as: .frames)[0].get(), dialect: .html)
        }
      }
    }
  }

  @Test
  func `without a mirror page no view is evaluated, and the record says so`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(#"{"s":["<p>","</p>"],"0":"1"}"#.utf8), dialect: .html)
    #expect(try view.update(#"{"0":"2"}"#).isolation.views == nil)
    #expect(view.page == nil)
  }

  @Test
  func `the log contains the evaluations of a diff, and a mount has none`() throws {
    let view = LiveViewCoordinator(id: "main", options: Self.options)
    let mount = try view.mount(Array(#"{"s":["<p class=\"","\">","</p>"],"0":"a","1":"1"}"#.utf8), dialect: .html)
    #expect(mount.isolation.views?.evaluations == [])
    let record = try view.update(#"{"0":"b"}"#)
    #expect(
      record.isolation.views?.evaluations.map(\.description) == ["body of <p> (ElementMarkup): attribute `class`"])
    #expect(view.log.record(of: 1)?.isolation.views == record.isolation.views)
    #expect(view.page?.markup == #"<p class="b">1</p>"#)
  }

  @Test
  func `a remount begins a new mirror page, also in another dialect`() throws {
    let view = LiveViewCoordinator(id: "main", options: Self.options)
    try view.mount(Array(#"{"s":["<p>1</p>"]}"#.utf8), dialect: .html)
    #expect(view.page?.markup == "<p>1</p>")
    try view.mount(Array(#"{"s":["<b>2</b>"]}"#.utf8), dialect: .html)
    #expect(view.page?.markup == "<b>2</b>")
    try view.mount(Array(#"{"s":["<Text>3</Text>"]}"#.utf8), dialect: .native)
    #expect(view.page?.markup.contains("3") == true)
  }

  @Test
  func `a released view releases its mirror page`() throws {
    weak var gone: LiveViewCoordinator?
    do {
      let view = LiveViewCoordinator(id: "main", options: Self.options)
      try view.mount(Array(#"{"s":["<p>1</p>"]}"#.utf8), dialect: .html)
      _ = view.page?.markup
      gone = view
    }
    #expect(gone == nil)
  }

  @Test
  func `drawing the page during a publication shows one version and hides no evaluation`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: true).withAnalyses)
    try view.mount(Array(#"{"s":["<p class=\"","\">","</p>"],"0":"a","1":"1"}"#.utf8), dialect: .html)
    _ = view.page?.markup
    let document = try #require(view.document)
    let heard = Heard()
    let node = document.children(of: document.root)[0]
    let subscription = view.publishers.subscribe(to: node) { [weak view] _ in heard.note(view?.page?.markup ?? "")
    }
    let record = try view.update(Array(#"{"0":"b"}"#.utf8))
    #expect(record.isolation.views?.evaluations.count == 1)
    #expect(heard.all == [#"<p class="b">1</p>"#])
    subscription.cancel()
  }

  /// The difference, unless every notified view was evaluated once and the page equals the
  /// document.
  private static func fault(of record: ChangeRecord, in view: LiveViewCoordinator, drawing: Bool = true) -> String? {
    guard let document = view.document, let page = view.page else { return "no page" }
    let evaluated = record.isolation.views?.evaluations.map(\.node) ?? []
    let notified = record.version == 0 ? [] : record.notified
    // The view of an enclosing element may draw a native element.
    if document.dialect == .html, Set(evaluated) != Set(notified) || evaluated.count != notified.count {
      return "notified \(record.notified), evaluated \(record.isolation.views?.evaluations.map(\.description) ?? [])"
    }
    let afresh =
      document.dialect == .html
      ? document.markup(of: document.root) : ViewTree(of: FixedDocument(document), registry: .native).markup
    if drawing, page.markup != afresh { return "page \(page.markup)\nafresh \(afresh)" }
    return record.diagnostics.first { $0.code == "view-problem" }?.message ?? page.problems.first?.description
  }
}
