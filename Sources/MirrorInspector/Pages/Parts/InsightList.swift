internal import LiveViewMirror
internal import MirrorAnalysis
internal import MirrorSupport

/// What can be improved about a view: each insight with the bytes that it saves, its sentence, the
/// advice, and links to the diffs that show it. The tab *Cost* begins with it.
struct InsightList {
  /// In descending order of the bytes that can be saved, so insights without bytes to save are at
  /// the end.
  let insights: [Insight]
  /// The size of all diffs that the insights derive from, in bytes.
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
      ? "<p class=\"note\">No diff sent a value that the page had already.</p>\n"
      : """
      <p class="note"><strong>\(HTML.bytes(saved))</strong> can be saved, \
      \(Formatted.wholePercent(Double(saved) / Double(max(1, bytes)))) of all bytes. The page already had these values, at the same place \
      or elsewhere in the same list. Most expensive first:</p>
      <ol class="insights">
      \(costly.map(item))</ol>

      """
    if others.isEmpty { return intro }
    return """
      \(intro)\
      <details class="input"><summary>\(HTML.count(others.count, "problem")) without a cost in bytes</summary>
      <ol class="insights">
      \(others.map(item))</ol>
      </details>

      """
  }

  private func item(_ insight: Insight) -> HTML {
    // The same limit as for the marks of diffs in the timeline.
    let isSmall = !ChangeRecord.isHeavy(insight.savesBytes / max(1, insight.versions.count), share: insight.share)
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
      <p class="shown">\(versions(of: insight))\(line)\(HTML.meaning(of: insight.code).map { " · \($0)" as HTML })</p>
      </li>

      """
  }

  private func versions(of insight: Insight) -> HTML {
    let links = insight.versions.prefix(Insight.namedVersions).map {
      HTML.version($0, keptSince: firstVersion, at: version)
    }
    let more = insight.versions.count - Insight.namedVersions
    let rest: HTML? = more > 0 ? " and \(HTML.count(more)) more" : nil
    return links.isEmpty ? "" : "Shown by \(links.joined(by: ", "))\(rest)"
  }
}
