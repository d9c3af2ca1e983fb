package import LiveViewMirror
internal import MarkupDocument
internal import RenderedTree

extension ViewState {
  /// The findings of this epoch: those of the log in the order in which they first appeared, then
  /// those that are derived from the state. `GET /views/{view}/diagnostics` and the tab
  /// *Diagnostics* of `ViewPage` list them.
  ///
  /// - Complexity: O(*findings*), plus that of ``unkeyedLists(limit:without:)``. With hidden
  ///   components, also O(*hidden components*), or that of rendering the page if the Rendered is
  ///   not linked to the document.
  package var findings: [Finding] { findings(withoutLists: []) }

  /// ``findings`` without those about some unkeyed lists.
  func findings(withoutLists lists: Set<SlotTree.Node>) -> [Finding] {
    var findings = foundInEntries.all
    if !findings.isEmpty {
      let listsAllDuplicates = document.duplicateIDs().allSatisfy { $0.node != nil }
      for position in findings.indices {
        findings[position].isCurrent = isCurrent(findings[position], listsAllDuplicates: listsAllDuplicates)
      }
    }
    findings += unkeyedLists(limit: Findings.limit, without: lists)
    if let components = unremovedComponentsFinding { findings.append(components) }
    return findings
  }

  private func isCurrent(_ finding: Finding, listsAllDuplicates: Bool) -> Bool? {
    if finding.lastVersion == version { return true }
    return switch DiagnosticCode[finding.code]?.kind {
    case .markup: finding.lastVersion < foundInEntries.lastWholePage ? false : nil
    case .duplicate: listsAllDuplicates ? false : nil
    // The changes of a rejected diff, or of an update at which the client stopped, may be missing
    // until the next mount.
    case .event where ["rejected-diff", "client-throws"].contains(finding.code): nil
    case .event where finding.code == "version-skew": true
    case .event, nil: false
    }
  }
}
