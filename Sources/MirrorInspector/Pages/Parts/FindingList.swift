internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument

/// The findings of a view as a list: each with its sentence, its nodes, the versions that showed
/// it, a link to the explanation, and the remedy. The tab *Diagnostics* of ``ViewPage`` has it.
struct FindingList {
  var findings: [Finding]
  /// The dialect of the view's markup.
  var dialect = Dialect.html
  /// The oldest version that is kept. Earlier versions have no page.
  var firstVersion = 0
  var version: (Int) -> Link
  var node: (NodeRef) -> Link

  /// The list; empty if there are no findings. Findings that still hold are first.
  var html: HTML {
    if findings.isEmpty { return "" }
    let sorted = findings.filter { $0.isCurrent == true } + findings.filter { $0.isCurrent != true }
    return """
      <ol class="findings">
      \(sorted.map(item))</ol>

      """
  }

  private func item(_ finding: Finding) -> HTML {
    let (state, word): (HTML, HTML) =
      switch finding.isCurrent {
      case true where finding.isRejection: ("current", "nothing was applied since")
      case nil where finding.isRejection: ("open", "other diffs were applied since")
      case true: ("current", "in the newest version")
      case false: ("past", "not in the newest version")
      case nil: ("open", "not known for the newest version: not checked since")
      }
    let locatedNodes: HTML? =
      finding.locatedNodes.isEmpty
      ? nil
      : """
      <ul class="places">\(finding.locatedNodes.map(place))</ul>

      """
    return """
      <li class="finding \(state)" data-code="\(finding.code)">
      <p class="message"><b class="mark" aria-hidden="true">?</b> <code>\(finding.code)</code> \
      <bdi>\(HTML.prose(finding.message))</bdi></p>
      \(locatedNodes)\
      <p class="versions">\(HTML.count(finding.count, "diff")), \(versions(of: finding)), <span class="state">\(word)</span> \(HTML.meaning(of: finding.code))</p>
      \(remedy(of: finding))</li>

      """
  }

  private func place(_ place: DocumentDiagnostic.LocatedNode) -> HTML {
    "<li><a href=\"\(node(place.node))\">\(place.node.number)</a> <code>\(place.path)</code></li>"
  }

  private func versions(of finding: Finding) -> HTML {
    let after: HTML? = finding.isRejection ? "rejected after " : nil
    if finding.firstVersion == finding.lastVersion { return "\(after)\(link(to: finding.lastVersion))" }
    return "\(after)\(link(to: finding.firstVersion)) to \(link(to: finding.lastVersion))"
  }

  private func link(to number: Int) -> HTML { HTML.version(number, keptSince: firstVersion, at: version) }

  private func remedy(of finding: Finding) -> HTML? {
    let remedy = finding.ownRemedy ?? DiagnosticCode[finding.code]?.remedy(in: dialect)
    return remedy.map { "<p class=\"remedy\">\(HTML.prose($0))</p>\n" }
  }
}

extension Finding {
  /// Whether the finding is about rejected diffs. A rejected diff makes no version, so the versions
  /// of such a finding are those that the view had when it rejected the diffs.
  fileprivate var isRejection: Bool { code == "rejected-diff" }
}

extension HTML {
  /// `v7` as a link to its page, or as text if the version is older than the oldest kept one.
  static func version(_ number: Int, keptSince oldest: Int, at address: (Int) -> Link) -> HTML {
    number < oldest ? "v\(number)" : "<a class=\"version\" href=\"\(address(number))\">v\(number)</a>"
  }

  /// A link to the explanation of a diagnostic; `nil` for a code without one.
  static func meaning(of code: String) -> HTML? {
    DiagnosticCode[code].map { code in
      "<a class=\"explanation\" href=\"\(Link("help", "diagnostics").at(code.code))\">What does this mean?</a>"
    }
  }
}
