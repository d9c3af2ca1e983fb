internal import MarkupDocument
internal import RenderedTree

extension ViewState {
  /// The findings of this epoch: those of the log in the order in which they first appeared, then those that are derived from
  /// the state.
  ///
  /// - Complexity: O(*findings*), that of ``unkeyedLists(limit:)``, and O(*hidden components*) if the client has not reported
  ///   components that the page does not show; without links to the page, that of rendering it.
  package var findings: [Finding] {
    var findings = log.findings.all
    if !findings.isEmpty {
      let listsAllDuplicates = document.duplicateIDs().allSatisfy { $0.node != nil }
      for position in findings.indices {
        findings[position].isCurrent = isCurrent(findings[position], listsAllDuplicates: listsAllDuplicates)
      }
    }
    findings += unkeyedLists(limit: Findings.limit)
    if let components = unremovedComponentsFinding { findings.append(components) }
    return findings
  }

  /// The number of ``findings``.
  ///
  /// - Complexity: as ``findings``, without a search for duplicate ids.
  package var findingCount: Int {
    log.findings.count + min(unkeyedListCount, Findings.limit + 1) + (unremovedComponents.isEmpty ? 0 : 1)
  }

  private func isCurrent(_ finding: Finding, listsAllDuplicates: Bool) -> Bool? {
    if finding.lastVersion == version { return true }
    return switch DiagnosticCode[finding.code]?.kind {
    case .markup: finding.lastVersion < log.findings.lastWholePage ? false : nil
    case .duplicate: listsAllDuplicates ? false : nil
    // What is missing from the page may be missing for as long as the view is mounted.
    case .event where ["rejected-diff", "client-throws"].contains(finding.code): nil
    case .event where finding.code == "version-skew": true
    case .event, nil: false
    }
  }

  /// The components that are hidden for at least this number of versions are reported. The client reports them at once, and its
  /// report takes two round trips.
  private static let versionsForReport = 20

  /// The components that the page stopped to show and that were not reported as destroyed, with the version that hid each: the
  /// server keeps them, with their assigns. Empty for a feed without frames: it cannot contain the reports.
  var unremovedComponents: [Int: Int] {
    guard isFedWithFrames, !hiddenComponents.isEmpty else { return [:] }
    let old = hiddenComponents.filter { version - $0.value >= Self.versionsForReport }
    if old.isEmpty { return [:] }
    let cids = Set(hidden(old.keys.filter { rendered.components[$0] != nil }))
    return old.filter { cids.contains($0.key) }
  }

  private var unremovedComponentsFinding: Finding? {
    let components = unremovedComponents
    guard let first = components.values.min() else { return nil }
    let cids = components.keys.sorted()
    let listed = cids.prefix(10).map(String.init).joined(separator: ", ") + (cids.count > 10 ? ", …" : "")
    let subject = cids.count == 1 ? "1 component is" : "\(cids.count) components are"
    return Finding(
      code: "component-not-removed",
      message:
        "\(subject) no longer in the page, and the client has not reported the removal: \(listed). The server keeps "
        + "their state.",
      places: [], firstVersion: first, lastVersion: version, count: version - first + 1, isCurrent: true)
  }
}
