internal import LiveViewMirror
internal import MirrorAnalysis
internal import MirrorSupport

/// What can be improved about a view: each insight with the bytes that it saves, its sentence, the
/// advice, and links to the diffs that show it. The tab *Cost* begins with it.
struct InsightList {
  /// The most bytes first.
  let insights: [Insight]
  /// The size of the diffs that were looked at.
  let bytes: Int
  /// The oldest version that is kept.
  let firstVersion: Int
  let version: (Int) -> Link
  var editor: Editor?

  var html: HTML {
    let costly = insights.filter { $0.savesBytes > 0 }
    let others = insights.dropFirst(costly.count)
    let saved = costly.reduce(0) { $0 + $1.savesBytes }
    let intro: HTML =
      costly.isEmpty
      ? "<p class=\"note\">Every byte of the diffs changed something: no value was sent that the page had already.</p>\n"
      : """
      <p class="note"><strong>\(HTML.bytes(saved))</strong> were sent although the page had them already, \
      \(Formatted.wholePercent(Double(saved) / Double(max(1, bytes)))) of all bytes. The most first:</p>
      <ol class="insights">
      \(costly.map(item))</ol>

      """
    if others.isEmpty { return intro }
    return """
      \(intro)\
      <details class="more-insights"><summary>\(HTML.count(others.count, "problem")) that cost no bytes</summary>
      <ol class="insights">
      \(others.map(item))</ol>
      </details>

      """
  }

  private func item(_ insight: Insight) -> HTML {
    // As the marks of diffs: below 32 B or a tenth of the diff, it is not worth the attention.
    let isSmall = insight.share < 0.1 || insight.savesBytes < 32 * insight.versions.count
    let saves: HTML? =
      insight.savesBytes == 0
      ? nil : "<b class=\"saves\(isSmall ? " small" as HTML : nil)\">\(HTML.bytes(insight.savesBytes))</b> "
    let line: HTML? =
      insight.source.location == nil && insight.source.function == nil
      ? nil : " · <span class=\"where\">\(TotalsTable.line(insight.source, editor))</span>"
    return """
      <li class="insight" data-code="\(insight.code)">
      <p class="message">\(saves)<bdi>\(HTML.prose(insight.message))</bdi></p>
      \(insight.advice.map { "<p class=\"remedy\">\(HTML.prose($0))</p>\n" as HTML })\
      <p class="shown">\(versions(of: insight))\(line)\(explanation(of: insight))</p>
      </li>

      """
  }

  private func versions(of insight: Insight) -> HTML {
    let links = insight.versions.prefix(VersionList.named).map { number -> HTML in
      number < firstVersion ? "v\(number)" : "<a class=\"version\" href=\"\(version(number))\">v\(number)</a>"
    }
    let more = insight.versions.count - VersionList.named
    let rest: HTML? = more > 0 ? " and \(HTML.count(more)) more" : nil
    return links.isEmpty ? "" : "Shown by \(links.joined(by: ", "))\(rest)"
  }

  private func explanation(of insight: Insight) -> HTML? {
    guard let code = DiagnosticCode[insight.code] else { return nil }
    return " · <a class=\"explanation\" href=\"\(Link("help", "diagnostics").at(code.code))\">What does this mean?</a>"
  }
}
