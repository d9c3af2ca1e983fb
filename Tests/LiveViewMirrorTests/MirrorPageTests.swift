import LiveViewMirror
import MarkupDocument
import MirrorViews
import NodeObservation
import RecordingFixtures
import RenderedTree
import TestSupport
import Testing

/// The page that the views draw always equals the document's markup, and only the views of notified nodes are evaluated.
@Suite struct MirrorPageTests {
  private static let options = UpdateOptions(drawsPage: true)

  @Test(arguments: Recording.all)
  func `the page of every recording is its document's markup`(recording: Recording) throws {
    let decoder = WireDecoder()
    var views: [String: LiveViewCoordinator] = [:]
    for step in recording.steps {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      let view = views[step.topic] ?? LiveViewCoordinator(id: step.topic, options: Self.options)
      views[step.topic] = view
      guard let record = try view.receive(message, dialect: recording.isNative ? .native : .html) else { continue }
      #expect(Self.fault(of: record, in: view) == nil, "step \(step.index)")
    }
  }

  @Test(arguments: WireForm.allCases)
  func `the page of a random server is what it shows, however often it is drawn`(wire: WireForm) throws {
    for seed in 0..<UInt64(30) {
      var server = RandomServer(wire: wire, seed: seed)
      let view = LiveViewCoordinator(id: "main", options: Self.options)
      try view.mount(Array(server.mount().utf8), dialect: .html)
      for step in 1...30 {
        let (diff, destroyed, _) = server.step()
        let record = try view.update(diff)
        // Not drawn after each step, so that views are made by signals, too.
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
  func `without a page nothing is evaluated, and the record says so`() throws {
    let view = LiveViewCoordinator(id: "main")
    try view.mount(Array(#"{"s":["<p>","</p>"],"0":"1"}"#.utf8), dialect: .html)
    #expect(try view.update(#"{"0":"2"}"#).isolation.views == nil)
    #expect(view.page == nil)
  }

  @Test
  func `the log has what came of publishing, and a mount has evaluated nothing again`() throws {
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
  func `a remount begins the page anew, also in another dialect`() throws {
    let view = LiveViewCoordinator(id: "main", options: Self.options)
    try view.mount(Array(#"{"s":["<p>1</p>"]}"#.utf8), dialect: .html)
    #expect(view.page?.markup == "<p>1</p>")
    try view.mount(Array(#"{"s":["<b>2</b>"]}"#.utf8), dialect: .html)
    #expect(view.page?.markup == "<b>2</b>")
    try view.mount(Array(#"{"s":["<Text>3</Text>"]}"#.utf8), dialect: .native)
    #expect(view.page?.markup.contains("3") == true)
  }

  @Test
  func `a view that is let go of takes its page with it`() throws {
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
  func `who draws the page while it is told hides no evaluation, and sees one version`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(drawsPage: true))
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

  /// The fault, unless every notified view was evaluated once and the page equals the document.
  private static func fault(of record: ChangeRecord, in view: LiveViewCoordinator, drawing: Bool = true) -> String? {
    guard let document = view.document, let page = view.page else { return "no page" }
    let evaluated = record.isolation.views?.evaluations.map(\.node) ?? []
    let told = record.version == 0 ? [] : record.notified
    // Native elements may be shown by the views of those around them.
    if document.dialect == .html, Set(evaluated) != Set(told) || evaluated.count != told.count {
      return "told \(record.notified), evaluated \(record.isolation.views?.evaluations.map(\.description) ?? [])"
    }
    let afresh =
      document.dialect == .html
      ? document.markup(of: document.root) : ViewTree(of: FixedDocument(document), registry: .native).markup
    if drawing, page.markup != afresh { return "page \(page.markup)\nafresh \(afresh)" }
    return record.diagnostics.first { $0.code == "view-problem" }?.message ?? page.problems.first?.description
  }
}
