internal import LiveViewClient
internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The documents of a page, made of its frames in this process. ``ScenarioRun`` has one for each
/// open page. The rules of ``LiveViews`` decide what an action sends.
///
/// It also collects the frames, which become the recording.
actor MirroredPage {
  private let views = LiveViews(options: UpdateOptions(drawsPage: false))
  private let dialect: Dialect
  private var feed: PageFeedParameters?
  private var frames: [UInt8] = []
  /// The topics of the views that were joined since the last ``willLoad()``.
  private(set) var joined: Set<String> = []
  /// Why the page has ended; `nil` while it is open.
  private(set) var end: Result<Void, ClientError>?
  /// The reason why a view could not be joined.
  private(set) var refusal: String?

  /// The first address of the page.
  private var address: String?

  init(dialect: Dialect) { self.dialect = dialect }

  /// The frames as lines that `replay` and `check` read.
  ///
  /// - Parameter name: the id of the page if the recording has several. Its lines then begin with
  ///   the header of an export.
  func recording(named name: String?) -> [UInt8] {
    guard let name, !frames.isEmpty else { return frames }
    let json = JSONWriter { json in
      json.object("liveview_mirror") { $0.member("export", 1) }
      json.object("page") { json in
        json.member("id", name)
        if let address { json.member("url", address) }
      }
    }
    return Array("\(json.text)\n".utf8) + frames
  }

  /// Notes that another page will be loaded, of which no view is joined yet.
  func willLoad() { joined = [] }

  func note(_ event: PageEvent) {
    switch event {
    case .loaded(let info):
      feed = PageFeedParameters(id: info.id, url: info.url)
      address = address ?? info.url
    case .frame(let frame):
      var line = Array("{\"at\":\(frame.at),\"sent\":\(frame.isSent),\"frame\":".utf8)
      line += frame.bytes
      line += Array("}\n".utf8)
      frames += line
      // A frame that does not fit is counted when the recording is checked.
      _ = try? views.receive(frames: line, dialect: dialect, container: nil, of: feed)
    case .moved(let url): feed?.url = url
    case .failed(let view, let reason, let isFinal): if isFinal { refusal = "\(view): \(reason)" }
    case .ended(let error): end = error.map { .failure($0) } ?? .success(())
    case .joined(let view, _, _): joined.insert(view)
    case .connected, .disconnected, .updated, .left, .title, .rejected, .loading: break
    }
  }

  /// The views of the page that are joined, with their documents. The documents of views that were
  /// left are kept, but not shown.
  private var documents: [(view: String, document: Document)] {
    guard let feed else { return [] }
    let all = views.all.map(\.id).filter { $0.hasSuffix("~\(feed.id)") }
    let joined = views.reports(of: all).filter { $0.life.status == .joined }.map(\.id)
    return joined.compactMap { id in views[id]?.document.map { (id, $0) } }
  }

  // MARK: - Looking

  /// Whether the page has an element that matches the selector and, unless `text` is `nil`,
  /// contains the text.
  func contains(_ selector: Selector, with text: String?) -> Bool {
    documents.contains { _, document in
      document.allNodes(matching: selector).contains { node in
        text.map { Self.text(of: node, in: document).contains(Self.collapsed($0)) } ?? true
      }
    }
  }

  /// Whether a text is on the page.
  func contains(_ text: String) -> Bool {
    documents.contains { _, document in Self.text(of: document.root, in: document).contains(Self.collapsed(text)) }
  }

  /// The texts of the first elements that match, for messages.
  func texts(of selector: Selector) -> [String] {
    documents.flatMap { _, document in
      document.allNodes(matching: selector).prefix(3).map { Self.text(of: $0, in: document) }
    }
  }

  /// The text of an element, with white space collapsed.
  private static func text(of node: NodeRef, in document: Document) -> String {
    let texts = document.nodes(from: node).compactMap { node -> String? in
      if case .text(let text) = document.content(of: node) { text } else { nil }
    }
    return collapsed(texts.joined())
  }

  private static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: - Acting

  /// What LiveView's client sends for an action on the first element that matches; without a
  /// selector, for an action on the window. The caller must send the result, because the entered
  /// values of form fields are remembered as sent.
  ///
  /// - Returns: `nil` if no element matches.
  func plan(
    _ kind: NodeAction.Kind?, on selector: Selector?, _ value: JSON.Members
  ) throws(ActionError) -> [ViewPush]? {
    for (view, document) in documents {
      let node = selector.map { document.node(matching: $0) } ?? document.children(of: document.root).first
      guard let node else { continue }
      var action = NodeAction(on: node, kind)
      action.value = value
      let plan = try views.plan(action, of: view)
      views.didSend(plan)
      return plan.pushes
    }
    return nil
  }

  /// The topic of a view, without the page.
  nonisolated static func topic(of view: String) -> String { String(view.prefix { $0 != "~" }) }
}
