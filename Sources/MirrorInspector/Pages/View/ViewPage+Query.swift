internal import MirrorAnalysis
internal import LiveViewMirror
internal import MicroHTTP

extension ViewPage {
  /// The parameters of the address. They contain the complete state of the page, so
  /// `inspectorQuery(of:)` must read each parameter, and `parameters(epoch:)` must write it into
  /// links.
  struct Query {
    /// The shown version; `nil` for the newest one.
    var version: Int?
    /// The epoch of the shown state. A link names it if the link also names a version, or if the
    /// epoch has ended.
    var epoch: Int?
    /// Whether the shown epoch is not the current one.
    var isEnded = false
    /// The position of the shown rejected diff, in the form of ``after``. ``version`` is then the
    /// version that the view kept.
    var rejected: String?
    /// The selected node.
    var node: Int?
    /// The shown details; `nil` for the ones that fit the selection.
    var tab: Tab?
    /// The step whose result is shown.
    var step: UpdateStep?
    /// The content of the pane in the middle.
    var show = Content.tree
    /// The version to compare with; `nil` for the previous one.
    var with: Int?
    /// The words to search the tree for.
    var find: String?
    /// The words that filter the timeline.
    var filter: String?
    /// Whether the tree shows white space and the comments of HEEx.
    var showsBlanks = false
    /// The node whose subtree is shown; `nil` for the whole document.
    var under: Int?
    /// The index of the first shown child.
    var from: Int?
    /// A position in the log as ``EventID/positionText(_:in:)`` writes it: the entries after it are
    /// shown.
    var after: String?
    /// What a row of the totals is about.
    var by = CostTotals.Grouping.event
    /// The order of the totals.
    var sort = CostTotals.Order.bytes
    /// The form of the comparison.
    var form = SideBySide.Form.markup
  }

  /// The tabs of the details.
  enum Tab: String, CaseIterable {
    case diff, steps, node, cost, diagnostics, subscribers, view
  }

  /// The contents of the pane in the middle.
  enum Content: String, CaseIterable {
    case tree, mirror, both, compare

    var hasTree: Bool { self == .tree || self == .both }
    var hasMirror: Bool { self == .mirror || self == .both }
  }
}

extension HTTPRequest {
  /// The parameters of a request for the inspector of a view.
  func inspectorQuery(of view: ViewState) throws(HTTPError) -> ViewPage.Query {
    var query = ViewPage.Query()
    query.version = try number("version")
    query.epoch = try number("epoch", from: 1)
    query.node = try number("node", from: 1)
    // Older links use `tab=waste` and `tab=observers`. The `sort` of `tab=waste` names columns that
    // no longer exist.
    let isOfWaste = queryItem("tab") == "waste"
    query.tab = isOfWaste ? .cost : queryItem("tab") == "observers" ? .subscribers : try choice("tab")
    query.step = try number("step", from: 1).map { number throws(HTTPError) in
      if let step = UpdateStep(rawValue: number) { return step }
      throw HTTPError.invalid("step", mustBe: "a number from 1 to \(UpdateStep.allCases.count)", not: "\(number)")
    }
    query.show = try choice("show") ?? .tree
    query.with = try number("with")
    query.find = words("find")
    query.filter = words("filter")
    query.showsBlanks = try number("blank") ?? 0 > 0
    query.under = try number("under", from: 1)
    query.from = try number("from")
    query.after = try position("after", in: view).map { EventID.positionText($0, in: view.epoch) }
    query.rejected = try position("rejected", in: view).map { EventID.positionText($0, in: view.epoch) }
    query.by = try choice("by") ?? .event
    query.sort = isOfWaste ? .bytes : try choice("sort") ?? .bytes
    query.form = try choice("form") ?? .markup
    return query
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws(HTTPError) -> Choice? {
    guard let text = queryItem(name), !text.isEmpty else { return nil }
    return try choice(text, of: name)
  }

  /// The text of a field, without white space around it; `nil` if it is empty, because a form sends
  /// an empty text for an empty field.
  private func words(_ name: String) -> String? {
    guard let text = queryItem(name)?.trimmed, !text.isEmpty else { return nil }
    return String(text.unicodeScalars.prefix(500))
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
