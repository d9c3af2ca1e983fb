internal import MirrorAnalysis
internal import LiveViewMirror
internal import MarkupDocument

/// The tab *Steps*: the steps of the shown update between LiveView, client and core, and the result
/// of one selected step.
extension ViewPage {
  var steps: HTML {
    guard let record, let steps = UpdateSteps(of: record.version, in: view) else {
      return "<h3>Steps</h3>\n<p class=\"note\">Version \(version) is no longer stored.</p>\n"
    }
    let shown = query.step.flatMap { steps[$0] } ?? steps.steps.first(where: \.hasResult)
    return """
      <h3>Steps of version \(record.version)</h3>
      <p class="note">Steps 1 to 3 of LiveView's update process are those of a mount, 4 to 9 those of a diff. Choose a step to see \
      what it gave.</p>
      <div class="lanes" aria-hidden="true"><span>LiveView</span><span>client</span><span>core</span></div>
      <ol class="steps">
      \(steps.steps.map { line(of: $0, isShown: $0.step == shown?.step) })</ol>
      \(shown.map { artefact(of: $0, in: steps) })
      """
  }

  private func line(of step: UpdateSteps.Step, isShown: Bool) -> HTML {
    let (from, to) = (step.step.from, step.step.to)
    let isLeft = from == .liveView || to == .liveView
    let isBack = from == .core || to == .liveView
    let kind: HTML =
      "\(isLeft ? "left" : "right" as HTML)\(isBack ? " back" as HTML : nil)\(!step.hasResult ? " none" as HTML : nil)"
    return """
      <li class="\(kind)"><a \
      href="\(link("details") { ($0.tab, $0.step) = (.steps, step.step) })"\(isShown ? " aria-current=\"true\"" as HTML : nil)>\
      <b>\(step.step.rawValue) \(step.step.name)</b> <span class="unseen">\(from.rawValue) to \(to.rawValue),</span> \
      <span class="size">\(HTML.count(step.microseconds)) µs, \(HTML.bytes(step.outputBytes))</span></a>
      <p>\(step.summary)</p></li>

      """
  }

  private func artefact(of step: UpdateSteps.Step, in steps: UpdateSteps) -> HTML {
    if !step.hasResult { return "<p class=\"note\">No event: the server pushed this diff.</p>\n" }
    let text = steps.text(of: step.step)
    let start = String(text.unicodeScalars.prefix(Self.shownCharacters))
    let isCut = start.utf8.count < text.utf8.count
    return """
      <h4>\(step.step.rawValue) \(step.step.name)</h4>
      <pre class="artefact" tabindex="0"><code>\(start)</code></pre>
      <p class="note">\(isCut ? "The beginning of \(HTML.bytes(text.utf8.count)). " as HTML : nil)\
      As text: <code>\(HTML.curl(withToken: asksForToken)) -H 'accept: text/plain' '\(address)\(steps.link(to: step.step).description)'</code>; without the header, as JSON.</p>

      """
  }

  private static let shownCharacters = 20_000
}
