internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The isolation report of the shown version, in the tab *Diff*.
extension ViewPage {
  /// The maximum number of listed views; the JSON lists more.
  private static let shownEvaluations = 50
  /// The length of the longest bar.
  private static let barLength = 64

  /// - Returns: `nil` for a mount, because a mount notifies every subscriber in any design; and for
  ///   a version that changed nothing and evaluated no view.
  func isolation(of record: ChangeRecord) -> HTML? {
    let report = record.isolation
    guard record.version > 0, !record.changeSet.isEmpty || report.views?.evaluations.isEmpty == false else {
      return nil
    }
    return """
      <details class="input isolation"><summary>Updating everything: \
      \(HTML.count(report.whole.coalesced, "call")); by element: \(HTML.count(report.selective.coalesced))</summary>
      <p class="note">A change notifies the subscribers of its node, and a change of a text or comment those of its parent. The table \
      compares how many subscribers would be called if the screen were written in each of three ways. <b>Selective</b>, as here: each node \
      has a publisher, and only its subscribers are called. <b>Filtered</b>: one subject calls all \(HTML.count(report.everybody)) for each node, and they ignore the nodes of \
      others. <b>Traditional</b>: all observe the whole document as one object, and all are called, whatever changed. \
      In the last column, each change is published separately.</p>
      \(Self.ways(report))\
      \(report.views.map { evaluations(of: $0, in: record) })\
      </details>

      """
  }

  // MARK: - The three ways

  private static func ways(_ report: IsolationReport) -> HTML {
    let ways: [(name: HTML, calls: IsolationReport.Calls)] = [
      ("selective: a publisher for each node", report.selective), ("filtered: one subject", report.filtered),
      ("traditional: the whole document", report.whole),
    ]
    let most = ways.map { max($0.calls.coalesced, $0.calls.uncoalesced) }.max() ?? 0
    let rows = ways.map { way -> HTML in
      """
      <tr><th scope="row">\(way.name)</th>\
      \(cell(way.calls.coalesced, of: most))\(cell(way.calls.uncoalesced, of: most))</tr>

      """
    }
    return """
      <table class="ways">
      <caption class="unseen">How many calls this diff makes in three ways</caption>
      <thead><tr><th scope="col">calls</th><th scope="col">once a diff</th><th scope="col">once a change</th></tr></thead>
      <tbody>
      \(rows)\
      </tbody>
      </table>

      """
  }

  /// A number, and a bar in proportion to the largest number.
  private static func cell(_ calls: Int, of most: Int) -> HTML {
    let share = Double(calls) / Double(max(1, most)) * Double(barLength)
    let length = calls == 0 ? 0 : max(1, Int(share.rounded()))
    return """
      <td><span class="number">\(HTML.count(calls))</span><svg class="bar" aria-hidden="true" width="\(barLength)" height="8" \
      viewBox="0 0 \(barLength) 8"><rect width="\(length)" height="8"/></svg></td>
      """
  }

  // MARK: - The views

  private func evaluations(of views: IsolationReport.Views, in record: ChangeRecord) -> HTML {
    let lines = views.evaluations.prefix(Self.shownEvaluations).map { "<li>\(line(of: $0))</li>\n" as HTML }
    let count = views.forNothing
    let forNothing: HTML? =
      count == 0 ? nil : ", <strong>\(Self.forNothing) \(HTML.count(count)) idle</strong>"
    return """
      <p class="reach">\(HTML.count(views.evaluations.count, "view")) evaluated\(forNothing)</p>
      <ul class="changes evaluations">
      \(lines)\(gap(views.evaluations.count - lines.count, "more view", of: record))\
      </ul>

      """
  }

  /// The mark of an idle re-render: the evaluation of a body whose result did not change.
  private static let forNothing: HTML = "<b class=\"mark\" aria-hidden=\"true\">=</b>"

  private func line(of evaluation: Evaluation) -> HTML {
    let element = "<bdi class=\"tag\">\(evaluation.element.unicodeScalars.prefix(100))</bdi>" as HTML
    let mark: HTML = evaluation.isForNothing ? Self.forNothing : "<b class=\"mark\" aria-hidden=\"true\">~</b>"
    return """
      \(mark) <a class="node" href="\(link(toNode: evaluation.node))"><i class="ref">\(evaluation.node.number)</i>\u{A0}\
      \(element)</a> \(reasons(for: evaluation)) <bdi class="size">\(evaluation.type)</bdi>
      """
  }

  /// `attribute class`, `child 4 <Text> idle`.
  func reasons(for evaluation: Evaluation) -> HTML {
    let end: HTML? = evaluation.isForNothing ? " <span class=\"nothing\">idle</span>" : nil
    return "<span class=\"why\">\(evaluation.reasons.map(words).joined(by: ", "))</span>\(end)"
  }

  private func words(for reason: EvaluationReason) -> HTML {
    func named(_ kind: HTML, _ name: String) -> HTML { "\(kind) <code><bdi>\(name)</bdi></code>" }
    switch reason {
    case .attributes(let names):
      let list = names.map { "<code><bdi>\($0)</bdi></code>" as HTML }.joined(by: ", ")
      return "\(names.count == 1 ? "attribute" : "attributes") \(list)"
    case .child(let node): return "child \(nodeLink(node))"
    case .state(let name): return named("state", name)
    case .object(let name): return named("object", name)
    case .shared(let key): return named("shared", key)
    case .first, .children, .text, .signal, .inputs, .environment: return "\(reason.description)"
    }
  }
}
